"""Play-outs against the rules' own rolls a second, chances to one per cent, and a box that thinks.

What a box with a player of its own takes is measured of two processes, the daemon's and the one
that thinks; how late its loop is, in this process, while others play both seats, reckon the chances
of every position and solve an ending.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.daemon import TOUCH, phase, players_at
from companion.events import Command, Pressed
from companion.odds.chances import odds
from companion.odds.playouts import PlayOuts
from companion.referee import View
from companion.rules import Game, Position, game
from companion.thinking import Thinker
from tests.daemon.process import daemon_process
from tests.web.tables import table

SHEETS = ("german", "british", "dutch", "pairs")
ROUNDS, GAMES, FASTER = 5, 1_200, 20
SECONDS, CARD_SECONDS, ERROR = 1.0, 2.0, 0.01
TOGETHER, LAG = 110.0, 0.020
LOOKED, EVERY = 30.0, 0.005  # seconds
ENDING = "german yellow,green | yellow 3 30 Y.c Y.d | green G.B 20 G.c G.d | turn yellow"
"""Of neighbours: the largest table of endings."""
BOXES = {"yellow": "fox", "red": "fox"}


def rate_of_rules(table: Game, random: Random) -> float:
    """Rolls a second of random games by the rules."""
    begun, rolls = time.process_time(), 0
    while rolls < 8_000:
        here = table.start()
        while not here.over:
            moves = table.legal_moves(here, here.due or random.randint(1, 6))
            here = table.play(here, random.choice(moves))
            rolls += 1
    return rolls / (time.process_time() - begun)


def rate_of_play_outs(played: PlayOuts, seed: int) -> float:
    """Rolls a second of random games in the fast form."""
    begun = time.process_time()
    rolls = played.run(played.game.start(), "butterfly", seed, GAMES).rolls
    return rolls / (time.process_time() - begun)


def middle(table: Game) -> Position:
    """A position in the middle of a game."""
    random, here = Random(3), table.start()
    for _ in range(150 if table.sheet.id != "cards" else 60):
        moves = table.legal_moves(here, here.due or random.randint(1, 6))
        here = table.play(here, random.choice(moves))
    return here


def speed(sheet: str) -> bool:
    """The fast form and the rules in turn; the median of the ratios counts."""
    table, ratios, rates = game(sheet), [], []
    played = PlayOuts(table)
    for number in range(ROUNDS):
        fast = rate_of_play_outs(played, number)
        ratios.append(fast / rate_of_rules(table, Random(number)))
        rates.append(fast)
    print(
        f"  {sheet:8} {median(rates) / 1e6:5.1f} million rolls a second, "
        f"{median(ratios):.0f} times the rules (at least {FASTER})"
    )
    return median(ratios) >= FASTER


def one_per_cent(sheet: str) -> bool:
    """The chances of a position in the middle of a game, with every error at most one per cent."""
    here, limit = middle(game(sheet)), CARD_SECONDS if sheet == "cards" else SECONDS
    played, spent = PlayOuts(here.game), []
    for seed in range(ROUNDS):
        begun = time.process_time()
        told = odds(here, seed, played=played)
        spent.append(time.process_time() - begun)
    print(
        f"  {sheet:8} chances to {told.error:.2%} (at most 1 %) in {median(spent):.2f} s of CPU "
        f"(at most {limit:.0f})"
    )
    return told.error <= ERROR and median(spent) <= limit


# -- a box that thinks -----------------------------------------------------------------------------


async def together(folder: Path) -> tuple[float, float]:
    """Megabytes of the daemon and of the process that thinks, in a game with players of the box."""
    players, config = players_at(folder)
    players.plug()
    async with daemon_process(config, folder / "box.db", folder / "log", players) as child:
        await players.play(lambda: TOUCH, lambda: players.turns >= 20 and phase(players) == "roll")
        for colour, level in BOXES.items():
            child.post(Command("seat", {"colour": colour, "level": level}))
        children = Path(f"/proc/{child.pid}/task/{child.pid}/children")
        while phase(players) != "move" or not children.read_text():
            await asyncio.sleep(0.2)
        await asyncio.sleep(3.0)
        (thinking,) = children.read_text().split()
        found = megabytes(child.pid), megabytes(int(thinking))
    players.unplug()
    return found


async def most_of_an_ending() -> float:
    """The most megabytes that the process takes which thinks about an ending of neighbours."""
    thinker = Thinker()
    try:
        await thinker.ask({"ask": "move", "position": ENDING, "face": 3, "level": "fox"})
        assert thinker._process is not None
        return megabytes(thinker._process.pid, "VmHWM")
    finally:
        await thinker.close()


def megabytes(pid: int, what: str = "VmRSS") -> float:
    """What a process takes of the memory, now or (VmHWM) at most."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{what}:")[2].split()[0]) / 1024


async def lags(folder: Path) -> tuple[list[float], int]:
    """How late the loop is, again and again, while the box plays against itself; and its moves."""
    loop, found = asyncio.get_running_loop(), []
    async with table(folder / "lag.db") as one:

        def carry_out(view: View) -> None:
            if view.phase == "move":
                one.daemon.post(Pressed("ok"))

        one.daemon.subscribe(carry_out)
        one.daemon.post(Command("set", {"name": "chances", "value": True}))
        seats = {"seats": list(BOXES), "sensing": "choose", "box": BOXES}
        await one.do({"do": "new_game", "sheet": "german", **seats})
        solving = asyncio.create_task(most_of_an_ending())
        until = loop.time() + LOOKED
        while loop.time() < until:
            due = loop.time() + EVERY
            await asyncio.sleep(EVERY)
            found.append(loop.time() - due)
        await solving
        history, _ = one.daemon.history
    return sorted(found), 0 if history is None else len(history.past)


def beside() -> bool:
    """Whether a box that thinks takes no more than it may, and is not held up."""
    with tempfile.TemporaryDirectory() as name:
        daemon, thinking = asyncio.run(together(Path(name)))
    with tempfile.TemporaryDirectory() as name:
        late, moves = asyncio.run(lags(Path(name)))
    ending = daemon + max(thinking, asyncio.run(most_of_an_ending()))
    last = late[int(len(late) * 0.99)]
    print(
        f"  with a player of the box {daemon:.1f} + {thinking:.1f} = {daemon + thinking:.1f} MB, "
        f"{ending:.1f} MB in an ending (at most {TOGETHER:g})"
    )
    print(
        f"  the loop is late by {last * 1e3:.1f} ms (p99 of {len(late)}, {moves} moves; at most "
        f"{LAG * 1e3:g} ms)"
    )
    return ending <= TOGETHER and last < LAG and moves > 0


def run() -> bool:
    """Whether all targets are met."""
    results = [speed(sheet) for sheet in SHEETS]
    results += [one_per_cent(sheet) for sheet in (*SHEETS, "cards")]
    results.append(beside())
    return all(results)
