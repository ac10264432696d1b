// Past games: every game that is kept here, found by name, sheet or day, and replayed move by move.

import { Board, named } from "./board.js";
import { aboutDie, dieChart, leadChart, hitsChart } from "./charts.js";
import { small } from "./die.js";
import { h, refill, setText, styled } from "./dom.js";
import { sure } from "./form.js";
import { header } from "./header.js";
import { Mat } from "./mat.js";
import { arrowed, pinForm, sayFace, shownFace } from "./parts.js";
import { Statistics } from "./statistics.js";
import { capital, t } from "./words.js";

await styled("/games.css");

const LARGEST = 400 * 1024; // bytes of a record
const SPEEDS = [["speed_slow", 1600], ["speed_usual", 800], ["speed_quick", 250]]; // milliseconds a move
const SETTLED = 300; // milliseconds at a move before the address is its: browsers take only so many
const REFUSED = { 401: "need_pin", 409: "import_known", 413: "import_huge", 415: "import_foreign", 507: "import_full" }; // by the answer's status
// What is wrong with a file, where it is a record.
const damaged = ({ line, lacks, sheet }) => (sheet ? t("import_sheet", { sheet }) : line ? t("import_damaged", { line }) : lacks ? t("import_header", { lacks }) : t(lacks === "" ? "import_begins" : "import_foreign"));
const UNWON = { ended: "game_ended", open: "game_open", broken: "game_broken" };

