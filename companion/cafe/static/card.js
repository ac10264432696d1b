// One table as a card: its board, whose turn it is and since when, who leads, what it needs.

import { h, refill, setAttribute, setText } from "./dom.js";
import { SmallBoard } from "./smallboard.js";
import { span, t, told } from "./words.js";

export class Card {
  constructor(house, boards, view) {
    Object.assign(this, { house, boards, view });
    this.title = h("h3", {});
    this.status = h("span", { class: "status" });
    this.picture = h(view === "wall" ? "div" : "a", { class: "picture" }); // leads to the table's page
    this.chip = h("span", { class: "chip", "aria-hidden": "true" });
    this.who = h("span", { class: "who" });
    this.doing = h("span", { class: "doing" });
    this.turn = h("p", { class: "turn" }, this.chip, this.who, this.doing);
    this.lead = h("p", { class: "lead" });
    this.needs = h("ul", { class: "needs" });
    const name = view === "wall" ? this.title : h("button", { class: "open", onclick: () => house.orders.open(this.table) }, this.title);
    this.node = h("article", { class: "table" },
      h("header", {}, name, this.status), this.picture,
      h("div", { class: "words" }, this.turn, this.lead, this.needs));
  }

  colour(id) {
    return Object.hasOwn(told.colours, id) ? told.colours[id] : { name: id, sign: "?" };
  }

  nameOf(id) {
    return this.table.names?.[id] || this.colour(id).name;
  }

  show(table) {
    this.table = table;
    this.came = Date.now();
    setText(this.title, table.label);
    this.draw();
    this.tick(this.house.believed);
  }

  draw() {
    const { board, pieces } = this.table;
    if (this.board && this.board.name !== board) this.leave();
    const known = Object.hasOwn(this.boards, board ?? "") && this.boards[board];
    if (!known?.ways) {
      refill(this.picture, ["cards", board, pieces], () => (known ? stacks(pieces, this) : h("span", { class: "nothing", "aria-hidden": "true" })));
      return;
    }
    if (!this.board) {
      this.board = new SmallBoard(board, known, told.colours);
      delete this.picture.dataset.said;
      this.picture.replaceChildren(this.board.canvas);
    }
    this.board.show(pieces, this.table.turn);
    setAttribute(this.board.canvas, "aria-label", t("board_of", { name: this.table.label }));
  }

  // What nobody sees any more is not painted again.
  leave() {
    this.board?.leave();
    this.board = null;
  }

  // What time changes by itself, and whether the house still knows. Only what differs is touched.
  tick(believed) {
    const table = this.table;
    if (!table) return;
    const there = believed && table.status === "there";
    this.leadTo(there && this.view !== "wall" ? table.page : "");
    const passed = (Date.now() - this.came) / 1000;
    setAttribute(this.node, "class", ["table", believed ? table.status : "unknown", there && (table.tone ?? "calm"),
      table.playing && "playing", there && table.needs.length && "needing"].filter(Boolean).join(" "));
    setText(this.status, !believed ? "?" : table.status === "lost" && table.away !== null
      ? `${table.statusText} · ${t("since", { time: span(table.away + passed) })}` : there ? "" : table.statusText);
    this.status.hidden = there;
    this.sayTurn(there, passed);
    const won = table.ranking?.[0];
    setText(this.lead, !there || !table.board ? "" : table.free && won ? t("won", { name: this.nameOf(won) })
      : table.leader ? t("leads", { name: this.nameOf(table.leader) }) : "");
    const needs = there ? [...table.needs.map((need) => need.text), ...table.troubles] : [];
    refill(this.needs, needs, () => needs.map((text) => h("li", {}, text)));
  }

  leadTo(page) {
    if (page) setAttribute(this.picture, "href", page);
    else this.picture.removeAttribute("href");
    if (page && !this.picture.textContent) setAttribute(this.picture, "aria-label", `${this.table.label}: ${t("open_page")}`);
    else this.picture.removeAttribute("aria-label");
  }

  sayTurn(there, passed) {
    const { turn, playing, doing, waited } = this.table;
    const plays = there && playing && turn;
    this.chip.hidden = this.who.hidden = !plays;
    if (plays) {
      setAttribute(this.chip, "class", `chip c-${turn}`);
      setText(this.chip, this.colour(turn).sign);
      setText(this.who, this.nameOf(turn));
    }
    const since = plays && Number.isFinite(waited) ? ` · ${span(waited + passed)}` : "";
    setText(this.doing, there ? `${doing ?? ""}${since}` : "");
  }
}

// The card game has stacks instead of a board.
function stacks(pieces, card) {
  return h("div", { class: "stacks" }, Object.entries(pieces ?? {}).map(([colour, heights]) =>
    h("div", { class: `stack c-${colour}` }, h("span", { class: "chip" }, card.colour(colour).sign), ` ${heights.join(" ")}`)));
}
