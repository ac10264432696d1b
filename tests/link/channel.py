"""A bad serial line: it corrupts, loses, repeats, delays and cuts what is sent over it."""

from random import Random


class Channel:
    """One direction of a line; `trouble` is the share of lines that something happens to."""

    def __init__(self, random: Random, trouble: float) -> None:
        self.random = random
        self.trouble = trouble
        self.broken = False
        self.lines = 0
        self._late: list[tuple[int, bytes]] = []

    def carry(self, data: bytes) -> bytes:
        """What comes out now when these lines go in."""
        out = []
        waiting = []
        for turns, line in self._late:
            if turns > 0:
                waiting.append((turns - 1, line))
            else:
                out.append(line)
        self._late = waiting
        for line in data.splitlines(keepends=True):
            self.lines += 1
            out += self._suffer(line)
        return b"".join(out)

    def _suffer(self, line: bytes) -> list[bytes]:
        if self.broken:
            return []
        if self.random.random() >= self.trouble:
            return [line]
        what = self.random.randrange(6)
        if what == 0:
            return []
        if what == 1:
            return [line, line]
        if what == 2:
            self._late.append((self.random.randrange(40), line))
            return []
        if what == 3:
            self._late.append((self.random.randrange(40), line))
            return [line]
        if what == 4:
            start = self.random.randrange(len(line))
            return [line[:start] + line[start + self.random.randrange(1, 40) :]]
        return [self._flip(line)]

    def _flip(self, line: bytes) -> bytes:
        spoilt = bytearray(line)
        for _ in range(self.random.randrange(1, 6)):
            spoilt[self.random.randrange(len(spoilt))] ^= self.random.randrange(1, 256)
        return bytes(spoilt)
