"""A scene of every kind on the bench, for tests and for eyes."""

from companion.bench import Bench, Scene, Wish
from companion.events import Cell, Lost, Pressed, Rolled
from companion.rules.boards import BOARDS


def bench_samples(language: str) -> dict[str, Scene]:
    """The scenes by name, in a language."""
    settings = {"language": language}
    found = {**_mapping(), **_testing()}
    return {name: scene._replace(settings=settings) for name, scene in found.items()}


def _touch(bench: Bench, *cells: Cell, now: float = 1.0) -> None:
    for on in (True, False):
        for cell in cells:
            bench.change(cell, on, now)


def _wiring(board: str, columns: int) -> dict[str, Cell]:
    return {place.name: divmod(n, columns) for n, place in enumerate(BOARDS[board].places)}


def _mapping() -> dict[str, Scene]:
    found = {}
    bench = Bench("40", {}, sensing="presence", all_used=True)
    bench.begin((), 0.0, (8, 9))
    found["map-first"] = bench.scene
    for n in range(30):
        _touch(bench, divmod(n, 9), now=float(n))
    found["map-learned"] = bench.scene
    _touch(bench, (0, 0))
    found["map-known"] = bench.scene
    _touch(bench, (4, 0), (5, 0))
    found["map-double"] = bench.scene
    for n in range(30, 72):
        if divmod(n, 9)[0] == 5:
            bench.ask(Wish("skip"))
        else:
            _touch(bench, divmod(n, 9))
    found["map-row-missing"] = bench.scene
    bench = Bench("mat", {name: cell for name, cell in _wiring("mat", 4).items() if name != "B.4"})
    bench.begin(((3, 3),), 0.0, (4, 4))
    found["map-stuck"] = bench.scene
    bench.change((3, 3), False, 1.0)
    _touch(bench, (3, 3))
    found["map-done"] = bench.scene
    bench.take(Lost("board", "It was unplugged."))
    found["away"] = bench.scene
    return found


def _testing() -> dict[str, Scene]:
    found = {}
    bench = Bench("52", _wiring("52", 13))
    bench.begin(((0, 0),), 0.0, (8, 13))
    found["test-first"] = bench.scene
    for n in range(1, 60):
        _touch(bench, divmod(n, 13), now=float(n))
    bench.change((3, 3), True, 70.0)
    found["test-half"] = bench.scene
    for n in range(60, 104):
        if n // 13 != 5:
            _touch(bench, divmod(n, 13), now=float(n))
    bench.take(Pressed("down"))
    found["test-row-silent"] = bench.scene
    for n in range(14):
        bench.change((1, 1), n % 2 == 0, 200 + n / 5)
    bench.take(Rolled(1, 4))
    found["test-flickers"] = bench.scene
    bench.take(Pressed("ok", held=True))
    found["menu"] = bench.scene
    whole = Bench("68", _wiring("68", 16))
    whole.begin((), 0.0, (8, 16))
    for cell in whole.wiring.values():
        _touch(whole, cell)
    found["test-all"] = whole.scene
    return found
