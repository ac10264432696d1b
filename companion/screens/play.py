"""The screens of a game under way: rolling, moving, choosing, and the news between them."""

from companion.referee import Line, View
from companion.rules import AnyMove, Lay, Move
from companion.screens import labels, letters, maps, notation, phrases, steps
from companion.screens.canvas import DIE, Area, die, tumbling
from companion.screens.drawing import (
    LEFT,
    PITCH,
    ROOM,
    Drawing,
    Page,
    counter_room,
    list_pages,
    moves_hops,
    steps_hops,
    text_pages,
)
from companion.screens.shapes import sign

BELOW_NAME = 24
LINES = 4
HINT_LINES = 2
NEWS_LINES = 5
NEXT = 54
"""Where it says who is next, below the news."""
DIE_TOP = 43
BESIDE = LEFT + DIE + 2
BESIDE_ROOM = ROOM - DIE - 2
MARK = 9
"""Pixels of a tick and a space, before a move."""
_SIGNS = {"star": "★", "globe": "⊕"}


def news(drawing: Drawing) -> list[str]:
    """What has to be said besides: missing devices, notices, what the last move brought.

    A hint takes the place of the others: it is what hands have to do now.
    """
    view, words = drawing.view, drawing.words
    said = labels.missing(view, words)
    said += labels.house(view, words)
    if view.channels.oled == "line":
        counts = [labels.word("counts", words)] if view.made else []
        return [*said, *counts, _hint(drawing)]
    if view.notice is not None:
        said.append(labels.notice(view, words))
        if view.notice.key == "no_move":
            said += reasons(drawing)
    back = labels.sends_back(view)
    if back is not None:
        why = phrases.refusal(drawing.position.game, back, view.face, words)
        said.append(f"§{back.clause}: {why}")
    if view.position is not None:
        game = view.position.game
        told = [told for told in view.happenings if told.what != "again"]  # the die says it
        names = labels.names_of(view, words)
        said += [phrases.happening(game, one, words, names) for one in told]
    return said


def _hint(drawing: Drawing) -> str:
    """A hint with the player's name, if that leaves room for the rest; else with the colour."""
    said = [steps.hint(drawing.view, drawing.words, named) for named in (True, False)]
    return next((one for one in said if len(letters.wrapped(one, ROOM)) <= HINT_LINES), said[-1])


def reasons(drawing: Drawing) -> list[str]:
    """Why nothing can move: every kind of reason once, with its clause."""
    view, words = drawing.view, drawing.words
    found: dict[tuple[str, str], str] = {}
    for why in view.refusals:
        said = labels.refusal(view, why, words)
        found.setdefault((why.clause, why.slip), f"§{why.clause}: {said}")
    return list(found.values())


