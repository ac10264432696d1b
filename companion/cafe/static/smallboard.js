// A small board: its ground is drawn once for all tables that have it, and only pieces move.

import { s } from "./dom.js";

const grounds = new Map();
let sheet = null;

export function prepare() {
  if (sheet) return sheet;
  sheet = s("svg", { class: "unseen", "aria-hidden": "true", width: 0, height: 0 });
  document.body.append(sheet);
  return sheet;
}

function ground(name, data) {
  if (grounds.has(name)) return grounds.get(name);
  const id = `ground-${name}`;
  const edge = data.grid + 0.3;
  const cells = data.places.map(([place, kind, colour, x, y]) => {
    const starts = Object.entries(data.ways).find(([, way]) => way[1] === place)?.[0];
    const own = colour ?? starts;
    const round = name === "40" || kind === "base" || kind === "home";
    const at = { class: `cell ${kind} ${own ? `c-${own}` : ""}` };
    return round ? s("circle", { ...at, cx: x, cy: y, r: 0.42 })
      : s("rect", { ...at, x: x - 0.48, y: y - 0.48, width: 0.96, height: 0.96, rx: 0.1 });
  });
  prepare().append(s("symbol", { id, viewBox: `-0.75 -0.75 ${data.grid + 0.5} ${data.grid + 0.5}` },
    s("rect", { x: -0.65, y: -0.65, width: edge, height: edge, rx: 0.5, class: "wood" }), cells));
  grounds.set(name, id);
  return id;
}

export class SmallBoard {
  constructor(name, data, colours) {
    Object.assign(this, { name, data, colours });
    this.places = new Map(data.places.map(([id, , , x, y]) => [id, [x, y]]));
    this.men = s("g", { class: "men" });
    const size = data.grid + 0.5;
    this.svg = s("svg", { viewBox: `-0.75 -0.75 ${size} ${size}`, class: "board", role: "img" },
      s("use", { href: `#${ground(name, data)}`, x: -0.75, y: -0.75, width: size, height: size }), this.men);
    this.nodes = [];
  }

  show(pieces, turn) {
    const wanted = Object.entries(pieces ?? {}).flatMap(([colour, places]) => places.map((place) => [colour, place]));
    while (this.nodes.length > wanted.length) this.nodes.pop().remove();
    const crowd = {};
    wanted.forEach(([colour, place], index) => {
      const node = this.nodes[index] ?? this.add();
      const number = (crowd[place] = (crowd[place] ?? 0) + 1) - 1;
      const [x, y] = this.places.get(place) ?? [0, 0];
      const said = `${colour} ${x} ${y} ${number} ${turn}`;
      if (node.said === said) return;
      node.said = said;
      node.setAttribute("class", `man c-${colour} ${colour === turn ? "turn" : ""}`);
      node.setAttribute("transform", `translate(${x + number * 0.22} ${y - number * 0.1})`);
      node.lastChild.textContent = this.colours[colour]?.letter ?? "?";
    });
  }

  add() {
    const size = this.data.grid > 11 ? 0.5 : 0.4; // a small square must still show its piece
    const node = s("g", {}, s("circle", { r: size }), s("text", { y: size * 0.38, "font-size": size * 1.15 }));
    this.nodes.push(node);
    this.men.append(node);
    return node;
  }
}
