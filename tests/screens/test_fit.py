"""Every phrase of every language, drawn where it belongs: nothing is cut, nothing overlaps."""

from dataclasses import replace
from typing import get_args

import pytest

from companion.languages import LANGUAGES
from companion.referee import Line, Notice, Phase, Step, View
from companion.rules import SHEETS, Happening, Position, Refusal, game, legal_moves
from companion.rules.boardgame import BoardGame
from companion.rules.boards import letter
from companion.rules.places import is_apart
from companion.screens import labels, letters, phrases
from companion.screens.canvas import WIDTH
from companion.screens.languages import words
from companion.screens.letters import SOFT_HYPHEN
from companion.screens.phrases import AT_ZERO, HAPPENINGS, REFUSALS
from companion.screens.pictures import drawn
from companion.screens.samples import FACES, samples
from companion.screens.trouble import FOOT
from tests.screens.looking import every_page, faults, some_beats, texts

PLACES = {
    "german": (("12", "18"), ("G.B", "11"), ("K.a", "K.d"), ("38", "Y.d")),
    "british": (("12", "68"), ("G.B", "23"), ("B.3", "B.7"), ("62", "Y.H")),
    "dutch": (("12", "52"), ("G.B", "40"), ("51", "R.H")),
    "pairs": (("12", "52"), ("G.B", "14"), ("B.1", "B.5"), ("50", "Y.H")),
    "indian": (("12", "52"), ("G.B", "14"), ("B.1", "B.5"), ("50", "Y.H")),
    "parchis": (("12", "68"), ("G.B", "52"), ("B.3", "B.7"), ("62", "Y.H")),
    "cards": (("R.1",), ("G.1", "G.2", "G.3", "G.4"), ("B.4",)),
}

BOTH = [(sheet, language) for sheet in SHEETS for language in LANGUAGES]
each_sheet_and_language = pytest.mark.parametrize(("sheet", "language"), BOTH)


def views(sheet: str, language: str) -> dict[str, View]:
    return samples(sheet, language)


def check(view: View) -> None:
    for drawing in every_page(view):
        assert faults(drawing) == [], view


def plain(text: str) -> str:
    return text.replace(SOFT_HYPHEN, "")


def on_its_pages(sentence: str, view: View) -> bool:
    """Whether a sentence can be read from its first word to its last, over all pages."""
    shown = texts(view).split()
    wanted = plain(sentence).split()
    return all(word in shown or any(word in one for one in shown) for word in wanted)


@each_sheet_and_language
def test_nothing_is_cut_and_nothing_overlaps_on_any_screen(sheet: str, language: str) -> None:
    for name, view in views(sheet, language).items():
        for drawing in (*every_page(view), *some_beats(view)):
            assert faults(drawing) == [], name


