"""Play: the game under way and what is shown of it; the one place that acts on findings.

A way of sensing finds what hands did (`sensing.py`); `Play` acts on it, keeps what has to be
kept, and enters the next phase. Buttons and menus are `Box`'s, orders `Referee`'s.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.events import Reading, RecordData, Snapshot
from companion.referee.channels import SoundName, Tone, channels
from companion.referee.choose import Choose
from companion.referee.effects import (
    Advice,
    Ask,
    Effect,
    Keep,
    Line,
    Notice,
    Report,
    Sound,
)
from companion.referee.match import Match
from companion.referee.outlines import Step
from companion.referee.phases import LEADS, PHASES, PUTTING_RIGHT, TURN, Act, Phase, Task
from companion.referee.players import Players
from companion.referee.presence import Presence
from companion.referee.sensing import (
    Accept,
    Amend,
    Back,
    Finding,
    Guide,
    Hint,
    Outlook,
    Question,
    Refuse,
    Right,
    Sensing,
)
from companion.referee.stage import MovedBy, Stage
from companion.referee.times import Times
from companion.referee.touch import Touch
from companion.rules import AnyMove, Pass, Position, Refusal, judge_roll
from companion.rules.boards import BASE
from companion.rules.history import Deed, refused
from companion.rules.levels import check_seat

LET_STAND = "let_it_stand"
"""The question about a move that is another than the box's player wanted."""
BEFORE_A_HINT = ("in_hand", "put_back")
"""Notices that a hint makes untrue."""
GUIDED: tuple[Phase, ...] = ("setting", *PUTTING_RIGHT)
"""The phases that show what hands have to do."""


ACT_OF: dict[type, Act] = {
    Accept: "move",
    Amend: "move",
    Back: "moved_back",
    Right: "right",
    Refuse: "refuse",
    Guide: "guide",
    Question: "ask",
}
"""What each finding asks for; a hint leaves the phase as it is."""


