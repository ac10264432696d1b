// Statistics over all games that are kept here, as charts; counted a portion at a time.

import { dieChart } from "./charts.js";
import { h, setText } from "./dom.js";
import { capital, t } from "./words.js";

const MOST = 8; // rows of a chart
const SPAN = 10; // minutes in one row of how long games took

export class Statistics {
  constructor(app) {
    this.app = app;
    this.said = h("p", { class: "hint", role: "status" });
    this.charts = h("div", { class: "charts" });
    this.node = h("details", { class: "card statistics", ontoggle: () => this.again() }, h("summary", {}, t("statistics")), this.said, this.charts);
  }

  // Everything is counted again: games were played since.
  async count() {
    const mine = (this.asked = (this.asked ?? 0) + 1);
    const games = [];
    for (let after = 0; after !== null; ) {
      const answer = await fetch(`/statistics.json?after=${after}`).catch(() => null);
      if (mine !== this.asked || !answer?.ok) return;
      const told = await answer.json();
      games.push(...told.games);
      after = told.next;
      setText(this.said, [t("counted_games", { number: games.length }), told.elsewhere ? t("games_elsewhere", { number: told.elsewhere }) : ""].join(" "));
    }
    const clauses = await fetch(`/clauses.json?lang=${this.app.language}`).then((answer) => (answer.ok ? answer.json() : {}), () => ({}));
    if (mine === this.asked) this.charts.replaceChildren(...this.drawn(games, Object.values(clauses).flat()));
  }

  // Other games are here now: whoever looks sees them counted.
  again() {
    if (this.node.open) this.count();
  }

  drawn(games, clauses) {
    const whole = games.filter((one) => one.state !== "broken");
    const won = whole.filter((one) => one.state === "won");
    const tally = (pairs) => pairs.reduce((sums, [key, by]) => sums.set(key, (sums.get(key) ?? 0) + by), new Map());
    const name = ({ players }, colour, level) => (level ? capital(t(level)) : players[colour] === colour ? capital(this.app.names[colour].name) : players[colour]);
    const wins = tally(won.map((one) => [name(one, one.winner, one.held[one.winner]), 1]));
    const hits = tally(whole.flatMap((one) => one.hits.map(([colour, level, by]) => [name(one, colour, level), by])));
    const refused = tally(whole.flatMap((one) => Object.entries(one.refused).map(([clause, by]) => [clause, by])));
    const spans = tally(won.map((one) => [Math.floor(one.minutes / SPAN), 1]));
    const sheets = tally(whole.map((one) => [one.rules ?? this.app.sheets.find(({ id }) => id === one.sheet)?.title ?? one.sheet, 1]));
    const die = rolled(whole);
    const lengths = new Map([...spans].sort(([a], [b]) => a - b).map(([n, by]) => [`${n * SPAN}–${(n + 1) * SPAN} min`, by]));
    return [
      bars(t("wins_chart"), most(wins)), bars(t("hits_chart"), most(hits)), bars(t("lengths_chart"), lengths),
      bars(t("sheets_chart"), most(sheets)), bars(t("refused_chart"), most(refused), (id) => clauses.find((one) => one.id === id)?.text ?? ""),
      h("figure", { class: "chart" }, h("figcaption", {}, h("strong", {}, t("die_chart")), die.entered ? h("small", {}, t("die_entered", { number: die.entered })) : null), dieChart(die)),
    ].filter(Boolean);
  }
}

// How the dice fell in all games; where there were none, what was entered. Several dice are not judged as one.
function rolled(games) {
  const total = (key) => [0, 1, 2, 3, 4, 5].map((n) => games.reduce((sum, one) => sum + one[key][n], 0));
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const [thrown, entered] = [total("faces"), total("entered")];
  const any = sum(thrown) > 0;
  return { counts: any ? thrown : entered, entered: sum(games.map((one) => one.chosen)) + (any ? sum(entered) : 0), loaded: false };
}

const most = (sums) => new Map([...sums].sort(([, a], [, b]) => b - a).slice(0, MOST));

// Rows with a bar each; nothing where nothing was counted.
function bars(title, sums, about = () => "") {
  const top = Math.max(0, ...sums.values());
  if (!top) return null;
  return h("figure", { class: "chart" }, h("figcaption", {}, h("strong", {}, title)),
    h("table", { class: "bars" }, h("tbody", {}, [...sums].map(([key, by]) => h("tr", {},
      h("th", { scope: "row" }, String(key), about(key) ? h("small", {}, ` ${about(key)}`) : null),
      h("td", {}, h("meter", { min: 0, max: top, value: by, "aria-label": String(key) })), h("td", {}, String(by)))))));
}
