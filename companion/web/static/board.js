// The board as SVG, drawn from its data: squares, marks, bases, homes, pieces, ways and arrows.

import { calm, s } from "./dom.js";
import { globe, star } from "./die.js";

const NEAR = 8; // squares across, where a small screen shows a part only

export class Board {
  constructor(name, data, marks, letters) {
    Object.assign(this, { name, data, marks, letters });
    this.places = new Map(data.places.map(([id, kind, colour, x, y]) => [id, { id, kind, colour, x, y }]));
    this.round = name === "40";
    this.pieces = new Map();
    const size = data.grid + 0.5;
    this.ground = s("g", { class: "ground" });
    this.below = s("g", { class: "below" });
    this.men = s("g", { class: "men" });
    this.above = s("g", { class: "above" });
    this.svg = s("svg", { viewBox: `-0.75 -0.75 ${size} ${size}`, class: `board b${data.grid}`, tabindex: -1 },
      defs(), this.ground, this.below, this.men, this.above);
    this.draw();
  }

  // -- the ground ----------------------------------------------------------------------------

  draw() {
    const edge = this.data.grid + 0.3;
    this.ground.append(s("rect", { x: -0.65, y: -0.65, width: edge, height: edge, rx: 0.55, class: "wood" }));
    const yards = this.data.colours.map((colour) => this.yard(colour));
    this.ground.append(...yards);
    this.ground.append(this.has("home") ? this.middle() : emblem((this.data.grid - 1) / 2));
    this.cells = new Map();
    for (const place of this.places.values()) {
      const cell = this.cell(place);
      this.cells.set(place.id, cell);
      this.ground.append(cell);
    }
  }

  has(kind) {
    return this.data.places.some((place) => place[1] === kind);
  }

  of(kind, colour) {
    return [...this.places.values()].filter((p) => p.kind === kind && p.colour === colour);
  }

