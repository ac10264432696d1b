"""Stories: how the pieces may stand as well, and which of them a finger has taken up there."""

from collections.abc import Iterable
from typing import NamedTuple

from companion.referee.picture import AIR, Picture

MOST = 16
"""More stories than this are not kept."""


class Story(NamedTuple):
    """A picture, and the spot of the piece that was pressed last in it."""

    picture: Picture
    taken: str = AIR
    aside: bool = False
    """Whether a piece lies beside the board in it that was to be taken off."""

    def moved(self, seat: int, origin: str, target: str, number: int = 1) -> "Story":
        """The story after pieces of a colour were moved."""
        return self._replace(picture=self.picture.moved(seat, origin, target, number))

    def begun(self, spot: str) -> "Story":
        """The story after a press that takes up a piece, if one stands there."""
        return self._replace(taken=spot if self.picture.at(spot) else AIR)

    def carried(self, spot: str) -> "Story | None":
        """The story after a press where nobody stands: the piece taken up goes there, if any."""
        seats = self.picture.at(self.taken) if self.taken != AIR else ()
        if not seats or self.picture.at(spot):
            return None
        return self.moved(seats[0], self.taken, spot)._replace(taken=AIR)

    def put_back(self, goal: Picture, spot: str) -> "Story | None":
        """The story after a press that sets a piece where it belongs; None if it does not."""
        after = put_where_it_belongs(self.picture, goal, self.taken, spot)
        return Story(after[0], aside=self.aside) if after else None


class Rivals:
    """The stories that the box does not believe, and what a press means in them.

    Pieces that were refused, and not pressed back, stand there still; one was carried onto
    another, and that one not chosen instead; or one that was to be taken off was, and the next
    press took up another.
    """

    def __init__(self) -> None:
        self.stories: tuple[Story, ...] = ()
        self.perhaps: tuple[Picture, ...] = ()
        """How they stand if a piece astray was carried onto another, until that one goes on."""
        self.fitting: list[Story] = []
        """Those in which the last press sets a piece where it belongs, after it."""
        self.carried: list[Story] = []
        """Those in which it sets one where nobody stands, after it."""
        self.lifted: tuple[Story, ...] = ()
        """Those in which the press before it took up a piece."""
        self._taken_up: tuple[Story, ...] = ()
        """Those in which the last press may have taken up a piece: the next says where it goes."""

    def forget(self) -> None:
        """All stands as the box believes."""
        self.stories = self._taken_up = self.perhaps = ()

    def add(self, stories: Iterable[Story]) -> None:
        self.stories = (*self.stories, *stories)

    def take_up(self, stories: Iterable[Story]) -> None:
        """The last press may have been a first one."""
        self._taken_up = tuple(stories)

    def moved(self, seat: int, origin: str, target: str) -> None:
        """A piece goes from here to there in all of them."""
        self.stories = tuple(one.moved(seat, origin, target) for one in self.stories)

    def pictures(self) -> tuple[Picture, ...]:
        return tuple(one.picture for one in self.stories)

    def taken_at(self, spot: str) -> list[Story]:
        """Those in which a piece is taken up there."""
        return [one for one in self.stories if one.taken == spot]

    def press(self, goal: Picture, spot: str) -> None:
        """A press may go on with each of them: a piece goes back late, or where nobody stands."""
        gone_on = [(one, one.put_back(goal, spot)) for one in self.stories]
        self.lifted, self._taken_up = self._taken_up, ()
        gone_on += [(one, after) for one in self.lifted if (after := one.put_back(goal, spot))]
        self.fitting = [after for _, after in gone_on if after is not None]
        carried = {one: one.carried(spot) for one, after in gone_on if after is None}
        self.carried = [after for after in carried.values() if after is not None]
        found = dict.fromkeys(after or carried[one] or one.begun(spot) for one, after in gone_on)
        self.stories = tuple(found)[:MOST]


def put_where_it_belongs(
    picture: Picture, goal: Picture, origin: str, target: str
) -> list[Picture]:
    """The picture after a piece that stands elsewhere than in the goal went where it belongs."""
    for seat, (has, wants) in enumerate(zip(picture.pieces, goal.pieces, strict=True)):
        strays = has.count(origin) > wants.count(origin)
        if strays and has.count(target) < wants.count(target):
            return [picture.moved(seat, origin, target)]
    return []
