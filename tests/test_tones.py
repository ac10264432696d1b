"""Tone by channel: the table in `channels.py` is what people see and hear, everywhere."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from companion.referee import Light, Notice, Phase, Sound, Step, Tone, View, channels
from companion.referee.channels import GENTLE, STRICT, Channels
from companion.referee.effects import QUIET
from companion.referee.lights import light
from companion.rules import SHEETS
from companion.screens import labels, play, spoken, trouble
from companion.screens.pictures import picture
from companion.screens.samples import samples
from companion.screens.sounds import PATTERNS, pattern
from companion.web import state
from companion.web.files import STATIC
from tests.scripts import Script

ROOT = Path(__file__).parents[1]
DOCS = (ROOT / "docs/referee.md").read_text(encoding="utf-8")
TONES = get_args(Tone)
STAND = "position german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B R.B 25 | turn yellow"


def every_view() -> Iterator[tuple[str, View]]:
    for sheet in SHEETS:
        yield from samples(sheet).items()


def of_tone(tone: str) -> list[View]:
    return [view for _, view in every_view() if view.tone == tone]


# -- which tone a view has ---------------------------------------------------------------------


def test_every_tone_has_its_row_and_its_samples() -> None:
    assert set(STRICT) == set(GENTLE) == set(TONES)
    assert all(of_tone(tone) for tone in TONES)


@pytest.mark.parametrize("phase", get_args(Phase))
def test_only_a_turn_can_have_a_hint(phase: Phase) -> None:
    steps = (Step(None, "Y.B", "yellow"),)
    turn = phase in ("opening", "roll", "move")
    plain = View(phase).tone
    assert (View(phase, remedy=steps).tone == "hint") == turn
    for key in QUIET:
        assert (View(phase, notice=Notice(key, ("12",))).tone == "hint") == turn
    assert View(phase, notice=Notice("put_back")).tone == plain


def test_stop_is_only_what_is_illegal() -> None:
    assert {view.phase for view in of_tone("stop")} == {"illegal"}
    assert {view.phase for view in of_tone("question")} == {"ask"}
    assert {view.phase for view in of_tone("guide")} == {"setting", "restore", "penalty"}


# -- each channel reads its column -------------------------------------------------------------


def test_the_screen_is_black_on_white_for_stop_only() -> None:
    for name, view in every_view():
        white = sum(picture(view).convert("L").histogram()[128:])
        assert (white > 128 * 64 / 2) == (view.channels.oled == "inverted"), name


def test_a_hint_leaves_the_screen_of_its_phase() -> None:
    """Whose turn it is, the die and the first move stay in sight beside a short hint."""
    for name in ("captured", "pushed", "put", "in-hand"):
        found = samples("british")
        for plain, hint in (("roll", f"hint-{name}"), ("move-6", f"hint-{name}-move")):
            before, after = (picture(found[one]).crop((65, 0, 128, 22)) for one in (plain, hint))
            if plain == "roll":
                assert before.tobytes() == after.tobytes()
            else:  # the number of the page beside the name may differ
                size = (0, 0, 40, 22)
                assert before.crop(size).tobytes() == after.crop(size).tobytes()


def test_squares_and_lamps_light_as_the_table_says() -> None:
    for name, view in every_view():
        lit, row = light(view), view.channels
        assert lit.bad == (row.lamp == "bad"), name
        assert lit.good == (row.lamp == "roll" and view.phase in ("roll", "opening")), name
        assert ("fast" in lit.places.values()) <= (row.squares == "fast"), name
        ends = {spot for step in view.remedy for spot in step[:2] if spot}
        if row.squares in ("blink", "fast"):
            assert all(lit.places[spot] == row.squares for spot in ends), name
        elif row.squares == "dark":
            assert lit.places == {}, name


def test_a_hint_blinks_slowly_and_changes_no_lamp() -> None:
    roll, hint = (samples("german")[name] for name in ("roll", "hint-pushed"))
    assert light(hint) == Light({"2": "blink", "1": "blink"}, good=True)
    assert light(roll) == Light({}, good=True)
    move = samples("german")["hint-captured-move"]
    assert light(move).places["G.B"] == "blink"
    assert (light(move).good, light(move).bad) == (False, False)


def test_no_colour_of_a_step_is_taken_for_a_place() -> None:
    for name, view in every_view():
        if view.position is not None:
            spots = {place.name for place in view.position.game.board.places}
            spots |= {spot[:3] for spot in spots}
            assert set(light(view).places) <= spots, name


def test_the_sound_of_a_hint_is_short_and_low_and_silent_without_volume() -> None:
    assert sum(seconds for _, seconds in PATTERNS["hint"]) < 0.15
    assert pattern("hint", 0) == ()


def test_the_voice_has_words_for_every_row() -> None:
    for row in STRICT.values():
        assert row.speech in spoken._SPEECH


def test_the_page_is_told_the_look_of_the_tone() -> None:
    for name, view in every_view():
        told = state.state_of(view, "en")
        row = view.channels
        assert (told["tone"], told["look"], told["button"]) == (view.tone, row.page, row.button)
        assert bool(told["hint"]) == (view.tone == "hint"), name
        if view.tone == "hint":
            assert told["notice"] == "", name


def test_only_stop_is_red_on_the_page() -> None:
    css = (STATIC / "style.css").read_text(encoding="utf-8")
    looks = {row.page for row in STRICT.values() if row.page}
    red = {look for look in looks if re.search(rf"\.{look} \{{[^}}]*(--bad|#b3261e)", css)}
    assert red == {STRICT["stop"].page}
    tips = (STATIC / "board.js").read_text(encoding="utf-8")
    for row in STRICT.values():
        if row.squares in ("blink", "fast"):
            assert f'"tip-{row.page}"' in tips


def test_the_page_compares_no_phase_where_the_table_speaks() -> None:
    for script in STATIC.glob("*.js"):
        assert not re.search(r'phase [!=]== "illegal"', script.read_text(encoding="utf-8")), script


# -- the gentle referee ------------------------------------------------------------------------


def test_a_gentle_referee_differs_only_in_stop() -> None:
    changed = {tone for tone in TONES if STRICT[tone] != GENTLE[tone]}
    assert changed == {"stop"}
    assert (GENTLE["stop"].sound, GENTLE["stop"].ok) == ("notice", "ruling")
    view = samples("german")["illegal-0"]
    assert view.channels == channels("stop")
    gentle = replace(view, settings={**view.settings, "strictness": "gentle"})
    assert gentle.channels == channels("stop", gentle=True)


@pytest.mark.parametrize(("strictness", "gentle"), [("strict", False), ("gentle", True)])
def test_the_referee_plays_what_the_table_says(strictness: str, gentle: bool) -> None:
    script = Script(sensing="touch").run(STAND)
    script.run(f"do set name=strictness value={strictness}\nroll 4\npress 5\npress 14")
    sounds = [effect.name for effect in script.effects if isinstance(effect, Sound)]
    assert (script.view.tone, sounds) == ("stop", [channels("stop", gentle).sound])
    assert script.view.channels == channels("stop", gentle)


@pytest.mark.parametrize(
    ("roll", "before", "move"),
    [
        (4, "lift 25\nput 26", "lift 5\nput 9"),  # a piece pushed aside
        (5, "", "lift 5\nlift 10\nput 10"),  # a captured piece in the hand
    ],
)
def test_a_move_that_is_made_but_for_a_hint_is_known(roll: int, before: str, move: str) -> None:
    script = Script().run(STAND.replace("R.B 25", "10 25")).run("set")
    script.run(f"roll {roll}\n{before}\nwait 10")
    assert not script.view.made, "nobody has moved yet"
    script.run(f"{move}\nwait 10")
    assert (script.view.phase, script.view.tone, script.view.made) == ("move", "hint", True)


@pytest.mark.parametrize("strictness", ["strict", "gentle"])
def test_what_cannot_stand_is_only_seen(strictness: str) -> None:
    script = Script(sensing="touch").run(STAND)
    script.run(f"do set name=strictness value={strictness}\nroll 4\nroll 2")
    assert script.view.tone == "stop"
    assert (script.view.channels.button, script.view.channels.ok) == ("seen", "seen")
    script.run("do go_on\nexpect phase move")


def test_a_piece_pushed_aside_is_no_move() -> None:
    script = Script().run(STAND).run("set\nroll 4\nlift 25\nput 26\nwait 10")
    assert (script.view.tone, script.view.made) == ("hint", False)


def test_who_rolls_while_pieces_stand_wrong_is_quoted_a_clause_that_says_so() -> None:
    begun = "new german yellow,red\nset\nroll 6\nroll 5\n"
    script = Script().run(f"{begun}lift 1\nput 9\nwait 10\nexpect clause O3\nroll 4")
    refusal, before = state.state_of(script.view, "en")["refusals"]
    assert refusal["text"] == "The pieces do not stand right yet."
    assert before["clause"] == "O3", "what was wrong still is"
    assert "the pieces stand right" in refusal["says"], "nothing was rolled before"


# -- the page of the docs ----------------------------------------------------------------------


def documented(heading: str) -> dict[str, list[str]]:
    """The rows of the table below a heading: of each cell, what stands in its first code."""
    text = DOCS.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| `")]
    found = {}
    for first, *cells in rows:
        codes = [re.search(r"`([^`]*)`", cell) for cell in cells]
        found[first.strip().strip("`")] = [code.group(1) if code else "" for code in codes]
    return found


def test_the_docs_show_the_table() -> None:
    table = documented("Three tones")
    for tone in TONES:
        assert table[tone] == [value or "" for value in STRICT[tone]], tone
        assert re.search(rf"^\| `{tone}` ", DOCS, re.M)
    assert table["stop, gentle"] == [value or "" for value in GENTLE["stop"]]
    head = re.search(r"^\| tone .*$", DOCS, re.M)
    assert head is not None
    named = [cell.strip() for cell in head.group().strip("|").split("|")]
    assert named[1:] == list(Channels._fields)


def test_what_can_be_said_has_a_place_on_a_screen() -> None:
    """The modules that draw and speak ask for the tone's row, not for its name's phase."""
    for module in (play, trouble):
        assert module.__file__ is not None
        assert "channels.oled" in Path(module.__file__).read_text(encoding="utf-8")
    assert set(QUIET) <= set(labels.NOTICES)
