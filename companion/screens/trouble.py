"""The screens on which something has to be put right: illegal, restore, penalty, set-up."""

from companion.referee import Step
from companion.rules import Refused
from companion.screens import labels, letters, maps, notation, phrases, steps
from companion.screens.canvas import WIDTH
from companion.screens.drawing import (
    LEFT,
    PITCH,
    ROOM,
    Drawing,
    counter_room,
    steps_hops,
    text_pages,
)
from companion.screens.play import LINES, news

RULE, BODY = 10, 12
FOOT = 54
ABOVE_FOOT = BODY + (LINES - 1) * PITCH


def illegal(drawing: Drawing) -> None:
    """Black on white: what happened, why by which clause, and what to do about it."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    above = any(_is_long(step, drawing) for step in view.remedy)
    most = LINES - 1 if above else LINES
    what = text_pages(_what(drawing), ROOM, most)
    rule = text_pages(_rules(drawing), WIDTH - 4, LINES)
    fix = text_pages([_fix(drawing)], ROOM, most)
    pages = [*what, *rule, *fix]
    number = drawing.page(len(pages))
    wide = len(what) <= number < len(what) + len(rule)
    left, room = (2, WIDTH - 4) if wide else (LEFT, ROOM)
    step = _step(drawing)
    if not wide:
        drawing.map(_hops(drawing, step))
    canvas.text(labels.title("illegal", words), left, 1, room, bold=True)
    if view.refusals:
        canvas.text(f"§{view.refusals[0].clause}", left, 1, room, bold=True, right=True)
    canvas.draw.line((left, RULE, left + room, RULE), fill=1)
    canvas.lines(pages[number].lines if pages else (), left, BODY, room, PITCH)
    canvas.draw.line((left, FOOT - 2, left + room, FOOT - 2), fill=1)
    above = above and not wide
    room_left = room if above else room - counter_room(len(pages))
    canvas.text(_foot(drawing, step, room_left), left, FOOT, room_left)
    drawing.counter(number, len(pages), ABOVE_FOOT if above else FOOT, left + room)
    if view.channels.oled == "inverted":
        canvas.invert()


def _is_long(step: Step, drawing: Drawing) -> bool:
    """Whether a step needs the whole line beside the map: from a base, say. Then the number of
    the page stands above it."""
    return letters.width(_back(notation.step(step, drawing.words))) > ROOM - counter_room(2)


def _back(step: str) -> str:
    """It leads back: an arrow that points on would look like a move to make."""
    return f"↩ {step}"


def _foot(drawing: Drawing, step: Step | None, room: int) -> str:
    """The step of the moment: with the name of its colour, or its sign where that is too long."""
    words = drawing.words
    if step is None:
        return labels.word("ok_seen", words)
    signed = notation.step(step, words)
    said = [_back(steps.listed(step, words)), _back(signed), signed, notation.hop(step, words)]
    fitting = next((foot for foot in said if letters.width(foot) <= room), said[-1])
    return letters.shortened(fitting, room)  # from base to base: the map shows it too


def _what(drawing: Drawing) -> list[str]:
    """What happened: the first reason is the one that counts; and any notice."""
    view, words = drawing.view, drawing.words
    said = [labels.refusal(view, why, words) for why in view.refusals[:1]]
    if view.notice is not None:
        said.append(labels.notice(view, words))
    return said


def _rules(drawing: Drawing) -> list[str]:
    """The clauses that were broken, in full."""
    game, words = drawing.position.game, drawing.words
    clauses = dict.fromkeys(why.clause for why in drawing.view.refusals)
    return [f"§{clause}: {labels.clause(game, clause, words)}" for clause in list(clauses)[:2]]


def _fix(drawing: Drawing) -> str:
    """How to put it right, as a sentence."""
    view = drawing.view
    if any(why.slip == "board_not_right" for why in view.refusals):
        said = phrases.of(drawing.position.game, labels.NOTICES["put_it_right"])
        return drawing.words.gettext(said)
    verdict = Refused(view.refusals, view.legal)
    return phrases.remedy(drawing.position.game, verdict, drawing.words)


def _step(drawing: Drawing) -> Step | None:
    """The step of the moment; with several, each in its turn."""
    remedy = drawing.view.remedy
    return remedy[drawing.current(len(remedy))] if remedy else None


def _hops(drawing: Drawing, step: Step | None) -> tuple[maps.Hop, ...]:
    return () if step is None else steps_hops(drawing.position, (step,))


def put_right(drawing: Drawing) -> None:
    """The board is not as the game has it: which pieces go where."""
    view, words = drawing.view, drawing.words
    top = drawing.title(labels.title(view.phase, words)) + 2
    told = [*news(drawing), *([labels.word("until_ok", words)] if view.unseen else [])]
    _steps(drawing, told, top)


def set_up(drawing: Drawing) -> None:
    """The pieces are set: as the map shows, or where it blinks."""
    view, words = drawing.view, drawing.words
    cards = drawing.position.game.board.walked is None
    top = drawing.title(labels.title("setting_cards" if cards else "setting", words)) + 2
    key = "cards_laid" if cards else "to_place" if view.remedy else "as_shown"
    told = labels.word(key, words)
    _steps(drawing, [*news(drawing), told], top)


def _steps(drawing: Drawing, said: list[str], top: int) -> None:
    """What there is to say, then one step after the other, each with its hop on the map."""
    view, words, canvas = drawing.view, drawing.words, drawing.canvas
    most = (64 - top) // PITCH
    told = text_pages(said, ROOM, most)
    todo = [
        (step, page)
        for step in view.remedy
        for page in text_pages([steps.sentence(view, step, words, named=False)], ROOM, most)
    ]
    pages = [*told, *(page for _, page in todo)]
    number = drawing.page(len(pages))
    shown = todo[max(number - len(told), 0) :]
    step = shown[0][0] if shown and number >= len(told) else _step(drawing)
    drawing.map(_hops(drawing, step))
    lines = pages[number].lines if pages else ()
    canvas.lines(lines, LEFT, top, ROOM, PITCH)
    if len(lines) < most:
        drawing.counter(number, len(pages), 64 - PITCH, LEFT + ROOM)
