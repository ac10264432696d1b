"""When which spot was left and taken: how long a piece was on its way, and if it was pushed."""

MOST = 8
"""So many times of putting down are remembered for each spot."""


class Hops:
    """What the sensors told of lifting and putting down, with its times."""

    def __init__(self, push: float, carry: float, bounce: float) -> None:
        self._push, self._carry, self._bounce = push, carry, bounce
        self.sleeves = True
        """Whether a sleeve may push pieces about; a board on a screen has none."""
        self._left: dict[str, float] = {}
        self._taken: dict[str, tuple[float, ...]] = {}
        self._before: dict[str, tuple[float | None, tuple[float, ...]]] = {}
        """By spot, when it was left and taken before it lost contact last."""
        self._pushes: dict[tuple[str, str], float] = {}
        """How long it took from one spot to another, of who went as fast as a push."""
        self._late: dict[tuple[str, bool], float] = {}
        """When a snapshot told, of a spot, that it was taken or left."""

    def note(self, spot: str, on: bool, now: float) -> None:
        """A sensor changed; a contact that bounces as a piece is lifted tells it once."""
        taken = self._taken.get(spot, ())
        if on:
            self._came(spot, now)
            self._taken[spot] = (*taken, now)[-MOST:]
            return
        self._before[spot] = self._left.get(spot), taken
        if self._bounces(spot, now):
            self._taken[spot] = taken[:-1]
        else:
            self._left[spot] = now

    def _came(self, spot: str, now: float) -> None:
        """Remember who was pushed there, though others pass later where it came from.

        Until it is lifted, and something stands elsewhere: that may be the one. Or something comes
        there that left the same spot since, and took its time.
        """
        for origin, target in list(self._pushes):
            left = self.left(origin)
            again = spot == target and left > self.left(spot) and now - left > self._push
            if again or (spot != target and not self._stands(target)):
                del self._pushes[origin, target]
        for origin, left in self._left.items():
            if self.sleeves and 0 <= now - left <= self._push:
                self._pushes[origin, spot] = now - left

    def _stands(self, spot: str) -> bool:
        return self.taken(spot) > self.left(spot)

    def _bounces(self, spot: str, now: float) -> bool:
        """Whether who is gone from a spot now had left it just before, and its contact bounced."""
        taken = self.taken(spot)
        return taken >= 0 and now - taken < self._bounce > taken - self.left(spot) > 0

    def told_late(self, spot: str, on: bool, now: float) -> None:
        """A snapshot tells what no reading has: it was so by then, nobody knows since when.

        But in the middle of a bounce it tells what the next reading does.
        """
        if not on and self._bounces(spot, now):
            self._taken[spot] = self._taken[spot][:-1]
            return
        self._late[spot, on] = now
        if not on:
            self._left.pop(spot, None)  # what left there before is another story

    def danced(self, spot: str) -> None:
        """What lost contact there last has not been lifted: the table was knocked."""
        left, taken = self._before.pop(spot, (None, ()))
        self._taken[spot] = taken
        if left is None:
            self._left.pop(spot, None)
        else:
            self._left[spot] = left

    def left(self, spot: str) -> float:
        """When something was lifted there last."""
        return self._left.get(spot, -1.0)

    def taken(self, spot: str) -> float:
        """When something was put down there last."""
        taken = self._taken.get(spot)
        return taken[-1] if taken else -1.0

    def left_by(self, spot: str) -> float:
        """When something was gone from there at the latest, so that an order can be told."""
        return max(self.left(spot), self._late.get((spot, False), -1.0))

    def taken_by(self, spot: str) -> float:
        """When something stood there at the latest."""
        return max(self.taken(spot), self._late.get((spot, True), -1.0))

    def taken_after(self, when: float) -> set[str]:
        """The spots on which something was put down since then."""
        return {spot for spot, taken in self._taken.items() if taken and taken[-1] > when}

    def seconds(self, origin: str, target: str) -> float | None:
        """How long it took from leaving one spot to taking another; None if nobody saw it.

        Who was told late to have come was there by then: that counts if it was not carried.
        """
        if (origin, target) in self._pushes:
            return self._pushes[origin, target]
        if origin not in self._left:
            return None
        taken = [at - self._left[origin] for at in self._taken.get(target, ())]
        late = self._late.get((target, True), -1.0) - self._left[origin]
        taken += [late] if late <= self._carry else []
        return min((took for took in taken if took >= 0), default=None)

    def pushed(self, origin: str, target: str) -> bool:
        """Whether what left one spot was on another so soon that it was pushed, and stands there.

        Nothing else has been lifted there since, nor put down where it came from.
        """
        seconds = self.seconds(origin, target) if self.sleeves else None
        if seconds is None or seconds > self._push:
            return False
        return self.left(target) < self.taken_by(target) and self.taken(origin) < self.left(origin)

    def came_at_once(self, origin: str, target: str) -> bool:
        """Whether what came last to one spot came as fast as a push after another was left.

        Something may have been put down since where it came from.
        """
        soon = self.sleeves and self.taken(target) - self.left(origin) <= self._push
        return soon and 0 <= self.left(origin) <= self.taken(target)

    def carried(self, origin: str, target: str) -> bool:
        """Whether what left one spot was so late on another that nobody has pushed it there.

        Nor was it pushed if it left before the other one was free, unless all came at once.
        """
        seconds = self.seconds(origin, target)
        if seconds is None or seconds <= self._push:
            return False
        return seconds > self._carry or 0 < self.left(target) - self.left(origin) < seconds
