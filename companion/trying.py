"""Trying out house rules in a process of its own: a thousand random games, and whether they end.

The box asks for it only while nobody plays, and ends it when somebody does. The process is told
rules as a line and writes how far it is as lines of JSON; it ends with its answer.
"""

import asyncio
import json
import sys
from typing import Any, NamedTuple

GAMES = 1000
EVERY = 20
"""Games between two lines."""
COMMAND = (sys.executable, "-m", "companion.trying")


class Progress(NamedTuple):
    """How far it is: so many of the games are played, and so many of these ended."""

    games: int
    of: int
    ended: int = 0
    rolls: float = 0.0
    """How many a game took on average."""
    longest: int = 0

    @property
    def passed(self) -> bool:
        """Whether all were played, and all of them ended."""
        return self.ended == self.games == self.of > 0


class TrialError(Exception):
    """The games could not be played; the message says why."""


class Tryout:
    """One trial at a time; a new one ends the one before."""

    def __init__(self, command: tuple[str, ...] = COMMAND, games: int = GAMES) -> None:
        self._command = command
        self._games = games
        self._process: asyncio.subprocess.Process | None = None
        self.progress = Progress(0, games)
        self.running = ""
        """The rules that are tried now, as one line."""

    async def run(self, line: str) -> Progress:
        """Try rules out; raises TrialError, also if it was ended."""
        self.end()
        self.progress, self.running = Progress(0, self._games), line
        try:
            process = self._process = await asyncio.create_subprocess_exec(
                *self._command, line, str(self._games), stdout=asyncio.subprocess.PIPE
            )
            try:
                await self._follow(process)
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        except (OSError, ValueError) as fault:
            raise TrialError(f"the games cannot be played: {fault}") from None
        finally:
            if self.running == line:
                self.running = ""
        if self.progress.games < self._games and self.progress.games == self.progress.ended:
            raise TrialError("trying them out was ended")
        return self.progress

    async def _follow(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for told in process.stdout:
            if process is not self._process:
                return
            self.progress = Progress(*json.loads(told))

    def end(self) -> None:
        """End it: somebody wants to play."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()


def main(line: str, games: int) -> None:
    """The process itself. It stops at the first game that does not end."""
    import random

    from companion.rules.family import from_line, game_lengths, summed_up

    chance = random.Random(1).random
    lengths: list[Any] = []
    for length in game_lengths(from_line(line).playable(), games, chance):
        lengths.append(length)
        if length is None or len(lengths) % EVERY == 0 or len(lengths) == games:
            found = summed_up(lengths)
            told = (found.games, games, found.ended, found.rolls, found.longest)
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()
        if length is None:
            return


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
