"""Reading back a PDF: every line drawn on each page, in millimetres from the lower left corner."""

import base64
import re
import zlib
from itertools import pairwise
from typing import NamedTuple

POINT = 25.4 / 72

Matrix = tuple[float, float, float, float, float, float]


class Stroke(NamedTuple):
    """A straight line on paper."""

    x1: float
    y1: float
    x2: float
    y2: float


class Page(NamedTuple):
    """A sheet: its size in mm, the lines and the words on it."""

    width: float
    height: float
    strokes: list[Stroke]
    words: str


def pages(data: bytes) -> list[Page]:
    """Every page, in order."""
    objects, order = _parts(data)
    return [_page(objects, objects[number]) for number in order]


def streams(data: bytes) -> list[bytes]:
    """What is drawn on every page, as the PDF says it."""
    objects, order = _parts(data)
    contents = [re.search(rb"/Contents (\d+) 0 R", objects[number]) for number in order]
    return [_stream(objects[int(found[1])]) for found in contents if found]


def _parts(data: bytes) -> tuple[dict[int, bytes], list[int]]:
    """The objects of a file by number, and the numbers of its pages."""
    objects = {
        int(number): body
        for number, body in re.findall(rb"(\d+) 0 obj\r?\n?(.*?)endobj", data, re.S)
    }
    kids = next(body for body in objects.values() if b"/Kids" in body)
    order = re.findall(rb"(\d+) 0 R", kids.split(b"/Kids")[1].split(b"]")[0])
    return objects, [int(number) for number in order]


def _page(objects: dict[int, bytes], body: bytes) -> Page:
    box = re.search(rb"/MediaBox \[\s*([\d. ]+)\]", body)
    contents = re.search(rb"/Contents (\d+) 0 R", body)
    assert box is not None
    assert contents is not None
    _, _, width, height = (float(number) * POINT for number in box[1].split())
    text = _stream(objects[int(contents[1])]).decode("latin-1")
    words = " ".join(re.findall(r"\((.*?)\) Tj", text))
    return Page(width, height, _strokes(text), words)


def _stream(body: bytes) -> bytes:
    head, _, rest = body.partition(b"stream")
    data = rest.lstrip(b"\r\n").partition(b"endstream")[0]
    if b"ASCII85Decode" in head:
        data = base64.a85decode(data.strip().removesuffix(b"~>"))
    return zlib.decompress(data) if b"FlateDecode" in head else data


def _strokes(text: str) -> list[Stroke]:
    """Follow the drawing operators; lines wholly outside the clipping rectangle are not seen."""
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    clip = Stroke(0, 0, 1e9, 1e9)
    saved: list[tuple[Matrix, Stroke]] = []
    rectangle = clip
    path: list[tuple[float, float]] = []
    found: list[Stroke] = []
    operands: list[float] = []
    for word in re.sub(r"\((?:\\.|[^\\)])*\)", "", text).split():
        if re.fullmatch(r"-?[\d.]+", word):
            operands.append(float(word))
            continue
        if word == "q":
            saved.append((matrix, clip))
        elif word == "Q":
            matrix, clip = saved.pop()
        elif word == "cm":
            matrix = _times(operands, matrix)
        elif word in ("m", "l"):
            path = [*([] if word == "m" else path), _placed(operands, matrix)]
        elif word == "re":
            x, y, width, height = operands
            far = _placed([x + width, y + height], matrix)
            rectangle = Stroke(*_placed([x, y], matrix), *far)
        elif word in ("W", "W*"):
            clip = rectangle
        elif word == "S":
            lines = [Stroke(*start, *end) for start, end in pairwise(path)]
            found += [line for line in lines if _within(line, clip)]
            path = []
        operands = []
    return found


def _within(line: Stroke, clip: Stroke) -> bool:
    return (
        max(line.x1, line.x2) >= clip.x1
        and min(line.x1, line.x2) <= clip.x2
        and max(line.y1, line.y2) >= clip.y1
        and min(line.y1, line.y2) <= clip.y2
    )


def _times(new: list[float], old: Matrix) -> Matrix:
    a, b, c, d, e, f = new
    g, h, i, j, k, m = old
    return (
        a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j,
        e * g + f * i + k, e * h + f * j + m,
    )  # fmt: skip


def _placed(point: list[float], matrix: Matrix) -> tuple[float, float]:
    x, y = point
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e) * POINT, (b * x + d * y + f) * POINT
