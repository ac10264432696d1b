"""Stories: how the pieces may stand as well, and which of them a finger has taken up there."""

from typing import NamedTuple

from companion.referee.picture import AIR, Picture


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

    def put_back(self, goal: Picture, spot: str) -> "Story | None":
        """The story after a press that sets a piece where it belongs; None if it does not."""
        after = put_where_it_belongs(self.picture, goal, self.taken, spot)
        return Story(after[0], aside=self.aside) if after else None


def put_where_it_belongs(
    picture: Picture, goal: Picture, origin: str, target: str
) -> list[Picture]:
    """The picture after a piece that stands elsewhere than in the goal went where it belongs."""
    for seat, (has, wants) in enumerate(zip(picture.pieces, goal.pieces, strict=True)):
        strays = has.count(origin) > wants.count(origin)
        if strays and has.count(target) < wants.count(target):
            return [picture.moved(seat, origin, target)]
    return []
