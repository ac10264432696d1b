"""Thinking in a process of its own: questions to the odds that never delay an event.

`Thinker.ask` starts the process when it is first asked, and asks one question at a time. The
process reads a question a line and writes an answer a line (`odds/asking.py`); it ends when nobody
can ask any more. If it dies, who asked is told so in a sentence, and the next question starts
another.
"""

import asyncio
import json
import sys
from typing import Any

Told = dict[str, Any]
COMMAND = (sys.executable, "-m", "companion.thinking")
LONGEST = 1 << 16
"""Bytes that a question or an answer may have."""


class ThinkingError(Exception):
    """A question was not answered; the message says why."""


class Thinker:
    """Asks the process that thinks."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._asking = asyncio.Lock()

    async def ask(self, question: Told) -> Told:
        """The answer to a question; raises ThinkingError if there is none."""
        async with self._asking:
            try:
                told: Told = json.loads(await self._line(json.dumps(question)))
            except (OSError, ValueError, asyncio.IncompleteReadError) as fault:
                await self.close()
                raise ThinkingError(f"the process that thinks has ended: {fault}") from None
            except asyncio.CancelledError:
                await self.close()  # its answer would be taken for that of the next question
                raise
        if "error" in told:
            raise ThinkingError(str(told["error"]))
        return told

    async def _line(self, question: str) -> bytes:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST,
            )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(question.encode() + b"\n")
        await process.stdin.drain()
        return await process.stdout.readuntil(b"\n")

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


def answer_lines() -> None:
    """The process itself: answer what is asked, until nobody can ask any more."""
    from companion.odds.asking import answer

    for line in sys.stdin:
        try:
            question = json.loads(line)
            told = answer(question) if isinstance(question, dict) else {"error": "no question"}
        except (ValueError, RecursionError) as fault:
            told = {"error": f"this is no question: {fault}"}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    answer_lines()
