"""Evenings of people as one long list of events, to feed to other referees."""

from collections.abc import Iterable, Iterator

from companion.events import Event, Tick
from companion.referee import Referee
from tests.people.evenings import an_evening
from tests.people.figures import Figures
from tests.people.plans import all_rates

Timed = tuple[float, Event]


def recorded(seed: str, sheet: str, rolls: int, sensing: str = "presence") -> list[Timed]:
    """All that a box hears while clumsy people play for so many rolls, with its time."""
    here = an_evening(seed, all_rates()["clumsy"], Figures(), sensing, sheet=sheet)
    found: list[Timed] = []
    feed = here.room.feed

    def heard(event: Event) -> None:
        found.append((here.room.now, event))
        feed(event)

    here.room.feed = heard  # type: ignore[method-assign]
    here.play(most=rolls)
    return found


def with_ticks(referee: Referee, events: Iterable[Timed]) -> Iterator[Timed]:
    """The events, and before each the ticks that the referee asks for by then."""
    for at, event in events:
        while (due := referee.next_deadline()) is not None and due <= at:
            yield due, Tick()
        yield at, event
