"""Play simulated evenings, and print what came of them: `python -m tests.people --help`."""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from tests.house_soak import mixes
from tests.people.evenings import an_evening
from tests.people.figures import Figures, broken, dumps, table
from tests.people.nonsense import main as nonsense
from tests.people.plans import all_rates
from tests.people.sitting import Save, slug

TRACES = Path("build/people")
BEFORE = Path(__file__).parent / "before.json"
KINDS = ("careful", "ordinary", "clumsy")
SENSINGS = ("presence", "touch", "choose")
EACH_KIND = 2
"""How many scripts of one kind of fault are kept."""
BATCH = 8
"""Games that are begun together when moves are counted: so it does not matter who plays them."""


class Job(NamedTuple):
    """One game to be played."""

    seed: str
    kind: str
    sensing: str
    number: int
    sheet: str | None
    seats: int | None
    rates: dict[str, float]
    box: int = 0


def save(job: Job) -> Save:
    """Keeps scripts of faults, a few of each kind."""

    kept: Counter[str] = Counter()

    def keep(section: str, kind: str, script: Callable[[], str]) -> None:
        name = slug(f"{job.kind} {job.sensing} {section} {kind}")
        kept[name] += 1
        if kept[name] == 1:
            TRACES.mkdir(parents=True, exist_ok=True)
            if len(list(TRACES.glob(f"{name}-game-*.txt"))) < EACH_KIND:
                (TRACES / f"{name}-game-{job.number}.txt").write_text(script())

    return keep


def one_game(job: Job) -> Figures:
    """Play one game; an exception is counted and kept, and the others go on."""
    figures = Figures()
    here = an_evening(
        f"{job.seed} {job.number}",
        {**all_rates()[job.kind], **job.rates},
        figures,
        job.sensing,
        save(job),
        job.sheet,
        job.seats,
        job.box,
    )
    try:
        here.play()
    except Exception as error:  # the referee never raises: this is a fault to be kept
        figures.add("crashes", f"{type(error).__name__}: {error}")
        here.keep("crash", f"{type(error).__name__} {error}")
    return figures


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.people", description=__doc__)
    parser.add_argument("--hands", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--sensing", nargs="+", choices=SENSINGS, default=["presence"])
    parser.add_argument("--games", type=int, default=4, help="games for each kind")
    parser.add_argument("--game", type=int, help="only the game of this number, to see it again")
    parser.add_argument("--moves", type=int, default=0, help="or: honest moves for each kind")
    parser.add_argument("--sheet", nargs="+", help="only these sheets, in turn: british+bounce")
    parser.add_argument("--mixes", type=int, default=0, help="or: so many mixes of house rules")
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), help="only so many players")
    parser.add_argument("--box", type=int, choices=(1, 2, 3), help="so many players of the box")
    parser.add_argument("--seed", default="people")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--before", type=Path, default=BEFORE, help="figures to print beside")
    parser.add_argument("--nonsense", type=int, default=0, help="so many random events instead")
    parser.add_argument(
        "--rate", nargs="+", default=[], metavar="NAME=VALUE", help="other rates than the file's"
    )
    parser.add_argument("--strict", action="store_true", help="fail where a promise is broken")
    return parser.parse_args()


def play(args: argparse.Namespace, kind: str, sensing: str) -> Figures:
    """All games of one kind of hands, one way of sensing."""
    rates = {name: float(value) for name, value in (rate.split("=") for rate in args.rate)}
    unknown = set(rates) - set(all_rates()[kind])
    if unknown:
        raise SystemExit(f"there is no rate {', '.join(sorted(unknown))} in rates.toml")
    if args.game:
        return one_game(job_of(args, kind, sensing, args.game, rates))
    total, number = Figures(), 0
    with ProcessPoolExecutor(args.workers) as pool:
        while number < args.games if not args.moves else total.count["honest"] < args.moves:
            batch = BATCH if args.moves else args.games
            numbers = range(number + 1, number + 1 + batch)
            number += batch
            jobs = [job_of(args, kind, sensing, one, rates) for one in numbers]
            for figures in pool.map(one_game, jobs):
                total.merge(figures)
    return total


def job_of(
    args: argparse.Namespace, kind: str, sensing: str, number: int, rates: dict[str, float]
) -> Job:
    """The game of this number."""
    sheet = in_turn(args, number)
    return Job(args.seed, kind, sensing, number, sheet, args.seats, rates, args.box or 0)


def in_turn(args: argparse.Namespace, number: int) -> str | None:
    """The sheet of a game, where only some are played."""
    sheets = args.sheet or mixes(args.mixes)
    return sheets[number % len(sheets)] if sheets else None


def old_figures(path: Path, name: str) -> dict[str, Any] | None:
    if not path.exists():
        return None
    kept: dict[str, Any] = json.loads(path.read_text())["figures"]
    return kept.get(name)


def main() -> None:
    args = options()
    if args.nonsense:
        nonsense(args.nonsense, args.seed, args.workers)
        return
    found: dict[str, Any] = {}
    faults: list[str] = []
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
            faults += [f"{name}: {fault}" for fault in broken(kind, figures)]
    if args.json:
        command = "python -m tests.people " + " ".join(sys.argv[1:])
        args.json.write_text(dumps({"command": command, "figures": found}))
    if args.strict and faults:
        raise SystemExit("\n".join(["not as promised:", *faults]))


if __name__ == "__main__":
    main()
