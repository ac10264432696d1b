"""Play simulated evenings, and print what came of them: `python -m tests.people --help`."""

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from tests.people.evening import Evening
from tests.people.figures import Figures, dumps, table
from tests.people.plans import all_rates
from tests.people.sitting import slug

TRACES = Path("build/people")
BEFORE = Path(__file__).parent / "before.json"
KINDS = ("careful", "ordinary", "clumsy")
SENSINGS = ("presence", "touch", "choose")
EACH_KIND = 2
"""How many scripts of one kind of fault are kept by a worker."""


class Traces:
    """Scripts of faults, a few of each kind."""

    def __init__(self, folder: Path, prefix: str) -> None:
        self.folder, self.prefix = folder, prefix
        self.kept: dict[str, int] = {}

    def save(self, section: str, kind: str, text: str) -> None:
        name = slug(f"{section} {kind}")
        number = self.kept.get(name, 0) + 1
        self.kept[name] = number
        if number <= EACH_KIND:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / f"{self.prefix}-{name}-{number}.txt").write_text(text)


def some_games(job: tuple[str, str, str, int, int, int, str | None, int | None]) -> Figures:
    """One worker's share: whole games until so many honest moves or games were played."""
    seed, kind, sensing, worker, moves, games, sheet, seats = job
    figures = Figures()
    traces = Traces(TRACES, f"{kind}-{sensing}-{worker}")
    made = number = 0
    while (made < moves) if moves else (number < games):
        number += 1
        evening = Evening(
            f"{seed} {worker} {number}",
            all_rates()[kind],
            figures,
            sensing,
            traces.save,
            sheet,
            seats,
        )
        most = 4000 if not moves else max(1, (moves - made) * 3)
        try:
            made += evening.play(most)
        except Exception as error:  # the referee never raises: this is a fault to be kept
            figures.add("crashes", f"{type(error).__name__}: {error}")
            evening.keep("crash", f"{type(error).__name__} {error}")
            if "--raise" in sys.argv:
                raise
    return figures


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.people", description=__doc__)
    parser.add_argument("--hands", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--sensing", nargs="+", choices=SENSINGS, default=["presence"])
    parser.add_argument("--games", type=int, default=4, help="games for each kind and worker")
    parser.add_argument("--moves", type=int, default=0, help="or: honest moves for each kind")
    parser.add_argument("--sheet", help="only this sheet")
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), help="only so many players")
    parser.add_argument("--seed", default="people")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--before", type=Path, default=BEFORE, help="figures to print beside")
    parser.add_argument("--nonsense", type=int, default=0, help="so many random events instead")
    parser.add_argument("--raise", action="store_true", help="stop at the first exception")
    return parser.parse_args()


def play(args: argparse.Namespace, kind: str, sensing: str) -> Figures:
    share = -(-args.moves // args.workers) if args.moves else 0
    jobs = [
        (args.seed, kind, sensing, worker, share, args.games, args.sheet, args.seats)
        for worker in range(args.workers)
    ]
    total = Figures()
    if args.workers == 1:
        total.merge(some_games(jobs[0]))
        return total
    with ProcessPoolExecutor(args.workers) as pool:
        for figures in pool.map(some_games, jobs):
            total.merge(figures)
    return total


def old_figures(path: Path, name: str) -> dict[str, Any] | None:
    if not path.exists():
        return None
    kept: dict[str, Any] = json.loads(path.read_text())["figures"]
    return kept.get(name)


def main() -> None:
    args = options()
    if args.nonsense:
        from tests.people.nonsense import main as nonsense

        nonsense(args.nonsense, args.seed, args.workers)
        return
    found: dict[str, Any] = {}
    for sensing in args.sensing:
        for kind in args.hands:
            name = f"{kind} {sensing}"
            began = time.perf_counter()
            figures = play(args, kind, sensing).plain()
            seconds = time.perf_counter() - began
            speed = figures["count"]["honest"] / seconds
            found[name] = figures
            print(f"{name}: {seconds:.1f} s, {speed:.0f} honest moves a second")
            print(table(figures, old_figures(args.before, name)))
    if args.json:
        command = "python -m tests.people " + " ".join(sys.argv[1:])
        args.json.write_text(dumps({"command": command, "figures": found}))


if __name__ == "__main__":
    main()
