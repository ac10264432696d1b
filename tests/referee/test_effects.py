"""What comes out of `feed`: kept before shown, and lights on the places it is about."""

from companion.events import Rolled
from companion.referee import Keep, Light, Show
from companion.rules.history import refusals_in
from tests.scripts import Script

STAND = """
position german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B R.B 25 | turn yellow
set
wait 1
"""


def light(script: Script) -> Light:
    return [effect for effect in script.all_effects if isinstance(effect, Light)][-1]


def test_a_record_is_kept_before_anything_is_shown() -> None:
    script = Script().run(STAND)
    effects = script.referee.feed(Rolled(1, 4), script.now)
    kinds = [type(effect) for effect in effects]
    assert kinds[0] is Keep
    assert kinds.index(Keep) < kinds.index(Show)


def test_legal_moves_are_lit_where_they_start_and_end() -> None:
    assert light(Script().run(STAND + "roll 4")).places == {
        "5": "blink",
        "9": "on",
        "15": "blink",
        "19": "on",
    }


def test_a_remedy_is_lit_and_the_bad_lamp_is_on() -> None:
    lit = light(Script().run(STAND + "roll 4\nlift 5\nput 10\nwait 2"))
    assert lit == Light({"10": "fast", "5": "fast"}, good=False, bad=True)


def test_the_good_lamp_asks_for_a_roll() -> None:
    lit = light(Script().run(STAND + "roll 4\nlift 5\nput 9\nwait 1"))
    assert lit == Light({}, good=True)


def test_what_was_refused_is_kept_once_with_its_roll() -> None:
    script = Script().run(STAND + "roll 4\nlift 5\nput 10\nwait 2")
    kept = [one for one in script.kept if one["kind"] == "refused"]
    assert [one["face"] for one in kept] == [4]
    assert [why.clause for why in refusals_in(kept[0])] == ["O8"]
