// Joining a house: what the invitation behind the # of the address says, whether somebody who may
// confirms it, and what has come of it. The invitation itself never shows in an address that is sent.

import { h, refill, setText } from "./dom.js";
import { capital, speak, t, wantedLanguages } from "./words.js";

const { language } = await speak(wantedLanguages(), "behind");
const invitation = location.hash.slice(1);
const stand = h("p", { class: "stand", role: "status" });
const offer = h("div", { class: "offer" });
const fault = h("p", { class: "fault", role: "alert" });
let asked = "", joined = false;

document.title = `${t("join")} – ${t("title")}`;
document.body.replaceChildren(h("main", { class: "card join" },
  h("h1", {}, t("join")), stand, offer, fault, h("p", {}, h("a", { href: "/" }, t("table")))));

async function post(path, body) {
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const found = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
    const said = answer.ok ? "" : answer.status === 401 ? t(path === "/pin" ? "wrong_pin" : "join_pin") : capital(found.error ?? answer.statusText);
    setText(fault, said);
    return answer.ok ? found : null;
  } catch {
    setText(fault, t("reconnecting"));
    return null;
  }
}

// How it stands now; a table that is restarted does not answer for a moment.
async function look() {
  const told = await fetch(`/join.json?lang=${language}`).then((answer) => answer.json()).catch(() => null);
  if (told) {
    setText(stand, told.state === "never" ? t("join_never") : t(`join_${told.state}`, { name: told.name, broker: told.broker }) + (told.why ? ` ${capital(told.why)}` : ""));
    stand.className = `stand ${told.state}`;
    await show(told);
  }
  setTimeout(look, 1000);
}

async function show(told) {
  if (joined || told.state === "never") return;
  if (!invitation) return refill(offer, ["none"], () => h("p", { class: "hint" }, t("join_no_link")));
  if (!told.control) return refill(offer, ["pin", told.pin], () => pin(told));
  if (asked) return;
  asked = "asking";
  const found = await post("/join", { invitation });
  if (found) refill(offer, found, () => confirm(found, told));
}

function pin(told) {
  if (!told.pin) return h("p", { class: "hint" }, t("join_no_pin"));
  const field = h("input", { type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 12, "aria-label": t("pin"), placeholder: t("pin") });
  return h("form", { onsubmit: async (event) => {
    event.preventDefault();
    await post("/pin", { pin: field.value });
    field.value = "";
  } }, h("p", { class: "hint" }, t("join_pin")), h("div", { class: "row" }, field, h("button", { class: "main" }, t("unlock"))));
}

function confirm(found, told) {
  const button = h("button", { class: "main", onclick: async () => {
    button.disabled = true;
    const done = await post("/setup", { do: "join", invitation });
    button.disabled = false;
    if (!done) return;
    joined = true;
    history.replaceState(null, "", location.pathname);
    refill(offer, ["done"], () => h("p", {}, t(told.service ? "join_opened" : "join_written")));
  } }, t("join_do"));
  return [
    h("p", { class: "asks" }, t("join_asks", { name: found.label || found.name, broker: found.broker })),
    told.state !== "none" ? h("p", { class: "hint" }, t("join_leaves", { broker: told.broker })) : null,
    h("p", { class: "hint" }, t(found.tls ? "join_tls" : "join_plain")),
    h("div", { class: "row" }, button),
  ].filter(Boolean);
}

look();
