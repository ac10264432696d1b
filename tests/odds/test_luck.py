"""Luck and play add up, luck has no drift, and who plays best gives nothing away."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from math import sqrt
from random import Random

import pytest

from companion.odds.chances import Estimate
from companion.odds.ends import Ends
from companion.odds.luck import Account, Analysis, Analyst, analyse, what_stands
from companion.odds.playouts import PlayOuts
from companion.odds.thinking import chosen_move
from companion.rules import SHEETS, AnyMove, Game, Position, game
from companion.rules.history import End, Ruling, Seat, TakeBack
from companion.rules.records import Event, Record
from tests.odds.test_chances import exact, two_pieces

Picks = Callable[[Position, Sequence[AnyMove]], AnyMove]


def played(table: Game, random: Random, picks: Picks | None = None) -> Record:
    """A whole game, by random players if none are given."""
    here, events = table.start(), []
    while not here.over:
        moves = table.legal_moves(here, here.due or random.randint(1, 6))
        move = picks(here, moves) if picks else random.choice(moves)
        events.append(move)
        here = table.play(here, move)
    return Record(table, date(2026, 11, 17), events=tuple(events))


def closes(analysis: Analysis) -> bool:
    accounts = [*analysis.accounts.values(), *analysis.ranks.values()]
    return all(abs(one.unexplained) < 0.001 for one in accounts)


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_sums_close(sheet: str) -> None:
    analysis = analyse(played(game(sheet), Random(sheet)), 1, games=6)
    assert closes(analysis)
    last = sorted(account.last for account in analysis.accounts.values())
    assert last[-1] == 1
    assert not any(last[:-1])


@cache
def exactly() -> tuple[Analysis, ...]:
    """Forty games of random players, of which every position is known exactly."""
    return tuple(
        analyse(played(two_pieces(), Random(seed)), 1, games=60, ends=exact()) for seed in range(40)
    )


def test_what_is_known_exactly_has_no_error() -> None:
    for analysis in exactly():
        assert closes(analysis)
        for one in analysis.accounts.values():
            assert one.given_away.error < 1e-9
            assert one.given_away.value >= 0
            assert one.own_luck.error < 0.2  # that of the rolls for the start alone


def test_luck_and_what_was_given_away_are_those_of_the_exact_table() -> None:
    """Reckoned again with nothing but the table."""
    ends, record = exact(), played(two_pieces(), Random(0))
    luck = given = 0.0
    for one in what_stands(record):
        if one.before.opening is not None or one.before.seat != 0:
            continue
        assert not isinstance(one.event, Ruling)
        moves = one.before.game.legal_moves(one.before, one.event.face)
        _, best, _ = ends.best(one.before, moves)
        luck += best - ends.value(one.before)
        given += best - ends.chance(one.after, 0)
    account = exactly()[0].accounts["yellow"]
    opening = [one for one in what_stands(record) if one.before.opening is not None]
    assert account.given_away.value == pytest.approx(given, abs=1e-6)
    begins = abs(account.own_luck.value - luck)
    assert begins <= 0.1 * len(opening)  # who begins is luck too, and is not in here


def test_without_the_fast_part_nobody_seems_sure() -> None:
    record = played(two_pieces(), Random(5))
    slow = Analyst(record, 1, games=300, played=PlayOuts(record.game, fast=False)).analysis()
    assert all(account.own_luck.error > 0.05 for account in slow.accounts.values())


def test_luckiest_is_only_who_was_luckier_than_the_next() -> None:
    nothing = Estimate(0.0)

    def luckiest(first: Estimate, second: Estimate) -> str | None:
        pair = {"red": first, "yellow": second}
        accounts = {
            one: Account(0.5, 0.5, luck, nothing, nothing, nothing, nothing, nothing)
            for one, luck in pair.items()
        }
        told = Analysis(two_pieces(), accounts, {}, None, None, (), 24, "", {})
        return told.luckiest

    assert luckiest(Estimate(0.7, 0.1), Estimate(0.1, 0.1)) == "red"
    assert luckiest(Estimate(0.7, 0.1), Estimate(0.69, 0.1)) is None
    assert luckiest(Estimate(0.1, 0.1), Estimate(-0.7, 0.1)) == "red"  # though it gained nothing


def test_luck_has_no_drift() -> None:
    for colour in ("yellow", "red"):
        lucks = [analysis.accounts[colour].own_luck.value for analysis in exactly()]
        mean = sum(lucks) / len(lucks)
        spread = sqrt(sum((one - mean) ** 2 for one in lucks) / (len(lucks) - 1))
        assert abs(mean) < 3 * spread / sqrt(len(lucks))


def test_a_best_player_gives_nothing_away() -> None:
    ends: Ends = exact()

    def best(here: Position, moves: Sequence[AnyMove]) -> AnyMove:
        if here.opening is not None or len(moves) == 1:
            return moves[0]
        return ends.best(here, moves)[0]

    analysis = analyse(played(two_pieces(), Random(2), best), 1, games=6, ends=ends)
    for one in analysis.accounts.values():
        assert one.given_away.value == 0


def test_who_plays_as_the_fox_gives_nothing_away_in_any_noise() -> None:
    table = game("dutch", (), ["red", "yellow"])

    def fox(here: Position, moves: Sequence[AnyMove]) -> AnyMove:
        return chosen_move(here, moves[0].face, "fox", 1)

    analysis = analyse(played(table, Random(2), fox), 1, games=6)
    assert [one.given_away.value for one in analysis.accounts.values()] == [0, 0]
    assert analysis.worst_move is None


def test_an_early_end_counts_what_it_was_worth_then() -> None:
    table = game("german", (), ["yellow", "red"])
    whole = played(table, Random(4)).events[:40]
    analysis = analyse(Record(table, date(2026, 1, 1), events=(*whole, End())), 1, games=60)
    assert closes(analysis)
    last = [account.last for account in analysis.accounts.values()]
    assert sum(last) == pytest.approx(1)
    assert all(0 < one < 1 for one in last)


def test_rulings_stand_apart_and_what_was_taken_back_did_not_happen() -> None:
    table = game("german", (), ["yellow", "red"])
    begun = played(table, Random(4)).events[:20]
    record = Record(table, date(2026, 1, 1), events=begun)
    ruling = table.position("yellow Y.a Y.b Y.c 1 | red R.B R.B R.B R.B | turn yellow", kept=True)
    events: tuple[Event, ...] = (*begun, Ruling(ruling), TakeBack())
    back = analyse(Record(table, date(2026, 1, 1), events=events), 1, games=60)
    assert back.accounts == analyse(record, 1, games=60).accounts
    ruled = analyse(record.then(Ruling(ruling)), 1, games=60)
    assert ruled.accounts["yellow"].rulings.value > 0.2
    assert closes(ruled)


def test_a_penalty_stands_apart() -> None:
    table = game("german", ["compulsory_capture"], ["yellow", "red"])
    here = table.position("yellow Y.B Y.B 5 20 | red R.B R.B R.B 8 | turn yellow")
    move = table.move("yellow 3 20>23")
    record = Record(table, date(2026, 1, 1), events=(Ruling(here), move))
    analysis = Analyst(record, 1, 600).analysis()
    assert analysis.accounts["yellow"].penalties.value < 0
    assert analysis.accounts["yellow"].given_away.value == 0
    assert closes(analysis)


def test_after_the_first_winner_ranks_are_counted() -> None:
    table = game("dutch", ["pieces=1"])
    analysis = analyse(played(table, Random(1)), 1, games=12)
    assert sorted(account.last for account in analysis.ranks.values()) == [1, 2, 3, 4]
    assert closes(analysis)


def test_play_is_credited_to_who_held_the_seat() -> None:
    """Red is the fox's at first, then a person's, and then the fox's again."""
    whole = played(two_pieces(), Random(4))
    third = len(whole.events) // 3
    seats = {0: Seat("red", "fox"), third: Seat("red", None), 2 * third: Seat("red", "fox")}
    events: list[Event] = []
    for number, event in enumerate(whole.events):
        events += [seats[number], event] if number in seats else [event]
    shared = Record(whole.game, whole.date, events=tuple(events))
    assert what_stands(shared) != what_stands(whole)
    plain, told = (analyse(one, 1, games=60, ends=exact()) for one in (whole, shared))
    assert told.accounts == plain.accounts
    assert set(told.credits) == {("yellow", None), ("red", None), ("red", "fox")}
    for colour, account in told.accounts.items():
        own = [one for (held, _), one in told.credits.items() if held == colour]
        assert sum(one.luck.value for one in own) == pytest.approx(account.own_luck.value)
        assert sum(one.given_away.value for one in own) == pytest.approx(account.given_away.value)
