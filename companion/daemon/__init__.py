"""The daemon: asyncio around the referee, and the only wiring of devices, journal and screen."""

from companion.daemon.shell import Daemon, Listener, Service, Wish

__all__ = ["Daemon", "Listener", "Service", "Wish"]
