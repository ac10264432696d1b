"""The short words of the screens: titles, menu lines, notices and what to do next."""

from collections.abc import Mapping, Sequence
from gettext import NullTranslations

from companion.languages import LANGUAGES
from companion.referee import Line, View
from companion.referee.effects import Fortunes
from companion.referee.menus import text_of
from companion.rules import Game, Refusal
from companion.rules.places import is_apart
from companion.screens import phrases
from companion.screens.phrases import ENGLISH, N_

# Notices, by the key that the referee says. {at} is where: "on square 12"; {pieces} are pieces
# and where they stand: "Blue on 33, Yellow (base)", or where they came from: "Red (from 12)".
NOTICES = {
    "advice_best": N_("Best: {move}. Of 100 games it wins {points} more than the next best."),
    "advice_failed": N_("No hint can be given now."),
    "advice_later": N_("Hints are about a move: roll first."),
    "advice_none": N_("No move is clearly better: the best two are too close to tell."),
    "advice_off": N_("Hints are switched off."),
    "advice_only": N_("There is only one move."),
    "advice_over": N_("The game is over: there is nothing left to move."),
    "advice_place": N_(
        "Best: {move}. In 100 games it gains {points} more places than the next best."
    ),
    "advice_thinks": N_("Looking for the best move …"),
    "answer_first": N_("That roll did not count: please answer first."),
    "box_passes": N_("{name} passes."),
    "box_rolled": N_("{turn} has rolled already: move as shown."),
    "cannot_play_so": N_("It cannot be played like that: change colours or options."),
    "cannot_rule": N_("That cannot be let stand."),
    "check_colours": N_("Please check: {pieces}."),
    "choose": N_("Choose with up and down, then press OK."),
    "fumbled": N_("That was no proper throw: roll again."),
    "in_hand": N_("In the hand: {pieces}."),
    "let_go": N_("Forgotten. Press again."),
    "move_for_it": N_("{turn} does not know what to move: choose for it."),
    "no_game": N_("No game is on. Press OK for the menu."),
    "no_house": N_("Nobody would hear it: the house cannot be reached."),
    "no_move": N_("{name} rolled {rolled}: nothing can move."),
    "not_now": N_("That cannot be done now."),
    "phone_is_off": N_("The old phone is off."),
    "nothing_there": N_("No piece stands {at}."),
    "nothing_to_take_back": N_("There is nothing to take back."),
    "pieces_missing": N_("Not all pieces are in place yet."),
    "put_back": N_("Thank you, now the board is right."),
    "put_it_right": N_("First put the pieces right."),
    "roll_the_die": N_("Roll the die."),
    "ruled": N_("Let stand by house ruling."),
    "sensor_flickers": N_("The sensor {at} flickers. It is set aside: press OK after moves there."),
    "taken_back": N_("The move is taken back."),
    "taken_back_both": N_("The move is taken back, and the box's answer with it."),
    "too_few_players": N_("At least two colours have to play: say yes to one more."),
}

# Why a game cannot be played as it was chosen, where the menu shows it.
ONE_PLAYER = N_("{colours} belong to one player: choose colours that sit side by side.")
PLAYERS_NEEDED = {
    "two_colours_each": (2, N_("Two colours each is for two players: choose two colours.")),
    "neutral_colour": (3, N_("The neutral colour is for three players: choose three colours.")),
}

# Pieces in a notice: {who} is "Blue", or "Blue and Red"; {place} is "33", or "base".
STANDING = N_("{who} on {place}")
INSIDE = N_("{who} ({place})")
LIFTED = N_("{who} (from {place})")
NOBODY = N_("nobody")

