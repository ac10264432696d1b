"""A view for every screen, in every sheet and language: for pictures, tests and measuring."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from companion.defaults import DEFAULTS, SETTINGS
from companion.referee import Line, Network, Notice, Step, Tally, View
from companion.referee.effects import Fortunes, Luck, Moment
from companion.referee.menus import (
    Choice,
    lines_between_games,
    lines_of_players,
    lines_of_sensors,
    text_of,
)
from companion.rules import (
    SHEETS,
    Accepted,
    AnyMove,
    Attempt,
    Hop,
    Pass,
    Position,
    Refused,
    game,
    judge,
    legal_moves,
    outcome,
    recall_position,
)
from companion.rules.levels import LEVELS
from companion.rules.places import base_of

MIDGAME = {
    "german": "german | yellow Y.B 1 12 Y.b | green G.B G.B 18 40 | red R.B 25 31 R.a "
    "| black K.B 5 22 K.d | turn yellow",
    "british": "british | red R.B 12 40 R.3 | green G.B 20 20 66 | yellow Y.H 33 51 Y.B "
    "| blue B.B 8 61 B.H | turn red",
    "dutch": "dutch | red R.B 4 23 51 | blue B.B 9 9 30 | yellow Y.B Y.B 13 29 "
    "| green G.B 41 46 G.H | turn red",
    "pairs": "pairs | red R.B 4 4 23 | green G.B 9 9 44 | yellow Y.B 27 35 Y.2 "
    "| blue B.B 35 50 B.H | turn red",
    "indian": "indian | red R.B 4 4 23 | green G.B 9 17 44 | yellow Y.B 27 35 Y.2 "
    "| blue B.B 35 50 B.H | turn red",
    "parchis": "parchis | red R.B 12 40 R.3 | blue B.B 22 22 66 | yellow Y.H 44 51 Y.B "
    "| green G.B 8 61 G.H | turn red",
    "cards": "cards | red 0 2 1 6 | green 1 3 0 4 | yellow 2 2 5 0 | blue 6 1 1 1 | turn red",
}
"""A position in the middle of a game of each sheet; red or yellow is to move."""

FACES = {
    "german": 4,
    "british": 6,
    "dutch": 4,
    "pairs": 6,
    "indian": 6,
    "parchis": 4,
    "cards": 4,
}
"""A roll with several moves."""

STUCK = {
    "german": ("yellow Y.B Y.B Y.c Y.d | green 20 | red 25 | black 33 | turn yellow", 5),
    "british": ("red R.B R.B R.7 R.H | green 20 | yellow 40 | blue 30 | turn red", 5),
    "dutch": ("red R.B R.B 51 R.H | blue 9 | yellow 13 | green 41 | turn red", 2),
    "pairs": ("red R.B R.B R.5 R.H | green 9 | yellow 27 | blue 50 | turn red", 4),
    "indian": ("red R.B R.B R.5 R.H | green 9 | yellow 27 | blue 50 | turn red", 4),
    "parchis": ("red R.B R.B R.7 R.H | blue 20 | yellow 40 | green 61 | turn red", 4),
    "cards": ("red 5 6 6 6 | green 1 3 0 4 | yellow 2 2 5 0 | blue 6 1 1 1 | turn red", 5),
}
"""A roll with no move."""

WRONG = {
    "german": "12>17",
    "british": "12>16",
    "dutch": "4>7",
    "pairs": "23>27",
    "indian": "23>27",
    "parchis": "12>17",
    "cards": "R.1",
}
"""Something hands did there that is not allowed."""

NAMES = {"yellow": "Anna", "red": "Bo", "green": "Christopher", "blue": "Dirk", "black": "Els"}


def samples(sheet: str, language: str = "en") -> dict[str, View]:
    """Every screen for one sheet, by name."""
    settings = {**DEFAULTS, "language": language}
    found = {}
    for name, view in _views(sheet):
        lines = tuple(
            line._replace(value=language) if line.key == "language" else line for line in view.lines
        )
        found[name] = replace(view, settings=settings, lines=lines)
    return found


def _views(sheet: str) -> Iterator[tuple[str, View]]:
    here = recall_position(MIDGAME[sheet])
    yield "idle", View()
    yield from _menus(sheet, here)
    yield from _beginnings(sheet)
    yield from _rolls(sheet, here)
    yield from _moves(sheet, here)
    yield from _hints(sheet, here)
    yield from _wrongs(sheet, here)
    yield from _ends(here)


def _position(sheet: str, text: str) -> Position:
    """A position of which only some pieces are named; the others wait in their bases."""
    parts = []
    for part in text.split(" | "):
        colour, *spots = part.split()
        base = base_of(colour)
        short = colour != "turn" and sheet != "cards"
        parts.append(" ".join([colour, *[base] * (4 - len(spots) if short else 0), *spots]))
    return recall_position(" | ".join([sheet, *parts]))


def _menus(sheet: str, here: Position) -> Iterator[tuple[str, View]]:
    choice = Choice(sheet)
    settings = [Line(key, text_of(DEFAULTS[key])) for key in SETTINGS]
    lines = lines_between_games(choice, settings[0], played=False, undo=False, bench=True)
    menu = View("menu", title="menu", lines=lines)
    for first in range(0, len(menu.lines), 5):
        yield f"menu-{first}", replace(menu, cursor=first)
    alone = tuple(line._replace(value="off") for line in menu.lines if line.key[:4] == "seat")[1:]
    too_few = tuple({line.key: line for line in (*menu.lines, *alone)}.values())
    yield "menu-notice", replace(menu, lines=too_few, notice=Notice("too_few_players"))
    settings.append(Line("sensing", "presence"))
    inner = View("menu", title="settings", lines=(*settings, Line("back")))
    yield "menu-settings", inner
    yield "menu-settings-end", replace(inner, cursor=len(inner.lines) - 1)
    phones = (Line("open_page", "on"), Line("back"))
    way_in = Network(True, "ludo-companion.local:8080", "471100")
    yield "menu-phones", View("menu", title="phones", lines=phones, network=way_in)
    new = View("menu", here, title="new_game", lines=(Line("start"), *choice.lines(), Line("back")))
    yield "menu-new-game", new
    seats = [here.game.colours[seat] for seat in here.game.order]
    box = dict(zip(seats, LEVELS, strict=False))
    playing = (*lines_of_players(seats, dict(list(box.items())[1:])),)
    yield "menu-players", View("menu", here, title="players", lines=playing, box=box)
    keys = ("players", "statistics", "settings", "pause", "new_game", "end_game", "shut_down")
    spot = here.game.board.places[0].name
    lines = (Line("back"), Line("ruling"), Line("take_back"), Line("sensors"), *map(Line, keys))
    in_game = View("menu", here, title="menu", lines=lines)
    for cursor, name in ((1, ""), (5, "-middle"), (10, "-end")):
        yield f"menu-in-game{name}", replace(in_game, cursor=cursor)
    goes_on = tuple(Line("resume") if line.key == "pause" else line for line in lines)
    yield "menu-paused", replace(in_game, lines=goes_on, cursor=7, paused=True)
    yield "sensors", View("menu", here, title="sensors", lines=lines_of_sensors([spot], [spot]))
    colours = [here.game.colours[seat] for seat in here.game.seats]
    lines = (*(Line(f"phone:{colour}") for colour in colours), Line("back"))
    yield "codes", View("menu", here, title="codes", lines=lines)
    lines = (Line("back"), Line(f"put_off:{colours[0]}"))
    phone = View("menu", here, title=f"phone:{colours[0]}", lines=lines)
    yield "phone", phone
    yield "phone-is-off", replace(phone, cursor=1, notice=Notice("phone_is_off"))
    tallies = tuple(
        Tally(here.game.colours[seat], 20 + 7 * seat, 70 + 26 * seat, seat, 3 - seat, seat)
        for seat in here.game.order
    )
    lines = (Line("back"),)
    shown = View("menu", here, title="statistics", lines=lines, tallies=tallies)
    yield "statistics", shown
    chances = dict(zip(seats, (0.42, 0.31, 0.2, 0.07), strict=False))
    yield "statistics-chances", replace(shown, chances=chances, page=1)
    parts = ((0.12, 0.05), (-0.08, 0.04), (0.02, 0.05), (-0.06, 0.03))
    lucks = tuple(
        Luck(seat, luck, error, 0.03, 0.02)
        for seat, (luck, error) in zip(seats, parts, strict=False)
    )
    move = legal_moves(here, FACES[sheet])[0]
    fortunes = Fortunes(lucks, seats[0], Moment(seats[0], move, 0.13), Moment(seats[1], move, 0.07))
    for page in range(1, 4):
        yield f"statistics-luck-{page}", replace(shown, fortunes=fortunes, page=page)
    over = replace(here, home=here.game.order[:3], seat=-1)
    yield "menu-luck-off", replace(shown, position=over, over=True, page=1)


def _beginnings(sheet: str) -> Iterator[tuple[str, View]]:
    start = game(sheet).start()
    yield "setting", View("setting", start, sensing="choose")
    if start.game.board.walked is not None:
        whose = [start.game.spot(seat, -1) for seat in start.game.seats]
        seats = [start.game.colours[seat] for seat in start.game.seats]
        ways = zip(whose, seats, strict=True)
        steps = tuple(Step(None, spot, colour) for spot, colour in ways for _ in range(3))
        steps += (Step("7", None), Step("9", whose[0]))
        yield "setting-pieces", View("setting", start, remedy=steps)
    yield "opening", View("opening", start)
    thrown = start
    for face in (5, 3, 2):
        thrown = outcome(thrown, thrown.game.passes[thrown.seat][face]).position
    yield "opening-last", View("opening", thrown)
    begun, told = outcome(thrown, thrown.game.passes[thrown.seat][1])
    yield "begins", View("roll", begun, happenings=told, last=Pass(3, 1))


def _rolls(sheet: str, here: Position) -> Iterator[tuple[str, View]]:
    roll = View("roll", here)
    yield "roll", roll
    yield "roll-three", View("roll", replace(here, rolls=3))
    yield "rolling", replace(roll, rolling=True)
    yield "roll-by-hand", replace(roll, hand_face=3)
    for seat in here.game.order:
        turn = replace(here, seat=seat)
        yield f"roll-{here.game.colours[seat]}", View("roll", turn)
        yield f"roll-{here.game.colours[seat]}-named", View("roll", turn, names=NAMES)
    box = {here.game.colours[here.seat]: "fox"}
    yield "box-roll", replace(roll, box=box)
    yield "box-roll-named", replace(roll, box={**box, **dict.fromkeys(NAMES, "butterfly")})
    yield "die-missing", replace(roll, missing=("die",), hand_face=5)
    for key in (
        "fumbled",
        "roll_the_die",
        "taken_back",
        "taken_back_both",
        "ruled",
        "put_back",
        "not_now",
    ):
        yield f"roll-{key}", replace(roll, notice=Notice(key))
    for key in ("nothing_to_take_back", "cannot_rule"):
        yield f"roll-{key}", replace(roll, notice=Notice(key))
    spot = here.game.board.places[0].name
    yield "sensor", replace(roll, notice=Notice("sensor_flickers", (spot,)), aside=(spot,))
    text, face = STUCK[sheet]
    stuck = _position(sheet, text)
    (passed,) = legal_moves(stuck, face)
    after, told = outcome(stuck, passed)
    reasons = stuck.game.why_pass(stuck, face)
    no_move = View("roll", after, notice=Notice("no_move"), refusals=reasons, last=passed)
    yield "no-move", replace(no_move, happenings=told)
    for name, move in _telling(here):
        after, told = outcome(here, move)
        if not after.over:
            accepted = View("roll", after, last=move, happenings=told, provisional=True)
            yield f"accepted-{name}", accepted


def _telling(here: Position) -> Iterator[tuple[str, AnyMove]]:
    """One move for each thing that a move can bring about."""
    seen = set()
    for face in range(1, 7):
        for move in legal_moves(here, face):
            what = outcome(here, move).happenings
            name = what[0].what if what else "plain"
            if name not in seen and not isinstance(move, Pass):
                seen.add(name)
                yield name, move


def _moves(sheet: str, here: Position) -> Iterator[tuple[str, View]]:
    for face in range(1, 7):
        moves = tuple(legal_moves(here, face))
        if isinstance(moves[0], Pass):
            continue
        lines = tuple(Line("move", move=move) for move in moves)
        view = View("move", here, face=face, legal=moves, lines=lines, cursor=-1)
        yield f"move-{face}", view
        if face == FACES[sheet]:
            yield from _choices(view)


def _choices(view: View) -> Iterator[tuple[str, View]]:
    yield "choose", replace(view, cursor=0, sensing="choose")
    yield "choose-last", replace(view, cursor=len(view.lines) - 1, sensing="choose")
    yield "board-missing", replace(view, cursor=-1, missing=("board",))
    yield "move-choose", replace(view, notice=Notice("choose"))
    spot = view.position.game.board.places[0].name if view.position else ""
    yield "move-nothing-there", replace(view, notice=Notice("nothing_there", (spot,)))
    first = view.legal[0]
    yield "pressed", replace(view, sensing="touch", pressed=_first_press(view, first))
    asked = replace(view, phase="ask", title="have_moved", lines=view.lines[:1], cursor=0)
    yield "have-moved", asked
    yield "which-move", replace(view, phase="ask", title="which_move", cursor=0)
    yield "answer-first", replace(asked, notice=Notice("answer_first"))
    box = {view.colour or "": "fox"}
    yield "box-thinks", replace(view, box=box)
    wish = view.legal[-1]
    yield "box-move", replace(view, box=box, wish=wish, lines=view.lines[::-1])
    yield "box-rolled", replace(view, box=box, wish=wish, notice=Notice("box_rolled"))
    yield "box-helpless", replace(view, box=box, notice=Notice("move_for_it"))
    yield "let-it-stand", replace(asked, title="let_it_stand", box=box, wish=wish)


def _hints(sheet: str, here: Position) -> Iterator[tuple[str, View]]:
    """Something is half done, before a roll and with a roll that lies."""
    if here.game.board.walked is None:
        return
    mine = [here.game.spot(here.seat, piece) for piece in here.pieces[here.seat]]
    on_track = next(spot for spot in mine if spot.isdecimal())
    beside = str(int(on_track) + 1)
    rival = next(seat for seat in here.game.order if seat != here.seat)
    theirs = here.game.colours[rival]
    whose = here.game.colours[here.seat]
    moves = tuple(legal_moves(here, FACES[sheet]))
    lines = tuple(Line("move", move=move) for move in moves)
    roll = View("roll", here)
    move = View("move", here, face=FACES[sheet], legal=moves, lines=lines, cursor=-1)
    opening = View("opening", here.game.start())
    told: dict[str, dict[str, Any]] = {
        "captured": {"remedy": (Step(None, here.game.spot(rival, -1), theirs),)},
        "pushed": {"remedy": (Step(beside, on_track, whose),)},
        "put": {"remedy": (Step(None, on_track, whose),)},
        "unknown": {"remedy": (Step(beside, None), Step(None, on_track))},
        "in-hand": {"notice": Notice("in_hand", (on_track,))},
        "check": {"notice": Notice("check_colours", (on_track, here.game.spot(rival, -1)))},
    }
    for name, changes in told.items():
        yield f"hint-{name}", replace(roll, **changes)
        yield f"hint-{name}-named", replace(roll, names=NAMES, **changes)
        yield f"hint-{name}-move", replace(move, **changes)
    for name in ("captured", "pushed"):
        yield f"hint-{name}-made", replace(move, made=True, **told[name])
        yield f"hint-{name}-made-named", replace(move, made=True, names=NAMES, **told[name])
    yield "hint-opening", replace(opening, **told["captured"])
    yield "hint-missing", replace(move, missing=("die",), **told["captured"])


def _first_press(view: View, move: AnyMove) -> tuple[str, ...]:
    assert view.position is not None
    return view.position.game.stops(move)[:1]


def _wrongs(sheet: str, here: Position) -> Iterator[tuple[str, View]]:
    face = FACES[sheet]
    origin, _, target = WRONG[sheet].partition(">")
    tried = Attempt((Hop(origin, target) if target else Hop(None, origin),))
    verdict = judge(here, face, tried)
    assert isinstance(verdict, Refused), (sheet, verdict)
    whose = here.game.colours[here.seat]
    back = (Step(target, origin, whose),) if target else (Step(origin, None),)
    moves = verdict.instead
    lines = tuple(Line("move", move=move) for move in moves)
    wrong = View(
        "illegal",
        here,
        face=face,
        legal=moves,
        lines=lines,
        refusals=verdict.refusals,
        remedy=back,
    )
    for page in range(6):
        yield f"illegal-{page}", replace(wrong, page=page)
    yield "illegal-notice", replace(wrong, notice=Notice("put_it_right"))
    early = judge(here, None, tried)
    assert isinstance(early, Refused)
    yield "illegal-early", View("illegal", here, refusals=early.refusals, remedy=back)
    if target:
        base = here.game.spots(here.seat, (-1,))
        steps = (Step(target, origin, whose), Step(None, base, whose))
        yield "restore", View("restore", here, notice=Notice("taken_back"), remedy=steps)
        yield "restore-quiet", View("restore", here, remedy=steps)
        yield "restore-unseen", View("restore", here, remedy=steps, sensing="touch")
        halves = (Step(target, None), Step(origin, None, whose), Step(None, origin))
        out = Step(base, target, whose)
        yield "restore-half", View("restore", here, remedy=(*halves, out))
    if sheet == "german":
        yield "penalty", _penalty()


def _penalty() -> View:
    text = "yellow Y.B Y.B 3 12 | green 16 | red 25 | black 33 | turn yellow"
    before = _position("german+compulsory_capture", text)
    verdict = judge(before, 4, Attempt((Hop("3", "7"),)))
    assert isinstance(verdict, Accepted)
    there, told = verdict.outcome
    steps = (Step("12", "Y.B", "yellow"),)
    return View("penalty", there, happenings=told, remedy=steps, last=verdict.move)


def _ends(here: Position) -> Iterator[tuple[str, View]]:
    yield "paused", View("paused", here)
    sheet = here.game.sheet.id
    if here.game.board.walked is not None:
        home = here.game.order
        done = replace(here, home=home[:3], seat=-1)
        yield "over", View("over", done)
        yield "over-named", View("over", done, names=NAMES)
        won = replace(here, home=home[:1], seat=home[1])
        lines = (Line("play_on"), Line("end_game"))
        yield "won", View("ask", won, title="won", lines=lines, cursor=0)
    else:
        yield "over", View("over", replace(here, home=here.game.order[:1], seat=-1))
    yield "ended", View("over", recall_position(MIDGAME[sheet]))


def every() -> Iterator[tuple[str, str, str, View]]:
    """Sheet, language, name and view of every screen."""
    languages: tuple[Any, ...] = SETTINGS["language"]
    for language in languages:
        for sheet in SHEETS:
            for name, view in samples(sheet, language).items():
                yield sheet, language, name, view
