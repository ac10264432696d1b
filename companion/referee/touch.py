"""Touch: a button at every place: press where from, then where to; with cards, one a card."""

from collections.abc import Iterable

from companion.events import Reading, Snapshot
from companion.referee.choose import Choose
from companion.referee.effects import Notice
from companion.referee.hearing import verdict_on
from companion.referee.match import Match
from companion.referee.outlines import Eyes
from companion.referee.phases import Task
from companion.referee.picture import AIR, Picture, picture_of, sent_home
from companion.referee.remedies import Astray, ways_between
from companion.referee.sensing import (
    Accept,
    Amend,
    Back,
    Finding,
    Guide,
    Hint,
    Outlook,
    Question,
    Refuse,
    Right,
)
from companion.referee.stories import MOST, Rivals, Story, put_where_it_belongs
from companion.referee.times import Times
from companion.rules import (
    Accepted,
    Attempt,
    Game,
    Hop,
    Move,
    Position,
    Refused,
    Unclear,
    judge,
    outcome,
)
from companion.rules.history import Deed


class Touch(Choose):
    """Presses say what hands do; the picture follows them."""

    def __init__(self, times: Times) -> None:
        super().__init__()
        self.times = times
        self._last: tuple[str, float] = ("", -1.0)
        self._found: Finding | None = None
        self._roll: tuple[Position, int | None] | None = None
        """The roll that was last asked to be played."""
        self._told: tuple[Picture, ...] = ()
        """The pictures that the presses of a move tell of, until the move is in the game."""
        self._came_home: object = None
        """The move whose captured piece was already pressed home."""
        self._said_home = ""
        """The base pressed for that just now: one leaves it, if the next press is where none is."""
        self._let_go = ""
        """The piece pressed twice: let go of, unless the next press says where it goes."""
        self._instead: tuple[str, str] | None = None
        """A piece, and the one taken instead: pressed again it is meant, not let go of."""
        self._unsure: tuple[str, str, float] | None = None
        """A hop, or else its end is pressed to take a piece home, or back, from there."""
        self._refused: set[str] = set()
        """Where pieces were pressed to that may not go there: perhaps none was carried."""
        self._rivals = Rivals()
        self._again: tuple[str, ...] = ()
        """How far the last move was pressed once more: where it began, and where it ended."""
        self._unsaid = False
        """Whether people are still to be told to look where rivals have pieces belong."""
        self._in_doubt = False
        """Whether people are just told to look who stands where: they may put that right."""

    # -- presses ---------------------------------------------------------------------------

    def expect(self, outlook: Outlook, now: float) -> Finding | None:
        if outlook.task not in (Task.STOP, Task.GUIDE, Task.ASK):
            roll = outlook.match.position, outlook.match.face
            if roll != self._roll and not self._unsaid:
                self._rivals.forget()  # whoever was to look has looked: somebody has rolled since
            if outlook.match.game.board.walked is not None or roll != self._roll:
                self.pressed = ()  # cards lie until somebody lets go of them
            self._roll, self._instead = roll, None
            self._unsure, self._rivals.perhaps, self._said_home = None, (), ""
            self._refused.clear()
        doubts, self._in_doubt = self.pictures() if self._in_doubt else (), False
        found = super().expect(outlook, now)
        if doubts and outlook.task is Task.PLAY:
            self._believe([self.pictures(), doubts])
        unsaid, self._unsaid, self._told = self._unsaid, False, ()
        if not unsaid or found:
            return found
        doubtful = self._to_check(picture_of(outlook.match.position))
        return Hint(notice=Notice("check_colours", doubtful))

    def arranged(self, outlook: Outlook) -> None:
        """Captured pieces go home by themselves; a penalty is paid step by step."""
        match, told = outlook.match, self._told
        if not told or outlook.task is not Task.CHECK:
            return
        paid_later = (one for one in match.happenings if one.what != "penalty")
        for (place, base), seat in sent_home(match.game, paid_later).items():
            if seat not in told[0].at(place):
                self._came_home = _last(match)  # pressed home before its captor moved
            told = tuple(one.moved(seat, place, base) for one in told)
            self._rivals.moved(seat, place, base)
        self._believe([told])

    def sense(self, event: Reading | Snapshot, now: float) -> None:
        """A button went down. The same one again at once is bounce."""
        if isinstance(event, Snapshot) or not event.on or self._outlook is None:
            return
        name, at = self._last
        self._last = (event.place, now)
        if name == event.place and now - at < self.times.press:
            return
        if self._outlook.task not in (Task.REST, Task.SET_UP):
            self._found = self._press(self._outlook.match, event.place, now)

    def deadline(self) -> float | None:
        """When a hop is judged whose end may still be where another one begins."""
        return self._unsure[2] if self._unsure is not None else None

    def due(self, now: float) -> Finding | None:
        found, self._found = self._found, None
        if found is None and self._unsure is not None and now >= self._unsure[2]:
            assert self._outlook is not None
            return self._judged_late(self._outlook.match)
        return found

    def moved(self, now: float) -> Finding | None:
        """A press on the board that was a mistake is let go of."""
        if not self.pressed:
            return None
        self.pressed, self._unsure, self._rivals.perhaps = (), None, ()
        return Hint(notice=Notice("let_go"))

    def settle(self, now: float) -> Finding | None:
        self._rivals.forget()
        return super().settle(now)

    def _press(self, match: Match, place: str, now: float) -> Finding | None:
        if match.ended or (match.over and self.eyes is None):
            return Hint(notice=Notice("no_game"))
        if match.game.board.walked is not None and self.eyes is not None:
            return self._on_board(match, match.game, self.eyes, place, now)
        return self._on_mat(match, place)

    def _on_mat(self, match: Match, place: str) -> Finding | None:
        """Every press is a card; the action is complete when the rules accept it."""
        assert self._outlook is not None
        assert self.picture is not None
        if self._is_missed(place):
            self.picture = self.picture.joined(_seat_of(match.game, place), place)
            remedy = self.way_back()
            return Guide(remedy) if remedy else Right()
        places, self.pressed = (*self.pressed, place), ()
        attempt = Attempt(tuple(Hop(None, name) for name in places))
        verdict = judge(match.position, match.face, attempt)
        if isinstance(verdict, Accepted):
            return Accept(verdict.move)
        if isinstance(verdict, Unclear):
            self.pressed = places
            return Right(said=False) if self._outlook.task in (Task.STOP, Task.GUIDE) else None
        for name in places:  # they lie until somebody says that they are off
            if len(self.way_back()) < MOST:
                self.picture = self.picture.joined(_seat_of(match.game, name), name)
        return Refuse(verdict.refusals, self.way_back())

    # -- pieces ----------------------------------------------------------------------------

    def _on_board(
        self, match: Match, game: Game, eyes: Eyes, place: str, now: float
    ) -> Finding | None:
        assert self.picture is not None
        spot = eyes.spots[eyes.index[place]]
        self._rivals.press(picture_of(match.position), spot)
        if self._unsure is not None and spot != self._unsure[1]:
            ways = {*self._may_go_home(match, game), *(step[:2] for step in self.way_back())}
            if (self._unsure[1], spot) not in ways:
                return self._judged_late(match, then=spot)
            self._unsure = None
        elif self._unsure is not None and self._begins_step(spot):
            return self._judged_late(match, then=spot)  # first an end, now where a step begins
        if self.pressed:
            return self._goes_on(match, game, spot, now)
        return self._begins(match, game, spot, now)

    def _goes_on(self, match: Match, game: Game, spot: str, now: float) -> Finding | None:
        """The second press says where the piece of the first one goes, or lets go of it."""
        (origin,), instead = self.pressed, self._instead
        self.pressed, self._instead = (), None
        if origin == spot and instead is not None:
            self.pressed, self._instead = (spot,), instead
            return None
        if origin == spot:
            self._let_go = spot
            return None
        if instead is not None and self._turns_to_astray(match, game, instead, spot):
            self.pressed = (spot,)
            return None
        return self._hop(match, game, origin, spot, now)

    def _begins(self, match: Match, game: Game, spot: str, now: float) -> Finding | None:
        """The first press says which piece goes; unless it tells of one pressed before."""
        assert self.eyes is not None
        let_go, self._let_go = self._let_go, ""
        said_home, self._said_home = self._said_home, ""
        (began, ended), again, self._again = _stops_of_last(match, game), self._again, ()
        if again == (began,) and spot == ended:
            self._again = (began, ended)
            return Hint()  # who presses once more what has counted chooses nothing
        if again == (began, ended) and spot == began:
            return self._hop(match, game, ended, began, now)  # unless it goes back from there
        if let_go and spot not in _movers(match, game) and _is_legal(match, let_go, spot):
            if not self._begins_step(spot):
                return self._hop(match, game, let_go, spot, now)  # from, from, to
            self.pressed, self._unsure = (spot,), (let_go, spot, now + self.times.capture)
            return None
        nobody = not any(one.at(spot) for one in self.pictures())
        if said_home and nobody and not self._is_missed(spot):
            return self._hop(match, game, said_home, spot, now)
        found = self._overtaken(match, game, spot, self._rivals.lifted) if nobody else None
        if found is not None:
            return found
        late = self._rivals.taken_at(spot)
        if nobody and not late and not self.eyes.of(match.position)[self.eyes.index[spot]]:
            self._again = (began,) if spot == began else ()
            return Hint(notice=Notice("nothing_there", (spot,)))
        if self._is_captured_home(match, game, spot):
            self._came_home, self._said_home = _last(match), spot
            return None
        if self._is_missed(spot):
            found = self._puts_back(match, game, AIR, spot)
            if found is not None:
                return found
        if spot not in _movers(match, game) and self._rivals.fitting:
            return Hint()
        self.pressed = (spot,)
        return None

    def _turns_to_astray(
        self, match: Match, game: Game, instead: tuple[str, str], spot: str
    ) -> bool:
        """Whether a finger goes from a piece taken instead to one that has to go back.

        Then perhaps no piece was taken instead, and the first was carried there; that is as likely
        where one is missing.
        """
        origin, target = instead
        if _is_legal(match, target, spot):
            return False
        goal, pictures = picture_of(match.position), self.pictures()
        carried: list[Picture] = []
        unlikely: list[Picture] = []
        for one in pictures:
            for seat in game.hands[match.position.seat]:
                missing = one.pieces[seat].count(target) < goal.pieces[seat].count(target)
                after = one.moved(seat, origin, target)
                if after != one:
                    (carried if missing else unlikely).append(after)
        turns = self._begins_step(spot)
        if turns:
            self._believe([pictures, carried])
        rivals = unlikely if turns else [*carried, *unlikely]
        self._rivals.add(Story(one).begun(spot) for one in rivals)
        return turns

    def _is_captured_home(self, match: Match, game: Game, spot: str) -> bool:
        """Whether a press says that the captured piece is home; that chooses nothing.

        It is said once; whoever is to take a piece from there, or to set one there, does that.
        """
        if spot not in _homes(match, game) or self._came_home is _last(match):
            return False
        return not self._begins_step(spot) and not self._is_missed(spot)

    def _hop(
        self, match: Match, game: Game, origin: str, target: str, now: float
    ) -> Finding | None:
        assert self.picture is not None
        pictures = [self._put_back_unpressed(match, one, origin) for one in self.pictures()]
        standing = [one for one in pictures if one.at(origin)]
        self._believe([standing or pictures])
        if not standing:
            nothing = Hint(
                notice=None if self._rivals.fitting else Notice("nothing_there", (origin,))
            )
            return self._overtaken(match, game, target) or nothing
        meanings = (self._puts_back, self._completes, self._goes_home, self._about_last_move)
        for hears in meanings:
            found = hears(match, game, origin, target)
            if found is not None:
                break
        else:
            found = self._judged(match, game, origin, target, now)
        if found is not None:
            self._rivals.perhaps = ()  # what was chosen instead has gone somewhere
        return found

    def _put_back_unpressed(self, match: Match, picture: Picture, origin: str) -> Picture:
        """Whoever takes a piece from where the game has it has put it back there, unpressed."""
        if not picture.at(origin):
            for seat, at, belongs in self._astray(picture, picture_of(match.position)):
                if belongs == origin:
                    return picture.moved(seat, at, origin)
        return picture

    def _puts_back(self, match: Match, game: Game, origin: str, target: str) -> Finding | None:
        """A piece that stands elsewhere than in the game goes where it belongs."""
        assert self.picture is not None
        assert self._outlook is not None
        goal = picture_of(match.position)
        found = [put_where_it_belongs(one, goal, origin, target) for one in self.pictures()]
        if origin == AIR:  # nobody can say from where the one comes that was missed
            for one, after in zip(self.pictures(), found, strict=True):
                ways = [] if after else self._astray(one, goal)
                after += [one.moved(*way) for way in ways if way.belongs == target][:1]
        if self._is_to_be_off(origin):  # or that was taken off, and another one set down
            for one, after in zip(self.pictures(), found, strict=True):
                for aside in self._off(one, goal, origin):
                    after += put_where_it_belongs(aside, goal, AIR, target)
        if not any(found):
            return None
        if self._is_to_be_off(origin) and self._is_missed(target):  # as shown, whoever it is
            before = zip(self.pictures(), found, strict=True)
            found = [after or self._carried(one, (), origin, target) for one, after in before]
        if self._is_to_be_off(origin):
            lying = [after for one in self.pictures() for after in self._off(one, goal, origin)]
            self._rivals.take_up(Story(one, target, aside=True) for one in lying)
        self._believe(found)
        if (origin, target) in sent_home(game, match.happenings):
            self._came_home = _last(match)  # a penalty is paid
        return self._put_right(goal)

    def _put_right(self, goal: Picture) -> Finding:
        """What is to be said when a piece went where it belongs."""
        assert self._outlook is not None
        if self._outlook.task in (Task.PLAY, Task.CHECK, Task.RESUME):
            return Hint()  # no step is shown: it had gone home before its captor moved, say
        remedy = self.way_back()
        if remedy:
            return Guide(remedy)
        self._in_doubt = True
        return Right(check=self._to_check(goal))

    def _to_check(self, goal: Picture) -> tuple[str, ...]:
        """The spots on which somebody else might stand than the game has there."""
        pictures = (*self.pictures(), *self._rivals.pictures())
        ways = [way for one in pictures for way in self._astray(one, goal)]
        return tuple(dict.fromkeys(way.belongs for way in ways))

    def _astray(self, picture: Picture, goal: Picture) -> list[Astray]:
        """The pieces that are elsewhere than the goal has them, also those beside the board."""
        assert self.eyes is not None
        return ways_between(self.eyes, picture, goal, held=True)

    def _completes(self, match: Match, game: Game, origin: str, target: str) -> Finding | None:
        """Pieces of a colour are alike: who goes where another belongs may complete its move.

        Where it may complete two, only people know which.
        """
        likely = self._completed(match, game, self.pictures(), origin, target)
        if len(set(likely.values())) > 1:
            return Question(tuple(likely))
        unlikely = (*self._rivals.perhaps, *self._rivals.pictures())
        made = likely or self._completed(match, game, unlikely, origin, target)
        for move, told in made.items():
            self._told, self._unsaid = told, len(told) > 1
            return Accept(move)
        return None

    def _completed(
        self, match: Match, game: Game, pictures: Iterable[Picture], origin: str, target: str
    ) -> dict[Move, tuple[Picture, ...]]:
        """The legal moves that a hop completes, each with a picture after it.

        And with one in which what the move costs is still to be given up, where it is given up.
        """
        own, here = game.hands[match.position.seat], picture_of(match.position)
        found: dict[Move, tuple[Picture, ...]] = {}
        for picture in pictures:
            if picture == here:
                continue  # nobody is astray: the hop is judged as it is
            for after in self._carried(picture, own, origin, target):
                for move in (one for one in match.legal if isinstance(one, Move)):
                    unpaid = _unpaid(match.position, move, after)
                    if _stands_as_after(match.position, move, unpaid):
                        found.setdefault(move, tuple(dict.fromkeys((after, unpaid))))
        return found

    def _goes_home(self, match: Match, game: Game, origin: str, target: str) -> Finding | None:
        """A piece goes home that a move has captured, or may capture next."""
        assert self.picture is not None
        if (origin, target) in sent_home(game, match.happenings):
            self._came_home = _last(match)
            return Hint()
        seat = self._may_go_home(match, game).get((origin, target))
        if seat is None:
            return None
        self._believe([one.moved(seat, origin, target)] for one in self.pictures())
        self._rivals.moved(seat, origin, target)
        return Hint()

    def _may_go_home(self, match: Match, game: Game) -> dict[tuple[str, str], int]:
        """The ways home of the pieces that may be captured next, with their seats."""
        moves = [move for move in match.legal if isinstance(move, Move)]
        told = [one for move in moves for one in outcome(match.position, move).happenings]
        return sent_home(game, [one for one in told if one.what == "captured"])

    def _about_last_move(
        self, match: Match, game: Game, origin: str, target: str
    ) -> Finding | None:
        """Until the next roll the piece moved last may go back, or on to another legal end."""
        assert self.picture is not None
        last, (began, ended) = match.open_move, _stops_of_last(match, game)
        if last is None or not isinstance(last.move, Move) or ended != origin:
            return None
        move = last.move
        if target == began:
            self._told = self._after(move, origin, target)
            return Back()
        verdict = judge(last.position, last.face, Attempt((Hop(began, target),)))
        if not isinstance(verdict, Accepted) or not isinstance(verdict.move, Move):
            return None
        self._told = self._after(verdict.move, origin, target)
        return Amend(verdict.move)

    def _after(self, move: Move, origin: str, target: str) -> tuple[Picture, ...]:
        """The pictures in which a move's pieces stand where it was pressed from, moved so."""
        return tuple(
            one.moved(move.seat, origin, target, move.size)
            for one in self.pictures()
            if move.seat in one.at(origin)
        ) or (self.pictures()[0],)

    def _judged_late(self, match: Match, then: str = "") -> Finding | None:
        """Its end was no beginning: a hop is judged as what it looked like.

        Whoever stands where the finger is by now is the next to go.
        """
        assert self._unsure is not None
        (origin, target, _), self._unsure, self.pressed = self._unsure, None, ()
        found = self._judged(match, match.game, origin, target, None)
        if then and any(one.at(then) for one in self.pictures()):
            self.pressed = (then,)
        return found

    def _judged(
        self, match: Match, game: Game, origin: str, target: str, now: float | None
    ) -> Finding | None:
        """What the rules say; a piece may go on from where it should not be.

        Where the target may also be a piece that is about to be captured, and pressed first, or
        one that a step shown begins with, judging waits a moment; without `now` it has waited.
        """
        assert self.picture is not None
        assert self._outlook is not None
        if match.over:
            return Hint(notice=Notice("no_game"))
        began = origin
        heard = verdict_on(match, Attempt((Hop(origin, target),)))
        astray = next((step for step in self.way_back() if step.origin == origin), None)
        if isinstance(heard, Refused) and astray is not None and astray.target is not None:
            began = astray.target
            heard = verdict_on(match, Attempt((Hop(began, target),)))
        if isinstance(heard, Accepted) and isinstance(heard.move, Move):
            if began == origin:
                self._put_back_silently(match, game, heard.move)
            self._told = self._after(heard.move, origin, target)
            return Accept(heard.move)
        assert isinstance(heard, Refused)
        found = self._overtaken(match, game, target)
        if found is not None or self._rivals.fitting:
            return found or Hint()
        if self._begins_step(target) and self._laid_aside(match, origin):
            self.pressed = (target,)  # two are taken off, one after the other
            return None
        own = game.hands[match.position.seat]
        mine, onto_mine = (any(s in own for s in self.picture.at(at)) for at in (origin, target))
        chooses = self._outlook.task is not Task.GUIDE
        if chooses and mine and onto_mine and target in _movers(match, game):
            self._choose_instead(match, own, origin, target)
            return None
        begins = any(target == at for at, _ in self._may_go_home(match, game)) or (
            astray is None and self._begins_step(target)
        )
        if now is not None and begins and self.picture.at(target):
            self.pressed, self._unsure = (target,), (origin, target, now + self.times.capture)
            return None
        if match.face is not None and onto_mine and not mine:
            if origin in _homes(match, game) or self._laid_aside(match, origin):
                self.pressed = (target,)  # or it was said once more that the captured one is home
                return None
            return self._slipped(heard, own, origin, target)  # nobody is carried onto one's own
        legal = (game.stops(move) for move in match.legal if isinstance(move, Move))
        if onto_mine and (target, origin) in legal:
            return self._slipped(heard, own, origin, target)  # pressed the wrong way round
        self._believe(self._carried(one, own, origin, target) for one in self.pictures())
        self._refused.add(target)
        return Refuse(heard.worth_saying, self.way_back(), Attempt((Hop(began, target),)))

    def _slipped(self, heard: Refused, own: tuple[int, ...], origin: str, target: str) -> Refuse:
        """Nothing was moved, or hardly."""
        carried = [
            after for one in self.pictures() for after in self._carried(one, own, origin, target)
        ]
        self._rivals.add(map(Story, carried))
        self._believe([self.pictures(), [one.picture for one in self._rivals.carried]])
        return Refuse(heard.worth_saying, self.way_back())

    def _choose_instead(self, match: Match, own: tuple[int, ...], origin: str, target: str) -> None:
        """Another own piece is meant; unless one that has to go back was carried onto it."""
        if self._begins_step(origin):
            carried = (self._carried(one, own, origin, target) for one in self.pictures())
            self._rivals.perhaps = tuple(one for some in carried for one in some)
        self._laid_aside(match, origin)
        self.pressed, self._instead = (target,), (origin, target)

    def _laid_aside(self, match: Match, spot: str) -> bool:
        """Whether the box said to take a piece off a spot: it lies beside the board then."""
        if not self._is_to_be_off(spot):
            return False
        goal = picture_of(match.position)
        aside = [self._off(one, goal, spot) for one in self.pictures()]
        if any(aside):
            self._believe(aside)
        return any(aside)

    def _begins_step(self, spot: str) -> bool:
        """Whether a step that is still to be done takes a piece from a spot."""
        return any(step.origin == spot for step in self.way_back())

    def _is_to_be_off(self, spot: str) -> bool:
        """Whether a step says only that a piece is taken off a spot.

        People do what was shown, even if more is known since.
        """
        assert self._outlook is not None
        steps = (*self.way_back(), *self._outlook.remedy)
        return any(step[:2] == (spot, None) for step in steps)

    def _is_missed(self, spot: str) -> bool:
        """Whether a step says only that a piece is set on a spot."""
        return any(step[:2] == (None, spot) for step in self.way_back())

    def _off(self, picture: Picture, goal: Picture, spot: str) -> list[Picture]:
        """The pictures after a piece was taken off a spot where it does not belong."""
        astray = [seat for seat, here, _ in self._astray(picture, goal) if here == spot]
        return [picture.moved(seat, spot, AIR) for seat in dict.fromkeys(astray)]

    def _carried(
        self, picture: Picture, own: tuple[int, ...], origin: str, target: str
    ) -> list[Picture]:
        """The pictures after a hop: of two colours on a square either may have gone, or one's own.

        What goes into a colour's base is of that colour.
        """
        assert self.eyes is not None
        seats = list(dict.fromkeys(sorted(picture.at(origin), key=lambda seat: seat not in own)))
        owner = self.eyes.whose.get(target)
        if owner is not None and owner in seats:
            seats = [owner]
        return [picture.moved(seat, origin, target) for seat in seats] or [picture]

    def _believe(self, pictures: Iterable[Iterable[Picture]]) -> None:
        """These are how the pieces may stand from now on, the likeliest first."""
        found = dict.fromkeys(one for some in pictures for one in some)
        self.picture, *others = found
        self._or_else = tuple(others[:MOST])

    def _overtaken(
        self, match: Match, game: Game, spot: str, lifted: tuple[Story, ...] = ()
    ) -> Finding | None:
        """A press that makes no sense otherwise: if it does in a rival story, that is believed.

        This goes for a piece that was taken off as it was shown, and then another one put back, or
        one just `lifted` carried elsewhere.
        """
        assert self._outlook is not None
        if self._outlook.task not in (Task.STOP, Task.GUIDE):
            return None
        fits = [after for after in self._rivals.fitting if after.aside]
        begins = [one for one in self._rivals.taken_at(spot) if one.aside]
        believed = fits or (begins if spot in _movers(match, game) else [])
        if not believed:
            fits = believed = [
                Story(after, aside=True)
                for one in lifted
                for after in self._carried(one.picture, (), one.taken, spot)
            ]
        if not believed:
            return None
        self._rivals.stories = tuple(one for one in self._rivals.stories if not one.aside)
        self._believe([[one.picture for one in believed]])
        self.pressed = () if fits else (spot,)
        return self._put_right(picture_of(match.position))

    def _put_back_silently(self, match: Match, game: Game, move: Move) -> None:
        """Who makes a legal move after STOP has put back what was refused, or never carried it.

        Only what is captured stays where it was pressed, and perhaps what the move costs. The rest
        may stand there still: that is the rival story, and where it belongs is named.
        """
        told, goal = outcome(match.position, move).happenings, picture_of(match.position)
        ways_home = sent_home(game, (one for one in told if one.what == "captured"))
        captured = {(seat, place) for (place, _), seat in ways_home.items()}
        costs = {(seat, place) for (place, _), seat in _costs(match.position, move).items()}
        began, ended = game.stops(move)
        found, or_else, rivals = [], [], []
        for picture in self.pictures():
            after, given_up = picture, []
            for way in self._astray(picture, goal):
                seat, at, belongs = way
                if (seat, belongs) in costs:
                    given_up.append(way)
                elif (at in self._refused or at == AIR) and (seat, belongs) not in captured:
                    after = after.moved(*way)
            if after != picture:
                rivals.append(Story(picture).moved(move.seat, began, ended, move.size))
            found.append(after)
            or_else += [after.moved(*way) for way in given_up]
        self._believe([found, or_else])
        self._rivals.stories = tuple(dict.fromkeys(rivals))
        self._unsaid = bool(rivals or or_else)


