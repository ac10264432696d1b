"""The pictures of a board of presence sensors: what its readings say of every piece.

A sensor knows neither colour nor number. But readings come in an order, pieces do not appear
from nowhere, and what lies in red's base is red unless readings say otherwise. Where that leaves
it open there are several pictures, the plainest first. Readings and rules remove pictures; of
several the least doubtful are kept.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from enum import Enum, auto
from functools import lru_cache
from operator import gt
from typing import NamedTuple

from companion.referee.outlines import Eyes, Outline, differing
from companion.referee.picture import AIR, Picture

MOST = 48
"""With more pictures than this, what they do not agree on becomes unknown."""
REMEMBERED = 32
"""The same readings are read again and again while something is odd."""
RECENT = 24
"""So many readings are remembered, to be read again when the plain reading leads nowhere; with
more since the last certain picture, nobody knows what to begin with."""

AT_ONCE = 4
"""More pieces than this that come at once are not told apart: nobody watched them."""


class Read(Enum):
    """How a reading is read."""

    PLAINLY = auto()
    """What comes down was in the air, and what lies in a base is of its colour if it can be."""
    OPENLY = auto()
    """What comes down was in the air, whoever's base it lies in."""
    WIDELY = auto()
    """Hands may also have done one thing that nobody could see."""


class Shown(NamedTuple):
    """What the sensors showed at some moment, which were set aside, and how much was in the air."""

    outline: Outline
    aside: tuple[int, ...]
    in_air: int


class Before(NamedTuple):
    """The pictures before the last change, what is seen since, and what is set aside."""

    all: tuple[Picture, ...]
    seen: Outline
    aside: tuple[int, ...]


NOTHING_BEFORE = Before((), b"", ())


class Mark(NamedTuple):
    """What was believed at some moment, to go back to."""

    all: tuple[Picture, ...]
    certain: tuple[Picture, ...]
    readings: tuple[Shown, ...]
    doubted: tuple[int, int]
    before: Before


