// The line to the daemon: events in, with reconnect; wishes out, one after the other.

import { t } from "./words.js";

// What is refused for a reason that players know is told in their own language.
function said(path, { status, headers }, plays) {
  if (status === 401) return t(path === "/pin" ? "wrong_pin" : "need_pin");
  if (status === 429) return t("too_many", { minutes: Math.ceil((headers.get("Retry-After") ?? 60) / 60) });
  return { 400: path.endsWith("/do") ? t("not_now") : undefined, 403: path.endsWith("/do") ? t(plays ? "only_own" : "off_at_box") : undefined, 409: t("not_now"), 503: t("too_busy") }[status];
}

export class Link extends EventTarget {
  // `at` is where the table is: nothing for the one that counts.
  constructor(full, language, at = "") {
    super();
    this.at = at;
    this.full = full;
    this.language = language;
    this.state = null;
    this.history = [];
    this.told = 0; // how often something of the history was told, perhaps in another language
    this.chances = [];
    this.die = { counts: [0, 0, 0, 0, 0, 0], standing: 0, entered: 0, few: true, loaded: false };
    this.up = false;
    this._queue = Promise.resolve();
    this.connect();
  }

  connect() {
    this._source?.close();
    clearTimeout(this._again);
    const source = new EventSource(`${this.at}/events?lang=${this.language}${this.full ? "&full=1" : ""}`);
    this._source = source;
    const hear = (name, take) =>
      source.addEventListener(name, (event) => {
        take(JSON.parse(event.data));
        this._tell(name);
      });
    // The box was updated: its new page understands it, and nobody reloads a kiosk by hand.
    hear("edition", (edition) => {
      if ((this.edition ??= edition) === edition) return;
      source.close();
      location.reload();
    });
    hear("state", (state) => {
      this.wasInControl ||= Boolean(this.state?.control);
      this.state = state;
      if (!this.up) this._tell("up", (this.up = true));
    });
    hear("history", ({ from, entries, die, playedBy }) => {
      this.history.length = Math.min(this.history.length, from);
      this.history.push(...entries);
      this.told += 1;
      Object.assign(this, { die, playedBy });
    });
    hear("chances", (chances) => (this.chances = chances));
    hear("oled", (bits) => (this.oled = bits));
    hear("sound", (pattern) => (this.sound = pattern));
    source.addEventListener("error", () => {
      if (this.up) this._tell("down", (this.up = false));
      if (source.readyState === EventSource.CLOSED) {
        this._again = setTimeout(() => this.connect(), 1500);
      }
    });
  }

  speak(language) {
    this.language = language;
    this.connect();
  }

  // Wishes keep their order: a piece is lifted before it is put down.
  ask(wish) {
    const sent = this._queue.then(() => this._post(`${this.at}/do`, wish));
    this._queue = sent.catch(() => {});
    return sent;
  }

  // Throw the die. Pressed twice in a row, or held, it is thrown once, unless the same player rolls again.
  roll({ detail, repeat }) {
    const { phase, turn, rolling } = this.state;
    const again = ["roll", "opening"].includes(phase) && turn === this._thrownIn?.turn && this.state !== this._thrownIn;
    if (rolling || this._throws || ((detail > 1 || repeat) && !again)) return;
    this._thrownIn = this.state; // until another comes, nothing is known of that throw
    this._throws = true;
    this.ask({ do: "roll" }).finally(() => (this._throws = false));
  }

  // OK on a line. Only at the box can it be switched off, and whoever does has been asked.
  takeLine(line) {
    this.ask({ do: "press", button: "ok", sure: line?.key === "shut_down" && Boolean(this.state?.box) });
  }

  async showPin(pin) {
    const error = await this._post("/pin", { pin });
    if (!error) this.connect();
    return error;
  }

  async _post(path, body) {
    let error = null;
    try {
      const answer = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!answer.ok) error = said(path, answer, this.state?.player.length) ?? ((await answer.json().catch(() => ({}))).error || answer.statusText);
    } catch {
      error = "down";
    }
    if (error && path.endsWith("/do")) {
      this.error = error;
      this._tell("refused");
    }
    return error === "down" ? t("reconnecting") : error;
  }

  _tell(name) {
    this.dispatchEvent(new Event(name));
  }
}
