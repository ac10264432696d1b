"""The Ludo card game: four stacks a player, and no board.

Source: seed sheet 001_c70ff633b9d57f20. The articles follow its order. A position holds the
heights of the new stacks; a move lays the first card of one, or adds cards to some.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from companion.rules.articles import Article, Forbid, Objections, Sheet
from companion.rules.boards import MAT, letter
from companion.rules.clauses import must_always
from companion.rules.dice import ORDINARY
from companion.rules.errors import BadInput
from companion.rules.game import FACES, Game
from companion.rules.judging import clause_of_a_duty, out_of_order, refusals_of
from companion.rules.moves import AnyMove, Attempt, Lay
from companion.rules.order import card_order_articles
from companion.rules.positions import NOBODY, Position
from companion.rules.verdicts import (
    Accepted,
    Evidence,
    Happening,
    Refusal,
    Refused,
    Unclear,
    Verdict,
)

STACKS = (1, 2, 3, 4)
FULL = 6


def _names(position: Position, lay: Lay) -> tuple[str, ...]:
    return tuple(stack_name(position.game, lay.seat, stack) for stack in dict.fromkeys(lay.stacks))


def stack_name(game: Game, seat: int, stack: int) -> str:
    """The name of a stack's button, for instance `R.3`."""
    return f"{letter(game.colours[seat])}.{stack}"


def _empty(position: Position, lay: Lay) -> list[int]:
    """The stacks of an action that are not begun yet."""
    heights = position.pieces[lay.seat]
    return [stack for stack in lay.stacks if heights[stack - 1] == 0]


def each_lay(clause: Callable[[Position, Lay], Evidence | None]) -> Forbid:
    """Let a clause that looks at one action look at all that are on offer."""

    def forbid(game: Game, position: Position, lays: Sequence[Lay]) -> Objections:
        return [(lay, evidence) for lay in lays if (evidence := clause(position, lay))]

    return forbid


@each_lay
def first_card_needs_its_number(position: Position, lay: Lay) -> Evidence | None:
    """C3, C4: a first card takes the number of its stack, or a six."""
    if len(lay.stacks) == 1 and _empty(position, lay) and lay.face not in (lay.stacks[0], 6):
        return Evidence("first_card_needs_number", _names(position, lay), lay.stacks[0])
    return None


@each_lay
def cards_add_up(position: Position, lay: Lay) -> Evidence | None:
    """C5: the numbers of added cards add up to the roll."""
    if not _empty(position, lay) and sum(lay.stacks) != lay.face:
        return Evidence("cards_do_not_add_up", _names(position, lay), sum(lay.stacks))
    return None


@each_lay
def lay_out_or_add(position: Position, lay: Lay) -> Evidence | None:
    """C6: one first card, or cards added; never both."""
    if _empty(position, lay) and len(lay.stacks) > 1:
        return Evidence("lay_out_and_add", _names(position, lay))
    return None


@each_lay
def full_stack(position: Position, lay: Lay) -> Evidence | None:
    """C9: a new stack takes six cards."""
    heights = position.pieces[lay.seat]
    full = [s for s in STACKS if heights[s - 1] + lay.stacks.count(s) > FULL and s in lay.stacks]
    if full:
        return Evidence("stack_full", tuple(stack_name(position.game, lay.seat, s) for s in full))
    return None


def beat(position: Position, lay: Lay, pieces: list[tuple[int, ...]]) -> list[Happening]:
    """C8: stacks as high as the ones just changed, of the same number, are beaten."""
    game, own, told = position.game, pieces[lay.seat], []
    for rival in game.order:
        if rival == lay.seat:
            continue
        beaten = [
            stack
            for stack in STACKS
            if stack in lay.stacks and pieces[rival][stack - 1] == own[stack - 1] < FULL
        ]
        if beaten:
            pieces[rival] = tuple(
                0 if stack in beaten else pieces[rival][stack - 1] for stack in STACKS
            )
            names = tuple(stack_name(game, rival, stack) for stack in beaten)
            told.append(game.tell("C8", "beaten", rival, names))
    return told


