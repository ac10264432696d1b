// What a newcomer meets first: what this is, and a game against the box with one press.

import { h, refill } from "./dom.js";
import { newGame } from "./form.js";
import { t } from "./words.js";

// The shortest of the sheets, for two: whoever has never seen any plays at once.
const FIRST = { do: "new_game", sheet: "german", seats: ["yellow", "red"], box: { red: "fox" }, sensing: "presence" };

export class Welcome {
  constructor(app) {
    this.app = app;
    this.node = h("section", { class: "card welcome", hidden: true });
  }

  update(state) {
    this.node.hidden = state.phase !== "idle";
    const how = state.sim ? "welcome_how" : state.sensing === "choose" ? "welcome_choose" : "welcome_real";
    refill(this.node, [how, state.control, document.documentElement.lang], () => [
      h("h2", {}, t("welcome")),
      ...["welcome_what", how, "welcome_wrong"].map((key) => h("p", {}, t(key))),
      ...(state.control ? this.ways(state) : []),
    ]);
  }

  ways({ sim }) {
    const play = async () => {
      if (!(await this.app.link.ask(FIRST))) document.querySelector(".board-card")?.focus({ preventScroll: true });
    };
    return [h("div", { class: "row" },
      ...(sim ? [h("button", { class: "main", onclick: play }, t("play_now"))] : []),
      h("button", { class: sim ? "" : "main", onclick: () => newGame(this.app) }, t("choose_game")))];
  }
}
