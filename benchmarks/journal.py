"""The journal: how many bytes go to the card for each record that is kept.

A game of a thousand records is written with six events beside each, as a board with sensors makes
them, after others have filled the file. Counted is what SQLite hands to the system, and what of
that the system hands on, in whole blocks of the disk.
"""

import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from companion.events import RecordData
from companion.journal import Journal

RECORDS, EVENTS = 1000, 6
TARGET = 13.0  # kB: half of what it was
START: RecordData = {"kind": "start", "game": "german yellow,red", "names": {}}


class Written(NamedTuple):
    """Bytes so far: of this process's writes, and of the blocks they changed."""

    bytes: int
    blocks: int


def run() -> bool:
    """Measure; whether the target was met."""
    with tempfile.TemporaryDirectory() as name:
        journal = Journal(Path(name) / "games.db")
        for _ in range(2):
            play(journal)
        before, began = written(), time.perf_counter()
        play(journal)
        after, ended = written(), time.perf_counter()
        journal.close()
    each = (after.bytes - before.bytes) / RECORDS / 1000
    blocks = (after.blocks - before.blocks) / RECORDS / 1000
    print(f"  for each record kept              {each:6.1f} kB   (target {TARGET:g} kB)")
    print(f"  of it in whole blocks             {blocks:6.1f} kB")
    print(f"  a game of {RECORDS} records           {each * RECORDS / 1000:6.1f} MB")
    print(f"  a record on this disk             {(ended - began) / RECORDS * 1e3:6.2f} ms")
    return each < TARGET


def play(journal: Journal) -> None:
    """One game, a commit for each record, at its end put to rest."""
    journal.keep([START], time.time())
    for number in range(RECORDS):
        for _ in range(EVENTS):
            reading = {"at": number + 0.123456, "event": "Reading", "place": "R.B2", "on": True}
            journal.note(reading, time.time())
        roll = {"kind": "roll", "face": number % 6 + 1, "number": number}
        journal.keep([roll if number % 2 else {"kind": "move", "move": "yellow 5 12>17"}], 0.0)
    journal.rest()


def written() -> Written:
    """What the system has counted of this process."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    counts = {key: int(value) for key, value in (line.split(": ") for line in lines)}
    return Written(counts["wchar"], counts["write_bytes"])
