"""The rules against PyPI's ludopy: die rolls a second in random games; and what importing costs."""

import subprocess
import sys
from pathlib import Path
from statistics import median

SHEETS = ("german", "british", "dutch", "pairs")
ROUNDS, SLICE = 9, 0.7
TARGET = 10
IMPORTS, IMPORT_MS, IMPORT_MB = 15, 100, 8

ROOT = Path(__file__).parents[1]
VENV = ROOT / "build" / "ludopy"
WORKER = Path(__file__).with_name("_rolls.py")

IMPORTING = """
import resource, time
def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6
before, begun = megabytes(), time.process_time()
import companion.rules
print(1000 * (time.process_time() - begun), megabytes() - before)
"""


class Engine:
    """A worker process that plays when asked."""

    def __init__(self, python: str | Path, name: str) -> None:
        self.name = name
        self.worker = subprocess.Popen(
            [python, WORKER, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(ROOT)},
        )

    def rate(self) -> float:
        """Die rolls a second in one slice of CPU time."""
        assert self.worker.stdin
        assert self.worker.stdout
        self.worker.stdin.write(f"{SLICE}\n")
        self.worker.stdin.flush()
        answer = self.worker.stdout.readline()
        if not answer:
            raise RuntimeError(f"the worker of {self.name} has ended: see what it says above")
        rolls, seconds = answer.split()
        return int(rolls) / float(seconds)

    def close(self) -> None:
        assert self.worker.stdin
        self.worker.stdin.close()
        self.worker.wait()


def ludopy_python() -> Path:
    """A Python that has ludopy, in a venv of its own that is made when first needed."""
    python, ready = VENV / "bin" / "python", VENV / ".ready"
    if not ready.exists():
        print("  setting up ludopy in a venv of its own ...", flush=True)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "ludopy==1.5.0"], check=True)
        ready.touch()
    return python


def speed() -> bool:
    """Rolls a second, all engines in turn, round after round; the median of the ratios counts."""
    theirs = Engine(ludopy_python(), "ludopy")
    ours = [Engine(sys.executable, sheet) for sheet in SHEETS]
    rates: dict[str, list[float]] = {engine.name: [] for engine in (theirs, *ours)}
    for _ in range(ROUNDS):
        for engine in (theirs, *ours):
            rates[engine.name].append(engine.rate())
    for engine in (theirs, *ours):
        engine.close()
    print(f"  {'ludopy':8} {median(rates['ludopy']):9,.0f} rolls a second")
    good = True
    for sheet in SHEETS:
        pairs = zip(rates[sheet], rates["ludopy"], strict=True)
        times = median(mine / its for mine, its in pairs)
        good &= times >= TARGET
        print(
            f"  {sheet:8} {median(rates[sheet]):9,.0f} rolls a second, {times:5.1f} times "
            f"(target {TARGET}): {'met' if times >= TARGET else 'MISSED'}"
        )
    return good


def importing() -> bool:
    """CPU time and memory that `import companion.rules` adds to a fresh Python."""
    found = []
    for _ in range(IMPORTS):
        done = subprocess.run(
            [sys.executable, "-c", IMPORTING], cwd=ROOT, capture_output=True, text=True, check=True
        )
        found.append([float(word) for word in done.stdout.split()])
    spent, added = (median(one[at] for one in found) for at in (0, 1))
    met = spent < IMPORT_MS and added < IMPORT_MB
    print(
        f"  import companion.rules: {spent:.0f} ms (target {IMPORT_MS}), {added:.1f} MB more "
        f"(target {IMPORT_MB}): {'met' if met else 'MISSED'}"
    )
    return met


def run() -> bool:
    """Print the figures; true if the targets are met."""
    return importing() & speed()