def roll(drawing: Drawing) -> None:
    """Whose roll it is, in large letters; news first, if they do not fit beside the die."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    drawing.map(steps_hops(drawing.position, view.hint))
    colour = view.colour
    assert colour is not None
    said = [*_accepted(drawing), *news(drawing)]
    if view.phase == "opening":
        said = [labels.title("opening", words), _thrown(drawing), *news(drawing)]
    elif view.hand_face is not None and not said and not view.draws:
        said = [labels.word("which_roll", words)]
    pages = text_pages(said, ROOM, HINT_LINES)
    if len(pages) > 1:
        pages = [*text_pages(said, ROOM, NEWS_LINES), Page(())]
        if view.phase == "opening":
            pages[-1] = text_pages(said[:2], ROOM, 2)[0]
    number = drawing.page(len(pages))
    if number < len(pages) - 1:
        _news_page(drawing, pages, number)
        return
    canvas.name(labels.name_of(view, colour, words), LEFT, 0, ROOM)
    canvas.lines(pages[-1].lines if pages else (), LEFT, BELOW_NAME, ROOM, PITCH)
    _prompt(drawing)


def _news_page(drawing: Drawing, pages: list[Page], number: int) -> None:
    """What has happened; below it who is next, small, for the news may be about somebody else."""
    view, canvas = drawing.view, drawing.canvas
    assert view.colour is not None
    canvas.lines(pages[number].lines, LEFT, 1, ROOM, PITCH)
    canvas.draw.line((LEFT, NEXT - 2, LEFT + ROOM, NEXT - 2), fill=1)
    canvas.paste(maps.shape(view.colour, 5), LEFT, NEXT + 1, "shape")
    room = ROOM - 7 - counter_room(len(pages))
    name = letters.shortened(labels.name_of(view, view.colour, drawing.words), room)
    canvas.text(name, LEFT + 7, NEXT, room)
    drawing.counter(number, len(pages), NEXT, LEFT + ROOM)


def _accepted(drawing: Drawing) -> list[str]:
    """The move just made, with a tick, as long as it can still be changed."""
    view = drawing.view
    if view.tone == "hint" or not view.provisional or not isinstance(view.last, (Move, Lay)):
        return []
    return [f"✓ {_played(drawing, view.last)}"]


def _played(drawing: Drawing, done: AnyMove) -> str:
    """A move with the name of who made it, if both fit on a line; else with the colour."""
    game, words = drawing.position.game, drawing.words
    ways = (labels.names_of(drawing.view, words), None)
    said = [notation.played(game, done, words, names) for names in ways]
    return next((one for one in said if letters.width(one) <= ROOM - MARK), said[-1])


def _thrown(drawing: Drawing) -> str:
    """Who has rolled what for the start."""
    game = drawing.position.game
    entries = []
    for seat, face in drawing.position.opening or ():
        shown = game.die.show(face) if face else "?"
        entries.append(f"{sign(game.colours[seat])}{_SIGNS.get(shown, shown)}")
    return " ".join(entries)


def _prompt(drawing: Drawing) -> None:
    """The die, and what to do with it."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    game = drawing.position.game
    room: Area = (LEFT, DIE_TOP, LEFT + DIE, DIE_TOP + DIE)
    if view.rolling:
        drawing.changes = True
        canvas.paste(tumbling(drawing.beat % 2), LEFT, DIE_TOP, "die", room)
    else:
        shown = "?" if view.hand_face is None else game.die.show(view.hand_face)
        canvas.paste(die(shown), LEFT, DIE_TOP, "die", room)
    if view.hand_face is not None and not view.rolling and not view.draws:
        canvas.text("▲▼ OK", BESIDE, DIE_TOP, BESIDE_ROOM)
    else:
        again = any(told.what == "again" for told in view.happenings)
        rolling = view.rolling or view.draws
        key = "rolling" if rolling else "again" if again else "roll"
        canvas.text(labels.word(key, words), BESIDE, DIE_TOP, BESIDE_ROOM)
    _seat(drawing, DIE_TOP + PITCH + 2)


def _seat(drawing: Drawing, y: int) -> None:
    """The seat's shape, with its colour where a player's name is shown, or the rolls left."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    colour = view.colour
    assert colour is not None
    canvas.paste(maps.shape(colour, 5), BESIDE, y + 1, "shape")
    room = BESIDE_ROOM - 6
    if colour in view.names or view.boxed:
        name = labels.capital(phrases.colour(colour, words))
        canvas.text(name, BESIDE + 6, y, room)
    elif drawing.position.rolls > 1:
        number = drawing.position.rolls
        canvas.text(labels.word("rolls_left", words, number=number), BESIDE + 7, y, room - 1)


def move(drawing: Drawing) -> None:
    """The roll, and the moves to choose from; each walks on the map in its turn."""
    view, canvas = drawing.view, drawing.canvas
    _head(drawing)
    moves = [] if _is_made(view) else _offered(view)
    entries = [notation.move(drawing.position, one, drawing.words) for one in moves]
    helpless = view.notice is not None and view.notice.key == "move_for_it"
    if view.boxed and view.wish is None and not helpless and not view.made:
        moves, entries = [], [labels.word("thinks", drawing.words)]
    said, quiet = _above_and_below(drawing)
    most = LINES - len(quiet)
    pages = [*text_pages(said, ROOM, LINES), *list_pages(entries, most)]
    chosen = view.cursor if moves == _all(view) else -1
    if chosen >= 0:
        page = next(p for p in pages if p.first is not None and chosen < p.first + most)
    else:
        page = pages[drawing.page(len(pages))] if pages else Page(())
    shown = chosen
    if page.first is not None and shown < 0:
        shown = page.first + drawing.current(len(page.lines))
    walking = moves[shown] if 0 <= shown < len(moves) else None
    hint = steps_hops(drawing.position, view.hint)
    drawing.map((*hint, *moves_hops(drawing.position, walking)))
    _list(drawing, page, shown, chosen >= 0, BELOW_NAME)
    if page.first is not None:
        canvas.lines(quiet, LEFT, BELOW_NAME + most * PITCH, ROOM, PITCH)
    drawing.counter(pages.index(page) if pages else 0, len(pages), 12, LEFT + ROOM)


def _above_and_below(drawing: Drawing) -> tuple[list[str], tuple[str, ...]]:
    """What has pages of its own before the moves; and a short hint, which stays below them."""
    said = news(drawing)
    if drawing.view.channels.oled != "line" or _is_made(drawing.view):
        return said, ()
    quiet = letters.wrapped(said[-1], ROOM)
    return (said[:-1], quiet) if len(quiet) <= HINT_LINES else (said, ())


def _is_made(view: View) -> bool:
    """Whether nothing is to be chosen any more, and nobody chooses with the buttons."""
    return view.made and view.cursor < 0


def _all(view: View) -> list[AnyMove]:
    """The moves to choose from; of a player of the box only the one that it wants."""
    if view.wish is not None:
        return [view.wish]
    return [line.move for line in view.lines if line.move is not None]


def _offered(view: View) -> list[AnyMove]:
    """The moves still open: after a first press, those that fit it."""
    moves = _all(view)
    if not view.pressed or view.position is None:
        return moves
    fitting = []
    for one in moves:
        hops = maps.hops_of(view.position, one)
        ends = [hop.target if hop.origin is None else hop.origin for hop in hops]
        if all(ends.count(spot) >= view.pressed.count(spot) for spot in view.pressed):
            fitting.append(one)
    return fitting or moves


def _head(drawing: Drawing) -> None:
    """The roll as a die, the name beside it, and the seat's shape."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    position = drawing.position
    if view.face is not None:
        canvas.paste(die(position.game.die.show(view.face)), LEFT, 0, "die")
    assert view.colour is not None
    name = letters.shortened(labels.name_of(view, view.colour, words), BESIDE_ROOM)
    canvas.text(name, BESIDE, 0, BESIDE_ROOM)
    canvas.paste(maps.shape(view.colour, 5), BESIDE, 13, "shape")
    if view.pressed and view.face is not None and position.game.sheet.id == "cards":
        left = view.face - sum(int(spot[-1]) for spot in view.pressed)
        text = labels.word("left", words, number=left)
        canvas.text(text, BESIDE + 7, 12, BESIDE_ROOM - 7)


