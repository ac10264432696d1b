// The family's own sheets: made and changed step by step, tried out, kept, shared, printed, deleted.

import { h, setText, styled } from "./dom.js";
import { LEVELS, newGame, seatsFit, sure, underWay } from "./form.js";
import { header } from "./header.js";
import { pinForm } from "./parts.js";
import { rulePicture } from "./rule_pictures.js";
import { capital, t } from "./words.js";

await styled("/house_rules.css");

const FORBIDDEN = /[<>|:+"\\]/;
const NEW = { name: "", base: "german", rules: {}, insteadOf: "" };
const AGAIN = 1000; // milliseconds until what was not answered is asked once more
const EDITING = "#edit"; // in the address while rules are made: the browser's Back leads to the list

// What was begun and is not kept yet. It outlives the browser's Back, and another language.
const draft = {
  get: () => JSON.parse(sessionStorage.getItem("house-rules") ?? "null"),
  set: (rules) => sessionStorage.setItem("house-rules", JSON.stringify(rules)),
  drop: () => sessionStorage.removeItem("house-rules"),
  text: () => sessionStorage.getItem("house-rules"),
};

export function houseRulesView(app) {
  const { link } = app;
  const main = h("main", { class: "own-rules", id: "main" });
  document.body.replaceChildren(header(app, "house-rules", {}), main);
  let editor = null, allowed = null, told = "";

  let said = "";
  const list = async (now = "") => {
    editor = null;
    said = now || said;
    if (location.hash) history.replaceState(null, "", location.pathname);
    const answer = await fetch(`/house-rules.json?lang=${app.language}`).catch(() => null);
    if (!answer?.ok || editor) return;
    main.replaceChildren(...overview(app, await answer.json(), { edit, list }, said));
    if (now) scrollTo(0, 0);
  };
  const edit = (rules, restored = false) => {
    said = "";
    // Its trial may end when something else is shown already.
    const mine = (editor = new Editor(app, rules, (now) => main.isConnected && (editor ?? mine) === mine && list(now), restored));
    if (location.hash !== EDITING) history.pushState(null, "", EDITING);
    main.replaceChildren(editor.node);
    editor.tell(underWay(app));
    scrollTo(0, 0);
  };
  // Whatever the address says: the rules that were begun, or the list.
  const turned = () => (location.hash === EDITING ? edit(draft.get() ?? NEW, Boolean(draft.get())) : list());
  addEventListener("hashchange", turned);
  const update = () => {
    const { state } = link;
    const first = allowed === null;
    const now = JSON.stringify([state.control, state.own, state.game?.title, underWay(app)]);
    allowed = state.control;
    editor?.tell(underWay(app));
    if (first && opened(app, edit)) return (told = now);
    if (first && state.control) turned();
    else if (now !== told && !editor) list();
    told = now;
  };
  return { heard: { state: update }, end: () => (removeEventListener("hashchange", turned), (editor = null)) };
}

// A link or a code that somebody opened: its rules are shown, and can be kept here.
function opened(app, edit) {
  const line = new URLSearchParams(location.search).get("line");
  if (!line || !app.link.state.control) return false;
  readLine(app, line).then((found) => (found.fault ? app.warn(found.fault) : edit({ ...NEW, ...found })));
  history.replaceState(null, "", location.pathname);
  return true;
}

// The rules of a line, or the reason why it has none.
async function readLine({ language }, line) {
  const answer = await fetch(`/house-rules/line.json?${new URLSearchParams({ line, lang: language })}`).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (!told) return { fault: t("reconnecting") };
  if (!answer.ok) return { fault: told.why ?? t("line_unreadable") };
  return { name: told.name, base: told.base, rules: parted(told.rules) };
}

const parted = (rules) => Object.fromEntries(rules.map((rule) => {
  const [name, value] = rule.split("=");
  return [name, value === undefined ? true : Number(value)];
}));
const worded = (rules) => Object.entries(rules).map(([name, value]) => (value === true ? name : `${name}=${value}`));

// Nothing is tried out while somebody plays: that, and a way to end the game.
function busy(app) {
  const end = async () => (await sure(t("really_end"), t("end_this"))) && app.link.ask({ do: "end_game" });
  return h("div", { class: "card busy" }, h("p", {}, t("not_while_playing")), h("div", { class: "row" }, h("button", { onclick: end }, t("end_this"))));
}

// -- the list --------------------------------------------------------------------------------------

function overview(app, told, { edit, list }, said) {
  const { control } = app.link.state ?? {};
  const pasted = h("input", { type: "text", "aria-label": t("from_somebody"), maxlength: 400, autocomplete: "off" });
  const fault = h("p", { class: "fault", role: "alert" });
  const read = h("form", { class: "row" }, pasted, h("button", { type: "submit" }, t("read_line")));
  read.addEventListener("submit", async (event) => {
    event.preventDefault();
    const found = await readLine(app, pasted.value);
    if (found.fault) setText(fault, found.fault);
    else edit({ ...NEW, ...found });
  });
  const begun = control ? draft.get() : null;
  return [
    ...(control && underWay(app) ? [busy(app)] : []),
    h("section", { class: "card intro" }, h("h2", {}, t("house_rules")), h("p", {}, t("house_rules_about")), h("p", { class: "good", role: "status" }, said),
      ...(control ? [h("button", { class: "main big", onclick: () => edit(NEW) }, t("make_rules"))] : [h("p", { class: "hint" }, t("only_watching")), ...pinForm(app, app.link.state ?? {})])),
    ...(begun ? [h("section", { class: "card begun" }, h("p", {}, begun.name ? t("draft_called", { name: begun.name }) : t("draft_there")),
      h("div", { class: "row" }, h("button", { onclick: () => edit(begun, true) }, t("draft_go_on")), h("button", { class: "quiet", onclick: () => (draft.drop(), list()) }, t("draft_drop"))))] : []),
    ...told.faults.map(({ file, why }) => h("p", { class: "card fault" }, t("file_fault", { file, why }))),
    ...(told.sheets.length ? told.sheets.map((one) => sheetCard(app, one, control, { edit, list })) : [h("p", { class: "card hint" }, t("no_rules_yet"), control ? ` ${t("make_first")}` : "")]),
    ...(control ? [h("section", { class: "card" }, h("p", {}, t("from_somebody")), read, fault)] : []),
  ];
}

function takes({ minutes, ownPace, seconds }) {
  return minutes === null ? t("not_tried") : ownPace ? t("minutes_own", { minutes }) : t("minutes_usual", { minutes, seconds });
}

function sheetCard(app, one, control, { edit, list }) {
  const fault = h("p", { class: "fault", role: "alert" });
  const remove = async () => {
    if (!(await sure(t("really_delete", { name: one.name }), t("delete_rules")))) return;
    const error = await app.link.ask({ do: "delete_rules", name: one.name });
    if (error) setText(fault, error);
    else list();
  };
  const rules = { name: one.name, base: one.base, rules: parted(one.rules), insteadOf: one.name };
  return h("article", { class: "card own-sheet" },
    h("h3", {}, one.name),
    h("p", { class: "of" }, h("span", { class: "tag base" }, one.title), ...one.labels.map((label) => h("span", { class: "tag" }, label))),
    h("p", { class: "hint" }, takes(one)),
    ...(one.inUse ? [h("p", { class: "hint" }, t("in_use"))] : []),
    ...(control && one.minutes !== null ? [play(app, one, fault)] : []),
    h("div", { class: "row" },
      ...(control ? [h("button", { onclick: () => edit(rules) }, t("change_rules"))] : []),
      h("button", { onclick: () => share(one) }, t("share_rules")),
      h("a", { class: "button", target: "_blank", rel: "noopener", href: `/house-rules/${one.file}.html?lang=${app.language}` }, t("print_rules")),
      ...(control ? [h("button", { class: "quiet", disabled: one.inUse, onclick: remove }, t("delete_rules"))] : [])),
    fault);
}

// A game by these rules with one press: with those who played last, or against the box. Where nobody
// is known, or others want to play, the form asks.
function play(app, { name }, fault) {
  const { state } = app.link;
  const own = state.own.find((one) => one.name === name);
  const sheet = app.sheets.find((one) => one.id === own?.base);
  if (!sheet) return null; // it is told at once when the table knows it
  const toTable = () => location.assign("/");
  const choose = () => newGame(app, name, toTable);
  const who = players(state, sheet, own.options);
  if (!who) return h("div", { class: "row" }, h("button", { class: "main", onclick: choose }, t("play_rules")));
  const begin = async () => {
    if (underWay(app) && !(await sure(t("ends_game"), t("start")))) return;
    const sensing = state.sim && sheet.board !== "mat" ? { sensing: state.game && state.game.board !== "mat" ? state.sensing : "presence" } : {};
    const error = await app.link.ask({ do: "new_game", sheet: own.base, options: own.options, ...who, ...sensing });
    if (error) setText(fault, error);
    else toTable();
  };
  const called = who.seats.map((colour) => (who.box[colour] ? capital(t(who.box[colour])) : who.names[colour] || capital(app.names[colour].name)));
  return h("div", { class: "row" }, h("button", { class: "main", onclick: begin }, t("play_rules_with", { who: called.join(", ") })),
    h("button", { onclick: choose }, t("other_players")));
}

function players({ game, names, levels, sim }, sheet, options) {
  if (game && seatsFit(sheet, options, game.playing)) return { seats: game.playing, names, box: levels };
  const seats = [[0, 2], [0, 1], [0, 1, 2]].map((some) => some.map((n) => sheet.colours[n])).find((some) => seatsFit(sheet, options, some));
  return sim && seats ? { seats, names: {}, box: Object.fromEntries(seats.slice(1).map((colour) => [colour, LEVELS.at(-1)])) } : null;
}

function share(one) {
  const line = h("input", { type: "text", readonly: true, value: one.line, "aria-label": t("share_rules"), onclick: () => line.select() });
  const said = h("p", { class: "hint", role: "status" }, t("share_about"));
  const copy = async () => {
    line.select();
    const done = await navigator.clipboard?.writeText(one.line).then(() => true, () => false);
    if (done ?? document.execCommand("copy")) setText(said, t("copied"));
  };
  const box = h("dialog", { "aria-label": t("share_rules"), class: "share" }, h("h2", {}, one.name), said,
    h("img", { src: `/house-rules/${one.file}.svg`, alt: one.line, width: 240, height: 240, class: "qr" }),
    h("div", { class: "row" }, line, h("button", { onclick: copy }, t("copy_line"))),
    h("div", { class: "row end" }, h("button", { class: "main", onclick: () => box.close() }, t("close"))));
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && box.close());
  document.body.append(box);
  box.showModal();
}

