"""What the page is told: a view as plain data, with every sentence in the reader's language."""

from collections.abc import Iterable
from gettext import NullTranslations
from typing import Any

from companion.languages import ENGLISH, LANGUAGES
from companion.referee import QUIET, Line, Step, Tally, View
from companion.rules import (
    BOARDS,
    SHEETS,
    AnyMove,
    Attempt,
    Board,
    Game,
    Hop,
    Lay,
    Mat,
    Move,
    Position,
    Refusal,
    Refused,
    judge,
)
from companion.rules.articles import Article, Sheet
from companion.rules.boards import BASE
from companion.rules.cards import stack_name
from companion.rules.house import switches_in
from companion.rules.names import LONGEST_NAME
from companion.rules.owing import is_bonus
from companion.screens import labels, notation, phrases, steps
from companion.screens.house_rules import meaning, option_text
from companion.screens.languages import words as words_of
from companion.screens.page import page_words
from companion.screens.shapes import sign

Told = dict[str, Any]

ADVICE = ("unfinished", "put_back", "taken_back", "taken_back_both", "no_move")


def state_of(view: View, language: str, simulated: bool = False) -> Told:
    """The table as it is now; of a `simulated` one it is told to people who have only a browser."""
    words = words_of(language)
    position = view.position
    told: Told = {
        "phase": view.phase,
        "paused": view.paused,
        "tone": view.tone,
        "look": view.channels.page,
        "button": view.channels.button,
        "ok": view.channels.ok,
        "hint": steps.hint(view, words),
        "made": view.made,
        "noticed": list(view.noticed),
        "question": _question(view, words),
        "no": notation.otherwise(view, words),
        "title": view.title,
        "levels": dict(view.box),
        "chances": labels.percents(view.chances),
        "fortunes": labels.fortunes(view, words),
        "luck": {
            one.colour: {
                "own": labels.luck_of(one.luck, one.error, words),
                "gave": labels.luck_of(one.gave, one.gave_error, words),
            }
            for one in (view.fortunes.players if view.fortunes is not None else ())
        },
        "weighing": view.phase == "over" and view.setting("chances") and view.fortunes is None,
        "board": SHEETS[view.sheet].board.name,
        "boxed": view.boxed,
        "draws": view.draws,
        "wish": _wish(view, words),
        "names": dict(view.names),
        "face": view.face,
        "rolled": None,
        "rolling": view.rolling,
        "handFace": view.hand_face,
        "sensing": view.sensing,
        "unseen": view.unseen,
        "provisional": view.provisional,
        "missing": labels.missing(view, words),
        "aside": list(view.aside),
        "settings": dict(view.settings),
        "pressed": list(view.pressed),
        "lines": [_line(line, view, words, simulated) for line in view.lines],
        "cursor": view.cursor,
        "house": labels.house(view, words),
        "notice": _notice(view, words, simulated),
        "good": view.notice is not None and view.notice.key in ADVICE,
        "remedy": _remedy(view, words),
        "refusals": [],
        "why": [],
        "tallies": [],
        "game": None,
        "turn": view.colour,
        "takesBack": view.takes_back,
        "ranking": list(view.ranking),
        "legal": [],
        "happenings": [],
        "pieces": {},
        "last": None,
    }
    if position is not None:
        told |= _of_game(view, position, words)
    return told


def _notice(view: View, words: NullTranslations, simulated: bool) -> str:
    """What is said besides; a hint has a line of its own."""
    if view.notice is None or view.notice.key in QUIET:
        return ""
    return labels.notice(view, words, simulated)


def _remedy(view: View, words: NullTranslations) -> list[Told]:
    """What hands have to do, where that is shown: as the squares light up."""
    if view.channels.squares not in ("blink", "fast"):
        return []
    return [
        {
            "from": step.origin,
            "to": step.target,
            "colour": step.colour,
            "text": _step(view, step, words),
        }
        for step in view.remedy
    ]


def _step(view: View, step: Step, words: NullTranslations) -> str:
    """A whole step as it is listed, and what is only put down, or only taken off, as a sentence."""
    if step.origin and step.target:
        return steps.listed(step, words)
    cards = view.position is not None and view.position.game.board.walked is None
    return steps.sentence(view, step, words, named=cards)


def _wish(view: View, words: NullTranslations) -> Told | None:
    """The move that the box's player wants, and who that is."""
    if view.wish is None or view.position is None or view.colour is None or view.phase != "move":
        return None
    return _move(view.position, view.wish, words)


def _question(view: View, words: NullTranslations) -> str:
    """What is asked, or what a menu is about."""
    if view.phase == "menu":
        return labels.title(view.title or "menu", words)
    if view.phase != "ask":
        return ""
    if view.title == "won":
        return f"{labels.in_words(view, view.ranking[0], words)} {labels.title('won', words)}"
    return labels.title(view.title, words)


