"""The simulated table of `companion play`: a daemon whose board, die and buttons a page moves."""

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.config import Config, WebSection
from companion.daemon.serving import fulfil
from companion.daemon.shell import Daemon, Service
from companion.daemon.wiring import put_together
from companion.devices import Devices
from companion.referee import Times
from companion.table.die import Entropy
from companion.table.sim import SimButtons, SimDie
from companion.web.host import House
from companion.web.mirror import MirrorDisplay, MirrorSounder
from companion.web.tabletop import AnyBoard

if TYPE_CHECKING:
    from companion.web.server import Page


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
        )
        served(one)
        try:
            await one.run(lambda address: started(address + one.own_address))
        except OSError as fault:
            failed(str(fault))
            daemon.stop()

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


def devices(entropy: Entropy, last_roll: int) -> Devices:
    """The devices of a simulated table that a page can move."""
    return Devices(
        board=AnyBoard(),
        die=SimDie(entropy, last_roll),
        buttons=SimButtons(),
        display=MirrorDisplay(),
        sounder=MirrorSounder(),
    )
