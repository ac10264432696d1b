// Fingers and keys on the board: drag, tap or step a piece. On a simulated table each is felt by the
// sensors. Where moves are only chosen, nothing is felt: a piece put where a legal move ends chooses it.

import { toBoard } from "./form.js";
import { isOpen, offered } from "./parts.js";
import { t } from "./words.js";

const FINGER = 16; // pixels from its middle within which a piece or a ring is touched
const OWN = 0.45; // squares from its middle that are its own, however small they are

// The phases in which pieces are put right before anything else.
export const PUT_RIGHT = ["illegal", "restore", "penalty"];

// While these are shown nothing that hands do is judged: it is said so, and they may do it all the same.
export const WAITS = { paused: "do_paused", menu: "do_menu" };

const canMove = ({ node }) => node.classList.contains("movable");

export class Fingers {
  // `ask` sends a wish, `say` tells a screen reader what is in the hand, `warn` says what cannot be,
  // `state` is the table as it is now, `may` whether whoever looks may act, `chooses` whether moves
  // are only chosen here, whatever the board feels; `why` says what is wrong with a way.
  constructor(board, { ask, say, warn, state, may, chooses = false, why }) {
    Object.assign(this, { board, ask, say, warn, state, may, chooses, why });
    this.hand = null;
    const svg = board.svg;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", ({ isPrimary }) => isPrimary && this.giveBack());
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("dragstart", (event) => event.preventDefault());
  }

  get men() {
    return [...this.board.pieces.values()];
  }

  spot(place) {
    return this.board.spotOf(place ?? "");
  }

  get chosen() {
    return this.chooses || this.state().sensing === "choose";
  }

  // What was lifted, and stands again or may not be moved any longer, is in no hand.
  follow() {
    const { hand } = this;
    if (!hand) return;
    const told = this.state().sim?.pieces.find((one) => one.id === hand.man.id)?.place;
    if (hand.asked && told === null) hand.lifted = true;
    if (this.chosen ? this.choice !== hand.choice : hand.lifted && told) {
      this.letGo();
      this.say(t("put_on", { place: this.placeName(told ?? hand.from) }));
    }
  }

  // What there is to choose from now.
  get choice() {
    const { turn, face, legal } = this.state();
    return JSON.stringify([turn, face, legal.map((one) => one.move)]);
  }

  // Names every piece for the keyboard and the screen reader.
  name(names) {
    const { remedy, made, turn } = this.state();
    for (const man of this.board.pieces.values()) {
      const spot = this.spot(man.place);
      const wanted = canMove(man) || !man.place || (made && man.colour === turn) || remedy.some((step) => step.from === spot);
      man.node.setAttribute("tabindex", wanted ? "0" : "-1");
      if (!wanted && !this.hand && man.node === document.activeElement) toBoard();
      man.node.setAttribute("role", "button");
      man.node.setAttribute("aria-label", t("piece_at", {
        colour: names[man.colour].name, place: this.placeName(man.place),
      }));
      man.node.setAttribute("aria-pressed", String(this.hand?.man === man));
    }
  }

  placeName(place) {
    if (!place) return t("in_the_air");
    if (/\.B\d$/.test(place)) return t("base");
    return /\.H\d$/.test(place) ? t("home") : place.replace(/^.\./, "");
  }

  // -- pointer -------------------------------------------------------------------------------------

  point(event) {
    const matrix = this.board.svg.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [x, y];
  }

  down(event) {
    if (event.button !== 0 || !event.isPrimary || !this.may()) return;
    this.begun = null;
    const [x, y] = this.point(event);
    const aimed = this.aimedAt(x, y);
    if (this.hand && !aimed.length && this.isOther(this.touched(event))) this.giveBack();
    if (this.hand) {
      if (this.touched(event) === this.hand.man) this.begin(event, { man: this.hand.man, x, y });
      this.target = aimed.length ? this.board.spot(aimed[0].to)[0] : this.board.nearest(x, y);
      return;
    }
    const touched = this.touched(event) ?? this.nearby(x, y);
    if (!touched && !aimed.length) return;
    event.preventDefault();
    if (!touched) return this.begin(event, { aimed });
    const man = this.meant(touched);
    man.node.focus({ preventScroll: true });
    this.begin(event, { man, x, y });
  }

  // What a finger has begun, wherever it is let go of.
  begin(event, begun) {
    this.board.svg.setPointerCapture(event.pointerId);
    this.begun = begun;
  }

  // A piece that can move, has to, or lies beside it is taken instead, unless the one in the hand belongs there.
  isOther(man) {
    const { from, man: held } = this.hand;
    const wanted = man && (canMove(man) || this.back(man) || this.spot(man.place) === this.spot(from));
    return wanted && man !== held && man.place !== from && this.back(held, from)?.to !== this.spot(man.place);
  }

