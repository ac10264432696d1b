// The top of the page: title, links to the other views, language, sound.

import { h, setText } from "./dom.js";
import { LANGUAGES, t } from "./words.js";

export function header(app, view, { sound, newGame, rules } = {}) {
  const language = h("select", { class: "language", "aria-label": t("language"), onchange: () => app.choose(language.value) },
    Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === app.language, lang: code }, name)));
  return h("header", { class: "top" },
    h("a", { class: "skip", href: "#main" }, t("skip")),
    h("h1", {}, h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }), t("title")),
    h("nav", { "aria-label": t("title") },
      ...(newGame ? [h("button", { class: "new", onclick: newGame }, t("new_game"))] : []),
      ...(rules ? [h("button", { class: "quiet", onclick: rules }, t("rules"))] : []),
      ...["table", "kiosk", "phone", "games"].filter((one) => one !== view).map((one) => h("a", { class: `link to-${one}`, href: one === "table" ? "/" : `/${one}` }, t(one === "games" ? "past_games" : one))),
      ...(view === "table" ? [h("a", { class: "link to-own", href: "/house-rules" }, t("house_rules"))] : []),
      ...(view === "table" ? [h("a", { class: "link to-bench", href: "/bench" }, t("bench")), h("a", { class: "link to-setup", href: "/setup" }, t("setup"))] : []),
      ...(sound ? [soundButton(sound)] : []),
      language));
}

function soundButton(sound) {
  const button = h("button", { class: "quiet sound", onclick: () => (sound.turn(!sound.on), show()) });
  const show = () => {
    setText(button, sound.on ? "♪" : "♪̸");
    button.setAttribute("aria-label", t(sound.on ? "sound_on" : "sound_off"));
    button.setAttribute("aria-pressed", String(sound.on));
    button.title = t(sound.on ? "sound_on" : "sound_off");
  };
  show();
  return button;
}
