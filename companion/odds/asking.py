"""What another process can ask of the odds: a question and its answer as plain data.

Ask for `chances`, a `move` of a level, or a `hint`; positions and moves go as text. Answers carry
the position they belong to, so that whoever has gone on meanwhile can leave them be. What cannot be
meant is answered with a sentence in `error`.
"""

from typing import Any

from companion.odds.chances import GAMES, Estimate, odds
from companion.odds.ends import known_ends
from companion.odds.luck import Moment, analyse, what_stands
from companion.odds.thinking import HINT_GAMES, chosen_move, hint
from companion.rules import BadInput, Lay, Move, Pass, Position, recall_position
from companion.rules.levels import STRONGEST
from companion.rules.owing import is_bonus
from companion.rules.records import Record, record

MOST_GAMES = 100_000
LUCK_GAMES = 300
Told = dict[str, Any]


def answer(question: Told) -> Told:
    """The answer to one question."""
    try:
        return _answered(question)
    except BadInput as fault:
        return {"error": str(fault)}


def _answered(question: Told) -> Told:
    kind = question.get("ask")
    if kind == "luck":
        return _luck(question)
    if kind not in ASKED:
        raise BadInput(f"cannot ask for {kind!r}: choose from {', '.join(ASKED)}")
    text = question.get("position")
    if not isinstance(text, str):
        raise BadInput("a question needs a position")
    position = recall_position(text)
    found: Told = ASKED[kind](position, question)
    return {"position": text, "face": question.get("face"), **found}


def _chances(position: Position, question: Told) -> Told:
    face = question.get("face")
    told = odds(
        position,
        _number(question, "seed", 1),
        _number(question, "games", GAMES),
        None if face is None else _rolled(position, face),
        ends=known_ends((position,)),
    )
    return {
        "win": {colour: _pair(one) for colour, one in told.win.items()},
        "rank": {colour: _pair(one) for colour, one in told.rank.items()},
        "games": told.games,
        "slow": told.why_slow,
    }


def _move(position: Position, question: Told) -> Told:
    face = _rolled(position, question.get("face"))
    level = question.get("level")
    if not isinstance(level, str):
        raise BadInput("a move is asked of a level, for instance 'fox'")
    seed, ends = _number(question, "seed", 1), None
    if level == STRONGEST:
        ends = known_ends((position,))
    move = chosen_move(position, face, level, seed, ends)
    return {"move": position.game.move_text(move)}


def _hint(position: Position, question: Told) -> Told:
    face = _rolled(position, question.get("face"))
    seed, games = _number(question, "seed", 1), _number(question, "games", HINT_GAMES)
    told = hint(position, face, seed, games, ends=known_ends((position,)))
    text = None if told.move is None else position.game.move_text(told.move)
    margin, choices = _pair(told.margin), len(told.values)
    return {"move": text, "margin": margin, "places": told.places, "choices": choices}


def _luck(question: Told) -> Told:
    """A whole game taken apart."""
    text = question.get("record")
    if not isinstance(text, str):
        raise BadInput("a question about luck needs a record")
    found = record(text)
    if not any(isinstance(event, Move | Lay | Pass) for event in found.events):
        raise BadInput("nobody has rolled yet in this game")
    seed, games = _number(question, "seed", 1), _number(question, "games", LUCK_GAMES)
    told = analyse(found, seed, games, known_ends(one.after for one in what_stands(found)))
    return {
        "position": str(found.position),
        "luck": {c: _pair(one.own_luck) for c, one in told.accounts.items()},
        "gave": {c: _pair(one.given_away) for c, one in told.accounts.items()},
        "luckiest": told.luckiest,
        "roll": _moment(told.best_roll, found),
        "move": _moment(told.worst_move, found),
        "games": told.games,
        "slow": told.why_slow,
    }


def _moment(one: Moment | None, found: Record) -> Told | None:
    """A roll or a move that changed much, if it did by more than twice the error."""
    if one is None or one.change.value <= 2 * one.change.error:
        return None
    game = found.game
    return {
        "colour": one.colour,
        "move": game.move_text(one.move),
        "instead": None if one.instead is None else game.move_text(one.instead),
        "change": _pair(one.change),
    }


ASKED = {"chances": _chances, "move": _move, "hint": _hint}


def _rolled(position: Position, face: Any) -> int:
    """A face with which something can be played there."""
    if not isinstance(face, int) or isinstance(face, bool):
        raise BadInput(f"a roll is a number, not {face!r}")
    if position.over:
        raise BadInput("the game is over: nobody moves")
    if is_bonus(face) != (position.due is not None):
        raise BadInput(f"{face} cannot be played there")
    if not is_bonus(face):
        position.game.face(face)
    return face


def _number(question: Told, name: str, default: int) -> int:
    value = question.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 62:
        raise BadInput(f"{name} is a number, not {value!r}")
    if name == "games" and not 1 <= value <= MOST_GAMES:
        raise BadInput(f"{value} play-outs cannot be asked for: {MOST_GAMES} are the most")
    return value


def _pair(one: Estimate) -> list[float]:
    return [round(one.value, 5), round(one.error, 5)]