def _of_game(view: View, position: Position, words: NullTranslations) -> Told:
    game = position.game
    passed = view.notice is not None and view.notice.key == "no_move"
    names = labels.names_of(view, words)
    return {
        "game": game_told(game, words),
        "rolls": position.rolls,
        "opening": _opening(position),
        "pieces": pieces(position),
        "rolled": _rolled(view, game, words),
        "last": _last(game, view.last),
        "legal": [_move(position, move, words) for move in view.legal],
        "refusals": [] if passed else [_refusal(view, game, one, words) for one in view.refusals],
        "why": _clauses(game, view.refusals, words) if passed else [],
        "tallies": [_tally(view, one, words) for one in view.tallies],
        "happenings": [
            {
                "what": one.what,
                "clause": one.clause,
                "text": phrases.happening(game, one, words, names),
            }
            for one in (() if _waits(view) else view.happenings)
        ]
        + _sends_back(view, game, words),
    }


def _waits(view: View) -> bool:
    """Whether what is said is about a pause or the menu: what a move brought is no news there."""
    return view.covered and view.notice is not None


def _sends_back(view: View, game: Game, words: NullTranslations) -> list[Told]:
    """What a six too many brings about, before it is done: hands are to know why."""
    back = labels.sends_back(view)
    if back is None:
        return []
    text = phrases.refusal(game, back, view.face, words)
    return [{"what": back.slip, "clause": back.clause, "text": text}]


def game_told(game: Game, words: NullTranslations) -> Told:
    return {
        "sheet": game.sheet.id,
        "title": title(game, words),
        "options": dict(game.options),
        "board": game.board.name,
        "faces": list(game.die.faces),
        "playing": [game.colours[seat] for seat in game.seats],
        "house": bool(switches_in(game.options, SHEETS[game.sheet.id])),
        "players": _players(game),
        "marks": _marks(game),
    }


def title(game: Game, words: NullTranslations) -> str:
    """What a game is called: its sheet, and the house rules that change it."""
    switches = switches_in(game.options, SHEETS[game.sheet.id])
    changed = [option_text(name, value, words) for name, value in switches.items()]
    return ", ".join((labels.value(Line("sheet", game.sheet.id), words), *changed))


def _players(game: Game) -> dict[str, list[str]]:
    """By the seat taken, the colours that its player has."""
    return {
        game.colours[seat]: [game.colours[one] for one in player]
        for player in game.players
        for seat in player
        if seat in game.seats
    }


def _marks(game: Game) -> dict[str, list[str]]:
    """The marks on the board that mean something in this game, with their squares."""
    return {
        mark: [str(square + 1) for square in squares]
        for mark, squares in game.marked_squares().items()
    }


def _opening(position: Position) -> dict[str, int] | None:
    if position.opening is None:
        return None
    return {position.game.colours[seat]: face for seat, face in position.opening}


def pieces(position: Position) -> dict[str, list[Any]]:
    """By colour, the places of its pieces; in the card game the heights of its stacks."""
    return position.game.all_standing(position)


def _rolled(view: View, game: Game, words: NullTranslations) -> Told | None:
    """Who rolled what lies there: a roll that is still to be played, or the one before.

    Nobody has rolled a bonus.
    """
    face, colour = view.face, view.colour
    if face is None and view.last is not None:
        face, colour = view.last.face, game.colours[view.last.seat]
    if face is None or colour is None:
        return None
    name, rolled = labels.in_words(view, colour, words), phrases.rolled(game, face, words)
    text = labels.word("rolled", words, name=name, rolled=rolled)
    return {"face": face, "text": "" if is_bonus(face) else text}


def _last(game: Game, move: AnyMove | None) -> Told | None:
    if isinstance(move, Move):
        origin, target = game.stops(move)
        return {"from": origin, "to": target, "colour": game.colours[move.seat]}
    return None


def _move(position: Position, move: AnyMove, words: NullTranslations) -> Told:
    game = position.game
    told: Told = {
        "move": game.move_text(move),
        "text": notation.move(position, move, words),
        "words": phrases.capital_move(game, move, words),
        "colour": game.colours[move.seat],
        "from": None,
        "to": None,
    }
    if isinstance(move, Move):
        told["from"], told["to"] = game.stops(move)
        told["size"] = move.size
    elif isinstance(move, Lay):
        told["stacks"] = [stack_name(game, move.seat, stack) for stack in move.stacks]
    return told


def _refusal(view: View, game: Game, why: Refusal, words: NullTranslations) -> Told:
    return {
        "clause": why.clause,
        "text": labels.refusal(view, why, words),
        "says": labels.clause(game, why.clause, words),
        "places": list(why.places),
    }


