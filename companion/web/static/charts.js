// Charts as SVG: die counts with the band of a fair die, the lead over time, captures.

import { h, s, styled } from "./dom.js";
import { symbol } from "./die.js";
import { capital, percent, t } from "./words.js";

await styled("/charts.css");

const W = 320, H = 150;

// `players` says by colour who has a name.
export function charts(link, names, players) {
  const { playing = [], faces } = link.state.game ?? {};
  return [
    figure(t("die_chart"), aboutDie(link.die), dieChart(link.die, faces)),
    figure(t("lead_chart"), t("lead_about"), leadChart(link.history, playing, names, players)),
    ...(link.state.settings?.chances ? [figure(t("chance_chart"), t("chance_about"), leadChart(likely(link), playing, names, players))] : []),
    figure(t("hits_chart"), t("hits_about"), hitsChart(link.history, playing, names, players)),
  ];
}

function figure(title, about, svg) {
  return h("figure", { class: "chart" }, h("figcaption", {}, h("strong", {}, title), h("small", {}, about)), svg);
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// What the counts mean. A fair die leaves the band now and then: that alone is no reason to doubt it.
export function aboutDie({ counts, entered, few, loaded }) {
  if (!sum(counts) && !entered) return t("no_history");
  const said = sum(counts) ? [t("die_about", { number: sum(counts) }), t(few ? "die_few" : loaded ? "die_loaded" : "die_fair")] : [];
  if (entered) said.push(t("die_entered", { number: entered }));
  return said.join(" ");
}

export function dieChart({ counts: rolls, loaded }, faces = ["1", "2", "3", "4", "5", "6"]) {
  const total = sum(rolls), mean = total / 6;
  const spread = 1.96 * Math.sqrt((total * 5) / 36);
  const furthest = Math.max(...rolls.map((count) => Math.abs(count - mean)));
  const top = Math.max(...rolls, mean + spread, 4) * 1.12;
  const y = (value) => H - 26 - (Math.max(value, 0) / top) * (H - 40);
  const svg = chart(rolls.map((count, n) => `${faces[n]}: ${count}`).join(", "));
  if (total) {
    svg.append(
      s("rect", { x: 8, width: W - 16, y: y(mean + spread), height: y(mean - spread) - y(mean + spread), class: "band" }),
      s("path", { d: `M8 ${y(mean)}H${W - 8}`, class: "mean" }));
  }
  rolls.forEach((count, n) => {
    const x = 8 + (n + 0.5) * ((W - 16) / 6);
    const odd = loaded && Math.abs(count - mean) === furthest;
    svg.append(
      s("rect", { x: x - 15, width: 30, y: y(count), height: H - 26 - y(count), rx: 4, class: odd ? "bar odd" : "bar" }),
      s("text", { x, y: y(count) - 4, class: "count" }, String(count)),
      s("g", { transform: `translate(${x} ${H - 12}) scale(.17)`, class: "axis-die" },
        s("rect", { x: -48, y: -48, width: 96, height: 96, rx: 20, class: "die-body" }), symbol(faces[n])));
  });
  return svg;
}

// The history with each player's chance to win in place of progress, where it is known.
export const likely = ({ history, chances }) => history.map((entry, n) => ({ ...entry, progress: chances[n] })).filter((entry) => entry.progress);

export function leadChart(history, playing, names, players = {}) {
  const moves = history.filter((entry) => !entry.opening);
  const svg = chart(playing.map((colour) => `${players[colour] || names[colour].name}: ${percent(moves.at(-1)?.progress[colour] ?? 0)} %`).join(", "));
  const x = (n) => 8 + (n / Math.max(moves.length, 12)) * (W - 56);
  const furthest = Math.max(0.25, ...moves.flatMap((entry) => Object.values(entry.progress)));
  const top = Math.ceil(furthest * 4) / 4;
  const y = (part) => H - 14 - (part / top) * (H - 26);
  for (const part of [0, top / 2, top]) {
    svg.append(s("path", { d: `M8 ${y(part)}H${W - 40}`, class: "grid" }), s("text", { x: W - 2, y: y(part) + 4, class: "axis" }, `${Math.round(part * 100)} %`));
  }
  const ends = [];
  for (const colour of playing) {
    const points = moves.map((entry, n) => `${x(n + 1)} ${y(entry.progress[colour] ?? 0)}`);
    if (!points.length) continue;
    svg.append(s("path", { d: `M${points.join("L")}`, class: `lead under c-${colour}` }), s("path", { d: `M${points.join("L")}`, class: `lead c-${colour}` }));
    ends.push({ colour, x: x(moves.length), y: y(moves.at(-1).progress[colour] ?? 0) });
  }
  ends.sort((a, b) => b.y - a.y).forEach((end, n) => {
    end.y = Math.min(end.y, H - 9, n ? ends[n - 1].y - 13 : H);
  });
  ends.reverse().forEach((end, n) => (end.y = Math.max(end.y, n ? ends[n - 1].y + 13 : 8)));
  for (const end of ends) {
    svg.append(s("g", { class: `dot c-${end.colour}` }, s("circle", { cx: end.x, cy: end.y, r: 6.5 }), s("text", { x: end.x, y: end.y + 3 }, names[end.colour].sign)));
  }
  return svg;
}

export function hitsChart(history, playing, names, players = {}) {
  const hits = Object.fromEntries(playing.map((colour) => [colour, 0]));
  for (const entry of history) {
    for (const told of entry.told) {
      if ((told.what === "captured" || told.what === "beaten") && entry.colour in hits) hits[entry.colour] += 1;
    }
  }
  const most = Math.max(...Object.values(hits), 5);
  const row = 32;
  const height = Math.max(playing.length * row + 8, 40);
  const svg = chart(playing.map((colour) => `${players[colour] || names[colour].name}: ${hits[colour]}`).join(", "), height);
  const called = playing.map((colour) => players[colour] || capital(names[colour].name));
  playing.forEach((colour, n) => {
    const y = 16 + n * row, length = (hits[colour] / most) * (W - 50);
    svg.append(
      s("text", { x: 8, y: y - 4, class: "label" }, called[n]), // above its bar there is room for any name
      s("rect", { x: 8, y, width: Math.max(length, 2), height: 12, rx: 4, class: `hits c-${colour}` }),
      s("text", { x: 16 + length, y: y + 10, class: "count left" }, String(hits[colour])));
  });
  return svg;
}

function chart(label, height = H) {
  return s("svg", { viewBox: `0 0 ${W} ${height}`, role: "img", "aria-label": label });
}
