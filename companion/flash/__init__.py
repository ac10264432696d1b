"""Putting our program onto a Pico: `companion flash`, and whoever else wants to."""
