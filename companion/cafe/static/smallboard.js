// A small board, painted: hundreds are on one page, and a move must not lay any of it out again.
// Its ground, and each piece, are painted once for all boards of that size.

import { h } from "./dom.js";

const style = getComputedStyle(document.documentElement);
const css = (name) => style.getPropertyValue(`--${name}`).trim();
const mix = (one, share, other) => `color-mix(in srgb, ${one} ${share}%, ${other})`;
const EDGE = 0.75; // squares around the outermost places
const ON = { yellow: "#2b2100" }; // letters are white but here
const painted = new Map();
const boards = new Set();

// Made once, until the page's colours change.
function once(key, size, paint) {
  if (!painted.has(key)) {
    const canvas = h("canvas", { width: size, height: size });
    paint(canvas.getContext("2d"));
    painted.set(key, canvas);
  }
  return painted.get(key);
}

function circle(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
}

function box(pen, x, y, size, corner) {
  pen.beginPath();
  pen.roundRect(x, y, size, size, corner);
  pen.fill();
}

function colourOf(kind, own) {
  const cell = css("cell");
  if (!own) return cell;
  const share = { base: 30, start: 30, finish: 70, home: 70 }[kind] ?? 60;
  return mix(css(own), share, share === 70 ? "white" : cell);
}

function ground(name, data, size) {
  return once(`${name} ${size}`, size, (pen) => {
    const unit = size / (data.grid + 0.5), starts = new Map(Object.entries(data.ways).map(([colour, way]) => [way[1], colour]));
    pen.scale(unit, unit);
    pen.translate(EDGE, EDGE);
    pen.fillStyle = css("wood");
    box(pen, -0.65, -0.65, data.grid + 0.3, 0.5);
    pen.lineWidth = 0.05;
    for (const [place, kind, colour, x, y] of data.places) {
      const own = colour ?? starts.get(place), outlined = own && (kind === "base" || kind === "start");
      pen.fillStyle = colourOf(kind, own);
      pen.strokeStyle = css(outlined ? own : "cell-line");
      if (name === "40" || kind === "base" || kind === "home") circle(pen, x, y, 0.42);
      else {
        box(pen, x - 0.48, y - 0.48, 0.96, 0.1);
        pen.stroke();
      }
    }
  });
}

function man(colour, letter, radius, turn) {
  const size = Math.ceil(radius * 2.4);
  return once(`${colour} ${letter} ${radius} ${turn}`, size, (pen) => {
    pen.translate(size / 2, size / 2);
    pen.fillStyle = css(colour) || css("soft");
    pen.strokeStyle = turn ? "#000" : "rgb(0 0 0 / .6)";
    pen.lineWidth = radius * (turn ? 0.3 : 0.15);
    circle(pen, 0, 0, radius);
    pen.fillStyle = ON[colour] ?? "#fff";
    pen.font = `800 ${radius * 1.15}px ${getComputedStyle(document.body).fontFamily}`;
    pen.textAlign = "center";
    pen.fillText(letter, 0, radius * 0.4);
  });
}

export class SmallBoard {
  constructor(name, data, colours) {
    Object.assign(this, { name, data, colours, said: "" });
    this.places = new Map(data.places.map(([id, , , x, y]) => [id, [x, y]]));
    this.canvas = h("canvas", { class: "board", role: "img", width: 0, height: 0 });
    boards.add(this);
    sizes.observe(this.canvas);
  }

  leave() {
    boards.delete(this);
    sizes.unobserve(this.canvas);
  }

  show(pieces, turn) {
    const said = JSON.stringify([pieces, turn]);
    if (said === this.said) return;
    Object.assign(this, { said, pieces, turn });
    this.paint();
  }

  resize(size) {
    if (size === this.canvas.width) return;
    this.canvas.width = this.canvas.height = size;
    this.paint();
  }

  paint() {
    const size = this.canvas.width;
    if (!size) return;
    const pen = this.canvas.getContext("2d"), unit = size / (this.data.grid + 0.5);
    pen.clearRect(0, 0, size, size);
    pen.drawImage(ground(this.name, this.data, size), 0, 0);
    const radius = unit * (this.data.grid > 11 ? 0.5 : 0.4); // a small square must still show its piece
    const crowd = {};
    for (const [colour, places] of Object.entries(this.pieces ?? {})) for (const place of places) {
      const above = (crowd[place] = (crowd[place] ?? 0) + 1) - 1;
      const [x, y] = this.places.get(place) ?? [0, 0];
      const known = Object.hasOwn(this.colours, colour); // what is painted once is kept for ever
      const piece = man(known ? colour : "", known ? this.colours[colour].sign : "?", radius, colour === this.turn);
      pen.drawImage(piece, (x + EDGE + above * 0.22) * unit - piece.width / 2, (y + EDGE - above * 0.1) * unit - piece.width / 2);
    }
  }
}

// A board is painted in the screen's own pixels.
const sizes = new ResizeObserver((changes) => {
  const found = new Map(changes.map(({ target, contentRect }) => [target, Math.floor(Math.min(contentRect.width, contentRect.height) * devicePixelRatio)]));
  for (const board of boards) if (found.has(board.canvas)) board.resize(found.get(board.canvas));
});

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  painted.clear();
  for (const board of boards) board.paint();
});
