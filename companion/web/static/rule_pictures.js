// A small picture for every house rule: squares, pieces, dice and arrows, drawn from a few parts.

import { star, symbol } from "./die.js";
import { s } from "./dom.js";

const WIDTH = 96, HEIGHT = 60;

const cell = (x, y = 38, size = 20, extra = {}) => s("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 4, class: "rp-cell", ...extra });
const man = (colour, x, y = 38, r = 7.5) => s("circle", { cx: x, cy: y, r, class: `rp-man c-${colour}` });
const faded = (colour, x, y = 38) => s("circle", { cx: x, cy: y, r: 7.5, class: `rp-man gone c-${colour}` });
const arrow = (d, kind = "") => s("path", { d, class: `rp-arrow ${kind}`, "marker-end": "url(#rp-tip)" });
const cross = (x, y, r = 9) => s("path", { d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`, class: "rp-no" });
const text = (said, x, y) => s("text", { x, y, class: "rp-text" }, said);
const die = (face, x, y, size = 24) => s("g", { transform: `translate(${x} ${y}) scale(${size / 100})`, class: "rp-die" },
  s("rect", { x: -48, y: -48, width: 96, height: 96, rx: 20 }), symbol(String(face)));
const home = (x, y = 38) => s("path", { d: `M${x - 11} ${y + 9}V${y - 2}L${x} ${y - 12}L${x + 11} ${y - 2}V${y + 9}Z`, class: "rp-home" });
const base = (x, y, colour) => s("circle", { cx: x, cy: y, r: 11, class: `rp-base c-${colour}` });
const caught = (x) => [cell(x), faded("yellow", x), man("red", x - 26), arrow(`M${x - 22} 27Q${x - 12} 14 ${x - 3} 25`)];
const track = (...at) => at.map((x) => cell(x));

const PARTS = {
  three_tries: () => [die(2, 20, 22), die(4, 48, 22), die(6, 76, 22), arrow("M76 37V46"), man("red", 76, 52, 6)],
  three_rolls: () => [die(2, 20, 22), die(4, 48, 22), die(6, 76, 22), arrow("M76 37V46"), man("red", 76, 52, 6)],
  safe_stars: () => [cell(48, 32, 36), s("g", { transform: "translate(48 32)", class: "rp-star" }, star(16)), man("red", 38, 34, 8), man("blue", 58, 34, 8)],
  capture_rolls: () => [cell(14), ...caught(40), arrow("M56 38H64"), die(5, 80, 38)],
  home_rolls: () => [cell(14), man("red", 14), arrow("M14 26Q28 10 38 22"), home(42), arrow("M58 38H64"), die(5, 80, 38)],
  bounce: () => [...track(14, 36, 58, 80), cell(80, 38, 20, { class: "rp-cell c-red end" }), man("red", 14), arrow("M14 27Q48 -6 80 25"), arrow("M76 50Q66 60 58 50", "back")],
  barriers: () => [...track(14, 36, 58, 82), man("blue", 14), man("red", 58, 41, 7), man("red", 58, 34, 7), arrow("M22 28H42"), s("path", { d: "M46 16V54", class: "rp-no" })],
  one_or_six: () => [die(1, 20, 17), die(6, 50, 17), base(16, 46, "red"), man("red", 16, 46), arrow("M30 46H52"), cell(66, 46), man("red", 66, 46)],
  pieces: () => [man("red", 18, 30, 9), man("red", 38, 30, 9), s("circle", { cx: 58, cy: 30, r: 9, class: "rp-maybe" }), s("circle", { cx: 78, cy: 30, r: 9, class: "rp-maybe" })],
  third_six_void: () => [die(6, 20, 30), die(6, 48, 30), die(6, 76, 30), cross(76, 30, 13)],
  third_six_back: () => [die(6, 20, 17, 20), die(6, 44, 17, 20), die(6, 68, 17, 20), cell(74, 46), faded("red", 74, 46), arrow("M62 46H34"), base(20, 46, "red"), man("red", 20, 46)],
  twenty_for_a_capture: () => [...caught(38), text("+20", 72, 44)],
  ten_for_home: () => [cell(14), man("red", 14), arrow("M14 26Q28 10 38 22"), home(40), text("+10", 72, 44)],
  two_colours_each: () => [s("circle", { cx: 48, cy: 16, r: 8, class: "rp-person" }), s("path", { d: "M32 40Q48 14 64 40Z", class: "rp-person" }), man("yellow", 24, 48, 9), man("red", 72, 48, 9)],
  neutral_colour: () => [man("yellow", 16, 18, 8), man("green", 48, 18, 8), man("red", 80, 18, 8), s("circle", { cx: 48, cy: 44, r: 9, class: "rp-maybe" }), arrow("M22 26L37 38"), arrow("M74 26L59 38")],
  capture_backwards: () => [...track(20, 44, 68), faded("yellow", 20), man("red", 68), arrow("M66 27Q44 8 24 26")],
  compulsory_capture: () => [...caught(44), text("!", 78, 48)],
  no_jumping_in_finish: () => [...track(14, 36, 58, 80), man("red", 14), man("red", 36), s("path", { d: "M14 26Q36 4 56 25", class: "rp-arrow" }), cross(36, 18, 7)],
  plain_die: () => [die(1, 20, 30), die(3, 48, 30), die(5, 76, 30)],
};

// The picture of a rule; it says nothing that the words beside it do not.
export function rulePicture(name) {
  const tip = s("marker", { id: "rp-tip", viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 4.5, markerHeight: 4.5, orient: "auto" }, s("path", { d: "M0 0L8 4L0 8Z", class: "rp-tip" }));
  return s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "rule-picture", "aria-hidden": "true" }, s("defs", {}, tip), ...(PARTS[name]?.() ?? []));
}
