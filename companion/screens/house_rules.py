"""House rules in words that a ten-year-old understands: names, contradictions, and their page."""

from gettext import NullTranslations

from companion.referee import Line
from companion.rules import SHEETS
from companion.rules.articles import Article, Option
from companion.rules.house import SWITCHES, Contradiction
from companion.screens import labels
from companion.screens.phrases import ENGLISH, N_

# The switches as the page calls them; what each means is its clause. Options of a sheet that have
# another name here are short of room in the menu.
SWITCH_NAMES = {
    "two_colours_each": N_("Two colours each, for two players"),
    "neutral_colour": N_("A neutral colour, for three players"),
    "three_tries": N_("Three tries with nobody out"),
    "safe_stars": N_("Safe stars"),
    "capture_rolls": N_("Another roll after a capture"),
    "home_rolls": N_("Another roll for getting home"),
    "bounce": N_("Exact or bounce"),
    "barriers": N_("Barriers"),
    "one_or_six": N_("One or six brings in"),
    "pieces": N_("Pieces"),
    "third_six_void": N_("Third six is void"),
    "third_six_back": N_("Third six sends back"),
    "twenty_for_a_capture": N_("Twenty for a capture"),
    "ten_for_home": N_("Ten for getting home"),
}

# Why rules cannot go together, and the way out: {base} is a sheet, {switch} and {other} are rules.
CONTRADICTIONS = {
    "has_already": N_("{base} has this rule already: leave “{switch}” off."),
    "not_both": N_("“{switch}” and “{other}” cannot both hold: leave one of them off."),
    "own_option": N_("{base} has a rule of its own for it: use “{other}”."),
    "other_count": N_("{base} counts in its own way: choose another sheet for “{switch}”."),
    "other_die": N_("“{switch}” needs numbers on the die: switch on “{other}”."),
    "other_entry": N_(
        "{base} brings pieces in with another number: choose another sheet for “{switch}”."
    ),
    "no_board": N_("{base} has no board: choose another sheet for “{switch}”."),
}

# Why a line that somebody was sent cannot be read, where it looks like one.
NO_SHEET = N_("This box knows no sheet “{given}”. It knows {known}.")
NO_RULE = N_("This box knows no rule “{given}”.")
NO_VALUE = N_("“{given}” cannot be chosen. You can write: {choices}.")

PIECES_EACH = N_("Pieces for each player")

# The page on which house rules are made.
WORDS = {
    "house_rules": N_("House rules"),
    "house_rules_about": N_(
        "How does your family play? Choose the rules, give them a name, and the box will know them."
    ),
    "make_rules": N_("Make your own rules"),
    "change_rules": N_("Change"),
    "delete_rules": N_("Delete"),
    "really_delete": N_("Delete “{name}”? Games that were played by it stay."),
    "share_rules": N_("Share"),
    "print_rules": N_("For the fridge"),
    "no_rules_yet": N_("There are no house rules yet."),
    "make_first": N_("Make the first!"),
    "step_base": N_("1. Which game do you start from?"),
    "step_switches": N_("2. What is different at your table?"),
    "step_name": N_("3. What do you call it?"),
    "rules_name": N_("Name, for instance: Sunday rules"),
    "switched_on": N_("on: {number}"),
    "try_and_keep": N_("Try it out and keep it"),
    "keep_rules": N_("Keep it"),
    "trying": N_("The box plays it: {number} of {of} games"),
    "tried_well": N_("{number} games played, and every one came to an end."),
    "no_end": N_("A game did not come to an end. Change a rule and try again."),
    "was_ended": N_("Somebody began to play, so the box stopped trying it out. Try again later."),
    "others_tried": N_("Somebody else is trying out other rules. Try again later."),
    "not_while_playing": N_(
        "A game is being played: until it is over no rules can be tried out and kept."
    ),
    "not_kept_playing": N_(
        "This is not kept yet: a game is being played. End it, or wait until it is over, then "
        "press again. What you chose stays here."
    ),
    "end_this": N_("End this game"),
    "minutes_own": N_("A game takes about {minutes} minutes, as fast as you play."),
    "minutes_usual": N_("A game takes about {minutes} minutes, at {seconds} seconds a roll."),
    "not_tried": N_("Nobody has tried it out yet: press “Change”, then try it."),
    "play_rules": N_("Play by these rules"),
    "play_rules_with": N_("Play: {who}"),
    "other_players": N_("Other players"),
    "draft_there": N_("You have begun rules that are not kept yet."),
    "draft_called": N_("You have begun “{name}”, which is not kept yet."),
    "draft_go_on": N_("Go on with it"),
    "draft_drop": N_("Throw it away"),
    "draft_restored": N_("This is what you had begun. It is not kept yet."),
    "in_use": N_("You are playing by it just now: it can be deleted when the game is over."),
    "kept_rules": N_("Kept. It stands in the menu beside the other games."),
    "name_missing": N_("It needs a name."),
    "name_letters": N_("Use letters, numbers and spaces for the name, 40 at most."),
    "name_taken": N_("There are house rules with this name already."),
    "from_somebody": N_("Did somebody send you rules? Paste the line here."),
    "read_line": N_("Open"),
    "line_unreadable": N_("This line cannot be read. Is it all there?"),
    "share_about": N_("Send this line to somebody, or let a phone read the code."),
    "copy_line": N_("Copy"),
    "copied": N_("Copied."),
    "file_fault": N_("The file {file} cannot be used: {why}"),
    "back_to_list": N_("Back"),
    "contradictions": N_("This cannot be played yet"),
    "not_with_this": N_("Not with this game"),
    "all_rules": N_("All its rules"),
    "only_watching": N_("Only who controls the table can make or delete house rules."),
    "pieces_each": PIECES_EACH,
}

