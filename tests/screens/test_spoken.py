"""What the box says aloud: what changed, in the language chosen, and only if it may speak."""

from dataclasses import replace

import pytest

from companion.languages import LANGUAGES
from companion.referee import View
from companion.rules import SHEETS, Refusal, outcome, recall_position
from companion.screens import labels
from companion.screens.languages import words as translated
from companion.screens.letters import SOFT_HYPHEN
from companion.screens.samples import samples
from companion.screens.spoken import spoken
from companion.web.state import state_of
from tests.screens.looking import texts
from tests.scripts import Script


def aloud(view: View, language: str = "en") -> View:
    return replace(view, settings={**view.settings, "speech": True, "language": language})


def test_without_leave_it_is_silent() -> None:
    assert spoken(samples("german")["roll"]) == ""


def test_a_turn_is_called_by_its_name() -> None:
    assert spoken(aloud(samples("german")["roll"])) == "Yellow: Roll!"
    assert spoken(aloud(samples("german")["roll-yellow-named"])) == "Anna: Roll!"
    assert spoken(aloud(samples("german")["roll"], "de")) == "Gelb: Würfeln"


def with_foxes(name: str, language: str = "en", **named: str) -> View:
    """The box has every seat but those of people with names."""
    view = aloud(samples("german", language)[name], language)
    assert view.position is not None
    colours = view.position.game.colours
    box = {colour: "fox" for colour in colours if colour not in named}
    return replace(view, box=box, names=named)


def test_whoever_has_a_name_is_told_of_by_it_on_screen_and_aloud() -> None:
    two = with_foxes("begins", red="Anna", green="Ben")
    assert spoken(two) == "Fox (yellow) begins. Fox (yellow): Rolling …"
    one = with_foxes("begins", "de", red="Anna", green="Ben", black="Cleo")
    assert spoken(one) == "Fuchs beginnt. Fuchs: würfelt …"
    assert "Fuchs beginnt." in texts(one)
    people = with_foxes("begins", yellow="Dora", red="Anna", green="Ben", black="Cleo")
    assert spoken(people) == "Dora begins. Dora: Roll!"
    assert "Dora begins." in texts(people)
    played = with_foxes("accepted-plain", red="Anna", green="Ben", black="Cleo")
    assert "Fox 1→2" in texts(played)  # the colours of pieces stay what they are
    assert "black piece" in spoken(with_foxes("accepted-captured"))
    assert "Now send Fox (yellow) home." in spoken(with_foxes("penalty"))
    asked = with_foxes("let-it-stand", red="Anna", green="Ben", black="Cleo")
    assert "Fox" in spoken(asked)
    assert "Yellow" not in spoken(asked)


def test_nobody_is_sent_home_while_the_pieces_are_set_up() -> None:
    setting = Script().run("new british red,yellow\nboard R.B1 R.B2 R.B3 Y.B1 Y.B2 Y.B3 40\nwait 1")
    told = [one["text"] for one in state_of(setting.view, "en")["remedy"]]
    yellow, red = "Put Yellow back in its base.", "Put Red back in its base."
    assert told == ["Take a piece off 40.", red, yellow]


def test_a_name_too_long_beside_its_move_leaves_the_colour() -> None:
    long = with_foxes("accepted-plain", yellow="Christopher", red="Anna", green="B", black="C")
    assert "Yellow 1→2" in texts(long)


def test_a_wrong_move_is_explained_with_its_cure() -> None:
    assert spoken(aloud(samples("german")["illegal-0"])) == (
        "That is 5 squares, you rolled 4. Put it back, and play 1 to 5. Put Yellow from 17 to 12."
    )


def test_the_winner_is_called() -> None:
    assert spoken(aloud(samples("german")["over"])) == "Yellow wins!"


def test_what_was_said_is_not_said_again() -> None:
    view = aloud(samples("german")["illegal-0"])
    assert spoken(replace(view, page=1), before=view) == ""
    other = aloud(samples("german")["roll"])
    assert spoken(other, before=view) == "Yellow: Roll!"


def test_a_hint_is_said_once_and_the_turn_not_again() -> None:
    roll, hint = (aloud(samples("german")[name]) for name in ("roll", "hint-captured"))
    assert spoken(hint, before=roll) == "Now send Green home."
    assert spoken(hint, before=hint) == ""
    assert spoken(roll, before=hint) == ""
    rolled = aloud(samples("german")["hint-captured-move"])
    assert spoken(rolled, before=hint) == "4"
    assert spoken(aloud(samples("german")["hint-captured-named"])) == (
        "Now send Christopher home. Anna: Roll!"
    )