  // The piece under a finger; where moves are only chosen, one that can move.
  touched(event) {
    const man = this.board.pieces.get(event.target.closest("[data-piece]")?.dataset.piece);
    return this.chooses && man && !canMove(man) && !this.back(man) ? undefined : man;
  }

  // The step that puts a piece right, where hands at the table do that when they are asked to.
  back(man, place = man.place) {
    const { sim, phase, remedy } = this.state();
    const from = this.spot(place);
    return sim && PUT_RIGHT.includes(phase) && remedy.find((step) => step.from === from && (step.colour ?? man.colour) === man.colour);
  }

  // A finger is broader than a small piece: what can move is touched from a little further away.
  nearby(x, y) {
    const far = (man) => Math.hypot(man.at[0] - x, man.at[1] - y);
    const close = this.men.filter((man) => canMove(man) && far(man) < this.reach);
    return close.sort((a, b) => far(a) - far(b))[0];
  }

  // How far a finger reaches, in squares.
  get reach() {
    return FINGER * this.board.svg.viewBox.baseVal.width / this.board.svg.clientWidth;
  }

  // The moves that end at the ring to which a finger points; with a piece in the hand, that piece's.
  aimedAt(x, y) {
    const { man, from } = this.hand ?? {};
    const own = (move) => !man || (move.colour === man.colour && move.from === this.spot(from));
    const far = ({ to }, [at, down] = this.board.freePoint(to)) => Math.hypot(at - x, down - y);
    const reach = Math.max(this.reach, OWN);
    const near = offered(this.state()).filter((move) => move.to && own(move) && far(move) < reach).sort((a, b) => far(a) - far(b));
    return near.filter((move) => move.to === near[0].to);
  }

  move(event) {
    if (!event.isPrimary) return;
    const [x, y] = this.point(event);
    if (this.begun?.man && Math.hypot(x - this.begun.x, y - this.begun.y) > 0.18) {
      if (this.hand) this.hand.dragged = true;
      else this.lift(this.begun.man, true);
    }
    if (!this.hand?.dragged) return;
    this.board.place(this.hand.man, [x, y]);
    const place = this.board.nearest(x, y, 0.5);
    if (place && place.id !== this.hand.over) {
      this.hand.over = place.id;
      if (place.kind === "track" || place.kind === "finish") this.slid(place.id);
    }
    this.board.mark(place ? [place.id] : []);
  }

  up(event) {
    if (!event.isPrimary) return;
    const [x, y] = this.point(event);
    const begun = this.begun;
    this.begun = null;
    if (this.hand?.dragged) this.inSight(event) ? this.putNear(x, y) : this.giveBack();
    else if (this.hand) this.target ? this.put(this.target.id) : this.giveBack();
    else if (begun?.man) this.lift(begun.man, false);
    else if (begun && this.aimedAt(x, y)[0]?.to === begun.aimed[0].to) this.play(begun.aimed);
  }

  // Where only a part of the board is shown, nothing is put on the rest.
  inSight({ clientX: x, clientY: y }) {
    const { left, right, top, bottom } = this.board.svg.getBoundingClientRect();
    return x > left && x < right && y > top && y < bottom;
  }

  // -- what hands do -----------------------------------------------------------------------------------

  lift(man, dragged) {
    this.hand = { man, dragged, from: man.place, over: man.place, sliding: [], choice: this.choice };
    man.held = true;
    man.node.classList.add("held");
    man.node.setAttribute("aria-pressed", "true");
    this.board.raise(man);
    if (!dragged) man.node.focus({ preventScroll: true });
    const { hand } = this;
    if (man.place && !this.chosen) this.ask({ do: "lift", piece: man.id }).then(() => {
      hand.asked = true;
      this.follow();
    });
    this.say(t("lifted"));
    const waits = WAITS[this.state().phase];
    if (waits) this.warn(t(waits));
  }

  // Of two pieces on one square the one that has to leave it, or may: sensors would not see them swapped.
  meant(man) {
    const here = this.men.filter((one) => one.place && one.place === man.place);
    const spot = this.spot(man.place);
    const leaves = this.state().remedy.filter((step) => (step.from ?? spot) === spot && step.to !== spot).map((step) => step.colour);
    const first = (fits) => (fits(man) ? man : here.find(fits));
    return first((one) => leaves.includes(one.colour)) ?? first(canMove) ?? man;
  }

  // Squares slid over are sent in small lots, so that the sensors feel them on the way.
  slid(place) {
    const { man, sliding } = this.hand;
    sliding.push(place);
    if (sliding.length > 1) return;
    queueMicrotask(() => {
      const places = sliding.splice(0);
      if (this.hand?.man === man && places.length && !this.chosen) this.ask({ do: "slide", piece: man.id, places });
    });
  }

  putNear(x, y) {
    const place = this.board.nearest(x, y);
    if (place) this.put(place.id);
    else this.giveBack();
  }