export function gamesView(app) {
  const { link } = app;
  const search = h("input", { type: "search", class: "search", "aria-label": t("search_games"), placeholder: t("search_games"), maxlength: 60 });
  const list = h("ol", { class: "games", "aria-label": t("past_games") });
  const more = h("button", { hidden: true, onclick: () => find(false) }, t("more_games"));
  const pin = h("section", { class: "card", "aria-label": t("past_games"), hidden: true });
  const replay = new Replay(app, () => gone());
  const gone = () => (find(true).then(() => say(t("game_deleted"), "hint")), statistics.again(), search.focus());
  const said = h("p", { class: "fault", role: "status" });
  const broken = h("button", { class: "quiet", hidden: true }, t("delete_game")); // what cannot be replayed can go, too
  const say = (text, kind = "fault") => (setText(said, text), (said.className = kind), (broken.hidden = true));
  const file = h("input", { type: "file", accept: ".txt,text/plain", hidden: true, onchange: () => bring() });
  const imports = h("button", { onclick: () => file.click() }, t("import_game"));
  const brought = h("p", { class: "fault", role: "status" }); // beside its button: the list may be long
  const tell = (text, kind = "fault") => {
    setText(brought, text);
    brought.className = kind;
    if (text) brought.scrollIntoView({ block: "nearest" });
  };
  const statistics = new Statistics(app);
  const side = h("div", { class: "found-side" },
    h("section", { class: "card found" }, h("h2", {}, t("past_games")), search, said, broken, list, more, h("div", { class: "bring" }, imports, file, brought)), statistics.node);
  const hint = h("p", { class: "hint", hidden: true }, t("choose_past")); // where a game will be
  const main = h("main", { class: "past", id: "main" }, side, pin, hint, replay.node);
  document.body.replaceChildren(header(app, "games", {}), main);

  let asked = 0, oldest = null, wanted = null;
  const find = async (afresh) => {
    const mine = ++asked;
    const query = new URLSearchParams({ q: search.value, lang: app.language, ...(afresh || oldest === null ? {} : { before: oldest }) });
    const answer = await fetch(`/games.json?${query}`).catch(() => null);
    if (mine !== asked) return;
    side.hidden = !(pin.hidden = answer?.status !== 401);
    if (!answer?.ok) return;
    const told = await answer.json();
    if (afresh) list.replaceChildren();
    list.append(...told.games.map((one) => row(app, one, (number) => (tell(""), choose(number)))));
    frame();
    tellResults(app, told.games, list);
    oldest = told.then ?? told.games.at(-1)?.number ?? oldest;
    more.hidden = !told.more;
    say(list.childElementCount ? "" : t(search.value ? "no_such_games" : "no_games"));
  };
  // A game from elsewhere; whatever is wrong with its file is said, and nothing else happens.
  const bring = async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    const text = chosen.size > LARGEST ? null : await chosen.text().catch(() => "");
    file.value = "";
    tell("");
    if (text === null) return tell(t("import_huge"));
    const answer = await fetch("/import", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text }) }).catch(() => null);
    const told = await answer?.json().catch(() => ({}));
    if (answer?.status === 409) await choose(told.number);
    if (!answer?.ok) return tell(!answer ? t("reconnecting") : REFUSED[answer.status] ? t(REFUSED[answer.status]) : damaged(told));
    search.value = "";
    statistics.again();
    await find(true);
    tell(`${t("import_done")} ${told.cut ? t("import_cut", { letters: app.longestName }) : ""}`, "hint");
    choose(told.number);
  };
  // Somebody wants to see another game: the way back leads to the one before.
  const choose = async (number) => {
    replay.note();
    if (!(await open(number))) return;
    history[replay.isNoted ? "replaceState" : "pushState"](null, "", replay.path);
    if (list.contains(document.activeElement)) replay.head.focus({ preventScroll: true }); // the space bar plays it now
    if (matchMedia("(max-width: 760px)").matches) replay.node.scrollIntoView(); // below the list, where nobody sees it
  };
  // `move` counts the rolls for who begins, as old links do; `after` does not. An old link has another number, too.
  const open = async (number, move = 0, after = null, old = false) => {
    const wish = (wanted = {});
    const answer = await fetch(`/games/${number}.json?lang=${app.language}${old ? "&old=1" : ""}`).catch(() => null);
    const told = answer?.ok && (await answer.json());
    if (wish !== wanted) return; // another is wanted by now
    if (!told) return missing(number, old ? 0 : answer?.status);
    say("");
    replay.show(told, move, after);
    if (old) history.replaceState(null, "", replay.path);
    frame();
    return true;
  };
  const missing = (number, status) => {
    say(t("game_missing", { number }));
    const row = list.querySelector(`[data-number="${number}"]`);
    broken.hidden = status !== 404 || !row || !link.state?.control;
    broken.onclick = async () => (await deleteGame(app, number, [...row.children].slice(0, 2).map((one) => one.textContent).join(" · "))) && gone();
  };
  // The game that is shown has a frame in the list.
  const frame = () => {
    list.querySelectorAll("button").forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.number === String(replay.told?.number))));
    hint.hidden = Boolean(replay.told) || !pin.hidden || !list.childElementCount;
  };
  let typing = null;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => find(true), 200);
  });
  const keys = (event) => {
    if (event.target.closest?.("input:not([type=range]), select, dialog")) return;
    if (replay.key(event.key)) event.preventDefault();
  };
  document.addEventListener("keydown", keys);
  // The game and the move that the address leads to; without the PIN there is none to see yet.
  const linked = () => {
    const asked = new URLSearchParams(location.search);
    const old = asked.get("game"), number = asked.get("number") ?? old;
    if (!number) (wanted = null), replay.close();
    frame();
    if (!number || !pin.hidden) return;
    if (/^i?\d{1,15}$/.test(number)) open(number, parseInt(asked.get("move")) || 0, asked.get("after"), number === old);
    else say(t("game_missing", { number: number.slice(0, 20) }));
  };
  find(true).then(linked);
  addEventListener("popstate", linked);
  const update = () => {
    if (!link.state) return;
    if (link.state.control && !pin.hidden) find(true).then(linked);
    replay.other.hidden = replay.remove.hidden = replay.stays.hidden = imports.hidden = !link.state.control;
    refill(pin, [link.state.control, link.state.pin, document.documentElement.lang], () => (link.state.control ? [] : barred(app, link.state)));
  };
  return { heard: { state: update }, end: () => (document.removeEventListener("keydown", keys), removeEventListener("popstate", linked), replay.pause(), replay.note()) };
}

