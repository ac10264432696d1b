// The table view: a whole simulated table to play on, or a real one to watch and help along.

import { small } from "./die.js";
import { h, refill, setText } from "./dom.js";
import { End } from "./end.js";
import { Fingers, PUT_RIGHT, WAITS } from "./fingers.js";
import { isSure, newGame, rules, toBoard } from "./form.js";
import { Mat } from "./mat.js";
import { Oled } from "./oled.js";
import { acts, advisable, colourOf, Ground, History, Moves, offered, pinForm, playersOf, Ranking, roller, sayFace, Turn, Verdict, wantsDone, whyNot } from "./parts.js";
import { Sound } from "./sound.js";
import { header } from "./header.js";
import { Welcome } from "./welcome.js";
import { t } from "./words.js";

// What each way of sensing wants of the hands.
const HINTS = { presence: "hint", touch: "hint_touch", choose: "hint_choose" };

export function tableView(app) {
  const { link } = app;
  const sound = new Sound();
  const say = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
  let fingers = null, before = null, tone = null;

  const ground = new Ground(app, (board) => {
    fingers = null;
    if (!link.state?.sim) return;
    if (board instanceof Mat) pressable(app, board, update);
    else fingers = new Fingers(board, { ask: (wish) => link.ask(wish), say: (text) => setText(say, text), warn: app.warn, state: () => link.state, may: () => link.state.control, why: whyNot(app) });
    hoverable(board, ground, link);
  });
  const roll = roller(app);
  const turn = new Turn(app, roll, true);
  const verdict = new Verdict(app, (clause) => rules(app, clause));
  const moves = new Moves(app, ground, (move) => link.ask({ do: "move", move: move.move }));
  const ranking = new Ranking(app, true);
  const history = new History(app);
  const welcome = new Welcome(app);
  const end = new End(app, ranking);
  const pin = h("section", { class: "card", "aria-label": t("pin") });
  const oled = new Oled(t("oled"));
  const faces = h("div", { class: "faces", role: "group", "aria-label": t("choose_face") });
  const practice = h("details", { class: "practice", open: app.practises, ontoggle: () => (app.practises = practice.open) }, h("summary", {}, t("practice")));
  const box = boxPanel(app, oled);
  const deeds = actions(app);
  const told = tabs(app, history);
  const hint = h("p", { class: "hint" });

  const main = h("main", { class: "table", id: "main" },
    h("div", { class: "play-side" }, ground.node, deeds.node, hint),
    h("div", { class: "words-side" }, welcome.node, turn.node, end.node, practice, faces, moves.node, h("div", { class: "saying", "data-calm": t("referee_here") }, verdict.node), ranking.node, pin),
    h("div", { class: "box-side" }, box, told.node));
  const beside = h("section", { class: "what-if", "aria-label": t("what_if"), hidden: true });
  const top = header(app, link.at ? "" : "table", { sound, newGame: () => newGame(app), rules: () => rules(app) });
  document.body.replaceChildren(top, beside, main, say);

  const update = () => {
    const { state } = link;
    if (!state) return;
    main.classList.toggle("no-sim", !state.sim);
    beside.hidden = !state.whatIf;
    refill(beside, [state.whatIf, document.documentElement.lang], () => (state.whatIf ? [h("strong", {}, t("what_if")), ` ${t("what_if_about")} `, h("a", { href: `/games?number=${state.whatIf.game}&move=${state.whatIf.move}` }, t("what_if_back"))] : []));
    fingers?.follow();
    ground.update(state);
    fingers?.name(app.names);
    const left = ground.left(state);
    for (const part of [welcome, turn, end, moves, ranking]) part.update(state);
    verdict.update(left);
    turn.node.hidden ||= state.phase === "over";
    ranking.node.hidden ||= state.phase === "over";
    practice.hidden = !state.sim || !state.game || state.phase === "over";
    if (state.sim) practice.append(faces); // a real die that is entered by hand needs them at once
    else practice.after(faces);
    pin.hidden = state.control;
    refill(pin, [state.control, state.player, state.names, state.pin, link.wasInControl, document.documentElement.lang], () => (state.control ? [] : state.player.length ? [ownPage(app, state)] : pinForm(app, state)));
    deeds.update(state);
    for (const button of box.querySelectorAll("button")) button.disabled = !state.control;
    if (state.phase === "opening" && before !== "opening") setText(say, ""); // it was about another game
    if (state.tone === "stop" && tone !== "stop" && covers(verdict.node, ground.node)) ground.node.scrollIntoView(); // what is to be put right is seen
    [before, tone] = [state.phase, state.tone];
    top.querySelector(".new").disabled = !state.control;
    setText(hint, state.sim && state.control && state.game && state.phase !== "over" && !WAITS[state.phase] ? t(hintOf(left)) : "");
    refill(faces, [state.sim !== null || state.handFace !== null, state.game?.faces, state.control, document.documentElement.lang], () => faceButtons(app, state));
    told.update(state);
  };
  const retell = () => {
    history.update();
    if (!link.state) return;
    told.update(link.state);
    turn.update(link.state);
    ranking.update(link.state);
    end.update(link.state);
    turn.node.hidden ||= link.state.phase === "over";
    ranking.node.hidden ||= link.state.phase === "over";
    deeds.update(link.state);
  };
  const heard = { state: update, history: retell, chances: () => told.update(), oled: () => oled.draw(link.oled), sound: () => sound.play(link.sound) };
  // Space rolls, 1 to 9 play what is listed, wherever that would not press or write something; Escape puts back.
  const keys = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const { state } = link;
    const writes = event.target.closest?.("input, select, textarea");
    const rolls = state?.control && state.sim && ["roll", "opening", "illegal"].includes(state.phase);
    const needed = rolls ? "button, a, [role=tab]" : "button, a, summary, [role=tab]"; // Enter opens and closes, too
    if (event.key === "Escape") fingers?.giveBack();
    else if (event.key === " " && !writes && !event.target.closest?.(needed)) {
      event.preventDefault();
      if (state?.control && state.sim && state.game && state.phase !== "over") roll(event);
      if (rolls && !event.target.closest?.("summary")) toBoard();
    } else if (/^[1-9]$/.test(event.key) && !writes) {
      moves.press(Number(event.key));
      toBoard(); // Space rolls next, whatever was pressed before
    }
  };
  document.addEventListener("keydown", keys);
  oled.draw(link.oled ?? "");
  return { heard, end: () => document.removeEventListener("keydown", keys) };
}

