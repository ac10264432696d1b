"""The referee: events in, effects out; it recognises, judges, keeps turn and puts right.

No I/O, no clock, no randomness: time comes with every event, and the same events give the
same effects. Here is what is heard and asked for; `Play` acts on it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion import orders
from companion.events import (
    Asker,
    Command,
    Drawn,
    Event,
    Found,
    Fumbled,
    Lost,
    Pressed,
    Reading,
    Reckoned,
    RecordData,
    Rolled,
    Rolling,
    Snapshot,
    Thought,
    Tick,
    Weighed,
)
from companion.referee.box import Box
from companion.referee.channels import channels
from companion.referee.effects import Effect, Fortunes, Keep, Light, Network, Show, View
from companion.referee.lights import light
from companion.referee.match import Match
from companion.referee.menus import Choice
from companion.referee.phases import COVERS, PUTTING_RIGHT, Phase
from companion.referee.play import LET_STAND, Play
from companion.referee.players import fortunes
from companion.referee.ruling import ruled
from companion.referee.settings import Settings
from companion.referee.tallies import tallies
from companion.referee.times import Times
from companion.rules import SHEETS, AnyMove, BadInput, Board, Mat, Position
from companion.rules.family import HouseRules
from companion.rules.names import plain_name

LONGEST_LINE = 80
"""Letters of a line that the house may send to the screen."""


class Referee:
    """Feed it events with their time; it returns what is to be done."""

    def __init__(
        self,
        *,
        sensing: str = "presence",
        die: str = "serial",
        times: Times | None = None,
        choice: Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None,
        network: Network | None = None,
        benches: bool = False,
    ) -> None:
        self.benches = benches
        """Whether the board can be put on the bench: the wish `bench` does."""
        self.times = times or Times()
        self.now = 0.0
        self._settings = Settings(sensing, settings or {})
        self._play = Play(sensing, die, self.times)
        self._box = Box(self._play, self._settings, Choice(**(choice or {})), benches)
        self._box.network = network
        self._follow_settings()
        self._by: Asker = "box"
        """Who asked for the order that is carried out."""
        self._chances: tuple[Position | None, Mapping[str, float]] = (None, {})
        self._fortunes: tuple[Position | None, Fortunes | None] = (None, None)
        self._shown: View | None = None
        self._lit: Light | None = None
        self._take: dict[type, Callable[[Any], None]] = {
            Reading: self._reading,
            Snapshot: self._snapshot,
            Rolling: self._rolling,
            Rolled: self._rolled,
            Fumbled: self._fumbled,
            Pressed: self._pressed,
            Lost: lambda event: self._play.lost(event.device),
            Found: lambda event: self._play.found(event.device),
            Command: self._command,
            Drawn: lambda event: self._play.drawn(event.number, event.face),
            Thought: lambda event: self._play.thought(event.number, event.told),
            Reckoned: self._reckoned,
            Weighed: self._weighed,
            Tick: lambda _: None,
        }
        self._orders: dict[type[orders.Order], Callable[[Any], None]] = {
            orders.NewGame: self._new_game,
            orders.Start: lambda _: self._start(),
            orders.TakeBack: lambda _: self._play.take_back(),
            orders.Ruling: lambda _: self._ruling(),
            orders.Pause: lambda _: self._play.pause(),
            orders.Resume: lambda _: self._resume_play(),
            orders.EndGame: lambda _: self._play.end(),
            orders.PlayOn: lambda _: self._play_on(),
            orders.Back: lambda _: self._box.close_menu(),
            orders.SetAside: lambda order: self._set_aside(order.place),
            orders.UseAgain: lambda order: self._use_again(order.place),
            orders.Set: lambda order: self._set(order.name, order.value),
            orders.SenseBy: lambda order: self._sense_by(order.sensing),
            orders.Roll: self._roll,
            orders.Move: lambda order: self._move(order.move),
            orders.Seat: self._seat,
            orders.Advise: lambda _: self._advise(),
            orders.GoOn: lambda _: self._go_on(),
            orders.OpenMenu: lambda _: self._box.open_menu(),
            orders.ShutDown: lambda _: self._play.wish("shut_down"),
            orders.Bench: lambda _: self._play.wish("bench"),
            orders.OwnSheets: self._own_sheets,
            orders.Phones: self._phones,
            orders.OpenPage: lambda order: self._play.wish(
                "open_page" if order.on else "close_page"
            ),
            orders.OfferGame: self._offer_game,
            orders.Call: lambda _: self._call(),
            orders.House: self._house,
        }

    # -- what others may know --------------------------------------------------------------

    @property
    def match(self) -> Match | None:
        """The game under way or played last."""
        return self._play.match

    @property
    def phase(self) -> Phase:
        return self._play.phase

    @property
    def sensing(self) -> str:
        """The way of sensing that is set."""
        return self._play.sensing

    @property
    def die(self) -> str:
        return self._play.die

    @property
    def choice(self) -> Choice:
        """What the next game will be."""
        return self._box.choice

    @property
    def view(self) -> View:
        """The table as it is now."""
        play, match, stage = self._play, self._play.match, self._play.stage
        rolled = match is not None and match.face is not None and match.position.due is None
        return View(
            phase=stage.phase,
            position=match.position if match else None,
            names=match.names if match else self.choice.names,
            face=match.face if match else None,
            legal=match.legal if match and stage.phase not in ("over", "paused") else (),
            lines=stage.lines,
            cursor=-1 if stage.cursor is None else stage.cursor,
            title=stage.title,
            refusals=stage.refusals,
            happenings=match.happenings if match and not rolled else (),
            last=match.past[-1].move if match and match.past else None,
            remedy=stage.remedy,
            notice=stage.notice,
            made=stage.made and stage.phase == "move",
            provisional=stage.phase == "roll" and match is not None and match.open_move is not None,
            pressed=() if play.resting else play.reader.pressed,
            hand_face=stage.hand_face if play.hand_die else None,
            rolling=play.die_rolls,
            sensing=play.way_of_sensing,
            missing=tuple(sorted(play.missing)),
            aside=tuple(sorted(play.presence.sensors.aside)),
            settings=self._settings.values,
            page=stage.page,
            tallies=tallies(match) if match and stage.title == "statistics" else (),
            house=self._box.house,
            sheet=self.choice.sheet,
            box=match.box if match else self.choice.box,
            wish=self._wish,
            chances=self._chances[1] if match and self._chances[0] == match.position else {},
            fortunes=self._fortunes[1]
            if match and match.over and self._fortunes[0] == match.position
            else None,
            advice=play.players.advice(match.position, match.face) if match else None,
            network=self._box.network,
            takes_back=play.takes_back,
            over=match is not None and match.over,
            paused=play.paused,
            can_stand=stage.phase != "illegal" or self._box.can_rule(),
        )

    @property
    def _wish(self) -> AnyMove | None:
        """What the box's player wants moved, or wanted where another move is asked about."""
        match, last = self._play.match, None
        if match is None:
            return None
        if match.face is not None and match.level is not None:
            return self._play.players.wish(match.position, match.face)
        if self._play.stage.title == LET_STAND:
            last = match.open_move
        return None if last is None else self._play.players.wish(last.position, last.face)

    @property
    def _board(self) -> Board | Mat:
        """The board in play, or the one chosen for the next game."""
        match = self._play.match
        return match.game.board if match is not None else SHEETS[self.choice.sheet].board

    # -- in and out ------------------------------------------------------------------------

    def resume(self, records: Iterable[RecordData], now: float) -> list[Effect]:
        """Go on with the game that a journal tells of; the board is compared with it.

        Records that cannot be followed are reported, and nobody plays then.
        """
        self._at(now)
        try:
            self._resume(records)
        except BadInput as error:
            self._play.report(f"the last game cannot be resumed and stays in the journal: {error}")
        return self._effects()

    def catch_up(
        self, missing: Mapping[str, str], board: Snapshot | None, now: float
    ) -> list[Effect]:
        """Hear which devices are lost and what the board senses, as far as that is known."""
        events: list[Event] = [Lost(device, why) for device, why in missing.items()]
        if board is not None:
            events.append(board)
        return [effect for event in events for effect in self.feed(event, now)]

    def forget_rolls_but(self, number: int | None) -> None:
        """Of the rolls told so far only this one may be told twice: any other is a new one."""
        self._play.forget_rolls_but(number)

    def feed(self, event: Event, now: float) -> list[Effect]:
        """Take one event. Nonsense is reported, and never changes the game."""
        self._at(now)
        take = self._take.get(type(event))
        if take is None or not _well_formed(event):
            self._play.report(f"not an event: {event!r}")
        else:
            try:
                take(event)
            except BadInput as error:
                self._play.report(str(error))
        self._play.due()
        return self._effects()

    def next_deadline(self) -> float | None:
        """When `feed(Tick(), now)` is wanted at the latest; None if nothing is waited for."""
        return self._play.deadline()

    def _at(self, now: float) -> None:
        if now < self.now:
            self._play.report(f"time went back by {self.now - now:.3f} s; the later one counts")
        self.now = self._play.now = max(now, self.now)

    def _effects(self) -> list[Effect]:
        """What came of it: first what must be kept, then what is shown."""
        effects, self._play.effects = self._play.effects, []
        kept: list[Effect] = [effect for effect in effects if isinstance(effect, Keep)]
        rest = [effect for effect in effects if not isinstance(effect, Keep)]
        view = self.view
        if view == self._shown:
            return kept + rest
        self._shown = view
        rest.append(Show(view))
        lit = light(view)
        if lit != self._lit:
            self._lit = lit
            rest.append(lit)
        return kept + rest

    # -- events ----------------------------------------------------------------------------

    def _reading(self, event: Reading) -> None:
        if self._known((event.place,)):
            self._play.sense(event)

    def _snapshot(self, event: Snapshot) -> None:
        if self._known((*event.on, *(place for place, _ in event.pieces))):
            self._play.sense(event)

    def _known(self, places: Iterable[str]) -> bool:
        """Whether the board in play has these places; others are reported."""
        known = self._board.by_name
        strange = sorted({place for place in places if place not in known})
        if strange:
            self._play.report(f"no place {', '.join(strange)} on board {self._board.name}")
        return not strange

    def _rolled(self, event: Rolled) -> None:
        self._play.rolled(event.face, event.number, source=event.source)

    def _rolling(self, _: Rolling) -> None:
        self._play.die_rolls = True

    def _fumbled(self, _: Fumbled) -> None:
        self._play.die_rolls = False
        self._play.say("fumbled")
        self._play.sound("fumble")

    def _reckoned(self, event: Reckoned) -> None:
        """Chances belong to their position; if the game has gone on, they are left be."""
        match = self._play.match
        if match is not None and str(match.position) == event.position:
            self._chances = match.position, dict(event.win)

    def _weighed(self, event: Weighed) -> None:
        """Luck belongs to the game that was played; if another has begun, it is left be."""
        match = self._play.match
        if match is not None and match.over and str(match.position) == event.position:
            try:
                self._fortunes = match.position, fortunes(match.position, event.told)
            except (KeyError, TypeError, IndexError) as fault:
                self._play.report(f"this does not say who was lucky: {fault!r}")

    def _pressed(self, event: Pressed) -> None:
        order = self._box.press(event.button, event.held)
        if order is not None:
            self._order(order, event.by)

    # -- orders ----------------------------------------------------------------------------

    def _command(self, event: Command) -> None:
        self._order(orders.order(event.name, event.args), event.by, event.colours)

    def _order(self, order: orders.Order, by: Asker = "box", colours: Collection[str] = ()) -> None:
        """Carry out an order; BadInput says what is wrong with it, or with who asks."""
        match, name = self._play.match, orders.name_of(order)
        act = self._orders.get(type(order))
        if act is None:
            raise BadInput(f"{name} is for the simulated table, not for the referee")
        own, covered = self._concerns(order) in colours, self.phase in COVERS
        orders.check_asker(name, by, own=own, covered=covered)
        if match is None and name not in orders.ANY_TIME:
            self._play.say("no_game")
        else:
            self._by = by
            act(order)

    def _concerns(self, order: orders.Order) -> str | None:
        """The colour that an order is about: whose move is taken back, or whose turn it is."""
        match = self._play.match
        if isinstance(order, orders.Seat):
            return order.colour
        if isinstance(order, orders.TakeBack):
            return self._play.takes_back
        return None if match is None else match.position.colour

    def _new_game(self, order: orders.NewGame) -> None:
        """Start a game from the page: everything chosen at once."""
        self._choose(order)
        self._sense_by(order.sensing or self._play.sensing)
        self._start()

    def _choose(self, order: orders.NewGame | orders.OfferGame) -> None:
        """Take this as the next game. Raises BadInput if it cannot be played like that."""
        names = order.names or {} if isinstance(order, orders.NewGame) else {}
        called = {colour: plain_name(name) for colour, name in names.items() if plain_name(name)}
        options, box = dict(order.options or {}), dict(order.box)
        chosen = Choice(order.sheet, options, order.seats, called, box, self.choice.own)
        chosen.check_box()
        self._box.choice = chosen

    def _own_sheets(self, order: orders.OwnSheets) -> None:
        """Sheets of the family's own that stand in the menu from now on."""
        own = tuple(HouseRules(one.name, one.base, one.rules) for one in order.sheets)
        unknown = [one.base for one in own if one.base not in SHEETS]
        if unknown:
            raise BadInput(f"there is no sheet {unknown[0]!r} to change")
        self._box.choice = self.choice.with_own_sheets(own)
        self._box.renew_lines()

    def _offer_game(self, order: orders.OfferGame) -> None:
        """The house begins a game for its guests; over one that is played they are asked first."""
        match = self._play.match
        self._choose(order)
        if match is None or match.over:
            self._start()
        else:
            self._box.open_menu("offer_game")
            self._play.sound("notice")

    # -- the house around the table ----------------------------------------------------------

    def _call(self) -> None:
        """Somebody at the table calls for help; it is said only where somebody hears it."""
        self._box.close_menu()
        if self._box.house.here:
            self._box.house = self._box.house._replace(called=True, coming=False)
            self._play.sound("notice")
        else:
            self._play.say("no_house")

    def _forget(self, forgotten: Collection[str]) -> None:
        """Somebody's name is not to be shown any more."""

        def kept(names: Mapping[str, str]) -> dict[str, str]:
            return {colour: name for colour, name in names.items() if name not in forgotten}

        if self._play.match is not None:
            self._play.match.names = kept(self._play.match.names)
        self._box.choice = replace(self.choice, names=kept(self.choice.names))

    def _house(self, told: orders.House) -> None:
        """What the house lets the table know: that it is there, that somebody comes, a line."""
        if told.forget:
            self._forget(told.forget)
        house = self._box.house
        if told.here is not None:
            house = house._replace(here=told.here)
        if told.coming:
            house = house._replace(called=False, coming=True)
        if told.text is not None:
            house = house._replace(text=plain_name(told.text)[:LONGEST_LINE], coming=False)
        if house != self._box.house:
            news = (house.coming, house.text) != (self._box.house.coming, self._box.house.text)
            self._box.house = house
            if news and (house.text or house.coming):
                self._play.sound("notice")
            self._box.renew_lines()

    def _phones(self, told: orders.Phones) -> None:
        """Whether players' phones can reach the page."""
        self._box.phones = told.here
        self._box.renew_lines()

    def _start(self) -> None:
        """Begin the chosen game."""
        fault = self.choice.fault()
        if fault is not None:
            self._play.say(fault.key)
        else:
            self._play.start(Match(self.choice.game(), self.choice.names), self.choice.taken)

    def _resume(self, kept: Iterable[RecordData]) -> None:
        """Replay a journal, and go on from there; settings hold though a game may not."""
        heard = self._hear_what_lasts(kept)
        try:
            match = Match.replay(heard)
        finally:
            for _ in heard:
                pass  # what lasts behind a record that cannot be followed is heard as well
        if match is not None:
            game = match.game
            seats = tuple(game.colours[seat] for seat in game.seats)
            options, box, own = dict(game.options), dict(match.box), self.choice.own
            self._box.choice = Choice(game.sheet.id, options, seats, match.names, box, own)
            self._play.resume(match)

    def _hear_what_lasts(self, kept: Iterable[RecordData]) -> Iterator[RecordData]:
        """Take settings and sensors set aside out of records that pass by."""
        for record in kept:
            if record.get("kind") == "settings":
                self._settings.resume(record)
                self._follow_settings()
            elif record.get("kind") == "aside" and isinstance(record.get("place"), str):
                self._play.presence.sensors.use(record["place"], not record.get("aside"))
            yield record

    def _resume_play(self) -> None:
        """Go on after a pause."""
        self._box.close_menu()
        self._play.go_on()

    def _go_on(self) -> None:
        """The pieces are set, moved or put right, say the players; else it is of no use now."""
        play = self._play
        if play.phase == "setting":
            play.set_up_done()
        elif play.phase == "illegal":
            self._seen_refusal()
        elif play.phase in PUTTING_RIGHT:
            play.said_right()
        elif play.phase == "move" and play.sees:
            play.said_moved()

    def _seen_refusal(self) -> None:
        """I have seen it. It stays as long as the board is not right.

        A gentle referee only advises: there OK lets it stand, recorded as a ruling.
        """
        if channels("stop", self._play.gentle).ok == "ruling" and self._box.can_rule():
            self._ruling()
        else:
            self._play.seen_refusal()

    def _ruling(self) -> None:
        """Let it stand: a house ruling, kept as such."""
        match, attempt = self._play.match, self._box.refused
        assert match is not None
        after = ruled(match, attempt) if attempt is not None else None
        if after is None:
            self._play.say("cannot_rule")
        else:
            self._play.rule(after)

    def _seat(self, order: orders.Seat) -> None:
        """A player of the box takes a seat, or a person does."""
        self._play.seat(order.colour, order.level)
        match = self._play.match
        assert match is not None
        self._box.choice = replace(self.choice, box=dict(match.box))
        self._box.renew_lines()

    def _advise(self) -> None:
        """Which move is the best? The menu from which it was asked makes room for the answer."""
        self._box.close_menu()
        self._play.advise()

    def _play_on(self) -> None:
        """Somebody has won; the others play for their places."""
        if self._play.stage.title == "won":
            self._play.turn("play_on")
        else:
            self._play.say("not_now")

    def _roll(self, order: orders.Roll) -> None:
        """A roll that was entered for a real die."""
        if order.face is None:
            raise BadInput("say which face the die shows")
        entered = "hand" if self._by == "box" else "page"
        source = "chosen" if order.chosen else entered
        self._play.rolled(order.face, None, order.by, source)

    def _move(self, move: str) -> None:
        """A legal move named in words, as the game record writes it."""
        play, match = self._play, self._play.match
        assert match is not None
        if play.phase in ("restore", "penalty") and not play.sees:
            play.said_right()
        if play.phase in ("move", "ask", "illegal"):
            play.choose(match.game.move(move))
        else:
            play.say("not_now")

    # -- sensors and settings --------------------------------------------------------------

    def _set_aside(self, place: str) -> None:
        """Do without a sensor; OK and choosing stand in for it."""
        if not self._play.set_aside(place):
            self._play.report(f"no sensor {place!r} on this board")
        self._back_to_game()

    def _use_again(self, place: str) -> None:
        """The sensor is mended."""
        if not self._play.use_again(place):
            self._play.report(f"sensor {place!r} is not set aside")
        self._back_to_game()

    def _back_to_game(self) -> None:
        self._box.close_menu()
        self._play.settle()

    def _set(self, name: str, value: Any) -> None:
        """Change a setting and keep it."""
        self._settings.set(name, value)
        self._settings_changed()

    def _sense_by(self, sensing: str) -> None:
        """Another way of sensing; what the board last said no longer counts."""
        if sensing != self._settings.sensing:
            self._settings.sensing = sensing
            self._play.sense_by(sensing)
            self._settings_changed()

    def _settings_changed(self) -> None:
        self._play.keep(self._settings.record())
        self._follow_settings()
        self._box.renew_lines()

    def _follow_settings(self) -> None:
        """Tell those who play what is set."""
        self._play.sensing = self._settings.sensing
        self._play.gentle = self._settings.values["strictness"] == "gentle"
        self._play.players.draws = self._settings.values["box_rolls"]
        self._play.advises = self._settings.values["advice"]


def _well_formed(event: Event) -> bool:
    """Whether an event holds what it should: names that are text, and so on."""
    if isinstance(event, Snapshot):
        names = isinstance(event.on, Collection) and all(isinstance(n, str) for n in event.on)
        return names and _are_pieces(event.pieces)
    if isinstance(event, Command):
        named = isinstance(event.name, str) and isinstance(event.args, Mapping)
        return named and event.by in orders.ASKERS
    if isinstance(event, Reading):
        return isinstance(event.place, str)
    if isinstance(event, Thought):
        return isinstance(event.told, Mapping)
    if isinstance(event, Weighed):
        return isinstance(event.position, str) and isinstance(event.told, Mapping)
    if isinstance(event, Reckoned):
        return isinstance(event.position, str) and isinstance(event.win, Mapping)
    return not isinstance(event, Lost | Found) or isinstance(event.device, str)


def _are_pieces(told: object) -> bool:
    """Whether these are places and colours, as text."""
    return isinstance(told, tuple) and all(
        isinstance(one, tuple) and len(one) == 2 and all(isinstance(part, str) for part in one)
        for one in told
    )
