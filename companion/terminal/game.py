"""The game drawn in a terminal: squares by their numbers, pieces by their colour's letter."""

from collections.abc import Collection, Iterable

import click

from companion.rules import Game, Position
from companion.rules.boards import Board, Place, letter
from companion.rules.places import part_of

ACROSS = 4  # characters for one step of the board's grid
SIGNS = {"globe": "o", "star": "*", "safe": "+", "safe_star": "+"}
WORDS = {"safe_star": "safe"}
INK = {"black": "bright_black", None: "white"}


def painted(text: str, colour: str | None, *, dim: bool = False, bold: bool = False) -> str:
    """A text in one of the players' colours."""
    return click.style(text, fg=INK.get(colour, colour), dim=dim, bold=bold)


def piece(colour: str) -> str:
    """A piece: the letter of its colour on a field of that colour."""
    ink = "bright_white" if colour in ("black", "blue", "red") else "black"
    return click.style(letter(colour), fg=ink, bg=INK.get(colour, colour), bold=True)


def picture(position: Position, targets: Collection[str] = ()) -> list[str]:
    """The position as lines of coloured text; the targets of legal moves are underlined."""
    board = position.game.board.walked
    return _stacks(position) if board is None else _board(board, position, targets)


def _stacks(position: Position) -> list[str]:
    """The card game: every player's new stacks, a block for each card."""
    lines = []
    for seat, heights in enumerate(position.pieces):
        if heights:
            colour = position.game.colours[seat]
            stacks = "   ".join(f"{n} {'█' * h:·<6}" for n, h in enumerate(heights, 1))
            lines.append(f"{piece(colour)} {painted(f'{colour:7}', colour)} {stacks}")
    return lines


def _board(board: Board, position: Position, targets: Collection[str]) -> list[str]:
    standing = _standing(board, position)
    marks = {
        board.places[square].name: SIGNS[mark]
        for mark, squares in position.game.marked_squares().items()
        for square in squares
    }
    starts = {board.places[board.quarter * n].name: c for n, c in enumerate(board.colours)}
    rows: list[dict[int, str]] = [{} for _ in range(board.grid)]
    for place in board.places:
        if place.kind == "home":
            continue
        pieces = standing.get(place.name, [])
        colour = place.colour or starts.get(place.name)
        cell = _cell(place, colour, marks.get(place.name, ""), pieces, place.name in targets)
        rows[round(place.y)][round(place.x * ACROSS)] = cell
    for seat in range(4):
        _home(board, position, seat, rows)
    return ["  " + _row(row) for row in rows]


def _standing(board: Board, position: Position) -> dict[str, list[str]]:
    """The colours of the pieces on every place; base spots are filled from the first on."""
    found: dict[str, list[str]] = {}
    for seat, pieces in enumerate(position.pieces):
        waiting = 0
        for progress in pieces:
            spots = board.places_of(seat, progress)
            name = spots[waiting if len(spots) > 1 and spots[0].kind == "base" else 0].name
            waiting += spots[0].kind == "base"
            found.setdefault(name, []).append(board.colours[seat])
    return found


def _cell(place: Place, colour: str | None, mark: str, pieces: Iterable[str], aim: bool) -> str:
    shown = "".join(piece(one) for one in pieces)
    if shown:
        return shown
    name = part_of(place.name)
    if place.kind == "base":
        name = "·"
    if aim:
        return click.style(f"{name}{mark}", fg="bright_white", bold=True, underline=True)
    return painted(f"{name}{mark}", colour, dim=colour is None)


def _home(board: Board, position: Position, seat: int, rows: list[dict[int, str]]) -> None:
    """How many pieces of a colour are home, in its triangle; nothing on a board without."""
    spots = [p for p in board.places_of(seat, board.last) if p.kind == "home"]
    if not spots:
        return
    x, y = (sum(axis) / len(spots) for axis in zip(*((s.x, s.y) for s in spots), strict=True))
    count = position.pieces[seat].count(board.last)
    colour = board.colours[seat]
    rows[round(y)][round(x * ACROSS)] = painted(f"H{count}", colour, bold=count > 0)


def _row(cells: dict[int, str]) -> str:
    row, width = "", 0
    for column, cell in sorted(cells.items()):
        row += " " * (column - width) + cell
        width = max(column, width) + len(click.unstyle(cell))
    return row


def ranking_line(game: Game, position: Position) -> str:
    """Who has won, and who came next."""
    ranked = list(position.ranking)
    first, *others = ranked or ["nobody"]
    line = f"{painted(first.capitalize(), first, bold=True)} has won"
    if others:
        line += ", then " + ", ".join(painted(one, one) for one in others)
    return line + "."


def legend(board: Board, game: Game) -> str:
    """What the signs on the board mean."""
    home = ["H counts those at home"] if board.home else []
    signs = [f"{SIGNS[mark]} {WORDS.get(mark, mark)}" for mark in game.marked_squares()]
    return ", ".join(["letters are pieces", *home, *signs])
