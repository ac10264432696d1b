"""The line codec of the serial link: one file, run unchanged by the box and by the Picos.

A line is `<seq> <word> [args] #<crc32 of what stands before, 8 hex digits>` and a line feed,
all printable ASCII. Whatever is not exactly that is dropped: the link repairs it.
"""

from binascii import crc32

PROTOCOL = 1
LONGEST = 160  # bytes of a line with its line feed; three masks of 128 cells fit

FROM_DEVICE = ("hello", "pong", "press", "release", "snap", "rolling", "roll", "fumble")
FROM_BOX = ("hello", "ping", "ack", "snap", "light", "show", "faces")

BOOTS = 1000000
BLOCK = 1000  # a boot counts its lines and its rolls from its own number times this


def encode(seq: int, word: str, *args: object) -> bytes:
    """The bytes of a line.

    They are not checked: decoding what was just encoded costs a Pico more than encoding it.
    """
    body = " ".join([str(seq), word] + [str(arg) for arg in args]).encode()
    return body + f" #{crc32(body):08x}\n".encode()


def decode(line: bytes) -> "tuple[int, str, list[str]] | None":
    """Sequence number, word and arguments of a line without its line feed, or None."""
    if len(line) >= LONGEST or len(line) < 13 or line[-10:-8] != b" #":
        return None
    for byte in line:
        if byte < 0x20 or byte > 0x7E:
            return None
    body = line[:-10]
    if line[-8:] != f"{crc32(body):08x}".encode():
        return None
    parts = body.decode().split(" ")
    if len(parts) < 2 or "" in parts:
        return None
    seq = number(parts[0])
    if seq is None:
        return None
    return seq, parts[1], parts[2:]


def number(text: str) -> "int | None":
    """A whole number written in the one way we write it, or None."""
    if not text.isdigit() or len(text) > 12 or (len(text) > 1 and text[0] == "0"):
        return None
    return int(text)


def mask_text(mask: int, cells: int) -> str:
    """A mask of cells as hex digits, as many as the matrix needs."""
    digits = (cells + 3) // 4
    text = f"{mask:x}"
    return "0" * (digits - len(text)) + text


def mask_of(text: str, cells: int) -> "int | None":
    """The mask that `mask_text` wrote for a matrix of so many cells, or None."""
    if len(text) != (cells + 3) // 4:
        return None
    for letter in text:
        if letter not in "0123456789abcdef":
            return None
    mask = int(text, 16)
    return mask if mask >> cells == 0 else None


class Splitter:
    """Cuts incoming bytes into lines and never holds more than one line's length."""

    def __init__(self) -> None:
        self.held = b""
        self.too_long = False
        self.dropped = 0

    def feed(self, data: bytes) -> "list[bytes]":
        """The lines these bytes complete, without line feed (and carriage return)."""
        lines = []
        pieces = data.split(b"\n")
        for piece in pieces[:-1]:
            self._hold(piece)
            if not self.too_long:
                lines.append(self.held[:-1] if self.held.endswith(b"\r") else self.held)
            self.held = b""
            self.too_long = False
        self._hold(pieces[-1])
        return lines

    def _hold(self, piece: bytes) -> None:
        if self.too_long:
            return
        self.held += piece
        if len(self.held) > LONGEST:
            self.held = b""
            self.too_long = True
            self.dropped += 1
