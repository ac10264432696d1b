// The bench: the board drawn, with the place that is asked for, what answered and what was seen.

import { Board } from "./board.js";
import { h, refill, s, setText } from "./dom.js";
import { Mat } from "./mat.js";
import { Oled } from "./oled.js";
import { Sound } from "./sound.js";
import { LANGUAGES, speak, t, wantedLanguages } from "./words.js";

const get = async (path) => (await fetch(path)).json();
const app = { language: wantedLanguages(), told: null };
let line = null, edition = null, ground = null;

async function post(path, body) {
  let said = "";
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (!answer.ok) said = answer.status === 401 ? t(path === "/pin" ? "wrong_pin" : "need_pin") : (await answer.json().catch(() => ({}))).error ?? answer.statusText;
  } catch {
    said = t("reconnecting");
  }
  oops.textContent = said;
  oops.hidden = !said;
  return !said;
}

// One after the other: a place is pressed before it is let go.
let queue = Promise.resolve();
const ask = (wish) => (queue = queue.then(() => post("/do", wish)));
const oops = h("p", { class: "oops", role: "alert", hidden: true });
const lost = h("p", { class: "lost", role: "alert", hidden: true });

// -- what never changes --------------------------------------------------------------------------

const parts = {};

function build() {
  document.title = `${t("bench")} – ${t("title")}`;
  const language = h("select", { class: "language", "aria-label": t("language"), onchange: () => tongue(language.value) },
    Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === app.language, lang: code }, name)));
  parts.board = h("section", { class: "card board-card", "aria-label": t("bench") });
  parts.modes = h("div", { class: "modes" });
  parts.asks = h("p", { class: "asks", role: "status", "aria-live": "polite" });
  parts.says = h("ul", { class: "says", role: "status", "aria-live": "polite" });
  parts.bar = h("progress", { max: 1, value: 0, "aria-label": t("bench_far") });
  parts.far = h("span", {});
  parts.deeds = h("div", { class: "deeds" });
  parts.last = h("ul", { class: "last", "aria-label": t("bench_last") });
  parts.lastCard = h("section", { class: "card" }, h("h2", {}, t("bench_last")), parts.last);
  parts.legend = h("p", { class: "legend" });
  parts.map = h("pre", {});
  parts.mapCard = h("details", { class: "card" }, h("summary", {}, t("bench_map")), h("p", { class: "hint" }, t("bench_map_about")), parts.map);
  parts.oled = new Oled(t("oled"));
  const button = (key, wish) => h("button", { onclick: () => ask({ do: "button", ...wish }) }, t(key));
  parts.box = h("section", { class: "card box", hidden: true }, h("h2", {}, t("the_box")), parts.oled.canvas,
    h("div", { class: "buttons" }, button("up", { button: "up" }), button("down", { button: "down" }), button("ok", { button: "ok" }), button("hold_ok", { button: "ok", held: true })));
  parts.asking = h("section", { class: "card asking" }, parts.modes, parts.asks, parts.says, h("div", { class: "far" }, parts.bar, parts.far), parts.deeds);
  parts.pin = h("section", { class: "card", hidden: true });
  document.body.replaceChildren(
    h("header", { class: "top" }, h("h1", {}, h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }), t("bench")), h("nav", {}, h("a", { class: "link", href: "/setup" }, t("setup")), language)),
    h("main", { class: "bench", id: "main" }, parts.board,
      h("div", { class: "side" }, parts.asking, parts.pin, parts.box, parts.lastCard, parts.mapCard)),
    lost, oops);
  ground = null;
}

async function tongue(language) {
  app.language = language;
  localStorage.setItem("language", language);
  await load();
  build();
  listen();
}

// -- while a game is on: the way here -----------------------------------------------------------------

