// Begins here: fetches the boards and words once, opens the line to the daemon, shows a view.

import { h } from "./dom.js";
import { Link } from "./link.js";
import { tableView } from "./table.js";
import { speak, t, wantedLanguages } from "./words.js";

// The table is what most people open; the other views are fetched by who wants them.
const VIEWS = {
  "/kiosk": async () => (await import("./kiosk.js")).kioskView,
  "/phone": async () => (await import("./phone.js")).phoneView,
  "/games": async () => (await import("./games.js")).gamesView,
  "/house-rules": async () => (await import("./house_rules.js")).houseRulesView,
};
const view = (await VIEWS[location.pathname]?.()) ?? tableView;

const app = {
  language: wantedLanguages(),
  async load() {
    const [boards, { language, sheets, colours, longestName }] = await Promise.all([app.boards ?? get("/boards.json"), speak(app.language, location.pathname === "/house-rules" ? "rules" : "")]);
    Object.assign(app, { language, boards, sheets, names: colours, longestName });
  },
  // A sentence about what cannot be done, for a while; at most as long as the game is where it was.
  warn(text, now = moment()) {
    meant = now;
    oops.textContent = text;
    oops.hidden = false;
    clearTimeout(fading);
    fading = setTimeout(() => (oops.hidden = true), 5000);
  },
  // Another language: the page's words and the referee's sentences. Of two wishes the last counts, whichever words come first.
  speak(language) {
    wished = language;
    return (speaking = speaking.then(() => language === wished && turnTo(language)).catch(() => {}));
  },
  // Somebody wishes another language, for the box too.
  async choose(language) {
    localStorage.setItem("language", language);
    await app.speak(language);
    if (language === wished && app.link.state?.control) app.link.ask({ do: "set", name: "language", value: language });
  },
};
let wished = null, speaking = Promise.resolve();

async function turnTo(language) {
  app.language = language;
  await app.load();
  app.link.speak(language);
  show();
}

const get = async (path) => (await fetch(path)).json();

let shown = null;

function show() {
  shown?.end();
  shown = view(app);
  document.body.append(lost, oops);
  document.title = t("title");
  for (const name of ["state", "history", "oled"]) if (app.link.state) shown.heard[name]?.();
}

const lost = h("p", { class: "lost", role: "alert", hidden: true });
const oops = h("p", { class: "oops", role: "alert", hidden: true });
let fading = null;
let meant = null;
const moment = () => {
  const { phase, turn, face } = (shown?.heard.history && app.link.state) || {}; // only some views follow the game
  return JSON.stringify([phase, turn, face]);
};

function complain() {
  if (app.link.error === "down") return;
  shown.heard.state?.(); // what was shown ahead of the answer is not so
  app.warn(app.link.error, null); // it may come just as the game goes on
}

await app.load();
document.body.className = view.name;
app.link = new Link(view === tableView, app.language, location.pathname === "/what-if" ? "/what-if" : "");
for (const name of ["state", "history", "chances", "oled", "sound"]) app.link.addEventListener(name, () => shown.heard[name]?.());
app.link.addEventListener("down", () => {
  lost.textContent = t("reconnecting");
  lost.hidden = false;
});
app.link.addEventListener("up", () => (lost.hidden = true));
app.link.addEventListener("state", () => {
  if (meant && meant !== moment()) oops.hidden = true;
});
// A simulated box on which nothing has been played yet speaks as the page does.
app.link.addEventListener("state", () => {
  const { sim, control, phase, settings } = app.link.state;
  if (sim && control && phase === "idle" && settings.language !== app.language) app.link.ask({ do: "set", name: "language", value: app.language });
}, { once: true });
// The box's own screen speaks as the box does, when that is changed in its menu.
let spoken = null;
app.link.addEventListener("state", () => {
  const { box, settings } = app.link.state;
  const changed = spoken !== null && spoken !== settings.language;
  spoken = settings.language;
  if (box && changed && settings.language && settings.language !== (wished ?? app.language)) app.speak(settings.language);
});
app.link.addEventListener("refused", complain);
show();
