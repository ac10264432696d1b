"""From a board that is wrong to what hands seem to have done, and what is wrong with that."""

from dataclasses import dataclass
from typing import NamedTuple

from companion.referee.hearing import verdict_on
from companion.referee.match import Match
from companion.referee.outlines import Difference, Eyes, Step
from companion.rules import Attempt, Hop, Refusal, Refused
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE


class Fault(NamedTuple):
    """What is to be said, and about which attempt; None if that cannot be told."""

    refusals: tuple[Refusal, ...]
    attempt: Attempt | None


@dataclass(frozen=True)
class Clues:
    """How the board differs from the game, and which spots changed on the way there."""

    eyes: Eyes
    match: Match
    game: BoardGame
    change: Difference
    touched: tuple[int, ...]
    """The latest comes last."""

    def names(self) -> tuple[str, ...]:
        """The spots that are not as they should be."""
        return tuple(self.eyes.spots[at] for at in (*self.change.gone, *self.change.came))

    def attempt(self) -> Attempt | None:
        """What hands seem to have done; a piece sent home tells where the mover ended."""
        attempt, struck = self._plain_attempt(), self._struck()
        if attempt is None or struck is None:
            return attempt
        return Attempt((Hop(attempt.hops[0].origin, struck),))

    def fault(self) -> Fault:
        """What is wrong with it, by the rules."""
        attempt = self.attempt()
        if attempt is None:
            return Fault((Refusal("O7", "two_pieces", self.names()),), None)
        if attempt.hops[0].origin is None:
            target = attempt.hops[0].target
            found = [self._judged(Attempt((Hop(s, target),)), (s,)) for s in self._stacks()]
            if found:
                return min(found, key=lambda fault: len(fault.refusals))
        return self._judged(attempt, self.names())

    def undoing(self, attempt: Attempt | None, way_back: tuple[Step, ...]) -> tuple[Step, ...]:
        """The way back; where a piece was struck, the mover leaves its square first.

        Out of which of several stacks it came, only the players can see.
        """
        came = [self.eyes.spots[at] for at in self.change.came]
        target = attempt.hops[0].target if attempt is not None else None
        if attempt is None or target is None or target in came or len(came) != 1:
            return way_back
        guessed = not self.change.gone and len(self._stacks()) > 1
        origin = None if guessed else attempt.hops[0].origin
        return Step(target, origin), Step(came[0], target)

    def _plain_attempt(self) -> Attempt | None:
        """What is gone went where something came, as far as that can be told."""
        gone, came = self._each(self.change.gone), self._each(self.change.came)
        if len(gone) == len(came):
            return Attempt(tuple(Hop(a, b) for a, b in zip(gone, came, strict=True)))
        if len(came) == 1 and not gone:
            return Attempt((Hop(None, came[0]),))
        if len(gone) == 1 and not came:
            return Attempt((Hop(gone[0], None),))
        return None

    def _each(self, changes: dict[int, int]) -> list[str]:
        return [self.eyes.spots[at] for at, number in changes.items() for _ in range(number)]

    def _struck(self) -> str | None:
        """The square of a piece that was wrongly sent home: it looks the same, but was touched.

        Else it would seem that the mover itself had gone into a strange base.
        """
        change, game = self.change, self.game
        if sum(change.came.values()) != 1 or sum(change.gone.values()) > 1:
            return None
        (base,) = (self.eyes.spots[at] for at in change.came)
        for seat in game.in_play:
            if game.spot(seat, BASE) == base:
                pieces = self.match.position.pieces[seat]
                squares = {game.spot(seat, piece) for piece in pieces} - {base}
                touched = [self.eyes.spots[at] for at in self.touched if at not in change.gone]
                return next((spot for spot in reversed(touched) if spot in squares), None)
        return None

    def _stacks(self) -> list[str]:
        """Squares with two pieces or more: one can leave unseen."""
        pieces = self.match.position.pieces
        spots = [self.game.spot(seat, piece) for seat, own in enumerate(pieces) for piece in own]
        several = [spot for spot in dict.fromkeys(spots) if spots.count(spot) > 1]
        return [spot for spot in several if not self.eyes.holds_many(spot)]

    def _judged(self, attempt: Attempt, places: tuple[str, ...]) -> Fault:
        verdict = verdict_on(self.match, attempt)
        if isinstance(verdict, Refused):
            return Fault(verdict.refusals, attempt)
        return Fault((Refusal("O8", "unfinished", places),), attempt)
