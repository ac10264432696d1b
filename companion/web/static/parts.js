// Parts that the views share: the board or mat, whose turn it is, the verdict, the history.

import { Board, named } from "./board.js";
import { Die, small } from "./die.js";
import { h, refill, setText } from "./dom.js";
import { PUT_RIGHT, WAITS } from "./fingers.js";
import { isSure, LEVELS, toBoard } from "./form.js";
import { Mat } from "./mat.js";
import { capital, hyphened, percent, t } from "./words.js";

// The name a seat goes by: that of the box's player there, its player's, or its colour's.
export const nameOf = (app, colour) => levelOf(app, colour) || app.link.state?.names?.[colour] || capital(app.names[colour].name);
const levelOf = (app, colour) => {
  const level = coloursOf(app, colour).map((one) => app.link.state?.levels?.[one]).find(Boolean);
  const alone = Object.values(app.link.state?.levels ?? {}).filter((one) => one === level).length < 2;
  return level && (alone ? capital(t(level)) : `${capital(t(level))} (${app.names[colour].name})`);
};
// A player may have two colours, of which one is the seat that was taken.
const coloursOf = (app, colour) => app.link.state?.game?.players?.[colour] ?? [colour];
// At the end all who played there are named.
export const playerOf = (app, colour) => {
  const by = app.link.state?.phase === "over" ? app.link.playedBy?.[colour] : undefined;
  return by || (by !== "" && levelOf(app, colour)) || colourOf(app, colour);
};
export const playersOf = (app) => Object.fromEntries((app.link.state.game?.playing ?? []).map((colour) => [colour, playerOf(app, colour)]));
// Who has a seat, or would if the box had not.
export const colourOf = (app, colour) => app.link.state?.names?.[colour] || coloursOf(app, colour).map((one) => capital(app.names[one].name)).join(" + ");

// A bonus is played like a roll, and no die shows it.
const isBonus = (face) => face > 6;
export const shownFace = (state, face) => (isBonus(face) ? `+${face}` : face ? state.game?.faces[face - 1] : undefined);

export const sayFace = (shown) => (shown === "star" || shown === "globe" ? t(shown) : shown ?? "");

// The board of the game under way, redrawn when another one is laid on the table.
export class Ground {
  constructor(app, made = () => {}) {
    Object.assign(this, { app, made });
    this.node = h("div", { class: "board-card", role: "group", tabindex: -1 });
    this.pieces = [];
    this.near = true;
    this.lens = h("button", { class: "lens", hidden: true, onclick: () => ((this.near = !this.near), this.zoom(this.app.link.state)) });
  }

  update(state) {
    const game = state.game;
    const name = game?.board ?? state.board;
    const key = `${name} ${JSON.stringify(game?.marks ?? {})} ${this.app.names.red.name}`;
    if (key !== this.key) this.lay(key, name, game);
    this.node.setAttribute("aria-label", t("board", { title: game?.title ?? "" }));
    const board = this.board;
    if (board instanceof Mat) {
      board.setHeights(state.pieces, game?.playing ?? board.data.colours);
      board.showLegal(offered(state), state.pressed);
      board.showWrong(state.remedy);
    } else {
      this.pieces = state.sim ? state.sim.pieces : named(this.pieces, state.pieces);
      board.setPieces(this.pieces);
      board.showLegal(offered(state));
    }
    if (!offered(state).some((move) => move.move === this.hovered?.move)) this.hovered = null;
    this.zoom(state);
    this.showWays();
    if (!(board instanceof Board && [...board.pieces.values()].some((man) => man.held))) {
      board.mark(state.tone === "stop" ? state.refusals.flatMap((one) => one.places) : [], noted(state), state.pressed);
    }
  }

  // What hands have not done yet, as this page has seen them: no press tells that a card is off.
  left(state) {
    return { ...state, remedy: this.board.left?.(state.remedy) ?? state.remedy };
  }

  lay(key, name, game) {
    this.key = key;
    const data = this.app.boards[name];
    this.board = name === "mat" ? new Mat(name, data, this.app.names) : new Board(name, data, game?.marks ?? {}, this.app.names);
    this.pieces = [];
    this.node.replaceChildren(this.lens, this.board.svg);
    this.made(this.board);
  }

