"""Thinking in a process of its own: questions to the odds that never delay an event.

`Thinker.ask` starts the process when it is first asked, and asks one question at a time. The
process reads a question a line and writes an answer a line (`odds/asking.py`); it ends when nobody
can ask any more, or nobody has for a while. If it dies or takes too long, who asked is told so in a
sentence, and the next question starts another.
"""

import asyncio
import contextlib
import json
import os
import sys
from typing import Any

Told = dict[str, Any]
COMMAND = (sys.executable, "-m", "companion.thinking")
LONGEST = 1 << 20
"""Bytes that a question or an answer may have."""
PATIENCE = 60.0
"""Seconds after which an answer is no longer waited for."""
IDLE = 120.0
"""Seconds without a question after which the process gives its memory back."""
GIVES_WAY = 10
"""How much the process gives way to others, where it may say so."""


class ThinkingError(Exception):
    """A question was not answered; the message says why."""


class Thinker:
    """Asks the process that thinks."""

    def __init__(
        self, command: tuple[str, ...] = COMMAND, patience: float = PATIENCE, idle: float = IDLE
    ) -> None:
        self._command, self._patience, self._idle = command, patience, idle
        self._retires: asyncio.TimerHandle | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._asking = asyncio.Lock()

    async def ask(self, question: Told) -> Told:
        """The answer to a question; raises ThinkingError if there is none."""
        async with self._asking:
            try:
                async with asyncio.timeout(self._patience):
                    told: Told = json.loads(await self._line(json.dumps(question)))
            except TimeoutError:
                await self.close()
                raise ThinkingError(f"no answer came within {self._patience:g} s") from None
            except (OSError, ValueError, asyncio.IncompleteReadError) as fault:
                await self.close()
                raise ThinkingError(f"the process that thinks has ended: {fault}") from None
            except asyncio.CancelledError:
                await self.close()  # its answer would be taken for that of the next question
                raise
            self._retire_later()
        if "error" in told:
            raise ThinkingError(str(told["error"]))
        return told

    async def _line(self, question: str) -> bytes:
        process = self._process
        if self._retires is not None:
            self._retires.cancel()
        if process is None or process.returncode is not None or _is_closing(process):
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

    def _retire_later(self) -> None:
        """A process that nobody asks any more ends: it sees that its questions have ended."""
        process = self._process
        if self._retires is not None:
            self._retires.cancel()
        if process is not None and process.stdin is not None:
            loop = asyncio.get_running_loop()
            self._retires = loop.call_later(self._idle, process.stdin.close)

    async def rest(self) -> None:
        """Give the memory back, if nobody is asking."""
        if not self._asking.locked():
            await self.close()

    async def close(self) -> None:
        """End the process."""
        if self._retires is not None:
            self._retires.cancel()
            self._retires = None
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


def _is_closing(process: asyncio.subprocess.Process) -> bool:
    return process.stdin is None or process.stdin.is_closing()


def answer_lines() -> None:
    """The process itself: answer what is asked, until nobody can ask any more."""
    from companion.odds.asking import answer

    with contextlib.suppress(OSError):  # the sandbox of the unit does not let it
        os.nice(GIVES_WAY)
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
