"""The screens without a turn: idle, menu, statistics, paused, and the end of a game."""

from collections.abc import Callable
from functools import lru_cache, partial

from companion.referee import Line, Network
from companion.referee.menus import MENUS
from companion.rules import Position, game
from companion.screens import labels, letters, maps
from companion.screens.canvas import WIDTH, Area
from companion.screens.codes import code_picture
from companion.screens.drawing import LEFT, PITCH, ROOM, Drawing, text_pages
from companion.screens.play import BELOW_NAME, news

MENU_TOP = 13
MENU_LINES = 5
LEVELS = {"volume": 3, "brightness": 4}
_COLUMNS = ("rolls", "mean", "hits", "lost")


@lru_cache(1)
def _ornament(sheet: str) -> Position:
    """A board to look at while nobody plays."""
    laid = game(sheet)
    return laid.start(begins=laid.colours[0])


def idle(drawing: Drawing) -> None:
    """The box waits: its name, and how to begin."""
    words, canvas = drawing.words, drawing.canvas
    drawing.map(position=drawing.view.position or _ornament(drawing.view.sheet))
    canvas.name("Ludo", LEFT, 0, ROOM)
    pages = text_pages(news(drawing), ROOM, 4)
    if pages and drawing.page(len(pages) + 1) < len(pages):
        lines = pages[drawing.page(len(pages) + 1)].lines
        canvas.lines(lines, LEFT, BELOW_NAME, ROOM, PITCH)
        return
    canvas.text(labels.word("companion", words), LEFT, BELOW_NAME, ROOM)
    canvas.text(labels.word("menu_hint", words), LEFT, 54, ROOM, bold=True)


def menu(drawing: Drawing) -> None:
    """The menu over the whole width; the cursor's line is black on white."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    if view.title.startswith("phone:"):
        _phone(drawing)
        return
    canvas.text(labels.title(view.title, words), 2, 1, WIDTH - 4, bold=True)
    if view.title == "statistics":
        _statistics(drawing)
    elif view.notice is not None and drawing.page(2) == 0:
        told = text_pages([labels.notice(view, words)], WIDTH - 4, MENU_LINES)[0]
        canvas.lines(told.lines, 2, MENU_TOP, WIDTH - 4, PITCH)
    else:
        first = _first(view.cursor, len(view.lines))
        for number, line in enumerate(view.lines[first : first + MENU_LINES]):
            _menu_line(drawing, line, MENU_TOP + number * PITCH)
            if first + number == view.cursor:
                y = MENU_TOP + number * PITCH
                canvas.bar((0, y - 1, WIDTH - 4, y + 9))
        _scroll(drawing, first, len(view.lines))
        if view.title == "phones" and view.network is not None and view.network.open:
            _way_in(drawing, view.network)
    canvas.bar((0, 0, WIDTH, 11))


def _way_in(drawing: Drawing, network: Network) -> None:
    """Below the menu's two lines: where phones find the page, and their PIN."""
    canvas, words = drawing.canvas, drawing.words
    address = letters.shortened(network.address, WIDTH - 4)
    canvas.text(address, 2, MENU_TOP + 3 * PITCH, WIDTH - 4)
    shown = network.pin and not drawing.watched
    said = labels.word("pin", words, pin=network.pin) if shown else ""
    canvas.text(said, 2, MENU_TOP + 4 * PITCH, WIDTH - 4)