  // Where squares are small for a finger, what can move or has to is shown larger.
  zoom(state) {
    const { board } = this;
    if (board instanceof Mat) return void (this.lens.hidden = true);
    if ([...board.pieces.values()].some((man) => man.held)) return;
    const small = this.node.clientWidth > 0 && this.node.clientWidth / board.data.grid < 30;
    const steps = state.phase === "move" && !state.made ? offered(state) : state.remedy;
    const spots = steps.flatMap(({ from, to }) => [from, to]).filter(Boolean);
    board.show(small && this.near ? spots : []);
    this.lens.hidden = !small;
    this.lens.classList.toggle("nothing", !spots.length);
    setText(this.lens, t(this.near ? "whole_board" : "look_closer"));
  }

  // What is to be put right, as the words beside it say; else where a piece under the pointer may go.
  showWays() {
    const { remedy, look, wish } = this.app.link.state;
    const way = (!remedy.length && this.hovered) || wish;
    this.board.showWays([...(way ? [way] : []), ...remedy.map((step) => ({ ...step, remedy: look }))]);
  }

  hover(move) {
    this.hovered = move;
    this.showWays();
  }
}

// The moves to choose from, until one is made; of a player of the box only the one that it wants.
export const offered = (state) => (!isOpen(state) || state.made ? [] : state.wish ? [state.wish] : state.legal);

// Whether a move may be made: also where nothing but a roll was refused.
export const isOpen = ({ phase, tone, remedy }) => phase === "move" || (tone === "stop" && !remedy.length);

// The squares that a hint is about; in a base its arrow is enough.
const noted = ({ tone, remedy, noticed }) =>
  tone === "hint" ? [...remedy.flatMap((step) => [step.from, step.to]), ...noticed].filter((spot) => spot && !/\.[BH]$/.test(spot)) : [];

// Whose turn it is, the die, what to do, and a line for a hint, which is kept free so that nothing moves.
export class Turn {
  // `welcomed`: before the first game somebody else says what this is.
  constructor(app, onroll, welcomed = false) {
    Object.assign(this, { app, welcomed });
    this.die = new Die();
    this.chip = h("span", { class: "chip big", "aria-hidden": "true" });
    this.name = h("span", { class: "turn-name" });
    this.todo = h("p", { class: "todo" });
    this.left = h("small", { class: "left" });
    this.hint = h("p", { class: "quiet-line", role: "status" });
    this.said = h("p", { class: "unseen", role: "status" });
    this.roll = onroll
      ? h("button", { class: "die-button", onclick: onroll }, this.die.svg, h("span", { class: "roll-label" }, t("roll")))
      : h("div", { class: "die-button" }, this.die.svg);
    this.node = h("section", { class: "card turn" }, this.roll,
      h("div", { class: "turn-words" }, h("h2", { class: "turn-head" }, this.chip, this.name), this.todo, this.left, this.hint, this.said));
  }

  update(state) {
    const { app } = this;
    const colour = state.phase === "over" ? state.ranking[0] : state.turn;
    this.node.hidden = state.phase === "idle" && this.welcomed;
    this.node.className = `card turn${colour ? ` c-${colour}` : ""} p-${state.phase}`;
    setText(this.chip, colour ? app.names[colour].sign : "·");
    const won = colour && state.phase === "over", name = colour ? (won ? playerOf : nameOf)(app, colour) : t("title");
    setText(this.name, hyphened(won ? t("wins", { name }) : name));
    this.name.classList.toggle("long", name.length > 9);
    setText(this.todo, this.isOthers(state) ? t("others_turn", { name: nameOf(app, colour) }) : t(todo(state)));
    const left = ["roll", "opening"].includes(state.phase) && state.rolls > 1;
    setText(this.hint, arrowed(state.hint));
    this.hint.classList.toggle("due", state.made);
    setText(this.left, left ? t("rolls_left", { number: state.rolls }) : "");
    this.showDie(state);
    if (this.roll.tagName === "BUTTON") {
      const may = acts(state) && state.sim && ["roll", "opening"].includes(state.phase);
      this.roll.disabled = !acts(state) || !state.sim || !state.game || state.phase === "over";
      this.roll.classList.toggle("wanted", may);
      this.roll.setAttribute("aria-label", t("roll_key"));
    }
  }

  // Whether somebody else is to act: on a screen for everybody nobody is somebody else.
  isOthers(state) {
    return this.roll.tagName === "BUTTON" && state.turn && !acts(state) && !["paused", "menu", "setting", "over"].includes(state.phase);
  }

