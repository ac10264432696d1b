"""The machine in phases.py is true: all that happens is in it, and all in it happens."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import get_args

import pytest

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
from companion.referee import Keep, Phase, Referee, Report
from companion.referee.match import Match
from companion.referee.phases import ACTS, LEADS, PHASES, Act
from companion.referee.play import ACT_OF, Play
from companion.referee.sensing import Accept, Amend, Back, Finding, Guide, Question, Refuse, Right
from companion.referee.stage import Stage
from companion.referee.times import Times
from companion.rules import Board, Position, game, legal_moves, play
from tests.evening import BOARD_SHEETS, Evening, random_game
from tests.people.cards import CardEvening as CardPlayers
from tests.people.evening import Evening as People
from tests.people.figures import Figures
from tests.people.plans import all_rates
from tests.people.sitting import BOARD_SHEETS as PEOPLE_PLAY
from tests.scripts import script

TRACES = sorted((Path(__file__).parent.parent / "traces").glob("*.txt"))

Way = tuple[Phase, Act, Phase]

ROWS: set[Way] = {
    (phase, act, there) for phase, acts in LEADS.items() for act, to in acts.items() for there in to
}


@contextmanager
def followed() -> Iterator[set[Way]]:
    """Every transition made meanwhile, by whichever referee."""
    ways: set[Way] = set()
    follow = Play._follow

    def told(self: Play, act: Act, stage: Stage) -> bool:
        ways.add((self.phase, act, stage.phase))
        return follow(self, act, stage)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Play, "_follow", told)
        yield ways


# -- the page itself -----------------------------------------------------------------------


def test_every_phase_and_act_is_on_the_page() -> None:
    assert set(PHASES) == set(LEADS) == set(get_args(Phase))
    assert set(ACTS) == set(get_args(Act))
    assert {act for acts in LEADS.values() for act in acts} == set(ACTS)


def test_what_a_finding_asks_for_is_known() -> None:
    changing = {Accept, Amend, Back, Right, Refuse, Guide, Question}
    assert set(ACT_OF) == changing, "a hint leaves the phase as it is; everything else is an act"


# -- what happens is on the page, and what is on the page happens ---------------------------


def test_every_row_is_reached_by_a_readable_trace() -> None:
    with followed() as ways:
        for trace in TRACES:
            script(trace)
    assert sorted(ways - ROWS) == [], "transitions that phases.py does not have"
    assert sorted(ROWS - ways) == [], "rows that no trace reaches: write one, or remove them"


@pytest.mark.parametrize("sensing", ["presence", "touch"])
def test_evenings_make_no_other_transition(sensing: str) -> None:
    with followed() as ways:
        for sheet in BOARD_SHEETS:
            Evening(1, sheet, sensing).play(10)
        for sheet in PEOPLE_PLAY:
            People(f"ways {sheet}", all_rates()["clumsy"], Figures(), sensing, sheet=sheet).play(25)
        if sensing == "touch":
            CardPlayers("ways", all_rates()["clumsy"], Figures(), sensing, sheet="cards").play(100)
    assert len(ways) > 8
    assert sorted(ways - ROWS) == []


ORDERS = ("start", "take_back", "ruling", "pause", "resume", "end_game", "play_on", "back")


class Walk:
    """Somebody who does anything at any moment, though often what the game allows."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"walk {seed}")
        sensing = self.rng.choice(("presence", "presence", "touch", "choose"))
        self.referee = Referee(sensing=sensing, die=self.rng.choice(("serial", "hand")))
        self.now = 0.0
        self.rolls = 0
        self.reports: list[str] = []
        self.kept: list[dict[str, object]] = []

    def run(self, events: int) -> None:
        chosen = random_game(self.rng, self.rng.choice(BOARD_SHEETS))
        seats = [chosen.colours[seat] for seat in chosen.seats]
        choice = {"sheet": chosen.sheet.id, "options": chosen.options, "seats": seats}
        self.feed(Command("new_game", choice))
        for _ in range(events):
            if self.rng.random() < 0.01:
                self.restart()
            self.feed(self.event())
            self.wait(self.rng.choice((0.1, 0.3, 1.0, 5.0)))

    @property
    def match(self) -> Match:
        match = self.referee.match
        assert match is not None
        return match

    def feed(self, event: Event) -> None:
        effects = self.referee.feed(event, self.now)
        self.reports += (one.text for one in effects if isinstance(one, Report))
        self.kept += (one.record for one in effects if isinstance(one, Keep))

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (deadline := self.referee.next_deadline()) is not None and deadline <= end:
            self.now = max(self.now, deadline)
            self.feed(Tick())
        self.now = end

    def restart(self) -> None:
        self.referee = Referee(sensing=self.referee.sensing, die=self.referee.die)
        effects = self.referee.resume(self.kept, self.now)
        self.reports += (one.text for one in effects if isinstance(one, Report))

    def event(self) -> Event:
        kinds = [self.reading, self.board, self.roll, self.button, self.order, self.device]
        return self.rng.choices(kinds, (5, 6, 6, 4, 2, 1))[0]()

    def reading(self) -> Event:
        match = self.match
        taken = sorted(standing(match.position)) if self.rng.random() < 0.5 else ()
        return Reading(
            self.rng.choice(taken or list(match.game.board.by_name)), self.rng.random() < 0.6
        )

    def board(self) -> Event:
        """The board as the game has it, as it was, or as a legal move leaves it; or nonsense."""
        match = self.match
        nonsense = self.rng.sample(list(match.game.board.by_name), 9)
        seen = [match.position, *(past.position for past in match.past[-1:])]
        where, face = match.position, match.face
        if face is None and match.past:
            where, face = match.past[-1].position, match.past[-1].face
        if face is not None:
            seen += [play(where, move) for move in legal_moves(where, face)]
        return Snapshot(self.rng.choice([frozenset(nonsense), *map(standing, seen)]))

    def roll(self) -> Event:
        self.rolls += 1
        face = self.rng.choice((1, 2, 3, 4, 5, 6, 6, 6))
        by = Command("roll", {"face": face, "by": self.rng.choice(self.match.game.colours)})
        events = (Rolled(self.rolls, face), by, Rolling(), Fumbled())
        return self.rng.choices(events, (9, 1, 1, 1))[0]

    def button(self) -> Event:
        return Pressed(self.rng.choice(("ok", "ok", "up", "down")), self.rng.random() < 0.3)

    def order(self) -> Event:
        return Command(self.rng.choice(ORDERS))

    def device(self) -> Event:
        sense = Command("sense_by", {"sensing": self.rng.choice(("presence", "touch", "choose"))})
        device = self.rng.choice(("board", "die"))
        return self.rng.choice((Lost(device), Found(device), Found(device), sense))


