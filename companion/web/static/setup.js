// Setting the box up: what was built, who may open the page, updates. Root does it; only then it is said.

import { h } from "./dom.js";
import { LANGUAGES, speak, t, wantedLanguages } from "./words.js";

const BUILDS = ["found", "build-0", "build-a-40", "build-b-52", "build-c-68", "card-keypad", "card-mat"];
const SCREENS = ["ssd1306", "sh1106", "none"];
const PATIENCE = 60; // seconds for the box to be back
let language = wantedLanguages(), told = null;
const said = h("p", { class: "said", role: "status", "aria-live": "polite" });

const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

async function look() {
  const answer = await fetch("/setup.json");
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error ?? answer.statusText);
  told = await answer.json();
}

// A sentence; what is typed at a command line stands in it between backticks.
const coded = (text) => text.split("`").map((part, n) => (n % 2 ? h("code", {}, part) : part));

function say(text, kind = "") {
  said.replaceChildren(...coded(text));
  said.className = `said ${kind}`;
}

async function post(path, body) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  if (answer.ok) return "";
  if (answer.status === 401) return t(path === "/pin" ? "wrong_pin" : "setup_pin_about");
  return (await answer.json().catch(() => ({}))).error ?? answer.statusText;
}

// The box starts again with what was written: it may be gone before it has answered.
async function order(wish) {
  say(t("setup_wait"));
  for (const button of document.querySelectorAll("main button")) button.disabled = true;
  const fault = await post("/setup", wish).catch(() => "");
  await wait(fault ? 0 : 1.5);
  for (let gone = 0; gone < PATIENCE; gone++) {
    try {
      await look();
      break;
    } catch {
      await wait(1);
    }
  }
  build();
  say(fault || t("setup_done"), fault ? "warn" : "good");
}

// -- the cards -----------------------------------------------------------------------------------

function boxCard() {
  const may = told.control;
  const pick = (name, label, values, now) => h("label", {}, label,
    h("select", { name, disabled: !may, required: true }, values.map((one) => h("option", { value: one, selected: one === now }, t(`setup_${one || "own"}`)))));
  const [sensing, die, screen] = [`setup_${told.sensing}`, `setup_die_${told.die}`, `setup_${told.screen}`].map((one) => t(one));
  const down = h("input", { type: "checkbox", name: "upside_down", checked: told.upside_down, disabled: !may });
  const form = h("form", { onsubmit: (event) => (event.preventDefault(), write(form)) },
    h("div", { class: "card-body" },
      pick("build", t("setup_build"), told.build ? BUILDS : ["", ...BUILDS], told.build ?? ""),
      pick("screen", t("setup_screen"), SCREENS, told.screen),
      h("label", { class: "check" }, down, t("setup_upside_down"))),
    h("div", { class: "row" },
      h("button", { class: "main", type: "submit", disabled: !may }, t("setup_write")),
      told.matrix ? h("a", { class: "button", href: "/bench" }, t("setup_bench")) : null));
  // The papers of a build name a screen: whoever has that one need not know its chip.
  form.elements.build.addEventListener("change", ({ target }) => (form.elements.screen.value = told.screens[target.value] ?? told.screen));
  return h("section", { class: "card" }, h("h2", {}, t("setup_box")),
    h("p", {}, told.written ? t("setup_written", { board: told.board, sensing, die, screen }) : t("setup_new")),
    told.forgets ? h("p", { class: "warn" }, t("setup_forgets")) : null, form);
}

async function write(form) {
  const { build, screen, upside_down: down } = form.elements;
  await order({ do: "configure", build: build.value, screen: screen.value, upside_down: down.checked });
  if (!said.classList.contains("good")) return;
  if (build.value === "found" && !told.picos) say(t("setup_nothing"), "warn");
  else said.append(" ", h("a", { class: "button main", href: told.mapped ? "/" : "/bench" }, t(told.mapped ? "setup_next_game" : "setup_next_bench")));
}

function houseCard() {
  const pin = h("input", { name: "pin", inputmode: "numeric", autocomplete: "off", pattern: "[0-9]{6,12}", title: t("setup_pin"), maxlength: 12 });
  const open = (event) => (event.preventDefault(), order({ do: "open_page", pin: pin.value }));
  const ways = [h("form", { onsubmit: open }, h("label", {}, t("setup_pin"), pin),
    h("div", { class: "row" },
      h("button", { class: told.open ? "" : "main", type: "submit" }, t(told.open ? "setup_new_pin" : "setup_open_it")),
      ...(told.open ? [h("button", { type: "button", onclick: () => order({ do: "open_page", on: false }) }, t("setup_close_it"))] : [])))];
  return h("section", { class: "card" }, h("h2", {}, t("setup_house")),
    h("p", {}, told.open ? t("setup_open", { address: told.address }) : t("setup_closed")),
    told.open && told.own_pin ? h("p", {}, t("setup_open_pin", { pin: told.own_pin })) : null,
    ...(told.box ? ways : [h("p", { class: "hint" }, t("setup_at_box"))]));
}

const cafeCard = () => h("section", { class: "card" }, h("h2", {}, t("setup_cafe")),
  h("p", {}, told.house ? t("setup_cafe_in", { name: told.house }) : coded(t("setup_cafe_none"))));