  // Before the roll the die still shows what was rolled last, paler.
  showDie(state) {
    const { face, text = "" } = state.rolled ?? {};
    const shown = shownFace(state, face);
    const played = this.app.link.history.length;
    const rolled = `${state.face ?? ""} ${played}`;
    const passed = played > this.played && this.app.link.history.at(-1).passed;
    const fresh = this.rolled !== undefined && (state.rolling || (rolled !== this.rolled && (state.face || passed)));
    Object.assign(this, { rolled, played });
    this.die.svg.classList.toggle("old", !state.face);
    if (fresh) this.die.shown = undefined;
    this.die.show(shown, fresh);
    if (state.face && !this.lies) this.said.textContent = text; // the same again is said again
    else setText(this.said, text);
    this.lies = Boolean(state.face);
  }
}

// Rolls the die, or says what is to be done first: by button and by key alike.
export const roller = (app) => (event) => {
  const why = event.detail > 1 || event.repeat ? "" : beforeRoll(app.link.state); // the same press again asks nothing
  if (why) app.warn(why);
  else app.link.roll(event);
};

// What has to be done before a roll, as far as that is sure: where hands have just acted, the referee says.
function beforeRoll(state) {
  const { phase, face, remedy, unseen, pressed } = state;
  if (WAITS[phase]) return t(WAITS[phase]);
  const mat = state.game?.board === "mat";
  if (PUT_RIGHT.includes(phase) && remedy.length && !unseen && (mat || moved(state))) return t("do_illegal");
  if (!face || !["move", "illegal"].includes(phase) || pressed.length || (!mat && moved(state))) return "";
  if (isBonus(face) && !state.boxed) return t("bonus_first", { counted: face });
  return t(state.boxed ? "box_thinks" : "play_first");
}

// Whether simulated pieces stand elsewhere than the game has them.
function moved({ sim, pieces }) {
  const spots = (places) => places.map((place) => place?.replace(/(\.[BH])\d$/, "$1") ?? "").sort().join();
  return Object.entries(pieces).some(([colour, places]) => spots(places) !== spots(sim.pieces.filter((one) => one.colour === colour).map((one) => one.place)));
}

// What is to be done now. A roll that did not count leaves nothing to put right.
function todo({ phase, tone, game, remedy, face, boxed, draws, wish, sim, made, control }) {
  if (made) return "do_made";
  if (phase === "idle" && !control) return "no_game";
  if (draws) return "box_rolls";
  if (boxed && phase === "move") return wish && !sim ? "move_for_box" : "box_thinks"; // simulated hands move it
  if (tone === "stop" && !remedy.length) return face ? "do_move" : "do_roll";
  if (game?.board !== "mat") return `do_${phase}`;
  return { move: "do_cards", setting: "do_setting_cards", restore: "do_restore_cards", penalty: "do_penalty_cards" }[phase] ?? `do_${phase}`;
}

// What the referee says: a refusal with its clause and its remedy, or a friendly word.
export class Verdict {
  // `ondone`: where the button that says that all is right stands with what is to be put right.
  constructor(app, onclause, ondone) {
    Object.assign(this, { app, onclause, ondone });
    this.node = h("div", { class: "verdict", role: "status", "aria-live": "polite" });
  }

  update(state) {
    const { refusals, happenings, house, notice, missing, phase, look, tone, why } = state;
    const wrong = tone === "stop";
    const remedy = wrong || tone === "guide" ? state.remedy : []; // a hint has a line of its own
    const done = wantsDone(state) && acts(state);
    this.node.className = `verdict ${look}`.trim();
    refill(this.node, [refusals, happenings, house, notice, remedy, missing, phase, why, done, document.documentElement.lang], () => [
      ...(wrong ? [h("h3", {}, h("span", { class: "stop", "aria-hidden": "true" }, "✕"), t("not_allowed"))] : []),
      ...house.map((text) => h("p", { class: "notice" }, text)),
      ...refusals.map((one) => this.refusal(one)),
      ...(notice ? [this.notice(notice, why)] : []),
      ...(refusals.length || phase === "over" ? [] : happenings.map((one) => h("p", { class: "happening" }, one.text, " ", this.clause(one.clause)))),
      ...(remedy.length ? [h("p", { class: "remedy-line" }, h("strong", {}, t("remedy")), " ", ...remedy.map((step) => h("span", { class: "step" }, arrowed(step.text))), ...(this.onclause && done && !this.ondone ? [" ", t("then_done")] : []))] : []),
      ...missing.map((text) => h("p", { class: "missing" }, text)),
      ...(this.ondone && done ? [h("button", { class: "main", onclick: this.ondone }, t("done"))] : []),
    ]);
  }