class Pictures:
    """What may stand where; `all` is never empty.

    Readings are first read plainly: what comes down was in the air. If that leads to a piece
    from nowhere, or to one in another colour's base, all readings since the last certain
    picture are read again, and hands may have done one thing that nobody could see.
    """

    def __init__(self, eyes: Eyes, picture: Picture) -> None:
        self.eyes = eyes
        self.all: tuple[Picture, ...] = (picture,)
        self.sure = False
        """Whether the board itself has said who stands where: then there is nothing to guess."""
        self._before = NOTHING_BEFORE
        self._certain: tuple[Picture, ...] = self.all
        self._since: list[Shown] = []
        self._doubted = (0, 0)
        self._fitting = lru_cache(REMEMBERED)(self._followed)

    @property
    def out_of_thin_air(self) -> bool:
        """Whether something stands on the board that came from nowhere."""
        return self._doubted[0] > 0

    @property
    def doubted(self) -> bool:
        """Whether something came from nowhere, or lies in another colour's base."""
        return self._doubted > (0, 0)

    @property
    def plainest(self) -> Picture:
        return self.all[0]

    def sense(self, seen: Outline, aside: Collection[int], late: Collection[str] = ()) -> None:
        """The sensors show this now; spots with a sensor set aside tell nothing.

        What is gone now may be told too late: then it left before others came to spots in `late`.
        """
        hidden, before, earlier = tuple(sorted(aside)), self.plainest, self.all
        self.all = self._read(earlier, seen, hidden, Read.PLAINLY)
        if self.all != earlier:
            self._before = Before(earlier, seen, hidden)
        self._remember(Shown(seen, hidden, len(self.plainest.at(AIR))))
        if late:
            most = self._doubt(self.plainest, seen)
            left = self._left_earlier(before, seen, late)
            self.admit(one for one in left if self._doubt(one, seen) <= most)
        if self._went_home_unseen(before, seen):
            most = self._doubt(self.plainest, seen)
            self.admit(one for one in self.read_again() if self._doubt(one, seen) <= most)
        doubted, doubt = self._doubted, self._doubt(self.plainest, seen)
        self._doubted = doubt
        if doubt > doubted:
            found = self._least_doubted(self.read_again() or self.all, seen)
            if self._doubt(found[0], seen) < doubt:
                self.all, self._doubted = found, self._doubt(found[0], seen)

    def dropped(self) -> Iterator[Picture]:
        """What the last change makes, with one surprise, of pictures that it left no other way."""
        before, seen, aside = self._before
        most = self._doubt(self.plainest, seen) if before else (0, 0)
        for one in before:
            if not any(
                after in self.all for after in self._fitting(one, seen, aside, Read.PLAINLY)
            ):
                wide = self._fitting(one, seen, aside, Read.WIDELY)
                yield from (after for after in wide if self._doubt(after, seen) <= most)

    def _remember(self, now: Shown) -> None:
        """Keep what was read; who came to a square and left it again has only passed there.

        So a piece that slides a long way does not push out what was read before. But who came
        from a stack was not in the air before, and is now.
        """
        if len(self._since) > RECENT:
            return
        stood = self._since[-1].outline if self._since else now.outline
        if self._since[-2:-1] == [now] and self._only_stood(stood, now.outline):
            self._since.pop()
        else:
            self._since.append(now)

    def _only_stood(self, before: Outline, seen: Outline) -> bool:
        """Whether all that has changed is that who stood on a square has left it."""
        changed = differing(before, seen)
        return all(before[at] > seen[at] and self.eyes.size[at] == 1 for at in changed)

    def _went_home_unseen(self, before: Picture, seen: Outline) -> bool:
        """Whether a piece came to a base, and nobody saw from where: from a stack, if it is so.

        It may also have been captured by one from a stack, which then stands where it was.
        """
        if before.at(AIR):
            return False
        shown, whose = self.eyes.shown(before.pieces), self.eyes.whose
        return any(
            seen[at] > shown[at] and self.eyes.spots[at] in whose for at in differing(seen, shown)
        )

    def mark(self) -> Mark:
        """What is believed now."""
        return Mark(self.all, self._certain, tuple(self._since), self._doubted, self._before)

    def back_to(self, mark: Mark) -> None:
        """The readings since then told nothing; what has become certain meanwhile stays."""
        if mark.certain is self._certain:
            self.all, self._doubted, self._before = mark.all, mark.doubted, mark.before
            self._since = list(mark.readings)

    def unwatched(self, goal: Picture, moved: Iterable[Picture], seen: Outline) -> None:
        """Nobody watched for a while: hands may have put all right, or made one of these moves.

        Who was captured then lies beside the board, or was set down where it does not belong.
        """
        right = self._read((goal,), seen, (), Read.PLAINLY)
        made = tuple(picture for picture in moved if self._only_came(picture, goal, seen))
        after = self._read(made, seen, (), Read.PLAINLY) if made else ()
        found = tuple(dict.fromkeys((*self.all, *right, *after)))
        self.keep(self._least_doubted(found, seen), goal)

    def _only_came(self, picture: Picture, goal: Picture, seen: Outline) -> bool:
        """Whether a board is a picture's but for what has come, and not as the game has it."""
        shown = self.eyes.shown(picture.pieces)
        return seen != self.eyes.shown(goal.pieces) and not any(map(gt, shown, seen))

    def admit(self, pictures: Iterable[Picture]) -> None:
        """These are possible too, though not the plainest; unless the board itself is sure."""
        if self.sure:
            return
        self.all = tuple(_bounded((*self.all, *pictures)))

    def _left_earlier(
        self, before: Picture, seen: Outline, since: Collection[str]
    ) -> Iterator[Picture]:
        """Who has just left stands where somebody else seemed to come down.

        And that one stands where the late one seems to be, if it seems to be anywhere.
        """
        certain, now, shown = self._certain[0], self.plainest, self.eyes.shown(before.pieces)
        gone = [self.eyes.spots[at] for at in differing(seen, shown) if seen[at] < shown[at]]
        for late in dict.fromkeys(seat for spot in gone for seat in before.at(spot)):
            ends = Counter(now.pieces[late]) - Counter(before.pieces[late])
            end = next(iter(ends), AIR)
            for seat, own in enumerate(now.pieces):
                if own == certain.pieces[seat]:
                    continue
                came = Counter(own) - Counter(certain.pieces[seat])
                left = Counter(certain.pieces[seat]) - Counter(own)
                for spot in (one for one in came if one in since):
                    other = now.moved(late, end, spot)
                    found = (other.moved(seat, spot, origin) for origin in (*left, end))
                    yield from (one for one in found if self.eyes.shown(one.pieces) == seen)

    def read_again(self) -> tuple[Picture, ...]:
        """All that was read since the last certain picture, with one surprise somewhere."""
        if len(self._since) > RECENT:
            return ()
        found: list[Picture] = []
        plain, before = self._certain, None
        for number, (shown, unseen, _) in enumerate(self._since):
            if before is None or any(map(gt, shown, before)):  # something came down there
                pictures = self._read(plain, shown, unseen, Read.WIDELY)
                for later, hidden, _ in self._since[number + 1 :]:
                    pictures = self._read(pictures, later, hidden, Read.PLAINLY)
                found += pictures
            plain, before = self._read(plain, shown, unseen, Read.PLAINLY), shown
        return tuple(_bounded(found or plain))

    def read_as(self, how: Read) -> tuple[Picture, ...]:
        """All that was read since the last certain picture, each reading read like this."""
        if len(self._since) > RECENT:
            return ()
        pictures = self._certain
        for shown, unseen, _ in self._since:
            pictures = self._read(pictures, shown, unseen, how)
        return pictures

    def keep(self, pictures: Collection[Picture], otherwise: Picture) -> None:
        """What the rules make certain: only these pictures are left."""
        if not self.sure:
            self.all = tuple(pictures) or (otherwise,)
        self._certain = self.all
        self._since, self._doubted, self._before = [], (0, 0), NOTHING_BEFORE

    def know(self, picture: Picture) -> None:
        """The board itself says who stands where."""
        self.sure = False
        self.keep((), picture)
        self.sure = True

    def strays(self, picture: Picture, seen: Outline) -> list[str]:
        """The spots on which something stands that a picture knows nothing of."""
        shown = self.eyes.shown(picture.pieces)
        if shown == seen:
            return []
        pairs = enumerate(zip(seen, shown, strict=True))
        return [self.eyes.spots[at] for at, (number, known) in pairs if number > known]

    def unexplained(self, picture: Picture, seen: Outline) -> list[str]:
        """The strays, if there are more of them than pieces in the air: they come from nowhere."""
        strays = self.strays(picture, seen)
        return strays if strays and len(strays) > len(picture.at(AIR)) else []

    def _read(
        self, pictures: tuple[Picture, ...], seen: Outline, aside: tuple[int, ...], how: Read
    ) -> tuple[Picture, ...]:
        """The pictures that follow; read plainly, only those that leave least open."""
        fitting = [self._fitting(picture, seen, aside, how) for picture in pictures]
        found = tuple(dict.fromkeys(one for some in fitting for one in some))
        if len(found) > 1 and how is Read.PLAINLY:
            found = self._least_doubted(found, seen)
        return tuple(_bounded(found))

    def _least_doubted(self, pictures: tuple[Picture, ...], seen: Outline) -> tuple[Picture, ...]:
        if len(pictures) == 1:
            return pictures
        doubts = [self._doubt(picture, seen) for picture in pictures]
        least = min(doubts)
        return tuple(one for one, doubt in zip(pictures, doubts, strict=True) if doubt == least)

    def _doubt(self, picture: Picture, seen: Outline) -> tuple[int, int]:
        """How many pieces come from nowhere, and how many lie in another colour's base."""
        whose, foreign = self.eyes.whose, 0
        for seat, own in enumerate(picture.pieces):
            for spot in own:
                if spot in whose and whose[spot] != seat:
                    foreign += 1
        return len(self.unexplained(picture, seen)), foreign

    def _followed(
        self, picture: Picture, seen: Outline, aside: tuple[int, ...], how: Read
    ) -> tuple[Picture, ...]:
        """The pictures that follow from one when the sensors show this."""
        shown = self.eyes.shown(picture.pieces)
        if shown == seen:
            return (picture,)
        found, come = [picture], []
        for at in differing(seen, shown):
            come += [at] * (seen[at] - shown[at])
            for _ in range(0 if at in aside else shown[at] - seen[at]):
                found = _bounded(new for one in found for new in self._lift(one, at))
        for at in come if len(come) <= AT_ONCE else ():
            found = _bounded(new for one in found for new in self._put(one, at, aside, how))
        return tuple(found)

    def _lift(self, picture: Picture, at: int) -> Iterator[Picture]:
        """From a base or home one piece is taken; from a square everything that stood there."""
        spot = self.eyes.spots[at]
        seats = picture.at(spot)
        if self.eyes.size[at] == 1:
            for seat in seats:
                picture = picture.moved(seat, spot, AIR)
            yield picture
        else:
            yield from (picture.moved(seat, spot, AIR) for seat in dict.fromkeys(seats))

    def _put(self, picture: Picture, at: int, aside: tuple[int, ...], how: Read) -> list[Picture]:
        """Something stands there now: a piece from the air, or one that left a stack unseen.

        It may also have been pulled out from under a piece that was set on top of it.
        """
        spot = self.eyes.spots[at]
        owner = self.eyes.whose.get(spot)
        in_air = [(seat, AIR) for seat in dict.fromkeys(picture.at(AIR))]
        own = [one for one in in_air if how is Read.PLAINLY and owner in (None, one[0])]
        if how is not Read.WIDELY and in_air:
            return [picture.moved(seat, origin, spot) for seat, origin in own or in_air]
        hidden = [
            (seat, self.eyes.spots[stack])
            for stack in self._stacks(picture, aside)
            for seat in dict.fromkeys(picture.at(self.eyes.spots[stack]))
        ]
        found = [picture.moved(seat, origin, spot) for seat, origin in (*in_air, *hidden)]
        if how is Read.WIDELY and owner is not None:
            found += self._pulled_out(picture, owner, spot)
        return found or [picture]

    def _stacks(self, picture: Picture, aside: Collection[int]) -> list[int]:
        """The spots that a piece can leave unseen: two stand there, or the sensor is set aside."""
        found = []
        for spot in dict.fromkeys(spot for own in picture.pieces for spot in own if spot != AIR):
            at = self.eyes.index[spot]
            several = self.eyes.size[at] == 1 and len(picture.at(spot)) > 1
            if several or at in aside:
                found.append(at)
        return found

    def _pulled_out(self, picture: Picture, owner: int, base: str) -> list[Picture]:
        """A piece from the air was set on another, which was then pulled out from under it."""
        return [
            picture.moved(owner, spot, base).moved(seat, AIR, spot)
            for spot in dict.fromkeys(picture.pieces[owner])
            if spot != AIR and self.eyes.size[self.eyes.index[spot]] == 1
            for seat in dict.fromkeys(picture.at(AIR))
        ]


def _bounded(pictures: Iterable[Picture]) -> list[Picture]:
    """Each picture once; of too many only what they agree on."""
    found = tuple(dict.fromkeys(pictures))
    return list(found) if len(found) <= MOST else [_agreed(found)]


def _agreed(pictures: tuple[Picture, ...]) -> Picture:
    """What all pictures have in common; every other piece may be anywhere."""
    pieces = []
    for seat, own in enumerate(pictures[0].pieces):
        common = [
            spot
            for spot in dict.fromkeys(own)
            for _ in range(min(picture.pieces[seat].count(spot) for picture in pictures))
        ]
        pieces.append(tuple(sorted([*common, *[AIR] * (len(own) - len(common))])))
    return Picture(tuple(pieces))