def test_a_move_that_counts_is_said_to_with_what_is_left_to_do() -> None:
    hint, made = (aloud(samples("german")[f"hint-pushed-{name}"]) for name in ("move", "made"))
    assert spoken(made, before=hint) == "Your move counts. Put Yellow from 2 to 1."
    assert spoken(made, before=made) == ""


def test_who_thinks_with_a_piece_in_the_hand_is_left_in_peace() -> None:
    roll, hint = (aloud(samples("german")[name]) for name in ("roll", "hint-in-hand"))
    assert spoken(hint, before=roll) == ""


def test_colours_that_may_have_changed_places_are_asked_about() -> None:
    roll, hint = (aloud(samples("german")[name]) for name in ("roll", "hint-check"))
    assert spoken(hint, before=roll) == "Please check: Yellow on 1, Green (base)."


def test_a_question_is_asked_with_what_no_means() -> None:
    asked = aloud(samples("german")["have-moved"])
    assert spoken(asked) == "Is this your move? 1 to 5. If not: put it back, or move on."
    again = aloud(samples("german")["answer-first"])
    assert spoken(again, before=asked).startswith("That roll did not count")
    assert spoken(aloud(samples("german")["which-move"])).startswith("Which move? 1 to 5")


def test_steps_of_putting_right_are_said_one_by_one() -> None:
    first = aloud(samples("british")["restore-quiet"])
    assert spoken(first) == "Put Red from 16 to 12."
    second = replace(first, remedy=first.remedy[1:])
    assert spoken(second, before=first) == "Now send Red home."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_can_be_spoken(language: str) -> None:
    for sheet in SHEETS:
        for name, view in samples(sheet, language).items():
            said = spoken(aloud(view, language))
            assert SOFT_HYPHEN not in said
            assert "{" not in said, name
            if view.phase in ("roll", "illegal", "move"):
                assert said, name


def test_with_two_colours_each_the_winner_is_named_by_both() -> None:
    over = recall_position(
        "german+two_colours_each yellow,green | yellow Y.a Y.b Y.c Y.d | green G.a G.b G.c G.d | "
        "red R.a R.b R.c R.d | black K.B K.B K.B 31 | turn - home green yellow red"
    )
    view = View("over", over, settings={"speech": True})
    assert spoken(view) == "Yellow and red wins!"
    assert spoken(replace(view, names={"yellow": "Anna"})) == "Anna wins!"


@pytest.mark.parametrize(
    ("language", "named", "own"),
    [
        ("en", "That is 6 squares, Anna has rolled 4.", "That is 6 squares, you rolled 4"),
        (
            "de",
            "Das sind 6 Felder, Anna hat 4 gewürfelt.",
            "Das sind 6 Felder, du hast 4 gewürfelt.",
        ),
        ("nl", "Dat zijn 6 velden, Anna gooide 4.", "Dat zijn 6 velden, je gooide 4"),
    ],
)
def test_who_rolled_is_named_where_the_next_one_is_spoken_to(
    language: str, named: str, own: str
) -> None:
    """Anna went from 1 to 5 with a 4; before Jörg rolls her piece is pushed on to 7."""
    before = recall_position(
        "german yellow,red | yellow Y.B Y.B Y.B 1 | red R.B R.B R.B 21 | turn yellow"
    )
    move = before.game.move("yellow 4 1>5")
    wrong = Refusal("O8", "wrong_count", ("1", "7"), 6)
    view = View(
        "illegal",
        outcome(before, move).position,
        names={"yellow": "Anna", "red": "Jörg"},
        refusals=(wrong,),
        last=move,
        settings={"speech": True, "language": language},
    )
    words = translated(language)
    assert labels.refusal(view, wrong, words) == named
    assert named in spoken(view)
    (shown,) = state_of(view, language)["refusals"]
    assert shown["text"] == named
    mine = replace(view, position=before, face=4, last=None)
    assert labels.refusal(mine, wrong, words).startswith(own)


def test_a_stack_belongs_to_whoever_has_a_name() -> None:
    cards = recall_position("cards red,green | red 0 0 0 0 | green 0 0 0 0 | turn red")
    wrong = Refusal("O4", "not_your_stack", ("G.1",))
    view = View("illegal", cards, face=4, refusals=(wrong,))
    assert labels.refusal(view, wrong) == "Stack 1 is not yours: it belongs to green."
    named = replace(view, names={"green": "Jörg"})
    assert labels.refusal(named, wrong) == "Stack 1 is not yours: it belongs to Jörg."
