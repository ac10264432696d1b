"""What the house's page says: every table in a line, and what needs a person there."""

from collections.abc import Mapping, Sequence
from gettext import NullTranslations

from companion.screens.phrases import ENGLISH, N_

# Why somebody should go to a table, by what the table said; {detail} is a device or a square.
NEEDS = {
    "call": N_("Calls for help"),
    "sensor": N_("The sensor of square {detail} fails"),
    "disk": N_("Games are not kept: look at its disk"),
    "device": N_("Missing: {detail}"),
    "question": N_("Nobody answers the question on the screen"),
    "": N_("Needs somebody"),
}

DEVICES = {
    "die": N_("the die"),
    "board": N_("the board"),
    "buttons": N_("the buttons"),
    "oled": N_("the screen"),
}

# What is wrong with a table's line, as the house sees it.
TROUBLES = {
    "twins": N_("Two boxes are called {detail}: give one another name"),
    "clock": N_("Its clock and the house's differ by {span}"),
    "later": N_("It speaks a later version than the house: update the house"),
    "floods": N_("It sends too much: some of it is left out"),
    "malformed": N_("It sends what cannot be read: is it the same version?"),
    "speaks": N_("It tries to speak as {detail}, and is refused: look at its cafe.name"),
}

# Why there is no line to the house's broker, for whoever has to mend it; {where} is the broker's
# address and port, {user} the table's name there, {other} another box.
LINE = {
    "not_yet": N_("not connected yet"),
    "making": N_("the line broke while it was being made"),
    "unreadable": N_("{file} cannot be read as a certificate ({fault})"),
    "dates": N_(
        "the certificate of {where} is valid from {first} to {last}, and today is {today} by this "
        "machine's clock: set the clock, or make another certificate at the house "
        "(companion house setup --tls)"
    ),
    "certificate": N_(
        "{where} does not have the house's certificate ({fault}): look at cafe.certificate, or "
        "let the house invite this table once more"
    ),
    "no_tls": N_("{where} does not speak TLS: take cafe.certificate away, or another cafe.port"),
    "no_name": N_(
        "no machine is called {broker}: is that the house's name? (One in .local is found where "
        "the house runs avahi-daemon, and this machine has libnss-mdns.)"
    ),
    "nobody": N_("nobody listens at {where}: is the house's broker running?"),
    "silent": N_("{where} does not answer as a broker does: are address and port right?"),
    "no_way": N_("there is no way to {where}: is this machine in the house's network?"),
    "broke": N_("the line to {where} broke ({fault})"),
    "password": N_(
        "the broker at {where} does not let '{user}' in: the name or the password is wrong "
        "(at the house, companion house add {user} makes another password)"
    ),
    "house_password": N_(
        "the broker at {where} does not let the house in: run companion house setup once more"
    ),
    "refuses": N_("the broker at {where} refuses: {fault}"),
    "access": N_(
        "the broker does not let this table speak as '{user}': its access rules are for another "
        "name"
    ),
    "twin": N_("another box ({other}) is called '{user}' too: give one of them another cafe.name"),
    "clock": N_("this machine's clock and the house's differ by {span}: set the clock"),
}

# What the broker turned away lately; {number} counts.
REFUSALS = {
    "password": N_("Somebody was not let in: a wrong name or password ({number} times)."),
    "encryption": N_("Somebody does not believe the house's certificate ({number} times)."),
    "nonsense": N_("Somebody does not speak as a table does ({number} times)."),
}

STATUS = {
    "there": N_("there"),
    "waiting": N_("not heard yet"),
    "lost": N_("out of reach"),
    "off": N_("switched off"),
}

# What a table does, in two or three words.
PHASES = {
    "free": N_("Free"),
    "menu": N_("In the menu"),
    "setting": N_("Setting up"),
    "opening": N_("Who begins?"),
    "roll": N_("To roll"),
    "move": N_("To move"),
    "ask": N_("A question"),
    "illegal": N_("STOP"),
    "restore": N_("Putting right"),
    "penalty": N_("Penalty"),
    "paused": N_("Paused"),
    "over": N_("Game over"),
    "": N_("Playing"),
}