// Past games are for those who may play, since names are in them: why nothing else is here.
const barred = (app, state) => [h("h2", {}, t("past_games")), ...(state.pin ? [] : [h("p", {}, t("games_at_box"))]),
  ...(state.pin || !state.player.length ? pinForm(app, state, t("games_pin")) : [])];

// By colour, what everybody is called: by name, as the box's player, or by the colour; once the game is known, all who played there.
function namesIn(app, { players, levels, playedBy }, colours = Object.keys(players)) {
  const called = (colour) => {
    const by = playedBy?.[colour];
    if (by) return by;
    const level = by !== "" && levels[colour];
    if (!level) return players[colour] || capital(app.names[colour].name);
    const alone = Object.values(levels).filter((one) => one === level).length === 1;
    return alone ? capital(t(level)) : `${capital(t(level))} (${app.names[colour].name})`;
  };
  return Object.fromEntries(colours.map((colour) => [colour, called(colour)]));
}

// How they went takes longer to find out, and is told when it is known.
async function tellResults(app, games, list) {
  const answer = games.length && (await fetch(`/results.json?lang=${app.language}&numbers=${games.map((one) => one.number).join(",")}`).catch(() => null));
  if (!answer?.ok) return;
  for (const [number, told] of Object.entries(await answer.json())) {
    const one = games.find((game) => String(game.number) === number);
    const [, who, about] = list.querySelector(`[data-number="${number}"]`)?.children ?? [];
    if (!one || !about) continue;
    setText(who, whoPlayed(app, Object.assign(one, told)));
    setText(about, aboutGame(app, one));
  }
}

function aboutGame(app, one) {
  const result = !one.state ? "" : one.state === "won" ? t("won_by", { name: namesIn(app, one)[one.winner] }) : t(UNWON[one.state]);
  return [one.sheet, one.minutes && t("fact_minutes", { number: one.minutes }), one.count && t(one.count === 1 ? "fact_move" : "fact_moves", { number: one.count }), result].filter(Boolean).join(" · ");
}

// "2026-11-18 03:25" as the reader writes it, in the page's language; of games from elsewhere only the day is known.
function dayOf(began) {
  const [day, time] = began.split(" ");
  const moment = new Date(`${day}T${time ?? "00:00"}`);
  if (Number.isNaN(moment.getTime())) return began;
  const { lang } = document.documentElement;
  const own = navigator.languages.find((one) => one.startsWith(lang)) ?? lang; // British days are not American ones
  return moment.toLocaleString(own, { dateStyle: "long", ...(time ? { timeStyle: "short" } : {}) });
}

// A game is called by its number, here and in the terminal; `i3` was brought from a file.
const calledGame = (number) => [t("game_number", { number }), ...(number.startsWith("i") ? [t("game_brought")] : [])];

const whoPlayed = (app, one) => Object.values(namesIn(app, one)).join(", ") || "?";

function row(app, one, open) {
  return h("li", {}, h("button", { class: "past-game", "data-number": one.number, onclick: () => open(one.number) },
    h("span", { class: "day" }, [...calledGame(one.number), dayOf(one.began)].join(" · ")), h("strong", {}, whoPlayed(app, one)),
    h("small", {}, aboutGame(app, one))));
}

// For good, after a question; why not is told.
const deleteGame = async (app, number, game) => (await sure(t("really_delete_game", { game }), t("delete_game"))) && !(await app.link.ask({ do: "delete_game", number }));

