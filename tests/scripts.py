"""Scripts of an evening: readable lines of what hands, die and buttons did, and what to expect.

    new german yellow,red         a game is chosen
    position german ... | ...     or: the game stands like this
    set                           the board shows the position
    lift 12 / put 18 / press 12   a sensor goes off, on, a button is pressed
    board 1 5 Y.B1 ...            a snapshot of all sensors that are on; red@5: and who is there
    know                          the board shows the position, and knows which piece is which
    take red 12 / lay red 18      there hands take a piece off, or lay one down
    rolling, roll 6, resend, fumble
    roll 6 red                    red throws the page's die
    ok, hold, up, down            box buttons
    pick take_back                down to that line of the menu, and OK
    lose board, find board        devices
    do take_back, do set_aside place=17
    box red fox / box red         a player of the box takes a seat, or a person does
    draw 4                        the roll that the box asks for is drawn
    advise red 4 5>9 0.02 0.004   the best move, by how much, and its error; or: none, nothing
    think red 4 5>9               the move that it thinks of; or: think nothing
    restart                       the power was out: another referee goes on from what was kept
    wait 1.5                      time passes, with the ticks the referee asks for
    expect phase illegal          and: turn, clause, slip, remedy, notice, face, cursor, tone...
    expect remedy                 there is none
    expect steps 9>5 7>           these steps, in this order, and no others
    expect colours red ?          the colours that they name; ? where they name none

A line may begin with a time, `@12.345`. Otherwise a tenth of a second passes before it.
"""

from pathlib import Path
from typing import Any

from companion.events import (
    Command,
    Drawn,
    Event,
    Found,
    Fumbled,
    Lost,
    Pressed,
    Reading,
    RecordData,
    Rolled,
    Rolling,
    Snapshot,
    Thought,
    Tick,
)
from companion.referee import Draw, Effect, Keep, Referee, Sound, Think, View
from companion.referee.lights import light
from companion.rules import recall_game, recall_position
from companion.rules.boardgame import BoardGame

SAID: dict[str, Any] = {"yes": True, "no": False}


