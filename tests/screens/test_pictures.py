"""What the pictures do: names are large, wrong is white, moves walk, pages turn."""

import re
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from companion.languages import LANGUAGES
from companion.referee import Line, Notice, Step, View
from companion.referee.menus import Choice
from companion.rules import BOARDS, SHEETS, game, legal_moves, position
from companion.screens import labels, maps, notation, shapes
from companion.screens.canvas import DIE, Canvas
from companion.screens.drawing import BEAT, ROOM, TURN, text_pages
from companion.screens.languages import words
from companion.screens.letters import wrapped
from companion.screens.pictures import blinks, drawn, next_beat, picture
from companion.screens.samples import samples
from companion.web.state import state_of
from tests.rules.asking import at
from tests.screens.looking import every_page


def white(image: Image.Image) -> int:
    return sum(image.histogram()[1:])


def written(view: View, seconds: float = 0.0) -> list[str]:
    marks = drawn(view, seconds).canvas.marks
    return [mark.text for mark in marks if mark.kind in ("text", "name")]


def with_moves(text: str, face: int, cursor: int = -1) -> View:
    here = at(text)
    moves = tuple(legal_moves(here, face))
    lines = tuple(Line("move", move=move) for move in moves)
    return View("move", here, face=face, legal=moves, lines=lines, cursor=cursor)


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_picture_is_one_bit_and_the_same_every_time(sheet: str) -> None:
    for view in samples(sheet).values():
        image = picture(view, 1.0)
        assert (image.size, image.mode) == ((128, 64), "1")
        assert picture(view, 1.0).tobytes() == image.tobytes()


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_looks_up_sees_what_happened_however_long_the_name_is(language: str) -> None:
    view = samples("german", language)["no-move"]
    assert view.last is not None
    assert view.position is not None
    colour = view.position.game.colours[view.last.seat]
    for name in ("Anna", "Bartholomäusjohannes"):
        named = replace(view, names={colour: name})
        ways = [wrapped(labels.notice(one, words(language)), ROOM) for one in (named, view)]
        shown = "\n".join(written(named))
        assert any("\n".join(way) in shown for way in ways), shown


@pytest.mark.parametrize("sheet", SHEETS)
def test_name_and_die_are_twenty_pixels_high_when_somebody_is_to_roll(sheet: str) -> None:
    for name in ("roll", "opening", "roll-by-hand"):
        marks = drawn(samples(sheet)[name]).canvas.marks
        (title,) = [mark for mark in marks if mark.kind == "name"]
        (die,) = [mark for mark in marks if mark.kind == "die"]
        assert title.box[3] - title.box[1] >= 20
        assert die.box[3] - die.box[1] == DIE >= 20
    rolled = drawn(samples(sheet)["choose"]).canvas.marks
    assert [mark.box[3] - mark.box[1] for mark in rolled if mark.kind == "die"] == [DIE]


@pytest.mark.parametrize("sheet", SHEETS)
def test_only_what_is_not_allowed_is_black_on_white(sheet: str) -> None:
    for name, view in samples(sheet).items():
        mostly_white = white(picture(view)) > 128 * 64 / 2
        assert mostly_white == (view.phase == "illegal"), name


def test_an_illegal_move_says_what_why_and_what_to_do() -> None:
    wrong = samples("german")["illegal-0"]
    first = " ".join(written(wrong))
    assert "That is 5 squares, you rolled 4." in first
    assert "§O8" in written(wrong)
    assert "↩ ✚ 17→12" in written(wrong)
    assert "↩ Yellow: 17→12" in written(replace(wrong, page=1))  # where there is room
    pages = " ".join(" ".join(written(replace(wrong, page=page))) for page in range(6))
    assert "A move goes exactly as far as the roll says" in pages
    assert "Put it back, and play 1 to 5." in pages


@pytest.mark.parametrize(
    ("text", "face", "listed"),
    [
        ("german | yellow 5 12 | red 9", 4, ["5→9 ↯", "12→16"]),
        ("german | yellow 9 | red 25", 6, ["enter"]),
        ("german | yellow 40 Y.a | red 25", 2, ["40→b", "a→c"]),
        ("british | red R.3 12 | green 25", 5, ["12→17", "■3→home"]),
        ("pairs | red 4 4 | green 25", 6, ["enter", "2× 4→7", "4→10"]),
        ("dutch | red 4 | blue 6 6", 2, ["4→6 !"]),
        ("cards | red 0 2 1 6 | green 1 3 0 4", 6, ["begin 1 ↯", "2+2+2", "3+3"]),
        ("german+neutral_colour yellow,green,red | yellow 5 | green 12 | red 25 | black 31", 2,
         ["5→7", "✕ 31→33"]),
        ("pairs | red 4 4 R.H R.H | green 50", 4, ["2× 4→6"]),
    ],
)  # fmt: skip
def test_moves_are_written_as_on_the_board(text: str, face: int, listed: list[str]) -> None:
    here = at(text)
    found = [notation.move(here, move) for move in legal_moves(here, face)]
    assert sorted(found) == sorted(listed)


