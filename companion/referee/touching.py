"""Reading momentary buttons: press where from, press where to; in the card game, one a card."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.referee.hearing import verdict_on
from companion.referee.match import Match
from companion.referee.outlines import Step
from companion.referee.stage import PUTTING_RIGHT
from companion.referee.standing import sent_home, shift
from companion.rules import (
    Accepted,
    AnyMove,
    Attempt,
    Hop,
    Move,
    Refused,
    Unclear,
    judge,
    outcome,
)
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
        elif eyes.of(match.position)[eyes.index[place]] or self._way_back(match, game, spot):
            evening.stage.pressed = (spot,)
        else:
            evening.say("nothing_there", spot)

    def _astray(self, match: Match, game: BoardGame) -> tuple[Step, ...]:
        """The ways back of pieces that stand elsewhere on the table than in the game."""
        stage, undone = self.evening.stage, match.undone
        remedy = stage.remedy if stage.phase in PUTTING_RIGHT else ()
        if not isinstance(undone, Move):
            return remedy
        began, ended = game.stops(undone)
        return (*remedy, Step(ended, began))

    def _way_back(self, match: Match, game: BoardGame, spot: str) -> Step | None:
        """The way back of a piece that stands here only on the table."""
        return next((step for step in self._astray(match, game) if step.origin == spot), None)

    def _put_back(self, step: Step) -> None:
        """A piece went back where the game has it; others may still have to."""
        evening, stage = self.evening, self.evening.stage
        if stage.phase in PUTTING_RIGHT:
            stage.remedy = tuple(other for other in stage.remedy if other != step)
            stage.attempt = None
            if stage.remedy:
                return
            evening.turn()
        evening.say("put_back")

    def _hop(self, match: Match, game: BoardGame, origin: str, target: str) -> None:
        evening = self.evening
        if Step(origin, target) in self._astray(match, game):
            self._put_back(Step(origin, target))
            return
        if self._goes_home(match, game, Step(origin, target)):
            return
        if evening.phase == "ask":
            evening.turn()
        if self._is_about_last_move(match, game, origin, target):
            return
        if evening.phase == "over":
            evening.say("no_game")
            return
        began, astray = origin, self._way_back(match, game, origin)
        heard = verdict_on(match, Attempt((Hop(origin, target),)))
        if isinstance(heard, Refused) and astray is not None and astray.target is not None:
            began = astray.target  # the piece goes on from where it should not be
            heard = verdict_on(match, Attempt((Hop(began, target),)))
        if isinstance(heard, Accepted):
            self._play(game, heard.move, (origin, target), evening.accept)
        elif isinstance(heard, Refused):
            others = (step for step in evening.stage.remedy if step.origin != origin)
            remedy = (Step(target, began), *others)
            evening.refuse(heard.refusals, remedy, Attempt((Hop(began, target),)))

    def _goes_home(self, match: Match, game: BoardGame, step: Step) -> bool:
        """Whether a piece goes home that a move has captured, or may capture next."""
        if step in sent_home(game, match.happenings):
            return True
        moves = [move for move in match.legal if isinstance(move, Move)]
        told = [one for move in moves for one in outcome(match.position, move).happenings]
        victim = step in sent_home(game, [one for one in told if one.what == "captured"])
        if victim and step not in self.evening.stage.taken:
            self.evening.stage.taken += (step,)
        return victim

    def _play(
        self, game: BoardGame, move: AnyMove, hop: tuple[str, str], take: Callable[[AnyMove], None]
    ) -> None:
        """Take a legal move; what hands did besides, or have yet to do, is put right after it."""
        evening, match = self.evening, self.evening.match
        stands = evening.stands()
        take(move)
        if stands is None or match is None or not isinstance(move, Move):
            return
        shift(stands, move.seat, *hop, move.size)
        paid_later = (one for one in match.happenings if one.what != "penalty")
        for (place, base), seat in sent_home(game, paid_later).items():
            shift(stands, seat, place, base)
        evening.guide_back(stands)

    def _is_about_last_move(self, match: Match, game: BoardGame, origin: str, target: str) -> bool:
        """Until the next roll the piece moved last may go back, or on to another legal end."""
        last = match.open_move
        if last is None or not isinstance(last.move, Move) or game.stops(last.move)[1] != origin:
            return False
        began = game.stops(last.move)[0]
        hop = (origin, target)
        if target == began:
            self._play(game, last.move, hop, lambda _: self.evening.moved_back())
            return True
        verdict = judge(last.position, last.face, Attempt((Hop(began, target),)))
        if isinstance(verdict, Accepted):
            self._play(game, verdict.move, hop, self.evening.amend)
        return isinstance(verdict, Accepted)