class Script:
    """Runs lines against a referee; `expect` lines raise AssertionError."""

    def __init__(self, sensing: str = "presence", die: str = "serial") -> None:
        self.referee = Referee(sensing=sensing, die=die)
        self.now = 0.0
        self.rolls = 0
        self.effects: list[Effect] = []
        self.all_effects: list[Effect] = []
        self.kept: list[RecordData] = []
        self.known: list[tuple[str, str]] = []
        """The places and colours of the pieces on a board that knows them."""

    @property
    def view(self) -> View:
        return self.referee.view

    def run(self, text: str) -> "Script":
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.partition("#")[0].strip()
            if line:
                try:
                    self.line(line)
                except AssertionError as error:
                    raise AssertionError(f"line {number}: {raw.strip()}: {error}") from None
        return self

    def line(self, line: str) -> None:
        if line.startswith("@"):
            at, _, line = line.partition(" ")
            self.wait(float(at[1:]) - self.now)
        elif not line.startswith(("expect", "wait")):
            self.wait(0.1)
        word, _, rest = line.partition(" ")
        if word == "expect":
            self.expect(*rest.split(" ", 1))
        elif word == "wait":
            self.wait(float(rest))
        elif word == "sensing":
            self.referee = Referee(sensing=rest, die=self.referee.die)
        elif word == "die":
            self.referee = Referee(sensing=self.referee.sensing, die=rest)
        elif word == "position":
            self.stand(rest)
        elif word == "pick":
            self.pick(rest)
        elif word == "restart":
            self.restart()
        elif word in ("know", "take", "lay"):
            self.know(word, *rest.split())
        else:
            self.feed(self.event(word, rest))

    def feed(self, event: Event) -> None:
        self.came_of(self.referee.feed(event, self.now))

    def came_of(self, effects: list[Effect]) -> None:
        self.effects = effects
        self.all_effects += effects
        self.kept += (effect.record for effect in effects if isinstance(effect, Keep))

    def wait(self, seconds: float) -> None:
        end = self.now + max(seconds, 0)
        while (deadline := self.referee.next_deadline()) is not None and deadline <= end:
            self.now = max(self.now, deadline)
            self.feed(Tick())
        self.now = end

    def pick(self, key: str) -> None:
        """Turn to a line of the menu with down, and press OK."""
        for _ in self.view.lines:
            if self.view.lines[self.view.cursor].key == key:
                break
            self.feed(Pressed("down"))
        assert self.view.lines[self.view.cursor].key == key, f"no line {key}"
        self.feed(Pressed("ok"))

    def stand(self, text: str) -> None:
        """Go on from a position, as after a restart."""
        game = recall_game(text.partition("|")[0])
        self.kept = [
            {"kind": "start", "game": str(game)},
            {"kind": "ruling", "position": str(recall_position(text))},
        ]
        self.came_of(self.referee.resume(self.kept, self.now))

    def restart(self) -> None:
        """Forget everything but what was kept."""
        self.referee = Referee(sensing=self.referee.sensing, die=self.referee.die)
        self.came_of(self.referee.resume(self.kept, self.now))

    def know(self, word: str, colour: str = "", place: str = "") -> None:
        """On a board that knows its pieces hands do something; a sensor may not feel it."""
        piece, on = (place, colour), {place for place, _ in self.known}
        if word == "know":
            self.known = [(place, colour) for colour, place in self.pieces()]
        elif word == "take":
            self.known.remove(piece)
        else:
            self.known.append(piece)
        now_on = {place for place, _ in self.known}
        if word != "know":
            for changed in on ^ now_on:
                self.feed(Reading(changed, changed in now_on))
        self.feed(Snapshot(frozenset(now_on), tuple(sorted(self.known))))

    def event(self, word: str, rest: str) -> Event:
        if word == "new":
            game = recall_game(rest)
            seats = [game.colours[seat] for seat in game.seats]
            args = {"sheet": game.sheet.id, "options": game.options, "seats": seats}
            return Command("new_game", args)
        if word == "roll" and " " in rest:
            face, by = rest.split()
            return Command("roll", {"face": int(face), "by": by})
        if word == "roll":
            self.rolls += 1
            return Rolled(self.rolls, int(rest))
        if word in ("ok", "hold", "up", "down"):
            return Pressed("ok" if word == "hold" else word, held=word == "hold")  # type: ignore[arg-type]
        if word == "box":
            colour, *level = rest.split()
            return Command("seat", {"colour": colour, "level": level[0] if level else None})
        if word == "draw":
            return Drawn(self.asked(Draw), int(rest))
        if word == "think":
            told = {"error": "nobody thinks"} if rest == "nothing" else {"move": rest}
            return Thought(self.asked(Think), told)
        if word == "advise":
            return Thought(self.asked(Think), _advice(rest))
        if word == "do":
            name, *args_text = rest.split()
            said = dict(arg.split("=", 1) for arg in args_text)
            return Command(name, {key: SAID.get(value, value) for key, value in said.items()})
        simple: dict[str, Event] = {
            "lift": Reading(rest, False),
            "put": Reading(rest, True),
            "press": Reading(rest, True),
            "board": _board(rest.split()),
            "resend": Rolled(self.rolls, 1),
            "rolling": Rolling(),
            "fumble": Fumbled(),
            "lose": Lost(rest),
            "find": Found(rest),
            "tick": Tick(),
        }
        return Snapshot(self.standing()) if word == "set" else simple[word]

    def asked(self, kind: type[Draw | Think]) -> int:
        """The number of what the box has asked for last."""
        found = [effect.number for effect in self.all_effects if isinstance(effect, Draw | Think)]
        last = [effect.number for effect in self.all_effects if isinstance(effect, kind)]
        assert last, f"nothing was asked for: {kind.__name__}"
        assert last[-1] == found[-1], f"something else was asked for since: {kind.__name__}"
        return last[-1]

    def standing(self) -> frozenset[str]:
        """The places a board in the game's position would report."""
        return frozenset(place for _, place in self.pieces())

    def pieces(self) -> list[tuple[str, str]]:
        """Every piece of the game's position: its colour, and a place of its own where it may."""
        here = self.view.position
        assert here is not None
        game = here.game
        assert isinstance(game, BoardGame)
        on: list[tuple[str, str]] = []
        for seat, pieces in enumerate(here.pieces):
            for piece in pieces:
                places = [place.name for place in game.board.places_of(seat, piece)]
                taken = {place for _, place in on}
                free = next((name for name in places if name not in taken), places[0])
                on.append((game.colours[seat], free))
        return on

    def expect(self, what: str, wanted: str = "") -> None:
        found = self.fact(what)
        fits = found == wanted or (isinstance(found, list) and wanted in found)
        assert fits or not (found or wanted), f"got {found!r}"

    def fact(self, what: str) -> str | list[str]:
        view = self.view
        here = view.position
        facts: dict[str, object] = {
            "phase": view.phase,
            "tone": view.tone,
            "turn": view.colour,
            "face": view.face,
            "rolling": view.rolling,
            "cursor": view.cursor,
            "title": view.title,
            "notice": view.notice.key if view.notice else None,
            "clause": [refusal.clause for refusal in view.refusals],
            "slip": [refusal.slip for refusal in view.refusals],
            "remedy": (steps := [f"{one.origin or ''}>{one.target or ''}" for one in view.remedy]),
            "steps": " ".join(steps),
            "colours": " ".join(one.colour or "?" for one in view.remedy),
            "happened": [happening.what for happening in view.happenings],
            "line": [line.key for line in view.lines],
            "places": " ".join(view.ranking),
            "missing": list(view.missing),
            "aside": list(view.aside),
            "pressed": " ".join(view.pressed),
            "position": str(here),
            "sound": [e.name for e in self.effects if isinstance(e, Sound)],
            "asked": [type(e).__name__ for e in self.effects if isinstance(e, Draw | Think)],
            "wish": here.game.move_text(view.wish) if here and view.wish else None,
            "advice": here.game.move_text(view.advice.move)
            if here and view.advice and view.advice.move
            else None,
            "box": [f"{colour} {level}" for colour, level in view.box.items()],
            "lit": [f"{place} {how}" for place, how in light(view).places.items()],
            "kept": [e.record["kind"] for e in self.effects if isinstance(e, Keep)],
        }
        if what == "pieces":
            assert here is not None
            game = here.game
            return [
                f"{game.colours[seat]} {game.spots(seat, own)}"
                for seat, own in enumerate(here.pieces)
            ]
        value = facts[what]
        return value if isinstance(value, list) else str(value)


