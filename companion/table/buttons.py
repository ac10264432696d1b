"""Buttons on the Pi's pins: the three on the box, and the roll button with which the Pi draws."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from companion.events import Button, Found, Pressed, Rolled, Rolling
from companion.table import Emit
from companion.table.debounce import DEBOUNCE
from companion.table.die import Entropy, draw

HOLD = 1.0


class Key:
    """One debounced button to ground: calls `changed(down)` in the event loop's thread.

    gpiozero reports edges from a thread of its own; they cross over here, once. An edge only
    starts the clock: what counts is how the pin stands when nothing has moved for a while.
    """

    def __init__(
        self, factory: Any, pin: int, changed: Callable[[bool], None], debounce: float = DEBOUNCE
    ) -> None:
        from gpiozero import DigitalInputDevice

        self._device = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
        self._changed = changed
        self._debounce = debounce
        self._timer: asyncio.TimerHandle | None = None
        self.down = False

    def read(self) -> bool:
        """Whether the button is down at this moment, bouncing or not."""
        return bool(self._device.is_active)

    def start(self) -> None:
        """Begin to report; how the button stands now is taken as given."""
        self._loop = asyncio.get_running_loop()
        self.down = bool(self._device.is_active)
        self._device.when_activated = self._edge
        self._device.when_deactivated = self._edge

    def close(self) -> None:
        """Stop reporting and free the pin; may be called twice."""
        self._device.close()
        if self._timer is not None:
            self._timer.cancel()

    def _edge(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wait)

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self._device.closed:
            self._timer = self._loop.call_later(self._debounce, self._look)

    def _look(self) -> None:
        down = bool(self._device.is_active)
        if down != self.down:
            self.down = down
            self._changed(down)


class BoxButtons:
    """Up and down report when pressed. OK reports when let go, or held once it has been held:
    a long press must not count as a short one first."""

    def __init__(
        self,
        factory: Any,
        pins: Mapping[Button, int],
        hold: float = HOLD,
        name: str = "buttons",
    ) -> None:
        self.name = name
        self._hold = hold
        self._held: asyncio.TimerHandle | None = None
        self._keys: dict[Button, Key] = {
            button: Key(factory, pin, partial(self._changed, button))
            for button, pin in pins.items()
        }

    @property
    def down(self) -> frozenset[Button]:
        """The buttons that are down now; one that always is, is stuck."""
        return frozenset(button for button, key in self._keys.items() if key.down)

    def read(self) -> frozenset[Button]:
        """The buttons that are down at this moment, before anything is reported."""
        return frozenset(button for button, key in self._keys.items() if key.read())

    def start(self, emit: Emit) -> None:
        """Begin to report presses."""
        self._emit = emit
        self._loop = asyncio.get_running_loop()
        for key in self._keys.values():
            key.start()
        emit(Found(self.name, f"{', '.join(self._keys)} on the Pi's own pins"))

    def close(self) -> None:
        """Stop reporting and free the pins; may be called twice."""
        self._cancel()
        for key in self._keys.values():
            key.close()

    def _changed(self, button: Button, down: bool) -> None:
        if button != "ok":
            if down:
                self._emit(Pressed(button))
        elif down:
            self._held = self._loop.call_later(self._hold, self._hold_over)
        elif self._cancel():
            self._emit(Pressed("ok"))

    def _hold_over(self) -> None:
        self._held = None
        self._emit(Pressed("ok", held=True))

    def _cancel(self) -> bool:
        """Stop waiting for a hold; true if one was being waited for."""
        timer, self._held = self._held, None
        if timer is not None:
            timer.cancel()
        return timer is not None


class RollButton:
    """A `Die` that is one button: it rolls while held, and the Pi draws the face on release."""

    def __init__(
        self, factory: Any, pin: int, entropy: Entropy, number: int = 0, name: str = "die"
    ) -> None:
        self.name = name
        self._entropy = entropy
        self._number = number
        self._key = Key(factory, pin, self._changed)
        self._rolling = False

    @property
    def down(self) -> frozenset[str]:
        """The button, if it is down now."""
        return frozenset({"the roll button"} if self._key.down else ())

    def start(self, emit: Emit) -> None:
        """Begin to report; roll numbers go on after the last one given."""
        self._emit = emit
        self._key.start()
        emit(Found(self.name, "a roll button on the Pi's own pins"))

    def faces(self, names: Sequence[str]) -> None:
        """It shows no pictures."""

    def confirm(self, number: int) -> None:
        """It tells a roll once: nothing is to be forgotten."""

    def show(self, face: int | None) -> None:
        """Nothing: the face is shown on the screen only."""

    def close(self) -> None:
        """Stop reporting and free the pin; may be called twice."""
        self._key.close()

    def _changed(self, down: bool) -> None:
        if down:
            self._rolling = True
            self._emit(Rolling())
        elif self._rolling:
            self._rolling = False
            self._number += 1
            self._emit(Rolled(self._number, draw(self._entropy), "box"))
