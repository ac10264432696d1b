"""Reading momentary buttons: press where from, press where to; in the card game, one a card."""

from typing import TYPE_CHECKING

from companion.referee.hearing import verdict_on
from companion.referee.outlines import Step
from companion.rules import Accepted, Attempt, Hop, Refused, Unclear, judge
from companion.rules.boardgame import BoardGame

if TYPE_CHECKING:
    from companion.referee.evening import Evening


class Touch:
    """The places pressed so far, and what becomes of them."""

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        self.places: tuple[str, ...] = ()
        self._last: tuple[str, float] = ("", -1.0)

    def forget(self) -> None:
        self.places = ()

    def pressed(self, place: str) -> None:
        """A button went down. The same one again at once is bounce."""
        evening = self.evening
        name, at = self._last
        self._last = (place, evening.now)
        if name == place and evening.now - at < evening.times.press:
            return
        match = evening.match
        if match is None or evening.phase in ("idle", "menu", "setting", "paused"):
            return
        if match.ended or (match.over and not isinstance(match.game, BoardGame)):
            evening.say("no_game")
        elif isinstance(match.game, BoardGame):
            self._on_board(match.game, place)
        else:
            self._on_mat(place)

    def _on_mat(self, place: str) -> None:
        """Every press is a card; the action is complete when the rules accept it."""
        evening, match = self.evening, self.evening.match
        assert match is not None
        places = (*self.places, place)
        attempt = Attempt(tuple(Hop(None, name) for name in places))
        verdict = judge(match.position, match.face, attempt)
        if isinstance(verdict, Accepted):
            evening.accept(verdict.move)
        elif isinstance(verdict, Unclear):
            if evening.phase == "illegal":
                evening.turn()
            self.places = places
        else:
            self.forget()
            evening.refuse(verdict.refusals, tuple(Step(name, None) for name in places))

    def _on_board(self, game: BoardGame, place: str) -> None:
        evening, match = self.evening, self.evening.match
        assert match is not None
        eyes = evening.eyes
        assert eyes is not None
        spot = eyes.spots[eyes.index[place]]
        if not self.places:
            if eyes.of(match.position)[eyes.index[place]] or self._undoes_refusal(spot):
                self.places = (spot,)
            else:
                evening.say("nothing_there", spot)
            return
        origin, self.places = self.places[0], ()
        if origin != spot:
            self._hop(game, origin, spot)

    def _undoes_refusal(self, spot: str) -> bool:
        """Whether a press starts the way back of a move that was refused."""
        evening = self.evening
        return evening.phase == "illegal" and any(s.origin == spot for s in evening.remedy)

    def _hop(self, game: BoardGame, origin: str, target: str) -> None:
        evening, match = self.evening, self.evening.match
        assert match is not None
        if evening.phase == "illegal" and Step(origin, target) in evening.remedy:
            evening.turn()
            evening.say("put_back")
            return
        if evening.phase == "ask":
            evening.turn()
        last = match.past[-1] if match.past and match.face is None else None
        if last is not None and last.move is not None and evening.stops(last.move)[1:] == (origin,):
            began = evening.stops(last.move)[0]
            if target == began:
                evening.take_back()
                return
            verdict = judge(last.position, last.face, Attempt((Hop(began, target),)))
            if isinstance(verdict, Accepted):
                evening.amend(verdict.move)
                return
        if evening.phase == "over":
            evening.say("no_game")
            return
        attempt = Attempt((Hop(origin, target),))
        heard = verdict_on(match, attempt)
        refused = evening.attempt
        if isinstance(heard, Refused) and refused is not None and refused.hops[0].target == origin:
            # The piece goes on from where it was refused.
            attempt = Attempt((Hop(refused.hops[0].origin, target),))
            heard = verdict_on(match, attempt)
        if isinstance(heard, Accepted):
            evening.accept(heard.move)
        elif isinstance(heard, Refused):
            evening.refuse(heard.refusals, (Step(target, attempt.hops[0].origin),), attempt)
