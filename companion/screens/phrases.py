"""What the rules' evidence means in plain sentences that a ten-year-old understands.

The sentences are message ids for gettext, with named gaps; `N_` and `NN_` only mark them for
collecting. Every function takes the translations to speak with, English if none are given.
"""

from collections.abc import Mapping, Sequence
from gettext import NullTranslations

from companion.rules import (
    AnyMove,
    Game,
    Happening,
    Lay,
    Move,
    Pass,
    Refusal,
    Refused,
    Unclear,
)
from companion.rules.owing import is_bonus
from companion.rules.places import is_apart, is_base, part_of

ENGLISH = NullTranslations()
FEW = 3
"""How many moves a sentence lists before it only says how many there are."""


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for it
    """Mark a sentence for the translators."""
    return message


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - as above, for a counted thing
    """Mark a sentence that reads differently for one and for many."""
    return one, many


# The gaps: {roll} what was rolled ("star"), {who_rolled} by whom ("you rolled a star"), {entering}
# what brings a piece in, {counted} what was counted, {place} the first place of the evidence
# ("square 12"), {at} and {last_at} the first and the last ("on square 12", "in the red base"),
# {places} all of them, {whose} the colour of the first.
REFUSALS: dict[str, str | tuple[str, str]] = {
    # The order at the table.
    "game_over": N_("The game is over."),
    "not_your_turn": N_("It is not your turn."),
    "roll_not_played": N_("First play what you have rolled."),
    "before_the_roll": N_("Roll first, then move."),
    "not_your_piece": N_("The piece {at} is not yours."),
    "not_your_stack": N_("Stack {place} is not yours: it belongs to {whose}."),
    "no_piece_there": N_("There is no piece {at}."),
    "must_move": N_("You can use this {roll}, so you have to."),
    "two_pieces": N_("Only one piece moves with one roll."),
    "board_not_right": N_("The pieces do not stand right yet."),
    "unfinished": N_("The move is not finished."),
    "bonus_not_played": N_("Play the {counted} bonus squares first, then roll."),
    "too_many_sixes": N_("That was one six too many: nothing moves, and the turn is over."),
    "must_go_back": N_("That was one six too many: the piece {at} goes back to its base."),
    # Counting.
    "counts_otherwise": NN_(
        "That is {counted} square, but this {roll} counts {otherwise}.",
        "That is {counted} squares, but this {roll} counts {otherwise}.",
    ),
    "wrong_count": NN_(
        "That is {counted} square, {who_rolled}.",
        "That is {counted} squares, {who_rolled}.",
    ),
    "nothing_goes_there": N_("No piece gets to {place} with this {roll}."),
    "not_on_your_way": N_("These pieces never go to {place}."),
    "not_your_finish": N_("{place} is for {whose} pieces only."),
    "backwards": N_("Pieces go forward only."),
    "bounces": N_("What is too much takes that piece back from the end, to {place}."),
    "past_the_end": NN_(
        "That piece has only {counted} square left, {who_rolled}.",
        "That piece has only {counted} squares left, {who_rolled}.",
    ),
    # Coming in.
    "needs_entry_roll": N_("Only a {entering} brings a piece in, {who_rolled}."),
    "enters_elsewhere": N_("A piece that comes in goes to {place}."),
    "must_enter": N_("With this {roll} you have to bring a piece in."),
    "must_clear_start": N_("Your piece {at} has to go first: others wait to come in."),
    # Other pieces.
    "own_piece": N_("Your own piece is {at}."),
    "block": N_("Two pieces {at} block the way."),
    "must_open": N_("With this {roll} you have to open your barrier {at}."),
    "square_full": N_("Two pieces stand {at}: there is no room for another."),
    "two_stand_there": N_("Two pieces of one colour stand {at}: nobody else can end there."),
    "jump_in_finish": N_("You cannot jump over your piece {at}."),
    "too_far_back": N_("You cannot go back that far: only on the track, and not to your start."),
    "nothing_to_capture": N_("You go back only to capture, and nobody is {last_at}."),
    # Globes and stars.
    "no_globe_ahead": N_("The piece {at} has no globe ahead of it."),
    "not_the_next_globe": N_("With a globe that piece goes to the next globe, {place}."),
    "no_star_ahead": N_("The piece {at} has no star ahead of it."),
    "not_the_next_star": N_("With a star that piece goes to the next star, {place}."),
    "globe_in_the_way": N_("A star takes no piece past a globe, and there is one {at}."),
    "past_the_last_star": NN_(
        "That piece has to stop on the star {at}: only {counted} square is left.",
        "That piece has to stop on the star {at}: only {counted} squares are left.",
    ),
    "waits_for_a_globe": N_("The piece {at} waits there for a globe."),
    "goes_home": N_("A globe takes the piece {at} all the way home."),
    # Pairs.
    "no_pair": N_("There is no Pair {at}."),
    "pair_needs_even": N_("A Pair moves with a 2, a 4 or a 6 only, {who_rolled}."),
    "pair_goes_half": N_("A Pair goes half the roll: {half}, not {counted}."),
    "pair_moves_whole": N_("With a {roll} the Pair {at} moves together or not at all."),
    # Cards.
    "first_card_needs_number": N_("The first card of stack {place} needs a {counted} or a 6."),
    "cards_do_not_add_up": N_("Those cards make {counted}, {who_rolled}."),
    "lay_out_and_add": N_("Begin one new stack, or add cards to begun ones: not both at once."),
    "stack_full": N_("Six cards are the most: stack {places} takes no more."),
}

