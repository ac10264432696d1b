"""A proxy between somebody and the broker, whose weather can be changed: cut, slow, or a hole."""

import asyncio
import contextlib
import random
import time

from companion.cafe.line import end

WEATHER = ("cut", "slow", "hole")
SLOW = 1.0
"""Seconds for which something is delayed, at most."""


class Proxy:
    """Passes on what comes, as far as the weather lets it."""

    def __init__(self, port: int) -> None:
        self.port, self.broker = 0, port
        self.weather, self.changed = "fair", time.monotonic()
        self.reached = 0.0
        """When somebody last began a connection through it."""
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> "Proxy":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def change(self, weather: str) -> None:
        """Other weather; half-open connections stay so until somebody notices."""
        self.weather = weather
        self.changed = time.monotonic()
        if weather == "cut":
            for writer in self._writers:
                writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        self.reached = time.monotonic()
        try:
            if self.weather == "cut":
                return
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.broker)
            self._writers.add(far_writer)
            both = [
                asyncio.create_task(self._pass(reader, far_writer)),
                asyncio.create_task(self._pass(far_reader, writer)),
            ]
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            while self.weather == "hole":  # nobody hears that the other has gone
                await asyncio.sleep(0.05)
            await end(both)
            far_writer.transport.abort()
            self._writers.discard(far_writer)
        except OSError:
            pass
        finally:
            writer.transport.abort()
            self._writers.discard(writer)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        swallowed = False
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                swallowed = swallowed or self.weather == "hole"
                if self.weather == "slow":
                    await asyncio.sleep(random.uniform(0, SLOW))
                if not swallowed:  # what a hole took is missing for ever: so is this connection
                    writer.write(data)
                    await writer.drain()

    def close(self) -> None:
        self.change("cut")
        self._server.close()