function offer(state) {
  if (parts.asking.dataset.offer === "yes") return;
  parts.asking.dataset.offer = "yes";
  setText(parts.asks, t("bench_offer"));
  refill(parts.says, ["offer"], () => [h("li", {}, t("bench_offer_about"))]);
  parts.bar.hidden = true;
  refill(parts.deeds, ["offer", state.control], () => [
    h("button", { class: "main", disabled: !state.control, onclick: () => post("/bench", {}) }, t("bench_begin")),
    h("a", { class: "button", href: "/" }, t("table"))]);
  pin(state);
  for (const part of [parts.board, parts.modes, parts.lastCard, parts.mapCard, parts.box]) part.hidden = true;
}

function pin(told) {
  parts.pin.hidden = told.control;
  refill(parts.pin, [told.pin, told.control], () => {
    if (!told.pin) return [h("p", { class: "hint" }, t("bench_no_pin"))];
    const field = h("input", { type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 12, "aria-label": t("pin"), placeholder: t("pin") });
    const unlock = async (event) => {
      event.preventDefault();
      if (await post("/pin", { pin: field.value })) listen();
    };
    return [h("form", { onsubmit: unlock }, h("p", { class: "hint" }, t("bench_pin_about")), h("div", { class: "row" }, field, h("button", { class: "main", type: "submit" }, t("unlock"))))];
  });
}

// -- the board -------------------------------------------------------------------------------------------

function draw(told) {
  if (ground?.name !== told.board) {
    const data = app.boards[told.board];
    ground = told.board === "mat" ? new Mat(told.board, data, app.names) : new Board(told.board, data, [], app.names);
    ground.marks = s("g", {});
    ground.svg.append(ground.marks);
    for (const node of ground.svg.querySelectorAll("[data-place]")) press(node);
    parts.board.replaceChildren(ground.svg, parts.legend);
  }
  const pressable = told.sim && told.control;
  ground.svg.classList.toggle("pressable", pressable);
  ground.svg.setAttribute("role", pressable ? "group" : "img");
  for (const node of ground.svg.querySelectorAll("[data-place]")) {
    if (pressable) for (const [name, value] of [["tabindex", 0], ["role", "button"], ["aria-label", node.dataset.place]]) node.setAttribute(name, value);
  }
  ground.svg.setAttribute("aria-label", `${told.title}: ${told.question} ${told.progress}`);
  const known = { on: new Set(told.on), done: new Set(told.done), bad: new Set(told.bad) };
  const marks = [];
  for (const [id, kind, , x, y] of ground.data.places) {
    const big = kind === "home" ? 0.26 : 0.4;
    if (known.on.has(id)) marks.push(sign("on", x, y, big));
    else if (known.bad.has(id)) marks.push(sign("bad", x + big * 0.7, y - big * 0.7, big));
    else if (known.done.has(id)) marks.push(sign("done", x + big * 0.7, y - big * 0.7, big));
    if (told.asked === id) marks.push(sign("asked", x, y, big));
  }
  ground.marks.replaceChildren(...marks);
}

// Each sign has a shape of its own: a disc, a tick, a cross, a ring.
function sign(name, x, y, size) {
  if (name === "on") return s("circle", { cx: x, cy: y, r: size * 0.75, class: "mark on" });
  if (name === "asked") return s("g", { class: "mark asked" }, ...[1, 2].map(() => s("circle", { cx: x, cy: y, r: size + 0.12 })));
  const d = name === "done" ? "M-.08 0L-.02 .07L.09 -.07" : "M-.07 -.07L.07 .07M.07 -.07L-.07 .07";
  return s("g", { class: `mark tick ${name}`, transform: `translate(${x} ${y}) scale(${size / 0.4})` }, s("circle", { r: 0.17 }), s("path", { d }));
}