  // Why nothing can move is folded away: most know, and it is no news for who rolls next.
  notice(notice, why) {
    if (!why.length || !this.onclause) return h("p", { class: "notice" }, notice);
    return h("details", { class: "notice" }, h("summary", {}, notice, " ", h("span", { class: "more" }, t("why"))),
      why.map((one) => h("p", { class: "says" }, this.clause(one.clause), " ", one.says)));
  }

  refusal(one) {
    return h("div", { class: "refusal" }, h("p", { class: "reason" }, one.text),
      h("p", { class: "says" }, this.clause(one.clause), " ", one.says));
  }

  clause(clause) {
    const text = t("clause", { clause });
    return this.onclause ? h("button", { class: "clause", onclick: () => this.onclause(clause) }, text) : h("span", { class: "clause" }, text);
  }
}

export const arrowed = (text) => text.replace("→", " → ");

// Why a move that was tried is none, by which rule: as the box would say it.
export const whyNot = (app) => async (from, to) => {
  const told = await fetch(`${app.link.at}/why.json?lang=${app.language}&from=${from}&to=${to}`).then((answer) => (answer.ok ? answer.json() : []), () => []);
  app.warn(told.map(({ text, clause }) => `${text} (${t("clause", { clause })})`).join(" ") || t("choose_legal"));
};

// Whether somebody has to say that the pieces are put right: no sensor sees it.
export const wantsDone = ({ button, unseen }) => unseen && button === "go_on";

// The moves that are legal now; hovering or focusing one shows its way, pressing it plays it.
export class Moves {
  constructor(app, ground, onplay) {
    Object.assign(this, { app, ground, onplay });
    this.list = h("ul", { class: "moves" });
    this.head = h("h2", {});
    this.no = h("p", { class: "quiet-line" });
    this.tallies = h("div", { class: "tallies" });
    this.node = h("section", { class: "card" }, this.head, this.tallies, this.list, this.no);
  }

  update(state) {
    const asked = state.phase === "ask" || state.phase === "menu";
    const any = asked || state.legal.length > 0 || ["roll", "opening", "illegal"].includes(state.phase);
    this.node.hidden = !any || !acts(state) || ["idle", "over", "paused", "setting", "restore", "penalty"].includes(state.phase);
    setText(this.head, asked ? state.question || t("do_ask") : state.wish ? t("wish", { name: nameOf(this.app, state.turn) }) : t(state.game?.board === "mat" ? "moves_cards" : "moves"));
    refill(this.tallies, [state.tallies, document.documentElement.lang], () => (state.tallies.length ? [tallyTable(state.tallies), h("small", {}, t("tally_about"))] : []));
    setText(this.no, state.no);
    this.no.hidden = !state.no;
    const legal = state.tone === "stop" ? state.legal : offered(state);
    const lines = asked ? state.lines : [];
    const wrong = !legal.length && state.tone === "stop" && state.remedy.length > 0; // what is listed stays under the pointer
    const focused = this.list.contains(document.activeElement);
    this.list.style.minHeight = state.made ? `${this.list.getBoundingClientRect().height}px` : ""; // what is below stays there
    refill(this.list, [legal, state.made, wrong, lines, state.cursor, acts(state), document.documentElement.lang], () => {
      let shown = 0;
      if (asked) return lines.map((line, n) => line.away ? null : h("li", {}, h("button", {
        class: n === state.cursor ? "line at" : "line", disabled: !acts(state), onclick: () => this.take(n),
        "data-digit": digit(shown++),
      }, arrowed(line.text), line.value ? h("em", {}, line.value) : null)));
      if (!legal.length) return [h("li", { class: state.made ? "none made" : "none" }, t(state.made ? "move_made" : wrong ? "do_illegal" : "no_moves"))];
      return legal.map((move, n) => this.move(move, acts(state), n));
    });
    if (focused && !this.list.contains(document.activeElement)) toBoard();
  }

  // The move or line with this number, as the digits on the keyboard choose it.
  press(number) {
    this.list.querySelectorAll("button:not(:disabled)")[number - 1]?.click();
  }