def test_the_percents_of_who_will_win_are_the_pages_and_add_up_to_a_hundred() -> None:
    shown = samples("german")["statistics-chances"]
    colours = list(shown.chances)
    for chances in ((0.505, 0.495), (0.335, 0.335, 0.33), (0.145, 0.285, 0.285, 0.285)):
        view = replace(shown, chances=dict(zip(colours, chances, strict=False)))
        percents = [text for text in written(view) if text.endswith(" %")]
        assert percents == [f"{one} %" for one in state_of(view, "en")["chances"].values()]
        assert sum(int(text.removesuffix(" %")) for text in percents) == 100


def test_a_move_is_written_in_the_language_chosen() -> None:
    here = at("german | yellow 9 | red 25")
    (move,) = legal_moves(here, 6)
    assert [notation.move(here, move, words(one)) for one in ("de", "nl")] == [
        "einsetzen",
        "inzetten",
    ]


def test_more_moves_than_lines_turn_their_pages_by_themselves() -> None:
    view = with_moves("cards | red 1 1 1 1 | green 0 0 0 0", 6)
    assert len(view.lines) == 8
    later = TURN * BEAT
    assert "1/2" in written(view)
    assert "2/2" in written(view, later)
    first, second = set(written(view)), set(written(view, later))
    moves = {notation.move(view.position, line.move) for line in view.lines}  # type: ignore[arg-type]
    assert moves <= first | second
    assert "1/2" in written(view, 2 * later)


def test_the_cursor_turns_to_its_own_page() -> None:
    view = with_moves("cards | red 1 1 1 1 | green 0 0 0 0", 6, cursor=5)
    assert "2/2" in written(view)
    assert written(view, 100.0) == written(view)


def test_pages_of_a_text_are_turned_with_the_buttons() -> None:
    wrong = samples("german")["illegal-0"]
    assert written(replace(wrong, page=1)) != written(replace(wrong, page=0))
    assert written(replace(wrong, page=1), 50.0) == written(replace(wrong, page=1))
    assert written(replace(wrong, page=-1)) != written(replace(wrong, page=0))


def test_a_legal_move_walks_on_the_map() -> None:
    view = with_moves("german | yellow 5 | red 25", 4)
    still, walked = (picture(view, beat * BEAT).crop((0, 0, 63, 64)) for beat in (0, 1))
    assert still.tobytes() != walked.tobytes()
    gone = View("roll", at("german | yellow 9 | red 25"))
    there = picture(gone).crop((0, 0, 63, 64))
    assert walked.tobytes() == there.tobytes()


def test_every_move_walks_in_its_turn() -> None:
    view = with_moves("german | yellow 5 15 | red 25 | green 31", 4)
    pictures = {picture(view, beat * BEAT).crop((0, 0, 63, 64)).tobytes() for beat in range(4)}
    assert len(pictures) == 4


def test_only_what_changes_asks_to_be_drawn_again() -> None:
    assert not blinks(View())
    assert not blinks(View("roll", position("german | yellow 1 Y.B Y.B Y.B | turn yellow"
                                            " | green G.B G.B G.B 11 | red R.B R.B R.B 21"
                                            " | black K.B K.B K.B 31")))  # fmt: skip
    assert blinks(with_moves("german | yellow 5 | red 25", 4))
    assert blinks(replace(samples("german")["roll"], rolling=True))
    for sheet in SHEETS:
        for name, view in samples(sheet).items():
            looks = {picture(view, beat * BEAT).tobytes() for beat in range(4 * TURN)}
            assert blinks(view) or len(looks) == 1, name


def test_the_next_picture_is_due_at_the_next_beat() -> None:
    assert next_beat(0.0) == BEAT
    assert next_beat(BEAT) == 2 * BEAT
    assert next_beat(0.7) == 2 * BEAT


def test_pieces_of_two_colours_on_a_square_are_shown_in_turn() -> None:
    view = View("roll", at("pairs | red 35 | blue 35 | green 9 | yellow 30"))
    assert blinks(view)
    assert picture(view).tobytes() != picture(view, 2 * BEAT).tobytes()


