// What staff may ask of a table: a dialog with its orders, and the PIN before the first.

import { h, setText } from "./dom.js";
import { t, told } from "./words.js";

export class Orders {
  constructor(house) {
    this.house = house;
    this.dialog = h("dialog", { class: "orders", "aria-labelledby": "orders" });
  }

  async post(path, body) {
    try {
      const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
      const found = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
      return { status: answer.status, ...found };
    } catch {
      return { status: 0 };
    }
  }

  async send(table, order) {
    const { status, state, said } = await this.post("/order", { table, order });
    const text = status === 200 ? (state === "refused" ? t("refused", { why: said }) : t(state === "asked" ? "asked" : "done"))
      : status === 401 ? t("show_pin") : t("no_answer");
    if (this.dialog.open && this.table.name === table) setText(this.answer, text);
    else this.house.tell(table, text);
  }

  open(table) {
    this.table = table;
    this.answer = h("p", { class: "answer", role: "status" });
    const close = h("button", { onclick: () => this.dialog.close() }, t("close"));
    const link = table.page ? h("a", { class: "button", href: table.page }, t("open_page")) : null;
    this.dialog.replaceChildren(
      h("h2", { id: "orders" }, table.label),
      ...(this.house.house.control ? this.forms(table) : [this.pin()]),
      this.answer, h("p", { class: "row end" }, link, close));
    this.dialog.showModal();
  }

  pin() {
    if (!this.house.house.pin) return h("p", {}, t("no_pin"));
    const field = h("input", { type: "password", inputmode: "numeric", autocomplete: "off", "aria-label": t("pin"), maxlength: 12 });
    return h("form", { class: "row", onsubmit: async (event) => {
      event.preventDefault();
      const { status } = await this.post("/pin", { pin: field.value });
      if (status !== 204) return setText(this.answer, t(status === 429 ? "too_many" : "wrong_pin"));
      this.house.house.control = true;
      this.house.reconnect();
      this.dialog.close();
      this.open(this.table);
    } }, h("label", {}, t("pin"), " ", field), h("button", { class: "main" }, t("show_pin")));
  }

  forms(table) {
    const sheets = told.sheets.filter(({ id }) => table.sheets.includes(id));
    const sheet = h("select", { "aria-label": t("sheet"), onchange: () => ask() }, sheets.map(({ id, title }) => h("option", { value: id }, title)));
    const begin = h("button", {}, t("new_game"));
    const judge = () => (begin.disabled = chosen().length < 2);
    const seats = h("fieldset", { class: "row", onchange: judge });
    const chosen = () => [...seats.querySelectorAll("input:checked")].map((box) => box.value);
    const ask = () => {
      seats.replaceChildren(h("legend", {}, t("seats")), ...(sheets.find(({ id }) => id === sheet.value)?.colours ?? []).map((colour) =>
        h("label", { class: "seat" }, h("input", { type: "checkbox", value: colour, checked: true }), h("span", { class: `chip c-${colour}`, "aria-hidden": "true" }, told.colours[colour].sign), ` ${told.colours[colour].name}`)));
      judge();
    };
    ask();
    const choose = (label, name, values, chosen) => h("label", {}, label, " ", h("select", {
      onchange: (event) => this.send(table.name, { do: "set", name, value: name === "volume" ? Number(event.target.value) : event.target.value }),
    }, values.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
    const line = h("input", { type: "text", maxlength: 80, "aria-label": t("say") });
    return [
      table.called ? h("p", {}, h("button", { class: "main", onclick: () => this.send(table.name, { do: "answer_call" }) }, t("come"))) : null,
      h("form", { class: "row", onsubmit: (event) => {
        event.preventDefault();
        this.send(table.name, { do: "new_game", sheet: sheet.value, seats: chosen() });
      } }, h("label", {}, t("sheet"), " ", sheet), seats, begin),
      h("p", { class: "row" }, choose(t("language"), "language", Object.entries(told.languages), table.language),
        choose(t("volume"), "volume", [0, 1, 2, 3].map((value) => [value, String(value)]), table.volume)),
      h("form", { class: "row", onsubmit: (event) => {
        event.preventDefault();
        this.send(table.name, { do: "say", text: line.value });
      } }, h("label", { class: "grow" }, t("say"), " ", line), h("button", {}, t("send"))),
    ].filter(Boolean);
  }
}