function covers(one, other) {
  const [above, below] = [one, other].map((node) => node.getBoundingClientRect());
  return above.top < below.bottom && above.bottom > below.top && above.left < below.right && above.right > below.left;
}

// A player's phone plays on a page of its own.
const ownPage = (app, { player }) => h("p", { class: "row" }, t("you_play", { name: colourOf(app, player[0]) }), h("a", { class: "button", href: "/phone" }, t("own_page")));

// While pieces go back, nothing is to be tried out.
function hintOf(state) {
  if (state.game.board === "mat") return hintOfCards(state);
  return PUT_RIGHT.includes(state.phase) && state.remedy.length ? "hint_back" : HINTS[state.sensing];
}

function faceButtons(app, state) {
  if (!(state.sim || state.handFace !== null) || !state.game) return [];
  return state.game.faces.map((shown, n) => h("button", {
    class: "face-button", disabled: !state.control, "aria-label": t("face", { shown: sayFace(shown) }), title: t("face", { shown: sayFace(shown) }),
    onclick: () => app.link.ask({ do: "roll", face: n + 1 }),
  }, small(shown)));
}

// Hovering or focusing a piece shows where it may go.
function hoverable(board, ground, link) {
  const show = (event) => {
    const man = board.pieces?.get(event.target.closest?.("[data-piece]")?.dataset.piece);
    const spot = man?.place && board.spotOf(man.place);
    const move = offered(link.state).find((one) => one.colour === man?.colour && one.from === spot);
    if (move) ground.hover(move);
  };
  const hide = () => ground.hovered && ground.hover(null);
  board.svg.addEventListener("pointerover", show);
  board.svg.addEventListener("focusin", show);
  board.svg.addEventListener("pointerout", hide);
  board.svg.addEventListener("focusout", hide);
}