@each_sheet_and_language
def test_every_reason_fits_with_every_kind_of_place(sheet: str, language: str) -> None:
    wrong = views(sheet, language)["illegal-0"]
    for slip in REFUSALS:
        for places in PLACES[sheet]:
            plural = not isinstance(REFUSALS[slip], str)
            for counted in (0, 1, 5) if plural or slip in AT_ZERO else (5,):
                refusal = Refusal("O8", slip, places, counted)
                view = replace(wrong, refusals=(refusal,), page=None)
                check(view)
    assert set(AT_ZERO) < set(REFUSALS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_is_all_there_to_read(language: str) -> None:
    wrong = views("german", language)["illegal-0"]
    for slip in REFUSALS:
        refusal = Refusal("G15", slip, ("K.B", "Y.d"), 5)
        view = replace(wrong, refusals=(refusal,), page=None)
        assert view.position is not None
        said = phrases.refusal(view.position.game, refusal, view.face, words(language))
        assert on_its_pages(said, view), said


@each_sheet_and_language
def test_every_clause_is_all_there_to_read(sheet: str, language: str) -> None:
    wrong = views(sheet, language)["illegal-0"]
    for article in SHEETS[sheet].articles:
        refusal = Refusal(article.id, "two_pieces", PLACES[sheet][0])
        view = replace(wrong, refusals=(refusal,), page=None)
        check(view)
        assert on_its_pages(f"{article.id}: {words(language).gettext(article.text)}", view)


@each_sheet_and_language
def test_every_happening_fits(sheet: str, language: str) -> None:
    roll = views(sheet, language)["roll"]
    for what in HAPPENINGS:
        for seat in range(4):
            for places in PLACES[sheet]:
                told = (Happening("O8", what, seat, places),)
                check(replace(roll, happenings=told))
                check(replace(roll, phase="penalty", happenings=told))


@each_sheet_and_language
def test_every_notice_fits_on_every_screen_that_can_show_it(sheet: str, language: str) -> None:
    found = views(sheet, language)
    for key in labels.NOTICES:
        about = "{at}" in labels.NOTICES[key] or "{pieces}" in labels.NOTICES[key]
        places = PLACES[sheet][1][:1] if about else ()
        for name in ("idle", "roll", "opening", "move-2", "illegal-0", "paused", "menu-0"):
            if name in found and not (found[name].position is None and places):
                check(replace(found[name], notice=Notice(key, places), page=None))


@each_sheet_and_language
def test_every_missing_device_fits(sheet: str, language: str) -> None:
    found = views(sheet, language)
    for device in (*labels.MISSING, "voice"):
        for name in ("idle", "roll", "opening", "paused", "setting"):
            check(replace(found[name], missing=(device,), page=None))


def test_the_card_game_has_no_board_to_miss() -> None:
    for sheet, said in (("german", "The board is missing."), ("cards", "The stacks' buttons")):
        (told,) = labels.missing(replace(samples(sheet)["roll"], missing=("board",)))
        assert told.startswith(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_a_menu_fits_with_every_value(language: str) -> None:
    menu = views("german", language)["menu-0"]
    values = {
        "language": LANGUAGES,
        "sheet": tuple(SHEETS),
        "sensing": ("presence", "touch", "choose"),
        "strictness": ("strict", "gentle"),
        "volume": ("0", "3"),
        "brightness": ("1", "4"),
        "rotation": ("0", "180"),
        "speech": ("on", "off"),
        "set_aside": ("G.B4",),
        "use_again": ("G.B4",),
    }
    lines = [Line(key, value) for key in labels.LINES for value in values.get(key, ("",))]
    lines += [Line(f"option:{name}", value) for name in labels.OPTIONS for value in ("on", "off")]
    lines += [Line(f"seat:{colour}", "off") for colour in phrases.COLOURS]
    for cursor in range(len(lines)):
        check(replace(menu, lines=tuple(lines), cursor=cursor))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_title_fits(language: str) -> None:
    menu = views("german", language)["menu-0"]
    for title in ("menu", "settings", "new_game", "sensors"):
        check(replace(menu, title=title))


@each_sheet_and_language
def test_every_legal_move_of_every_roll_fits(sheet: str, language: str) -> None:
    settings = views(sheet, language)["roll"].settings
    here = views(sheet, language)["roll"].position
    assert here is not None
    for seat in here.game.order:
        for face in range(1, 7):
            moves = tuple(legal_moves(replace(here, seat=seat), face))
            lines = tuple(Line("move", move=move) for move in moves)
            for cursor in (-1, len(lines) - 1):
                at = replace(here, seat=seat)
                view = View("move", at, {}, face, moves, lines, cursor, settings=settings)
                check(view)
                check(replace(view, phase="ask", title="which_move", cursor=max(cursor, 0)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_of_putting_right_fits(language: str) -> None:
    restore = views("british", language)["restore"]
    position = restore.position
    assert position is not None
    spots = [place.name for place in position.game.board.places]
    spots += [f"{letter}.{kind}" for letter in "RGYB" for kind in "BH"]
    steps = [Step(spots[number - 1], spot) for number, spot in enumerate(spots)]
    steps += [Step(None, spot) for spot in spots] + [Step(spot, None) for spot in spots]
    colours = {place.colour for place in position.game.board.places} - {None}
    steps += [
        step._replace(colour=colour)
        for step in steps
        for colour in colours
        if _may_be_said(step, colour)
    ]
    for step in steps:
        check(replace(restore, remedy=(step,), notice=None))
        stopped = replace(views("british", language)["illegal-0"], remedy=(step,))
        check(stopped)
        if step.colour is None and is_apart(step.origin or "1") and is_apart(step.target or "1"):
            continue  # between two bases the map has to show it
        feet = [
            one.text
            for page in every_page(stopped)
            for one in page.canvas.marks
            if one.room[1] == FOOT
        ]
        assert letters.ELLIPSIS not in "".join(feet), step


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", ["1", "11", "R.B"])
def test_a_step_keeps_apart_from_the_number_of_its_page(language: str, target: str) -> None:
    """The step 9→1 beside 1/4 was read as 9→11/4."""
    for origin in ("9", "19", "R.7", "Y.B"):
        for colour in (None, "red", "yellow"):
            view = views("british", language)["illegal-0"]
            shown = drawn(replace(view, remedy=(Step(origin, target, colour),))).canvas.image
            lit = [
                [shown.getpixel((x, y)) for y in range(FOOT, FOOT + letters.CAPITAL)]
                for x in range(WIDTH)
            ]
            above = [shown.getpixel((x, FOOT - 1)) for x in range(WIDTH)]  # of the number's frame
            begins = next((x for x in range(WIDTH // 2, WIDTH) if not above[x]), None)
            if begins is None:  # the number stands above it
                continue
            ends = max(x for x in range(begins) if not all(lit[x]))
            assert begins - ends > 3, (origin, colour)


def _may_be_said(step: Step, colour: str | None) -> bool:
    """Whether a step may lead there: each colour has a base, a home and a finish of its own."""
    return colour is not None and (step.target or "1")[0] in f"123456789{letter(colour)}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_with_a_long_name_is_cut_with_dots_and_breaks_nothing(language: str) -> None:
    name = "Maximiliane-Wilhelmine"
    for view in samples("german", language).values():
        if view.position is not None:
            names = dict.fromkeys(view.position.game.colours, name)
            check(replace(view, names=names))


def test_the_look_at_a_picture_finds_what_is_wrong() -> None:
    """The tests above are worth as much as this one."""
    drawing = drawn(View("roll", _start()))
    assert faults(drawing) == []
    canvas = drawing.canvas
    canvas.text("far too long for the column", 65, 24, 63)
    assert any("too long for its room" in fault for fault in faults(drawing))
    assert any("leaves the screen" in fault for fault in faults(drawing))
    drawing = drawn(View("roll", _start()))
    drawing.canvas.text("on the map", 10, 30, 63)
    assert any("lies on" in fault for fault in faults(drawing))
    drawing = drawn(View("roll", _start()))
    drawing.canvas.text("Ł", 65, 30, 63)
    assert any("lacks the letters {'Ł'}" in fault for fault in faults(drawing))


def _start() -> Position:
    return game("german").start()


def test_the_samples_show_every_phase_with_several_moves_on_every_sheet() -> None:
    phases = {view.phase for sheet in SHEETS for view in samples(sheet).values()}
    assert phases == set(get_args(Phase))
    for sheet in ("british", "pairs", "dutch"):
        view = samples(sheet)[f"move-{FACES[sheet]}"]
        assert len(view.lines) > 1
        assert view.position is not None
        assert isinstance(view.position.game, BoardGame)
