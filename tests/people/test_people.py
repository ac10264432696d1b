"""The simulated people themselves: their table, their hands, and what they say of a box."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import NamedTuple

import pytest

from companion.events import Reading, Snapshot
from companion.rules import Move, Position, legal_moves, play, position
from tests.people import twins
from tests.people.acts import Hands, Mark, deed_of
from tests.people.evening import Evening
from tests.people.figures import Figures, broken, table
from tests.people.nonsense import random_events, some_nonsense
from tests.people.plans import HABITS, Plan, all_rates, draw
from tests.people.sitting import any_game, lawful_ways, lost_squares, on_the_way, played
from tests.people.table import (
    BESIDE,
    FLOOR,
    HAND,
    Hop,
    Table,
    colours_in,
    game_of,
    ground,
    hops_back,
    the_short_way,
)
from tests.people.wrongs import (
    Wrong,
    clauses,
    lawful_boards,
    like_a_push,
    sensed,
    stands_wrong,
    wrongs,
)
from tests.scripts import Script

GERMAN = "german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B 9 30 | turn yellow"
STACKS = "pairs red,blue | red R.B R.B 20 20 | blue B.B B.B B.B 30 | turn red"
MISHAPS = ("brush", "push", "jolt", "floor", "overlap")
KINDS = ("careful", "ordinary", "clumsy")


class Step(NamedTuple):
    """A step as a box may show it."""

    origin: str | None
    target: str | None
    colour: str | None = None


def table_of(text: str) -> tuple[Table, Position, list[Reading]]:
    """A table in a position, and what its sensors have said since."""
    here = position(text)
    heard: list[Reading] = []
    found = Table(game_of(here).board, lambda place, on: heard.append(Reading(place, on)))
    found.set_up(here)
    return found, here, heard


def test_fingers_carry_each_piece_the_short_way() -> None:
    found, here, _ = table_of(GERMAN)
    found.put(found.free("17"), found.lift("15"))
    wanted = play(here, game_of(here).move("yellow 6 Y.B>1"))
    short = the_short_way(hops_back(found, wanted), game_of(here))
    assert set(short) == {Hop("yellow", "17", "15"), Hop("yellow", "Y.B", "1")}


def test_fingers_carry_no_piece_to_another_though_that_is_nearer() -> None:
    found, here, _ = table_of("indian red,blue | red 4 4 13 32 | blue 51 51 2 5 | turn blue")
    found.put("3", found.lift("5"))
    wanted = play(here, game_of(here).move("blue 3 51>2"))
    short = the_short_way(hops_back(found, wanted), game_of(here))
    assert set(short) == {Hop("blue", "3", "5"), Hop("blue", "51", "2")}


def test_squares_that_nobody_can_use_are_passed_at_once() -> None:
    here = position("parchis red,blue | red R.B R.B R.B R.5 | blue B.B B.B B.B 40 | turn red")
    move = game_of(here).move("red 3 R.5>R.H")
    assert [(owed.due, str(passing)) for owed, passing in lost_squares(here, move)] == [
        (10, "red +10 -")
    ]
    assert played(here, move).colour == "blue"


def test_who_stands_at_both_ends_of_a_capture_is_two_pieces() -> None:
    here = position("german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B 9 30 | turn yellow")
    capture = lawful_ways(here, 4)[1]
    stands = colours_in(here)
    stands.subtract([("5", "yellow"), ("30", "red")])
    elsewhere: Counter[tuple[str, str]] = Counter()
    assert on_the_way(+stands, *capture, elsewhere)
    stands.update([("R.B", "red")])
    assert not on_the_way(+stands, *capture, elsewhere)
    stands.subtract([("9", "red")])
    assert on_the_way(+stands, *capture, elsewhere)


@cache
def positions(count: int) -> list[tuple[Position, int]]:
    """Positions of random games, each with a roll that lets something move."""
    rng = Random("positions")
    found: list[tuple[Position, int]] = []
    while len(found) < count:
        here = any_game(rng).start()
        for _ in range(rng.randint(20, 200)):
            if not here.over:
                here = play(here, rng.choice(legal_moves(here, here.due or rng.randint(1, 6))))
        face = here.due or rng.randint(1, 6)
        if not here.over and isinstance(legal_moves(here, face)[0], Move):
            found.append((here, face))
    return found


# -- the table -----------------------------------------------------------------------------


def test_two_pieces_on_a_square_look_like_one() -> None:
    found, here, heard = table_of(STACKS)
    found.lift("20")
    assert not heard
    assert not found.is_like(here)
    found.lift("20")
    assert heard == [Reading("20", False)]
    found.put("20", "red")
    found.put("20", "red")
    assert heard[1:] == [Reading("20", True)]
    assert found.is_like(here)


def test_a_set_up_is_silent_and_fills_the_bases_spot_by_spot() -> None:
    found, here, heard = table_of(GERMAN)
    assert not heard
    assert found.on() == {"Y.B1", "Y.B2", "5", "15", "R.B1", "R.B2", "9", "30"}
    assert found.colours() == colours_in(here)


def test_exchanged_colours_are_not_like_the_position() -> None:
    found, here, _ = table_of(GERMAN)
    yellow, red = found.lift("5"), found.lift("9")
    found.put("9", yellow)
    found.put("5", red)
    assert found.on() == {"Y.B1", "Y.B2", "5", "15", "R.B1", "R.B2", "9", "30"}
    assert not found.is_like(here)


def test_who_knows_how_it_was_puts_every_colour_back() -> None:
    found, here, _ = table_of(GERMAN)
    rng = Random(1)
    for place in ("5", "9", "R.B1", "30"):
        found.lift(place, to=rng.choice((HAND, BESIDE, FLOOR)))
    for where, gone in found.away.items():
        for colour in list(gone)[1:]:
            found.put(found.free("20"), colour, where)
    hands = Hands(found, all_rates()["careful"], lambda seconds, do, kind: do())
    for _ in hands.put_right(hops_back(found, here), draw("back", all_rates()["careful"])):
        pass
    assert found.is_like(here)


# -- the hands -----------------------------------------------------------------------------


class Patience:
    """Does what was put off when it is due, and nothing else."""

    def __init__(self) -> None:
        self.now = 0.0
        self.later: list[tuple[float, int, Callable[[], None]]] = []

    def put_off(self, seconds: float, do: Callable[[], None], kind: str) -> None:
        self.later.append((self.now + seconds, len(self.later), do))

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.later and (due := min(self.later))[0] <= end:
            self.later.remove(due)
            self.now = due[0]
            due[2]()
        self.now = end


@pytest.mark.parametrize("capture", ["first", "last", "meanwhile", "on_top"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_legal_move_ends_where_the_rules_have_it_whatever_odd_things_happen(
    capture: str, kind: str
) -> None:
    rates = {**all_rates()[kind], "push_unseen": 0.0}
    for number, (here, face) in enumerate(positions(40)):
        clock = Patience()
        found = Table(game_of(here).board)
        found.set_up(here)
        hands = Hands(found, rates, clock.put_off)
        odd = set(HABITS) - set(MISHAPS) | {MISHAPS[number % len(MISHAPS)]}
        plan = Plan(Random(number), face, 0.0, capture, odd=odd, think=2.0)
        moves = [one for one in legal_moves(here, face) if isinstance(one, Move)]
        move = moves[number % len(moves)]
        deed = deed_of(here, move)
        barred = {spot for one in moves for spot in game_of(here).stops(one)}
        for step in hands.move(here, deed, plan, barred):
            clock.wait(0.0 if isinstance(step, Mark) else step)
        clock.wait(100.0)
        for hop in deed.penalty:
            hands.take(hop.origin, hop.colour)
            hands.set_down(hop.target, hop.colour)
        assert found.is_like(play(here, move)), (str(here), game_of(here).move_text(move))


def test_the_same_seed_gives_the_same_plan_and_rates_are_complete() -> None:
    rates = all_rates()
    assert set(rates) == set(KINDS)
    assert len({tuple(sorted(one)) for one in rates.values()}) == 1
    for one in rates.values():
        assert all(0 <= rate <= 1 for rate in one.values() if isinstance(rate, float))
    first, second = (draw("seed 7", rates["clumsy"]) for _ in range(2))
    assert (first.face, first.odd, first.think) == (second.face, second.odd, second.think)


# -- illegal acts --------------------------------------------------------------------------


def test_every_illegal_act_has_a_clause_of_judge() -> None:
    kinds: Counter[str] = Counter()
    for number, (here, face) in enumerate(positions(60)):
        for roll in (face, None):
            wrong = wrongs(here, roll, Random(number))
            if wrong is not None and wrong.legal_first is None and wrong.kind != "exchange":
                kinds[wrong.kind] += 1
                assert clauses([(here, roll, wrong.hops)]), (str(here), roll, wrong)
    assert len(kinds) > 10


@pytest.mark.parametrize(
    ("origin", "target", "visible", "push"),
    [
        ("5", "11", True, False),  # too far
        ("5", "8", False, False),  # the legal move
        ("30", "31", True, True),  # somebody else's piece, one square: a sleeve does that too
        ("5", "15", False, False),  # on top of an own piece: it may as well be in the hand
        ("9", "R.B", True, False),  # sent home, and nobody captured it
    ],
)
def test_what_a_sensor_can_see(origin: str, target: str, visible: bool, push: bool) -> None:
    found, here, _ = table_of(GERMAN)
    colour = found.lift(origin)
    found.put(found.free(target), colour)
    seen = sensed(found.colours().elements(), found.ground)
    lawful = lawful_boards(here, 3)
    assert stands_wrong(seen, lawful) == visible
    assert like_a_push(seen, lawful[0], found.ground) == push


# -- what readings can tell ----------------------------------------------------------------


def story(text: str, *lines: str) -> tuple[dict[twins.Picture, int] | None, Table]:
    """The pictures after some readings (`-5`, `+8`), and the table before them."""
    found, _, _ = table_of(text)
    bases = {place.name: place.colour for place in found.board.places if place.kind == "base"}
    readings = [Reading(line[1:], line[0] == "+") for line in lines]
    whose = {place: colour for place, colour in bases.items() if colour is not None}
    return twins.pictures(found.stands, (), readings, whose), found


def test_one_after_the_other_can_be_told_apart() -> None:
    known, _ = story(GERMAN, "-5", "+11", "-9", "+13")
    assert twins.certain(known, "11", ("yellow",))
    assert twins.certain(known, "13", ("red",))


def test_two_in_the_air_cannot_be_told_apart() -> None:
    known, _ = story(GERMAN, "-5", "-9", "+11", "+13")
    assert not twins.certain(known, "11", ("yellow",))


def test_what_lies_in_a_base_has_its_colour() -> None:
    known, _ = story(GERMAN, "-5", "+R.B3")
    assert twins.certain(known, "R.B3", ("red",))


def test_what_comes_from_the_only_stack_is_known() -> None:
    known, _ = story(STACKS, "+24")
    assert twins.certain(known, "24", ("red",))


def test_a_snapshot_tells_what_went_and_what_came() -> None:
    found, _, _ = table_of(GERMAN)
    known = twins.pictures(found.stands, (), [Snapshot((found.on() - {"5"}) | {"8"})], {})
    assert twins.certain(known, "8", ("yellow",))


def test_a_box_cannot_be_blamed_for_an_exchange_in_the_air() -> None:
    known, found = story(GERMAN, "-5", "-9", "+5", "+9")
    right = found.colours()
    exchanged = right - Counter([("5", "yellow"), ("9", "red")])
    exchanged += Counter([("5", "red"), ("9", "yellow")])
    assert not twins.can_tell(known, (exchanged, ()), (right, ()), found.ground.spot_of)
    known, _ = story(GERMAN, "-5", "+11", "-9", "+5", "-11", "+9")
    assert twins.can_tell(known, (exchanged, ()), (right, ()), found.ground.spot_of)


def test_only_stories_no_stranger_than_the_truth_are_believed() -> None:
    known, found = story(GERMAN, "-5", "+11", "-9", "+13")
    moved = found.colours() - Counter([("5", "yellow"), ("9", "red")])
    moved += Counter([("11", "yellow"), ("13", "red")])
    assert list(twins.believed(known, (moved, ()), found.ground.spot_of)) == [moved]
    known, _ = story(GERMAN, "-5", "-9", "+11", "+13")
    assert len(list(twins.believed(known, (moved, ()), found.ground.spot_of))) == 2
    assert not list(twins.believed(None, (moved, ()), found.ground.spot_of))


# -- following -----------------------------------------------------------------------------


def evening(text: str, sensing: str = "presence") -> Evening:
    """People at a table in this position, with a box that knows it."""
    here = position(text)
    found = Evening("test", all_rates()["careful"], Figures(), sensing, sheet=here.game.sheet.id)
    board = game_of(here)
    found.game, found.truth = board, here
    found.table.board, found.table.ground = board.board, ground(board.board)
    found.room.bounce = found.room.loss = 0.0
    found.room.stand(here)
    found.checkpoint()
    return found


@pytest.mark.parametrize("sensing", ["presence", "touch", "choose"])
def test_steps_are_followed_literally(sensing: str) -> None:
    people = evening(GERMAN, sensing)
    goals, plan = [people.truth], people.plan
    assert people.follow(Step("9", "12"), plan, goals) == ""
    assert people.table.stands["12"] == ["red"]
    assert people.follow(Step("9", "13"), plan, goals) == "nothing stands there"
    assert people.follow(Step("5", "9", "red"), plan, goals) == "that colour does not stand there"
    assert people.follow(Step("5", None), plan, goals) == ""
    assert people.table.away[BESIDE] == ["yellow"]
    people.table.lift("30", to=FLOOR)
    assert people.follow(Step(None, "30", "red"), plan, goals) == ""
    assert people.table.stands["30"] == ["red"]
    assert people.follow(Step(None, "5", "yellow"), plan, goals) == ""
    assert people.follow(Step("12", "9", "red"), plan, goals) == ""
    assert people.table.is_like(people.truth)
    assert people.follow(Step(None, "9", "red"), plan, goals) == "nothing in the hand for it"


def test_a_piece_from_nowhere_is_the_one_that_stands_astray() -> None:
    people = evening(GERMAN)
    people.table.lift("5")
    people.table.put("9", "yellow")
    assert people.follow(Step(None, "5", "yellow"), people.plan, [people.truth]) == ""
    assert people.table.is_like(people.truth)


def test_a_wrong_pair_is_noticed_while_it_is_followed() -> None:
    people = evening(GERMAN)
    people.table.lift("5")
    people.room.wait(0.3)
    people.table.put("11", "yellow")
    people.room.wait(0.3)
    people.table.lift("9")
    people.room.wait(0.3)
    people.table.put("13", "red")
    people.follow(Step("11", "9"), people.plan, [people.truth])
    assert people.figures.kinds["wrong_remedy"] == {"a wrong pair is shown: nothing": 1}


def test_a_piece_of_a_pair_that_goes_on_may_be_a_changed_move() -> None:
    people = evening(
        "pairs red,green | red R.B R.B R.B 5 | green 27 27 G.B G.H | turn green", "touch"
    )
    before, plan = people.truth, Plan(people.plan.rng, 6, 0.0, "first")
    people.room.roll(6, 0.5)
    moves = [move for move in legal_moves(before, 6) if isinstance(move, Move)]
    pair = next(move for move in moves if move.size == 2)
    people.make(plan, before, pair)
    people.truth, people.previous = play(before, pair), (before, 6, pair)
    one_more, two_more = (Wrong("on", [Hop("green", "30", to)]) for to in ("33", "34"))
    assert people.changes_last(two_more) is None
    changed = people.changes_last(one_more)
    assert changed is not None
    assert people.do_change(one_more, plan, changed)
    assert people.truth == play(before, changed)
    assert people.table.is_like(people.truth)
    assert broken("careful", people.figures.plain()) == []


# -- evenings ------------------------------------------------------------------------------


@pytest.mark.parametrize("sensing", ["presence", "touch", "choose"])
def test_the_same_seed_gives_the_same_evening(sensing: str) -> None:
    logs = []
    for _ in range(2):
        people = Evening("seed 3", all_rates()["clumsy"], Figures(), sensing)
        people.play(40)
        logs.append((people.room.log, str(people.truth), people.figures.plain()))
    assert logs[0] == logs[1]


def test_a_kept_script_can_be_run() -> None:
    kept: list[str] = []
    rates = {**all_rates()["clumsy"], "wrong": 0.5}
    people = Evening(
        "seed 5", rates, Figures(), save=lambda section, kind, script: kept.append(script())
    )
    people.play(30)
    people.keep("test", "the end")
    for text in kept[-3:]:
        assert Script().run(text).view.position is not None


def test_figures_add_up_and_stand_beside_older_ones() -> None:
    figures, more = Figures(), Figures()
    for kind in ("think", "pushed", "think"):
        more.add("undeserved", kind)
    figures.merge(more)
    figures.merge(more)
    text = table(figures.plain(), more.plain())
    assert any(line.split() == ["think", "2", "4"] for line in text.splitlines())


def test_promises_are_checked() -> None:
    figures = Figures()
    figures.add("games")
    assert not broken("careful", figures.plain())
    figures.add("undeserved", "think")
    assert broken("careful", figures.plain())
    assert broken("ordinary", figures.plain())
    figures.count["games"] = 2
    assert not broken("ordinary", figures.plain())
    figures.add("wrong_remedy", "goes round")
    assert broken("clumsy", figures.plain()) == ["wrong remedies: 1"]


def test_nonsense_is_the_same_for_the_same_seed() -> None:
    first, second = (list(random_events(Random("n"), 300)) for _ in range(2))
    assert first == second
    assert some_nonsense(("n", 3000))["events"] == 3000


@pytest.mark.parametrize("box", [1, 2, 3])
def test_careful_hands_carry_out_what_the_box_wants(box: int) -> None:
    """Also another move now and then, which the box asks about, and a throw for it."""
    figures = Figures()
    evening = Evening(f"box {box}", all_rates()["careful"], figures, seats=4, box=box)
    evening.play(160)
    assert broken("careful", figures.plain()) == []
    assert figures.kinds["boxed"]["as it wants"] > 10
    assert sum(count for kind, count in figures.kinds["asks"].items() if "let_it" in kind) > 0
