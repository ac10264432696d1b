"""What hands do: each act changes the table step by step and says how long each step takes.

An act is a generator: it yields seconds to wait, or a `Mark` that says what it is about to do.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.rules import NOBODY, Move, Position, outcome
from companion.rules.boards import BASE
from tests.people.plans import Plan, Rates
from tests.people.table import BESIDE, FLOOR, HAND, Hop, Table, game_of

Later = Callable[[float, Callable[[], None], str], None]
WIRE, HOLDS, MENDS = "wire", "holds", "mends"
"""What is put off: something on a wire, a piece that somebody holds and is about to put back, and
something that somebody will notice and put right sooner or later."""


class Mark(NamedTuple):
    """What hands are about to do; `guilty` if a STOP is deserved while they do it."""

    text: str
    guilty: bool = False


Act = Iterator[float | Mark]


@dataclass
class Deed:
    """All that a legal move means on the table."""

    move: Move
    mover: list[Hop]
    victims: list[Hop] = field(default_factory=list)
    penalty: list[Hop] = field(default_factory=list)
    following: str = ""
    """The colour whose turn comes then; '' if it is the same again."""
    touched: str = ""
    """The square a piece reaches before it is sent straight back."""

    @property
    def spots(self) -> set[str]:
        hops = (*self.mover, *self.victims, *self.penalty)
        return {spot for hop in hops for spot in (hop.origin, hop.target)} | {self.touched}


def deed_of(position: Position, move: Move) -> Deed:
    """What a legal move means on the table: who goes where, who goes home."""
    game = game_of(position)
    after, happenings = outcome(position, move)
    origin, target = game.stops(move)
    colour = game.colours[move.seat]
    deed = Deed(move, [Hop(colour, origin, target)] * move.size)
    if after.seat not in (NOBODY, position.seat):
        deed.following = game.colours[after.seat]
    for seat, (was, now) in enumerate(zip(position.pieces, after.pieces, strict=True)):
        if seat != move.seat:
            gone = [piece for piece in set(was) if was.count(piece) > now.count(piece)]
            name = game.colours[seat]
            for piece in gone:
                count = was.count(piece) - now.count(piece)
                deed.victims += [Hop(name, game.spot(seat, piece), game.spot(seat, BASE))] * count
    for happening in happenings:
        if happening.what == "sent_back":
            deed.touched = target
            deed.mover = [Hop(colour, origin, game.spot(move.seat, BASE))]
        elif happening.what == "penalty" and happening.places[0] != game.spot(happening.seat, BASE):
            home = game.spot(happening.seat, BASE)
            deed.penalty.append(Hop(game.colours[happening.seat], happening.places[0], home))
            # The penalised piece of another colour is not captured: it goes when it is told to.
            deed.victims = [v for v in deed.victims if v != deed.penalty[-1]]
    return deed


class Hands:
    """Everybody's hands at one table. `later` puts something off while others go on."""

    def __init__(self, table: Table, rates: Rates, later: Later) -> None:
        self.table, self.rates, self.later = table, rates, later
        self.current: Deed | None = None
        self.pushed: list[Hop] = []
        self.resting = ""
        self.idle = False
        """No hand of the mover is at a piece: everything may flicker."""

    def is_pushed(self) -> bool:
        """Whether a piece still stands where a sleeve has pushed it."""
        stands = self.table.stands
        self.pushed = [hop for hop in self.pushed if hop.colour in stands.get(hop.target, ())]
        return bool(self.pushed)

    # -- single acts -----------------------------------------------------------------------

    def take(self, spot: str, colour: str, to: str = HAND) -> None:
        place = self.table.taken(spot, colour)
        if place is not None:
            self.table.lift(place, colour, to)
        elif colour in self.table.away[BESIDE] and spot == f"{spot.partition('.')[0]}.B":
            self.table.keep(colour, BESIDE, to)  # it never got back to its base

    def set_down(self, spot: str, colour: str, since: str = HAND) -> None:
        if colour in self.table.away[since]:
            self.table.put(self.table.free(spot), colour, since)

    def carry(self, hop: Hop, seconds: float) -> Act:
        """A piece goes straight from here to there; from '' if it is off the board."""
        if hop.origin:
            self.take(hop.origin, hop.colour)
            yield seconds
            self.set_down(hop.target, hop.colour)
            return
        yield seconds
        found = self.table.where_away(hop.colour)
        if found is not None:
            self.table.put(self.table.free(hop.target), hop.colour, found[0])

    def put_right(self, hops: list[Hop], plan: Plan) -> Act:
        """Each colour to where it belongs, by somebody who knows how it was."""
        if any(hop.target == other.origin for hop in hops for other in hops[hops.index(hop) :]):
            # They stand on each other's squares: all are lifted, and then set down.
            for hop in hops:
                if hop.origin:
                    self.take(hop.origin, hop.colour)
                    yield plan.rng.uniform(0.2, 0.6)
            hops = [hop._replace(origin="") for hop in hops]
        for hop in hops:
            yield from self.carry(hop, plan.span(self.rates, "lift_to_put"))
            yield plan.rng.uniform(0.2, 1.0)

    # -- a legal move ----------------------------------------------------------------------

    def move(self, position: Position, deed: Deed, plan: Plan, barred: set[str]) -> Act:
        """A legal move, with all that the plan says; `barred` are squares that would be legal."""
        rng, odd = plan.rng, plan.odd
        self.current, self.resting = deed, ""
        yield from self.mishaps(deed, plan, barred)
        if "other_first" in odd and not plan.in_hand:
            yield from self.other_first(position, deed, plan)
        style = plan.capture if deed.victims else ""
        if style == "first":
            yield Mark("captured first")
            for victim in deed.victims:
                yield from self.carry(victim, plan.span(self.rates, "lift_to_put"))
                yield rng.uniform(0.2, 1.0)
        elif style == "meanwhile":
            yield Mark("captured meanwhile")
            for victim in deed.victims:
                self.take(victim.origin, victim.colour, BESIDE)
                yield rng.uniform(0.3, 1.5)
        for number, hop in enumerate(deed.mover):
            if number or not plan.in_hand:
                self.take(hop.origin, hop.colour)
            yield from self.on_the_way(position, deed, hop, plan, barred, first=number == 0)
            yield from self.arrive(deed, hop, plan, style)
            yield rng.uniform(0.1, 0.6)
        if style in ("meanwhile", "last", "on_top"):
            yield from self.victims_home(deed, plan)
        if "adjust" in odd and not deed.touched:
            yield Mark("adjust")
            hop = deed.mover[-1]
            yield rng.uniform(0.2, 2.0)
            self.take(hop.target, hop.colour)
            yield rng.uniform(0.1, 0.8)
            self.set_down(hop.target, hop.colour)

    def on_the_way(
        self, position: Position, deed: Deed, hop: Hop, plan: Plan, barred: set[str], first: bool
    ) -> Act:
        """From lifting a piece until it is at its target: thinking, sliding, counting, erring."""
        rng, odd = plan.rng, plan.odd
        between = self.between(position, deed.move)
        if first and plan.think:
            yield Mark("think")
            yield plan.think
        if "slide" in odd or "hover" in odd:
            slow = "hover" in odd
            yield Mark("hover" if slow else "slide")
            for spot in between:
                if spot not in self.table.stands and (not slow or rng.random() < 0.5):
                    yield rng.uniform(0.02, 0.15)
                    yield from self.rest(
                        spot, hop, rng.uniform(0.2, 0.9) if slow else rng.uniform(0.04, 0.25)
                    )
        for name in ("wrong_first", "wrong_first_long"):
            spot = self.wrong_square(position, deed.move, plan, barred)
            if first and name in odd and spot:
                yield plan.span(self.rates, "lift_to_put")
                yield Mark(name, guilty=name == "wrong_first_long")
                low, high = self.rates[f"{name}_time"]
                yield from self.rest(spot, hop, low + (high - low) * rng.random() ** 2)
                yield Mark(f"after {name}")
        yield plan.span(self.rates, "lift_to_put")

    def rest(self, spot: str, hop: Hop, seconds: float) -> Act:
        """A piece on its way stands on a square for a moment; the hand is still at it."""
        self.resting = spot
        self.set_down(spot, hop.colour)
        yield seconds
        self.take(spot, hop.colour)
        self.resting = ""

    def arrive(self, deed: Deed, hop: Hop, plan: Plan, style: str) -> Act:
        """A piece gets to its target; a captured one is lifted before, or stays below."""
        rng = plan.rng
        if style in ("last", "late"):
            yield Mark(f"captured {style}")
            for victim in deed.victims:
                self.take(victim.origin, victim.colour, BESIDE)
                yield rng.uniform(0.05, 0.5)
        self.set_down(hop.target, hop.colour)
        if style == "on_top":
            yield Mark("captured on top")
            for victim in deed.victims:
                yield rng.uniform(0.2, 1.5)
                self.take(victim.origin, victim.colour, BESIDE)
        if style == "late" and rng.random() < 0.7:  # or else forgotten until the box says so
            for victim in deed.victims:
                self.later(rng.uniform(2.0, 30.0), lambda v=victim: self.home_late(v), MENDS)  # type: ignore[misc]

    def home_late(self, victim: Hop) -> None:
        """Somebody finds the captured piece beside the board, if it still lies there."""
        self.set_down(victim.target, victim.colour, BESIDE)

    def victims_home(self, deed: Deed, plan: Plan) -> Act:
        for victim in deed.victims:
            yield plan.span(self.rates, "lift_to_put")
            self.set_down(victim.target, victim.colour, BESIDE)

    def other_first(self, position: Position, deed: Deed, plan: Plan) -> Act:
        """Another own piece is taken, and put back."""
        game = game_of(position)
        origin = deed.mover[0].origin
        spots = {game.spot(deed.move.seat, piece) for piece in position.pieces[deed.move.seat]}
        others = sorted(spots - {origin})
        colour = deed.mover[0].colour
        if others:
            spot = plan.rng.choice(others)
            place = self.table.taken(spot, colour)
            if place is not None:
                yield Mark("other piece first")
                self.table.lift(place, colour)
                yield plan.rng.uniform(0.3, 3.0)
                if colour in self.table.away[HAND]:
                    self.table.put(self.table.free(spot), colour)
                yield plan.rng.uniform(0.2, 1.0)

    # -- mishaps ---------------------------------------------------------------------------

    def mishaps(self, deed: Deed, plan: Plan, barred: set[str]) -> Act:
        """Sleeves, jolts, pieces that fall: some before the move, some while it is made."""
        for name, act in (
            ("brush", self.brush),
            ("push", self.push),
            ("jolt", self.jolt),
            ("floor", self.floor),
            ("overlap", self.overlap),
        ):
            if name not in plan.odd:
                continue
            if plan.rng.random() < 0.5:
                self.later(
                    plan.rng.uniform(0.3, 3.0),
                    lambda a=act: a(deed, plan, barred) if self.current is deed else None,  # type: ignore[misc]
                    HOLDS,
                )
            else:
                yield Mark(name)
                self.idle = True
                act(deed, plan, barred)
                self.idle = False
                yield plan.rng.uniform(0.35, 1.5)

    def bystanders(self, deed: Deed) -> list[str]:
        """The squares with one piece that this move has nothing to do with."""
        spots = deed.spots | {self.resting}
        return sorted(
            place
            for place, own in self.table.stands.items()
            if len(own) == 1 and place in self.table.ground.beside and place not in spots
        )

    def brush(self, deed: Deed, plan: Plan, barred: set[str]) -> None:
        """A sleeve lifts a piece a little, and it falls back on its square."""
        places = self.bystanders(deed)
        if places:
            place = plan.rng.choice(places)
            colour = self.table.lift(place)
            self.later(
                plan.rng.uniform(0.05, 0.8), lambda: self.back_on(place, colour, HAND), HOLDS
            )

    def back_on(self, place: str, colour: str, since: str) -> None:
        """A piece goes back onto its square, if it is still off the board."""
        if colour in self.table.away[since]:
            self.table.put(place, colour, since)

    def push(self, deed: Deed, plan: Plan, barred: set[str]) -> None:
        """A sleeve pushes a piece one square; it is straightened soon, or when the box says so."""
        spots = deed.spots
        pushes = [
            (place, to)
            for place in self.bystanders(deed)
            for to in self.table.ground.beside[place]
            if to not in self.table.stands and to not in spots and to not in barred
        ]
        if not pushes:
            return
        place, to = plan.rng.choice(pushes)
        colour = self.table.lift(place)
        mended = plan.span(self.rates, "push_mended")
        unseen = plan.rng.random() < self.rates["push_unseen"]
        self.later(0.05, lambda: self.back_on(to, colour, HAND), HOLDS)
        self.pushed.append(Hop(colour, place, to))
        if not unseen:
            self.later(0.1 + mended, lambda: self.straighten(to, place, colour), MENDS)

    def straighten(self, origin: str, target: str, colour: str) -> None:
        """The pushed piece goes back, if nobody has put it right meanwhile."""
        own = self.table.stands.get(origin, [])
        if own == [colour] and target not in self.table.stands:
            self.table.lift(origin)
            self.later(0.3, lambda: self.back_on(target, colour, HAND), HOLDS)

    def jolt(self, deed: Deed, plan: Plan, barred: set[str]) -> None:
        """The table is knocked: several pieces lose contact for a moment."""
        places = sorted(self.table.stands) if self.idle else self.bystanders(deed)
        for place in plan.rng.sample(places, min(len(places), plan.rng.randint(2, 6))):
            if len(self.table.stands.get(place, ())) == 1:
                colour = self.table.lift(place, to=BESIDE)
                back = plan.rng.uniform(0.03, 0.3)
                self.later(back, lambda p=place, c=colour: self.back_on(p, c, BESIDE), HOLDS)  # type: ignore[misc]

    def floor(self, deed: Deed, plan: Plan, barred: set[str]) -> None:
        """A piece is knocked off the table, and found after half a minute."""
        places = self.bystanders(deed)
        if places:
            place = plan.rng.choice(places)
            colour = self.table.lift(place, to=FLOOR)
            self.later(
                plan.rng.uniform(20.0, 40.0), lambda: self.back_on(place, colour, FLOOR), MENDS
            )

    def overlap(self, deed: Deed, plan: Plan, barred: set[str]) -> None:
        """Who comes next already takes a piece, and puts it back when told to wait."""
        stands = self.table.stands
        places = [one for one in self.bystanders(deed) if stands[one] == [deed.following]]
        if places:
            place = plan.rng.choice(places)
            colour = self.table.lift(place)
            self.later(plan.rng.uniform(0.5, 4.0), lambda: self.back_on(place, colour, HAND), HOLDS)

    # -- where -----------------------------------------------------------------------------

    def between(self, position: Position, move: Move) -> list[str]:
        """The squares a piece passes on its way, in order."""
        if move.origin < 0 or move.target <= move.origin:
            return []
        game = game_of(position)
        return [game.spot(move.seat, step) for step in range(move.origin + 1, move.target)]

    def wrong_square(self, position: Position, move: Move, plan: Plan, barred: set[str]) -> str:
        """An empty square near the target where no legal move ends; '' if there is none."""
        game = game_of(position)
        steps = [move.target + by for by in (1, -1, 2, -2, 3) if 0 <= move.target + by < game.last]
        spots = [game.spot(move.seat, step) for step in steps if step != move.origin]
        free = [spot for spot in spots if spot not in self.table.stands and spot not in barred]
        return plan.rng.choice(free) if free else ""
