"""The board drawn in a terminal by the spots its places lie on, as fingers press them."""

from collections.abc import Collection, Iterable, Sequence

import click

from companion.rules.boards import Board, Mat, Place

ACROSS = 4  # characters for one step of the board's grid
COLOURS = {"black": "bright_black", None: "white"}


def spots(places: Iterable[Place]) -> dict[tuple[int, int], Place]:
    """A column and line for every place; where two would meet, the later one steps aside."""
    taken: dict[tuple[int, int], Place] = {}
    for place in places:
        column, line = round(place.x * ACROSS), round(place.y)
        for aside in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6):
            if (column + aside, line) not in taken and column + aside >= 0:
                taken[column + aside, line] = place
                break
        else:
            raise ValueError(f"no room to draw {place.name}")
    return taken


def draw(
    board: Board | Mat,
    on: Collection[str],
    seen: Collection[str] = (),
    bad: Collection[str] = (),
) -> list[str]:
    """The board as lines of coloured text.

    `●` is on now, `○` has been on, `·` has not yet been; `!` flickers.
    """
    taken = spots(board.places)
    width = max(column for column, _ in taken) + 1
    lines = []
    for line in range(board.grid):
        row = ""
        for column in range(width):
            place = taken.get((column, line))
            row += " " if place is None else _mark(place, on, seen, bad)
        lines.append(row.rstrip())
    return lines


def _mark(place: Place, on: Collection[str], seen: Collection[str], bad: Collection[str]) -> str:
    colour = COLOURS.get(place.colour, place.colour)
    if place.name in bad:
        return click.style("!", fg="bright_red", bold=True)
    if place.name in on:
        return click.style("●", fg=colour, bold=True)
    if place.name in seen:
        return click.style("○", fg=colour)
    return click.style("·", fg=colour, dim=True)


def bars(counts: Sequence[int], width: int = 40) -> list[str]:
    """How often each face came, as bars."""
    most = max(counts) or 1
    return [
        f"  {face} {'█' * round(width * count / most):{width}} {count}"
        for face, count in enumerate(counts, 1)
    ]
