// The kiosk view: for a big screen two metres away. Nothing to press; when idle it invites.

import { Board } from "./board.js";
import { dieChart, leadChart, likely } from "./charts.js";
import { h, refill, setText, styled } from "./dom.js";
import { Mat } from "./mat.js";
import { Ground, playerOf, Ranking, Turn, Verdict } from "./parts.js";
import { t } from "./words.js";

await styled("/kiosk.css");

const IDLE = 60_000; // milliseconds of a finished game before the invitation comes back
const SCENE = 9_000; // milliseconds for each board in the invitation

export function kioskView(app) {
  const { link } = app;
  const ground = new Ground(app);
  const turn = new Turn(app);
  const verdict = new Verdict(app);
  const ranking = new Ranking(app);
  const lead = h("figure", { class: "card chart" });
  const die = h("figure", { class: "card chart" });
  const code = qr();
  const seat = h("section", { class: "card seat", "aria-label": t("phone"), hidden: true });
  const main = h("main", { class: "kiosk", id: "main" },
    h("h1", { class: "unseen" }, t("title")),
    ground.node,
    h("div", { class: "kiosk-side" }, seat, turn.node, verdict.node, ranking.node, h("div", { class: "pair" }, lead, die), code));
  const invitation = new Invitation(app);
  document.body.replaceChildren(main, invitation.node);

  let idle = null;
  const invite = (on) => {
    document.body.classList.toggle("inviting", on);
    main.inert = on;
    invitation.turn(on);
  };
  const update = () => {
    const { state } = link;
    if (!state) return;
    ground.update(state);
    turn.update(state);
    verdict.update(state);
    ranking.update(state);
    code.show(state.phone);
    // The box's menu shows somebody's code: here it is larger. Nobody else sees it.
    const [kind, colour] = state.title.split(":");
    seat.hidden = kind !== "phone" || !state.box || !state.phone;
    refill(seat, seat.hidden ? [] : [colour, state.names, state.notice, document.documentElement.lang], () => (seat.hidden ? [] : seatPicture(app, colour)));
    invitation.show(state.phone);
    clearTimeout(idle);
    if (state.phase === "idle") invite(true);
    else {
      invite(false);
      if (state.phase === "over" || state.phase === "paused") idle = setTimeout(() => invite(true), IDLE);
    }
    draw();
  };
  const draw = () => {
    const { state, history } = link;
    if (!state?.game) return;
    const chances = Boolean(state.settings.chances) && link.chances.some(Boolean);
    refill(lead, [history.length, chances && link.chances, state.game.playing, document.documentElement.lang], () => [
      h("figcaption", {}, h("strong", {}, t(chances ? "chance_chart" : "lead_chart"))), leadChart(chances ? likely(link) : history, state.game.playing, app.names)]);
    refill(die, [link.die, state.game.faces, document.documentElement.lang], () => [h("figcaption", {}, h("strong", {}, t("die_chart"))), dieChart(link.die, state.game.faces)]);
    ranking.update(state);
  };
  return { heard: { state: update, history: () => (draw(), link.state && turn.update(link.state)), chances: draw }, end: () => (clearTimeout(idle), invitation.turn(false)) };
}

function seatPicture(app, colour) {
  const name = playerOf(app, colour);
  return [h("h2", {}, t("phone_for", { name })), h("img", { src: `/player.svg?colour=${colour}&now=${Date.now()}`, alt: "", width: 300, height: 300 }), h("p", {}, t("phone_about", { name }))];
}

function qr() {
  const picture = h("img", { alt: "", width: 150, height: 150 });
  const address = h("span", { class: "address" });
  const node = h("figure", { class: "qr", hidden: true }, picture, h("figcaption", {}, h("strong", {}, t("follow")), address));
  node.show = (phone) => {
    node.hidden = !phone;
    if (!phone || address.textContent === phone) return;
    address.textContent = phone;
    picture.src = "/qr.svg";
  };
  return node;
}

// The invitation: the boards one after the other, with pieces walking round by themselves.
class Invitation {
  constructor(app) {
    this.app = app;
    this.stage = h("div", { class: "stage", "aria-hidden": "true" });
    this.caption = h("p", { class: "sheet-name" });
    this.about = h("p", { class: "sheet-about" });
    this.code = qr();
    this.node = h("section", { class: "invitation", "aria-label": t("attract"), hidden: true }, this.stage,
      h("div", { class: "invite-words" }, h("h2", {}, t("attract")), h("p", {}, t("attract_about")), h("div", {}, this.caption, this.about), this.code));
    this.scene = 0;
  }

  show(phone) {
    this.code.show(phone);
  }

  turn(on) {
    this.node.hidden = !on;
    if (on === this.on) return;
    this.on = on;
    clearInterval(this.timer);
    clearInterval(this.walker);
    if (!on) return;
    this.next();
    this.timer = setInterval(() => this.next(), SCENE);
  }

  next() {
    const { app } = this;
    const sheet = app.sheets[this.scene++ % app.sheets.length];
    const data = app.boards[sheet.board];
    const signs = { dutch: ["globe", "star"], pairs: ["safe"], indian: ["safe"], parchis: ["safe"] }[sheet.id] ?? [];
    const marks = Object.fromEntries(signs.map((mark) => [mark, data.marks[mark]]));
    setText(this.caption, sheet.name);
    setText(this.about, sheet.about);
    clearInterval(this.walker);
    if (sheet.board === "mat") {
      const mat = new Mat(sheet.board, data, app.names);
      mat.setHeights(Object.fromEntries(data.colours.map((colour, n) => [colour, [n + 1, 6 - n, (n * 2) % 5, 3]])), data.colours);
      this.stage.replaceChildren(mat.svg);
      return;
    }
    const board = new Board(sheet.board, data, marks, app.names);
    this.stage.replaceChildren(board.svg);
    this.walk(board);
    this.walker = setInterval(() => this.walk(board), 1500);
  }

  walk(board) {
    board.step = (board.step ?? 0) + 1;
    const list = [];
    board.data.colours.forEach((colour, seat) => {
      const way = board.data.ways[colour];
      for (let n = 0; n < 4; n++) {
        const at = n ? (board.step + seat + 3 * n) % 3 === 0 && n === 1 ? 2 : 0 : 1 + ((board.step * (2 + seat) + seat) % (way.length - 2));
        const place = board.spot(way[n ? 0 : at])[n % 4]?.id ?? board.spot(way[n ? 0 : at])[0].id;
        list.push({ id: `${colour}${n + 1}`, colour, place });
      }
    });
    board.setPieces(list);
  }
}
