"""The Ludo companion: a referee that sits beside a real board."""

__version__ = "0.1.0"
SERVICE = "ludo-companion"
"""So the package is called, its service, the user that it runs as, and their folders."""
