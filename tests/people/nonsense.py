"""Random events in any order: never an exception, never a changed game, always a way out."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

from companion.events import (
    Command,
    Event,
    Found,
    Fumbled,
    Lost,
    Pressed,
    Reading,
    Rolled,
    Rolling,
    Snapshot,
    Tick,
)
from companion.referee import Keep, Referee
from companion.rules import SHEETS, Position, recall_position
from tests.people.sitting import any_game

SENSINGS = ("presence", "touch", "choose")
EACH = 2000
"""So many events are fed to one referee; then another one begins."""
WAY_OUT = 60
"""So many presses of the box's buttons have to be enough to get back to a game or a menu."""


def random_events(rng: Random, count: int) -> Iterator[tuple[float, Event]]:
    """Events that a game can see, in any order, with the time each comes at."""
    game = any_game(rng, rng.choice(tuple(SHEETS)))
    places = [place.name for place in game.board.places]
    seats = [game.colours[seat] for seat in game.seats]
    now, number = 0.0, 0
    on: set[str] = set()
    yield (
        now,
        Command("new_game", {"sheet": game.sheet.id, "options": game.options, "seats": seats}),
    )
    for _ in range(count - 1):
        now += rng.choice((0.0, 0.01, 0.1, 0.6, 2.0, 6.0))
        kind = rng.choices(KINDS, WEIGHTS)[0]
        place = rng.choice(places) if rng.random() < 0.98 else rng.choice(("", "99", "Z.B1", "1.5"))
        if kind == "reading":
            on ^= {place}
            yield now, Reading(place, rng.random() < 0.1 or place in on)
        elif kind == "snapshot":
            yield now, Snapshot(frozenset(rng.sample(places, rng.randrange(len(places)))))
        elif kind == "board":
            yield (
                now,
                Snapshot(frozenset(on), tuple((one, rng.choice(seats)) for one in sorted(on))),
            )
        elif kind == "rolled":
            number += rng.choice((0, 1, 1, 1, 2, -3))
            face = rng.randint(1, 6) if rng.random() < 0.98 else rng.choice((0, 7, -1))
            yield now, Rolled(number, face)
        elif kind == "pressed":
            button: Any = rng.choice(("up", "down", "ok"))
            yield now, Pressed(button, rng.random() < 0.15)
        elif kind == "device":
            device = rng.choice(("board", "die", "panel", ""))
            yield now, rng.choice((Lost(device, "gone"), Found(device, "back")))
        elif kind == "command":
            yield now, _command(rng, place, seats)
        else:
            yield now, rng.choice((Rolling(), Fumbled(), Tick()))


KINDS = ("reading", "snapshot", "board", "rolled", "pressed", "device", "command", "other")
WEIGHTS = (40, 1, 4, 12, 15, 3, 3, 8)


def _command(rng: Random, place: str, seats: list[str]) -> Command:
    """A wish from a page, sensible or not."""
    args: list[dict[str, Any]] = [
        {},
        {"place": place},
        {"face": rng.randint(0, 7), "by": rng.choice([*seats, "pink"])},
        {"by": seats[0]},
    ]
    names = ("take_back", "set_aside", "use_again", "roll", "pause", "resume", "no_such_wish")
    return Command(rng.choice(names), rng.choice(args))


def check_lawful(found: Position | None) -> None:
    """A position is one the rules allow: its text form is read back, which checks it.

    As a kept one is: players may let a piece stand where by the rules none comes to stand.
    """
    if found is not None and recall_position(str(found)) != found:
        raise AssertionError(f"not a position of the rules: {found}")


MOVING = {"move", "roll", "ruling", "take_back", "start", "end", "pass"}


def some_nonsense(job: tuple[str, int]) -> Counter[str]:
    """Feed random events to referees; raises where one gives way."""
    seed, count = job
    rng = Random(seed)
    found: Counter[str] = Counter()
    while found["events"] < count:
        referee = Referee(sensing=rng.choice(SENSINGS))
        before: Position | None = None
        for now, event in random_events(rng, min(EACH, count - found["events"])):
            found["events"] += 1
            effects = referee.feed(event, now)
            after = referee.view.position
            if after != before:
                kept = [effect.record["kind"] for effect in effects if isinstance(effect, Keep)]
                if not MOVING & set(kept):
                    raise AssertionError(f"the game changed and nothing was kept: {event} {kept}")
                check_lawful(after)
                found["changes"] += 1
                before = after
        leave(referee, now)
        found["referees"] += 1
    return found


def leave(referee: Referee, now: float) -> None:
    """The box's own buttons lead to a new menu from wherever it stands."""
    pressed = 0
    while referee.view.phase not in ("idle", "over") and pressed < WAY_OUT:
        now += 1.0
        view = referee.view
        keys = [line.key for line in view.lines]
        wanted = next((key for key in ("end_game", "end", "yes", "back") if key in keys), None)
        if view.phase == "menu" and wanted is not None:
            button = "ok" if keys[view.cursor] == wanted else "down"
            referee.feed(Pressed(button), now)  # type: ignore[arg-type]
        elif view.phase == "menu":
            referee.feed(Pressed("ok"), now)
        else:
            referee.feed(Pressed("ok", held=True), now)
        pressed += 1
    if pressed == WAY_OUT:
        raise AssertionError(f"no way out by buttons: {referee.view}")


def main(count: int, seed: str, workers: int) -> None:
    """Run it, and say what came of it."""
    jobs = [(f"{seed} {worker}", -(-count // workers)) for worker in range(workers)]
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(workers) as pool:
        for found in pool.map(some_nonsense, jobs):
            total += found
    print(
        f"{total['events']:,} random events to {total['referees']:,} referees: no exception, "
        f"{total['changes']:,} lawful changes, a way out by buttons from everywhere"
    )
