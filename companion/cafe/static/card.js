// One table as a card: its board, whose turn it is and since when, who leads, what it needs.

import { h, refill, setText } from "./dom.js";
import { SmallBoard } from "./smallboard.js";
import { span, t, told } from "./words.js";

export class Card {
  constructor(house, boards, view) {
    Object.assign(this, { house, boards, view });
    this.title = h("h3", {});
    this.status = h("span", { class: "status" });
    this.picture = h("div", { class: "picture" });
    this.turn = h("p", { class: "turn" });
    this.time = h("span", { class: "time" });
    this.lead = h("p", { class: "lead" });
    this.needs = h("ul", { class: "needs" });
    const name = view === "wall" ? this.title : h("button", { class: "open", onclick: () => house.orders.open(this.table) }, this.title);
    this.node = h("article", { class: "table" },
      h("header", {}, name, this.status), this.picture,
      h("div", { class: "words" }, this.turn, this.lead, this.needs));
  }

  colour(id) {
    return told.colours[id] ?? { name: id, letter: "?" };
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
    if (!board || !this.boards[board]?.ways) {
      this.board = null;
      refill(this.picture, ["cards", board, pieces], () => (board ? stacks(pieces, this) : h("span", { class: "nothing", "aria-hidden": "true" })));
      return;
    }
    if (this.board?.name !== board) {
      this.board = new SmallBoard(board, this.boards[board], told.colours);
      delete this.picture.dataset.said;
      this.picture.replaceChildren(this.board.svg);
    }
    this.board.show(pieces, this.table.turn);
    this.board.svg.setAttribute("aria-label", t("board_of", { name: this.table.label }));
  }

  // What time changes by itself, and whether the house still knows.
  tick(believed) {
    const table = this.table;
    if (!table) return;
    const there = believed && table.status === "there";
    const state = believed ? table.status : "unknown";
    const passed = (Date.now() - this.came) / 1000;
    this.node.className = `table ${state} ${there ? table.tone ?? "calm" : ""} ${table.playing ? "playing" : ""} ${there && table.needs.length ? "needing" : ""}`;
    setText(this.status, !believed ? "?" : table.status === "lost" && table.away !== null
      ? `${table.statusText} · ${t("since", { time: span(table.away + passed) })}` : there ? "" : table.statusText);
    this.status.hidden = there;
    const waited = there && table.waited !== null && table.waited !== undefined ? span(table.waited + passed) : "";
    refill(this.turn, [there, table.turn, table.names, table.doing, waited, table.playing], () => this.said(there, waited));
    const won = table.ranking?.[0];
    setText(this.lead, !there || !table.board ? "" : table.free && won ? t("won", { name: this.nameOf(won) })
      : table.leader ? t("leads", { name: this.nameOf(table.leader) }) : "");
    const needs = there ? [...table.needs.map((need) => need.text), ...table.troubles] : [];
    refill(this.needs, needs, () => needs.map((text) => h("li", {}, text)));
  }

  said(there, waited) {
    const table = this.table;
    if (!there) return [];
    if (!table.playing || !table.turn) return [h("span", {}, table.doing ?? "")];
    return [
      h("span", { class: `chip c-${table.turn}`, "aria-hidden": "true" }, this.colour(table.turn).letter),
      h("span", { class: "who" }, this.nameOf(table.turn)),
      h("span", { class: "doing" }, table.doing, waited ? ` · ${waited}` : ""),
    ];
  }
}

// The card game has stacks instead of a board.
function stacks(pieces, card) {
  return h("div", { class: "stacks" }, Object.entries(pieces ?? {}).map(([colour, heights]) =>
    h("div", { class: `stack c-${colour}` }, h("span", { class: "chip" }, card.colour(colour).letter), ` ${heights.join(" ")}`)));
}
