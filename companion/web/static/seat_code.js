// The code that gives a seat to a phone, and the way to take it back once a phone has it.

import { h } from "./dom.js";
import { dialog, sure } from "./form.js";
import { t } from "./words.js";

export function seatCode({ link }, colour, name) {
  const picture = () => h("img", { src: `/player.svg?colour=${colour}&now=${Date.now()}`, alt: t("phone_for", { name }), width: 260, height: 260 });
  const address = h("a", { class: "address" });
  const shown = h("div", { class: "seat-code" });
  const show = async () => {
    shown.replaceChildren(picture(), address);
    const answer = await fetch(`/player.txt?colour=${colour}`).catch(() => null);
    address.href = address.textContent = answer?.ok ? await answer.text() : "";
  };
  const said = h("p", { class: "hint", role: "status" }, t("phone_about", { name }));
  const putOff = async () => {
    if (!(await sure(t("really_off", { name }), t("phone_off")))) return;
    const answer = await fetch("/put-off", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ colour }) }).catch(() => null);
    if (!answer?.ok && answer?.status !== 507) return (said.textContent = t("not_now"));
    said.textContent = t(answer.ok ? "phone_is_off" : "phone_is_off_for_now");
    show();
  };
  const off = h("button", { class: "quiet", onclick: putOff }, t("phone_off"));
  const close = h("button", { class: "main", onclick: () => box.close() }, t("close"));
  const box = dialog(h("div", { class: "sure" }, h("h2", {}, t("phone_for", { name })), shown, said, h("div", { class: "row end" }, off, close)), t("phone_for", { name }));
  const update = () => {
    const taken = link.state.phones.includes(colour);
    if (!taken && document.activeElement === off) close.focus();
    off.hidden = !taken;
  };
  link.addEventListener("state", update);
  box.addEventListener("close", () => link.removeEventListener("state", update));
  update();
  show();
  box.showModal();
}