class CardGame(Game):
    """The card game, ready to play."""

    start_clause = "C2"
    place_clause = "C10"
    first_wins = True

    def __init__(self, sheet: Sheet, options: Mapping[str, Any], colours: tuple[str, ...]) -> None:
        super().__init__(sheet, options, colours)
        self.forbids = [(a.id, clause) for a in self.articles for clause in a.forbids]
        self.must_move = [(a.id, a.must_move) for a in self.articles if a.must_move]
        self._thinkable = {face: thinkable(face) for face in FACES}
        self._lays: dict[tuple[int, int, tuple[int, ...], bool], Lay] = {}

    def set_up(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            (0, 0, 0, 0) if seat in self.seats else () for seat in range(len(self.colours))
        )

    def legal_moves(self, position: Position, face: int) -> Sequence[AnyMove]:
        self.face(face)
        seat = position.seat
        if position.over:
            return []
        if position.opening is not None:
            return [self.passes[seat][face]]
        lays = [self._lay(position, face, stacks) for stacks in self._thinkable[face]]
        for _, forbid in self.forbids:
            barred = [lay for lay, _ in forbid(self, position, lays)]
            lays = [lay for lay in lays if lay not in barred]
        return lays or [self.passes[seat][face]]

    def _lay(self, position: Position, face: int, stacks: Sequence[int]) -> Lay:
        """The action of putting one card on each of these stacks."""
        heights = position.pieces[position.seat]
        first = len(stacks) == 1 and heights[stacks[0] - 1] == 0
        key = position.seat, face, tuple(sorted(stacks)), first
        found = self._lays.get(key)
        if found is None:
            found = self._lays[key] = Lay(*key, self)
        return found

    def play(
        self, position: Position, move: AnyMove, told: list[Happening] | None = None
    ) -> Position:
        if position.opening is not None:
            return self.throw_for_start(position, move.face, told)
        told = [] if told is None else told
        seat, pieces = position.seat, list(position.pieces)
        if isinstance(move, Lay):
            pieces[seat] = tuple(
                height + move.stacks.count(stack)
                for stack, height in zip(STACKS, pieces[seat], strict=True)
            )
            told += beat(position, move, pieces)
        if pieces[seat] == (FULL,) * 4:
            told.append(self.tell(self.place_clause, "home", seat))
            return Position(self, tuple(pieces), NOBODY, home=(seat,))
        if move.face == 6:
            clause = "C4" if isinstance(move, Lay) else "C7"
            told.append(self.tell(clause, "again", seat))
            return Position(self, tuple(pieces), seat, sixes=position.sixes + 1)
        return Position(self, tuple(pieces), self.next_seat(seat, (), pieces))

    def judge(
        self, position: Position, face: int | None, attempt: Attempt, by: str | None = None
    ) -> Verdict:
        """Every press is a card; presses that can still become a legal action are Unclear."""
        legal = self.legal_moves(position, face) if face is not None else []
        names = tuple(name for hop in attempt.hops for name in hop if name is not None)
        refusals = list(out_of_order(position, face, by, names))
        stacks = [self._stack(position, name, refusals) for name in names]
        if refusals or face is None:
            return Refused(tuple(refusals), tuple(legal))
        if not stacks:
            return self._judge_pass(position, face, legal)
        lay = self._lay(position, face, [stack for stack in stacks if stack])
        if lay in legal:
            return Accepted(lay, self.outcome(position, lay))
        begun = [one for one in legal if isinstance(one, Lay) and _within(lay, one)]
        if begun:
            return Unclear(tuple(begun))
        return Refused(refusals_of(self.forbids, self, position, lay), tuple(legal))

    def _judge_pass(self, position: Position, face: int, legal: Sequence[AnyMove]) -> Verdict:
        move = self.passes[position.seat][face]
        if move in legal:
            return Accepted(move, self.outcome(position, move))
        stacks = sorted({stack for lay in legal if isinstance(lay, Lay) for stack in lay.stacks})
        names = tuple(stack_name(self, position.seat, stack) for stack in stacks)
        clause = clause_of_a_duty(self.must_move, self, position, legal)
        return Refused((Refusal(clause, "must_move", names),), tuple(legal))

    def _stack(self, position: Position, name: str, refusals: list[Refusal]) -> int:
        """The stack a button belongs to; another player's is refused."""
        if name not in MAT.by_name:
            raise BadInput(f"there is no stack {name!r}: stacks are named R.1 to B.4")
        if MAT.by_name[name].colour != position.colour and not position.over:
            refusals.append(Refusal("O4", "not_your_stack", (name,)))
        return int(name[-1])

    def why_pass(self, position: Position, face: int) -> tuple[Refusal, ...]:
        if position.opening is not None or position.over:
            return ()
        found: dict[Refusal, None] = {}
        for stack in STACKS:
            lay = self._lay(position, face, (stack,))
            found |= dict.fromkeys(refusals_of(self.forbids, self, position, lay))
        return tuple(found)

    # -- text ------------------------------------------------------------------------------

    def spot(self, seat: int, number: int) -> str:
        return stack_name(self, seat, number)

    def stops(self, move: AnyMove) -> tuple[str, ...]:
        if not isinstance(move, Lay):
            return ()
        return tuple(stack_name(self, move.seat, stack) for stack in move.stacks)

    def standing(self, seat: int, numbers: tuple[int, ...]) -> list[int]:
        return list(numbers)

    def lying(self, seat: int, numbers: tuple[int, ...]) -> list[str]:
        cards = zip(STACKS, numbers, strict=True) if numbers else ()
        return [self.spot(seat, stack) for stack, height in cards for _ in range(height)]

    def done(self, number: int) -> tuple[int, int]:
        return number, FULL

    def spots(self, seat: int, numbers: tuple[int, ...]) -> str:
        return " ".join(str(number) for number in numbers)

    def read_spots(self, seat: int, words: list[str]) -> tuple[int, ...]:
        if len(words) != 4 or not all(
            len(w) == 1 and w.isdecimal() and int(w) <= FULL for w in words
        ):
            raise BadInput(f"a player has four stack heights from 0 to 6, not {' '.join(words)!r}")
        return tuple(int(word) for word in words)

    def check(self, position: Position) -> None:
        for seat, heights in enumerate(position.pieces):
            if bool(heights) != (seat in self.seats):
                raise BadInput(f"{self.colours[seat]} has stacks exactly if it plays in {self}")
            done = heights == (FULL,) * 4
            if done != (seat in position.home) or (done and not position.over):
                raise BadInput("the game is over exactly when somebody has four full stacks")
        if position.over and not position.home:
            raise BadInput("the turn is with nobody exactly when the game is over")

    def check_reachable(self, position: Position) -> None:
        super().check_reachable(position)
        for stack in STACKS:
            seen: dict[int, int] = {}
            for seat in self.seats:
                height = position.pieces[seat][stack - 1]
                if 0 < height < FULL and seen.setdefault(height, seat) != seat:
                    names = [stack_name(self, one, stack) for one in (seen[height], seat)]
                    raise BadInput(
                        f"{' and '.join(names)} cannot both be {height} high: one beats the other"
                    )

    def move_text(self, move: AnyMove) -> str:
        start = f"{self.colours[move.seat]} {self.die.show(move.face)}"
        if not isinstance(move, Lay):
            return f"{start} -"
        return f"{start} {'lay' if move.first else 'add'} {' '.join(map(str, move.stacks))}"

    def read_move(self, seat: int, face: int, words: list[str]) -> AnyMove:
        stacks = words[1:]
        if words[0] not in ("lay", "add") or not stacks or set(stacks) - {"1", "2", "3", "4"}:
            raise BadInput(
                f"cannot read {' '.join(words)!r} as a move: write lay 3, add 1 1 3, or - to pass"
            )
        return Lay(seat, face, tuple(sorted(map(int, stacks))), words[0] == "lay", self)