// One game with a slider over its moves.
class Replay {
  // `deleted` is called when the game that was shown is no longer there.
  constructor(app, deleted) {
    this.app = app;
    this.deleted = deleted;
    this.ground = h("div", { class: "board-card" });
    this.slider = h("input", { type: "range", min: 0, value: 0, "aria-label": t("move_slider"), oninput: () => (this.pause(), this.go(Number(this.slider.value))) });
    this.play = h("button", { class: "main", onclick: () => (this.timer ? this.pause() : this.run()) }, t("replay_play"));
    this.speed = h("select", { "aria-label": t("speed") }, SPEEDS.map(([key, pace]) => h("option", { value: pace, selected: pace === 800 }, t(key))));
    this.said = h("p", { class: "said", role: "status" });
    this.head = h("h2", { tabindex: -1 });
    this.keep = h("a", { class: "button", download: "" }, t("record"));
    this.link = h("button", { onclick: () => this.copyLink() }, t("link_here"));
    this.copied = h("p", { class: "hint", role: "status" });
    this.address = h("input", { type: "text", readonly: true, hidden: true, "aria-label": t("link_here"), onclick: () => this.address.select() });
    this.other = h("button", { onclick: () => this.whatIf(), hidden: !app.link?.state?.control }, t("what_if"));
    this.remove = h("button", { class: "quiet", onclick: () => this.delete(), hidden: !app.link?.state?.control }, t("delete_game"));
    this.stays = h("p", { class: "hint", hidden: !app.link?.state?.control });
    this.refused = h("ul", { class: "refused", "aria-label": t("refused_then") });
    this.charts = h("div", { class: "charts" });
    this.node = h("section", { class: "card replay", hidden: true }, this.head, this.ground,
      h("div", { class: "row" }, h("button", { "aria-label": t("step_back"), onclick: () => this.step(-1) }, "◀"), this.play,
        h("button", { "aria-label": t("step_on"), onclick: () => this.step(1) }, "▶"), this.speed),
      this.slider, this.said, this.refused, h("div", { class: "row" }, this.other, this.keep, this.link, this.remove), this.address, this.copied, this.stays, h("p", { class: "hint" }, t("replay_keys")), this.charts);
  }

  show(told, move, after) {
    this.pause();
    this.told = told;
    this.first = told.moves.filter(({ opening }) => opening).length; // rolls for who begins are no moves
    if (after !== null) move = this.first + (parseInt(after) || 0);
    this.node.hidden = false;
    const { app } = this;
    const { game, moves, number } = told;
    const data = app.boards[game.board];
    const names = (this.names = namesIn(app, { ...told, players: told.names }, data.colours));
    this.board = game.board === "mat" ? new Mat(game.board, data, app.names) : new Board(game.board, data, game.marks, app.names);
    this.pieces = [];
    this.ground.replaceChildren(this.board.svg);
    this.slider.max = moves.length;
    setText(this.head, [...calledGame(number), dayOf(told.began), game.title, game.playing.map((colour) => names[colour]).join(", ")].join(" · "));
    this.remove.disabled = told.onTable;
    setText(this.stays, told.onTable ? t("game_on_table") : "");
    this.keep.href = `/games/${number}.txt`;
    const titled = (key, svg, about) => h("figure", { class: "chart" }, h("figcaption", {}, h("strong", {}, t(key)), about ? h("small", {}, about) : null), svg);
    this.charts.replaceChildren(titled("lead_chart", leadChart(moves, game.playing, app.names, names)),
      titled("hits_chart", hitsChart(moves, game.playing, app.names, names)), titled("die_chart", dieChart(told.die, game.faces), aboutDie(told.die)));
    this.go(Math.min(Math.max(move, 0), moves.length));
  }

  // Nothing is shown any more.
  close() {
    this.pause();
    clearTimeout(this.noting);
    this.told = null;
    this.node.hidden = true;
  }