def _board(words: list[str]) -> Snapshot:
    """A snapshot: places, and where the board knows its pieces also these, `red@12`."""
    pieces = tuple((place, colour) for colour, at, place in (w.partition("@") for w in words) if at)
    return Snapshot(frozenset(word for word in words if "@" not in word), pieces)


def _advice(text: str) -> dict[str, Any]:
    """What was thought of: a move, or none, with how much better it is and the error of that."""
    if text == "nothing":
        return {"error": "nobody thinks"}
    text, places = text.removesuffix(" places"), text.endswith(" places")
    *move, margin, error = text.split()
    told = None if move == ["none"] else " ".join(move)
    return {"move": told, "margin": [float(margin), float(error)], "places": places}


def line_of(event: Event) -> str:
    """An event as a line of a script."""
    if isinstance(event, Reading):
        return f"{'put' if event.on else 'lift'} {event.place}"
    if isinstance(event, Snapshot):
        pieces = (f"{colour}@{place}" for place, colour in event.pieces)
        return "board " + " ".join([*sorted(event.on), *pieces])
    if isinstance(event, Rolled):
        return f"roll {event.face}"
    if isinstance(event, Pressed):
        return "hold" if event.held else event.button
    if isinstance(event, Command):
        return " ".join(
            ["do", event.name, *(f"{key}={value}" for key, value in event.args.items())]
        )
    if isinstance(event, Drawn):
        return f"draw {event.face}"
    if isinstance(event, Thought):
        return f"think {event.told.get('move', 'nothing')}"
    if isinstance(event, Lost | Found):
        return f"{'lose' if isinstance(event, Lost) else 'find'} {event.device}"
    words: dict[type, str] = {Rolling: "rolling", Fumbled: "fumble", Tick: "tick"}
    return words[type(event)]


def script(path: Path) -> Script:
    """Run a script file."""
    return Script().run(path.read_text())
