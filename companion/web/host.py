"""What the page needs of the daemon that serves it; the page itself knows no daemon."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from companion.events import Event
from companion.orders import Order
from companion.referee import View
from companion.rules import Position
from companion.rules.history import History


class Journal(Protocol):
    """Where games are kept."""

    @property
    def path(self) -> Path:
        """Its file."""


class House(Protocol):
    """The table's place in a house, if it has one."""

    def told(self, language: str) -> dict[str, Any]:
        """Which house this is, and how that stands."""


class Setup(Protocol):
    """How a box is set up, and who changes it."""

    def told(self) -> dict[str, Any]:
        """How it is set up, without anything secret. Raises BadInput with a sentence."""

    def pin(self) -> str | None:
        """The PIN; for the box's own screen."""

    @property
    def upload(self) -> Path | None:
        """Where a package that is sent to the box goes; None where none can be installed."""

    async def carry_out(self, order: Order) -> None:
        """Do what is asked for. Raises BadInput with a sentence."""


class Host(Protocol):
    """A daemon."""

    @property
    def view(self) -> View:
        """The table as it is now."""

    @property
    def benches(self) -> bool:
        """Whether the board can be put on the bench."""

    @property
    def setup(self) -> Setup | None:
        """How the box is set up; None for a simulated table."""

    @property
    def history(self) -> tuple[History | None, int]:
        """The game under way or played last, and how many deeds of it people were told."""

    @property
    def devices(self) -> Any:
        """What stands on the table: board, die, buttons, display and sounder."""

    @property
    def chances(self) -> tuple[int, Mapping[Position, Mapping[str, float]]]:
        """The chances to win by position, as far as they are known, and a number that changes."""

    @property
    def thinker(self) -> Any:
        """Who answers questions about the odds: `companion/thinking.py`."""

    @property
    def journal(self) -> Journal:
        """Where games are kept."""

    async def delete_game(self, id: int) -> bool:
        """Delete a past game by its id; whether that is on disk. Raises journal.UnderWayError."""

    def offer_phones(self, phones: Any) -> None:
        """Players' phones can reach this page: the box's menu may show their codes."""

    def post(self, event: Event) -> bool:
        """Tell the referee of an event; false if there is no room for it."""

    def subscribe(self, listener: Callable[[View], None]) -> Callable[[], None]:
        """Call this with every new view; returns how to end that."""


class Section(Protocol):
    """How the page is served: the section `web` of the configuration."""

    @property
    def address(self) -> str:
        """Where to listen."""

    @property
    def port(self) -> int:
        """At which port; 0 for any."""

    @property
    def pin(self) -> str | None:
        """With which PIN others may control the table; None: they may not."""

    @property
    def past_games(self) -> bool:
        """Whether everybody who may watch also sees past games and their names."""

    @property
    def names(self) -> Sequence[str]:
        """Further names of this machine."""
