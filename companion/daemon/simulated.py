"""The simulated table of `companion play`: a daemon whose board, die and buttons a page moves."""

import json
import logging
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.config import Config, WebSection
from companion.daemon.serving import fulfil
from companion.daemon.shell import Daemon, Service
from companion.daemon.wiring import put_together
from companion.devices import Devices
from companion.journal import Journal
from companion.referee import Times, View
from companion.rules import Position
from companion.small_files import read_small_text, write_small
from companion.table.die import Entropy
from companion.table.sim import SimButtons, SimDie
from companion.web.host import House
from companion.web.mirror import MirrorDisplay, MirrorSounder
from companion.web.tabletop import AnyBoard, Tabletop

if TYPE_CHECKING:
    from companion.web.server import Page

LEFT = ".left"
"""Beside the games: where the pieces of the simulated board were left."""


def simulated_table(
    section: WebSection,
    journal: Path,
    times: Times,
    started: Callable[[str], None],
    failed: Callable[[str], None],
    *,
    entropy: Entropy = os.urandom,
    pace: float | None = None,
    benches: list[str] | None = None,
    services: Iterable[Service] = (),
    served: Callable[["Page"], None] = lambda _: None,
    house: House | None = None,
) -> Daemon:
    """A daemon on a simulated table with its page; without the page it stops.

    Like a real board it keeps its pieces where they are until it is started again.
    With a list of `benches` page and menu may ask for the bench; the wish is noted there.
    `services` run beside the page, and `served` is given it; `house` takes invitations.
    """

    async def page(daemon: Daemon) -> None:
        from companion.web.hands import PACE
        from companion.web.key import kept_key
        from companion.web.server import Page

        one = Page(
            daemon,
            section,
            times=times,
            pace=PACE if pace is None else pace,
            key=kept_key(journal.parent),
            house=house,
            left=_take_left(daemon.journal, daemon.view),
        )
        served(one)
        ends: list[Callable[[], None]] = []

        def tell(address: str) -> None:
            if one.simulation is not None:  # by now the page lays its pieces before we look
                astray = _Astray(daemon.journal, one.simulation.table)
                ends.append(daemon.subscribe(astray.follow))
            started(address + one.own_address)

        try:
            await one.run(tell)
        except OSError as fault:
            failed(str(fault))
            daemon.stop()
        finally:
            for end in ends:
                end()
            if one.simulation is not None:
                _leave(daemon.journal, daemon.view, one.simulation.table.left())

    return put_together(
        Config(sensing="presence"),
        journal,
        devices=partial(devices, entropy),
        times=times,
        services=[page, *services],
        wish=partial(fulfil, wanted=benches),
        entropy=entropy,
        benches=benches is not None,
    )


class _Astray:
    """Pieces that stand elsewhere than the game has them are written down as soon as somebody is
    told so: the process may be killed, and nobody puts them right behind people's backs."""

    def __init__(self, journal: Journal, table: Tabletop) -> None:
        self._journal = journal
        self._table = table
        self._written: tuple[Position, dict[str, str]] | None = None

    def follow(self, view: View) -> None:
        """A new view of the table."""
        table, position = self._table, view.position
        astray = None
        if position is not None and table.board is not None and table.sensing == "presence":
            astray = (position, table.left()) if table.carries(position) else None
        if astray == self._written:
            return
        self._written = astray
        if astray is not None:
            _leave(self._journal, view, astray[1])
        else:
            with suppress(OSError):
                _left_of(self._journal).unlink(missing_ok=True)


def _take_left(journal: Journal, view: View) -> dict[str, str]:
    """Where each piece was left when this table was stopped, taken from beside its games.

    What is found there once is of no use a second time, nor if the game has gone on without it:
    with an earlier version, say.
    """
    if journal.trouble is not None:  # these may be the games of another table
        return {}
    file = _left_of(journal)
    try:
        told = json.loads(read_small_text(file))
        file.unlink()
        position, left = told["position"], dict(told["pieces"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return {}
    known = position == str(view.position) and all(isinstance(one, str) for one in left.values())
    return left if known else {}


def _left_of(journal: Journal) -> Path:
    return journal.path.with_name(journal.path.name + LEFT)


def _leave(journal: Journal, view: View, pieces: Mapping[str, str]) -> None:
    """Write down where each piece stands, and in which game."""
    if pieces and journal.trouble is None:
        try:
            told = json.dumps({"position": str(view.position), "pieces": dict(pieces)})
            write_small(_left_of(journal), told)
        except OSError as fault:
            logging.getLogger("companion").warning("the pieces' places cannot be kept: %s", fault)


def devices(entropy: Entropy, last_roll: int) -> Devices:
    """The devices of a simulated table that a page can move."""
    return Devices(
        board=AnyBoard(),
        die=SimDie(entropy, last_roll),
        buttons=SimButtons(),
        display=MirrorDisplay(),
        sounder=MirrorSounder(),
    )
