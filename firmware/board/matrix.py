"""Scanning the diode matrix: pull one row low, read all its columns as one register mask."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Matrix:
    """Rows are driven through `pull(row, low)`, columns read through `columns()`.

    `columns()` returns the levels of the column pins, the first at bit 0; a closed switch
    pulls its column low. `settle()` waits until the columns have risen again.
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        pull: "Callable[[int, bool], None]",
        levels: "Callable[[], int]",
        settle: "Callable[[], None]",
    ) -> None:
        self.rows = rows
        self.all = (1 << columns) - 1
        self.pull = pull
        self.levels = levels
        self.settle = settle
        self.masks = [0] * rows

    def scan(self) -> "list[int]":
        """A mask of closed switches for each row; the list is the same one every time."""
        for row in range(self.rows):
            self.pull(row, True)
            self.settle()
            self.masks[row] = ~self.levels() & self.all
            self.pull(row, False)
            self.settle()
        return self.masks
