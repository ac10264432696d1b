// The phone view: follow the game anywhere in the house; with the PIN, play along.

import { charts } from "./charts.js";
import { small } from "./die.js";
import { h, refill, setText, styled } from "./dom.js";
import { End } from "./end.js";
import { Fingers, PUT_RIGHT, WAITS } from "./fingers.js";
import { newGame, rules } from "./form.js";
import { header } from "./header.js";
import { Mat } from "./mat.js";
import { acts, advisable, colourOf, Ground, History, Moves, pinForm, playerOf, Ranking, roller, sayFace, seatPicker, Turn, Verdict, whyNot, playersOf } from "./parts.js";
import { hintOfCards, pressable } from "./table.js";
import { t } from "./words.js";

await styled("/phone.css");

export function phoneView(app) {
  const { link } = app;
  let fingers = null;
  const ground = new Ground(app, (board) => {
    fingers = null;
    if (board instanceof Mat) pressable(app, board, update, true);
    else fingers = new Fingers(board, { ask: (wish) => link.ask(wish), say: () => {}, warn: app.warn, state: () => link.state, may: () => acts(link.state), chooses: true, why: whyNot(app) });
  });
  ground.node.addEventListener("click", () => {
    const { player, turn: now, phase } = link.state;
    if (player.length && now && !acts(link.state)) app.warn(WAITS[phase] ? t(WAITS[phase]) : t("others_turn", { name: playerOf(app, now) }));
  });
  const turn = new Turn(app, roller(app));
  const verdict = new Verdict(app, (clause) => rules(app, clause), () => link.ask({ do: "go_on" }));
  const moves = new Moves(app, ground, (move) => link.ask({ do: "move", move: move.move }));
  const ranking = new Ranking(app);
  const history = new History(app, 60);
  const end = new End(app, ranking);
  const control = h("section", { class: "card control", "aria-label": t("the_box") });
  const pictures = h("details", { class: "card" }, h("summary", {}, t("charts")), h("div", { class: "charts" }));
  const you = h("h2", { class: "you", hidden: true });
  const hint = h("p", { class: "hint" });
  const lan = h("p", { class: "hint lan", hidden: true });
  const main = h("main", { class: "phone", id: "main" }, you, turn.node, end.node,
    ground.node, hint, h("div", { class: "saying", "data-calm": t("referee_here") }, verdict.node), moves.node, control, ranking.node,
    h("section", { class: "card" }, h("h2", {}, t("history")), history.list), pictures);
  document.body.replaceChildren(header(app, "phone", { rules: () => rules(app) }), main);

  const code = h("p", { class: "card fault", role: "alert", hidden: true });
  main.prepend(code, lan);
  const update = () => {
    const { state } = link;
    if (!state) return;
    setText(code, aboutCode(state));
    code.hidden = !code.textContent;
    lan.hidden = Boolean(state.phone);
    refill(lan, [Boolean(state.sim), document.documentElement.lang], () => withCode(t(state.sim ? "no_lan" : "no_lan_box")));
    fingers?.follow();
    ground.update(state);
    if (fingers?.hand && !acts(state)) fingers.giveBack();
    fingers?.name(app.names);
    you.hidden = !state.player.length;
    refill(you, [state.player, state.names, state.levels, state.phase, state.turn, document.documentElement.lang], () => whoAmI(app, state));
    const left = ground.left(state);
    setText(hint, acts(state) ? hintOf(left) : "");
    hint.hidden = !hint.textContent;
    for (const part of [turn, moves, ranking, end]) part.update(state);
    verdict.update(left);
    draw();
  };
  const offer = (state) => {
    const { phase, unseen, sim, handFace, game } = state;
    const buttons = (state.control || state.player.length > 0) && [phase, unseen, Boolean(sim), state.paused, handFace, game?.faces, advisable(state), state.button, link.history.length > 0, Boolean(state.takesBack)];
    const own = [state.player, state.player.length ? [state.turn, state.takesBack, state.levels] : null];
    refill(control, [buttons, own, state.pin, link.wasInControl, document.documentElement.lang], () =>
      state.control ? controls(app, state) : state.player.length ? playerControls(app, state) : pinForm(app, state));
  };
  const draw = () => {
    history.update();
    if (link.state) offer(link.state); // what can be taken back is known by the history
    if (link.state) for (const part of [turn, ranking, end]) part.update(link.state);
    if (link.state?.phase === "over") turn.node.hidden = ranking.node.hidden = true; // the end says it
    if (pictures.open && link.state) refill(pictures.lastChild, [link.told, link.chances, document.documentElement.lang], () => charts(link, app.names, playersOf(app)));
  };
  pictures.addEventListener("toggle", draw);
  return { heard: { state: update, history: draw, chances: draw }, end: () => {} };
}

