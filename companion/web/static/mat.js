// The card game's mat: four stacks for every player, pressed to lay a card. Large is how many cards
// lie there; the small number in the corner is the stack's.

import { s } from "./dom.js";

export class Mat {
  constructor(name, data, letters) {
    Object.assign(this, { name, data, letters });
    const size = data.grid + 1;
    this.stacks = new Map();
    this.wrong = [];
    this.svg = s("svg", { viewBox: `-1 -1 ${size} ${size}`, class: "board mat" },
      s("rect", { x: -0.9, y: -0.9, width: size - 0.2, height: size - 0.2, rx: 0.5, class: "felt" }));
    for (const [id, , colour, x, y] of data.places) this.svg.append(this.stack(id, colour, x, y));
    for (const colour of data.colours) this.svg.append(this.badge(colour));
  }

  stack(id, colour, x, y) {
    const cards = s("g", { class: "cards" }), wrong = s("g", { class: "wrong-cards" });
    const node = s("g", {
      class: `stack c-${colour}`, transform: `translate(${x} ${y})`,
      "data-place": id, tabindex: -1, role: "button",
    }, s("rect", { x: -0.33, y: -0.4, width: 0.66, height: 0.8, rx: 0.1, class: "slot" }),
      cards, wrong, s("text", { x: -0.17, y: -0.17, "font-size": 0.22, class: "slot-number" }, id.slice(-1)));
    this.stacks.set(id, { id, colour, node, cards, wrong });
    return node;
  }

  badge(colour) {
    const places = this.data.places.filter((place) => place[2] === colour);
    const c = (this.data.grid - 1) / 2;
    const x = places.reduce((sum, p) => sum + p[3], 0) / 4, y = places.reduce((sum, p) => sum + p[4], 0) / 4;
    const bx = c + (x - c) * 0.62, by = c + (y - c) * 0.62;
    return s("g", { class: `badge c-${colour}`, transform: `translate(${bx} ${by})`, "data-badge": colour },
      s("circle", { r: 0.42, class: "body", fill: "var(--c)" }),
      s("text", { y: 0.16, "font-size": 0.46, class: "letter" }, this.letters[colour].sign));
  }

  // By colour, the heights of its four stacks.
  setHeights(pieces, playing) {
    for (const { id, colour, node, cards } of this.stacks.values()) {
      const height = pieces[colour]?.[Number(id.slice(-1)) - 1] ?? 0;
      node.classList.toggle("absent", !playing.includes(colour));
      node.classList.toggle("full", height === 6);
      node.dataset.height = height;
      if (cards.childElementCount === height + Number(height > 0)) continue;
      cards.replaceChildren();
      for (let n = 0; n < height; n++) {
        const lift = n * 0.016;
        cards.append(s("rect", { x: -0.33 + lift, y: -0.4 - lift, width: 0.66, height: 0.8, rx: 0.1, class: "card" }));
      }
      if (height) cards.append(s("text", { x: 0.06, y: 0.24, "font-size": 0.5, class: "card-number" }, String(height)));
    }
    for (const badge of this.svg.querySelectorAll("[data-badge]")) badge.classList.toggle("absent", !playing.includes(badge.dataset.badge));
  }

  // Cards that lie there and have to be taken off; what was taken off stays so until others lie there.
  showWrong(remedy) {
    const lying = remedy.filter(({ from, to }) => from && !to).map(({ from }) => from);
    if (String(lying) !== this.lying) [this.lying, this.wrong] = [String(lying), lying];
    for (const { id, node, wrong } of this.stacks.values()) {
      const count = this.wrong.filter((one) => one === id).length;
      if (node.dataset.wrong === String(count)) continue;
      node.dataset.wrong = count;
      wrong.replaceChildren(...Array.from({ length: count }, (_, n) =>
        s("g", { transform: `translate(${0.1 + n * 0.08} -0.08) rotate(${14 + n * 8})` }, s("rect", { x: -0.33, y: -0.4, width: 0.66, height: 0.8, rx: 0.1, class: "card" }), s("text", { y: 0.17, "font-size": 0.5 }, "✕"))));
    }
  }

  // The steps that are still to be done: a card that was taken off is off.
  left(remedy) {
    const lying = [...this.wrong];
    return remedy.filter(({ from, to }) => !from || to || lying.splice(lying.indexOf(from) >>> 0, 1).length);
  }

  // Whether a card was there to be taken off.
  takeOff(place) {
    const at = this.wrong.indexOf(place);
    if (at < 0) return false;
    this.wrong = this.wrong.filter((_, n) => n !== at);
    return true;
  }

  showLegal(moves, pressed) {
    const lit = new Set(moves.flatMap((move) => move.stacks ?? []));
    for (const { id, node } of this.stacks.values()) {
      node.classList.toggle("movable", lit.has(id));
      node.classList.toggle("pressed", pressed.includes(id));
    }
  }

  showWays(ways) {
    const shown = new Set(ways.flatMap((way) => way.stacks ?? []));
    for (const { id, node } of this.stacks.values()) node.classList.toggle("shown", shown.has(id));
  }

  mark(places) {
    for (const { id, node } of this.stacks.values()) node.classList.toggle("marked", places.includes(id));
  }
}