# The page for the fridge.
PRINT = N_("Print")
YOURS_HOLD = N_("Your own rules come first. Where another rule says otherwise, yours hold.")


def name_of(option: str, words: NullTranslations = ENGLISH) -> str:
    """What players call an option or a switch."""
    said = SWITCH_NAMES.get(option) or labels.OPTIONS[option]
    return words.gettext(said)


def option_text(option: str, value: bool | int, words: NullTranslations = ENGLISH) -> str:
    """An option that is chosen: `Safe stars`, or `Pieces: 3`."""
    return name_of(option, words) + ("" if value is True else f": {value}")


def contradiction(found: Contradiction, words: NullTranslations = ENGLISH) -> str:
    """Why rules cannot go together, and the way out."""
    return words.gettext(CONTRADICTIONS[found.kind]).format(
        base=labels.value(Line("sheet", found.base), words),
        switch=_title_of(found.switch, words),
        other=_title_of(found.other, words) if found.other else "",
    )


def unknown_sheet(given: str, words: NullTranslations = ENGLISH) -> str:
    """What is said of a sheet that nobody here knows."""
    return words.gettext(NO_SHEET).format(given=given[:40], known=", ".join(SHEETS))


def unknown_rule(given: str, words: NullTranslations = ENGLISH) -> str:
    """What is said of a rule that nobody here knows."""
    return words.gettext(NO_RULE).format(given=given[:40])


def unknown_value(given: str, option: Option, words: NullTranslations = ENGLISH) -> str:
    """What is said of a rule with a value that it cannot have (`pieces=99`)."""
    allowed = ", ".join(_written(option.name, value) for value in option.allowed)
    return words.gettext(NO_VALUE).format(given=given[:40], choices=allowed)


def _written(name: str, value: bool | int) -> str:
    """A rule and its value as they stand in a line."""
    if value is True:
        return name
    return f"{name}=off" if value is False else f"{name}={value}"


def _title_of(option: str, words: NullTranslations) -> str:
    """What the page heads the choice of an option with."""
    return words.gettext(PIECES_EACH) if option == "pieces" else name_of(option, words)


def choices(base: str) -> list[tuple[Option, Article | None]]:
    """What can be chosen with a sheet: its own options, then the switches, with their clauses."""
    sheet = SHEETS[base]
    own = [
        (option, next((one for one in sheet.articles if one.option == option.name), None))
        for option in sheet.options
    ]
    names = {option.name for option in sheet.options}
    more = [(one.option, one.article) for one in SWITCHES.values() if one.name not in names]
    return [*own, *more]


def meaning(article: Article | None, words: NullTranslations = ENGLISH) -> str:
    """What a rule says in one line: the first sentence of its clause, without its title."""
    if article is None:
        return ""
    title, _, said = words.gettext(article.text).split(". ")[0].rstrip(".").partition(": ")
    return labels.capital(said or title) + "."
