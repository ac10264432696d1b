// The house's page: every table as a card, who needs help first. The views are one page: all
// tables, the wall, the staff's phone, and the statistics.

import { h, refill, setText } from "./dom.js";
import { Card } from "./card.js";
import { Orders } from "./orders.js";
import { numbers } from "./numbers.js";
import { language, t, told } from "./words.js";

const STALE = 7000; // milliseconds without a word of the house after which it is not believed
const SAID = 8000; // milliseconds that what came of an order is shown
const EDGE = 12, GAP = 8, PADDING = 18, WORDS = 84; // pixels on the wall: below, between, in and beside the boards
const VIEW = { "/wall": "wall", "/staff": "staff", "/statistics": "statistics" }[location.pathname] ?? "all";
const boards = await (await fetch("/boards.json")).json();

document.documentElement.lang = language;
document.title = t("title");
document.body.className = `${VIEW}View`;

class House {
  constructor() {
    this.cards = new Map();
    this.waiting = new Map(); // tables that are drawn with the next frame
    this.heard = Date.now();
    this.house = { hears: false, control: false };
    this.orders = new Orders(this);
    this.draw();
    this.listen();
    setInterval(() => this.tick(), 1000);
  }

  draw() {
    this.counts = h("p", { class: "counts" });
    this.banner = h("p", { class: "banner", role: "status", hidden: true });
    this.refused = h("ul", { class: "refused", "aria-label": t("refused_title") });
    this.helpList = h("ul", { class: "helpers" });
    this.said = h("p", { class: "answer", role: "status" });
    this.noHelp = h("p", { class: "quiet" }, t("nobody_needs_help"));
    this.grid = h("div", { class: "tables" });
    this.empty = h("p", { class: "quiet", hidden: true }, t("no_tables"));
    const choice = h("select", { "aria-label": t("language"), class: "language", onchange: (event) => {
      localStorage.setItem("language", event.target.value);
      location.search = "";
    } }, Object.entries(told.languages).map(([id, name]) => h("option", { value: id, selected: id === language }, name)));
    const links = [["/", "all_tables", "all"], ["/wall", "wall", "wall"], ["/staff", "staff", "staff"], ["/statistics", "statistics", "statistics"]];
    const nav = h("nav", { "aria-label": t("title") }, links.map(([path, key, view]) =>
      h("a", { href: path, "aria-current": view === VIEW ? "page" : null }, t(key))), choice);
    document.body.append(
      h("header", { class: "top" }, h("h1", {}, h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }), t("title")), this.counts, nav),
      this.banner,
      h("main", {}, VIEW === "statistics" ? (this.numbers = h("div", { class: "numbers" })) : [
        h("section", { class: "help", "aria-labelledby": "help" }, h("h2", { id: "help" }, t("need_help")), this.noHelp, this.helpList, this.said, this.refused),
        h("section", { "aria-labelledby": "tables" }, h("h2", { id: "tables", class: "unseen" }, t("tables")), this.empty, this.grid),
      ]),
      this.orders.dialog);
    if (VIEW === "statistics") this.count();
    if (VIEW === "wall") {
      new ResizeObserver(() => this.fit()).observe(this.grid.parentElement.previousElementSibling);
      addEventListener("resize", () => this.fit());
    }
  }

  async count() {
    const found = await fetch("/statistics.json").then((answer) => answer.json()).catch(() => null);
    if (found) this.numbers.replaceChildren(...numbers(found));
    setTimeout(() => this.count(), 60000);
  }

  // -- what comes ----------------------------------------------------------------------------

  listen() {
    const source = new EventSource(`/events?lang=${language}`);
    const hear = (name, take) => source.addEventListener(name, (event) => {
      this.heard = Date.now();
      take(JSON.parse(event.data));
    });
    hear("edition", (edition) => {
      if ((this.edition ??= edition) !== edition) location.reload();
    });
    hear("house", (house) => {
      this.house = house;
      this.tick();
    });
    hear("table", (table) => this.soon(table));
    hear("gone", (name) => {
      this.cards.get(name)?.leave();
      this.cards.get(name)?.node.remove();
      this.cards.delete(name);
      this.waiting.delete(name);
      this.sum();
      this.fit();
    });
    hear("beat", () => {});
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000);
    });
    this.source = source;
  }

  reconnect() {
    this.source.close();
    this.listen();
  }

  // Many tables change within a frame: what they say last is drawn once.
  soon(table) {
    if (!this.waiting.size) (document.hidden ? setTimeout : requestAnimationFrame)(() => {
      const tables = [...this.waiting.values()];
      this.waiting.clear();
      const before = this.cards.size;
      for (const one of tables) this.show(one);
      this.sum();
      if (this.cards.size !== before) this.fit();
    });
    this.waiting.set(table.name, table);
  }

  show(table) {
    if (VIEW === "statistics") return this.keep(table);
    let card = this.cards.get(table.name);
    if (!card) {
      card = new Card(this, boards, VIEW);
      this.cards.set(table.name, card);
      const after = [...this.cards.keys()].filter((name) => natural(name, table.name) > 0).sort(natural)[0];
      this.grid.insertBefore(card.node, after ? this.cards.get(after).node : null);
    }
    card.show(table);
  }

  keep(table) {
    this.cards.set(table.name, { table, node: { remove() {} }, leave() {}, tick() {} });
  }

  // -- what is seen ----------------------------------------------------------------------------

  get believed() {
    return this.house.hears && Date.now() - this.heard < STALE;
  }

  sum() {
    const tables = [...this.cards.values()].map((card) => card.table);
    const count = (test) => tables.filter(test).length;
    const sums = this.believed ? [
      [count((one) => one.playing), "playing"],
      [count((one) => one.status === "there" && one.free), "free"],
      [count((one) => one.status === "lost"), "lost"],
    ] : [];
    setText(this.counts, sums.filter(([number, key]) => number || key !== "lost").map(([number, key]) => `${number} ${t(key)}`).join(" · "));
    if (VIEW === "statistics") return;
    const needing = this.believed ? tables.filter((one) => one.needs.length || one.status === "lost" || one.troubles.length).sort(urgent) : [];
    this.noHelp.hidden = needing.length > 0 || !this.believed;
    refill(this.helpList, needing.map((one) => [one.name, one.label, one.needs, one.troubles, one.status, this.house.control]), () =>
      needing.map((one) => this.helper(one)));
    this.empty.hidden = tables.length > 0;
    const refused = this.believed && VIEW !== "wall" ? this.house.refused ?? [] : [];
    this.refused.hidden = refused.length === 0;
    refill(this.refused, refused, () => refused.map((text) => h("li", {}, text)));
  }

  helper(table) {
    const why = table.status === "lost" ? [table.statusText] : [...table.needs.map((need) => need.text), ...table.troubles];
    return h("li", { class: `helper ${table.needs.some((need) => need.kind === "call") ? "call" : ""} ${table.status}` },
      h("strong", {}, table.label), h("span", {}, why.join(" · ")),
      table.called && this.house.control ? h("button", { class: "main", onclick: () => this.orders.send(table.name, { do: "answer_call" }) }, t("come")) : null);
  }

  // What came of an order that was given without opening the table's orders.
  tell(name, text) {
    setText(this.said, `${this.cards.get(name)?.table.label ?? name}: ${text}`);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => setText(this.said, ""), SAID);
  }

  // On the wall all tables are seen at once, with the largest boards for which there is room.
  fit() {
    if (VIEW !== "wall" || !this.cards.size) return;
    const { top, width } = this.grid.getBoundingClientRect();
    const number = this.cards.size, height = innerHeight - top - scrollY - EDGE;
    const sizes = (columns) => {
      const row = (height + GAP) / Math.ceil(number / columns) - GAP;
      return { columns, row, board: Math.min((width + GAP) / columns - GAP - PADDING, row - WORDS) };
    };
    const all = [...Array(number).keys()].map((count) => sizes(count + 1));
    const best = all.reduce((one, other) => (other.board > one.board ? other : one));
    this.grid.style.setProperty("--columns", best.columns);
    this.grid.style.setProperty("--row", `${Math.max(best.row, WORDS + 40)}px`);
  }

  tick() {
    const why = Date.now() - this.heard >= STALE ? t("not_connected")
      : this.house.hears ? "" : `${t("no_broker")} ${this.house.why ?? ""}`;
    setText(this.banner, why);
    this.banner.hidden = !why;
    document.body.classList.toggle("stale", Boolean(why));
    for (const card of this.cards.values()) card.tick(this.believed);
    this.sum();
  }
}

const RANK = { call: 0, disk: 1, device: 2, sensor: 3, question: 4 };
const rank = (table) => Math.min(...table.needs.map((need) => RANK[need.kind] ?? 5), table.status === "lost" ? 2.5 : 6);
const natural = (a, b) => a.localeCompare(b, undefined, { numeric: true });
const urgent = (a, b) => rank(a) - rank(b) || natural(a.name, b.name);

new House();