  // A line of a question or menu is taken as on the box: the cursor goes there, then OK.
  async take(n) {
    const { link } = this.app;
    const line = link.state.lines[n];
    if (!link.state.control) return link.ask(line.move ? { do: "move", move: line.move } : { do: line.key }); // a player's own answer
    if (!(await isSure(this.app, line))) return;
    const by = n - link.state.cursor;
    for (let step = Math.abs(by); step > 0; step--) link.ask({ do: "press", button: by > 0 ? "down" : "up" });
    link.takeLine(line);
  }

  move(move, control, n) {
    const show = () => this.ground.hover(move);
    const hide = () => this.ground.hover(null);
    return h("li", {}, h("button", {
      class: `move c-${move.colour}`, disabled: !this.onplay || !control, onclick: () => (hide(), this.onplay?.(move)),
      onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide,
      "data-digit": digit(n),
    }, h("span", { class: "chip" }, this.app.names[move.colour].sign), h("span", {}, arrowed(move.words)), /[↯!]$/.test(move.text) ? h("span", { class: "hit", "aria-hidden": "true" }, move.text.at(-1)) : null));
  }
}

// The key that chooses it, drawn by the style sheet.
const digit = (n) => (n < 9 ? String(n + 1) : undefined);

// What each player has rolled, captured and lost, as the box's menu shows it.
const tallyTable = (tallies) => h("table", {},
  h("thead", {}, h("tr", {}, h("th", {}), ...["tally_rolls", "tally_mean", "tally_hits", "tally_lost"].map((key) => h("th", { scope: "col" }, t(key))))),
  h("tbody", {}, tallies.map((one) => h("tr", { class: `c-${one.colour}` }, h("th", { scope: "row", title: one.name }, one.name),
    ...[one.rolls, !one.rolls ? "–" : one.mean.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1 }), one.hits, one.lost].map((value) => h("td", {}, String(value)))))));

// Whether whoever looks may act now: always with control, a player's phone in its own turn, which neither a pause nor the menu covers.
export const acts = ({ control, player, turn, phase }) => control || (player.includes(turn) && !WAITS[phase]);

// Whether somebody may ask which move is the best: where there is a choice, and it is allowed.
export const advisable = ({ phase, legal, boxed, settings, made }) => settings.advice && phase === "move" && !made && legal.length > 1 && !boxed;

// What has been played, newest first.
export class History {
  constructor(app, most = 400) {
    Object.assign(this, { app, most });
    this.list = h("ol", { class: "history", tabindex: 0, "aria-label": t("history"), reversed: true });
  }

  update() {
    const { history, state, told } = this.app.link;
    refill(this.list, [told, document.documentElement.lang], () =>
      history.length ? history.slice(-this.most).flatMap((entry) => this.rows(entry, state)).reverse() : [h("li", { class: "none" }, t("no_history"))]);
  }

  // Who begins is told in a row of its own: another may have rolled last.
  rows(entry, state) {
    const begins = entry.told.find((one) => one.what === "begins");
    if (!begins) return [this.entry(entry, state)];
    return [this.entry({ ...entry, told: entry.told.filter((one) => one !== begins) }, state), this.entry({ ...entry, colour: begins.colour, face: null, told: [begins] }, state)];
  }

  entry(entry, state) {
    const shown = shownFace(state, entry.face);
    const words = entry.ruling ? t("ruling") : entry.opening ? "" : entry.passed ? t("passes") : arrowed(entry.text);
    return h("li", { class: `entry c-${entry.colour}` }, h("span", { class: "chip" }, this.app.names[entry.colour]?.sign ?? ""),
      h("span", { class: "face" }, shown ? small(shown, sayFace(shown)) : ""), h("span", { class: "did" }, words,
        entry.told.filter((one) => one.what !== "again").map((one) => h("small", {}, one.text))));
  }
}

// A person, or one of the box's players: whoever leaves is replaced.
export function seatPicker(app, colour, { levels }) {
  const now = levels[colour] ?? "person";
  const label = t("who_plays", { colour: app.names[colour].name });
  const ask = (event) => app.link.ask({ do: "seat", colour, level: event.target.value === "person" ? null : event.target.value });
  return h("select", { class: "who-plays", "aria-label": label, title: label, onchange: ask },
    ["person", ...LEVELS].map((kind) => h("option", { value: kind, selected: kind === now }, t(kind))));
}

