"""Text from a file that somebody else made, as it may be shown on a terminal."""

import click


def printable(text: str) -> str:
    """The text with everything that steers a terminal made visible instead."""
    return "".join(
        one if one.isprintable() or one in "\n\t" else one.encode("unicode_escape").decode()
        for one in text
    )


def why(fault: OSError | ValueError) -> str:
    """What the system says of a file, in words only: its name was said, its number is no help."""
    if isinstance(fault, UnicodeDecodeError):
        return "it is not text"
    return (isinstance(fault, OSError) and fault.strerror) or str(fault)


def told(fault: Exception) -> str:
    """A fault where nothing was said yet: the file it is about, and what the system says of it."""
    if isinstance(fault, OSError) and fault.strerror and fault.filename is not None:
        return f"{fault.filename}: {fault.strerror}"
    return why(fault) if isinstance(fault, OSError) else str(fault)


def refusal(text: str) -> click.ClickException:
    """A sentence that may quote such a file, to be raised."""
    return click.ClickException(printable(text))
