// Plays the buzzer's patterns of (hertz, seconds) through the loudspeaker, if wanted.

export class Sound {
  constructor() {
    this.on = localStorage.getItem("sound") !== "off";
  }

  turn(on) {
    this.on = on;
    localStorage.setItem("sound", on ? "on" : "off");
  }

  play(pattern) {
    if (!this.on || !navigator.userActivation?.hasBeenActive) return;
    this._context ??= new AudioContext();
    let at = this._context.currentTime + 0.01;
    for (const [hertz, seconds] of pattern) {
      if (hertz) this._tone(hertz, at, seconds);
      at += seconds;
    }
  }

  _tone(hertz, at, seconds) {
    const tone = this._context.createOscillator();
    const volume = this._context.createGain();
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(this._context.destination);
    tone.start(at);
    tone.stop(at + seconds);
  }
}
