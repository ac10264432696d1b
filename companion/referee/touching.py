"""Reading momentary buttons: press where from, press where to; in the card game, one a card."""

from typing import TYPE_CHECKING

from companion.referee.hearing import verdict_on
from companion.referee.match import Match
from companion.referee.outlines import Step
from companion.rules import Accepted, Attempt, Hop, Move, Refused, Unclear, judge
from companion.rules.boardgame import BoardGame

if TYPE_CHECKING:
    from companion.referee.evening import Evening


class Touch:
    """What becomes of presses; those of a move that is not yet whole stand on the stage."""

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        self._last: tuple[str, float] = ("", -1.0)

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
            self._on_board(match, match.game, place)
        else:
            self._on_mat(match, place)

    def _on_mat(self, match: Match, place: str) -> None:
        """Every press is a card; the action is complete when the rules accept it."""
        evening = self.evening
        places = (*evening.stage.pressed, place)
        attempt = Attempt(tuple(Hop(None, name) for name in places))
        verdict = judge(match.position, match.face, attempt)
        if isinstance(verdict, Accepted):
            evening.accept(verdict.move)
        elif isinstance(verdict, Unclear):
            if evening.phase == "illegal":
                evening.turn()
            evening.stage.pressed = places
        else:
            evening.stage.pressed = ()
            evening.refuse(verdict.refusals, tuple(Step(name, None) for name in places))

    def _on_board(self, match: Match, game: BoardGame, place: str) -> None:
        evening, eyes = self.evening, self.evening.eyes
        assert eyes is not None
        spot = eyes.spots[eyes.index[place]]
        if evening.stage.pressed:
            (origin,), evening.stage.pressed = evening.stage.pressed, ()
            if origin != spot:
                self._hop(match, game, origin, spot)
        elif eyes.of(match.position)[eyes.index[place]] or self._undoes_refusal(spot):
            evening.stage.pressed = (spot,)
        else:
            evening.say("nothing_there", spot)

    def _undoes_refusal(self, spot: str) -> bool:
        """Whether a press starts the way back of a move that was refused."""
        stage = self.evening.stage
        return stage.phase == "illegal" and any(step.origin == spot for step in stage.remedy)

    def _hop(self, match: Match, game: BoardGame, origin: str, target: str) -> None:
        evening = self.evening
        if evening.phase == "illegal" and Step(origin, target) in evening.stage.remedy:
            evening.turn()
            evening.say("put_back")
            return
        if evening.phase == "ask":
            evening.turn()
        if self._is_about_last_move(match, game, origin, target):
            return
        if evening.phase == "over":
            evening.say("no_game")
            return
        attempt = Attempt((Hop(origin, target),))
        heard = verdict_on(match, attempt)
        refused = evening.stage.attempt
        if isinstance(heard, Refused) and refused is not None and refused.hops[0].target == origin:
            # The piece goes on from where it was refused.
            attempt = Attempt((Hop(refused.hops[0].origin, target),))
            heard = verdict_on(match, attempt)
        if isinstance(heard, Accepted):
            evening.accept(heard.move)
        elif isinstance(heard, Refused):
            evening.refuse(heard.refusals, (Step(target, attempt.hops[0].origin),), attempt)

    def _is_about_last_move(self, match: Match, game: BoardGame, origin: str, target: str) -> bool:
        """Until the next roll the piece moved last may go back, or on to another legal end."""
        last = match.open_move
        if last is None or not isinstance(last.move, Move) or game.stops(last.move)[1] != origin:
            return False
        began = game.stops(last.move)[0]
        if target == began:
            self.evening.moved_back()
            return True
        verdict = judge(last.position, last.face, Attempt((Hop(began, target),)))
        if isinstance(verdict, Accepted):
            self.evening.amend(verdict.move)
        return isinstance(verdict, Accepted)