  put(name) {
    const { man, from } = this.hand;
    const other = this.takesOther(man, from, name);
    const place = other ? from : this.allowed(man, name) ?? from;
    this.letGo();
    if (other && PUT_RIGHT.includes(this.state().phase)) this.warn(t("hint_back"));
    else if (other) this.why(this.spot(from), this.spot(name));
    man.skip = true;
    if (!place) return;
    const { x, y } = this.board.places.get(place);
    this.board.place(man, [x, y]);
    if (this.chosen) return this.choose(man, from, place);
    man.place = place;
    this.ask({ do: "put", piece: man.id, place });
    this.say(t("put_on", { place: this.placeName(place) }));
  }

  // With buttons a press where another piece may move, or has to leave, would only take up that one.
  takesOther(man, from, name) {
    const { sensing, phase } = this.state();
    const spot = this.spot(name);
    if (sensing !== "touch" || spot === this.spot(from)) return false;
    const there = this.men.filter((one) => one !== man && one.place === name);
    if (PUT_RIGHT.includes(phase)) return this.back(man, from)?.to !== spot && there.some((one) => this.back(one));
    const own = (one) => one.colour === man.colour && canMove(one);
    return phase === "move" && there.some(own) && !this.legalMove(man, from, name);
  }

  legalMove({ colour }, from, place) {
    return this.state().legal.find((one) => one.colour === colour && one.from === this.spot(from) && one.to === this.spot(place));
  }

  letGo() {
    const { man } = this.hand;
    this.hand = this.begun = this.target = null;
    man.held = false;
    man.node.classList.remove("held");
    man.node.setAttribute("aria-pressed", "false");
    this.board.mark([]);
    this.board.order();
  }

  // Nothing is felt here: the move that ends there is chosen, or the piece goes back.
  choose(man, from, place) {
    const open = isOpen(this.state());
    const move = open && this.legalMove(man, from, place);
    if (move) return this.ask({ do: "move", move: move.move });
    if (this.back(man, from)?.to === this.spot(place)) return this.ask({ do: "go_on" });
    man.skip = false;
    const { x, y } = this.board.places.get(from);
    this.board.place(man, [x, y]);
    if (this.spot(from) === this.spot(place)) return;
    if (open && this.why) this.why(this.spot(from), this.spot(place));
    else this.warn(t(open ? "choose_legal" : PUT_RIGHT.includes(this.state().phase) ? "hint_back" : "choose_later"));
  }

  // A ring alone was tapped: its move is made, if it is the only one that ends there.
  play([move, ...others]) {
    if (others.length) this.warn(t("piece_first"));
    else this.ask({ do: "move", move: move.move });
  }

  giveBack() {
    this.begun = null;
    if (this.hand) this.put(this.hand.from ?? this.board.nearest(...this.hand.man.at, 99).id);
  }

  // Where a piece may be put down at all. Bases and homes are for their own colour: nobody would
  // see a red piece among the yellow ones, so it is not let in.
  allowed(man, name) {
    const { kind, colour } = this.board.places.get(name);
    if ((kind !== "base" && kind !== "home") || colour === man.colour) return this.free(name);
    this.warn(t("not_its_own"));
    return null;
  }

  // A base or home place holds one piece: take a free one of the four.
  free(name) {
    const taken = new Set(this.men.filter((man) => !man.held).map((man) => man.place));
    const place = this.board.places.get(name);
    if (place.kind !== "base" && place.kind !== "home") return name;
    if (!taken.has(name)) return name;
    return this.board.spot(this.board.spotOf(name)).find((one) => !taken.has(one.id))?.id;
  }

  // -- keys ------------------------------------------------------------------------------------------------

  key(event) {
    const id = event.target.closest?.("[data-piece]")?.dataset.piece;
    if (!id || !this.may()) return;
    const man = this.board.pieces.get(id);
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (event.key === " " && ["roll", "opening"].includes(this.state().phase) && !this.hand) return; // it rolls
    if (event.key === "Enter" || event.key === " ") this.hand ? this.put(this.hand.over ?? this.hand.from) : this.lift(this.meant(man), false);
    else if (event.key === "Escape") this.giveBack();
    else if (step && this.hand) this.step(step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // One square along the colour's way; what is passed is felt.
  step(by) {
    const { man, over, from } = this.hand;
    const way = this.board.data.ways[man.colour];
    const at = way.indexOf(this.board.spotOf(over ?? from));
    const spot = way[Math.min(Math.max(at + by, 0), way.length - 1)];
    const place = this.free(this.board.spot(spot)[0].id) ?? this.board.spot(spot)[0].id;
    this.hand.over = place;
    const { x, y } = this.board.places.get(place);
    this.board.place(man, [x, y - 0.22]);
    this.board.mark([place]);
    this.say(this.placeName(place));
  }
}
