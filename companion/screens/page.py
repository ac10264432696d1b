"""The page's own words, each by the key with which the page asks for it."""

from gettext import NullTranslations

from companion.screens import labels
from companion.screens.phrases import ENGLISH, N_

WORDS = {
    # The top of the page, and its links.
    "title": N_("Ludo companion"),
    "new_game": N_("New game"),
    "language": N_("Language"),
    "sound_on": N_("Sound is on"),
    "sound_off": N_("Sound is off"),
    "rules": N_("Rules"),
    "kiosk": N_("Big screen"),
    "phone": N_("Phone"),
    "table": N_("Table"),
    # The board: {colour} is a colour, {place} a square or "base"; {height} counts cards.
    "reconnecting": N_("The table does not answer. Trying again …"),
    "board": N_("Board: {title}"),
    "piece_at": N_("{colour} piece, {place}"),
    "stack_of": N_("{colour} stack {number}: {height} of 6"),
    "in_the_air": N_("in the hand"),
    "base": N_("base"),
    "home": N_("home"),
    "lifted": N_("Lifted. Arrow keys move it, Enter puts it down, Escape puts it back."),
    "put_on": N_("Put on {place}."),
    "hint": N_(
        "Drag a piece, or tap it and then a square. "
        "Try a wrong move, too: the referee will tell you."
    ),
    "hint_touch": N_(
        "Tap a piece, then the square it goes to, or drag it: each end is pressed like a button. "
        "Try a wrong move, too."
    ),
    "hint_choose": N_(
        "Here nothing sees the pieces: choose a move from the list, "
        "or drag a piece to a ringed square."
    ),
    "choose_legal": N_("That is no legal move. Choose one from the list."),
    "choose_later": N_("First roll, then choose a move."),
    "not_its_own": N_("That is another colour's place."),
    "hint_cards": N_("Tap your stacks to lay cards."),
    # The die: {shown} is what lies on top, {name} a player.
    "roll": N_("Roll"),
    "roll_key": N_("Roll the die (space bar)"),
    "rolled": N_("{name} rolled {shown}"),
    "choose_face": N_("Choose a face"),
    "face": N_("Roll {shown}"),
    "star": N_("star"),
    "globe": N_("globe"),
    # What can be asked for.
    "play_for_me": N_("Play it for me"),
    "autoplay": N_("Autoplay"),
    "stop_autoplay": N_("Stop autoplay"),
    "take_back": N_("Take back"),
    "done": N_("Done"),
    "let_stand": N_("Let it stand"),
    "pause": N_("Pause"),
    "resume": N_("Go on"),
    "record": N_("Download the record"),
    # The box on the page.
    "the_box": N_("The box"),
    "oled": N_("Picture on the box's screen"),
    "up": N_("Up"),
    "down": N_("Down"),
    "ok": N_("OK"),
    "hold_ok": N_("Hold OK: menu"),
    # Lists and charts.
    "moves": N_("What you may play"),
    "no_moves": N_("Roll first."),
    "history": N_("History"),
    "no_history": N_("Nothing has been played yet."),
    "charts": N_("Charts"),
    "die_chart": N_("The die"),
    "die_about": N_("{number} rolls; the band is where a fair die stays 19 times out of 20."),
    "lead_chart": N_("Who leads"),
    "lead_about": N_("How much of the way is done, move by move."),
    "hits_chart": N_("Captures"),
    "hits_about": N_("How many each colour has captured."),
    "places": N_("Places"),
    # What to do next, by the phase.
    "do_idle": N_("Start a new game."),
    "do_setting": N_("Set the pieces as shown."),
    "do_opening": N_("Roll: the highest begins."),
    "do_roll": N_("Roll the die."),
    "do_move": N_("Make your move."),
    "do_cards": N_("Lay your cards."),
    "do_ask": N_("Choose one."),
    "not_allowed": N_("That is not allowed."),
    "do_illegal": N_("Put it right first."),
    "do_restore": N_("Put the pieces right."),
    "do_penalty": N_("Put the piece back into its base."),
    "do_paused": N_("The game is paused."),
    "do_over": N_("The game is over."),
    "do_menu": N_("The menu is open."),
    # Verdicts and the end of a game.
    "remedy": N_("Put it right:"),
    "clause": N_("Rule {clause}"),
    "wins": N_("{name} wins!"),
    "nth": N_("{number}."),
    "rolls_left": N_("{number} rolls left"),
    # The form for a new game.
    "rule_sheet": N_("Rule sheet"),
    "options": N_("Options"),
    "seats": N_("Who plays"),
    "player_name": N_("Name of {colour}"),
    "who_plays": N_("Who plays {colour}"),
    "person": N_("a person"),
    "by_itself": N_("by itself"),
    "nobody": N_("nobody"),
    "sensing": N_("How moves are seen"),
    "presence": N_("sensors under the squares"),
    "touch": N_("buttons at the squares"),
    "choose": N_("chosen on the box"),
    "start": N_("Start the game"),
    "cancel": N_("Cancel"),
    "close": N_("Close"),
    "one_player": labels.ONE_PLAYER,
    "two_colours_need": labels.PLAYERS_NEEDED["two_colours_each"][1],
    "neutral_needs": labels.PLAYERS_NEEDED["neutral_colour"][1],
    "need_two": N_("At least two colours have to play."),
    # Who may do what, from where.
    "pin": N_("PIN"),
    "pin_about": N_("Watching is free. With the PIN you can also play from here."),
    "pin_again": N_("The table was started anew: please enter the PIN again."),
    "wrong_pin": N_("That is not the PIN."),
    "too_many": N_("Too many wrong PINs: wait {minutes} min."),
    "need_pin": N_("Watching is free, playing needs the PIN."),
    "too_busy": N_("Too much is happening at the table: try again."),
    "switch_off": N_("Switch the box off?"),
    "off_at_box": N_("The box is switched off at the box itself."),
    "not_now": N_("That cannot be done now."),
    "no_pin": N_("You are watching. The table can be played at the box only."),
    "unlock": N_("Unlock"),
    # The big screen.
    "follow": N_("Follow on your phone"),
    "attract": N_("Come and play!"),
    "attract_about": N_("Sit down at the table and press OK on the box."),
    # In the history.
    "ruling": N_("let stand"),
    "put_one": N_("a piece onto {place}"),
    "take_one": N_("the piece off {place}"),
    "passes": N_("no move"),
    # The bench.
    "bench": N_("Workbench"),
    "bench_offer": N_("Test and map the board"),
    "bench_offer_about": N_("The game waits meanwhile, as it is, and goes on afterwards."),
    "bench_begin": N_("Put the board on the bench"),
    "bench_end": N_("Done"),
    "bench_again_sure": N_("Forget the map and ask for every place?"),
    "bench_no_pin": N_("You are watching. The bench is used at the box only."),
    "bench_pin_about": N_("Watching is free. With the PIN you can also use the bench from here."),
    "bench_far": N_("How far it is"),
    "bench_last": N_("What happened last"),
    "bench_map": N_("The map"),
    "bench_map_about": N_(
        "This is what stands, or belongs, in the section [matrix] of companion.toml."
    ),
    "bench_asked": N_("asked for"),
    "bench_done": N_("mapped"),
    "bench_missing": N_("no answer"),
    "bench_seen": N_("seen"),
    "bench_flickers": N_("flickers"),
    "bench_on": N_("on now"),
    "whole_board": N_("Whole board"),
    "look_closer": N_("Look closer"),
    "why": N_("Why?"),
    "welcome": N_("Welcome"),
    "welcome_what": N_("This is a Ludo table with a referee who knows the rules."),
    "welcome_how": N_("Roll the die, then drag a piece: the squares feel it, as on a real board."),
    "welcome_real": N_(
        "Roll the die on the table, then move a piece on the board: its squares feel it."
    ),
    "welcome_wrong": N_("A wrong move does no harm: you are told why, and how to put it right."),
    "play_now": N_("Play now against the box"),
    "choose_game": N_("Choose rules and players"),
    "practice": N_("Practise: choose what the die shows"),
    "pieces_about": N_("How many each player has; with fewer the game is shorter."),
    "sensing_about": N_("What the simulated board can feel. With sensors it notices everything."),
    "ends_game": N_("A game is under way, and this ends it."),
    "really_end": N_("End this game before somebody has won?"),
    "box_short": N_("Box"),
    "box_plays": N_("The box plays {name}. Press to play yourself."),
    "let_box_play": N_("Let the box play {name}"),
    "tally_rolls": N_("rolls"),
    "tally_mean": N_("mean"),
    "tally_hits": N_("captured"),
    "tally_lost": N_("lost"),
    "moves_cards": N_("What you may lay"),
    "play_cards_for_me": N_("Lay for me"),
    "do_setting_cards": N_("Lay the cards as shown."),
    "do_restore_cards": N_("Put the cards right."),
    "do_penalty_cards": N_("Put the cards back."),
    "skip": N_("Skip to the table"),
}


def page_words(words: NullTranslations = ENGLISH) -> dict[str, str]:
    """Every word of the page; a name in braces is a gap that the page fills."""
    return {key: words.gettext(said) for key, said in WORDS.items()}