MISSING = {
    "die": N_("The die is missing. Plug it in, or enter rolls: up, down, OK."),
    "board": N_("The board is missing. Plug it in, or choose moves: up, down, OK."),
    "stacks": N_("The stacks' buttons are missing. Plug them in, or choose: up, down, OK."),
    "buttons": N_("The buttons are missing. Plug them in."),
    "oled": N_("The small screen is missing. Plug it in."),
    "journal": N_("This game is not being kept: the disk is full, broken or in use. Play on."),
    "house": N_("The house does not let this table in: companion doctor says why. Play on."),
    "house-password": N_("The house does not know this table's password. Play on."),
    "house-certificate": N_("This is not the house's certificate, or the clock is wrong. Play on."),
    "house-access": N_("The house does not let this table speak under its name. Play on."),
    "house-twin": N_("Another table in the house has the same name. Play on."),
    "house-clock": N_("The clocks of this box and the house differ. Play on."),
    "disk": N_("Games are lost when the power goes off: no disk keeps them."),
    "": N_("{device} is missing. Plug it in."),
}

TITLES = {
    "idle": N_("Ludo companion"),
    "menu": N_("Menu"),
    "settings": N_("Settings"),
    "new_game": N_("New game"),
    "offer_game": N_("End this game?"),
    "players": N_("Who plays?"),
    "let_it_stand": N_("Let it stand?"),
    "statistics": N_("Statistics"),
    "phones": N_("Phones"),
    "setting": N_("Set the pieces"),
    "setting_cards": N_("Lay the cards"),
    "opening": N_("Who begins?"),
    "have_moved": N_("Is this your move?"),
    "which_move": N_("Which move?"),
    "won": N_("wins!"),
    "illegal": N_("STOP"),
    "restore": N_("Put right"),
    "penalty": N_("Penalty"),
    "paused": N_("Paused"),
    "phone": N_("Phone"),
    "codes": N_("Play by phone"),
    "sensors": N_("Sensors"),
    "over": N_("Game over"),
}

LINES = {
    "advice": N_("Hints"),
    "advise": N_("Give me a hint"),
    "back": N_("Back"),
    "bench": N_("Test the board"),
    "box_rolls": N_("Box rolls itself"),
    "brightness": N_("Brightness"),
    "call": N_("Call for help"),
    "chances": N_("Who will win"),
    "codes": N_("Play by phone"),
    "end_game": N_("End this game"),
    "language": N_("Language"),
    "new_game": N_("New game"),
    "open_page": N_("Open to the house"),
    "own_sheet": N_("Rules"),
    "pause": N_("Pause"),
    "phones": N_("Phones"),
    "play_on": N_("Play on"),
    "players": N_("Who plays?"),
    "put_off": N_("New code"),
    "resume": N_("Go on"),
    "rotation": N_("Upside down"),
    "ruling": N_("Let it stand"),
    "sensing": N_("Board"),
    "sensors": N_("Sensors"),
    "set_aside": N_("Ignore sensor"),
    "settings": N_("Settings"),
    "sheet": N_("Rules"),
    "shut_down": N_("Shut down"),
    "speech": N_("Speech"),
    "start": N_("Start the game"),
    "statistics": N_("Statistics"),
    "strictness": N_("Referee"),
    "take_back": N_("Take back"),
    "use_again": N_("Use sensor"),
    "volume": N_("Volume"),
}

OPTIONS = {
    "barriers": N_("Barriers"),
    "capture_backwards": N_("Capture backwards"),
    "compulsory_capture": N_("Must capture"),
    "neutral_colour": N_("Neutral colour (3)"),
    "no_jumping_in_finish": N_("No jumps at the end"),
    "pieces": N_("Pieces"),
    "plain_die": N_("Plain die"),
    "three_rolls": N_("Three rolls"),
    "two_colours_each": N_("Two colours each (2)"),
}

SHEET_NAMES = {
    "german": N_("German"),
    "cards": N_("Cards"),
    "british": N_("British"),
    "dutch": N_("Dutch"),
    "pairs": N_("Pairs"),
    "indian": N_("Indian"),
    "parchis": N_("Parchís"),
}

VALUES = {
    "on": N_("yes"),
    "off": N_("no"),
    "presence": N_("sensors"),
    "touch": N_("press"),
    "choose": N_("by menu"),
    "strict": N_("strict"),
    "gentle": N_("gentle"),
    "person": N_("person"),
    "butterfly": N_("butterfly"),
    "hare": N_("hare"),
    "cat": N_("cat"),
    "fox": N_("fox"),
}
"""Also the players of the box, by level."""