def standing(position: Position) -> frozenset[str]:
    """The sensors that a board in this position would show; cards have none."""
    board = position.game.board
    on: set[str] = set()
    if not isinstance(board, Board):
        return frozenset()
    for seat, pieces in enumerate(position.pieces):
        for piece in pieces:
            places = [place.name for place in board.places_of(seat, piece)]
            on.add(next((name for name in places if name not in on), places[0]))
    return frozenset(on)


def test_whoever_does_anything_makes_no_other_transition() -> None:
    """Forty evenings of a hundred events each; every kind of event, in any order."""
    reports: list[str] = []
    with followed() as ways:
        for seed in range(40):
            walk = Walk(seed)
            walk.run(100)
            reports += walk.reports
    assert len(ways) > 90, "the walk has become too tame"
    assert sorted(ways - ROWS) == []
    assert [text for text in reports if "no way leads" in text] == []


# -- an act without a row ------------------------------------------------------------------

WITHOUT = [(phase, act) for phase in PHASES for act in ACTS if act not in LEADS[phase]]


def playing(phase: Phase) -> Play:
    """A game under way, in some phase."""
    table = Play("presence", "serial", Times())
    table.match = Match(game("german", colours=["yellow", "red"]))
    table.stage = Stage(phase)
    return table


@pytest.mark.parametrize(("phase", "act"), WITHOUT)
def test_an_act_without_a_row_changes_nothing_but_a_report(phase: Phase, act: Act) -> None:
    table = playing(phase)
    before = table.stage, table.presence.places
    table.enter(act, Stage("roll"))
    assert (table.stage, table.presence.places) == before
    assert table.effects == [Report(f"no way leads from {phase} by {act}")]


MOVE = game("german", colours=["yellow", "red"]).move("yellow 6 1>7")
FINDINGS: list[Finding] = [
    Accept(MOVE),
    Amend(MOVE),
    Back(),
    Right(),
    Refuse(()),
    Guide(()),
    Question(()),
]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("found", FINDINGS, ids=lambda found: type(found).__name__)
def test_a_finding_without_a_row_changes_nothing_but_a_report(found: Finding, phase: Phase) -> None:
    act = ACT_OF[type(found)]
    if act not in LEADS[phase]:
        table = playing(phase)
        stage, match = table.stage, table.match
        assert match is not None
        table.act(found)
        assert table.stage is stage
        assert (match.past, match.face, match.position) == ([], None, match.game.start())
        assert table.effects == [Report(f"no way leads from {phase} by {act}")]
