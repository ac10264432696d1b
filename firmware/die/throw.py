"""Telling a throw from a touch: the first movement starts it, stillness ends it.

A press of the big button is always a throw. The shake switch must have moved often enough
for long enough; less is a fumble. A die that will not come to rest has not been thrown.
"""

from firmware.keys import Keys
from firmware.ticks import elapsed

STILL = 400  # ms without movement: the die lies
MOVES = 4  # edges of the shake switch
LASTS = 200  # ms from the first edge to the last
ENDLESS = 10000  # ms: somebody leans on the button, or a switch is stuck


class Throw:
    """Watches button and shake switch; `rolling` is true from first movement to rest."""

    def __init__(self) -> None:
        self.button = Keys(1, 1)
        self.rolling = False
        self.stuck = False
        self.pressed = False
        self.moves = 0
        self.began = 0
        self.moved = 0

    def step(self, button: bool, edges: int, now: int) -> "str | None":
        """Returns `rolling` at the start, `rolled` or `fumbled` at the end, else None."""
        self.button.update([1 if button else 0], now)
        held = self.button.settled[0] == 1
        moving = held or edges > 0
        if moving:
            self.moved = now
        still = elapsed(now, self.moved) >= STILL
        if self.stuck:
            self.stuck = not still
            return None
        if not self.rolling:
            if moving:
                self.rolling = True
                self.pressed = held
                self.moves = edges
                self.began = now
                return "rolling"
            return None
        self.pressed = self.pressed or held
        self.moves += edges
        if not still:
            if elapsed(now, self.began) < ENDLESS:
                return None
            self.stuck = True
        return self._end()

    def _end(self) -> str:
        self.rolling = False
        shaken = self.moves >= MOVES and elapsed(self.moved, self.began) >= LASTS
        return "rolled" if not self.stuck and (self.pressed or shaken) else "fumbled"
