"""Debounce: a key counts as changed once it has kept its new state for a while.

Deferred and per key: a spike shorter than the quiet time never shows, and a bouncing key
delays only itself. Rows are masks, so an idle matrix costs two XORs a row.
"""

from firmware.ticks import elapsed

QUIET = 20  # ms; switches under pieces bounce longer than those of a keyboard


class Keys:
    """The settled state of a matrix; bit c of `settled[r]` is the key at row r, column c."""

    def __init__(self, rows: int, columns: int, quiet: int = QUIET) -> None:
        self.rows = rows
        self.columns = columns
        self.quiet = quiet
        self.settled = [0] * rows
        self.seen = [0] * rows
        self.since = [0] * (rows * columns)

    def update(self, masks: "list[int]", now: int) -> "list[tuple[int, int, bool]]":
        """Take one scan; returns the keys that changed as (row, column, down)."""
        changes: list[tuple[int, int, bool]] = []
        for row in range(self.rows):
            mask = masks[row]
            moved = mask ^ self.seen[row]
            if moved:
                self.seen[row] = mask
                self._stamp(row, moved, now)
            waiting = mask ^ self.settled[row]
            if waiting:
                self._settle(row, waiting, now, changes)
        return changes

    def _stamp(self, row: int, moved: int, now: int) -> None:
        for column in range(self.columns):
            if moved >> column & 1:
                self.since[row * self.columns + column] = now

    def _settle(
        self, row: int, waiting: int, now: int, changes: "list[tuple[int, int, bool]]"
    ) -> None:
        first = row * self.columns
        for column in range(self.columns):
            if not waiting >> column & 1:
                continue
            if elapsed(now, self.since[first + column]) >= self.quiet:
                self.settled[row] ^= 1 << column
                changes.append((row, column, bool(self.settled[row] >> column & 1)))

    def mask(self) -> int:
        """All settled keys in one mask: bit row * columns + column."""
        whole = 0
        for row in range(self.rows - 1, -1, -1):
            whole = whole << self.columns | self.settled[row]
        return whole