@pytest.mark.parametrize("size", [3, 4, 5])
def test_every_colour_of_a_board_has_a_shape_of_its_own(size: int) -> None:
    for board in BOARDS.values():
        assert len({maps.shape(colour, size).tobytes() for colour in board.colours}) == 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sheet", [one for one in SHEETS if one != "cards"])
def test_no_name_is_written_over_a_piece(sheet: str, language: str) -> None:
    """In a full base, and where a piece has just come out of it."""
    here = game(sheet).start()
    board = here.game.board.walked
    assert board is not None
    out = tuple((*own[:-1], 0) for own in here.pieces)
    for pieces in (here.pieces, out):
        for seat in here.game.seats:
            placed = replace(here, pieces=pieces, seat=seat)
            named, bare = Canvas(), Canvas()
            maps.board_map(named, placed, 0, words=words(language))
            for spot, seats in maps._standing(here.game, placed).items():
                maps._stand(bare, board, spot, seats, 0)
            kept = ImageChops.logical_and(bare.image, named.image)
            assert kept.tobytes() == bare.image.tobytes(), seat


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_colour_is_told_by_its_shape_and_the_beginning_of_its_name(language: str) -> None:
    """A letter alone would be English: K and Y say nothing to a German, and G is two colours."""
    for board in BOARDS.values():
        labels_there = [maps.label_of(colour, words(language)) for colour in board.colours]
        assert len(set(labels_there)) == len(board.colours)
    for view in samples("german", language).values():
        for drawing in every_page(view):
            said = " ".join(mark.text for mark in drawing.canvas.marks)
            assert not re.search(r"\b[YGRK]\b", said.replace("PIN", "")), said


def test_a_colour_has_the_same_shape_on_every_board() -> None:
    """Whoever turns the print over on build B keeps the pawns: green must not become blue's."""
    assert set(shapes.SHAPE_OF) == {colour for board in BOARDS.values() for colour in board.colours}
    for name in ("german", "british", "dutch", "pairs"):
        sheet = SHEETS[name]
        bare = game(name).start()
        for seat, colour in enumerate(sheet.board.colours):
            drawn = picture(View("roll", replace(bare, seat=seat)))
            shape = maps.shape(colour, 5)
            assert any(
                drawn.crop((x, y, x + 5, y + 5)).tobytes() == shape.tobytes()
                for x in range(64, 123)
                for y in range(59)
            ), f"{name}, {colour}"


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_piece_can_be_seen_on_the_map(sheet: str) -> None:
    """Taking any one piece to another place changes the picture."""
    start = game(sheet).start(begins=SHEETS[sheet].board.colours[0])
    before = picture(View("paused", start)).tobytes()
    seen = set()
    for face in range(1, 7):
        for move in legal_moves(start, face):
            there = replace(start, pieces=start.game.play(start, move).pieces)
            if there.pieces != start.pieces:
                seen.add(picture(View("paused", there)).tobytes())
                assert before not in seen
    assert seen


def test_a_press_narrows_the_moves_and_says_what_is_left() -> None:
    view = with_moves("cards | red 1 1 1 0 | green 0 0 0 0", 5)
    pressed = replace(view, pressed=("R.2",))
    assert "left: 3" in written(pressed)
    assert "1+1+3" in written(view)
    assert "1+1+3" not in written(pressed)
    assert "2+3" in written(pressed)


def test_what_the_die_rolled_for_the_start_is_shown_with_its_signs() -> None:
    assert "■⊕ ✕★ ✚2 □?" in written(samples("dutch")["opening-last"])


def test_news_come_before_the_die() -> None:
    view = samples("german")["accepted-captured"]
    assert any("captured" in text or "piece" in text for text in written(view))
    last = [written(replace(view, page=page)) for page in range(4)]
    assert any("Roll!" in page for page in last)


def test_a_notice_in_the_menu_gives_way_to_the_menu() -> None:
    view = samples("german")["menu-notice"]
    assert view.notice == Notice("too_few_players")
    assert "Start the game" not in written(view)
    assert "Start the game" in written(view, TURN * BEAT)


@pytest.mark.parametrize(
    ("options", "seats", "said"),
    [
        ({}, ("yellow",), "At least two colours have to play: say yes to one more."),
        (
            {"two_colours_each": True},
            ("yellow", "red"),
            "Yellow and red belong to one player: choose colours that sit side by side.",
        ),
    ],
)
def test_a_game_that_cannot_be_played_so_is_told_with_its_reason(
    options: dict[str, bool | int], seats: tuple[str, ...], said: str
) -> None:
    choice = Choice("german", options, seats)
    assert choice.fault() is not None
    view = View("menu", title="menu", lines=tuple(choice.lines()), notice=choice.fault())
    assert labels.notice(view) == said