// What fingers can do here. Pieces on a real table are put right there.
function hintOf(state) {
  const { phase, sim, game, remedy, unseen, made } = state;
  if (made) return t("back_at_table");
  if (PUT_RIGHT.includes(phase) && remedy.length && !unseen) return t(!sim ? "back_at_table" : "hint_back");
  return ["move", "illegal"].includes(phase) ? t(game.board === "mat" ? hintOfCards(state) : "hint_phone") : "";
}

// A sentence with its command in one piece, to copy.
const COMMAND = "companion play --lan";
const withCode = (text) => text.split(COMMAND).flatMap((part, n) => (n ? [h("code", {}, COMMAND), part] : [part]));

// What became of the code that was opened here, now or before.
function aboutCode({ control, player, putOff }) {
  const plays = control || player.length > 0;
  if (new URLSearchParams(location.search).get("code") === "old") return t(plays ? "code_old_plays" : "code_old");
  return putOff && !plays ? t("phone_put_off") : "";
}

// Whose phone this is: the first thing to see on it.
const whoAmI = (app, { player, turn, phase, levels }) => (player.length ? [
  ...player.map((colour) => h("span", { class: `chip c-${colour}`, "aria-hidden": "true" }, app.names[colour].sign)),
  h("span", {}, player.some((colour) => levels[colour]) ? t("plays_for", { box: playerOf(app, player[0]), name: colourOf(app, player[0]) }) : t("you_play", { name: colourOf(app, player[0]) })),
  h("em", { "data-turn": t("your_turn") }, player.includes(turn) && !WAITS[phase] && !player.some((colour) => levels[colour]) ? t("your_turn") : "")] : []);

// What a player's phone can do: for its own colours only.
function playerControls(app, state) {
  const { link } = app;
  const { player, sim, phase } = state;
  const button = (key, wish, kind = "") => h("button", { class: kind, onclick: () => link.ask(wish) }, t(key));
  const mine = acts(state);
  const rolls = mine && ["roll", "opening"].includes(phase);
  return [
    ...(rolls && !sim && state.handFace !== null ? [enteredFaces(app, state)] : []),
    h("div", { class: "deeds" },
      ...(mine && advisable(state) ? [button("advise", { do: "advise" })] : []),
      ...(mine && state.button === "seen" ? [button("i_see", { do: "go_on" })] : []),
      ...(!WAITS[phase] && player.includes(state.takesBack) ? [button("take_back", { do: "take_back" })] : []),
      ...(state.game && phase !== "over" ? [seat(app, state.game.playing.find((colour) => player.includes(colour)), state)] : [])),
  ];
}

const seat = (app, colour, state) => h("label", { class: "row" }, t("who_plays", { colour: app.names[colour].name }), seatPicker(app, colour, state));

const enteredFaces = ({ link }, { game }) => h("div", { class: "faces" }, game.faces.map((shown, n) => h("button", {
  class: "face-button", "aria-label": t("face", { shown: sayFace(shown) }), onclick: () => link.ask({ do: "roll", face: n + 1 }),
}, small(shown))));

function controls(app, state) {
  const { link } = app;
  const button = (key, wish, kind = "") => h("button", { class: kind, onclick: () => link.ask(wish) }, t(key));
  const order = (name) => ({ do: name });
  const rolls = ["roll", "opening"].includes(state.phase);
  return [
    ...(rolls && !state.sim && state.handFace !== null ? [enteredFaces(app, state)] : []),
    h("div", { class: "deeds" },
      h("button", { class: state.game ? "" : "main", onclick: () => newGame(app) }, t("new_game")),
      ...(advisable(state) ? [button("advise", order("advise"))] : []),
      ...(state.game ? [h("button", { disabled: !state.takesBack, onclick: () => link.ask(order("take_back")) }, t("take_back"))] : []), // greyed as at the table
      ...(state.game && state.phase !== "over" ? [button(state.paused ? "resume" : "pause", order(state.paused ? "resume" : "pause"))] : []),
      ...(state.button === "ruling" ? [button("let_stand", order("ruling"))] : []),
      ...(state.button === "seen" ? [button("i_see", order("go_on"))] : [])),
  ];
}
