"""The page's own words, each by the key with which the page asks for it."""

from gettext import NullTranslations

from companion.rules.levels import LEVELS
from companion.screens import house_rules, labels
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
    "stack_wrong": N_("{colour} stack {number}: {height} of 6, and a card to take off"),
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
        "Tap a piece, then the square it goes to, or drag it: "
        "that presses the buttons of both squares."
    ),
    "hint_choose": N_(
        "This board does not feel the pieces: choose a move from the list, "
        "or drag a piece to a ringed square."
    ),
    "hint_phone": N_("Tap a piece, then a ringed square, or choose from the list."),
    "hint_back": N_("Tap the piece, then where its arrow leads."),
    "back_at_table": N_("Somebody at the table has to put this right: the board sees it there."),
    "piece_first": N_("More than one piece can go there: tap the piece first."),
    "choose_legal": N_("That is no legal move. Choose one from the list."),
    "choose_later": N_("First roll, then choose a move."),
    "not_its_own": N_("That is another colour's place."),
    "hint_cards": N_("Tap your stacks to lay cards."),
    "hint_off": N_("Tap the stack to take the card off."),
    # The die: {shown} is what lies on top, {name} a player, {counted} the squares of a bonus.
    "roll": N_("Roll"),
    "play_first": N_("First play what you have rolled."),
    "bonus_first": N_("Play the {counted} bonus squares first, then roll."),
    "roll_key": N_("Roll the die (space bar)"),
    "choose_face": N_("Choose a face"),
    "face": N_("Roll {shown}"),
    "star": N_("star"),
    "globe": N_("globe"),
    # What can be asked for.
    "play_for_me": N_("Play it for me"),
    "autoplay": N_("Autoplay"),
    "stop_autoplay": N_("Stop autoplay"),
    "advise": labels.LINES["advise"],
    "take_back": N_("Take back"),
    "done": N_("Done"),
    "let_stand": N_("Let it stand"),
    "i_see": N_("I see"),
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
    "move_made": N_("Your move is made. To change it, move the piece again."),
    "no_moves": N_("Roll first."),
    "history": N_("History"),
    "no_history": N_("Nothing has been played yet."),
    "charts": N_("Charts"),
    "die_chart": N_("The die"),
    "die_about": N_("Rolls: {number}. The band is where a fair die stays 19 times out of 20."),
    "lead_chart": N_("Who leads"),
    "lead_about": N_("How far everybody has come, move by move."),
    "chance": N_("wins {percent} %"),
    "chance_chart": N_("Who will win"),
    "chance_about": N_("Each player's chance to win, if all play well; give or take 2 of 100."),
    "own_luck": N_("Own luck"),
    "gave_away": N_("Given away"),
    "luck_waits": N_("Who was lucky is still being worked out …"),
    "luck_on": N_("Turn it on"),
    "luck_about": N_(
        "Games of 100 that all rolls or moves together changed; ± is one standard error."
    ),
    "hits_chart": N_("Captures"),
    "hits_about": N_("How many each colour has captured."),
    "places": N_("Places"),
    "places_about": N_("In per cent: how far everybody has come."),
    # What to do next, by the phase.
    "do_idle": N_("Start a new game."),
    "no_game": N_("No game is on yet."),
    "do_setting": N_("Set the pieces as shown."),
    "do_opening": N_("Roll: the highest begins."),
    "do_roll": N_("Roll the die."),
    "do_move": N_("Make your move."),
    "do_made": N_("Your move counts. Still to do:"),
    "do_cards": N_("Lay your cards."),
    "do_ask": N_("Choose one."),
    "not_allowed": N_("That is not allowed."),
    "do_illegal": N_("Put it right first."),
    "do_restore": N_("Put the pieces right."),
    "do_penalty": N_("Put the piece back into its base."),
    "do_paused": N_("The game is paused."),
    "do_over": N_("The game is over."),
    "do_menu": N_("The menu of the box is open."),
    # Verdicts and the end of a game.
    "referee_here": N_("The referee speaks here: what happened, and what is not allowed."),
    "remedy": N_("Put it right:"),
    "then_done": N_("Then press “Done”."),
    "clause": N_("Rule {clause}"),
    "wins": N_("{name} wins!"),
    "nth": N_("{number}."),
    "part_done": N_("{percent} % done"),
    "nobody_won": N_("Ended before anybody had won."),
    "rolls_left": N_("{number} rolls left"),
    # The form for a new game.
    "rule_sheet": N_("Rule sheet"),
    "options": N_("Options"),
    "seats": N_("Who plays"),
    "levels_about": N_(
        "The box can play, too, from weak to strong: butterfly, hare, cat, fox. "
        "Luck matters more than that."
    ),
    "levels_equal": N_(
        "The box can play, too: the butterfly is weak, the fox strong. "
        "By these rules hare and cat are about equal."
    ),
    "player_name": N_("Name of {colour}"),
    "who_plays": N_("Who plays {colour}"),
    "person": N_("a person"),
    **{level: labels.VALUES[level] for level in LEVELS},
    "nobody": N_("nobody"),
    "sensing": labels.SIMULATED_LINES["sensing"],
    **labels.SIMULATED_VALUES,
    "start": N_("Start the game"),
    "cancel": N_("Cancel"),
    "close": N_("Close"),
    "one_player": labels.ONE_PLAYER,
    "two_colours_need": labels.PLAYERS_NEEDED["two_colours_each"][1],
    "neutral_needs": labels.PLAYERS_NEEDED["neutral_colour"][1],
    "need_two": N_("At least two colours have to play."),
    "same_name": N_("Two players are called {name}: give one of them another name."),
    # Who may do what, from where.
    "pin": N_("PIN"),
    "pin_about": N_("Watching is free. With the PIN you can also play from here."),
    "pin_again": N_("The table was restarted: please enter the PIN again."),
    "ask_pin": N_("Please enter the PIN."),
    "wrong_pin": N_("That is not the PIN."),
    "too_many": N_("Too many wrong PINs: wait {minutes} min."),
    "need_pin": N_("Watching is free, playing needs the PIN."),
    "too_busy": N_("Too much is happening at the table: try again."),
    "switch_off": N_("Switch the box off?"),
    "stop_program": N_("Stop the program? This page ends with it, and the game is kept."),
    "off_at_box": N_("The box is switched off at the box itself."),
    "not_now": N_("That cannot be done now."),
    "no_key": N_(
        "You are watching. To play, open the address that the companion wrote when it started: "
        "it ends with a key."
    ),
    "no_pin": N_(
        "You are watching. To play, have your own code shown at the table: Phone beside your name."
    ),
    "unlock": N_("Unlock"),
    "no_lan": N_(
        "Phones cannot open this page, because it is for this machine only: to let them, end the "
        "program and start it with “companion play --lan”."
    ),
    "no_lan_box": N_(
        "Phones cannot open this page, because it is for this machine only: to let them, open it "
        "to the house under “Set up”."
    ),
    # The big screen.
    "follow": N_("Follow on your phone"),
    "attract": N_("Come and play!"),
    "attract_about": N_("Sit down at the table and press OK on the box."),
    # In the history.
    "ruling": N_("let stand"),
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
    # Joining a house: {name} is the table's name there, {broker} an address.
    "join": N_("Join a house"),
    "join_asks": N_("The house at {broker} invites this table, as “{name}”."),
    "join_do": N_("Join it"),
    "join_leaves": N_("It leaves the house at {broker}."),
    "join_tls": N_("The line is encrypted, and only that house is believed."),
    "join_plain": N_("The line is not encrypted: join only in a network that you trust."),
    "join_pin": N_("Joining a house needs the table's PIN."),
    "join_no_pin": N_(
        "This table has no PIN: open the link at the box's own screen, or run companion join there."
    ),
    "join_no_link": N_("At the house, companion house add prints a link: open that one."),
    "join_opened": N_("Written. The service may talk with that house."),
    "join_written": N_("Written. This table runs without the service: nothing had to be opened."),
    "join_none": N_("This table belongs to no house."),
    "join_never": N_("This table cannot join a house."),
    "join_there": N_("This table is “{name}” in the house at {broker}, and is heard there."),
    "join_waiting": N_("This table is “{name}” in the house at {broker}, which it does not reach."),
    "join_wrong": N_("This table is “{name}” in the house at {broker}, and is not let in."),
    # Setting the box up.
    "setup": N_("Set up"),
    "setup_about": N_("What this box has, who may open this page, and which version it runs."),
    "setup_box": N_("What you have built"),
    "setup_new": N_(
        "Nothing is written down yet: the box works with whatever greets it on USB and I2C."
    ),
    "setup_written": N_("Written down: board {board}, {sensing}, {die}, {screen}."),
    "setup_forgets": N_(
        "This system is read-only: what is changed here is forgotten when the power goes off. "
        "“A read-only system” in docs/service.md tells how to change it for good."
    ),
    "setup_build": N_("Which one is it?"),
    "setup_own": N_("Something of your own: as it is"),
    "setup_found": N_("Picos on USB, a screen on I2C: as found"),
    "setup_build-0": N_("Build 0: a screen and four keys, any board"),
    "setup_build-a-40": N_("Build A: 40 squares on the Pi’s own pins"),
    "setup_build-b-52": N_("Build B: 52 squares, Picos in board and die"),
    "setup_build-c-68": N_("Build C: 68 squares, Picos in board and die"),
    "setup_card-keypad": N_("The card game on a keypad"),
    "setup_card-mat": N_("The card game on its mat"),
    "setup_screen": N_("The screen"),
    "setup_ssd1306": N_("0.96 or 2.42 inch (SSD1306)"),
    "setup_sh1106": N_("1.3 inch (SH1106)"),
    "setup_none": N_("no screen"),
    "setup_upside_down": N_("It is built in upside down"),
    "setup_write": N_("Write it down"),
    "setup_presence": N_("sensors under the squares"),
    "setup_touch": N_("buttons at the squares"),
    "setup_choose": N_("no sensors"),
    "setup_die_serial": N_("a die on a Pico"),
    "setup_die_gpio": N_("a roll button"),
    "setup_die_hand": N_("a real die"),
    "setup_house": N_("Phones and computers in the house"),
    "setup_closed": N_("Only this machine can open this page."),
    "setup_open": N_("Everybody in the house’s network can watch at {address}."),
    "setup_open_pin": N_("Who knows the PIN {pin} can play and change things."),
    "setup_open_it": N_("Open it to the house"),
    "setup_close_it": N_("For this machine only"),
    "setup_pin": N_("PIN of 6 to 12 digits; empty for one that nobody can guess"),
    "setup_new_pin": N_("Change the PIN"),
    "setup_at_box": N_("Who may come in is said at the box itself: in its menu or on its screen."),
    "setup_cafe": N_("A café with several tables"),
    "setup_cafe_none": N_(
        "This table belongs to no house. To join one, open the link that `companion house add` "
        "prints there."
    ),
    "setup_cafe_in": N_("This table belongs to a house, and is called {name} there."),
    "setup_bench": N_("Test and map the board"),
    "setup_wait": N_("One moment: the box writes it down and starts again with it."),
    "setup_done": N_("Done."),
    "setup_nothing": N_(
        "It is written down, but nothing was found: no Pico is on USB. "
        "Plug in board and die, and they are taken by themselves."
    ),
    "setup_next_game": N_("Go to the table and begin a game"),
    "setup_next_bench": N_("Go on: test and map the board"),
    "setup_pin_about": N_("Watching is free. With the PIN you can also set the box up from here."),
    "setup_no_pin": N_(
        "You are watching. The box is set up at the box itself: "
        "choose “Ludo companion” in the menu of its screen."
    ),
    "update": N_("Updates"),
    "update_now": N_("This box runs version {version}. Nothing is fetched from the internet."),
    "update_file": N_("A package on this device (ludo-companion_….deb)"),
    "update_stick": N_("Look on a stick in the box"),
    "update_sending": N_("Sending: {percent} %"),
    "update_looking": N_("The box looks at it …"),
    "update_ready": N_("Version {version} is ready, and its signature is right."),
    "update_install": N_("Install version {version}"),
    "update_back": N_("Go back to version {version}"),
    "update_at_work": N_(
        "The box is at work: this takes a minute or two. You may watch; a game goes on afterwards."
    ),
    "update_done": N_("The box runs version {version} now."),
    "update_fault": N_("Something went wrong: `journalctl -u ludo-companion-update` tells more."),
    "update_no_key": N_(
        "This box has no key with which to check an update: install the package by hand, once."
    ),
    "update_busy": N_("Somebody else is sending an update: try again in a moment."),
    "update_no_file": N_("The file did not arrive whole: send it again."),
    "update_not_a_package": N_("This is not a Debian package."),
    "update_not_signed": N_("This package is not signed."),
    "update_wrong_signature": N_(
        "The signature is wrong: the file was changed, or somebody else made it."
    ),
    "update_another_package": N_("This is a package, but not the companion’s."),
    "update_another_machine": N_("This package is for another kind of machine."),
    "update_too_large": N_("This file is far too large to be ours."),
    "update_no_stick": N_("No stick with a package of the companion is in the box."),
    "update_no_room": N_("There is not enough room on the card."),
    "update_not_kept": N_(
        "The box cannot keep the file. Something else may lie in its place, or the card may fail."
    ),
    "update_read_only": N_(
        "This system is read-only, and would forget the update when the power goes off. "
        "“A read-only system” in docs/service.md tells how to update it."
    ),
    "update_not_installed": N_(
        "It could not be installed, and the version before goes on. "
        "`journalctl -u ludo-companion-update` tells why."
    ),
    "update_none_before": N_("There is no version before this one."),
    "update_changed": N_("Another file is there by now: look at it again."),
    "setup_simulated": N_("This table is simulated: there is nothing to set up."),
    "whole_board": N_("Whole board"),
    "look_closer": N_("Look closer"),
    "why": N_("Why?"),
    "welcome": N_("Welcome"),
    "welcome_what": N_(
        "This is a Ludo table. The box is its referee: it knows the rules, and can play along."
    ),
    "welcome_how": N_("Roll the die, then drag a piece: the board notices where it goes."),
    "welcome_real": N_(
        "Roll the die on the table, then move a piece: the board notices where it goes."
    ),
    "welcome_choose": N_(
        "Roll the die and move a piece: say with the keys, or here, which one it was."
    ),
    "welcome_wrong": N_("A wrong move does no harm: you are told why, and how to put it right."),
    "play_now": N_("Play now against the box"),
    "choose_game": N_("Choose rules and players"),
    "practice": N_("Practise: choose what the die shows"),
    "pieces_about": N_("How many each player has; with fewer the game is shorter."),
    "sensing_about": N_("What the simulated board can feel. With sensors it notices everything."),
    "ends_game": N_("A game is under way, and this ends it."),
    "really_end": N_("End this game before somebody has won?"),
    "box_rolls": N_("The box rolls."),
    "box_thinks": N_("The box is thinking."),
    "move_for_box": N_("Move its piece as shown."),
    "wish": N_("{name} wants"),
    "tally_rolls": N_("rolls"),
    "tally_mean": N_("mean"),
    "tally_hits": N_("captured"),
    "tally_lost": N_("lost"),
    "tally_about": N_("Without rolls for who begins, and what was taken back."),
    "to_begin": N_("rolls for who begins"),
    "moves_cards": N_("What you may lay"),
    "play_cards_for_me": N_("Lay for me"),
    "do_setting_cards": N_("Lay the cards as shown."),
    "do_restore_cards": N_("Put the cards right."),
    "do_penalty_cards": N_("Put the cards back."),
    "die_fair": N_("Nothing here that a fair die would not do."),
    "die_loaded": N_("A fair die hardly ever looks like this: have a look at it."),
    "die_few": N_("Too few rolls to say whether the die is fair."),
    "die_entered": N_("Chosen or entered by hand, and not counted here: {number}."),
    "rematch": N_("Rematch"),
    "watch_again": N_("Watch it again"),
    "fact_minutes": N_("{number} min"),
    "fact_rolls": N_("{number} rolls, {first} of them for who begins"),
    "fact_hits": N_("{number}× captured"),
    "fact_moves": N_("{number} moves"),
    "fact_move": N_("{number} move"),
    "past_games": N_("Past games"),
    "search_games": N_("Search by name, rules or day"),
    "more_games": N_("Show more"),
    "choose_past": N_("Choose a game: it is shown here, move by move."),
    "no_games": N_("No game has been kept yet."),
    "no_such_games": N_("No game fits that."),
    "game_number": N_("Game {number}"),
    "game_brought": N_("from a file"),
    "game_missing": N_("Game {number} is not there, or cannot be replayed."),
    "games_pin": N_("To see past games, enter the PIN."),
    "games_at_box": N_("Past games are shown at the box only."),
    "won_by": N_("{name} won"),
    "game_ended": N_("ended early"),
    "game_open": N_("not finished"),
    "game_broken": N_("cannot be replayed"),
    "move_slider": N_("Move"),
    "replay_play": N_("Play"),
    "replay_pause": N_("Stop"),
    "step_back": N_("One move back"),
    "step_on": N_("One move on"),
    "speed": N_("Speed"),
    "speed_slow": N_("slow"),
    "speed_usual": N_("usual"),
    "speed_quick": N_("quick"),
    "set_up": N_("The pieces are set."),
    "link_here": N_("Link to this move"),
    "link_to_copy": N_("This address leads to this move: copy it."),
    "replay_keys": N_("Left and right go move by move, the space bar plays and stops."),
    "what_if": N_("What if?"),
    "what_if_about": N_("This table does not count: try another way. The real game is untouched."),
    "what_if_back": N_("Back to the game"),
    "refused_then": N_("What was not allowed"),
    "delete_game": N_("Delete"),
    "really_delete_game": N_(
        "Delete this game for good? {game}. It goes from this box with its names, and from the "
        "statistics. Saved records, backups and a house's archive keep theirs."
    ),
    "game_on_table": N_(
        "This game is still on the table: it can be deleted once another has begun."
    ),
    "game_deleted": N_("The game is deleted."),
    "import_game": N_("Bring a game from a file"),
    "import_done": N_("The game is here now."),
    "import_cut": N_("Names of more than {letters} letters were cut."),
    "import_known": N_("This game is here already."),
    "import_huge": N_("This file is too large for the record of a game."),
    "import_foreign": N_("This file is not a record of a Ludo game."),
    "import_damaged": N_("This record is damaged in line {line}. Nothing was changed."),
    "import_sheet": N_("This box knows no sheet “{sheet}”. Nothing was changed."),
    "import_header": N_("The header of this record lacks “{lacks}”. Nothing was changed."),
    "import_begins": N_("In this game nobody rolled for who begins: such games are not kept."),
    "import_full": N_("There is no room for more games from elsewhere."),
    "statistics": N_("Statistics of all games"),
    "counted_games": N_("Games: {number}."),
    "games_elsewhere": N_("Brought from elsewhere, and not counted here: {number}."),
    "wins_chart": N_("Games won"),
    "lengths_chart": N_("How long games took"),
    "sheets_chart": N_("Played by these rules"),
    "refused_chart": N_("What was not allowed, by rule"),
    "phone_for": N_("A phone for {name}"),
    "phone_about": N_(
        "Whoever opens this code plays {name} from then on: own rolls and moves, nothing else."
    ),
    "phone_off": N_("Disconnect this phone"),
    "really_off": N_("The phone that plays {name} can then only watch. Disconnect it?"),
    "phone_is_off": N_("The old code no longer works. This is the new one."),
    "phone_is_off_for_now": N_(
        "The box cannot keep the new code: after its next start the old one works again."
    ),
    "only_own": N_("This phone plays its own colour only, in its own turn."),
    "code_old": N_("This code no longer works. You can watch; ask for a new code to play."),
    "code_old_plays": N_("This code no longer works, but you can go on playing here."),
    "phone_put_off": N_("This phone was disconnected. You can watch; ask for a new code to play."),
    "you_play": N_("You play {name}"),
    "plays_for": N_("{box} plays for {name}"),
    "own_page": N_("Your phone page"),
    "your_turn": N_("It is your turn."),
    "others_turn": N_("It is {name}'s turn."),
    "skip": N_("Skip to the table"),
    **house_rules.WORDS,
}


BEHIND = ("bench_", "join_", "setup_", "update_")
"""How the keys of words begin that only set-up, bench and joining say: a table needs none."""


AT_TABLE = ("house_rules", "make_rules", "copied")
"""Words of house rules that are said elsewhere, too."""


def page_words(
    words: NullTranslations = ENGLISH, *, behind: bool = True, rules: bool = True
) -> dict[str, str]:
    """Every word of the page; a name in braces is a gap that the page fills.

    What is said `behind` the table only can be left out, and what is said only where house
    `rules` are made.
    """
    left_out = () if rules else house_rules.WORDS.keys() - set(AT_TABLE)
    return {
        key: words.gettext(said)
        for key, said in WORDS.items()
        if (behind or not key.startswith(BEHIND)) and key not in left_out
    }
