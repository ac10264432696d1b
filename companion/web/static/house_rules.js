// The family's own sheets: made and changed step by step, tried out, kept, shared, printed, deleted.

import { h, setText } from "./dom.js";
import { sure } from "./form.js";
import { header } from "./header.js";
import { pinForm } from "./parts.js";
import { rulePicture } from "./rule_pictures.js";
import { t } from "./words.js";

const FORBIDDEN = /[<>|:+"\\]/;
const NEW = { name: "", base: "german", rules: {}, insteadOf: "" };

export function houseRulesView(app) {
  const { link } = app;
  if (!document.querySelector("link[href='/house_rules.css']")) document.head.append(h("link", { rel: "stylesheet", href: "/house_rules.css" }));
  const main = h("main", { class: "own-rules", id: "main" });
  document.body.replaceChildren(header(app, "house-rules", {}), main);
  let editor = null, allowed = null, told = "";

  let said = "";
  const list = async (now = "") => {
    editor = null;
    said = now || said;
    const answer = await fetch(`/house-rules.json?lang=${app.language}`).catch(() => null);
    if (!answer?.ok || editor) return;
    main.replaceChildren(...overview(app, await answer.json(), { edit, list }, said));
    if (now) scrollTo(0, 0);
  };
  const edit = (draft) => {
    said = "";
    editor = new Editor(app, draft, list);
    main.replaceChildren(editor.node);
    scrollTo(0, 0);
  };
  const update = () => {
    const { state } = link;
    const first = allowed === null;
    const now = JSON.stringify([state.control, state.own, state.game?.title, state.phase === "idle"]);
    allowed = state.control;
    if (first && opened(app, edit)) return (told = now);
    if (now !== told && !editor) list();
    told = now;
  };
  return { heard: { state: update }, end: () => (editor = null) };
}

// A link or a code that somebody opened: its rules are shown, and can be kept here.
function opened(app, edit) {
  const line = new URLSearchParams(location.search).get("line");
  if (!line || !app.link.state.control) return false;
  readLine(line).then((found) => (found ? edit({ ...NEW, ...found }) : app.warn(t("line_unreadable"))));
  history.replaceState(null, "", location.pathname);
  return true;
}

async function readLine(line) {
  const answer = await fetch(`/house-rules/line.json?${new URLSearchParams({ line })}`).catch(() => null);
  if (!answer?.ok) return null;
  const { name, base, rules } = await answer.json();
  return { name, base, rules: parted(rules) };
}

const parted = (rules) => Object.fromEntries(rules.map((rule) => {
  const [name, value] = rule.split("=");
  return [name, value === undefined ? true : Number(value)];
}));
const worded = (rules) => Object.entries(rules).map(([name, value]) => (value === true ? name : `${name}=${value}`));

// -- the list --------------------------------------------------------------------------------------

function overview(app, told, { edit, list }, said) {
  const { control } = app.link.state ?? {};
  const pasted = h("input", { type: "text", "aria-label": t("from_somebody"), maxlength: 400, autocomplete: "off" });
  const fault = h("p", { class: "fault", role: "alert" });
  const read = h("form", { class: "row" }, pasted, h("button", { type: "submit" }, t("read_line")));
  read.addEventListener("submit", async (event) => {
    event.preventDefault();
    const found = await readLine(pasted.value);
    if (found) edit({ ...NEW, ...found });
    else setText(fault, t("line_unreadable"));
  });
  return [
    h("section", { class: "card intro" }, h("h2", {}, t("house_rules")), h("p", {}, t("house_rules_about")), h("p", { class: "good", role: "status" }, said),
      ...(control ? [h("button", { class: "main big", onclick: () => edit(NEW) }, t("make_rules"))] : [h("p", { class: "hint" }, t("only_watching")), ...pinForm(app, app.link.state ?? {})])),
    ...told.faults.map(({ file, why }) => h("p", { class: "card fault" }, t("file_fault", { file, why }))),
    ...(told.sheets.length ? told.sheets.map((one) => sheetCard(app, one, control, { edit, list })) : [h("p", { class: "card hint" }, t("no_rules_yet"))]),
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
  const draft = { name: one.name, base: one.base, rules: parted(one.rules), insteadOf: one.name };
  return h("article", { class: "card own-sheet" },
    h("h3", {}, one.name),
    h("p", { class: "of" }, h("span", { class: "tag base" }, one.title), ...one.labels.map((label) => h("span", { class: "tag" }, label))),
    h("p", { class: "hint" }, takes(one)),
    ...(one.inUse ? [h("p", { class: "hint" }, t("in_use"))] : []),
    h("div", { class: "row" },
      ...(control ? [h("button", { onclick: () => edit(draft) }, t("change_rules"))] : []),
      h("button", { onclick: () => share(one) }, t("share_rules")),
      h("a", { class: "button", target: "_blank", rel: "noopener", href: `/house-rules/${one.file}.html?lang=${app.language}` }, t("print_rules")),
      ...(control ? [h("button", { class: "quiet", disabled: one.inUse, onclick: remove }, t("delete_rules"))] : [])),
    fault);
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
  constructor(app, draft, done) {
    Object.assign(this, { app, done, draft: { ...draft, rules: { ...draft.rules } } });
    this.picked = h("div", { class: "switches" });
    this.never = h("details", { class: "never", hidden: true });
    this.trouble = h("div", { class: "trouble", role: "alert" });
    this.all = h("details", { class: "all-rules" });
    this.said = h("p", { class: "said", role: "status" });
    this.bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("try_and_keep") });
    this.about = h("p", { class: "hint" });
    this.name = h("input", { type: "text", maxlength: 40, autocomplete: "off", value: draft.name, placeholder: t("rules_name"), "aria-label": t("step_name"), oninput: () => this.judge() });
    this.keep = h("button", { class: "main big", onclick: () => this.tryAndKeep() }, t("try_and_keep"));
    this.count = h("span", { class: "tag" });
    this.node = h("div", { class: "editor" },
      h("button", { class: "quiet back", onclick: () => done() }, "‹ ", t("back_to_list")),
      h("section", { class: "card" }, h("h2", {}, t("step_base")), this.bases(), this.about),
      h("section", { class: "card" }, h("h2", {}, t("step_switches"), " ", this.count), this.picked, this.never),
      h("section", { class: "card finish" }, h("h2", {}, t("step_name")), this.name, this.trouble, this.said, this.bar, this.keep, this.all));
    this.look();
  }

  bases() {
    return h("div", { class: "sheets", role: "radiogroup", "aria-label": t("step_base") },
      this.app.sheets.map((one) => h("label", { class: "sheet" },
        h("input", { type: "radio", name: "base", value: one.id, checked: one.id === this.draft.base, onchange: () => this.rebase(one.id) }), h("span", {}, one.title))));
  }

  // Another sheet: what it cannot have is left off, so that nobody has to hunt for it.
  rebase(base) {
    this.draft.base = base;
    this.look(true);
  }

  async look(afresh = false) {
    const mine = (this.asked = (this.asked ?? 0) + 1);
    const answer = await this.asks(this.draft.rules);
    if (mine !== this.asked) return;
    let told = answer ?? (await this.asks({}));
    if (!told) return setText(this.said, t("reconnecting"));
    if (!answer) this.draft.rules = {}; // they are the options of another sheet
    const lost = afresh ? told.choices.filter((one) => one.never && one.name in this.draft.rules) : [];
    if (lost.length) {
      for (const one of lost) delete this.draft.rules[one.name];
      return this.look();
    }
    this.told = told;
    this.show();
  }

  async asks(rules) {
    const query = new URLSearchParams({ base: this.draft.base, rules: worded(rules).join(","), lang: this.app.language });
    const answer = await fetch(`/house-rules/look.json?${query}`).catch(() => null);
    return answer?.ok ? answer.json() : null;
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
    const name = this.name.value.trim();
    if (!name) {
      setText(this.said, t("name_missing"));
      return this.name.focus();
    }
    if (!this.told.passed && !(await this.tryOut())) return;
    const { base, rules, insteadOf } = this.draft;
    const error = await this.app.link.ask({ do: "keep_rules", name, base, rules: worded(rules), instead_of: insteadOf });
    if (error) return setText(this.said, error);
    this.done(t("kept_rules"));
  }

  // The box plays a thousand games of it; whether all came to an end.
  async tryOut() {
    const { base, rules } = this.draft;
    const sent = await fetch("/house-rules/trial", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ base, rules: worded(rules) }) }).catch(() => null);
    if (!sent?.ok) return setText(this.said, t(sent?.status === 409 ? "not_while_playing" : "not_now")), false;
    this.trying = true;
    this.picked.inert = this.bar.hidden = false;
    this.node.classList.add("trying");
    this.judge();
    const found = await this.follow();
    this.trying = false;
    this.bar.hidden = true;
    this.node.classList.remove("trying");
    await this.look();
    const said = { passed: t("tried_well", { number: found.of }), endless: t("no_end"), ended: t("was_ended") }[found.state];
    setText(this.said, said ?? t("not_now"));
    return found.state === "passed";
  }

  async follow() {
    for (;;) {
      const answer = await fetch("/house-rules/trial.json").catch(() => null);
      const told = answer?.ok ? await answer.json() : { state: "lost", games: 0, of: 1 };
      if (told.state !== "running") return told;
      this.bar.max = told.of;
      this.bar.value = told.games;
      setText(this.said, t("trying", { number: told.games, of: told.of }));
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}