def _seat_of(game: Game, stack: str) -> int:
    """Whose stack it is."""
    return game.colours.index(game.board.by_name[stack].colour or "")


def _stands_as_after(position: Position, move: Move, picture: Picture) -> bool:
    """Whether the pieces stand as a move leaves them; a captured one need not be home yet."""
    there, told = outcome(position, move)
    goal, unpaid = picture_of(there), [one for one in told if one.what == "penalty"]
    at_once = [one for one in told if one not in unpaid]
    for (place, base), seat in sent_home(position.game, unpaid).items():
        goal = goal.moved(seat, base, place)
    for (place, base), seat in sent_home(position.game, at_once).items():
        picture = picture.moved(seat, place, base)
    return picture == goal != picture_of(position)


def _costs(position: Position, move: Move) -> dict[tuple[str, str], int]:
    """The ways to their base of the pieces that a move costs its player, with their seats."""
    told = outcome(position, move).happenings
    return sent_home(position.game, (one for one in told if one.what == "penalty"))


def _unpaid(position: Position, move: Move, picture: Picture) -> Picture:
    """The picture if what a move costs, and was given up already, were still to be given up."""
    for (place, base), seat in _costs(position, move).items():
        if seat not in picture.at(place):
            picture = picture.moved(seat, base, place)
    return picture


def _last(match: Match) -> Deed | None:
    """The last move or pass."""
    return match.past[-1] if match.past else None


def _homes(match: Match, game: Game) -> set[str]:
    """The bases to which the last move has sent pieces, as long as nobody has rolled since."""
    rolled = match.face is not None and match.position.due is None
    return set() if rolled else {base for _, base in sent_home(game, match.happenings)}


def _stops_of_last(match: Match, game: Game) -> tuple[str, ...]:
    """Where the last move began and ended, as long as nobody has rolled since."""
    last = match.open_move
    return game.stops(last.move) if last and isinstance(last.move, Move) else (AIR, AIR)


def _movers(match: Match, game: Game) -> set[str]:
    """The spots from which something may move now."""
    return {game.stops(move)[0] for move in match.legal if isinstance(move, Move)}


def _is_legal(match: Match, origin: str, target: str) -> bool:
    """Whether a move from here to there is legal with the roll that lies."""
    return isinstance(verdict_on(match, Attempt((Hop(origin, target),))), Accepted)
