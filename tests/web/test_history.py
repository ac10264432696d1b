"""What was played, as pages are told: packed where it is old, cut where moves are taken back."""

from random import Random

from companion.referee import Match
from companion.rules import game, legal_moves
from companion.web.history import TOGETHER, Entries, HistoryFeed


def test_packed_entries_are_those_that_were_added() -> None:
    rng = Random("entries")
    entries, plain = Entries(), list[bytes]()
    for number in range(3000):
        if rng.random() < 0.004:
            length = rng.randint(max(0, len(plain) - 5 * TOGETHER), len(plain))
            entries.cut(length)
            del plain[length:]
        text = b'{"move":%d}' % number
        entries.append(text)
        plain.append(text)
        assert len(entries) == len(plain)
        start = rng.randint(0, len(plain))
        assert list(entries.since(start)) == plain[start:]
    assert entries._packed


def test_a_game_is_told_the_same_from_anywhere_and_in_any_portions() -> None:
    rng, match = Random("told"), Match(game("german"))
    match.started()
    for number in range(600):
        face = rng.randint(1, 6)
        match.roll(face, number)
        match.play(rng.choice(legal_moves(match.position, face)))
        if match.over or rng.random() < 0.05:
            match.take_back()
    feed = HistoryFeed()
    feed.follow(match, len(match.deeds))
    feed.catch_up()
    whole = feed.entries("en")
    assert len(whole) == len(feed.deeds) > 3 * TOGETHER
    portions: list[bytes] = []
    while len(portions) < len(whole):
        portions += feed.entries("de", len(portions), lambda size: size > 2000)
    again = [feed.entries("de", start) for start in (0, 1, TOGETHER, len(whole) - 1, len(whole))]
    assert again == [portions[s:] for s in (0, 1, TOGETHER, len(whole) - 1, len(whole))]