# The same on the page of a simulated table, where nobody has a box with buttons.
SIMULATED_NOTICES = {
    "choose": N_("Choose a move from the list, or drag a piece to a ringed square."),
    "no_game": N_("No game is on: start a new one."),
}
SIMULATED_LINES = {
    "sensing": N_("How moves are seen"),
    "shut_down": N_("Stop the program"),
}
SIMULATED_VALUES = {
    "presence": N_("sensors under the squares"),
    "touch": N_("buttons at the squares"),
    "choose": N_("chosen from the list"),
}
OF_THE_BOX = ("brightness", "rotation", "bench", "sensors")
"""Lines about a screen, a board or sensors that there are not."""

# What the house around the table has to do with it.
HOUSE = {
    "called": N_("Help is called."),
    "coming": N_("Somebody is coming."),
}

# What to do next, and the other words on the screens.
WORDS = {
    "companion": N_("companion"),  # below "Ludo"
    "menu_hint": N_("OK: menu"),
    "pin": N_("PIN {pin}"),
    "as_shown": N_("Set them as the map shows, then press OK."),
    "cards_laid": N_("Six cards on each of four stacks a player, then press OK."),
    "or_no": N_("If not: put it back, or move on."),
    "until_ok": N_("When it is done, press OK."),
    "instead": N_("If not: {name} wants {move}."),
    "thinks": N_("thinking …"),
    "counts": N_("Your move counts."),
    "to_place": N_("Put pieces where it blinks."),
    "roll": N_("Roll!"),
    "again": N_("Again!"),
    "rolling": N_("Rolling …"),
    "which_roll": N_("What did you roll?"),
    "rolled": N_("{name} rolled {rolled}"),
    "rolls_left": N_("{number} rolls"),
    "then": N_("{name} (then {others})"),
    "at_times": N_("{name} (at times {others})"),
    "put": N_("{spot} on"),
    "off": N_("{spot} off"),
    "base": N_("base"),
    "home": N_("home"),
    "enter": N_("enter"),
    "pass": N_("pass"),
    "new_stack": N_("begin {stack}"),
    "left": N_("left: {number}"),
    "no_phones": N_("No phone can reach this box."),
    "no_code": N_("Who only watches sees no code."),
    "ok_seen": N_("OK: I see"),
    "ok_go_on": N_("OK: go on"),
    "hold_menu": N_("Hold OK: menu"),
    "nobody": N_("No winner"),
    "rolls": N_("rolls"),
    "mean": N_("mean"),
    "point": N_("."),  # between whole numbers and tenths
    "hits": N_("hits"),
    "lost": N_("lost"),
    "luck": N_("Luck, points of 100"),
}


def word(key: str, words: NullTranslations = ENGLISH, **gaps: object) -> str:
    """One of the screens' own words."""
    return words.gettext(WORDS[key]).format(**gaps)


def title(key: str, words: NullTranslations = ENGLISH) -> str:
    """The heading of a screen."""
    return words.gettext(TITLES[key.partition(":")[0]])


def line(entry: Line, words: NullTranslations = ENGLISH, simulated: bool = False) -> str:
    """What a line of a menu is about."""
    kind, _, name = entry.key.partition(":")
    if simulated and kind in SIMULATED_LINES:
        return words.gettext(SIMULATED_LINES[kind])
    if kind == "option":
        return words.gettext(OPTIONS[name])
    if kind in ("seat", "phone", "player"):
        return capital(phrases.colour(name, words))
    return words.gettext(LINES[kind])


def line_of(
    view: View, entry: Line, words: NullTranslations = ENGLISH, simulated: bool = False
) -> str:
    """The same in the menu of a game: whoever has a name is called by it."""
    kind, _, colour = entry.key.partition(":")
    if kind == "phone":
        return player(view, colour, words)
    if kind == "player" and colour in view.names:
        return view.names[colour]
    return line(entry, words, simulated)