// -- updates -----------------------------------------------------------------------------------------

const faultOf = (name) => t(FAULTS.includes(name) ? `update_${name}` : "update_fault");
const FAULTS = ["no_key", "no_file", "not_a_package", "not_signed", "wrong_signature", "another_package", "another_machine",
  "too_large", "no_stick", "no_room", "not_kept", "read_only", "not_installed", "none_before", "changed"];

function updateCard() {
  const may = told.control, { update } = told;
  const file = h("input", { type: "file", accept: ".deb", disabled: !may, "aria-label": t("update_file"), onchange: () => file.files[0] && send(file.files[0]) });
  const ready = update?.state === "ready" ? update : null;
  return h("section", { class: "card updates" }, h("h2", {}, t("update")),
    h("p", {}, t("update_now", { version: told.version })),
    h("label", {}, t("update_file"), file),
    ready ? h("p", { class: "good" }, t("update_ready", { version: ready.version })) : null,
    h("div", { class: "row" },
      ...(ready ? [h("button", { class: "main", disabled: !may, onclick: () => change({ do: "install_update", digest: ready.digest }) }, t("update_install", { version: ready.version }))] : []),
      h("button", { disabled: !may, onclick: () => change({ do: "look_for_update", where: "stick" }) }, t("update_stick")),
      ...(told.before ? [h("button", { disabled: !may, onclick: () => change({ do: "earlier_version" }) }, t("update_back", { version: told.before }))] : [])));
}

function send(file) {
  const way = new XMLHttpRequest();
  way.open("PUT", "/update");
  way.upload.addEventListener("progress", ({ loaded, total }) => say(t("update_sending", { percent: Math.round((100 * loaded) / total) })));
  way.addEventListener("error", () => say(faultOf("no_file"), "warn"));
  way.addEventListener("load", () => {
    if (way.status === 204) return change({ do: "look_for_update", where: "file" });
    if (way.status === 503) return say(t("update_busy"), "warn");
    let error = "";
    try {
      ({ error } = JSON.parse(way.responseText));
    } catch { /* it was no sentence */ }
    say(FAULTS.includes(error) ? faultOf(error) : error || way.statusText, "warn");
  });
  way.send(file);
}

// Root takes its time, and the box may start again meanwhile: it is asked until it says what came of it.
async function change(wish) {
  const looks = wish.do === "look_for_update";
  say(t(looks ? "update_looking" : "update_at_work"));
  for (const button of document.querySelectorAll("main button")) button.disabled = true;
  const fault = await post("/setup", wish).catch(() => "");
  if (fault) {
    build();
    return say(FAULTS.includes(fault) ? faultOf(fault) : fault, "warn");
  }
  const end = Date.now() + (looks ? 60 : 900) * 1000;
  do {
    await wait(1);
    await look().catch(() => {});
  } while ((!told.update || told.update.state === "working") && Date.now() < end);
  build();
  const { state, fault: name, version } = told.update ?? {};
  if (state === "done") say(t("update_done", { version }), "good");
  else if (state === "ready") say("");
  else say(faultOf(name), "warn");
}

function pinCard() {
  if (told.control) return null;
  if (!told.pin) return h("section", { class: "card" }, h("p", {}, t("setup_no_pin")));
  const field = h("input", { type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 12, "aria-label": t("pin"), placeholder: t("pin") });
  const unlock = async (event) => {
    event.preventDefault();
    const fault = await post("/pin", { pin: field.value });
    await look();
    build();
    say(fault, "warn");
  };
  return h("section", { class: "card" }, h("form", { onsubmit: unlock }, h("p", { class: "hint" }, t("setup_pin_about")),
    h("div", { class: "row" }, field, h("button", { class: "main", type: "submit" }, t("unlock")))));
}

// -- the page --------------------------------------------------------------------------------------

function build() {
  document.title = `${t("setup")} – ${t("title")}`;
  const tongues = h("select", { class: "language", "aria-label": t("language"), onchange: () => turnTo(tongues.value) },
    Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === language, lang: code }, name)));
  const cards = told.real ? [pinCard(), boxCard(), houseCard(), cafeCard(), updateCard()] : [h("section", { class: "card" }, t("setup_simulated"))];
  document.body.replaceChildren(
    h("header", { class: "top" }, h("h1", {}, h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }), t("setup")),
      h("nav", {}, h("a", { class: "link", href: "/" }, t("table")), tongues)),
    h("main", { class: "setup", id: "main" }, h("p", { class: "hint" }, t("setup_about")), said, ...cards.filter(Boolean)));
}

// The page speaks it, and the box from now on, where a game's page can tell it so.
async function turnTo(wanted) {
  localStorage.setItem("language", wanted);
  ({ language } = await speak(wanted, "behind"));
  if (told.control) await post("/do", { do: "set", name: "language", value: language }).catch(() => "");
  build();
}

({ language } = await speak(language, "behind"));
try {
  await look();
  build();
} catch (fault) {
  document.body.replaceChildren(h("main", { class: "setup", id: "main" }, h("p", { class: "said warn", role: "status" }, fault.message)));
}