class Play:
    """The match, the stage, and the ways of sensing; `effects` is what is to be done about it."""

    def __init__(self, sensing: str, die: str, times: Times) -> None:
        self.now = 0.0
        self.sensing = sensing
        self.die = die
        self.gentle = False
        self.advises = True
        """Whether people may ask which move is the best."""
        self.match: Match | None = None
        self.stage = Stage()
        self.missing: set[str] = set()
        self.die_rolls = False
        self.effects: list[Effect] = []
        self.presence = Presence(times)
        self.players = Players(times)
        self._readers: dict[str, Sensing] = {
            "presence": self.presence,
            "touch": Touch(times),
            "choose": Choose(),
        }
        self._last_roll: int | None = None
        self._asked_about: Deed | None = None

    # -- what is said ----------------------------------------------------------------------

    def report(self, text: str) -> None:
        self.effects.append(Report(text))

    def keep(self, *records: RecordData) -> None:
        self.effects += (Keep(record) for record in records)

    def sound(self, name: SoundName) -> None:
        self.effects.append(Sound(name))

    def sound_of(self, tone: Tone) -> None:
        """Play what a tone begins with."""
        sound = channels(tone, self.gentle).sound
        if sound is not None:
            self.sound(sound)

    def wish(self, wish: str) -> None:
        """Ask the shell around the referee for something."""
        self.effects.append(Ask(wish))

    def say(self, key: str, *places: str) -> None:
        """Show a short word until something else happens."""
        self.stage.notice = Notice(key, places)
        self.sound("notice")

    # -- how moves are made ----------------------------------------------------------------

    @property
    def way_of_sensing(self) -> str:
        """Presence, touch or choose; cards are always pressed, unless nothing is."""
        if self.match is not None and self.match.game.board.walked is None:
            return "choose" if self.sensing == "choose" else "touch"
        return self.sensing

    @property
    def moved_by(self) -> MovedBy:
        """What decides how moves are made; if it changes, they have to be asked for again."""
        return self.way_of_sensing, "board" in self.missing

    @property
    def reader(self) -> Sensing:
        """The way of sensing in use; without the board moves are chosen with the buttons."""
        missing = "board" in self.missing
        return self._readers["choose" if missing else self.way_of_sensing]

    @property
    def sees(self) -> bool:
        """Whether the board can be seen now; otherwise people say how it stands."""
        return self.reader.sees

    @property
    def hand_die(self) -> bool:
        """Whether rolls are entered with the buttons."""
        return self.die == "hand" or "die" in self.missing

    # -- entering phases -------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        return self.stage.phase

    def enter(self, act: Act, stage: Stage, task: Task | None = None) -> None:
        """Show this from now on, and tell the way of sensing what may come next."""
        if self._follow(act, stage) and self.match is not None:
            asked = tuple(line.move for line in stage.lines) if stage.phase == "ask" else ()
            row = PHASES["roll"] if stage.title == "won" else stage.row
            outlook = Outlook(self.match, task or row.task, stage.remedy, asked)
            self.act(self.reader.expect(outlook, self.now))

    def _may(self, act: Act) -> bool:
        """Whether the machine has this act here; if not, that is reported, and nothing is done."""
        if act in LEADS[self.phase]:
            return True
        self.report(f"no way leads from {self.phase} by {act}")
        return False

    def _follow(self, act: Act, stage: Stage) -> bool:
        """Go from phase to phase as the machine has it; tells whether that could be done."""
        if not self._may(act):
            return False
        if stage.phase not in LEADS[self.phase][act]:
            self.report(f"no way leads from {self.phase} by {act} to {stage.phase}")
        self.stage = stage
        return True

    def turn(self, act: Act, task: Task | None = None) -> None:
        """Show what comes next in the game: a roll, a move, or the end."""
        assert self.match is not None
        match = self.match
        if match.over:
            self.enter(act, Stage("over"))
        elif match.position.opening is not None:
            self.enter(act, Stage("opening"), task)
        elif match.face is None:
            self.enter(act, Stage("roll"), task)
        else:
            lines = tuple(Line("move", move=move) for move in match.legal)
            looked = act != "sensing"  # or else nobody has looked at the lines yet
            chosen = looked and self.reader is self._readers["choose"]
            self.enter(act, Stage("move", lines=lines, cursor=0 if chosen else None), task)

    # -- covering --------------------------------------------------------------------------

    def cover(self, act: Act, stage: Stage) -> None:
        """A menu or a pause covers what is shown; it stays as it is beneath.

        A menu inside the menu covers what the menu covers.
        """
        here = self.stage
        again = here.phase == stage.phase
        stage.beneath = here.beneath if again else here
        stage.covered_by = here.covered_by if again else self.moved_by
        self._follow(act, stage)

    def uncover(self) -> None:
        """What was covered is shown again; the board is looked at again."""
        cover = self.stage
        assert cover.beneath is not None
        self._follow("uncover", cover.beneath)
        if cover.covered_by != self.moved_by:
            self._moved_otherwise(cover.covered_by[0])
        if not self.resting:
            self.act(self.reader.look(self.now))

    # -- acting on findings ----------------------------------------------------------------

    def act(self, found: Finding | None) -> None:
        """Do what a finding asks for, if the machine has that here."""
        asked = ACT_OF.get(type(found))
        if asked is not None and not self._may(asked):
            return
        match found:
            case Accept(move):
                self._accept_or_ask(move)
            case Amend(move):
                self._amend_or_ask(move)
            case Back():
                self.moved_back()
            case Right(said, check):
                self.right(said, check)
            case Refuse():
                self.refuse(found)
            case Guide(remedy):
                self.guide(remedy)
            case Question(moves):
                self.ask_which(moves)
            case Hint():
                self.hint(found)

    def _accept_or_ask(self, move: AnyMove) -> None:
        assert self.match is not None
        if self._asked_of_box(move, self.match.position, self.match.face):
            return
        self.accept(move)

    def _amend_or_ask(self, move: AnyMove) -> None:
        assert self.match is not None
        last = self.match.open_move
        if last is not None and self._asked_of_box(move, last.position, last.face):
            return
        self.amend(move)

    def accept(self, move: AnyMove) -> None:
        """A legal move has been made: keep it, and say what it brought about."""
        assert self.match is not None
        match = self.match
        ranked = len(match.position.ranking)
        self.keep(match.play(move))
        happened = {happening.what for happening in match.happenings}
        self._pass_bonus()
        if match.over or len(match.position.ranking) > ranked:
            self.sound("win")
        elif happened & {"captured", "beaten", "penalty", "sent_back"}:
            self.sound("capture")
        else:
            self.sound("accepted")
        self.turn("move", Task.CHECK)
        self.ask_to_play_on()

    def _pass_bonus(self) -> None:
        """A bonus that no piece can use is lost at once."""
        assert self.match is not None
        match = self.match
        while match.face is not None and isinstance(match.legal[0], Pass):
            told = match.happenings
            self.keep(match.play(match.legal[0]))
            match.happenings = (*told, *match.happenings)

    def amend(self, move: AnyMove) -> None:
        """The last move was meant to be this one."""
        assert self.match is not None
        self.keep(self.match.take_back())
        self.accept(move)

    def moved_back(self) -> None:
        """Hands have moved the last piece back: its move is undone."""
        assert self.match is not None
        self.keep(self.match.take_back())
        self.turn("moved_back", Task.CHECK)
        self.say("taken_back")

    def right(self, said: bool, check: tuple[str, ...] = ()) -> None:
        """The board is as the game has it: go on, or ask what comes next."""
        was_guided = self.phase in ("restore", "penalty")
        self.turn("right")
        if check:
            self.say("check_colours", *check)
        elif said:
            self.say("put_back")
        if was_guided:
            self.ask_to_play_on()

    def refuse(self, found: Refuse) -> None:
        """Flag what is not allowed. Nothing changes in the game."""
        shown, (refusals, remedy, attempt) = self.stage, found
        again = (shown.phase, shown.refusals, shown.attempt) == ("illegal", refusals, attempt)
        stage = Stage(
            "illegal",
            lines=shown.lines,
            cursor=shown.cursor,
            refusals=refusals,
            remedy=remedy,
            attempt=attempt,
        )
        self.enter("refuse", replace(shown, remedy=remedy) if again else stage)
        if not again:
            if self.match is not None:
                self.keep(refused(refusals, self.match.face))
            self.sound_of("stop")

    def hint(self, found: Hint) -> None:
        """Say quietly what is half done; the phase stays as it is."""
        if self.phase in TURN:
            self.stage.remedy, self.stage.made = found.remedy, found.made
        if found.notice is not None:
            self.stage.notice = found.notice
        elif self.stage.notice is not None and self.stage.notice.key in BEFORE_A_HINT:
            self.stage.notice = None
        if found.said and (found.remedy or found.notice):
            self.sound_of("hint")

    def guide(self, remedy: tuple[Step, ...]) -> None:
        """Show what hands have to do until the board is as the game has it."""
        assert self.match is not None
        if self.phase in GUIDED:
            self._follow("guide", replace(self.stage, remedy=remedy, attempt=None))
        else:
            phase: Phase = "penalty" if self._is_penalty(remedy) else "restore"
            self.enter("guide", replace(self.stage, phase=phase, remedy=remedy))

    def _is_penalty(self, remedy: tuple[Step, ...]) -> bool:
        """Whether one of the steps pays what the last move cost its player."""
        assert self.match is not None
        owed, game = self.match.penalty, self.match.game
        base = None if owed is None else game.spot(owed.seat, BASE)
        return base is not None and any(step.target == base for step in remedy)

    def ask_which(self, moves: tuple[AnyMove | None, ...]) -> None:
        """Only people know which of these was made."""
        lines = tuple(Line("move" if one else "take_back", move=one) for one in moves)
        self.ask("have_moved" if len(lines) == 1 else "which_move", lines)

    def ask(self, title: str, lines: tuple[Line, ...]) -> None:
        """Put a question to the players; up, down and OK answer it."""
        self.enter("ask", Stage("ask", title, lines, cursor=0, notice=self.stage.notice))
        self.sound_of("question")

    def _asked_of_box(self, move: AnyMove, position: Position, face: int | None) -> bool:
        """Whether a move is another than the box's player wanted: people say if it stands."""
        assert self.match is not None
        wish = self.players.wish(position, face)
        if self.match.level_at(position.seat) is None or wish is None or move == wish:
            return False
        asked = self.stage.title == LET_STAND and self.stage.lines[0].move == move
        if not asked:
            self.ask(LET_STAND, (Line("move", move=move),))
        return True

    def ask_to_play_on(self) -> None:
        """Once the board is right after the first win, the others may play for their places."""
        assert self.match is not None
        last, ranking = self.match.open_move, self.match.position.ranking
        if last is None or not ranking or last.position.ranking or self.phase != "roll":
            return
        if last is not self._asked_about:  # once is enough
            self._asked_about = last
            self.ask("won", (Line("play_on"), Line("end_game")))

    # -- the board -------------------------------------------------------------------------

    @property
    def resting(self) -> bool:
        """Whether nobody plays just now, or a menu or a pause covers the table."""
        return self.match is None or self.stage.row.task is Task.REST

    def sense(self, event: Reading | Snapshot) -> None:
        """Hear the board; sensors are heard always, presses only while somebody plays."""
        self.players.stir(self.now)
        if self.way_of_sensing == "presence":
            self.presence.sense(event, self.now)
        elif not self.resting:
            self.reader.sense(event, self.now)
        flickered, self.presence.flickered = self.presence.flickered, None
        if flickered is not None:
            self.keep({"kind": "aside", "place": flickered, "aside": True})
            self.say("sensor_flickers", flickered)

    def due(self) -> None:
        """Act on what has become clear by now, unless something covers the table."""
        if not self.resting:
            self.act(self.reader.due(self.now))
        if not self.resting:
            self._play_for_box()

    def deadline(self) -> float | None:
        """When to look again; None if nothing is waited for."""
        if self.resting:
            return None
        draws_at = self.players.draws_at if self._may_draw else None
        waits = (self.reader.deadline(), draws_at)
        return min((at for at in waits if at is not None), default=None)

    def lost(self, device: str) -> None:
        """A device went away; without the board moves are chosen."""
        before = self.reader
        self.missing.add(device)
        if device == "die":
            self.die_rolls = False
        if device == "board":
            self.presence.forget()
            self._take_over(before)
            self._moved_otherwise(self.way_of_sensing)
        self.sound("notice")

    def found(self, device: str) -> None:
        before = self.reader
        self.missing.discard(device)
        if device == "board":
            self._take_over(before)
            self._moved_otherwise(self.way_of_sensing)

    def sense_by(self, sensing: str) -> None:
        """Another way of sensing; what the board last said no longer counts."""
        before, was = self.reader, self.way_of_sensing
        self.sensing = sensing
        self.presence.forget()
        self._take_over(before)
        self._moved_otherwise(was)

    def _take_over(self, before: Sensing) -> None:
        """Where people say how the pieces stand, it is known whichever way they say it."""
        if isinstance(before, Choose) and isinstance(self.reader, Choose):
            self.reader.take_over(before)

    def _is_told(self, was: str) -> bool:
        """Whether people say how the pieces stand, now and when moves `was` sensed so."""
        return "presence" not in (was, self.way_of_sensing)

    def _moved_otherwise(self, was: str) -> None:
        """Moves are made in another way than before: they are asked for again."""
        if self.resting:
            return
        if self._is_told(was) and self.phase in PUTTING_RIGHT and self.stage.remedy:
            self.turn("sensing", Task.CHECK)
        elif self.phase in ("setting", "opening", "roll", "over"):
            self.enter("sensing", replace(self.stage, remedy=()))
        else:  # nobody can see any more whether something is put right
            self.turn("sensing")

    def set_up_done(self) -> None:
        """The pieces are set, somebody says; a board that is seen decides."""
        found = self.reader.settle(self.now)
        self.act(found)
        if isinstance(found, Guide):
            self.say("pieces_missing")
        elif found is None:
            self.turn("ok")

    def said_right(self) -> None:
        """Somebody says that what was to put right is right; a board that is seen decides."""
        if self.sees:
            self.settle()
        else:
            self.reader.settle(self.now)
            self.turn("ok")

    def said_moved(self) -> None:
        """«I have moved», where that could not be seen; a press that was a mistake is let go of."""
        assert self.match is not None
        found = self.reader.moved(self.now)
        if found is not None:
            self.act(found)
        elif any(isinstance(move, Pass) for move in self.match.legal):
            self.ask_which(self.match.legal)
        else:
            self.stage.cursor = 0
            self.say("choose")

    def said_ok_before_roll(self) -> None:
        """A press that was a mistake is let go of; without one there is only the die to roll."""
        if self.reader.pressed:
            self.act(self.reader.moved(self.now))
        else:
            self.say("roll_the_die")

    def seen_refusal(self) -> None:
        """The refusal was seen; it stays as long as the board is seen to be wrong."""
        if self.sees:
            self.settle()
            if self.phase != "illegal":
                return
            if self.presence.way_back():
                self.say("put_it_right")
                return
        else:
            self.reader.settle(self.now)  # people say that all stands right
        self.turn("ok")

    def settle(self) -> None:
        """The board is meant as it lies; what was waited for is waited for no longer."""
        if self.resting:
            return
        waited = self.reader.deadline()
        if self.sees:
            self.act(self.reader.settle(self.now))
        elif waited is not None:
            self.act(self.reader.due(waited))

    def set_aside(self, place: str) -> bool:
        """Do without a sensor; tells whether there is one."""
        return self._use(place, place in self.presence.places, aside=True)

    def use_again(self, place: str) -> bool:
        """A sensor is mended; tells whether it was set aside."""
        return self._use(place, place in self.presence.sensors.aside, aside=False)

    def _use(self, place: str, there: bool, *, aside: bool) -> bool:
        if there:
            self.presence.sensors.use(place, not aside)
            self.keep({"kind": "aside", "place": place, "aside": aside})
        return there

    # -- the box's players -----------------------------------------------------------------

    @property
    def _may_draw(self) -> bool:
        """Whether a player of the box may roll: nothing is half done, and no hand at the board."""
        notice = self.stage.notice
        half_done = self.stage.remedy or (notice is not None and notice.key == "in_hand")
        busy = self.reader.pressed or self.reader.deadline() is not None
        return self.phase in ("opening", "roll") and not half_done and not busy

    def _play_for_box(self) -> None:
        """Let a player of the box whose turn it is roll, think, or pass."""
        assert self.match is not None
        match, players = self.match, self.players
        players.follow(match, self.now)
        if not players.is_on:
            return
        if self._may_draw and players.draws_at is not None and self.now >= players.draws_at:
            self.effects.append(players.draw())
        elif self.phase == "move":
            question = players.think()
            if question is not None:
                self.effects.append(question)
            self._show_wish(match)

    def _show_wish(self, match: Match) -> None:
        """The move that the box wants comes first; a pass needs no hand."""
        wish = self.players.wish(match.position, match.face)
        if isinstance(wish, Pass):
            self.accept(wish)
            self.stage.notice = Notice("box_passes")
        elif wish is not None and self.stage.lines and self.stage.lines[0].move != wish:
            others = tuple(line for line in self.stage.lines if line.move != wish)
            self.stage.lines = (Line("move", move=wish), *others)
            self.stage.cursor = None if self.stage.cursor is None else 0

    def drawn(self, number: int, face: int) -> None:
        """A roll was drawn for a player of the box; if it cannot roll now, it is drawn again."""
        if not self.players.is_answer(number):
            return
        if self.resting or not self._may_draw:
            self.players.forget_question()
        else:
            self.rolled(face, None, source="box")

    def thought(self, number: int, told: Mapping[str, Any]) -> None:
        """A player of the box knows what it wants; if it does not, any legal move will do."""
        assert self.match is not None
        if self.players.is_advice(number, self.match):
            self._tell_advice(self.players.hear_advice(told))
            return
        if not self.players.is_answer(number):
            return
        if self.players.hear(told) is None:
            self.report(f"the box's player has no move: {told.get('error', told)}")
            self.say("move_for_it")

    def advise(self) -> None:
        """Somebody asks which move is the best; what there is to choose from is thought about."""
        assert self.match is not None
        match = self.match
        if not self.advises:
            self.say("advice_off")
        elif self.phase in PUTTING_RIGHT:
            self.say("put_it_right" if self.stage.remedy else "not_now")
        elif match.over:
            self.say("advice_over")
        elif self.phase != "move" or match.face is None:
            self.say("advice_later")
        elif len(match.legal) == 1:
            self.say("advice_only")
        else:
            self.effects.append(self.players.advise(match))
            self.say("advice_thinks")

    def _tell_advice(self, advice: Advice | None) -> None:
        """Say which move is better, or that nobody can tell; where it was asked, and only there."""
        if self.phase != "move":
            return
        if advice is None:
            self.say("advice_failed")
        elif advice.move is None:
            self.say("advice_none")
        elif advice.places:
            self.say("advice_place")
        else:
            self.say("advice_best")

    def seat(self, colour: str, level: str | None) -> None:
        """A player of the box takes a seat, or a person does, from now on."""
        assert self.match is not None
        match = self.match
        check_seat(colour, level, match.seats)
        if match.over:
            self.say("not_now")
        elif match.box.get(colour) != level:
            self.keep(match.seat(colour, level))

    # -- the die ---------------------------------------------------------------------------

    def rolled(
        self, face: int, number: int | None, by: str | None = None, source: str = "unknown"
    ) -> None:
        """A settled roll. The same number again is the same roll, told twice."""
        self.die_rolls = False
        if number is not None:
            if number == self._last_roll:
                return
            self._last_roll = number
        if type(face) is not int or face not in range(1, 7):
            self.report(f"the die has no face {face!r}")
            return
        match = self.match
        if match is not None and self.stage.row.roll == "uncovers":
            self.uncover()
        if match is None or self.stage.row.roll == "nothing":
            self.say("no_game" if match is None else "not_now")
            return
        if self.stage.row.roll == "sets":
            self.set_up_done()
            if self.phase == "setting":
                return
        self.settle()
        if match.over:  # the move that was still to be seen has won
            self.say("not_now")
            return
        if self.phase == "ask" and self.stage.title != "won":
            self.say("answer_first")
            return
        if self.phase == "move" and match.level is not None:
            self.say("box_rolled")
            return
        self._clear_for_roll(match)
        thrower = by if match.level is None else None  # anybody may throw for the box
        refusals = judge_roll(match.position, match.face, thrower)
        if self.stage.row.roll != "counts" and (self.stage.remedy or not refusals):
            others = (*refusals, *self.stage.refusals)  # what was wrong before still is
            refusals = (
                *dict.fromkeys(one for one in others if one.clause == "O1"),
                Refusal("O2", "board_not_right"),
                *dict.fromkeys(one for one in others if one.clause not in ("O1", "O2")),
            )
        if refusals:
            self.refuse(Refuse(refusals, self.stage.remedy, self.stage.attempt))
            return
        if not self._may("roll"):
            return
        self.keep(match.roll(face, number, source))
        self.sound("roll")
        self.after_roll("roll")

    def _clear_for_roll(self, match: Match) -> None:
        """What a roll answers: play on, the pieces are put right, or only a roll was refused."""
        unseen = self.phase in ("penalty", "restore") and not self.sees and match.face is None
        only_a_roll = self.phase == "illegal" and match.face is None and not self.stage.remedy
        if self.stage.title == "won" or unseen or only_a_roll:
            self.turn("roll")

    def forget_rolls_but(self, number: int | None) -> None:
        """Of the rolls told so far only this one may be told twice: any other is a new one."""
        self._last_roll = number

    def after_roll(self, act: Act, task: Task | None = None) -> None:
        """A roll lies: moves are offered, or a pass is said with its reason."""
        assert self.match is not None
        match, legal = self.match, self.match.legal
        if len(legal) > 1 or not isinstance(legal[0], Pass):
            self.turn(act, task)
            return
        assert match.face is not None
        reasons = match.game.why_pass(match.position, match.face)
        opening = match.position.opening is not None
        self.keep(match.play(legal[0]))
        self._pass_bonus()
        self.turn(act, task)
        if not opening:
            self.stage.notice, self.stage.refusals = Notice("no_move"), reasons

    # -- the game as a whole ---------------------------------------------------------------

    def start(self, match: Match, box: Mapping[str, str]) -> None:
        """Begin a game: the pieces are set first. The box takes some of the seats."""
        if not self._may("start"):
            return
        if self.match is not None and not self.match.over:
            self.keep(self.match.end())
        self.match = match
        self.keep(match.started())
        self.keep(*(match.seat(colour, level) for colour, level in box.items()))
        self.enter("start", Stage("setting"))

    def resume(self, match: Match) -> None:
        """Go on with a game that was kept; a move may have been made while nobody watched."""
        self.match, self.stage = match, Stage()
        self._last_roll = match.roll_number
        if match.untouched:
            self.enter("resume", Stage("setting"))
        elif match.face is not None and not match.over:
            self.after_roll("resume", Task.RESUME)
        else:
            self.turn("resume", Task.RESUME)
        if not self.resting:
            self._play_for_box()

    def choose(self, move: AnyMove) -> None:
        """A legal move picked from a list; where the board is watched, pieces may follow."""
        assert self.match is not None
        if not self._may("move"):
            return
        stands = self.stage.title == LET_STAND
        if move in self.match.legal:
            (self.accept if stands else self._accept_or_ask)(move)
        elif move in self.match.amendments():
            (self.amend if stands else self._amend_or_ask)(move)
        else:
            self.say("not_now")

    @property
    def takes_back_roll(self) -> bool:
        """Whether taking back takes a roll that was entered by hand, and no move."""
        return self.match is not None and self.hand_die and self.match.can_undo_roll()

    def take_back(self) -> None:
        """Undo the last move that moved something; a roll entered by hand goes first.

        If that answers a question, it was moved back before, and another move may be made by now.
        """
        match = self.match
        assert match is not None
        entered = self.takes_back_roll
        if match.ended or not (entered or match.can_take_back()):
            self.say("nothing_to_take_back")
        elif self._may("take_back"):
            asked = self.phase == "ask" and any(one.key == "take_back" for one in self.stage.lines)
            both = not (entered or asked) and match.takes_back_both
            self.keep(*(match.undo_roll() if entered else match.undo_move(alone=asked)))
            self.turn("take_back", Task.RESUME if asked else Task.CHECK)
            self.stage.notice = Notice("taken_back_both" if both else "taken_back")

    @property
    def takes_back(self) -> str | None:
        """The colour whose move or entered roll would be taken back; None if nothing can be."""
        match = self.match
        if match is None or match.ended:
            return None
        return match.last_roller if self.takes_back_roll else match.last_mover

    def rule(self, after: Position) -> None:
        """Let it stand: a house ruling, kept as such."""
        assert self.match is not None
        if self._may("ruling"):
            self.keep(self.match.rule(after))
            self.turn("ruling", Task.CHECK)
            self.stage.notice = Notice("ruled")

    def end(self) -> None:
        """Stop before the game is over."""
        assert self.match is not None
        if self.match.over:
            self.say("not_now")
        elif self._may("end"):
            self.keep(self.match.end())
            self.turn("end")

    def pause(self) -> None:
        """Stop for a while; a game that is over has nothing to stop."""
        assert self.match is not None
        if self.match.over:
            self.say("not_now")
            return
        self._leave_menu()
        if self.phase != "paused":
            self.cover("pause", Stage("paused"))

    @property
    def paused(self) -> bool:
        """Whether the game is paused, also where a menu covers that."""
        beneath = self.stage.beneath if self.phase == "menu" else self.stage
        return beneath is not None and beneath.phase == "paused"

    def _leave_menu(self) -> None:
        if self.phase == "menu":
            assert self.stage.beneath is not None
            self._follow("uncover", self.stage.beneath)

    def go_on(self) -> None:
        """Go on after a pause, also from the menu; a move made meanwhile counts."""
        if not self.paused:
            return
        self._leave_menu()
        cover = self.stage
        assert cover.beneath is not None
        unseen = not self.sees and (
            cover.covered_by == self.moved_by or self._is_told(cover.covered_by[0])
        )
        if cover.beneath.phase == "setting" or cover.beneath.title == "won" or unseen:
            self.uncover()  # a look at the board would not tell it again
        else:
            self.turn("uncover", Task.RESUME)
