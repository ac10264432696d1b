"""A long evening: clumsy hands on every board for as many moves as asked, with a progress bar.

    python -m tests.soak --moves 1000000

It can be stopped and goes on where it was, by seed; a fault leaves a script that replays.
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.evening import BOARD_SHEETS, Evening, save_trace

BUILD = Path("build/soak")


def one(seed: int) -> tuple[int, int, int, list[str]]:
    """One game with hands from this seed: moves, illegal attempts, games, faults."""
    sheet = BOARD_SHEETS[seed % len(BOARD_SHEETS)]
    sensing = ("presence", "presence", "touch")[seed // len(BOARD_SHEETS) % 3]
    wrong = (0.0, 0.2)[seed // len(BOARD_SHEETS) // 3 % 2]
    evening = Evening(seed, sheet, sensing, wrong)
    tally = evening.tally
    try:
        evening.play(most_moves=3000)
    except Exception as fault:  # it ends this game, not the soak
        tally.faults.append(f"seed {seed}: {fault!r}")
    if tally.faults:
        save_trace(BUILD / f"{seed}-{sheet}-{sensing}.txt", evening)
    return tally.moves, tally.illegal, tally.games, tally.faults


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Play clumsy evenings at the referee.")
    parser.add_argument("--moves", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--anew", action="store_true", help="forget where the last run stopped")
    chosen = parser.parse_args(arguments)
    kept = BUILD / "state.json"
    state = {"seed": 0, "moves": 0, "illegal": 0, "games": 0, "faults": 0}
    if kept.exists() and not chosen.anew:
        state = json.loads(kept.read_text())
    BUILD.mkdir(parents=True, exist_ok=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with (
        Progress(*columns, TimeRemainingColumn()) as bar,
        ProcessPoolExecutor(chosen.workers) as pool,
    ):
        task = bar.add_task("moves", total=chosen.moves, completed=state["moves"])
        while state["moves"] < chosen.moves:
            batch = range(state["seed"], state["seed"] + 32)
            for moves, illegal, games, faults in pool.map(one, batch):
                state["moves"] += moves
                state["illegal"] += illegal
                state["games"] += games
                state["faults"] += len(faults)
                for fault in faults:
                    bar.console.print(f"[red]{fault}")
                bar.update(task, completed=state["moves"])
            state["seed"] = batch.stop
            kept.write_text(json.dumps(state))
    print(", ".join(f"{name} {value}" for name, value in state.items()))
    return 1 if state["faults"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