def thinkable(face: int) -> list[tuple[int, ...]]:
    """Any one stack, and every way to add up to the roll."""
    sums = [
        stacks
        for cards in range(2, face + 1)
        for stacks in combinations_with_replacement(STACKS, cards)
        if sum(stacks) == face
    ]
    return [(stack,) for stack in STACKS] + sums


def _within(part: Lay, whole: Lay) -> bool:
    """Whether the cards pressed so far can still grow into a legal action."""
    return all(part.stacks.count(stack) <= whole.stacks.count(stack) for stack in STACKS)


SHEET = Sheet(
    id="cards",
    title="Ludo card game",
    source="the sheet of a Ludo card game",
    about="No board: build four stacks of six cards. One that gets as high as another's beats it.",
    board=MAT,
    die=ORDINARY,
    build=CardGame,
    articles=(
        Article(
            "C1",
            "Each player has four stacks of six cards, numbered 1 to 4. Above each of them there "
            "is room for a new stack, empty at first.",
        ),
        Article(
            "C2",
            "Turns go round clockwise, with an ordinary die.",
            "The highest roll begins, and those who tie roll again.",
        ),
        Article(
            "C3",
            "Laying out: a roll of 1 to 4 lets you lay the first card of the stack with that "
            "number, if its new stack is still empty.",
            forbids=(first_card_needs_its_number,),
        ),
        Article(
            "C4",
            "A six lets you lay the first card of any one stack, and roll again.",
            "Any one whose new stack is still empty.",
        ),
        Article(
            "C5",
            "Adding: lay cards on new stacks that you have begun, as many as you like. Each counts "
            "the number of its stack, and together they make exactly the roll.",
            forbids=(cards_add_up,),
        ),
        Article(
            "C6",
            "In one turn you lay out one card or you add cards, never both.",
            forbids=(lay_out_or_add,),
        ),
        Article(
            "C7",
            "If you can do nothing with the roll, your turn is over; after a six you roll again "
            "even so.",
            "A roll that can be used has to be used.",
            must_move=must_always,
        ),
        Article(
            "C8",
            "Beating: if one of your new stacks ends up exactly as high as another player's with "
            "the same number, theirs is beaten. All its cards go back, and it starts again. "
            "Several can be beaten at once.",
            "Only stacks you changed count, and only their heights at the end.",
        ),
        Article(
            "C9",
            "A new stack of six cards is full: it is safe, and takes no more cards.",
            forbids=(full_stack,),
        ),
        Article("C10", "Whoever first has four full new stacks wins, and the game ends."),
        Article(
            "C11",
            "With only stacks 2 and 4 begun, a roll of 1 or 3 adds nothing.",
            "The sheet says the turn is over then, but it also lets you lay out stack 1 or 3 with "
            "that very roll; we keep C3.",
        ),
        *card_order_articles(),
    ),
)