# What reads better when nothing was counted.
AT_ZERO = {
    "wrong_count": N_("That piece has not moved on, {who_rolled}."),
    "past_the_end": N_("That piece has come to its end and stays there."),
}

# What reads differently of a bonus, which nobody has rolled.
OF_A_BONUS: dict[str, str | tuple[str, str]] = {
    "wrong_count": NN_(
        "That is {counted} square, the bonus is {bonus}.",
        "That is {counted} squares, the bonus is {bonus}.",
    ),
    "past_the_end": NN_(
        "That piece has only {counted} square left, the bonus is {bonus}.",
        "That piece has only {counted} squares left, the bonus is {bonus}.",
    ),
    "needs_entry_roll": N_("A bonus brings no piece in."),
    "must_move": N_("You can use the {bonus} bonus squares, so you have to."),
}

# The card game has no pieces, and nothing in it moves: what is said there instead.
OF_CARDS = {
    "The move is not finished.": N_("Not all cards are laid yet."),
    "The pieces do not stand right yet.": N_("The cards do not lie right yet."),
    "Roll first, then move.": N_("Roll first, then lay cards."),
    "Only one piece moves with one roll.": N_("One roll, one action: lay out a card, or add."),
    "There is no piece {at}.": N_("There is no card {at}."),
    "{colour} has brought everything home!": N_("{colour} has four full stacks!"),
    "Put it back, and wait for your turn.": N_("Take the card back, and wait for your turn."),
    "Put it back, and roll.": N_("Take the card back, and roll."),
    "Put it back: nothing can move with this roll.": N_(
        "Take the card back: with this roll you can lay none."
    ),
    "Put it back, and play {choices}.": N_("Take the card back, and lay {choices}."),
    "Play {choices}.": N_("Lay {choices}."),
    "another legal move": N_("other cards that are allowed"),
    "{turn} has rolled already: move as shown.": N_("{turn} has rolled already: lay as shown."),
    "{turn} does not know what to move: choose for it.": N_(
        "{turn} does not know what to lay: choose for it."
    ),
    "{name} rolled {rolled}: nothing can move.": N_("{name} rolled {rolled}: no card can be laid."),
    "No piece stands {at}.": N_("No card lies {at}."),
    "Not all pieces are in place yet.": N_("Not all cards are in place yet."),
    "First put the pieces right.": N_("First put the cards right."),
    "If not: put it back, or move on.": N_("If not: take it back, or lay on."),
    "Thank you, now the board is right.": N_("Thank you, now the cards are right."),
}


def of(game: Game | None, said: str) -> str:
    """A sentence as it is said in a game: of pieces, or of cards."""
    cards = game is not None and game.board.walked is None
    return OF_CARDS.get(said, said) if cards else said


# {colour} is whose piece or turn it is, {at} where the piece stood.
HAPPENINGS = {
    "begins": N_("{colour} begins."),
    "tied": N_("{colour} rolls again: somebody else rolled as high."),
    "captured": N_("The {colour} piece {at} is captured: it goes to its base."),
    "sent_back": N_("Two pieces stand {at}: the {colour} piece goes back to its base."),
    "penalty": N_("A capture was missed: the {colour} piece {at} goes to its base."),
    "beaten": N_("Stack {places} of {colour} is beaten: its cards go back."),
    "again": N_("{colour} rolls again."),
    "bonus": N_("{colour} goes {bonus} squares more with one piece."),
    "no_more_rolls": N_("{colour} has nothing left to roll for."),
    "too_many_sixes": N_("That was one six too many: the turn of {colour} is over."),
    "home": N_("{colour} has brought everything home!"),
}

