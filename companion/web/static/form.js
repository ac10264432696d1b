// The dialogs: a new game with sheet, options, seats and names; and the rules of a sheet.

import { h } from "./dom.js";
import { capital, t } from "./words.js";

// The keyboard is at the board: Space rolls, and Tab visits first what can move.
export const toBoard = () => document.querySelector(".board-card")?.focus({ preventScroll: true });

// `title` is the sheet to begin with; `then` what to do when the game is begun.
export function newGame(app, title, then = toBoard) {
  const { sheets, names } = app;
  const last = app.link.state?.game;
  const every = [...sheets, ...ownSheets(app)];
  let sheet = every.find((one) => one.title === (title ?? last?.title)) ?? sheets.find((one) => one.id === last?.sheet) ?? sheets[0];
  const inside = h("div", { class: "form-body" });
  const fault = h("p", { class: "fault", role: "alert" });
  const simulated = Boolean(app.link.state?.sim);

  const choose = () => {
    const seated = inside.querySelector(".seat") ? seatsIn(inside) : seatsNow(app);
    inside.replaceChildren(
      h("p", { class: "about" }, sheet.about),
      ...(sheet.options.length ? [options(sheet, last?.sheet === sheet.id ? last.options : {})] : []),
      seats(sheet, app, reseated(sheet, seated)),
      ...(simulated && sheet.board !== "mat" ? [sensing(last && last.board !== "mat" ? app.link.state.sensing : "presence")] : []),
    );
  };
  const picker = h("div", { class: "sheets", role: "radiogroup", "aria-label": t("rule_sheet") },
    every.map((one) => h("label", { class: one.fixed ? "sheet own" : "sheet" },
      h("input", { type: "radio", name: "sheet", value: one.fixed ? one.title : one.id, checked: one === sheet, onchange: () => ((sheet = one), choose()) }),
      h("span", {}, one.title))),
    h("a", { class: "sheet make-own", href: "/house-rules#edit" }, h("span", {}, "+ ", t("make_rules"))));
  const form = h("form", { method: "dialog", class: "new-game" },
    h("h2", {}, t("new_game")), picker, inside,
    h("div", { class: "row end" }, fault,
      h("button", { type: "button", class: "quiet", onclick: () => box.close() }, t("cancel")),
      h("button", { type: "submit", class: "main" }, t("start"))));
  const box = dialog(form, t("new_game"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wish = wished(form, sheet);
    const wrong = wrongSeats(sheet, wish.options, wish.seats);
    const colours = wish.seats.map((one) => capital(names[one].name)).join(" + ");
    if (wrong) return (fault.textContent = wrong === "one_player" ? t("one_player", { colours }) : t(wrong));
    const twin = sameName(wish);
    if (twin) return (fault.textContent = t("same_name", { name: twin }));
    if (underWay(app) && !(await sure(t("ends_game"), t("start")))) return;
    const error = await app.link.ask(wish);
    if (error) return (fault.textContent = error);
    box.close();
    then();
  });
  choose();
  box.showModal();
}

// The family's own sheets: printed ones with another name, whose rules are fixed.
function ownSheets(app) {
  return (app.link.state?.own ?? []).map(({ name, base, options: fixed, about }) => ({ ...app.sheets.find((one) => one.id === base), title: name, about, options: [], fixed }));
}

function options(sheet, chosen) {
  return h("fieldset", {}, h("legend", {}, t("options")),
    sheet.options.map((option) => {
      const now = chosen[option.name] ?? option.default;
      const named = h("span", {}, option.label, h("small", {}, option.about || t("pieces_about")));
      if (option.allowed.every((value) => typeof value === "boolean")) {
        return h("label", { class: "check" }, h("input", { type: "checkbox", name: `option:${option.name}`, checked: now, "aria-label": option.label }), named);
      }
      return h("label", { class: "pick" }, named,
        h("select", { name: `option:${option.name}` }, option.allowed.map((value) => h("option", { value: String(value), selected: value === now }, String(value)))));
    }));
}

