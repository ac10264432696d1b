"""Who can capture whom with which roll: what players look at before they move.

It is asked of the same steps that the counting clauses let pass, so every sheet's own way to count
and its safe squares are in it. Barriers on the way are not: this is what a player sees at a glance.
"""

from companion.rules import Game, Position
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE
from companion.rules.cards import FULL, STACKS
from companion.rules.clauses import any_barrier, others_barrier, rival_block
from companion.rules.dutch import capture_or_return
from companion.rules.game import FACES
from companion.rules.indian import ends_on_two

SAFE_TOGETHER = frozenset(
    {others_barrier, rival_block, any_barrier, ends_on_two, capture_or_return}
)
"""The clauses under which two pieces on a square cannot be captured."""

Threats = dict[tuple[int, int, int, int], int]
"""By hunted seat and slot, and hunter's seat and slot: the faces that capture, as bits."""


def slot(game: Game, pieces: tuple[int, ...], number: int) -> int:
    """Where the worth of a piece stands in a player's list: by progress, or by stack and height."""
    if game.board.walked is None:
        return (FULL + 1) * number + pieces[number]
    return pieces[number] + 1


def threats(game: Game) -> Threats:
    """With which faces a piece captures another."""
    walked = game.walked
    return _with_cards(game) if walked is None else _on_a_board(walked)


def _on_a_board(game: BoardGame) -> Threats:
    found: Threats = {}
    for hunter in game.in_play:
        for face in FACES:
            steps, _ = game.steps[hunter][face]
            for origin in range(BASE, game.last + 1):
                for move in steps[origin]:
                    for hunted, at in game.rivals[hunter][move.target]:
                        key = hunted, at + 1, hunter, origin + 1
                        found[key] = found.get(key, 0) | 1 << (face - 1)
    return found


def _with_cards(game: Game) -> Threats:
    """With which faces a stack can grow to the height of another, the rest going elsewhere."""
    found: Threats = {}
    for stack in STACKS:
        for mine in range(1, FULL):
            for theirs in range(mine):
                needed = (mine - theirs) * stack
                faces = [face for face in FACES if face >= needed]
                if theirs == 0:
                    faces = [stack, 6] if mine == 1 else []
                mask, first = sum(1 << (face - 1) for face in faces), (FULL + 1) * (stack - 1)
                for seat in game.seats:
                    for other in game.seats:
                        if mask:
                            found[seat, first + mine, other, first + theirs] = mask
    return found


def two_are_safe(game: Game) -> bool:
    """Whether two pieces on a square cannot be captured."""
    walked = game.walked
    if walked is None:
        return False
    return any(clause in SAFE_TOGETHER for _, clause in (*walked.forbids, *walked.captures[False]))


def exposed(game: Game, position: Position, seat: int, number: int, together: bool) -> bool:
    """Whether a piece can be captured at all where it stands."""
    own = position.pieces[seat]
    at = own[number]
    board = game.board.walked
    if board is None:
        return 0 < at < FULL
    if at == BASE or at > board.track_end:
        return False
    return not together or own.count(at) == 1