def test_a_sentence_that_fits_a_page_is_not_parted() -> None:
    short, whole, long = "one", "two words here now at last", "word " * 30
    pages = text_pages([short, whole, long], 63, 3)
    assert [page.lines for page in pages[:2]] == [("one",), ("two words", "here now at", "last")]
    assert sum(len(page.lines) for page in pages[2:]) == len(wrapped(long, 63))


def test_a_sentence_that_goes_on_on_the_next_page_ends_in_dots() -> None:
    long = "one two three four five six seven eight nine ten eleven twelve"
    first, second = text_pages([long], 63, 4)
    assert first.lines[-1].endswith(" …")
    assert not second.lines[-1].endswith("…")
    assert " ".join((*first.lines, *second.lines)).replace(" …", "") == long


def test_a_sentence_too_long_for_a_page_is_parted_evenly() -> None:
    five = "one two three four five six seven eight nine ten eleven twelve"
    assert len(wrapped(five, 63)) == 5
    assert [len(page.lines) for page in text_pages([five], 63, 4)] == [3, 2]
    assert [len(page.lines) for page in text_pages(["zero", five], 63, 4)] == [3, 3]


def test_a_long_text_turns_its_page_after_a_sentence() -> None:
    two = "This is the first. And this is another, which is too long for a page."
    first, second = text_pages([two], 63, 4)
    assert " ".join(first.lines) == "This is the first."
    assert second.lines[0].startswith("And")


BOTH = [(sheet, language) for sheet in SHEETS for language in LANGUAGES]


@pytest.mark.parametrize(("sheet", "language"), BOTH)
def test_news_say_which_page_they_are_and_do_not_stop_before_the_point(
    sheet: str, language: str
) -> None:
    for name, view in samples(sheet, language).items():
        told = name.startswith("accepted-") or name in ("no-move", "sensor", "die-missing")
        pages = [written(replace(view, page=page)) for page in range(6)] if told else []
        for page in pages:
            if "/" in page[-1]:  # not the last, with the die
                assert not any(line.endswith("…") for line in page[:-2]), name
        assert not told or len(pages[0]) < 5 or pages[0][-1].startswith("1/"), name


@pytest.mark.parametrize(("sheet", "language"), BOTH)
def test_every_page_of_a_stop_has_its_number(sheet: str, language: str) -> None:
    view = samples(sheet, language)["illegal-0"]
    numbers = [written(replace(view, page=page))[-1] for page in range(10)]
    count = int(numbers[0].partition("/")[2])
    assert numbers[:count] == [f"{number + 1}/{count}" for number in range(count)]


def test_a_game_without_a_move_gives_each_kind_of_reason_once() -> None:
    view = samples("cards")["no-move"]
    said = " ".join(text for page in range(4) for text in written(replace(view, page=page)))
    assert said.count("C9:") == said.count("C5:") == said.count("Roll!") == 1


def test_a_piece_that_stands_astray_walks_to_where_it_belongs() -> None:
    here = at("british | red 12 | green 25")
    wrong = View("restore", here, remedy=(Step("16", "12"),), page=1)
    lifted = picture(View("restore", at("british | red 13 | green 25"), page=1))
    astray, right = (picture(wrong, beat * BEAT).crop((0, 0, 63, 64)) for beat in (0, 1))
    assert right.tobytes() == picture(View("paused", here)).crop((0, 0, 63, 64)).tobytes()
    assert astray.tobytes() not in (right.tobytes(), lifted.crop((0, 0, 63, 64)).tobytes())


def test_a_piece_that_is_missing_blinks_where_it_belongs() -> None:
    here = at("german | yellow 5 | red 25")
    view = View("setting", here, remedy=(Step(None, "5"),))
    gone, there = (picture(view, beat * BEAT).crop((0, 0, 63, 64)) for beat in (0, 1))
    assert there.tobytes() == picture(View("paused", here)).crop((0, 0, 63, 64)).tobytes()
    assert gone.tobytes() != there.tobytes()


def test_a_move_that_counts_is_said_to_and_no_other_is_offered() -> None:
    made = samples("german")["hint-pushed-made"]
    assert " ".join(written(made)).endswith("Your move counts. Put Yellow from 2 to 1.")
    assert drawn(made).canvas.marks == drawn(made, BEAT * TURN).canvas.marks, "no page turns"
    chosen = written(replace(made, cursor=0))
    assert notation.move(made.position, made.legal[0]) in chosen  # type: ignore[arg-type]
