"""A simulated evening: hands or fingers play whole games at a referee, rightly and wrongly."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from companion.events import Command, Event, Pressed, Reading, Rolled, Rolling, Snapshot, Tick
from companion.referee import Effect, Match, Referee, View
from companion.rules import (
    SHEETS,
    Attempt,
    Game,
    Move,
    Pass,
    Position,
    Refused,
    game,
    judge,
    legal_moves,
    outcome,
    play,
)
from companion.rules import Hop as Seen
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE, Board
from tests.hands import Fingers, Hands, Hop, PhysicalTable, Timed
from tests.scripts import line_of

BOARD_SHEETS = [name for name, sheet in SHEETS.items() if isinstance(sheet.board, Board)]


def random_game(rng: Random, sheet: str) -> Game:
    """A sheet with random options and seats."""
    board = SHEETS[sheet].board
    options = {option.name: rng.choice(option.allowed) for option in SHEETS[sheet].options}
    seats = rng.sample(board.colours, rng.randint(2, 4))
    if options.get("two_colours_each") and len(seats) == 2:
        seats = [board.colours[0], rng.choice(board.colours[1::2])]
    for option, players in (("two_colours_each", 2), ("neutral_colour", 3)):
        if option in options and len(seats) != players:
            options[option] = False
    return game(sheet, options, seats)


def looks(position: Position) -> Counter[str]:
    """What sensors can tell of a position: pieces in each base and home, squares taken."""
    board = position.game.board
    assert isinstance(board, Board)
    spots = [board.spot(seat, at) for seat, own in enumerate(position.pieces) for at in own]
    found = Counter(spots)
    return Counter({spot: n if spot[-1] in "BH" else 1 for spot, n in found.items()})


@dataclass
class Tally:
    """What happened in an evening."""

    moves: int = 0
    illegal: int = 0
    unseen: int = 0
    games: int = 0
    faults: list[str] = field(default_factory=list)


class Evening:
    """One referee, one table, one pair of hands; everything from one seed."""

    def __init__(self, seed: int, sheet: str, sensing: str, wrong: float = 0.0) -> None:
        self.rng = Random(f"{seed} {sheet} {sensing} {wrong}")
        self.game = random_game(self.rng, sheet)
        assert isinstance(self.game, BoardGame)
        self.table = PhysicalTable(self.game.board, self.rng)
        self.hands = Hands(self.table, self.rng)
        self.fingers = Fingers(self.table, self.rng)
        self.sensing = sensing
        self.wrong = wrong
        self.referee = Referee(sensing=sensing)
        self.now = 0.0
        self.rolls = 0
        self.tally = Tally()
        self.trace: list[Timed] = []
        self.last: tuple[Position, int] | None = None
        """The position and roll that the last move was made with."""

    # -- feeding ---------------------------------------------------------------------------

    def feed(self, event: Event, delay: float = 0.05) -> list[Effect]:
        """Let time pass, with the ticks the referee asks for, then the event."""
        self.wait(delay)
        self.trace.append((event, self.now))
        return self.referee.feed(event, self.now)

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (deadline := self.referee.next_deadline()) is not None and deadline <= end:
            self.now = max(self.now, deadline)
            self.trace.append((Tick(), self.now))
            self.referee.feed(Tick(), self.now)
        self.now = end

    def feed_all(self, events: Iterable[Timed]) -> None:
        for event, delay in events:
            self.feed(event, delay)

    @property
    def view(self) -> View:
        return self.referee.view

    @property
    def match(self) -> Match:
        match = self.referee.match
        assert match is not None
        return match

    # -- an evening ------------------------------------------------------------------------

    def begin(self) -> None:
        """Choose the game, set the pieces."""
        seats = [self.game.colours[seat] for seat in self.game.seats]
        choice = {"sheet": self.game.sheet.id, "options": self.game.options, "seats": seats}
        self.feed(Command("new_game", choice))
        self.table.set_up(self.game.start())
        if self.sensing == "presence":
            self.feed(Snapshot(self.table.on()))
            self.wait(1.0)
        else:
            self.feed(Pressed("ok"))
        self.expect(self.view.phase == "opening", "the set-up was not taken")

    def expect(self, held: bool, fault: str) -> bool:
        if not held:
            view = self.view
            self.tally.faults.append(
                f"{fault}: phase {view.phase}, {self.match.position}, roll {view.face}, "
                f"{view.refusals} {view.notice} {view.remedy}"
            )
        return held

    def play(self, most_moves: int) -> Tally:
        """Play until the game is over, so many moves are made, or something is wrong."""
        self.begin()
        mirror = self.match.position
        while not mirror.over and self.tally.moves < most_moves and not self.tally.faults:
            if self.wrong and self.rng.random() < self.wrong / 3 and mirror.due is None:
                self.try_wrong(mirror, None)
            face = mirror.due or self.rng.randint(1, 6)
            legal = legal_moves(mirror, face)
            if mirror.due is None:
                self.roll(face)
            move = self.rng.choice(legal)
            if not isinstance(move, Pass):
                if self.wrong and self.rng.random() < self.wrong:
                    self.try_wrong(mirror, face)
                    move = self.made_by_remedy(mirror, face) or move
                assert isinstance(move, Move)
                if self.match.position == mirror:
                    self.make(mirror, move)
            elif len(legal) > 1:
                self.choose(move)
            self.last = None if mirror.opening is not None else (mirror, face)
            mirror = play(mirror, move)
            while mirror.due and isinstance(legal_moves(mirror, mirror.due)[0], Pass):
                mirror = play(mirror, legal_moves(mirror, mirror.due)[0])  # it is lost at once
            self.expect(self.match.position == mirror, f"not the engine's position {mirror}")
            self.tally.moves += 1
        self.tally.games += mirror.over
        return self.tally

    def made_by_remedy(self, position: Position, face: int) -> Move | None:
        """The legal move that putting right has completed, if it has.

        A wrong piece taken home may look like the victim of a capture: the way on is then to
        make that capture, and pieces of one colour are as good as each other.
        """
        there = self.match.position
        moves = [m for m in legal_moves(position, face) if isinstance(m, Move)]
        made = [move for move in moves if play(position, move) == there]
        if there != position:
            self.expect(bool(made), f"{there} came of putting right")
        return made[0] if made and there != position else None

    def roll(self, face: int) -> None:
        self.rolls += 1
        self.feed(Rolling(), self.rng.uniform(0.05, 1.5))
        self.feed(Rolled(self.rolls, face), 0.6)

    def make(self, position: Position, move: Move) -> None:
        """Make a legal move with hands or fingers, and confirm what cannot be seen."""
        if self.sensing == "touch":
            self.feed_all(self.fingers.make(position, move))
            self.table.set_up(play(position, move))
            if self.view.phase == "penalty":
                self.feed(Pressed("ok"), 0.5)
        else:
            self.feed_all(self.hands.make(position, move))
        self.wait(1.0)
        if self.sensing == "touch" or self.can_be_seen(position, move):
            still = self.match.position == position
            unseen = (self.view.phase == "move" and still) or self.view.title == "which_move"
            self.expect(not unseen, f"{move} was plain to see, but not recognised")
        if self.view.phase in ("move", "ask") and self.match.position == position:
            self.choose(move)
        taken = self.view.phase in ("roll", "over", "ask") or self.match.position != position
        self.expect(taken, f"{move} was not taken")

    def can_be_seen(self, position: Position, move: Move) -> bool:
        """Whether a piece comes somewhere, and no other legal move makes the board look so."""
        before, after = looks(position), looks(play(position, move))
        legal = legal_moves(position, move.face)
        alike = [other for other in legal if looks(play(position, other)) == after]
        return bool(after - before) and alike == [move]

    def choose(self, move: Move | Pass) -> None:
        """OK for a move that cannot be seen; if asked which one, say so."""
        if self.view.phase == "move":
            self.feed(Pressed("ok"))
        for _ in range(40):
            view = self.view
            if view.cursor < 0 or view.phase not in ("move", "ask") or view.title == "won":
                return
            if view.lines[view.cursor].move == move:
                self.feed(Pressed("ok"))
                return
            self.feed(Pressed("down"))

    # -- doing it wrong --------------------------------------------------------------------

    def try_wrong(self, position: Position, face: int | None) -> None:
        """Do something illegal, see it flagged, and put it right as shown."""
        hop = self.wrong_hop(position, face)
        if hop is None:
            return
        attempt = Attempt((Seen(hop.origin, hop.target),))
        verdict = judge(position, face, attempt)
        if not isinstance(verdict, Refused):
            return
        if self.sensing == "touch" and (self.amends(hop) or self.goes_home(position, face, hop)):
            return
        before = (self.match.position, self.match.face)
        self.stacked = {name: list(pieces) for name, pieces in self.table.standing.items()}
        if self.sensing == "touch":
            self.feed_all(self.fingers.hop(hop.origin, hop.target))
        elif not self.seen_wrong(position, face, hop):
            self.tally.unseen += 1
            return
        else:
            self.feed_all((e, self.hands.pause()) for e in self.carry_wrong(hop))
        self.wait(6.0)
        self.tally.illegal += 1
        clauses = {refusal.clause for refusal in verdict.refusals}
        shown = {refusal.clause for refusal in self.view.refusals}
        self.expect(self.view.phase == "illegal", f"{attempt} was not flagged ({clauses})")
        self.expect(bool(shown & (clauses | self.also(hop))), f"{attempt}: {clauses}")
        self.expect(before == (self.match.position, self.match.face), "the game was changed")
        self.put_right(hop)

    def also(self, hop: Hop) -> set[str]:
        """What the judge says to all that sensors cannot tell apart from this attempt.

        A piece put on top of another is simply gone (`12>`, and O8: the move is unfinished); one
        taken from the top of another came from any such place; and before the next roll the last
        one may still be played.
        """
        match = self.match
        stacks = [name for name, pieces in self.stacked.items() if len(pieces) > 1]
        origins = stacks if self.sensing == "presence" and hop.origin in stacks else [hop.origin]
        hidden = self.sensing == "presence" and bool(self.stacked.get(hop.target))
        ends: list[str | None] = [hop.target, None] if hidden else [hop.target]
        tried: list[tuple[Position, int | None, tuple[Seen, ...]]] = [
            (match.position, match.face, (Seen(o, e),)) for o in origins for e in ends
        ]
        last = match.past[-1] if match.past and match.face is None else None
        if last is not None and last.move is not None and last.position.opening is None:
            tried += [(last.position, last.face, (Seen(o, e),)) for o in origins for e in ends]
            if isinstance(last.move, Move):
                assert isinstance(self.game, BoardGame)
                origin, target = self.game.stops(last.move)
                tried += [(last.position, last.face, (Seen(origin, e),)) for e in ends]
                second = Seen(hop.origin, hop.target)
                tried.append((last.position, last.face, (Seen(origin, target), second)))
        verdicts = [judge(where, face, Attempt(hops)) for where, face, hops in tried]
        refused = [verdict for verdict in verdicts if isinstance(verdict, Refused)]
        found = {refusal.clause for verdict in refused for refusal in verdict.refusals}
        return found | ({"O8"} if hidden else set())

    def amends(self, hop: Hop) -> bool:
        """Whether this moves the last piece on or back, which is allowed until the next roll."""
        last = self.match.past[-1] if self.match.past and self.match.face is None else None
        if last is None or not isinstance(last.move, Move):
            return False
        assert isinstance(self.game, BoardGame)
        origin, target = self.game.stops(last.move)
        verdict = judge(last.position, last.face, Attempt((Seen(origin, hop.target),)))
        return hop.origin == target and (hop.target == origin or not isinstance(verdict, Refused))

    def goes_home(self, position: Position, face: int | None, hop: Hop) -> bool:
        """Whether this presses a piece home that was captured or sent back, or may be captured."""
        rolls = [(position, face), *([self.last] if self.last is not None else [])]
        for where, rolled in rolls:
            for move in legal_moves(where, rolled) if rolled is not None else ():
                for told in outcome(where, move).happenings:
                    home = self.table.board.spot(told.seat, BASE)
                    sent = told.what in ("captured", "sent_back")
                    if sent and (hop.origin, hop.target) == (told.places[0], home):
                        return True
        return False

    def carry_wrong(self, hop: Hop) -> Iterable[Event]:
        struck: list[Reading] = []
        if hop.strikes is not None:
            struck = self.table.lift(hop.target)[1]
        piece, readings = self.table.lift(self.table.taken_place(hop.origin, hop.seat), hop.seat)
        self.wrong_place = self.table.free_place(hop.target)
        readings = [*struck, *readings, *self.table.drop(self.wrong_place, piece)]
        if hop.strikes is not None:
            base = self.table.free_place(self.table.board.spot(hop.strikes, BASE))
            readings += self.table.drop(base, hop.strikes)
        return readings

    def seen_wrong(self, position: Position, face: int | None, hop: Hop) -> bool:
        """Whether sensors can tell this attempt from what is allowed; others are not made."""
        if (
            hop.target not in self.table.standing
            and len([n for n in range(1, 5) if not self.table.standing[f"{hop.target}{n}"]]) == 0
        ):
            return False
        allowed, victims = self.allowed(position, face)
        if hop.target.endswith(".B") and hop.origin in victims:
            return False  # taking a victim home is how a capture begins
        after = looks(position)
        if len(self.table.standing.get(hop.origin, ())) < 2:
            after[hop.origin] -= 1
        if hop.strikes is not None:
            after[self.table.board.spot(hop.strikes, BASE)] += 1
        after[hop.target] = after[hop.target] + 1 if hop.target[-1] in "BH" else 1
        return +after not in allowed

    def allowed(self, position: Position, face: int | None) -> tuple[list[Counter[str]], set[str]]:
        """How the board may look next, and from where pieces may be taken home.

        Until the roll the last move may be undone, or another one made instead.
        """
        seen, victims = [looks(position)], set()
        where = position
        if face is None and self.last is not None:
            where, face = self.last
            seen.append(looks(where))
        for move in legal_moves(where, face) if face is not None else ():
            there, told = outcome(where, move)
            seen.append(looks(there))
            for one in told:
                victims |= set(one.places) if one.what == "captured" else set()
                if one.what == "penalty" and not one.places[0].endswith(".B"):
                    unpaid = looks(there)
                    unpaid[one.places[0]] = 1
                    unpaid[self.table.board.spot(one.seat, BASE)] -= 1
                    seen.append(+unpaid)
        return seen, victims

    def wrong_hop(self, position: Position, face: int | None) -> Hop | None:
        """A random piece to a random place, or nearly right."""
        table = self.game
        assert isinstance(table, BoardGame)
        seats = [seat for seat in table.in_play if position.pieces[seat]]
        own = self.rng.random() < 0.7
        seat = self.rng.choice(table.hands[position.seat]) if own else self.rng.choice(seats)
        piece = self.rng.choice(position.pieces[seat])
        if self.rng.random() < 0.5:
            target = max(0, min(table.last, piece + self.rng.randint(1, 7)))
            spot = table.spot(seat, target)
        else:
            place = self.rng.choice(table.board.places)
            spot = place.name[:3] if place.kind in ("base", "home") else place.name
        origin = table.spot(seat, piece)
        there = self.table.standing.get(spot, [])
        strikes = there[0] if len(there) == 1 and self.rng.random() < 0.5 else None
        return None if spot == origin else Hop(seat, origin, spot, strikes=strikes)

    def put_right(self, hop: Hop) -> None:
        """Follow the remedy shown, step by step."""
        remedy = self.view.remedy
        self.expect(bool(remedy), "no remedy is shown")
        for step in remedy:
            if self.sensing == "touch":
                assert step.origin is not None
                assert step.target is not None
                self.feed_all(self.fingers.hop(step.origin, step.target))
                continue
            place = self.wrong_place
            if step.origin is not None and step.origin != hop.target:
                place = self.table.taken_place(step.origin)
            piece, readings = self.table.lift(place)
            target = step.target if step.target is not None else hop.origin
            readings += self.table.drop(self.table.free_place(target), piece)
            self.feed_all((reading, 0.1) for reading in readings)
        self.wait(2.0)
        self.expect(self.view.phase in ("move", "roll", "opening"), "it was not put right")
        if self.sensing == "presence":
            self.expect(self.stands() == self.match.position.pieces, "the colours got mixed up")

    def stands(self) -> tuple[tuple[int, ...], ...]:
        """Where the pieces really stand, by colour."""
        found: list[list[int]] = [[] for _ in self.game.colours]
        for name, pieces in self.table.standing.items():
            for seat in pieces:
                at = self.table.board.progress_at(seat, self.table.board.by_name[name])
                found[seat].append(-2 if at is None else at)
        return tuple(tuple(sorted(own)) for own in found)


def save_trace(path: Path, evening: Evening) -> None:
    """Write what led to a fault as a script that replays."""
    begun = [f"# {fault}" for fault in evening.tally.faults]
    begun += [f"sensing {evening.sensing}", f"new {evening.game}"]
    lines = [f"@{at:.4f} {line_of(event)}" for event, at in evening.trace[1:]]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*begun, *lines]) + "\n")
