// The box's screen, pixel for pixel: 128x64 bits drawn on a canvas.

import { h } from "./dom.js";

export class Oled {
  constructor(label) {
    this.canvas = h("canvas", { width: 128, height: 64, class: "oled", role: "img", "aria-label": label });
  }

  draw(bits) {
    const context = this.canvas.getContext("2d");
    const image = context.createImageData(128, 64);
    const bytes = Uint8Array.from(atob(bits ?? ""), (c) => c.charCodeAt(0));
    for (let n = 0; n < 128 * 64; n++) {
      const on = bytes.length && (bytes[n >> 3] >> (7 - (n & 7))) & 1;
      image.data.set(on ? [196, 236, 255, 255] : [6, 9, 14, 255], n * 4);
    }
    context.putImageData(image, 0, 0);
  }
}