OF_PIECES = {"captured", "sent_back", "penalty", "beaten"}
"""Happenings that name a colour to look for on the board; the others name a player."""

COLOURS = {
    "yellow": N_("yellow"),
    "green": N_("green"),
    "red": N_("red"),
    "black": N_("black"),
    "blue": N_("blue"),
}
ANOTHER = N_("another legal move")
SIGNS = {"star": N_("star"), "globe": N_("globe")}
A_SIGN = {"star": N_("a star"), "globe": N_("a globe")}


YOU_ROLLED = N_("you rolled {rolled}")
SOMEBODY_ROLLED = N_("{name} has rolled {rolled}")


def refusal(
    game: Game,
    why: Refusal,
    face: int | None,
    words: NullTranslations = ENGLISH,
    roller: str | None = None,
    names: Mapping[str, str] | None = None,
) -> str:
    """Why something cannot be done, for instance `That is 5 squares, you rolled 4.`

    `roller` is who rolled, where that is not the one who is spoken to; `names` are those of players
    by their colours: stacks belong to players, places on a board to colours.
    """
    sentence = REFUSALS[why.slip]
    if is_bonus(face):
        sentence = OF_A_BONUS.get(why.slip, sentence)
    if why.counted == 0 and why.slip in AT_ZERO:
        sentence = AT_ZERO[why.slip]
    if isinstance(sentence, str):
        said = words.gettext(of(game, sentence))
    else:
        said = words.ngettext(*sentence, why.counted or 0)
    shown = "" if face is None else rolled(game, face, words)
    who_rolled = words.gettext(YOU_ROLLED if roller is None else SOMEBODY_ROLLED)
    return _sentence(
        said,
        roll="" if face is None else roll(game, face, words),
        who_rolled=who_rolled.format(name=roller, rolled=shown),
        entering=_entering(game, words),
        counted="" if why.counted is None else str(why.counted),
        half="" if face is None else str(face // 2),
        bonus="" if face is None else str(face),
        otherwise=_otherwise(game),
        whose=_owner(game, why.places[0], words, names) if why.places else "",
        **_where(game, why.places, words),
    )


def happening(
    game: Game,
    told: Happening,
    words: NullTranslations = ENGLISH,
    names: Mapping[str, str] | None = None,
) -> str:
    """What followed from a move, for instance `Red rolls again.`, or whose name is known."""
    said = words.gettext(of(game, HAPPENINGS[told.what]))
    seat = game.colours[told.seat]
    named = None if told.what in OF_PIECES or names is None else names.get(seat)
    whose = named or colour(seat, words)
    bonus = str(game.sheet.article(told.clause).bonus)
    return _sentence(said, colour=whose, bonus=bonus, **_where(game, told.places, words))


def _otherwise(game: Game) -> str:
    """What a face counts that counts otherwise."""
    reckoning = getattr(game, "reckoning", None)
    return "" if reckoning is None else str(reckoning.count)


def unclear(game: Game, verdict: Unclear, words: NullTranslations = ENGLISH) -> str:
    """The question that settles which of several moves was meant."""
    said = words.gettext("Which do you mean: {choices}?")
    return _sentence(said, choices=_choices(game, verdict.moves, words))


def remedy(game: Game, verdict: Refused, words: NullTranslations = ENGLISH) -> str:
    """How to put a refused attempt right, from the legal moves, in one line."""
    slips = {refusal.slip for refusal in verdict.refusals}
    moves = [move for move in verdict.instead if not isinstance(move, Pass)]
    if "game_over" in slips:
        said = N_("Put everything back, or start a new game.")
    elif "must_move" in slips:
        said = N_("Play {choices}.")
    elif "not_your_turn" in slips:
        said = N_("Put it back, and wait for your turn.")
    elif "before_the_roll" in slips:
        said = N_("Put it back, and roll.")
    elif not moves:
        said = N_("Put it back: nothing can move with this roll.")
    else:
        said = N_("Put it back, and play {choices}.")
    return _sentence(words.gettext(of(game, said)), choices=_choices(game, moves, words))


def move(game: Game, played: AnyMove, words: NullTranslations = ENGLISH) -> str:
    """A move in a few words, for instance `12 to 18`."""
    if isinstance(played, Pass):
        return words.gettext("pass")
    if isinstance(played, Lay):
        first = words.gettext("the first card of stack {stacks}")
        count = len(played.stacks)
        more = words.ngettext("a card on stack {stacks}", "cards on stacks {stacks}", count)
        return (first if played.first else more).format(stacks="+".join(map(str, played.stacks)))
    begin, end = game.stops(played)
    if is_base(begin):
        said = words.gettext("a new piece on {target}")
    elif played.size == 2:
        said = words.gettext("the Pair {origin} to {target}")
    else:
        return way(begin, end, words)
    return said.format(origin=short(begin, words), target=short(end, words))


def way(begin: str, end: str, words: NullTranslations = ENGLISH) -> str:
    """From one place to another: `12 to 18`."""
    said = N_("{origin} to home") if is_apart(end) else N_("{origin} to {target}")
    if is_base(end):
        said = N_("{origin} back to its base")
    return words.gettext(said).format(origin=short(begin, words), target=short(end, words))


def capital_move(game: Game, played: AnyMove, words: NullTranslations = ENGLISH) -> str:
    """The same with its first letter large; but a square is called as it is on the board: `c`."""
    said = move(game, played, words)
    if isinstance(played, Move) and said.startswith(f"{part_of(game.stops(played)[0])} "):
        return said
    return said[:1].upper() + said[1:]


def colour(name: str, words: NullTranslations = ENGLISH) -> str:
    """A colour's name in the language spoken."""
    return words.gettext(COLOURS[name])


def roll(game: Game, face: int, words: NullTranslations = ENGLISH) -> str:
    """What the die shows: a number, `star` or `globe`."""
    shown = game.die.show(face)
    return words.gettext(SIGNS[shown]) if shown in SIGNS else shown


def rolled(game: Game, face: int, words: NullTranslations = ENGLISH) -> str:
    """What somebody rolled: a number, `a star` or `a globe`."""
    shown = game.die.show(face)
    return words.gettext(A_SIGN[shown]) if shown in A_SIGN else shown


def place(game: Game, name: str, words: NullTranslations = ENGLISH) -> str:
    """A place in words: `square 12`, `the red base`, `finish square b`, or the stack `3`."""
    whose, spot = _owner(game, name, words), part_of(name)
    if spot == name:
        return words.gettext("square {name}").format(name=name)
    if game.board.walked is None:
        return spot
    if is_base(name):
        return words.gettext("the {colour} base").format(colour=whose)
    if is_apart(name):
        return words.gettext("the {colour} home").format(colour=whose)
    return words.gettext("finish square {name}").format(name=spot)


def short(name: str, words: NullTranslations = ENGLISH) -> str:
    """A place in a word or two, where it is clear whose it is."""
    if is_apart(name):
        return words.gettext("base") if is_base(name) else words.gettext("home")
    spot = part_of(name)
    if spot == name or not spot.isdecimal():
        return spot
    return words.gettext("finish square {name}").format(name=spot)  # a bare 3 would be square 3


def _where(game: Game, names: Sequence[str], words: NullTranslations) -> dict[str, str]:
    """The places of some evidence, ready for the gaps of a sentence."""
    spots = [place(game, name, words) for name in names] or [""]
    stands = [at(game, name, words) for name in names] or [""]
    places = listed(spots, words.gettext("and"))
    return {"place": spots[0], "at": stands[0], "last_at": stands[-1], "places": places}


def at(game: Game, name: str, words: NullTranslations = ENGLISH) -> str:
    """Where something stands: `on square 12`, `in the red base`, `on stack 3`."""
    if game.board.walked is None:
        return words.gettext("on stack {name}").format(name=place(game, name, words))
    said = words.gettext("in {place}") if is_apart(name) else words.gettext("on {place}")
    return said.format(place=place(game, name, words))


def _owner(
    game: Game, name: str, words: NullTranslations, names: Mapping[str, str] | None = None
) -> str:
    """The colour to which a place belongs, if it does; of a stack, its player if that is known."""
    places = game.board.by_name
    found = places.get(name) or places.get(f"{name}1")
    if found is None or found.colour is None:
        return ""
    named = (names or {}).get(found.colour) if game.board.walked is None else None
    return named or colour(found.colour, words)


def _entering(game: Game, words: NullTranslations) -> str:
    """What has to be rolled to bring a piece in."""
    faces = game.entering_faces()
    return listed([roll(game, face, words) for face in faces], words.gettext("or")) if faces else ""


def _choices(game: Game, moves: Sequence[AnyMove], words: NullTranslations) -> str:
    """Moves to choose from: all of a few, or the first of many."""
    said = [move(game, one, words) for one in moves]
    if len(said) > FEW:
        said = [*said[: FEW - 1], words.gettext(of(game, ANOTHER))]
    return listed(said, words.gettext("or"))


def listed(items: Sequence[str], last: str) -> str:
    """`a`, `a or b`, `a, b or c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def _sentence(said: str, **gaps: str) -> str:
    filled = said.format(**gaps)
    return filled[:1].upper() + filled[1:]