// -- making one ------------------------------------------------------------------------------------

class Editor {
  constructor(app, rules, done, restored) {
    Object.assign(this, { app, done, draft: { ...rules, rules: { ...rules.rules } } });
    this.busy = busy(app);
    this.picked = h("div", { class: "switches" });
    this.never = h("details", { class: "never", hidden: true });
    this.trouble = h("div", { class: "trouble", role: "alert" });
    this.all = h("details", { class: "all-rules" });
    this.said = h("p", { class: "said", role: "status" });
    this.bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("try_and_keep") });
    this.about = h("p", { class: "hint" });
    this.begun = restored ? draft.text() : null;
    this.sheets = this.bases();
    this.name = h("input", { type: "text", maxlength: 40, autocomplete: "off", value: rules.name, placeholder: t("rules_name"), "aria-label": t("step_name"), oninput: () => (this.remember(), this.judge()) });
    this.keep = h("button", { class: "main big", onclick: () => this.tryAndKeep() }, t("try_and_keep"));
    this.count = h("span", { class: "tag" });
    this.node = h("div", { class: "editor" },
      h("button", { class: "quiet back", onclick: () => done() }, "‹ ", t("back_to_list")), this.busy,
      ...(restored ? [h("p", { class: "card good", role: "status" }, t("draft_restored"))] : []),
      h("section", { class: "card" }, h("h2", {}, t("step_base")), this.sheets, this.about),
      h("section", { class: "card" }, h("h2", {}, t("step_switches"), " ", this.count), this.picked, this.never),
      h("section", { class: "card finish" }, h("h2", {}, t("step_name")), this.name, this.trouble, this.said, this.bar, this.keep, this.all));
    this.look();
  }

  // Whether a game is being played: rules are tried out when it is over.
  tell(playing) {
    this.busy.hidden = !playing;
  }

  now() {
    return { ...this.draft, name: this.name.value };
  }

  remember() {
    draft.set(this.now());
    this.begun = draft.text();
  }

  bases() {
    return h("div", { class: "sheets", role: "radiogroup", "aria-label": t("step_base") },
      this.app.sheets.map((one) => h("label", { class: "sheet" },
        h("input", { type: "radio", name: "base", value: one.id, checked: one.id === this.draft.base, onchange: () => this.rebase(one.id) }), h("span", {}, one.title))));
  }

  // Another sheet: what it cannot have is left off, so that nobody has to hunt for it.
  rebase(base) {
    this.draft.base = base;
    this.remember();
    this.look(true);
  }

  async look(afresh = false) {
    const mine = (this.asked = (this.asked ?? 0) + 1);
    const { base, rules } = this.draft;
    const query = new URLSearchParams({ base, rules: worded(rules).join(","), lang: this.app.language });
    const answer = await fetch(`/house-rules/look.json?${query}`).catch(() => null);
    const told = answer?.ok ? await answer.json().catch(() => null) : null;
    if (mine !== this.asked) return;
    if (answer?.status === 422 && Object.keys(rules).length) {
      this.draft.rules = {}; // they are the options of another sheet
      return this.look();
    }
    if (!told) return this.lookAgain(mine, afresh);
    const lost = afresh ? told.choices.filter((one) => one.never && one.name in this.draft.rules) : [];
    if (lost.length) {
      for (const one of lost) delete this.draft.rules[one.name];
      return this.look();
    }
    this.told = told;
    this.show();
  }

  // Nothing came, which says nothing of the rules: nobody keeps them unseen.
  lookAgain(mine, afresh) {
    this.told = null;
    this.judge();
    setText(this.said, t("reconnecting"));
    setTimeout(() => mine === this.asked && this.node.isConnected && this.look(afresh), AGAIN);
  }

  show() {
    const { choices } = this.told;
    setText(this.about, this.app.sheets.find((one) => one.id === this.draft.base).about);
    const can = choices.filter((one) => !one.never), cannot = choices.filter((one) => one.never);
    const focus = document.activeElement?.name;
    this.picked.replaceChildren(...can.map((one) => this.choice(one)));
    if (focus) this.picked.querySelector(`[name="${CSS.escape(focus)}"]:checked, [name="${CSS.escape(focus)}"]`)?.focus();
    this.never.hidden = !cannot.length;
    this.never.replaceChildren(h("summary", {}, t("not_with_this")), h("ul", {}, cannot.map((one) => h("li", {}, rulePicture(one.name), one.never))));
    setText(this.count, t("switched_on", { number: choices.filter((one) => one.value !== one.default).length }));
    this.all.hidden = !this.told.articles.length;
    this.all.replaceChildren(h("summary", {}, t("all_rules")), h("dl", { class: "articles" }, this.told.articles.map((one) => h("div", {}, h("dt", {}, one.id), h("dd", {}, one.text)))));
    this.judge();
  }

  choice(one) {
    const said = h("span", { class: "what" }, h("strong", {}, one.allowed.length > 2 ? t("pieces_each") : one.label), h("small", {}, one.about));
    const clash = one.trouble.map((why) => h("span", { class: "clash" }, why));
    const looks = `switch${one.value === one.default ? "" : " on"}${clash.length ? " wrong" : ""}`;
    if (one.allowed.length > 2) {
      const pick = one.allowed.map((value) => h("label", { class: "number" },
        h("input", { type: "radio", name: one.name, value: String(value), checked: value === one.value, onchange: () => this.set(one, value) }), h("span", {}, String(value))));
      return h("fieldset", { class: looks }, rulePicture(one.name), said, h("span", { class: "numbers" }, pick), ...clash);
    }
    const box = h("input", { type: "checkbox", role: "switch", name: one.name, checked: one.value, "aria-label": one.label, onchange: () => this.set(one, box.checked) });
    return h("label", { class: looks }, rulePicture(one.name), said, box, h("span", { class: "knob" }), ...clash);
  }

  set({ name, default: usual }, value) {
    if (value === usual) delete this.draft.rules[name];
    else this.draft.rules[name] = value;
    this.remember();
    this.look();
  }

  // What keeps it from being kept, in words; nothing if nothing does.
  faults() {
    const name = this.name.value.trim();
    const taken = (this.app.link.state?.own ?? []).some((one) => one.name.toLowerCase() === name.toLowerCase() && one.name !== this.draft.insteadOf);
    return FORBIDDEN.test(name) ? t("name_letters") : taken ? t("name_taken") : "";
  }

  judge() {
    const wrong = this.told?.contradictions ?? [];
    const fault = this.faults();
    this.trouble.replaceChildren(...(wrong.length ? [h("strong", {}, t("contradictions")), h("ul", {}, wrong.map((one) => h("li", {}, one)))] : []), ...(fault ? [h("p", {}, fault)] : []));
    const ready = this.told?.passed;
    setText(this.keep, t(ready ? "keep_rules" : "try_and_keep"));
    if (!this.trying) setText(this.said, ready ? takes(this.told) : "");
    this.keep.disabled = Boolean(wrong.length || fault || this.trying || !this.told);
  }

  async tryAndKeep() {
    if (!this.name.value.trim()) {
      setText(this.said, t("name_missing"));
      return this.name.focus();
    }
    if (!this.told.passed && !(await this.tryOut())) return;
    const { name, base, rules, insteadOf } = this.now();
    const error = await this.app.link.ask({ do: "keep_rules", name: name.trim(), base, rules: worded(rules), instead_of: insteadOf });
    if (error) return setText(this.said, error);
    if (draft.text() === this.begun) draft.drop(); // other rules may have been begun since
    this.done(t("kept_rules"));
  }

  // The box plays a thousand games of it; whether all came to an end.
  async tryOut() {
    this.hold(true);
    const found = await this.tried();
    await this.look();
    this.hold(false);
    const said = { passed: t("tried_well", { number: found.of }), endless: t("no_end"), ended: t("was_ended"), others: t("others_tried"), playing: t("not_kept_playing") }[found.state];
    setText(this.said, said ?? t("not_now"));
    return found.state === "passed";
  }

  // What is tried out stays as it is until that is known. Who does not want to wait can go back.
  hold(on) {
    this.trying = this.picked.inert = this.sheets.inert = this.name.readOnly = on;
    this.bar.hidden = !on;
    this.node.classList.toggle("trying", on);
    this.judge();
  }

  async tried() {
    const { base, rules } = this.draft;
    const sent = await fetch("/house-rules/trial", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ base, rules: worded(rules) }) }).catch(() => null);
    if (!sent?.ok) return { state: sent?.status === 409 ? "playing" : "lost", of: 1 };
    return this.follow((await sent.json().catch(() => ({}))).rules);
  }

  // Somebody else may have begun another trial: what is said of theirs is nothing about ours.
  async follow(rules) {
    for (;;) {
      const answer = await fetch("/house-rules/trial.json").catch(() => null);
      const told = answer?.ok ? await answer.json() : { state: "lost", games: 0, of: 1 };
      if (told.rules !== undefined && told.rules !== rules) return { ...told, state: "others" };
      if (told.state !== "running") return told;
      this.bar.max = told.of;
      this.bar.value = told.games;
      setText(this.said, t("trying", { number: told.games, of: told.of }));
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}