def _list(drawing: Drawing, page: Page, shown: int, chosen: bool, top: int) -> None:
    """The lines of a page; in a list the line of the moment has a pointer or a bar."""
    canvas = drawing.canvas
    for number, line in enumerate(page.lines):
        y = top + number * PITCH
        if page.first is None:
            canvas.text(line, LEFT, y, ROOM)
            continue
        indent = 3 if chosen else 7
        canvas.text(line, LEFT + indent, y, ROOM - indent)
        if page.first + number == shown:
            if chosen:
                canvas.bar((LEFT, y - 1, LEFT + ROOM, y + 9))
            else:
                canvas.text("▸", LEFT, y, 5)


def ask(drawing: Drawing) -> None:
    """A question and its answers; the cursor stands on one."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    if view.title == "won":
        canvas.name(labels.player(view, view.ranking[0], words), LEFT, 0, ROOM)
        canvas.text(labels.title("won", words), LEFT, BELOW_NAME, ROOM, bold=True)
        top = BELOW_NAME + PITCH + 3
    else:
        top = drawing.title(labels.title(view.title, words)) + 2
    entries = [_answer(drawing, line) for line in view.lines]
    pages = list_pages(entries, (64 - top) // PITCH)
    at = max(view.cursor, 0)
    page = next(p for p in pages if p.first is not None and at < p.first + (64 - top) // PITCH)
    walking = view.lines[at].move
    position = drawing.position
    drawing.map(moves_hops(position, walking) if view.face is not None else ())
    told = text_pages(_before_answers(drawing), ROOM, (64 - top) // PITCH)
    turned = drawing.page(len(told) + 1)
    if turned < len(told):
        canvas.lines(told[turned].lines, LEFT, top, ROOM, PITCH)
        return
    _list(drawing, page, at, True, top)
    no = letters.wrapped(notation.otherwise(view, words), ROOM)
    if no:
        canvas.lines(no, LEFT, top + PITCH + 1, ROOM, PITCH)


def _before_answers(drawing: Drawing) -> list[str]:
    """What somebody who tries to go on without an answer is told."""
    view = drawing.view
    if view.notice is None or view.notice.key != "answer_first":
        return []
    return [labels.notice(view, drawing.words)]


def _answer(drawing: Drawing, line: Line) -> str:
    if line.move is None:
        return labels.line(line, drawing.words)
    if drawing.view.face is None:
        return _played(drawing, line.move)
    return notation.move(drawing.position, line.move, drawing.words)
