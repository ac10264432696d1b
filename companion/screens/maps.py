"""The mini map at the left: the board with its pieces, or the stacks of the card game.

Every colour has a shape of its own, and its name begins by its base. A place that a hop leaves
or reaches is shown with and without the piece in turn, so that the piece seems to walk.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from gettext import NullTranslations
from typing import NamedTuple

from PIL import Image, ImageDraw

from companion.rules import BOARDS, Board, Game, Lay, Move, Position
from companion.rules.boards import letter
from companion.rules.places import base_of, is_apart, spot_of
from companion.screens import letters, phrases
from companion.screens.canvas import Area, Canvas
from companion.screens.phrases import ENGLISH
from companion.screens.shapes import SHAPE_OF, sign

SIZE = 63
"""How wide and how high the map may be."""

_SHAPES = {
    3: (
        ("###", "###", "###"),
        ("###", "#.#", "###"),
        (".#.", "###", ".#."),
        ("#.#", ".#.", "#.#"),
    ),
    4: (
        ("####", "####", "####", "####"),
        ("####", "#..#", "#..#", "####"),
        (".##.", "####", "####", ".##."),
        ("#..#", ".##.", ".##.", "#..#"),
    ),
}
"""By size and number in `SIGNS`; five pixels wide they are the signs themselves."""


class Hop(NamedTuple):
    """A piece that seems to walk: from one spot to another; None is off the board.

    With a seat it is a move to be made; without one the piece stands astray on the board, and
    the target is where the game has it; `astray` is its seat, where that is known.
    """

    origin: str | None
    target: str | None
    seat: int | None = None
    astray: int | None = None


@lru_cache(64)
def shape(colour: str, size: int) -> Image.Image:
    """The shape of a colour's pieces."""
    if size == 5:
        drawn_sign = letters.glyph(sign(colour))
        assert drawn_sign is not None
        return drawn_sign.crop((0, 1, 5, 6))
    drawn = _SHAPES[size][SHAPE_OF[colour]]
    picture = Image.new("1", (size, size))
    for y, row in enumerate(drawn):
        for x, dot in enumerate(row):
            picture.putpixel((x, y), dot == "#")
    return picture


class _Scale(NamedTuple):
    """How a grid is drawn: pixels a square, the size of a piece, of a stack of pieces."""

    pitch: int
    piece: int
    stack: int


_SCALES = {11: _Scale(5, 4, 5), 15: _Scale(4, 3, 4), 19: _Scale(3, 3, 4)}


def _board(name: str) -> Board:
    board = BOARDS[name].walked
    assert board is not None
    return board


