"""Which places and lamps to light for a view."""

from companion.referee.effects import Light, View
from companion.referee.phases import PUTTING_RIGHT
from companion.rules import AnyMove, Game, Lay, Move
from companion.rules.boardgame import BoardGame
from companion.rules.cards import stack_name


def light(view: View) -> Light:
    """Legal moves blink where they start; what is wrong blinks fast."""
    places: dict[str, str] = {}
    if view.phase == "move" and view.position is not None:
        for move in view.legal:
            stops = stops_of(view.position.game, move)
            places |= dict(zip(stops, ("blink", "on"), strict=False))
    elif view.phase in (*PUTTING_RIGHT, "setting"):
        for step in view.remedy:
            places |= {spot: "fast" for spot in step if spot is not None}
    return Light(places, good=view.phase in ("roll", "opening"), bad=view.phase == "illegal")


def stops_of(game: Game, move: AnyMove) -> tuple[str, ...]:
    """The places a move is about."""
    if isinstance(move, Move) and isinstance(game, BoardGame):
        return game.stops(move)
    if isinstance(move, Lay):
        return tuple(stack_name(game, move.seat, stack) for stack in move.stacks)
    return ()
