// The house in numbers: bars drawn from what the archive counts.

import { h, s } from "./dom.js";
import { language, t, told } from "./words.js";

const dayOf = new Intl.DateTimeFormat(language, { day: "numeric", month: "numeric", timeZone: "UTC" });
const EDGE = 8; // on both sides, for the first and the last day

export function numbers(found) {
  if (!found.games) return [h("p", { class: "quiet" }, t("nothing_yet"))];
  const sheetName = (id) => told.sheets.find((one) => one.id === id)?.title ?? id;
  return [
    h("p", {}, t("archived", { games: found.games, records: found.records })),
    chart(t("games_a_day"), found.days.map(([day, count]) => [dayOf.format(new Date(day)), count])),
    chart(t("hours"), found.hours.map((count, hour) => [hour, count])),
    h("section", { class: "card" }, h("h2", {}, t("length")), h("table", {},
      h("thead", {}, h("tr", {}, [t("sheet"), t("games"), t("shortest"), t("half"), t("longest")].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, found.sheets.map((one) => h("tr", {}, h("th", { scope: "row" }, sheetName(one.sheet)),
        [one.games, one.shortest, one.half, one.longest].map((value) => h("td", {}, value.toLocaleString(language)))))))),
    h("section", { class: "card" }, h("h2", {}, t("dice")), h("div", { class: "dice" }, found.dice.map((die) =>
      h("figure", {}, bars(die.faces.map((count, face) => [face + 1, count]), 120, 60),
        h("figcaption", {}, h("strong", {}, die.label), ` ${t("rolls", { number: die.faces.reduce((a, b) => a + b, 0) })}: ${t(die.judged)}`))))),
    h("p", { class: "row" }, h("a", { class: "button", href: "/games.csv" }, `${t("download")}: CSV`), h("a", { class: "button", href: "/statistics.json" }, `${t("download")}: JSON`)),
  ];
}

function chart(title, pairs) {
  return h("section", { class: "card" }, h("h2", {}, title), bars(pairs, 720, 160, title));
}

function bars(pairs, width, height, title) {
  const most = Math.max(1, ...pairs.map(([, count]) => count));
  const step = Math.min(48, width / Math.max(1, pairs.length));
  const every = Math.ceil(pairs.length / (width / 34));
  const said = pairs.filter(([, count]) => count).map(([label, count]) => `${label}: ${count}`).join(", ");
  return s("svg", { viewBox: `${-EDGE} 0 ${width + 2 * EDGE} ${height + 18}`, class: "bars", role: "img", "aria-label": `${title ?? ""} ${said}`.trim() },
    pairs.map(([label, count], index) => {
      const tall = ((height - 16) * count) / most;
      return s("g", {}, s("rect", { x: index * step + step * 0.12, y: height - tall, width: step * 0.76, height: tall, rx: 2 }),
        index % every === 0 ? s("text", { x: (index + 0.5) * step, y: height + 13, "font-size": 11 }, String(label)) : null,
        count && step > 14 ? s("text", { x: (index + 0.5) * step, y: height - tall - 3, "font-size": 10 }, String(count)) : null);
    }));
}