  // The board as it was after so many moves; a single move on is seen being made.
  go(at) {
    const { moves, pieces, game, number } = this.told;
    const still = at !== this.at + 1 || document.activeElement === this.slider;
    this.at = at;
    const entry = moves[at - 1];
    const stand = entry?.pieces ?? pieces;
    if (this.board instanceof Mat) this.board.setHeights(stand, game.playing);
    else {
      this.pieces = named(this.pieces, stand);
      this.board.setPieces(this.pieces, still);
      this.board.showWays(entry?.to ? [entry] : []);
    }
    this.slider.value = at;
    clearTimeout(this.noting);
    this.noting = setTimeout(() => this.note(), SETTLED);
    this.address.hidden = true;
    setText(this.copied, "");
    refill(this.refused, [number, this.told.refused[at] ?? []], () => (this.told.refused[at] ?? []).map((one) => h("li", {}, h("strong", {}, "✕ "), `${one.text} `, h("small", {}, one.clause))));
    const shown = shownFace({ game }, entry?.face);
    const did = !entry ? t("set_up") : entry.ruling ? t("ruling") : entry.opening ? t("to_begin") : entry.passed ? t("passes") : arrowed(entry.text);
    this.said.replaceChildren(`${Math.max(at - this.first, 0)} / ${moves.length - this.first}  `, ...(entry ? [h("strong", {}, entry.by ?? this.names[entry.colour]), " "] : []),
      ...(shown ? [small(shown, sayFace(shown)), " "] : []), did, ...(entry?.told ?? []).filter((one) => one.what !== "again").map((one) => h("small", {}, ` ${one.text}`)));
  }

  // Where this game at this move is found again.
  get path() {
    if (!this.told) return location.pathname + location.search; // it may still be loading
    const move = !this.at ? "" : this.at < this.first ? `&move=${this.at}` : `&after=${this.at - this.first}`;
    return `/games?number=${this.told.number}${move}`;
  }

  // Whether the address is that of the game that is shown.
  get isNoted() {
    return this.told && new URLSearchParams(location.search).get("number") === this.told.number;
  }

  // The address follows the moves of the game it leads to.
  note() {
    clearTimeout(this.noting);
    if (this.isNoted) history.replaceState(null, "", this.path);
  }

  // The address leads here from now on, and can be sent to somebody; nothing is loaded again.
  async copyLink() {
    history.replaceState(null, "", this.path);
    this.address.value = location.href;
    this.address.hidden = false;
    this.address.select();
    const done = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    if (!done && !document.execCommand("copy")) return setText(this.copied, t("link_to_copy"));
    setText(this.copied, t("copied"));
    this.copied.scrollIntoView({ block: "nearest" });
    this.link.focus(); // the arrow keys go on through the game
  }

  // Another way from here, at a table of its own.
  async whatIf() {
    this.pause();
    const { number, moves, state } = this.told;
    const move = Math.min(this.at, moves.length - (state === "won" ? 1 : 0)); // after the last one nothing can be tried
    const answer = await fetch("/what-if", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ game: number, move }) }).catch(() => null);
    if (answer?.ok) location.assign("/what-if");
    else this.app.warn(t(answer?.status === 401 ? "need_pin" : "not_now"));
  }

  async delete() {
    this.pause();
    if (!(await deleteGame(this.app, this.told.number, this.head.textContent))) return;
    this.close();
    history.replaceState(null, "", "/games");
    this.deleted();
  }

  step(by) {
    this.pause();
    this.go(Math.min(Math.max(this.at + by, 0), this.told.moves.length));
  }

  run() {
    if (this.at >= this.told.moves.length) this.go(0);
    setText(this.play, t("replay_pause"));
    const next = () => {
      if (this.at >= this.told.moves.length) return this.pause();
      this.go(this.at + 1);
      this.timer = setTimeout(next, Number(this.speed.value));
    };
    this.timer = setTimeout(next, Number(this.speed.value));
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    setText(this.play, t("replay_play"));
  }

  // Whether a key means something here.
  key(key) {
    if (!this.told) return false;
    const act = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.step(-Infinity), End: () => this.step(Infinity), " ": () => (this.timer ? this.pause() : this.run()) }[key];
    if (!act || (key === " " && document.activeElement?.closest("button, a"))) return false;
    act();
    return true;
  }
}