def value(entry: Line, words: NullTranslations = ENGLISH, simulated: bool = False) -> str:
    """What a line of a menu is set to; levels are drawn, so they have no words."""
    kind = entry.key.partition(":")[0]
    if simulated and kind == "sensing":
        return words.gettext(SIMULATED_VALUES[entry.value])
    if kind == "language":
        return LANGUAGES[entry.value]
    if kind == "sheet":
        return words.gettext(SHEET_NAMES[entry.value])
    if kind == "own_sheet":
        return entry.value
    name = text_of(entry.value != "0") if kind == "rotation" else entry.value
    known = VALUES.get(name)
    return entry.value if known is None else words.gettext(known)


def notice(view: View, words: NullTranslations = ENGLISH, simulated: bool = False) -> str:
    """The sentence for what the referee has to say besides."""
    assert view.notice is not None
    taken = _on(view.lines, "seat")
    said = NOTICES[view.notice.key]
    if simulated:
        said = SIMULATED_NOTICES.get(view.notice.key, said)
    if view.notice.key == "cannot_play_so":
        said = _why_not_so(_on(view.lines, "option"), len(taken)) or said
    game = view.position.game if view.position is not None else None
    said = words.gettext(phrases.of(game, said))
    gaps = {"at": "", "name": "", "turn": "", "rolled": "", "colours": "", "pieces": ""}
    gaps |= {"move": "", "points": ""}
    if view.advice is not None and view.advice.move is not None and game is not None:
        gaps["move"] = phrases.move(game, view.advice.move, words)
        gaps["points"] = _points(view.advice.margin, words)
    if taken:
        named = [phrases.colour(colour, words) for colour in taken]
        gaps["colours"] = phrases.listed(named, words.gettext("and"))
    if game is not None and view.notice.places:
        gaps["at"] = phrases.at(game, view.notice.places[0], words)
        gaps["pieces"] = _pieces(view, words)
    if view.colour is not None:
        gaps["turn"] = capital(in_words(view, view.colour, words))
    if game is not None and view.last is not None:
        gaps["name"] = capital(in_words(view, game.colours[view.last.seat], words))
        gaps["rolled"] = phrases.rolled(game, view.last.face, words)
    return capital(said.format(**gaps))


FORTUNES = {
    "luckiest": N_("{name} was the luckiest: such rolls win {points} more games of 100."),
    "luckier": N_("{name} was luckier than the others."),
    "luckier_of_two": N_("{name} was luckier than {other}."),
    "nobody": N_("Nobody was clearly luckier than the others."),
    "nobody_of_two": N_("Nobody was clearly luckier."),
    "roll": N_("Roll of the evening: {name}, {move}. Such a roll wins {points} more games of 100."),
    "move": N_("The costliest move: {name}, {move}. It wins {points} fewer games of 100."),
    "instead": N_("Better: {move}."),
    "off": N_("Who was lucky? Turn this on in the menu: {menu}, {setting}."),
}


def fortunes(view: View, words: NullTranslations = ENGLISH) -> list[str]:
    """Who was lucky, the roll of the evening, and the move that cost most; or why nobody says."""
    told, position = view.fortunes, view.position
    if told is None and view.over and not view.setting("chances"):
        setting, menu = line(Line("chances"), words), line(Line("settings"), words)
        return [_fortune("off", words, setting=setting, menu=menu)]
    if told is None or position is None or not told.players:
        return []
    said = [_luckiest(view, told, words)]
    for key, one in (("roll", told.roll), ("move", told.move)):
        if one is not None:
            move = phrases.move(position.game, one.move, words)
            name, points = player(view, one.colour, words), _points(one.change, words)
            said.append(_fortune(key, words, name=name, move=move, points=points))
    if told.move is not None and told.move.instead is not None:
        move = phrases.move(position.game, told.move.instead, words)
        said.append(_fortune("instead", words, move=move))
    return said


def _luckiest(view: View, told: Fortunes, words: NullTranslations) -> str:
    """Who was luckier than all others, if anybody; of two players how much stands in the table."""
    two = len(told.players) == 2
    lucky = next((one for one in told.players if one.colour == told.luckiest), None)
    if lucky is None:
        return _fortune("nobody_of_two" if two else "nobody", words)
    name, points = player(view, lucky.colour, words), _points(lucky.luck, words)
    if two:
        (other,) = (player(view, one.colour, words) for one in told.players if one is not lucky)
        return _fortune("luckier_of_two", words, name=name, other=other)
    gained = lucky.luck > 2 * lucky.error  # else only the others' rolls were worse
    return _fortune("luckiest" if gained else "luckier", words, name=name, points=points)