def why_not(view: View, origin: str, target: str, language: str) -> list[Told]:
    """Why a piece may not go from one place to another now; nothing if it may."""
    if view.position is None or view.face is None:
        return []
    game, words = view.position.game, words_of(language)
    verdict = judge(view.position, view.face, Attempt((Hop(origin, target),)))
    found = verdict.worth_saying if isinstance(verdict, Refused) else ()
    return [_refusal(view, game, one, words) for one in found]


def _clauses(game: Game, refusals: tuple[Refusal, ...], words: NullTranslations) -> list[Told]:
    """Every clause once, in its own words: whoever reads it is not the one who rolled."""
    ids = dict.fromkeys(one.clause for one in refusals)
    return [{"clause": one, "says": labels.clause(game, one, words)} for one in ids]


def _tally(view: View, tally: Tally, words: NullTranslations) -> Told:
    return {
        "name": labels.player(view, tally.colour, words),
        "colour": tally.colour,
        "rolls": tally.rolls,
        "mean": round(tally.total / tally.rolls, 1) if tally.rolls else 0,
        "hits": tally.captures,
        "lost": tally.lost,
    }


def _line(line: Line, view: View, words: NullTranslations, simulated: bool) -> Told:
    position = view.position
    if line.move is not None and position is not None:
        return {
            "text": notation.move(position, line.move, words),
            "value": "",
            "key": line.key,
            "move": position.game.move_text(line.move),
        }
    broken = line.key == "sensors" and bool(view.aside)  # a simulated one, too, if it flickers
    return {
        "key": line.key,
        "text": labels.line_of(view, line, words, simulated),
        "value": labels.value(line, words, simulated),
        "away": simulated and line.key in labels.OF_THE_BOX and not broken,
    }


# -- what never changes ------------------------------------------------------------------------


def boards() -> Told:
    """Every board as data: places with their spot on the grid, marks, and each colour's way."""
    return {name: _board(board) for name, board in BOARDS.items()}


def _board(board: Board | Mat) -> Told:
    told: Told = {
        "grid": board.grid,
        "colours": list(board.colours),
        "places": [list(place) for place in board.places],
    }
    track = board.walked
    if track is not None:
        told["marks"] = {
            mark: [str(square + 1) for square in track.marked(mark)] for mark in track.marks
        }
        told["ways"] = {
            colour: [track.spot(seat, step) for step in range(BASE, track.last + 1)]
            for seat, colour in enumerate(track.colours)
        }
    return told


def language_of(wanted: str, box: str = "") -> str:
    """The first language of a list (`fr,de,en`) that is spoken here; `box` is the box's own."""
    codes = (box if code == "box" else code for code in wanted.split(","))
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


def words_in(language: str, *, behind: bool = False, rules: bool = False) -> Told:
    """Everything that a page says in a language: its own words, colours, and the sheets.

    Pages `behind` the table (set-up, bench, joining) have words of their own, and need no sheets;
    the page on which house `rules` are made has words that the table needs not.
    """
    return {
        "language": language,
        "languages": LANGUAGES,
        "words": page_words(words_of(language), behind=behind, rules=behind or rules),
        "colours": colours(language),
        "longestName": LONGEST_NAME,
        "sheets": [] if behind else sheets(language),
    }


def sheets(language: str) -> list[Told]:
    """Every sheet with its options, for the form."""
    words = words_of(language)
    return [
        {
            "id": sheet.id,
            "title": labels.value(Line("sheet", sheet.id), words),
            "name": words.gettext(sheet.title),
            "about": words.gettext(sheet.about),
            "board": sheet.board.name,
            "colours": list(sheet.board.colours),
            "options": [
                {
                    "name": option.name,
                    "label": labels.line(Line(f"option:{option.name}"), words),
                    "about": meaning(_article(sheet, option.name), words),
                    "default": option.default,
                    "allowed": list(option.allowed),
                }
                for option in sheet.options
            ],
        }
        for sheet in SHEETS.values()
    ]


def _article(sheet: Sheet, option: str) -> Article | None:
    """The article that an option switches on; None where it has none."""
    return next((one for one in sheet.articles if one.option == option), None)


def clauses(language: str) -> dict[str, list[Told]]:
    """Every clause of every sheet, for whoever opens the rules."""
    return {sheet.id: _told(sheet.articles, language) for sheet in SHEETS.values()}


def articles(game: Game, language: str) -> list[Told]:
    """Every clause in force in a game."""
    return _told(game.articles, language)


def _told(some: Iterable[Article], language: str) -> list[Told]:
    words = words_of(language)
    return [{"id": one.id, "text": words.gettext(one.text)} for one in some]


def colours(language: str) -> dict[str, Told]:
    """The colours' names, and the signs by which they are told apart without colour."""
    words = words_of(language)
    return {
        name: {"name": phrases.colour(name, words), "sign": sign(name)} for name in phrases.COLOURS
    }