// The players of the box, from any legal move to the strongest.
export const LEVELS = ["butterfly", "hare", "cat", "fox"];
const EQUALS = ["pairs", "indian"]; // where hare and cat are equally strong: docs/odds.md

// Who sits where: by colour, who plays there and what they are called. Nobody knows before the first game.
function seatsNow({ link: { state } }) {
  const kind = (colour) => (state.game.playing.includes(colour) ? state.levels[colour] ?? "person" : "nobody");
  return state?.game ? Object.fromEntries([...new Set([...state.game.playing, ...Object.keys(state.names)])].map((colour) => [colour, { kind: kind(colour), name: state.names[colour] ?? "" }])) : null;
}

const seatsIn = (form) => Object.fromEntries([...form.querySelectorAll(".seat")].map((one) => [one.dataset.colour, { kind: one.querySelector("select").value, name: one.dataset.name ?? one.querySelector("input").value }]));

// By other rules the same people play: whose colour is not there takes one that is free.
function reseated({ colours }, seated) {
  if (!seated) return Object.fromEntries(colours.map((colour) => [colour, { kind: "person", name: "" }]));
  const plays = (colour) => (seated[colour]?.kind ?? "nobody") !== "nobody";
  const moving = Object.keys(seated).filter((colour) => plays(colour) && !colours.includes(colour));
  return Object.fromEntries(colours.map((colour) => [colour, (plays(colour) ? null : seated[moving.shift()]) ?? seated[colour] ?? { kind: "nobody", name: "" }]));
}

function seats(sheet, { names, longestName }, seated) {
  return h("fieldset", {}, h("legend", {}, t("seats")),
    sheet.colours.map((colour) => {
      const title = names[colour].name;
      const now = seated[colour];
      const kinds = ["person", ...LEVELS, "nobody"];
      const name = h("input", { type: "text", name: `name:${colour}`, maxlength: longestName, autocomplete: "off", placeholder: capital(title), "aria-label": t("player_name", { colour: title }), value: now.name, oninput: takeSeat });
      const kind = h("select", { name: `seat:${colour}`, "aria-label": t("who_plays", { colour: title }), onchange: () => nameSeat(seat) },
        kinds.map((one) => h("option", { value: one, selected: one === now.kind }, t(one))));
      const seat = h("div", { class: `seat c-${colour}`, "data-colour": colour }, h("span", { class: "chip" }, names[colour].sign), name, kind);
      nameSeat(seat);
      return seat;
    }),
    h("small", {}, t(EQUALS.includes(sheet.id) ? "levels_equal" : "levels_about")));
}

// A player of the box has its own name; a person's comes back with the person.
function nameSeat(seat) {
  const name = seat.querySelector("input");
  const boxed = LEVELS.includes(seat.querySelector("select").value);
  if (boxed === name.disabled) return;
  name.disabled = boxed;
  if (boxed) [seat.dataset.name, name.value] = [name.value, ""];
  else {
    name.value = seat.dataset.name;
    delete seat.dataset.name;
  }
}

// A name that two people have: nobody could tell whose turn it is.
function sameName({ names, box, seats }) {
  const given = seats.filter((colour) => !box[colour]).map((colour) => names[colour].trim()).filter(Boolean);
  return given.find((name, n) => given.findIndex((one) => one.toLowerCase() === name.toLowerCase()) < n);
}

// Whoever is named plays.
function takeSeat({ target: { value, nextSibling: kind } }) {
  if (value.trim() && kind.value === "nobody") kind.value = "person";
}

function sensing(now) {
  return h("label", { class: "pick" }, h("span", {}, t("sensing"), h("small", {}, t("sensing_about"))),
    h("select", { name: "sensing", "aria-label": t("sensing") }, ["presence", "touch", "choose"].map((kind) => h("option", { value: kind, selected: kind === now }, t(kind)))));
}

