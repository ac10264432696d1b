// A die as SVG: pips, a star, a globe; it tumbles before it shows what was rolled.

import { calm, s } from "./dom.js";

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

export function star(radius) {
  const points = [];
  for (let n = 0; n < 10; n++) {
    const r = n % 2 ? radius * 0.42 : radius;
    points.push(`${r * Math.sin((n * Math.PI) / 5)},${-r * Math.cos((n * Math.PI) / 5)}`);
  }
  return s("polygon", { points: points.join(" ") });
}

export function globe(radius) {
  const line = { fill: "none", stroke: "currentColor", "stroke-width": radius * 0.16 };
  return s("g", { class: "globe" },
    s("circle", { r: radius, ...line }),
    s("ellipse", { rx: radius * 0.45, ry: radius, ...line }),
    s("path", { d: `M${-radius} 0H${radius}M0 ${-radius}V${radius}`, ...line }));
}

export function symbol(shown) {
  if (shown === "star") return s("g", { fill: "currentColor" }, star(30));
  if (shown === "globe") return globe(28);
  if (shown?.startsWith?.("+")) return s("text", { y: 14, fill: "currentColor", "text-anchor": "middle", "font-size": 40 }, shown);
  return s("g", { fill: "currentColor" },
    (PIPS[shown] ?? []).map(([x, y]) => s("circle", { cx: x * 24, cy: y * 24, r: 9.5 })));
}

// A small die that shows a face; `label` is what it is called, where it stands alone.
export function small(shown, label) {
  const called = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return s("svg", { viewBox: "-55 -55 110 110", class: "small-die", ...called }, s("rect", { x: -48, y: -48, width: 96, height: 96, rx: 20, class: "die-body" }), symbol(shown));
}

export class Die {
  constructor() {
    this.inside = s("g");
    this.svg = s("svg", { viewBox: "-55 -55 110 110", class: "die", "aria-hidden": "true" },
      s("rect", { x: -48, y: -48, width: 96, height: 96, rx: 20, class: "die-body" }),
      this.inside);
    this.shown = undefined;
  }

  // Show a face's name ("4", "star"), or nothing; `fresh` lets it tumble first.
  show(shown, fresh) {
    if (shown === this.shown) return;
    this.shown = shown;
    this.svg.classList.toggle("blank", !shown);
    this.inside.replaceChildren(...(shown ? [symbol(shown)] : []));
    if (shown && fresh) this.tumble();
  }

  tumble() {
    if (calm()) return;
    this.svg.animate(
      [
        { transform: "translateY(0) rotate(0) scale(1)" },
        { transform: "translateY(-26%) rotate(250deg) scale(1.12)", offset: 0.35 },
        { transform: "translateY(0) rotate(470deg) scale(.96)", offset: 0.7 },
        { transform: "translateY(-6%) rotate(560deg) scale(1.02)", offset: 0.85 },
        { transform: "translateY(0) rotate(720deg) scale(1)" },
      ],
      { duration: 620, easing: "ease-out" },
    );
  }
}
