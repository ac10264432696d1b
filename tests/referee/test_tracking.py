"""Pictures of the table: what readings say of the pieces."""

from companion.referee.outlines import Eyes
from companion.referee.picture import AIR, picture_of
from companion.referee.tracking import RECENT, Pictures, Read
from companion.rules import position

HERE = position("british red,yellow | red R.B R.B R.B 6 | yellow Y.B Y.B Y.B 30 | turn red")


def test_more_readings_than_are_remembered_are_not_read_again_in_part() -> None:
    board, picture = HERE.game.board.walked, picture_of(HERE)
    assert board is not None
    eyes, red, yellow = Eyes(board), 0, HERE.game.colours.index("yellow")
    pictures = Pictures(eyes, picture)
    for number in range(RECENT // 2):
        for seat, at in ((red, 6 + number), (yellow, 30 + number)):
            for origin, target in ((str(at), AIR), (AIR, str(at + 1))):
                picture = picture.moved(seat, origin, target)
                pictures.sense(eyes.shown(picture.pieces), ())
        assert pictures.plainest == picture
        assert pictures.read_as(Read.PLAINLY) in ((), (picture,))


def test_before_anything_has_changed_no_picture_was_dropped() -> None:
    board, picture = HERE.game.board.walked, picture_of(HERE)
    assert board is not None
    pictures = Pictures(Eyes(board), picture)
    assert list(pictures.dropped()) == []
    pictures.sense(pictures.eyes.shown(picture.moved(0, "6", AIR).pieces), ())
    pictures.keep((), picture)
    assert list(pictures.dropped()) == []