export const hintOfCards = ({ remedy }) => (remedy.some(({ from, to }) => from && !to) ? "hint_off" : "hint_cards");

// Stacks that are pressed; where moves are only chosen, by whoever may. `seen`: other cards lie there.
export function pressable(app, mat, seen, chooses = false) {
  const press = (event) => {
    const place = event.target.closest?.("[data-place]")?.dataset.place;
    if (!place || (chooses && !acts(app.link.state))) return;
    event.preventDefault();
    if (acts(app.link.state) && mat.takeOff(place)) return takenOff();
    mat.lying = null; // whatever is laid now is seen, also if the same lay there before
    if (chooses || app.link.state.sensing === "choose") choose(place);
    else app.link.ask({ do: "touch", place });
  };
  // When the last wrong card is off, that is said, unless saying so would let it stand.
  const takenOff = async () => {
    const { ok } = app.link.state;
    seen();
    if (mat.wrong.length || ok === "ruling" || !(await app.link.ask({ do: "go_on" }))) return;
    mat.lying = null; // nobody heard it: the card lies there
    seen();
  };
  // Where moves are only chosen no press is felt: the stacks pressed so far choose a move.
  let pressed = [], offered = null;
  const choose = (place) => {
    const { phase, legal } = app.link.state;
    pressed = offered === legal ? [...pressed, place] : [place];
    offered = legal;
    const left = legal.map(({ stacks = [] }) => pressed.reduce((rest, one) => rest?.includes(one) ? rest.filter((_, n) => n !== rest.indexOf(one)) : null, stacks));
    const whole = left.findIndex((rest) => rest?.length === 0);
    if (phase === "move" && whole >= 0) app.link.ask({ do: "move", move: legal[whole].move });
    else if (phase !== "move" || left.every((rest) => rest === null)) app.warn(t(phase === "move" ? "choose_legal" : "choose_later"));
    else return mat.showLegal(legal, pressed);
    pressed = [];
  };
  mat.svg.addEventListener("click", press);
  mat.svg.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && press(event));
  const name = () => {
    for (const { id, colour, node } of mat.stacks.values()) {
      const here = app.link.state.game?.playing.includes(colour);
      node.setAttribute("tabindex", here ? "0" : "-1");
      node.setAttribute("aria-hidden", String(!here));
      node.setAttribute("aria-label", t(node.dataset.wrong > 0 ? "stack_wrong" : "stack_of", { colour: app.names[colour].name, number: id.slice(-1), height: node.dataset.height ?? 0 }));
    }
  };
  new MutationObserver(name).observe(mat.svg, { subtree: true, attributes: true, attributeFilter: ["data-height", "data-wrong"] });
  queueMicrotask(name);
}

function boxPanel(app, oled) {
  const press = (button, held = false) => () => app.link.ask({ do: "press", button, held });
  const ok = h("button", { class: "box-button ok" }, t("ok"));
  let timer = null, held = false;
  ok.addEventListener("pointerdown", () => {
    held = false;
    timer = setTimeout(() => ((held = true), press("ok", true)()), 700);
  });
  for (const end of ["pointerup", "pointerleave"]) ok.addEventListener(end, () => clearTimeout(timer));
  ok.addEventListener("click", async () => {
    const line = app.link.state?.lines[app.link.state.cursor];
    if (!held && (await isSure(app, line))) app.link.takeLine(line);
  });
  return h("section", { class: "card box", "aria-label": t("the_box") },
    h("div", { class: "glass" }, oled.canvas),
    h("div", { class: "box-buttons" },
      h("button", { class: "box-button", onclick: press("up"), "aria-label": t("up") }, "▲"),
      h("button", { class: "box-button", onclick: press("down"), "aria-label": t("down") }, "▼"),
      ok,
      h("button", { class: "box-button quiet", onclick: press("ok", true) }, t("hold_ok"))));
}