def _first(cursor: int, count: int) -> int:
    """The first line shown: the cursor stays in the middle where it can."""
    return max(0, min(cursor - MENU_LINES // 2, count - MENU_LINES))


def _menu_line(drawing: Drawing, line: Line, y: int) -> None:
    canvas, words = drawing.canvas, drawing.words
    value = labels.value(line, words)
    end = WIDTH - 7
    if line.key in LEVELS:
        level, most = int(line.value), LEVELS[line.key]
        for step in range(most):
            left = end - 6 * (most - step)
            box: Area = (left, y + 6 - 2 * step, left + 4, y + 7)
            canvas.draw.rectangle(box, fill=1 if step < level else 0, outline=1)
        end -= 6 * most
    elif line.key.partition(":")[0] in MENUS:
        canvas.text("▸", end - 5, y, 5)
        end -= 6
    elif value:
        label = letters.width(labels.line(line, words))
        value = letters.shortened(value, end - label - 8)  # a family's name for its rules is long
        canvas.text(value, end - letters.width(value), y, letters.width(value))
        end -= letters.width(value)
    said = labels.line_of(drawing.view, line, words)
    if line.key.partition(":")[0] in ("phone", "player"):
        said = letters.shortened(said, end - 4)
    canvas.text(said, 2, y, end - 4)


def _scroll(drawing: Drawing, first: int, count: int) -> None:
    """A mark at the right edge that says where in a long menu one is."""
    if count > MENU_LINES:
        height = 50 * MENU_LINES // count
        top = MENU_TOP + (50 - height) * first // (count - MENU_LINES)
        drawing.canvas.draw.rectangle((WIDTH - 2, top, WIDTH - 1, top + height), fill=1)


def _phone(drawing: Drawing) -> None:
    """The code that gives a seat to a phone, over the whole height; beside it whose it is."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    colour = view.title.partition(":")[2]
    code = None if drawing.code is None else code_picture(drawing.code)
    if code is None:
        why = labels.word("no_code" if drawing.watched else "no_phones", words)
        said = text_pages([why], ROOM - 4, MENU_LINES)[0]
        canvas.lines(said.lines, 2, MENU_TOP, ROOM - 4, PITCH)
    else:
        canvas.paste(code, 0, 0, "code")
    left, room = LEFT + 3, ROOM - 3
    canvas.text(letters.shortened(labels.player(view, colour, words), room), left, 1, room)
    if view.notice is not None:
        told = text_pages([labels.notice(view, words)], room, 3)[0]
        canvas.lines(told.lines, left, MENU_TOP, room, PITCH)
    for number, line in enumerate(view.lines):
        y = 43 + number * (PITCH + 1)
        canvas.text(labels.line(line, words), left, y, room)
        if number == view.cursor:
            canvas.bar((left - 1, y - 1, WIDTH, y + 9))


def _statistics(drawing: Drawing) -> None:
    """This game in numbers: a row a colour; where they are reckoned, chances have a page too."""
    view = drawing.view
    pages: list[Callable[[Drawing], None]] = [_tallies]
    if said := labels.fortunes(view, drawing.words):
        told = text_pages(said, WIDTH - 4, MENU_LINES)
        lucks = [] if view.fortunes is None else [_luck]
        pages += [*lucks, *(partial(_said, lines=page.lines) for page in told)]
    elif view.chances:
        pages.append(_chances)
    pages[drawing.page(len(pages))](drawing)


def _luck(drawing: Drawing) -> None:
    """Own luck of each player, in points of a hundred, with its error."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    assert view.fortunes is not None
    canvas.text(labels.word("luck", words), 2, MENU_TOP, WIDTH - 4)
    for number, one in enumerate(view.fortunes.players):
        y = MENU_TOP + (number + 1) * PITCH
        canvas.paste(maps.shape(one.colour, 5), 1, y + 1, "shape")
        canvas.text(letters.shortened(labels.name_of(view, one.colour, words), 60), 8, y, 60)
        said = labels.luck_of(one.luck, one.error, words)
        canvas.text(said, WIDTH - 51, y, 50, right=True)


def _said(drawing: Drawing, lines: tuple[str, ...]) -> None:
    """Lines over the whole width."""
    drawing.canvas.lines(lines, 2, MENU_TOP, WIDTH - 4, PITCH)


def _chances(drawing: Drawing) -> None:
    """Each player's chance to win, as a bar."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    canvas.text(labels.line(Line("chances"), words), 2, MENU_TOP, WIDTH - 4)
    percents = labels.percents(view.chances)
    for number, (colour, chance) in enumerate(view.chances.items()):
        y = MENU_TOP + (number + 1) * PITCH
        canvas.paste(maps.shape(colour, 5), 1, y + 1, "shape")
        canvas.text(letters.shortened(labels.name_of(view, colour, words), 46), 8, y, 46)
        canvas.draw.rectangle((56, y + 2, 56 + round(46 * chance), y + 7), fill=1)
        canvas.text(f"{percents[colour]} %", WIDTH - 25, y, 24, right=True)


def _tallies(drawing: Drawing) -> None:
    """What everybody has rolled, captured and lost."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    ends = (56, 81, 104, WIDTH - 1)
    for key, end in zip(_COLUMNS, ends, strict=True):
        canvas.text(labels.word(key, words), end - 24, MENU_TOP, 24, right=True)
    for number, tally in enumerate(view.tallies):
        y = MENU_TOP + (number + 1) * PITCH
        canvas.paste(maps.shape(tally.colour, 5), 1, y + 1, "shape")
        name = letters.shortened(labels.name_of(view, tally.colour, words), 33)
        canvas.text(name, 8, y, 33)
        mean = f"{tally.total / tally.rolls:.1f}" if tally.rolls else "-"
        mean = mean.replace(".", labels.word("point", words))
        row = (str(tally.rolls), mean, str(tally.captures), str(tally.lost))
        for text, end in zip(row, ends, strict=True):
            canvas.text(text, end - 20, y, 20, right=True)


def paused(drawing: Drawing) -> None:
    """The game waits."""
    words, canvas = drawing.words, drawing.canvas
    drawing.map()
    canvas.name(labels.title("paused", words), LEFT, 0, ROOM)
    said = [*news(drawing), labels.word("ok_go_on", words), labels.word("hold_menu", words)]
    pages = text_pages(said, ROOM, 4)
    canvas.lines(pages[drawing.page(len(pages))].lines, LEFT, BELOW_NAME, ROOM, PITCH)


def over(drawing: Drawing) -> None:
    """The winner in large letters, and the places."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    drawing.map()
    if not view.ranking:
        top = drawing.title(labels.title("over", words))
        canvas.text(labels.word("nobody", words), LEFT, top + 4, ROOM)
        canvas.text(labels.word("menu_hint", words), LEFT, 54, ROOM)
        return
    canvas.name(labels.player(view, view.ranking[0], words), LEFT, 0, ROOM)
    canvas.text(labels.title("won", words), LEFT, BELOW_NAME, ROOM, bold=True)
    for number, colour in enumerate(view.ranking[1:]):
        name = letters.shortened(labels.player(view, colour, words), ROOM - 12)
        y = BELOW_NAME + PITCH * (number + 1)
        canvas.text(f"{number + 2}.", LEFT, y, 10)
        canvas.text(name, LEFT + 12, y, ROOM - 12)
    if len(view.ranking) < 4:
        canvas.text(labels.word("menu_hint", words), LEFT, 54, ROOM)