function wished(form, sheet) {
  const data = new FormData(form);
  const options = sheet.fixed ?? Object.fromEntries(sheet.options.map((option) => {
    const field = form.elements[`option:${option.name}`];
    return [option.name, field.type === "checkbox" ? field.checked : Number(field.value)];
  }));
  const kind = (colour) => data.get(`seat:${colour}`);
  const wish = {
    do: "new_game",
    sheet: sheet.id,
    options,
    seats: sheet.colours.filter((colour) => kind(colour) !== "nobody"),
    names: Object.fromEntries(sheet.colours.map((colour) => [colour, data.get(`name:${colour}`) ?? ""])),
    box: Object.fromEntries(sheet.colours.filter((colour) => LEVELS.includes(kind(colour))).map((colour) => [colour, kind(colour)])),
  };
  if (data.get("sensing")) wish.sensing = data.get("sensing");
  return wish;
}

// What keeps these seats from a game; nothing if nothing does.
function wrongSeats(sheet, { two_colours_each: two, neutral_colour: neutral }, seats) {
  if (seats.length < 2) return "need_two";
  if (two && seats.length !== 2) return "two_colours_need";
  if (neutral && seats.length !== 3) return "neutral_needs";
  return two && opposite(sheet, seats) ? "one_player" : null;
}
export const seatsFit = (sheet, options, seats) => seats.every((one) => sheet.colours.includes(one)) && !wrongSeats(sheet, options, seats);

// With two colours each, colours across the board have the same player.
const opposite = ({ colours }, [one, other, ...more]) => !more.length && (colours.indexOf(one) - colours.indexOf(other)) % 2 === 0;

export async function rules(app, clause) {
  const game = app.link.state?.game;
  const id = game?.sheet ?? app.sheets[0].id;
  const { name, about } = app.sheets.find((one) => one.id === id);
  const told = await fetch(`${game?.house ? `${app.link.at}/articles` : "/clauses"}.json?lang=${app.language}`).then((answer) => (answer.ok ? answer.json() : null), () => null);
  if (!told) return app.warn(t("reconnecting"));
  const list = h("dl", { class: "articles" }, (game?.house ? told : told[id]).map((article) =>
    h("div", { class: article.id === clause ? "marked" : undefined }, h("dt", {}, article.id), h("dd", {}, article.text))));
  const box = dialog(h("div", {}, h("h2", {}, game?.house ? game.title : name), h("p", { class: "about" }, about), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("rules") }, list),
    h("div", { class: "row end" }, h("button", { class: "main", onclick: () => box.close() }, t("close")))), t("rules"));
  box.showModal();
  box.querySelector(".marked")?.scrollIntoView({ block: "center" });
}

// Whether a game would be lost: it is asked first.
export const underWay = (app) => Boolean(app.link.state?.game) && !["over", "idle"].includes(app.link.state.phase);

// Lines of a menu that end something are asked about first.
export async function isSure(app, line) {
  const { state } = app.link;
  if (line?.key === "end_game" && state.title !== "won") return sure(t("really_end"), line.text);
  if (line?.key === "start" && underWay(app)) return sure(t("ends_game"), line.text);
  if (line?.key === "shut_down" && state.box) return sure(t(state.sim ? "stop_program" : "switch_off"), line.text);
  return true;
}

// A question with two answers; the careful one has the focus.
export function sure(question, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const box = dialog(h("div", { class: "sure" }, h("p", {}, question),
      h("div", { class: "row end" },
        h("button", { class: "quiet", autofocus: true, onclick: () => box.close() }, t("cancel")),
        h("button", { class: "main", onclick: () => ((answer = true), box.close()) }, yes))), question);
    box.addEventListener("close", () => resolve(answer));
    box.showModal();
  });
}

export function dialog(content, label) {
  const box = h("dialog", { "aria-label": label }, content);
  box.addEventListener("close", () => {
    box.remove();
    if (document.querySelector(".table .wanted") && !document.querySelector("dialog[open]")) toBoard(); // Space rolls, it does not open this again
  });
  box.addEventListener("click", (event) => event.target === box && box.close());
  document.body.append(box);
  return box;
}
