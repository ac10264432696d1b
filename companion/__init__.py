"""The Ludo companion: a referee that sits beside a real board."""

__version__ = "0.1.0"