# The page's own words.
WORDS = {
    "title": N_("The house"),
    "all_tables": N_("All tables"),
    "need_help": N_("Who needs help"),
    "nobody_needs_help": N_("Nobody needs help."),
    "tables": N_("Tables"),
    "playing": N_("playing"),
    "free": N_("free"),
    "lost": N_("out of reach"),
    "wall": N_("Wall"),
    "staff": N_("Staff"),
    "statistics": N_("Statistics"),
    "language": N_("Language"),
    "leads": N_("leads: {name}"),
    "won": N_("won: {name}"),
    "since": N_("for {time}"),
    "open_page": N_("Open its page"),
    "come": N_("I am coming"),
    "new_game": N_("New game"),
    "seats": N_("Who plays?"),
    "volume": N_("Volume"),
    "say": N_("Show a line"),
    "send": N_("Send"),
    "close": N_("Close"),
    "pin": N_("Staff PIN"),
    "show_pin": N_("Sign in"),
    "wrong_pin": N_("That is not the PIN."),
    "too_many": N_("Too many wrong PINs: wait a while."),
    "no_pin": N_("Orders are off: set page.pin at the house."),
    "done": N_("Done."),
    "asked": N_("The guests are asked first."),
    "refused": N_("The table refused: {why}"),
    "no_answer": N_("The table does not answer."),
    "not_connected": N_("The house does not answer. What you see may be old."),
    "no_broker": N_("The house does not hear its broker: nobody knows how the tables are."),
    "refused_title": N_("Turned away"),
    "no_tables": N_("No table has joined yet. Add one: companion house add NAME"),
    "board_of": N_("Board of {name}"),
    "sheet": N_("Rules"),
    "games_a_day": N_("Games a day"),
    "length": N_("How long games take, in minutes"),
    "hours": N_("Busy hours"),
    "dice": N_("Each table's die"),
    "rolls": N_("{number} rolls"),
    "nothing_odd": N_("nothing odd"),
    "odd": N_("looks odd"),
    "too_few": N_("too few to judge"),
    "archived": N_("{games} games and {records} records are archived."),
    "download": N_("Download"),
    "nothing_yet": N_("Nothing has been archived yet."),
    "games": N_("games"),
    "shortest": N_("shortest"),
    "half": N_("half of them within"),
    "longest": N_("longest"),
}

UNITS = (
    (86400, N_("{number} d")),
    (3600, N_("{number} h")),
    (60, N_("{number} min")),
    (0, N_("{number} s")),
)


def need(kind: str, detail: str, words: NullTranslations = ENGLISH) -> str:
    """Why somebody should go to a table."""
    known = DEVICES.get(detail)
    shown = detail if known is None else words.gettext(known)
    return words.gettext(NEEDS.get(kind, NEEDS[""])).format(detail=shown)


def trouble(key: str, detail: str, words: NullTranslations = ENGLISH) -> str:
    """What is wrong with a table's line."""
    differ = span(float(detail), words) if key == "clock" else ""
    return words.gettext(TROUBLES[key]).format(detail=detail, span=differ)


def line(key: str, gaps: Mapping[str, str], words: NullTranslations = ENGLISH) -> str:
    """Why there is no line to the broker."""
    return words.gettext(LINE[key]).format_map(gaps)


def refusal(key: str, number: int, words: NullTranslations = ENGLISH) -> str:
    """What the broker turned away."""
    return words.gettext(REFUSALS[key]).format(number=number)


def span(seconds: float, words: NullTranslations = ENGLISH) -> str:
    """A stretch of time, roughly."""
    size, text = next(unit for unit in UNITS if abs(seconds) >= unit[0])
    return words.gettext(text).format(number=round(abs(seconds) / (size or 1)))


def phase(name: str, free: bool, words: NullTranslations = ENGLISH) -> str:
    """What a table does."""
    key = "free" if free and name != "over" else name
    return words.gettext(PHASES.get(key, PHASES[""]))


def status(name: str, words: NullTranslations = ENGLISH) -> str:
    """Whether a table is there."""
    return words.gettext(STATUS[name])


def page_words(words: NullTranslations = ENGLISH) -> dict[str, str]:
    """The page's own words."""
    return {key: words.gettext(text) for key, text in WORDS.items()}


def units(words: NullTranslations = ENGLISH) -> Sequence[tuple[int, str]]:
    """How a stretch of time is said: the first that is not longer than it counts."""
    return [(seconds, words.gettext(text)) for seconds, text in UNITS]
