"""The simulated people themselves: their table, their hands, and what they say of a box."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import NamedTuple

import pytest

from companion.events import Pressed, Reading, Snapshot
from companion.rules import SHEETS, Move, Position, legal_moves, play, position
from tests.people import twins
from tests.people.acts import MENDS, Hands, Mark, deed_of
from tests.people.evening import Evening
from tests.people.evenings import an_evening
from tests.people.figures import Figures, broken, table
from tests.people.looking import STILL, Mind
from tests.people.nonsense import random_events, some_nonsense
from tests.people.pieces import lawful_ways, on_the_way
from tests.people.plans import HABITS, Plan, all_rates, draw
from tests.people.sitting import any_game, lost_squares, played
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


def test_a_pair_that_leaves_a_stack_of_three_may_hide_that_a_piece_is_lost() -> None:
    three = STACKS.replace("R.B R.B 20 20", "20 20 20 25")
    known, found = story(three, "-25", "+23", "+25")
    made = found.colours() - Counter([("20", "red")] * 2) + Counter([("23", "red")] * 2)
    one_lost = made - Counter([("23", "red")])
    spot_of = found.ground.spot_of
    assert not twins.can_tell(known, (one_lost, ["red"]), (made, ()), spot_of)


def test_a_snapshot_tells_what_went_and_what_came() -> None:
    found, _, _ = table_of(GERMAN)
    known = twins.pictures(found.stands, (), [Snapshot((found.on() - {"5"}) | {"8"})], {})
    assert twins.certain(known, "8", ("yellow",))


def test_who_comes_from_nowhere_has_left_a_square_unheard() -> None:
    found, _, _ = table_of(GERMAN)
    heard: list[Reading | Snapshot] = [Reading("8", True), Snapshot((found.on() - {"5"}) | {"8"})]
    known = twins.pictures(found.stands, (), heard, {})
    assert known
    assert min(known.values()) == twins.LOST
    assert ("8", ("yellow",)) in min(known, key=lambda one: known[one])[0]


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


def test_who_stands_unseen_on_another_is_not_looked_for_elsewhere() -> None:
    people = evening("indian red,yellow | red 1 8 26 R.5 | yellow 30 46 1 Y.5 | turn red")
    people.table.put("29", people.table.lift("26"))  # moved, and the box does not know it yet
    assert people.follow(Step(None, "1", "red"), people.plan, [people.truth]) == ""
    assert people.table.taken("29", "red")


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


def test_a_pair_that_no_reading_tells_from_another_is_counted_apart() -> None:
    people = evening("parchis red,yellow | red 25 35 36 62 | yellow 35 24 Y.7 Y.H | turn yellow")
    people.table.lift("35", "yellow")
    people.table.put("36", "yellow")
    people.table.lift("36", "red")
    people.room.wait(0.3)
    people.table.put("R.B1", "red")
    people.follow(Step("R.B", "35", "red"), people.plan, [people.truth])
    assert people.figures.kinds["apart"] == {"a wrong pair is shown: nothing": 1}
    assert not people.figures.count["wrong_remedy"]


def test_nobody_does_a_step_while_hands_are_still_putting_something_down() -> None:
    people = evening(GERMAN)
    yellow = people.table.lift("5")
    people.room.in_a_while(0.7, lambda: people.table.put("5", yellow))
    people.look()
    assert people.room.now - people.room.changed >= STILL
    assert people.table.is_like(people.truth)


def test_who_looks_for_a_lost_piece_is_not_yet_content() -> None:
    people = evening(GERMAN)
    mind = Mind[Move]([people.truth], people.plan)
    people.table.lift("30", to=FLOOR)
    people.room.in_a_while(30.0, lambda: people.table.put("30", "red", FLOOR), MENDS)
    for content in (0, 1):
        assert not people.is_lost(people.truth, mind)
        assert mind.content == content
        people.room.wait(31.0)


@pytest.mark.parametrize(("sensing", "seen"), [("presence", False), ("touch", True)])
def test_a_step_for_a_hand_that_is_empty_is_no_fault_where_readings_speak_for_it(
    sensing: str, seen: bool
) -> None:
    people = evening(GERMAN, sensing)
    table = people.table
    for origin, target in (("9", "R.B3"), ("Y.B1", "9")):
        table.put(target, table.lift(origin))
        people.room.wait(1.0)
    table.lift("R.B3")
    people.room.wait(1.0)
    table.put("9", "red")  # nobody sees the two change places: to readings red is in the hand
    table.lift("9", "yellow")
    table.put("5", table.lift("15"))
    people.room.wait(1.0)
    table.put("Y.B1", "yellow")
    for colour, believed in (("green", False), ("red", not seen)):
        assert people.follow(Step(None, "9", colour), people.plan, [people.truth])
        assert people.unseen == believed


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


def test_who_has_put_a_move_back_says_so_when_asked() -> None:
    people = evening(
        "indian red,yellow | red R.B R.B 20 38 | yellow Y.B 33 41 44 | turn red",
    )
    before, table, room = people.truth, people.table, people.room
    room.roll(6, 0.5)
    table.lift("38")
    room.wait(1.0)
    table.put("41", "red")  # wrong, and no sensor sees it: it looks like the capture on 44
    table.lift("41", "yellow", BESIDE)
    room.wait(1.0)
    table.put(table.free("Y.B"), "yellow", BESIDE)
    room.wait(1.0)
    after = people.shown()
    assert after != before
    for colour, origin, target in (("red", "41", "38"), ("yellow", "Y.B2", "41")):
        table.lift(origin, colour)
        room.wait(1.0)
        table.put(target, colour)
    room.wait(6.0)
    assert room.view.phase == "ask"
    assert people.answer([before, after], None)
    assert people.shown() == before


def test_with_a_roll_that_counts_everybody_stands_by_the_board() -> None:
    people = evening(GERMAN)
    here, plan = people.truth, Plan(people.plan.rng, 3, 0.0, "first")
    before = position(GERMAN.replace("9 30", "9 27").replace("turn yellow", "turn red"))
    move = next(one for one in legal_moves(before, 3) if play(before, one) == here)
    assert isinstance(move, Move)
    yellow = people.table.lift("5")
    people.room.wait(0.3)
    people.table.put("5", yellow)
    assert people.room.readings
    people.pending = plan, before, move, here  # in a hurry nobody looks at the box first
    people.throw(plan)
    assert not people.room.readings


def test_who_sends_the_piece_moved_last_home_may_take_the_move_back() -> None:
    people = evening(
        "dutch blue,green | blue B.B B.B 37 40 | green G.B G.B 26 35 | turn green", "touch"
    )
    before, plan = people.truth, Plan(people.plan.rng, 5, 0.0, "first")
    people.room.roll(5, 0.5)
    move = game_of(before).move("green globe G.B>40")
    assert isinstance(move, Move)
    people.make(plan, before, move)
    people.truth, people.previous = played(before, move), (before, 5, move)
    after = people.truth
    home = Hop("green", "40", "G.B")
    wrong = Wrong("out of turn, captures", [Hop("blue", "37", "40")], home)
    assert not people.begins_back(Wrong("home", [home._replace(origin="26")]))
    assert people.begins_back(wrong)
    assert not people.do_wrong(wrong, plan, None)
    assert people.truth == people.room.view.position == after
    assert people.table.is_like(after)
    assert people.figures.count["apart"] == 1
    assert broken("careful", people.figures.plain()) == []


def pressed_when_lost(people: Evening, goals: list[Position]) -> list[Pressed]:
    """The buttons pressed by people who see no step, and a box that wants nothing."""
    before = len(people.room.log)
    shown = next(goal for goal in goals if goal == people.room.view.position)
    assert not people.is_lost(shown, Mind(goals, people.plan, content=3))
    return [event for _, event in people.room.log[before:] if isinstance(event, Pressed)]


def test_what_somebody_put_elsewhere_meanwhile_is_taken_from_there() -> None:
    people = evening(GERMAN)
    people.table.put("9", people.table.lift("5"))
    people.table.lift("9", "red", BESIDE)
    back = people.put_back(people.truth, people.plan)
    people.hands.home_late(Hop("red", "9", "R.B"))
    people.run(back, people.plan)
    assert people.table.is_like(people.truth)


def test_who_reads_choose_turns_to_the_move_that_was_made() -> None:
    people = evening(GERMAN)
    people.room.roll(3, 0.5)
    moves = [one for one in legal_moves(people.truth, 3) if isinstance(one, Move)]
    people.say_moved(moves[-1])
    notice = people.room.view.notice
    assert notice is not None
    assert notice.key == "choose"
    people.say_moved(moves[-1])
    assert (
        people.room.view.position == play(people.truth, moves[-1]) != play(people.truth, moves[0])
    )


def test_a_move_that_nobody_made_is_taken_back_from_the_menu_if_it_earned_squares() -> None:
    people = evening(
        "parchis red,blue | red R.B R.B 20 30 | blue B.B B.B 24 50 | turn red", "choose"
    )
    before, plan = people.truth, people.plan
    people.room.roll(4, 0.5)
    capture = game_of(before).move("red 4 20>24")
    assert isinstance(capture, Move)
    people.make(plan, before, capture)
    people.table.set_up(before)
    assert people.room.view.position == played(before, capture)
    assert people.cope([before, played(before, capture)], plan) is before
    assert people.room.view.position == before


def test_the_menu_takes_nothing_back_that_earned_no_squares() -> None:
    people = evening(GERMAN)
    before = people.truth
    people.room.roll(3, 0.5)
    after = play(before, legal_moves(before, 3)[0])
    people.table.set_up(after)
    assert pressed_when_lost(people, [after, before]) == [Pressed("ok")]


def test_who_has_pressed_without_carrying_carries_nothing_that_stands_right() -> None:
    people = evening(GERMAN, "touch")
    people.table.lift("30", to=BESIDE)
    assert people.stands_right("yellow")
    assert not people.stands_right("red")
    assert not people.stands_right(None)
    steps, mind = (Step("15", "5", "yellow"),), Mind[Move]([people.truth], people.plan)
    mind.listed, people.slipped = steps, True
    assert people.do_shown(steps, mind) == ""
    assert people.table.stands["15"] == ["yellow"]
    people.checkpoint()
    mind.done = 0
    assert people.do_shown(steps, mind) == ""
    assert people.table.stands["5"] == ["yellow", "yellow"]  # a false step is followed, and counted


def at_the_question_of_the_end() -> Evening:
    """Yellow has won: do the others play on?"""
    people = evening(
        "german yellow,green,red | yellow 40 Y.b Y.c Y.d | green G.B G.B G.B 15 | "
        "red R.B R.B R.B 25 | turn yellow"
    )
    people.room.roll(1, 0.5)
    people.table.put("Y.a", people.table.lift("40"))
    people.room.wait(2.0)
    assert people.room.view.title == "won"
    people.truth = play(people.truth, legal_moves(people.truth, 1)[0])
    return people


def test_people_say_whether_they_play_on_though_a_piece_lies_beside_the_board() -> None:
    people = at_the_question_of_the_end()
    people.table.lift("15", to=BESIDE)
    assert pressed_when_lost(people, [people.truth]) == [Pressed("ok")]
    assert people.room.view.title != "won"


def test_who_moves_a_piece_by_one_at_the_question_of_the_end_is_told_after_the_answer() -> None:
    people = at_the_question_of_the_end()
    wrong = Wrong("before rolling", [Hop("red", "25", "24")])
    assert not people.do_wrong(wrong, people.plan, None)
    assert people.figures.count["as_push"] + people.figures.count["flagged"] == 1
    assert people.figures.count["unflagged"] == 0


def test_who_is_told_that_a_piece_is_missing_looks_under_the_table() -> None:
    people = evening(GERMAN)
    people.table.lift("30", to=FLOOR)
    assert not people.can_go_on()
    people.room.wait(10.0)
    assert people.room.view.tone == "hint"
    assert people.can_go_on()


@pytest.mark.parametrize("pushed", [("5", "6"), ("9", "8")])
def test_who_was_pushed_from_or_onto_a_square_of_a_move_goes_back_first(
    pushed: tuple[str, str],
) -> None:
    people = evening(GERMAN)
    origin, target = pushed
    people.room.roll(3, 0.5)
    colour = people.table.lift(origin)
    people.table.put(target, colour)
    people.hands.pushed.append(Hop(colour, origin, target))
    move = people.game.move("yellow 3 5>8")
    assert isinstance(move, Move)
    people.straighten_mover(Plan(Random(1), 3, 0.0, "first"), people.truth, move)
    assert people.table.is_like(people.truth)


def test_who_stands_rightly_where_one_was_pushed_to_is_not_put_back() -> None:
    people = evening(GERMAN)
    people.room.roll(3, 0.5)
    people.hands.pushed.append(Hop("yellow", "4", "5"))
    move = people.game.move("yellow 3 5>8")
    assert isinstance(move, Move)
    people.straighten_mover(Plan(Random(1), 3, 0.0, "first"), people.truth, move)
    assert people.table.is_like(people.truth)


@pytest.mark.parametrize("number", range(6))
def test_nobody_takes_up_a_piece_that_was_pushed_away_to_roll_with_it(number: int) -> None:
    people = evening(GERMAN.replace("Y.B Y.B 5 15", "Y.B Y.B Y.B 5"))
    people.room.roll(3, 0.5)
    people.table.put("6", people.table.lift("5"))
    people.wrong_roll(Plan(Random(number), 3, 0.0, "first"))
    assert people.table.stands["6"] == ["yellow"]


def test_who_has_moved_a_piece_does_not_miss_it_where_the_box_had_them_look() -> None:
    people = evening(GERMAN)
    before, room, table = people.truth, people.room, people.table
    room.roll(3, 0.5)
    room.wait(0.6)
    table.put("12", table.lift("5"))
    room.wait(3.0)
    yellow, red = table.lift("12"), table.lift("9")
    room.wait(0.6)
    table.put("5", yellow)
    room.wait(0.6)
    table.put("9", red)
    room.wait(3.0)
    assert room.view.notice is not None
    assert room.view.notice.key == "check_colours"
    move = next(one for one in legal_moves(before, 3) if people.game.stops(one) == ("5", "8"))
    assert isinstance(move, Move)
    people.make(Plan(people.plan.rng, 3, 0.0, "first"), before, move)
    assert not people.sees_missing()


@pytest.mark.parametrize(("blue", "as_well"), [("30 30", True), ("30 B.H", False)])
def test_a_clause_is_forgiven_only_if_readings_speak_for_its_act_too(
    blue: str, as_well: bool
) -> None:
    people = evening(f"pairs red,blue | red R.B R.B 20 20 | blue B.B B.B {blue} | turn red")
    people.room.roll(3, 0.5)
    people.table.put("27", people.table.lift("20"))
    people.room.wait(3.0)
    done, twin = (
        clauses([(people.truth, 3, [hop])])
        for hop in (Hop("red", "20", "27"), Hop("blue", "30", "27"))
    )
    assert twin - done
    assert people.clauses_of_twins() == (done | twin if as_well else done)


def test_a_clause_is_forgiven_if_readings_spoke_for_its_act_when_the_box_said_stop() -> None:
    people = evening("dutch red,yellow | red 15 39 R.H R.H | yellow Y.B 33 33 1 | turn yellow")
    people.room.roll(1, 0.5)
    people.guilty("second piece too")
    people.room.loss = 1.0
    people.table.put("34", people.table.lift("33"))  # nobody hears it come from under another
    people.room.loss = 0.0
    yellow = people.table.lift("1")
    people.room.snapshot()
    people.room.wait(2.0)
    said = {refusal.clause for refusal in people.room.view.refusals}
    people.table.put("2", yellow)
    people.room.wait(2.0)
    assert said == {"D3"}
    assert not said & people.clauses_of_twins()
    people.wrong_clause("second piece too", said, {"O7"})
    assert people.figures.count["apart"] == 1
    assert not people.figures.count["clause_wrong"]


@pytest.mark.parametrize(
    ("cut", "odd", "section"),
    [
        ("power", {"floor"}, "apart"),
        ("power", {"brush"}, "wrong_remedy"),
        ("cable", {"floor"}, "wrong_remedy"),
    ],
)
def test_who_puts_all_back_as_a_box_without_power_had_it_agrees_to_that(
    cut: str, odd: set[str], section: str
) -> None:
    people = evening(GERMAN)
    plan = Plan(people.plan.rng, 3, 0.0, "first", odd=odd, cut=cut)
    people.changed_game(1, plan)
    assert people.figures.count[section] == 1


@pytest.mark.parametrize(("off", "section"), [(True, "apart"), (False, "wrong_remedy")])
def test_a_box_that_was_off_knows_only_the_game_and_what_sensors_show(
    off: bool, section: str
) -> None:
    people = evening(STACKS)
    people.table.put("21", people.table.lift("20"))
    people.room.wait(1.0)
    people.table.lift("21", to=BESIDE)  # as the box says; that one is missing on 20, no sensor sees
    if off:
        people.room.cut_soon("power", 1)
        people.room.sense("30", on=True)
        people.room.wait(30.0)
    people.colours_differ(people.truth, 1)
    assert people.figures.count[section] == 1


@pytest.mark.parametrize(("move", "first"), [("green 3 G.6>G.7", False), ("green 3 23>26", True)])
def test_fingers_press_the_target_first_only_where_that_is_no_legal_move(
    move: str, first: bool
) -> None:
    here = "red 17 R.1 R.H R.H | green G.B 23 G.6 G.7"
    people = evening(f"parchis+bounce red,green | {here} | turn green", "touch")
    people.room.roll(3, 0.5)
    chosen = game_of(people.truth).move(move)
    assert isinstance(chosen, Move)
    plan = Plan(people.plan.rng, 3, 0.0, "first", odd={"touch_target_first"})
    people.make(plan, people.truth, chosen)
    assert people.room.view.position == played(people.truth, chosen)
    assert people.slipped == first


def test_after_stop_a_legal_move_may_be_made_with_a_piece_of_unknown_colour_astray() -> None:
    here = "blue 35 49 B.H B.H | yellow Y.B Y.B 35 Y.H"
    people = evening(f"parchis blue,yellow | {here} | turn yellow", "touch")
    before, plan = people.truth, Plan(people.plan.rng, 5, 0.0, "first")
    people.room.roll(5, 0.5)
    hops = [Hop("blue", "35", "46"), Hop("yellow", "Y.B", "35")]
    assert people.do_wrong(Wrong("captured piece set elsewhere", hops), plan, 5)
    assert people.truth == played(before, game_of(before).move("yellow 5 Y.B>35"))
    assert people.table.is_like(people.truth)
    assert people.figures.count["apart"] == 1
    assert broken("careful", people.figures.plain()) == []


def test_who_sends_a_piece_home_may_put_one_back_late_but_only_once() -> None:
    here = "blue B.B 7 12 B.H | yellow Y.B Y.B 6 Y.H"
    people = evening(f"dutch blue,yellow | {here} | turn blue", "touch")
    before, plan = people.truth, Plan(people.plan.rng, 4, 0.0, "first")
    people.room.roll(4, 0.5)
    for place in ("B.B1", "11"):
        people.room.tap(place)  # fingers slip: nobody is carried
        people.room.wait(1.0)
    assert people.steps()
    move = game_of(before).move("blue 4 7>11")
    assert isinstance(move, Move)
    people.make(plan, before, move)
    people.truth, people.previous = played(before, move), (before, 4, move)
    people.finish(plan, before, move, people.truth)
    for flagged in (0, 1):
        assert not people.do_wrong(
            Wrong("sent home uncaptured", [Hop("blue", "11", "B.B")]), plan, None
        )
        assert people.figures.count["flagged"] == flagged
        assert people.figures.count["apart"] == 1
        assert people.table.is_like(people.truth)
    assert broken("clumsy", people.figures.plain()) == []


def test_who_takes_a_captured_piece_out_onto_another_may_only_have_said_that_it_is_home() -> None:
    people = evening(GERMAN, "touch")
    move = game_of(people.truth).move("yellow 4 5>9")
    assert isinstance(move, Move)
    people.previous = people.truth, 4, move
    for target, tells in (("15", True), ("21", False)):
        wrong = Wrong("before rolling", [Hop("red", "R.B", target)])
        assert people.says_home(wrong) is tells


# -- cable and power -----------------------------------------------------------------------


def test_a_press_while_the_cable_is_out_is_not_heard() -> None:
    people = evening(GERMAN, "touch")
    room = people.room
    room.roll(3, 0.5)
    room.cut_soon("cable", 2)
    room.tap("5")
    assert list(room.view.pressed) == ["5"]
    room.tap("8")
    assert list(room.view.missing) == ["board"]
    assert not room.view.pressed
    assert room.view.position == people.truth
    room.wait(10.0)
    assert not room.view.missing
    room.tap("5")
    assert list(room.view.pressed) == ["5"]


@pytest.mark.parametrize("face", [None, 3])
def test_half_of_a_move_that_was_heard_is_let_go_of(face: int | None) -> None:
    people = evening(GERMAN, "touch")
    if face is not None:
        people.room.roll(face, 0.5)
    people.room.tap("5")
    people.room.missed = True
    assert people.cope([people.truth], people.plan) is people.truth
    assert not people.room.view.pressed


@pytest.mark.parametrize(
    ("sensing", "kind", "goes_on"),
    [
        ("touch", "cable", False),
        ("touch", "cable", True),
        ("touch", "power", False),
        ("choose", "power", False),
    ],
)
def test_what_the_box_has_not_heard_is_done_again(sensing: str, kind: str, goes_on: bool) -> None:
    people = evening(GERMAN, sensing)
    before, plan = people.truth, Plan(people.plan.rng, 4, 0.0, "last", cut=kind)
    people.goes_on = goes_on
    people.room.roll(4, 0.5)
    move = game_of(before).move("yellow 4 5>9")
    assert isinstance(move, Move)
    people.room.cut_soon(kind, 1)
    people.make(plan, before, move)
    after = played(before, move)
    assert people.table.is_like(after)
    assert people.shown() == before
    people.finish(plan, before, move, after)
    assert people.shown() == after
    assert people.room.power
    assert people.room.cable != goes_on  # they did not wait for it
    assert people.figures.count["cuts"] == 1
    assert broken("careful", people.figures.plain()) == []


@pytest.mark.parametrize("kind", ["cable", "power", "slip"])
@pytest.mark.parametrize("seed", range(4))
def test_what_costs_a_piece_is_made_before_that_is_paid(kind: str, seed: int) -> None:
    people = evening(GERMAN.replace("german", "german+compulsory_capture"), "touch")
    before, plan = people.truth, Plan(Random(seed), 4, 0.0, "last")
    people.cuts = Random(seed)
    people.room.roll(4, 0.5)
    move = game_of(before).move("yellow 4 15>19")
    assert isinstance(move, Move)
    if kind == "slip":
        people.guilty("a finger slips")
        people.room.tap("R.B1")
    else:
        people.room.cut_soon(kind, 2)
    people.make(plan, before, move)
    assert people.shown() == before
    people.finish(plan, before, move, played(before, move))
    assert people.table.is_like(played(before, move))
    assert people.figures.count["undeserved"] == 0
    assert broken("careful", people.figures.plain()) == []


@pytest.mark.parametrize(("kind", "goes_on"), [("cable", False), ("cable", True), ("power", False)])
@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_fingers_make_good_though_cable_or_power_go_out(kind: str, goes_on: bool, at: int) -> None:
    people = evening(GERMAN, "touch")
    before, plan = people.truth, Plan(people.plan.rng, 3, 0.0, "first")
    people.goes_on = goes_on
    people.room.roll(3, 0.5)
    people.room.cut_soon(kind, at)
    assert not people.do_wrong(Wrong("wrong colour", [Hop("red", "9", "12")]), plan, 3)
    assert people.shown() == people.truth == before
    assert people.table.is_like(before)
    assert people.figures.count["cuts"] == 1
    assert broken("careful", people.figures.plain()) == []


def test_a_move_that_was_not_heard_is_not_led_back_by_steps_for_a_slip() -> None:
    people = evening(
        "british red,blue | red R.B 47 64 R.H | blue B.B B.B 1 39 | turn blue", "touch"
    )
    before, plan = people.truth, Plan(people.plan.rng, 2, 0.0, "first", cut="cable")
    people.room.roll(2, 0.5)
    for place in ("39", "3"):
        people.room.tap(place)
    assert people.steps()
    move = game_of(before).move("blue 2 1>3")
    assert isinstance(move, Move)
    people.room.cut_soon("cable", 1)
    people.make(plan, before, move)
    people.finish(plan, before, move, played(before, move))
    assert people.shown() == played(before, move)
    assert broken("clumsy", people.figures.plain()) == []


@pytest.mark.parametrize("at", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["cable", "power"])
def test_a_changed_mind_looks_at_the_screen_first(kind: str, at: int) -> None:
    people = evening(GERMAN, "touch")
    before, plan = people.truth, Plan(people.plan.rng, 3, 0.0, "first")
    people.room.roll(3, 0.5)
    move = game_of(before).move("yellow 3 5>8")
    assert isinstance(move, Move)
    people.room.cut_soon(kind, at)
    people.change_mind(plan, [move])
    assert people.shown() == before
    assert people.table.is_like(before)
    assert people.figures.count["cuts"] == 1
    assert broken("careful", people.figures.plain()) == []


def test_a_box_that_forgets_without_the_cable_what_is_to_put_right_is_told_on() -> None:
    people = evening(GERMAN, "touch")
    people.room.roll(3, 0.5)
    for place in ("9", "12"):
        people.room.tap(place)
    assert people.steps()
    people.cut("cable")
    people.plugged()
    assert broken("clumsy", people.figures.plain()) == []
    people.cut("cable")
    people.room.press("ok")
    people.plugged()
    assert broken("clumsy", people.figures.plain()) == ["wrong remedies: 1"]


@pytest.mark.parametrize("sensing", ["touch", "choose"])
def test_cable_and_power_go_out_in_the_middle_of_everything(sensing: str) -> None:
    often = {"cable": 0.1, "power": 0.4, "cut_in_wrong": 0.5, "take_back": 0.1, "change_mind": 0.1}
    figures = Figures()
    people = Evening("cuts 1", {**all_rates()["clumsy"], **often}, figures, sensing)
    people.play(250)
    kinds = figures.kinds["cuts"]
    assert sum(kinds.values()) > 10
    assert any(kind.startswith("cable") for kind in kinds) == (sensing == "touch")
    assert broken("clumsy", figures.plain()) == []


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


def test_every_sheet_is_drawn_and_whoever_plays_no_cards_plays_as_ever() -> None:
    drawn = set()
    for number in range(60):
        seed = f"any {number}"
        here = an_evening(seed, all_rates()["clumsy"], Figures(), "touch")
        drawn.add(here.game.sheet.id)
        board = an_evening(seed, all_rates()["clumsy"], Figures(), "presence")
        assert board.game.sheet.id != "cards"
        if here.game.sheet.id != "cards":
            assert here.game == board.game == any_game(Random(f"{seed} game"))
    assert drawn == set(SHEETS)
