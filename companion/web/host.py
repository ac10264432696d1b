"""What the page needs of the daemon that serves it; the page itself knows no daemon."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from companion.events import Event
from companion.referee import Record, View


class Records(Protocol):
    """The journal, for reading."""

    def resumable(self) -> list[Record]:
        """What is kept of the game under way."""


class Host(Protocol):
    """A daemon."""

    @property
    def view(self) -> View:
        """The table as it is now."""

    @property
    def benches(self) -> bool:
        """Whether the board can be put on the bench."""

    @property
    def kept(self) -> int:
        """How many records were kept so far."""

    @property
    def resumed(self) -> int:
        """How often a game was taken up from what is kept."""

    @property
    def devices(self) -> Any:
        """What stands on the table: board, die, buttons, display and sounder."""

    @property
    def journal(self) -> Records:
        """Where games are kept."""

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
    def names(self) -> Sequence[str]:
        """Further names of this machine."""