// Everybody as they sit; at the end in order: who has a place first, the others by how far they are.
export class Ranking {
  // `seats` lets people say who plays where.
  constructor(app, seats = false) {
    Object.assign(this, { app, seats });
    this.node = h("section", { class: `card places${seats ? " with-seats" : ""}` });
  }

  update(state) {
    this.node.hidden = !state.game;
    const key = [state.ranking, state.game?.playing, state.names, this.app.link.playedBy, this.begun, this.app.link.history.at(-1)?.progress, state.turn, state.levels, state.chances, state.phase === "over", state.control, state.phone, document.documentElement.lang];
    refill(this.node, key, () => [h("h2", {}, t("places"), " ", h("small", {}, t("places_about"))), h("ol", { class: "standing" }, this.order(state).map((colour) => this.row(colour, state)))]);
  }

  // While they play, rows stay where they are.
  order({ game, ranking, phase }) {
    const playing = game?.playing ?? [];
    const rank = (colour) => (ranking.includes(colour) ? ranking.indexOf(colour) - 10 : -this.part(colour));
    return phase === "over" ? [...playing].sort((a, b) => rank(a) - rank(b)) : playing;
  }

  // Nobody has gone a part of the way before the first move, wherever pieces stand.
  get begun() {
    return this.app.link.history.at(-1)?.opening === false;
  }

  // How much of their way a player's pieces have gone, those of a second colour too.
  part(colour) {
    const done = this.begun ? this.app.link.history.at(-1).progress : {};
    const own = coloursOf(this.app, colour).map((one) => done[one] ?? 0);
    return own.reduce((sum, one) => sum + one, 0) / own.length;
  }

  // The chance to win, while somebody can.
  chance(colour, { chances, phase, settings }) {
    if (!settings.chances || !(colour in chances) || ["opening", "over"].includes(phase)) return null;
    const text = t("chance", { percent: chances[colour] });
    return h("small", { class: "chance", title: t("chance_about") }, text);
  }

  // Who plays a seat can be changed at any time.
  whoPlays(colour, state) {
    return this.seats && state.control && state.phase !== "over" ? seatPicker(this.app, colour, state) : null;
  }

  // A code with which a phone plays this seat.
  phone(colour, { phone, control }) {
    if (!phone || !control || !this.seats || levelOf(this.app, colour)) return null;
    return h("button", { class: "who-plays", "aria-label": t("phone_for", { name: playerOf(this.app, colour) }), onclick: async () => (await import("./seat_code.js")).seatCode(this.app, colour, playerOf(this.app, colour)) }, t("phone"));
  }

  row(colour, state) {
    const { ranking, turn } = state;
    const place = ranking.indexOf(colour) + 1;
    const done = `${percent(this.part(colour))} %`;
    const fill = h("span", { class: "fill" });
    fill.style.width = done.replace(" ", "");
    return h("li", { class: `c-${colour}${colour === turn ? " on" : ""}` }, h("span", { class: "chip" }, this.app.names[colour].sign),
      h("span", { class: "player" }, h("span", { class: "who", title: playerOf(this.app, colour) }, playerOf(this.app, colour)), this.chance(colour, state)),
      h("span", { class: "bar" }, fill), h("span", { class: "prize" }, place ? t("nth", { number: place }) : this.begun ? done : ""), h("span", { class: "seat-buttons" }, this.whoPlays(colour, state), this.phone(colour, state)));
  }
}

// Whoever only watches may show the PIN, or is told that there is none.
export function pinForm(app, state, about = t(app.link.wasInControl ? "pin_again" : "pin_about")) {
  if (!state.pin) return [h("p", { class: "hint" }, t(["127.0.0.1", "localhost", "[::1]"].includes(location.hostname) ? "no_key" : "no_pin"))];
  const field = h("input", { type: "password", inputmode: "numeric", autocomplete: "off", pattern: "[0-9]*", maxlength: 12, "aria-label": t("pin"), placeholder: t("pin"), class: "pin" });
  const fault = h("p", { class: "fault", role: "alert" });
  const form = h("form", { class: "pin-form" }, h("p", { class: "hint" }, about), h("div", { class: "row" }, field, h("button", { class: "main", type: "submit" }, t("unlock"))), fault);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = field.value ? ((await app.link.showPin(field.value)) ?? "") : t("ask_pin");
    field.value = "";
    field.focus();
  });
  return [form];
}
