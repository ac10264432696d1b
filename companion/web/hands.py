"""Simulated hands: they roll, carry pieces and press OK as a player would, one step at a time.

"Play it for me" is one step. They carry out what the box's players want, and while the whole table
plays by itself they are everybody's. What they do reaches the referee as readings and rolls, the
same way as from a real table.
"""

import asyncio
from collections.abc import Callable
from random import Random

from companion import orders
from companion.events import Pressed
from companion.referee import PUTTING_RIGHT, Times, View
from companion.rules import AnyMove, BadInput, Lay, Move, Pass, Position, outcome
from companion.rules.cards import stack_name
from companion.rules.levels import STRONGEST
from companion.table.sim import SimDie
from companion.thinking import ThinkingError
from companion.web.host import Host
from companion.web.tabletop import Tabletop

PACE = 0.6
"""Seconds between two things that hands do by themselves."""


class Hands:
    """Hands at the simulated table; `changed` is told when pieces move."""

    def __init__(
        self,
        host: Host,
        table: Tabletop,
        die: SimDie,
        rng: Random,
        changed: Callable[[], None],
        times: Times,
        pace: float = PACE,
    ) -> None:
        self.host = host
        self.table = table
        self.die = die
        self.rng = rng
        self.times = times
        self.pace = pace
        self.auto = False
        """Whether the whole table plays by itself for a while; who plays whom stays as it is."""
        self._changed = changed
        self._news = asyncio.Event()
        self._busy = asyncio.Lock()

    # -- by themselves -----------------------------------------------------------------------

    def look(self, view: View) -> None:
        """A new view: perhaps something is to be done."""
        if view.phase == "over":
            self.auto = False
        self._news.set()

    def play_all(self, auto: bool) -> None:
        """Let the whole table play by itself, or no longer."""
        self.auto = auto
        self._news.set()

    async def run(self) -> None:
        """Take the steps of those who play by themselves, until cancelled."""
        while True:
            if not self._wanted(self.host.view):
                self._news.clear()
                await self._news.wait()
                continue
            await asyncio.sleep(self.pace)
            if self._wanted(self.host.view):
                await self.step()

    def _wanted(self, view: View) -> bool:
        """Whether hands act by themselves now; never while a person puts something right."""
        position = view.position
        if position is None or view.phase in ("idle", "over", "paused", "menu", "setting"):
            return False
        if view.draws:
            return False
        if view.boxed and view.phase == "move" and view.wish is None and not _helpless(view):
            return False  # it thinks
        if self.auto:
            return True
        if view.phase in ("illegal", "restore"):
            seats = (position.game.colours[seat] for seat in position.game.seats)
            return all(view.level(colour) is not None for colour in seats)
        return view.boxed

    # -- one step ----------------------------------------------------------------------------

    async def step(self) -> None:
        """Do the next thing that a player would do."""
        async with self._busy:
            view = self.host.view
            if view.phase in ("opening", "roll"):
                await self._roll(view)
            elif view.phase == "move":
                await self.make(await self._chosen(view))
            elif view.phase == "ask":
                self._answer(view)
            elif view.phase in PUTTING_RIGHT:
                await self._put_right(view)
            elif view.phase in ("paused", "menu"):
                self.host.post(
                    orders.command(orders.Resume() if view.phase == "paused" else orders.Back())
                )

    async def _roll(self, before: View) -> None:
        """Throw the die once, and wait until it has settled: a tumbling one is not thrown again."""
        if not before.rolling:
            self.die.throw()
        await self._until(lambda view: _has_rolled(before, view), 1.0)

    async def make(self, move: AnyMove) -> None:
        """Make one legal move with the pieces, buttons or words of this table."""
        view = self.host.view
        position = view.position
        assert position is not None
        self._news.clear()
        if isinstance(move, Pass) or view.sensing == "choose":
            self._say(position, move)
        elif isinstance(move, Lay):
            for stack in move.stacks:
                self.table.press(stack_name(position.game, move.seat, stack))
                await asyncio.sleep(self._press_pause())
        else:
            await self._move(position, move)
        await self._until_accepted(position, move)

    async def _move(self, position: Position, move: Move) -> None:
        if self.table.sensing == "touch":
            for name, place in self.table.left().items():
                if (
                    self.table.at.get(name, "") is None
                ):  # somebody holds it, and another move is made
                    self.table.put(name, place)
                    await asyncio.sleep(self._press_pause())
            for place in self._stops(position, move):
                self.table.press(place)
                await asyncio.sleep(self._press_pause())
            return
        await self._carry(outcome(position, move).position)

    def _stops(self, position: Position, move: Move) -> list[str]:
        game = position.game
        known = game.board.by_name
        spots = (game.board.spot(move.seat, at) for at in (move.origin, move.target))  # type: ignore[union-attr]
        return [spot if spot in known else f"{spot}1" for spot in spots]

    async def _carry(self, position: Position) -> None:
        """Lift what has to move, victims and all, and put it where it belongs."""
        carries = self.table.carries(position)
        for name, _ in carries:
            self.table.lift(name)
            self._changed()
        for name, place in carries:
            await asyncio.sleep(min(self.pace / 4, 0.15))
            try:
                self.table.put(name, place)
            except BadInput:
                continue  # somebody else's hands were quicker; what is left is seen the next time
            self._changed()

    async def _until_accepted(self, position: Position, move: AnyMove) -> None:
        """Wait for the referee; tell it where it cannot see the move, say which where it asks.

        OK would do, but open the menu if it came too late.
        """
        if not await self._gone_on(position, self.times.settle + 0.1):
            self.host.post(orders.command(orders.GoOn()))
            if not await self._gone_on(position, 0.4):
                self._say(position, move)
                await self._gone_on(position, 0.4)

    async def _gone_on(self, before: Position, seconds: float) -> bool:
        """Whether the game goes on from a position within some seconds."""
        return await self._until(lambda view: view.position != before or view.face is None, seconds)

    async def _until(self, holds: Callable[[View], bool], seconds: float) -> bool:
        """Whether something comes to hold of the view within some seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while (left := end - loop.time()) > 0:
            if holds(self.host.view):
                return True
            self._news.clear()
            await self._until_news(left)
        return False

    async def _until_news(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass

    async def put_right(self) -> None:
        """Put the pieces right as it is shown, unless somebody has done so meanwhile."""
        async with self._busy:
            if self.host.view.phase in PUTTING_RIGHT:
                await self._put_right(self.host.view)

    async def _put_right(self, view: View) -> None:
        self._news.clear()
        goal = self._shown(view)
        if self.table.sensing == "presence" and self.table.carries(goal):
            await self._carry(goal)
            await self._until_news(self.times.settle + 0.4)
        else:
            self.host.post(orders.command(orders.GoOn()))
            await self._until_news(0.4)

    def _shown(self, view: View) -> Position:
        """Where the steps shown lead: on to a move that is nearly made, or back to the game."""
        assert view.position is not None
        shown = {step[:2] for step in view.remedy}
        for move in view.legal if self.table.sensing == "presence" else ():
            after = outcome(view.position, move).position
            if shown and {step[:2] for step in self.table.steps_to(after)} == shown:
                return after
        return view.position

    def _answer(self, view: View) -> None:
        moves = [line.move for line in view.lines if line.move is not None]
        if moves and view.position is not None:
            self._say(view.position, self.rng.choice(moves))
        elif any(line.key == "play_on" for line in view.lines):
            self.host.post(orders.command(orders.PlayOn()))
        else:
            self.host.post(Pressed("ok"))

    def _say(self, position: Position, move: AnyMove) -> None:
        self.host.post(orders.command(orders.Move(position.game.move_text(move))))

    def _press_pause(self) -> float:
        """A second press at once would be taken for bounce."""
        return self.times.press + 0.01

    # -- choosing ----------------------------------------------------------------------------

    async def _chosen(self, view: View) -> AnyMove:
        """What the box's player wants; for a person, what its strongest would."""
        position, (first, *others) = view.position, view.legal
        assert position is not None
        if view.wish is not None or not others:
            return view.wish or first
        question = {
            "ask": "move",
            "position": str(position),
            "face": first.face,
            "level": STRONGEST,
            "seed": self.rng.randrange(1 << 32),
        }
        try:
            return position.game.move((await self.host.thinker.ask(question))["move"])
        except ThinkingError:
            return self.rng.choice(view.legal)


def _helpless(view: View) -> bool:
    """Whether a player of the box does not know what to move."""
    return view.notice is not None and view.notice.key == "move_for_it"


def _has_rolled(before: View, now: View) -> bool:
    """Whether a roll that was thrown has settled and been taken in."""
    if now.rolling:
        return False
    gone_on = (now.phase, now.position) != (before.phase, before.position)
    return gone_on or now.last is not before.last
