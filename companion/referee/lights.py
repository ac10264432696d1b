"""Which places and lamps to light for a view."""

from companion.referee.effects import Light, View
from companion.rules import AnyMove, Game, Lay, Move
from companion.rules.cards import stack_name


def light(view: View) -> Light:
    """Legal moves blink where they start; where hands have something to do, as the tone has it.

    Of a player of the box only the move that it wants is lit.
    """
    places: dict[str, str] = {}
    channels = view.channels
    if view.phase == "move" and view.position is not None:
        for move in view.legal if view.wish is None else (view.wish,):
            stops = stops_of(view.position.game, move)
            places |= dict(zip(stops, ("blink", "on"), strict=False))
    if channels.squares in ("blink", "fast"):
        ends = [spot for step in view.remedy for spot in (step.origin, step.target)]
        places |= {spot: channels.squares for spot in (*ends, *view.noticed) if spot is not None}
    waits = channels.lamp == "roll" and view.phase in ("roll", "opening")
    return Light(places, good=waits, bad=channels.lamp == "bad")


def stops_of(game: Game, move: AnyMove) -> tuple[str, ...]:
    """The places a move is about."""
    if isinstance(move, Move):
        return game.stops(move)
    if isinstance(move, Lay):
        return tuple(stack_name(game, move.seat, stack) for stack in move.stacks)
    return ()
