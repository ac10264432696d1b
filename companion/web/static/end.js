// The end of a game: who won and who came next, how it went, another one, and the record to keep.

import { calm, h, refill } from "./dom.js";
import { toBoard } from "./form.js";
import { playerOf } from "./parts.js";
import { percent, t } from "./words.js";

export class End {
  // `ranking` knows the order of all players.
  constructor(app, ranking) {
    Object.assign(this, { app, ranking });
    this.outcome = h("div", { class: "outcome" });
    this.node = h("section", { class: "card end", "aria-label": t("do_over"), hidden: true }, this.outcome);
  }

  update(state) {
    const over = state.phase === "over" && Boolean(state.game);
    this.node.hidden = !over;
    if (!over) return this.forget(state.game);
    const { history, die } = this.app.link;
    const winner = state.ranking[0];
    if (winner && this.played && !this.joy) this.node.append((this.joy = confetti(state.game.players[winner] ?? [winner]))); // once for each end that was seen
    refill(this.outcome, [state.ranking, state.names, state.control, history.length, this.app.link.playedBy, die.counts, this.told, state.luck, state.weighing, document.documentElement.lang], () => this.content(state));
    const asker = state.control ? "who may" : "who watches";
    if (this.asked === asker || this.app.link.at) return; // a table that does not count keeps nothing
    this.asked = asker;
    this.ask(asker);
  }

  forget(game) {
    this.joy?.remove();
    this.played = Boolean(game);
    this.told = this.asked = this.joy = null;
  }

  // How long it took is known by what was kept: asked once, and again only if there was no answer.
  async ask(asker) {
    const get = async (path) => {
      const answer = await fetch(path).catch(() => null);
      return answer?.ok ? answer.json() : answer?.status === 401 ? {} : null;
    };
    const found = await get("/games.json");
    const game = found?.games?.find((one) => one.number === found.latest);
    const results = game && (await get(`/results.json?numbers=${game.number}`));
    if (this.asked !== asker) return;
    if (!found || results === null) setTimeout(() => this.asked === asker && this.ask(asker), 3000);
    if (!game) return;
    this.told = { ...game, ...results?.[game.number] };
    this.update(this.app.link.state);
  }

  content(state) {
    const winner = state.ranking[0];
    return [
      ...(winner ? [h("h2", {}, t("wins", { name: playerOf(this.app, winner) }))] : [h("h2", {}, t("do_over")), h("p", {}, t("nobody_won"))]),
      h("ol", { class: "podium" }, this.ranking.order(state).map((colour, n) => h("li", { class: `c-${colour}` },
        h("span", { class: "chip" }, this.app.names[colour].sign), h("span", {}, playerOf(this.app, colour)),
        h("small", {}, state.ranking.includes(colour) ? t("nth", { number: n + 1 }) : t("part_done", { percent: percent(this.ranking.part(colour)) }))))),
      h("p", { class: "facts" }, this.facts().join(" · ")),
      this.luck(state),
      h("div", { class: "row" },
        ...(state.control ? [h("button", { class: "main", onclick: () => this.rematch(state) }, t("rematch"))] : []),
        h("a", { class: "button", href: `${this.app.link.at}/record.txt`, download: "" }, t("record")),
        ...(this.told ? [h("a", { class: "button", href: `/games?number=${this.told.number}` }, t("watch_again"))] : [])),
    ];
  }

  // Who was lucky, and what moves gave away, where somebody has reckoned it; else how to have it told.
  luck({ luck, fortunes, game, weighing, control }) {
    const told = game.playing.filter((colour) => colour in luck);
    if (!told.length && this.app.link.at) return null; // nobody reckons at a table that does not count
    if (weighing) return h("p", { class: "hint", role: "status" }, t("luck_waits"));
    if (!told.length) return fortunes.length && control ? h("p", { class: "hint" }, fortunes[0], " ",
      h("button", { onclick: () => this.app.link.ask({ do: "set", name: "chances", value: true }) }, t("luck_on"))) : null; // only who may turn it on is told how
    return h("div", { class: "luck" }, ...fortunes.map((text) => h("p", {}, text)),
      h("table", {},
        h("thead", {}, h("tr", {}, h("th", {}), h("th", { scope: "col" }, t("own_luck")), h("th", { scope: "col" }, t("gave_away")))),
        h("tbody", {}, told.map((colour) => h("tr", { class: `c-${colour}` }, h("th", { scope: "row" }, playerOf(this.app, colour)),
          h("td", {}, luck[colour].own), h("td", {}, luck[colour].gave))))),
      h("small", {}, t("luck_about")));
  }

  facts() {
    const { history, die } = this.app.link;
    const hits = history.flatMap((entry) => entry.told).filter(({ what }) => what === "captured" || what === "beaten").length;
    return [
      ...(this.told?.minutes ? [t("fact_minutes", { number: this.told.minutes })] : []),
      t("fact_rolls", { number: die.standing, first: history.filter(({ opening }) => opening).length }), t("fact_hits", { number: hits }),
    ];
  }

  // The same people with the same rules, at once.
  async rematch({ game, names, sim, sensing, levels }) {
    const error = await this.app.link.ask({
      do: "new_game", sheet: game.sheet, options: game.options, seats: game.playing, names,
      box: levels,
      ...(sim && game.board !== "mat" ? { sensing } : {}),
    });
    if (!error) toBoard();
  }
}

// A little joy: paper in the winner's colours comes down, unless somebody likes it calm.
function confetti(colours) {
  const rain = h("div", { class: "confetti", "aria-hidden": "true" });
  if (calm()) return rain;
  for (let n = 0; n < 28; n++) {
    const scrap = h("i", { class: `c-${colours[n % colours.length]}` });
    scrap.style.left = `${(n * 37) % 100}%`;
    scrap.style.animationDelay = `${(n % 7) * 0.13}s`;
    scrap.style.animationDuration = `${1.6 + (n % 5) * 0.3}s`;
    rain.append(scrap);
  }
  return rain;
}