def _fortune(key: str, words: NullTranslations, **gaps: str) -> str:
    said = FORTUNES[key]
    return words.gettext(said).format(**gaps)


def luck_of(part: float, error: float, words: NullTranslations = ENGLISH) -> str:
    """Points of a hundred with their error: `+12 ±5`."""
    return f"{100 * part:+.0f} ±{100 * error:.0f}"


def percents(chances: Mapping[str, float]) -> dict[str, int]:
    """Chances in whole percents that add up to 100: the largest rests are rounded up."""
    whole = {colour: int(100 * chance) for colour, chance in chances.items()}
    rest = sorted(chances, key=lambda colour: whole[colour] - 100 * chances[colour])
    missing = round(100 * sum(chances.values())) - sum(whole.values())
    return {colour: whole[colour] + (colour in rest[:missing]) for colour in chances}


def _points(margin: float, words: NullTranslations) -> str:
    """A difference of chances, in games of a hundred; small ones with a tenth."""
    number = 100 * margin
    said = f"{number:.0f}" if number >= 2 else f"{number:.1f}"
    return said.replace(".", word("point", words))


def house(view: View, words: NullTranslations = ENGLISH) -> list[str]:
    """What the house has to say, and whether it was called."""
    now = {"called": view.house.called, "coming": view.house.coming}
    said = [words.gettext(HOUSE[key]) for key, so in now.items() if so]
    return [*said, *([view.house.text] if view.house.text else [])]


def _why_not_so(options: Sequence[str], players: int) -> str | None:
    """Which of the options chosen these players cannot have."""
    for option, (needed, said) in PLAYERS_NEEDED.items():
        if option in options and players != needed:
            return said
    return ONE_PLAYER if "two_colours_each" in options else None


def _pieces(view: View, words: NullTranslations) -> str:
    """Who stands, by the game, on the places of a notice, or who was lifted there."""
    assert view.notice is not None
    in_hand = view.notice.key == "in_hand"
    found = []
    for spot in view.notice.places:
        inside = is_apart(spot)
        said = words.gettext(LIFTED if in_hand else INSIDE if inside else STANDING)
        colours = _colours_on(view, spot)
        if in_hand and view.colour in colours:
            colours = [view.colour]
        named = [capital(phrases.colour(colour, words)) for colour in colours]
        who = phrases.listed(named, words.gettext("and")) or words.gettext(NOBODY)
        found.append(said.format(who=who, place=phrases.short(spot, words)))
    return ", ".join(found)


def _colours_on(view: View, spot: str) -> list[str]:
    """The colours of which pieces stand on a spot in the game."""
    position = view.position
    if position is None or position.game.board.walked is None:
        return []
    return [
        position.game.colours[seat]
        for seat, pieces in enumerate(position.pieces)
        if any(position.game.spot(seat, piece) == spot for piece in pieces)
    ]


def _on(lines: Sequence[Line], kind: str) -> list[str]:
    """What a menu's lines of one kind have switched on."""
    parted = [(line.key.partition(":"), line.value) for line in lines]
    return [name for (what, _, name), value in parted if what == kind and value == "on"]


def missing(view: View, words: NullTranslations = ENGLISH) -> list[str]:
    """What to do about devices that are not there; the card game has no board."""
    cards = view.position is not None and view.position.game.board.walked is None
    names = ["stacks" if cards and device == "board" else device for device in view.missing]
    return [words.gettext(MISSING.get(one, MISSING[""])).format(device=one) for one in names]


def name_of(view: View, colour: str, words: NullTranslations = ENGLISH) -> str:
    """The player at a seat, of the box or by name, or else its colour."""
    level = view.level(colour)
    if level is not None:
        return capital(words.gettext(VALUES[level]))
    return view.names.get(colour) or capital(phrases.colour(colour, words))


