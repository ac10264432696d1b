"""Statistics of one game: what every colour has rolled, captured and lost so far."""

from companion.referee.effects import Tally
from companion.referee.match import Match
from companion.rules import outcome

_HITS = ("captured", "beaten")
_LOSSES = ("captured", "beaten", "sent_back", "penalty")


def tallies(match: Match) -> tuple[Tally, ...]:
    """One tally a colour that takes turns; rolls for the start do not count."""
    game = match.game
    rolls: dict[int, list[int]] = {seat: [] for seat in game.order}
    captures = dict.fromkeys(range(len(game.colours)), 0)
    lost = dict.fromkeys(range(len(game.colours)), 0)
    for past in match.past:
        if past.move is None or past.face is None or past.position.opening is not None:
            continue
        if past.position.due is None:  # nobody has rolled a bonus
            rolls[past.position.seat].append(past.face)
        for told in outcome(past.position, past.move).happenings:
            pieces = len(told.places) if told.what == "beaten" else 1
            captures[past.position.seat] += pieces if told.what in _HITS else 0
            lost[told.seat] += pieces if told.what in _LOSSES else 0
    rolled = match.face is not None and match.position.due is None
    if rolled and match.face is not None and match.position.opening is None:
        rolls[match.position.seat].append(match.face)
    return tuple(
        Tally(
            game.colours[seat],
            len(rolls[seat]),
            sum(rolls[seat]),
            rolls[seat].count(6),
            captures[seat],
            lost[seat],
        )
        for seat in game.order
    )