function actions(app) {
  const { link } = app;
  const order = (name) => () => link.ask({ do: name });
  const button = (key, act, kind = "") => h("button", { class: `deed ${kind}`, onclick: act }, t(key));
  const step = button("play_for_me", () => link.ask({ do: "step" }));
  const auto = button("autoplay", () => {
    link.ask({ do: "auto", on: !link.state.sim.auto });
  });
  const advise = button("advise", order("advise"));
  const back = button("take_back", order("take_back"));
  const stand = button("let_stand", order("ruling"));
  const seen = button("i_see", order("go_on"));
  const done = button("done", order("go_on"), "main last");
  const pause = button("pause", () => order(link.state.paused ? "resume" : "pause")());
  const node = h("div", { class: "deeds" }, step, auto, back, pause, stand, seen, advise, done); // what comes and goes moves nothing else
  const update = (state) => {
    const on = state.game && state.phase !== "over";
    step.hidden = auto.hidden = !state.sim;
    step.disabled = auto.disabled = pause.disabled = !on;
    back.disabled = !state.takesBack;
    advise.hidden = !advisable(state);
    stand.hidden = state.button !== "ruling";
    seen.hidden = state.button !== "seen";
    done.hidden = !wantsDone(state);
    auto.setAttribute("aria-pressed", String(Boolean(state.sim?.auto)));
    setText(auto, t(state.sim?.auto ? "stop_autoplay" : "autoplay"));
    setText(step, t(state.game?.board === "mat" ? "play_cards_for_me" : "play_for_me"));
    node.hidden = !state.game;
    setText(pause, t(state.paused ? "resume" : "pause"));
    for (const one of [step, auto, advise, back, stand, seen, pause]) one.disabled ||= !state.control;
  };
  return { node, update };
}

// History and charts, one at a time; in another language the same one.
function tabs(app, history) {
  const pages = { history: h("div", { class: "page" }, history.list), charts: h("div", { class: "page charts" }) };
  let shown = app.tab ?? "history";
  const heads = Object.keys(pages).map((key) => h("button", {
    role: "tab", id: `tab-${key}`, "aria-controls": `page-${key}`,
    onclick: () => turnTo(key),
    onkeydown: (event) => /Arrow(Left|Right)/.test(event.key) && (turnTo(key === "history" ? "charts" : "history"), document.getElementById(`tab-${shown}`).focus()),
  }, t(key)));
  for (const [key, page] of Object.entries(pages)) {
    page.id = `page-${key}`;
    page.setAttribute("role", "tabpanel");
    page.setAttribute("aria-labelledby", `tab-${key}`);
  }
  const turnTo = (key) => {
    shown = app.tab = key;
    for (const head of heads) {
      const on = head.id === `tab-${key}`;
      head.setAttribute("aria-selected", String(on));
      head.tabIndex = on ? 0 : -1;
    }
    for (const [name, page] of Object.entries(pages)) page.hidden = name !== key;
    if (app.link.state) update();
  };
  const record = h("a", { class: "button record", href: `${app.link.at}/record.txt`, download: "", hidden: true }, t("record"));
  pages.history.append(record);
  const update = async () => {
    const { link } = app;
    record.hidden = !link.state?.game || link.state.phase === "over"; // the end offers it
    if (shown !== "charts" || !link.state) return;
    const drawn = await import("./charts.js").catch(() => null); // nobody answers: the next news bring them
    if (drawn) refill(pages.charts, [link.told, link.die, link.chances, link.state.game, link.state.levels, document.documentElement.lang], () => drawn.charts(link, app.names, playersOf(app)));
  };
  turnTo(shown);
  return { node: h("section", { class: "card told" }, h("div", { role: "tablist", class: "tabs" }, heads), ...Object.values(pages)), update };
}
