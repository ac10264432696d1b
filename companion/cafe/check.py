"""Why a table cannot join, looked at from outside: one connection, for the doctor."""

import asyncio

from companion.cafe import messages, topics
from companion.cafe.line import Line, Said, end
from companion.cafe.table import Section

PATIENCE = 8.0  # seconds for an answer of the broker
LISTEN = 1.0  # seconds for what the broker holds of this table


async def why_not(section: Section, box: str) -> str | None:
    """A sentence that says why this table cannot join its house; None if it can."""
    heard: list[messages.Here] = []

    def take(topic: str, payload: bytes, retained: bool) -> None:
        try:
            heard.append(messages.decode(payload, messages.Here))
        except (messages.MalformedError, messages.LaterVersionError):
            return

    own = topics.HERE.of(section.name)
    line = Line(
        section,
        user=section.user or section.name,
        identifier=f"{section.name}-doctor",
        hears=[(own, 1)],
        take=take,
        birth=lambda: Said(f"{own}/doctor", b"", False, 0),
        born=lambda: None,
    )
    task = asyncio.create_task(line.run())
    try:
        begun = asyncio.get_running_loop().time()
        while not line.up and asyncio.get_running_loop().time() - begun < PATIENCE:
            if line.trouble is not None and line.trouble.wrong:
                break
            await asyncio.sleep(0.05)
        if not line.up:
            return line.trouble.said if line.trouble is not None else "the broker does not answer"
        await asyncio.sleep(LISTEN)
    finally:
        await end([task])
    others = {one.box for one in heard if one.here and one.box and one.box != box}
    if others:
        return f"another box ({min(others)[:8]}) is called {section.name!r} too"
    return None