MONTHS = (
    N_("January"),
    N_("February"),
    N_("March"),
    N_("April"),
    N_("May"),
    N_("June"),
    N_("July"),
    N_("August"),
    N_("September"),
    N_("October"),
    N_("November"),
    N_("December"),
)
"""By which a day is looked for."""


def called(
    names: Mapping[str, str], levels: Mapping[str, str], words: NullTranslations = ENGLISH
) -> dict[str, str]:
    """By colour, whoever has a name: a person, or the box's player there."""
    found = dict(names)
    for colour, level in levels.items():
        name = capital(words.gettext(VALUES[level]))
        alone = list(levels.values()).count(level) == 1
        found[colour] = name if alone else f"{name} ({phrases.colour(colour, words)})"
    return found


def played_by(
    holders: Mapping[str, Sequence[str | None]],
    names: Mapping[str, str],
    words: NullTranslations = ENGLISH,
) -> dict[str, str]:
    """By colour, who played there, `Anna (then Fox)`: empty for a person without a name."""
    alone = {colour: held[0] for colour, held in holders.items() if len(held) == 1}
    levels = {colour: level for colour, level in alone.items() if level is not None}
    found = called({colour: names.get(colour, "") for colour in alone}, levels, words)
    for colour, held in holders.items():
        if colour not in alone:
            person = names.get(colour) or capital(phrases.colour(colour, words))
            found[colour] = _one_after_the_other(held, person, words)
    return found


def _one_after_the_other(held: Sequence[str | None], person: str, words: NullTranslations) -> str:
    """All who had a seat, by the first of them; whether somebody came back is told, not when."""
    first, *others = dict.fromkeys(held)
    called = [person if one is None else capital(words.gettext(VALUES[one])) for one in others]
    name = person if first is None else capital(words.gettext(VALUES[first]))
    key = "then" if len(held) == len(others) + 1 else "at_times"
    return word(key, words, name=name, others=", ".join(called))


def sends_back(view: View) -> Refusal | None:
    """Why the one legal move takes an own piece back to its base: that was one six too many."""
    if view.position is None or view.phase != "move" or view.made or len(view.legal) != 1:
        return None
    return view.position.game.why_back(view.legal[0])


def names_of(view: View, words: NullTranslations = ENGLISH) -> dict[str, str]:
    """By colour, whoever has a name at the table, as sentences call them."""
    return called(view.names, view.box, words)


def in_words(view: View, colour: str, words: NullTranslations = ENGLISH) -> str:
    """The player at a seat in a sentence: no colour stands beside it that tells two foxes apart."""
    return names_of(view, words).get(colour) or name_of(view, colour, words)


def refusal(view: View, why: Refusal, words: NullTranslations = ENGLISH) -> str:
    """Why something cannot be done; whoever rolled is named where the next one is spoken to."""
    assert view.position is not None
    game, last, names = view.position.game, view.last, names_of(view, words)
    if view.face is not None or last is None:
        return phrases.refusal(game, why, view.face, words, names=names)
    rolled = game.colours[last.seat]
    roller = None if rolled == view.colour else in_words(view, rolled, words)
    return phrases.refusal(game, why, last.face, words, roller, names)


def player(view: View, colour: str, words: NullTranslations = ENGLISH) -> str:
    """Who has a place: the player's name, or else every colour that this player has."""
    level = view.level(colour)
    if level is not None and list(view.box.values()).count(level) > 1:
        return f"{name_of(view, colour, words)} ({phrases.colour(colour, words)})"
    if view.names.get(colour) or view.position is None or level is not None:
        return name_of(view, colour, words)
    game = view.position.game
    seat = game.colours.index(colour)
    own = next((player for player in game.players if seat in player), (seat,))
    named = [phrases.colour(game.colours[one], words) for one in own]
    return capital(phrases.listed(named, words.gettext("and")))


def clause(game: Game, clause: str, words: NullTranslations = ENGLISH) -> str:
    """What a clause says."""
    return words.gettext(game.sheet.article(clause).text)


def capital(text: str) -> str:
    """The same with its first letter large."""
    return text[:1].upper() + text[1:]