@lru_cache(8)
def _spots(name: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """By spot, the middle pixels of its places: one, or the four of a base or home."""
    board = _board(name)
    scale = _SCALES[board.grid]
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for place in board.places:
        middle = scale.pitch // 2
        at = (round(place.x * scale.pitch) + middle, round(place.y * scale.pitch) + middle)
        found[place.name] = (at,)
        if place.kind in ("base", "home"):
            spot = spot_of(place.name)
            found[spot] = (*found.get(spot, ()), at)
    if board.grid > 11:
        for seat in board.colours:
            _spread(found, base_of(seat))
    return found


def _spread(spots: dict[str, tuple[tuple[int, int], ...]], base: str) -> None:
    """Move the spots of a base apart, so that its label finds room between them."""
    middle_x = sum(x for x, _ in spots[base]) / 4
    middle_y = sum(y for _, y in spots[base]) / 4
    apart = tuple(
        (x + (2 if x > middle_x else -2), y + (3 if y > middle_y else -3)) for x, y in spots[base]
    )
    spots[base] = apart
    for number, at in enumerate(apart):
        spots[f"{base}{number + 1}"] = (at,)


@lru_cache(8)
def _empty(name: str, safe: frozenset[int]) -> Image.Image:
    """The board without pieces: a dot a square, more where the square is marked, or safe."""
    board = _board(name)
    scale = _SCALES[board.grid]
    picture = Image.new("1", (board.grid * scale.pitch, board.grid * scale.pitch))
    draw = ImageDraw.Draw(picture)
    spots = _spots(board.name)
    for place in board.places:
        if place.kind in ("track", "finish"):
            draw.point(spots[place.name][0], fill=1)
    starts = [] if board.marks or safe else [seat * board.quarter for seat in range(4)]
    for square in (*board.marked("globe"), *board.marked("safe"), *starts, *safe):
        x, y = spots[str(square + 1)][0]
        draw.point(((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)), fill=1)
        draw.point((x, y), fill=0)
    return picture


def label_of(colour: str, words: NullTranslations = ENGLISH) -> str:
    """How a colour's name begins: `Ye`, `Gr`; one letter would not tell Gelb from Grün."""
    return phrases.colour(colour, words)[:2].capitalize()


def _label(canvas: Canvas, board: Board, seat: int, words: NullTranslations) -> Area:
    """Write a seat's label in the middle of its base, or beside a small one; where it went."""
    scale = _SCALES[board.grid]
    size = board.grid * scale.pitch
    points = _spots(board.name)[base_of(board.colours[seat])]
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    if board.grid == 11:  # between the base and the track there is room above or below
        middle_y += 9.5 if middle_y < size / 2 else -9.5
    text = label_of(board.colours[seat], words)
    width = letters.width(text)
    left, top = _origin(board)
    x, y = left + round(middle_x + 0.5 - width / 2), top + round(middle_y - 3)
    canvas.text(text, x, y, width, kind="label")
    return x, y, x + width, y + letters.CAPITAL


def board_map(
    canvas: Canvas,
    position: Position,
    beat: int,
    hops: Sequence[Hop] = (),
    pressed: Sequence[str] = (),
    words: NullTranslations = ENGLISH,
) -> None:
    """Draw the board of a game with its pieces; the hops walk with the beat."""
    game = position.game
    board, walked = _board(game.board.name), beat % 2 == 1
    left, top = _origin(board)
    canvas.paste(_empty(board.name, game.safe_squares), left, top, "map")
    standing = _standing(game, position)
    for hop in hops:
        if hop.seat is None and not walked:
            _astray(standing, hop)
        elif hop.seat is not None and walked:
            _walk(standing, hop)
    for spot, seats in standing.items():
        _stand(canvas, board, spot, seats, beat)
    for hop in hops:
        if not walked and hop.target is not None:
            _ring(canvas, board, hop.target)
    for spot in pressed:
        _ring(canvas, board, spot)
    for seat in game.in_play:
        written = _label(canvas, board, seat, words)
        if seat == position.seat:
            canvas.bar((written[0] - 1, written[1] - 1, written[2] + 1, written[3] + 1))


def is_shared(position: Position) -> bool:
    """Whether pieces of different colours stand on one square: they are shown in turn."""
    game = position.game
    return any(len(set(seats)) > 1 for seats in _standing(game, position).values())


def _origin(board: Board) -> tuple[int, int]:
    size = board.grid * _SCALES[board.grid].pitch
    return (SIZE - size) // 2, (64 - size) // 2


def _standing(game: Game, position: Position) -> dict[str, list[int]]:
    """By spot, the seats of the pieces that stand there."""
    standing: dict[str, list[int]] = {}
    for seat, pieces in enumerate(position.pieces):
        for piece in pieces:
            standing.setdefault(game.spot(seat, piece), []).append(seat)
    return standing


def _walk(standing: dict[str, list[int]], hop: Hop) -> None:
    """A piece of the game takes a step: it captures what is not its own."""
    assert hop.seat is not None
    if hop.origin is not None and hop.seat in standing.get(hop.origin, ()):
        standing[hop.origin].remove(hop.seat)
    if hop.target is not None:
        there = standing.get(hop.target, [])
        many = is_apart(hop.target)
        standing[hop.target] = [*there, hop.seat] if many or hop.seat in there else [hop.seat]


def _astray(standing: dict[str, list[int]], hop: Hop) -> None:
    """A piece that the game has on the target stands on the origin still, or in a hand."""
    there = standing.get(hop.target or "", [])
    seat = hop.astray
    if seat is not None and seat in there:
        there.remove(seat)
    elif there:
        seat = there.pop()
    if hop.origin is not None:
        standing.setdefault(hop.origin, []).append(seat or 0)


def _stand(canvas: Canvas, board: Board, spot: str, seats: list[int], beat: int) -> None:
    """Draw the pieces on a spot: apart in a base, on a square as one larger piece."""
    scale = _SCALES[board.grid]
    points = _spots(board.name)[spot]
    if len(points) > 1:
        for seat, point in zip(seats, points, strict=False):
            _piece(canvas, board, point, seat, scale.piece)
        return
    if seats:
        kinds = sorted(set(seats))
        size = scale.piece if len(seats) == 1 else scale.stack
        _piece(canvas, board, points[0], kinds[beat // 2 % len(kinds)], size)


def _piece(canvas: Canvas, board: Board, point: tuple[int, int], seat: int, size: int) -> None:
    left, top = _origin(board)
    x, y = left + point[0] - (size - 1) // 2, top + point[1] - (size - 1) // 2
    canvas.image.paste(shape(board.colours[seat], size), (x, y))


def _ring(canvas: Canvas, board: Board, spot: str) -> None:
    """A frame round a place that is meant."""
    left, top = _origin(board)
    reach = 3 if board.grid == 11 else 2
    for x, y in _spots(board.name)[spot][:1]:
        box = (left + x - reach, top + y - reach, left + x + reach, top + y + reach)
        canvas.draw.rectangle(box, outline=1)


def stack_map(
    canvas: Canvas,
    position: Position,
    beat: int,
    hops: Sequence[Hop],
    pressed: Mapping[str, int],
    words: NullTranslations = ENGLISH,
) -> None:
    """Draw the stacks of the card game: a row a player, a column a stack, two pixels a card."""
    game = position.game
    walked = beat % 2 == 1
    canvas.paste(Image.new("1", (SIZE, 64)), 0, 0, "map")
    for stack in range(4):
        canvas.text(str(stack + 1), 18 + 12 * stack, 0, 5, kind="label")
    grown = [hop.target for hop in hops if hop.target] if walked else []
    for seat, heights in enumerate(position.pieces):
        if not heights:
            continue
        top = 8 + 14 * seat
        name = letter(game.colours[seat])
        label = label_of(game.colours[seat], words)
        canvas.text(label, 2, top + 3, 11, kind="label")
        if seat == position.seat:
            canvas.bar((1, top + 2, 3 + letters.width(label), top + 11))
        for stack, height in enumerate(heights):
            spot = f"{name}.{stack + 1}"
            height += grown.count(spot) + pressed.get(spot, 0)
            _stack(canvas, 15 + 12 * stack, top + 13, min(height, 6))


def _stack(canvas: Canvas, x: int, bottom: int, height: int) -> None:
    """One new stack: a line for the table, a bar as high as its cards, framed when full."""
    canvas.draw.line((x, bottom, x + 9, bottom), fill=1)
    for card in range(height):
        y = bottom - 2 - 2 * card
        canvas.draw.line((x + 1, y, x + 8, y), fill=1)
    if height == 6:
        canvas.draw.rectangle((x, bottom - 12, x + 9, bottom), outline=1)
        canvas.draw.rectangle((x + 1, bottom - 12, x + 8, bottom - 1), fill=1)


def hops_of(position: Position, move: object) -> tuple[Hop, ...]:
    """What a move looks like on the map."""
    game = position.game
    if isinstance(move, Move):
        origin, target = game.stops(move)
        return (Hop(origin, target, move.seat),) * move.size
    if isinstance(move, Lay):
        name = letter(game.colours[move.seat])
        return tuple(Hop(None, f"{name}.{stack}", move.seat) for stack in move.stacks)
    return ()
