"""The line codec: byte vectors, and any bytes at all."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.link import Link
from firmware.line import (
    FROM_BOX,
    FROM_DEVICE,
    LONGEST,
    Splitter,
    decode,
    encode,
    mask_of,
    mask_text,
)
from firmware.port import Port

VECTORS = [
    line.rsplit(" | ", 1)
    for line in (Path(__file__).parent / "vectors.txt").read_text().splitlines()
    if not line.startswith("#") or " | " in line
]

words = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=8)
numbers = st.integers(0, 10**12 - 1)


@pytest.mark.parametrize(("text", "meaning"), VECTORS)
def test_a_vector_decodes_as_written(text: str, meaning: str) -> None:
    line = text.encode().decode("unicode_escape").encode("latin1")
    message = decode(line)
    if meaning == "-":
        assert message is None
    else:
        assert message is not None
        seq, word, args = message
        assert " ".join([str(seq), word, *args]) == meaning
        assert encode(seq, word, *args) == line + b"\n"


@given(numbers, words, st.lists(words, max_size=5))
def test_what_is_encoded_decodes(seq: int, word: str, args: list[str]) -> None:
    assert decode(encode(seq, word, *args)[:-1]) == (seq, word, args)


@given(st.binary())
def test_any_bytes_decode_or_are_dropped(data: bytes) -> None:
    message = decode(data)
    if message is not None:
        assert encode(message[0], message[1], *message[2])[:-1] == data


@given(numbers, words, st.lists(words, max_size=5), st.data())
def test_any_change_of_a_few_bytes_is_noticed(
    seq: int, word: str, args: list[str], data: st.DataObject
) -> None:
    line = bytearray(encode(seq, word, *args)[:-1])
    start = data.draw(st.integers(0, len(line) - 1))
    burst = data.draw(st.binary(min_size=1, max_size=4))
    changed = bytearray(line)
    for place, flip in enumerate(burst, start):
        if place < len(line):
            changed[place] ^= flip
    if changed != line:
        assert decode(bytes(changed)) is None


@pytest.mark.parametrize("args", [("a b",), ("",), ("\x03",), ("é",), ("x" * LONGEST,)])
def test_what_would_not_decode_is_not_sent(args: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="cannot be sent"):
        Link(1).say("show", *args)


@given(st.lists(st.binary(max_size=2 * LONGEST)))
def test_lines_do_not_depend_on_how_bytes_arrive(chunks: list[bytes]) -> None:
    one, many = Splitter(), Splitter()
    whole = one.feed(b"".join(chunks))
    assert [line for chunk in chunks for line in many.feed(chunk)] == whole
    assert one.dropped == many.dropped
    assert len(many.held) <= LONGEST
    assert all(len(line) <= LONGEST for line in whole)


def test_the_next_line_is_read_after_an_endless_one() -> None:
    splitter = Splitter()
    for _ in range(100):
        assert splitter.feed(b"x" * 100) == []
    assert splitter.feed(b"\ngood\r\n") == [b"good"]
    assert splitter.dropped == 1


@given(st.integers(0, 128).flatmap(lambda c: st.tuples(st.just(c), st.integers(0, 2**c - 1))))
def test_masks_keep_every_cell(given_: tuple[int, int]) -> None:
    cells, mask = given_
    if cells:
        assert mask_of(mask_text(mask, cells), cells) == mask


lines = st.builds(
    lambda seq, word, args: encode(seq, word, *args),
    st.one_of(st.integers(5000, 5050), numbers),
    st.one_of(st.sampled_from(FROM_DEVICE + FROM_BOX), words),
    st.lists(
        st.one_of(
            st.sampled_from(
                ["die", "board", "box", "1", "0", "1.0.0", "8x16", "0x0", "5", "f" * 32]
            ),
            st.integers(0, 200).map(str),
            words,
        ),
        max_size=6,
    ),
)
HELLO = encode(5000, "hello", "board", "1.0.0", 1, 5, "e6", "8x16")


@given(st.lists(st.one_of(st.binary(max_size=300), lines)), st.booleans())
def test_the_box_takes_any_bytes(chunks: list[bytes], greeted: bool) -> None:
    link = Link(1)
    if greeted:
        link.receive(HELLO, 0.0)
    for now, chunk in enumerate(chunks):
        link.receive(chunk, now / 10)
        link.tick(now / 10)
        for line in link.outgoing().splitlines():
            assert decode(line) is not None


class Deaf:
    """A console that brings these bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.written = b""

    def read(self) -> bytes:
        data, self.data = self.data, b""
        return data

    def write(self, data: bytes) -> int:
        self.written += data
        return len(data)


@given(st.lists(st.one_of(st.binary(max_size=300), lines)))
def test_the_device_takes_any_bytes(chunks: list[bytes]) -> None:
    console = Deaf(b"".join(chunks))
    port = Port(console, "board", 5, "e6", 8, 16)
    port.hear(0)
    port.flush()
    for line in console.written.splitlines():
        assert decode(line) is not None
    assert b"\x03" not in console.written