// On a simulated board a place is pressed as a finger or a piece would.
function press(node) {
  const place = node.dataset.place;
  const put = (on) => app.told?.sim && app.told.control && ask({ do: "touch", place, on });
  let down = false;
  node.addEventListener("pointerdown", () => (down = true, put(true)));
  const up = () => down && (down = false, put(false));
  for (const name of ["pointerup", "pointerleave", "pointercancel"]) node.addEventListener(name, up);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    put(true);
    put(false);
  });
}

// -- what is told -----------------------------------------------------------------------------------------

function show(told) {
  app.told = told;
  delete parts.asking.dataset.offer;
  parts.board.hidden = parts.bar.hidden = parts.modes.hidden = parts.lastCard.hidden = false;
  draw(told);
  setText(parts.asks, told.question || (told.mode === "watch" && told.last[0]) || told.title);
  parts.says.classList.toggle("wrong", told.wrong);
  const said = [...told.sentences, ...(told.why ? [told.why] : [])];
  refill(parts.says, said, () => said.map((one) => h("li", {}, one)));
  const [done, all] = [told.done.length, ground.data.places.length];
  parts.bar.value = done / all;
  setText(parts.far, told.mode === "watch" ? told.progress : `${done}/${all}`);
  const mine = told.control;
  const button = (key, kind = "", more = {}) => h("button", { class: kind, disabled: !mine, onclick: () => ask({ do: key }), ...more }, told.lines[key]);
  refill(parts.modes, [told.mode, told.lines, mine], () => [
    ...["watch", "learn"].map((mode) => button(mode, "", { "aria-pressed": String(told.mode === mode) })),
    h("button", { disabled: !mine, onclick: () => confirm(t("bench_again_sure")) && ask({ do: "again" }) }, told.lines.again)]);
  refill(parts.deeds, [told.asked !== null, told.mode, told.lines, mine], () => [
    ...(told.mode === "learn" && told.asked ? [button("skip"), button("back")] : []),
    h("button", { disabled: !mine, onclick: () => ask({ do: "end" }) }, t("bench_end"))]);
  refill(parts.last, told.last, () => told.last.map((one) => h("li", {}, one)));
  refill(parts.legend, [told.mode, app.language], () => legend(told.mode));
  setText(parts.map, told.map.length ? `map = [\n${told.map.map((row) => `    "${row}",`).join("\n")}\n]` : "");
  parts.mapCard.hidden = !told.map.length;
  if (told.kept === "forbidden" && !told.asked) parts.mapCard.open = true;
  parts.box.hidden = !told.sim;
  pin(told);
}

const legend = (mode) => [
  ...(mode === "learn" ? [["asked", "bench_asked"], ["done", "bench_done"], ["bad", "bench_missing"]] : [["done", "bench_seen"], ["bad", "bench_flickers"]]),
  ["on", "bench_on"],
].map(([kind, key]) => h("span", {}, s("svg", { viewBox: "-.6 -.6 1.2 1.2", "aria-hidden": "true" }, kind === "done" || kind === "bad" ? sign(kind, 0, 0, 1.1) : sign(kind, 0, 0, 0.4)), t(key)));

const sound = new Sound();

function listen() {
  line?.close();
  line = new EventSource(`/events?lang=${app.language}&full=1`);
  const hear = (name, take) => line.addEventListener(name, (event) => (lost.hidden = true, take(JSON.parse(event.data))));
  hear("edition", (found) => {
    if ((edition ??= found) !== found) location.reload();
  });
  hear("bench", show);
  hear("state", offer);
  hear("oled", (bits) => parts.oled.draw(bits));
  hear("sound", (pattern) => sound.play?.(pattern));
  line.addEventListener("error", () => {
    lost.textContent = t("reconnecting");
    lost.hidden = false;
    if (line.readyState === EventSource.CLOSED) setTimeout(listen, 1500);
  });
}

async function load() {
  const [boards, { language, colours }] = await Promise.all([app.boards ?? get("/boards.json"), speak(app.language, "behind")]);
  Object.assign(app, { language, boards, names: colours });
}

await load();
build();
listen();
