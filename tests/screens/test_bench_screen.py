"""The bench on the OLED: in every language, on every board, nothing is cut and nothing overlaps."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from companion.bench import Bench, Remark, Scene
from companion.bench.wires import Line
from companion.events import Found, Fumbled, Lost, Pressed, Reading, Rolled
from companion.languages import LANGUAGES
from companion.rules.boards import BOARDS
from companion.screens import bench
from companion.screens.drawing import BEAT, TURN
from companion.screens.languages import words
from tests.screens.looking import faults


def scenes(board: str, language: str) -> Iterator[Scene]:
    """Every kind of scene, with the longest names that the board has."""
    places = BOARDS[board].places
    names = tuple(place.name for place in places)
    plain = Bench(board, {}).scene._replace(settings={"language": language})
    cells = ((7, 15), (6, 14))
    yield from (plain._replace(mode="menu", cursor=cursor) for cursor in range(5))
    longest = {(place.kind, place.colour): place for place in places}  # the last has most digits
    for place in longest.values():
        for sensing in ("touch", "presence"):
            yield plain._replace(asked=place, sensing=sensing, number=len(places))
        for kind, found in (("learned", cells[:1]), ("known", cells[:1]), ("double", cells)):
            other = places[-1] if kind == "known" else None
            yield plain._replace(asked=place, remark=Remark(kind, place, found, other))  # type: ignore[arg-type]
        yield plain._replace(mode="watch", last=(Reading(place.name, True),))
    for kept in ("written", "forbidden", "simulated"):
        for missing in ((), names[:2], names):
            yield plain._replace(asked=None, kept=kept, missing=missing, stuck=cells)
    yield plain._replace(away="gone")
    watch = plain._replace(mode="watch")
    for event in (
        Pressed("down"),
        Pressed("ok", True),
        Rolled(1, 6),
        Fumbled(),
        Lost("buttons", ""),
        Found("buttons", ""),
    ):
        yield watch._replace(last=(event,), seen=frozenset(names[:9]))
    yield watch._replace(flickering=names[:20], strange=cells, seen=frozenset(names[:-3]))
    dead = (Line("row", 7, ()), Line("column", 15, ()))
    yield watch._replace(seen=frozenset(names[:-3]), unmoved=names[:3], lines=dead)
    yield plain._replace(asked=None, missing=names[:20], lines=dead)
    yield watch._replace(seen=frozenset(names), on=frozenset(names[:4]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", BOARDS)
def test_nothing_is_cut_and_nothing_overlaps(board: str, language: str) -> None:
    for scene in scenes(board, language):
        for page in range(3 if scene.remark is None else 1):
            canvas = bench.drawn(scene, page * TURN * BEAT)
            assert faults(SimpleNamespace(canvas=canvas)) == [], scene  # type: ignore[arg-type]


def test_every_sentence_of_the_bench_is_on_the_screen_from_its_first_word_to_its_last() -> None:
    place = BOARDS["68"].by_name["G.B3"]
    remark = Remark("known", place, ((7, 15),), BOARDS["68"].by_name["Y.H2"])
    for language in LANGUAGES:
        scene = Bench("68", {}).scene._replace(
            asked=place, remark=remark, settings={"language": language}
        )
        shown = ""
        for page in range(8):
            marks = bench.drawn(scene, page * TURN * BEAT).marks
            shown += " ".join(mark.text for mark in marks).replace("- ", "") + " "
        said = words(language)
        for sentence in (bench.question(scene, said), *bench.sentences(scene, said)):
            for word in sentence.replace("\u00ad", "").split():
                assert word in shown, (language, word)


def test_the_place_that_is_asked_for_blinks_and_a_menu_does_not() -> None:
    scene = Bench("40", {}).scene
    assert bench.picture(scene, 0).tobytes() != bench.picture(scene, BEAT).tobytes()
    menu = scene._replace(mode="menu")
    assert bench.blinks(scene)
    assert not bench.blinks(menu)
    assert bench.picture(menu, 0).tobytes() == bench.picture(menu, 30).tobytes()


def test_what_was_seen_what_is_on_and_the_rest_look_different() -> None:
    scene = Bench("40", {}).scene._replace(mode="watch", asked=None)
    looks = {
        bench.picture(one).tobytes()
        for one in (
            scene,
            scene._replace(seen=frozenset({"7"})),
            scene._replace(seen=frozenset({"7"}), on=frozenset({"7"})),
            scene._replace(seen=frozenset({"7"}), flickering=("7",)),
        )
    }
    assert len(looks) == 4