  yard(colour) {
    const base = this.of("base", colour);
    const [x, y] = centre(base);
    const side = this.round ? 2.16 : (this.data.grid - 3) / 2 - 0.12;
    const group = s("g", { class: `yard c-${colour}` },
      s("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, rx: this.round ? 0.6 : 0.5, class: "yard-out" }));
    if (!this.round) {
      const inner = side * 0.72;
      group.append(s("rect", { x: x - inner / 2, y: y - inner / 2, width: inner, height: inner, rx: 0.7, class: "yard-in" }));
    }
    return group;
  }

  middle() {
    const c = (this.data.grid - 1) / 2;
    const group = s("g", { class: "middle" });
    for (const colour of this.data.colours) {
      const [x, y] = centre(this.of("home", colour));
      const sides = Math.abs(x - c) > Math.abs(y - c)
        ? [[Math.sign(x - c) * 1.5, -1.5], [Math.sign(x - c) * 1.5, 1.5]]
        : [[-1.5, Math.sign(y - c) * 1.5], [1.5, Math.sign(y - c) * 1.5]];
      const points = [[0, 0], ...sides].map(([dx, dy]) => `${c + dx},${c + dy}`).join(" ");
      group.append(s("polygon", { points, class: `triangle c-${colour}` }));
    }
    return group;
  }

  cell(place) {
    const { id, kind, x, y } = place;
    const starts = Object.entries(this.data.ways).find(([, way]) => way[1] === id);
    const colour = place.colour ?? starts?.[0];
    const group = s("g", {
      class: `place ${kind}${colour ? ` c-${colour}` : ""}${starts ? " start" : ""}`,
      "data-place": id, transform: `translate(${x} ${y})`,
    });
    if (this.round || kind === "base" || kind === "home") {
      group.append(s("circle", { r: { base: 0.4, home: 0.28 }[kind] ?? 0.42, class: "cell" }));
    } else {
      group.append(s("rect", { x: -0.48, y: -0.48, width: 0.96, height: 0.96, rx: 0.12, class: "cell" }));
    }
    if (kind === "base") group.append(s("text", { y: 0.13, "font-size": 0.38, class: "yard-letter" }, this.letters[colour].sign));
    group.append(...this.signs(id, kind));
    return group;
  }

  signs(id, kind) {
    const found = [];
    const marked = (mark) => this.marks[mark]?.includes(id);
    if (marked("globe")) found.push(s("g", { class: "sign" }, globe(0.27)));
    if (marked("star")) found.push(s("g", { class: "sign full" }, star(0.33)));
    if (marked("safe_star")) found.push(s("g", { class: "sign safe-star" }, star(0.36)));
    if (marked("safe")) found.push(s("g", { class: "sign" }, s("path", { d: "M0 -.27L.24 -.17V.04Q.2 .22 0 .3Q-.2 .22 -.24 .04V-.17Z", class: "shield" })));
    if (kind === "track" || kind === "finish") {
      const name = id.replace(/^.\./, "");
      const begins = this.round && Object.values(this.data.ways).some((way) => way[1] === id);
      const at = begins ? { y: 0.28, "font-size": 0.22 } : this.round ? { x: 0, y: 0.11, "font-size": 0.3 } : { x: -0.41, y: -0.22, "font-size": 0.23 };
      if (begins) found.push(s("text", { y: 0.04, "font-size": 0.36, class: "number" }, "A"));
      found.push(s("text", { ...at, class: "number" }, name));
    }
    return found;
  }

  // -- places ----------------------------------------------------------------------------------

  // The places a spot means: itself, or the four of a base or home.
  spot(name) {
    if (name === null) return [];
    if (this.places.has(name)) return [this.places.get(name)];
    return [1, 2, 3, 4].map((n) => this.places.get(`${name}${n}`)).filter(Boolean);
  }

  point(name) {
    return centre(this.spot(name));
  }

  spotOf(place) {
    return /\.[BH]\d$/.test(place) ? place.slice(0, -1) : place;
  }

  // The spots from one to another along a colour's way, both ends included.
  way(colour, from, to) {
    const way = this.data.ways[colour] ?? [];
    const a = way.indexOf(from), b = way.indexOf(to);
    if (a < 0 || b < 0) return [from, to];
    return a <= b ? way.slice(a, b + 1) : way.slice(b, a + 1).reverse();
  }

  // Show only the part of the board around some spots; all of it for none, or where they lie far apart.
  show(spots) {
    const whole = this.data.grid + 0.5;
    const places = spots.flatMap((spot) => this.spot(spot));
    const [left, right] = [Math.min(...places.map((p) => p.x)), Math.max(...places.map((p) => p.x))];
    const [upper, lower] = [Math.min(...places.map((p) => p.y)), Math.max(...places.map((p) => p.y))];
    const side = Math.max(right - left, lower - upper, NEAR - 2) + 2;
    const near = places.length && side < whole * 0.75;
    const from = (low, high) => Math.min(Math.max((low + high - side) / 2, -0.75), whole - 0.75 - side);
    const box = near ? [from(left, right), from(upper, lower), side, side] : [-0.75, -0.75, whole, whole];
    this.svg.setAttribute("viewBox", box.map((n) => +n.toFixed(2)).join(" "));
  }

  nearest(x, y, reach = 0.8) {
    let best = null, least = reach;
    for (const place of this.places.values()) {
      const far = Math.hypot(place.x - x, place.y - y);
      if (far < least) [best, least] = [place, far];
    }
    return best;
  }

  // -- pieces ------------------------------------------------------------------------------------

  // `still`: they are seen where they stand, and do not walk there.
  setPieces(list, still = false) {
    const crowd = {};
    for (const { place } of list) if (place) crowd[place] = (crowd[place] ?? 0) + 1;
    const seen = {};
    const gone = new Set(this.pieces.keys());
    for (const { id, colour, place } of list) {
      gone.delete(id);
      const man = this.pieces.get(id) ?? this.addPiece(id, colour);
      const index = place ? (seen[place] = (seen[place] ?? 0) + 1) : 0;
      if (still) man.skip = true;
      this.stand(man, place, index, crowd[place] ?? 1);
      if (still) man.skip = false;
    }
    for (const id of gone) {
      this.pieces.get(id).node.remove();
      this.pieces.delete(id);
    }
  }

  addPiece(id, colour) {
    const node = s("g", { class: `man c-${colour}`, "data-piece": id },
      ...pawn(SHAPE_OF[colour], { fill: `url(#g-${colour})` }),
      s("text", { y: 0.13, "font-size": 0.37, class: "letter" }, this.letters[colour].sign));
    const man = { id, colour, node, place: undefined, at: null };
    this.pieces.set(id, man);
    this.men.append(node);
    return man;
  }

  stand(man, place, index, crowd) {
    if (man.held) return;
    const before = man.place;
    man.place = place;
    let at = man.at ?? [(this.data.grid - 1) / 2, this.data.grid - 0.6];
    if (place) {
      const { x, y } = this.places.get(place);
      const off = crowd > 1 ? (index - (crowd + 1) / 2) * 0.3 : 0;
      at = [x + off, y - off * 0.4];
    }
    man.node.classList.toggle("small", Boolean(place) && this.places.get(place).kind === "home");
    if (man.at && man.at[0] === at[0] && man.at[1] === at[1]) return;
    const from = man.at;
    this.place(man, at);
    if (from && before && place) this.walk(man, before, place, from, at);
  }

  place(man, at) {
    man.at = at;
    man.node.setAttribute("transform", `translate(${at[0]} ${at[1]})`);
  }

  // Let a piece that has moved be seen walking its way.
  walk(man, before, place, from, at) {
    if (calm() || man.skip) return (man.skip = false);
    const spots = this.way(man.colour, this.spotOf(before), this.spotOf(place)).slice(1, -1);
    const forward = spots.length < 14 ? spots.map((spot) => this.point(spot)) : [];
    const stops = [from, ...forward, at];
    this.raise(man);
    const walking = man.node.animate(
      stops.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` })),
      { duration: Math.min(160 + 70 * stops.length, 900), easing: "ease-in-out" },
    );
    walking.onfinish = () => this.order();
  }

  // Over all others, while it is carried.
  raise(man) {
    this.men.append(man.node);
  }

  // Afterwards each has its turn again where it had it, for who goes from piece to piece with Tab.
  order() {
    const men = [...this.pieces.values()];
    if (men.some((man) => man.held)) return;
    const focused = document.activeElement;
    let next = null;
    for (const { node } of men.reverse()) {
      if (node.nextSibling !== next) this.men.insertBefore(node, next);
      next = node;
    }
    if (this.men.contains(focused) && focused !== document.activeElement) focused.focus({ preventScroll: true });
  }

  // -- what is shown on top ------------------------------------------------------------------------

  // Rings for the legal moves: where from, where to.
  showLegal(moves) {
    const rings = [];
    const targets = new Set();
    const movable = new Set();
    for (const move of moves) {
      if (!move.to) continue;
      targets.add(move.to);
      movable.add(`${move.colour} ${move.from}`);
      const [x, y] = this.freePoint(move.to);
      rings.push(s("circle", { cx: x, cy: y, r: 0.4, class: `target c-${move.colour}` }));
    }
    this.below.replaceChildren(...rings);
    for (const man of this.pieces.values()) {
      man.node.classList.toggle("movable", Boolean(man.place) && movable.has(`${man.colour} ${this.spotOf(man.place)}`));
    }
  }

  // The way of one move, or arrows that put things right.
  showWays(ways) {
    this.above.replaceChildren(...ways.flatMap((way) => this.drawWay(way)));
  }

  drawWay({ from, to, colour, remedy }) {
    const kind = remedy ? `remedy ${remedy}` : `way c-${colour}`;
    const tip = `url(#tip${remedy ? `-${remedy}` : ""})`;
    if (from === null || to === null) {
      const [x, y] = this.freePoint(from ?? to, from !== null);
      const side = y < 1 ? 1 : -1; // of the board's edge, where it would be cut off
      const ends = [0.3, 0.9].map((far) => y + side * far);
      const d = `M${x} ${ends[+!from]}V${ends[+!to]}`;
      return [s("g", { class: kind }, s("circle", { cx: x, cy: y, r: 0.47, class: "ring" }),
        s("path", { d, class: "halo" }), s("path", { d, class: "line", "marker-end": tip }))];
    }
    const stops = remedy ? [this.freePoint(from, true), this.freePoint(to)] : this.way(colour, from, to).map((spot) => this.point(spot));
    const d = remedy ? bow(...stops, this.data.grid - 1) : "M" + stops.map(([x, y]) => `${x} ${y}`).join("L");
    return [s("g", { class: kind },
      s("path", { d, class: "halo" }),
      s("path", { d, class: "line", "marker-end": tip }))];
  }

  // In a base the ring lies, and the arrow ends, where it is free; it begins where a piece is.
  freePoint(name, taken = false) {
    const spots = this.spot(name);
    const used = new Set([...this.pieces.values()].map((man) => man.place));
    const { x, y } = spots.find((place) => used.has(place.id) === taken) ?? spots[0];
    return [x, y];
  }

  // What is wrong, what a hint is about, and what is pressed.
  mark(places, noted = [], pressed = []) {
    for (const [id, cell] of this.cells) {
      const among = (some) => some.includes(id) || some.includes(this.spotOf(id));
      cell.classList.toggle("marked", among(places));
      cell.classList.toggle("noted", among(noted));
      cell.classList.toggle("pressed", among(pressed));
    }
  }
}

// A piece has the shape of its colour, as on the box's screen and the printed pawns: a full square,
// one with a hole, a plus, a cross.
const SHAPE_OF = { red: 0, green: 1, yellow: 2, blue: 3, black: 3 };

function pawn(shape, paint) {
  const square = (half, round) => `M${-half + round} ${-half}H${half - round}Q${half} ${-half} ${half} ${-half + round}V${half - round}Q${half} ${half} ${half - round} ${half}H${-half + round}Q${-half} ${half} ${-half} ${half - round}V${-half + round}Q${-half} ${-half} ${-half + round} ${-half}Z`;
  const corners = [[-1, -3], [1, -3], [1, -1], [3, -1], [3, 1], [1, 1], [1, 3], [-1, 3], [-1, 1], [-3, 1], [-3, -1], [-1, -1]];
  const plus = (turn) => `M${corners.map(([x, y]) => [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)].map((n) => (n * 0.137).toFixed(3)).join(" ")).join("L")}Z`;
  const body = [square(0.34, 0.1), square(0.34, 0.04), plus(0), plus(Math.PI / 4)][shape];
  return [
    s("circle", { r: 0.47, class: "grip" }),
    s("path", { d: body, class: "shade" }),
    s("path", { d: body, class: "body", ...paint }),
    ...(shape === 1 ? [s("path", { d: square(0.22, 0.03), class: "hole" })] : []),
  ];
}

// The middle of a board without homes: a die.
function emblem(c) {
  const pips = [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]];
  return s("g", { class: "emblem", transform: `translate(${c} ${c}) rotate(45)` },
    s("rect", { x: -0.28, y: -0.28, width: 0.56, height: 0.56, rx: 0.12 }),
    pips.map(([x, y]) => s("circle", { cx: x * 0.14, cy: y * 0.14, r: 0.055 })));
}

function centre(places) {
  const sum = places.reduce(([x, y], place) => [x + place.x, y + place.y], [0, 0]);
  return [sum[0] / places.length, sum[1] / places.length];
}

function bow([x1, y1], [x2, y2], edge) {
  const far = Math.hypot(x2 - x1, y2 - y1) || 1;
  const bend = Math.min(far * 0.22, 1.4);
  const mx = (x1 + x2) / 2 + ((y2 - y1) / far) * bend, my = (y1 + y2) / 2 - ((x2 - x1) / far) * bend;
  const within = (n) => Math.max(-1, Math.min(edge + 1, n)); // it bends half as far
  return `M${x1} ${y1}Q${within(mx)} ${within(my)} ${x2} ${y2}`;
}

function defs() {
  const colours = ["red", "green", "yellow", "blue", "black"];
  return s("defs", {},
    colours.map((colour) => s("radialGradient", { id: `g-${colour}`, cx: "35%", cy: "28%", r: "80%" },
      s("stop", { offset: "0", class: `hi-${colour}` }), s("stop", { offset: "1", class: `lo-${colour}` }))),
    ["tip", "tip-wrong", "tip-guide", "tip-note"].map((id) => s("marker", { id, viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 2.6, markerHeight: 2.6, orient: "auto-start-reverse" },
      s("path", { d: "M0 0L10 5L0 10Z", class: id }))));
}

// Pieces of a game without simulated ones: each keeps its name while it can.
export function named(before, pieces) {
  const list = [];
  for (const [colour, places] of Object.entries(pieces)) {
    const rest = [...places];
    const own = places.map((_, n) => ({ id: `${colour}${n + 1}`, colour, place: null }));
    for (const man of own) {
      const old = before.find((one) => one.id === man.id)?.place;
      const index = rest.indexOf(old);
      if (index >= 0) man.place = rest.splice(index, 1)[0];
    }
    for (const man of own) man.place ??= rest.shift();
    list.push(...own);
  }
  return list;
}
