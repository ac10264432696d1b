"""The page of MQTT topics, written from the topics and messages themselves: docs/mqtt.md."""

import inspect
import re
from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from companion.cafe import messages, topics

NAME = "mqtt.md"
_HEAD = """# The topics of a house

Written from `companion/cafe/topics.py` and `messages.py` by `make docs`; a test keeps it so.

Tables and house speak MQTT 3.1.1 over any broker. What is retained is what a table *is and shows*;
it comes again by itself when the table sees the broker again, so a broker needs no disk. MQTT is
never the archive: records are asked for, by their journal's id and number.

Payloads are JSON objects with their version in `v`. Who reads one of a later version says so and
leaves it; fields that are merely new are left out. A message has at most {largest} bytes.
`<table>` is the table's name: small letters, digits and dashes.

A stay at the broker begins with a random `birth`. A last will names the birth that it ends, so that
a late one ends no later stay. Retained words show how things were; only a pulse shows that a table
is alive.
"""


def mqtt_page() -> str:
    """The whole page."""
    parts = [_HEAD.format(largest=messages.LARGEST), "## Topics", "", *_topics(), ""]
    for topic in topics.TOPICS:
        parts += [*_message(topic.carries), ""]
    parts += ["## What the house may ask", "", "The `order` of an `Ask`, known by its `do`:", ""]
    for order in get_args(messages.Order):
        parts += [*_message(order), ""]
    parts += ["## Who may say what", "", _ACCESS, "", "```", topics.access_rules().rstrip(), "```"]
    return "\n".join([*_without_doubles(parts), ""])


_ACCESS = (
    "A table writes as itself only, and only the house asks. These are the access rules of the\n"
    "house's Mosquitto; `%u` is the user, which is the table's name."
)


def _topics() -> Iterator[str]:
    yield "| topic | written by | carries | retained | QoS | meaning |"
    yield "|---|---|---|---|---|---|"
    for one in topics.TOPICS:
        retained = "yes" if one.retained else "no"
        name = one.of("<table>")
        yield (
            f"| `{name}` | {one.writer} | `{one.carries.__name__}` | {retained} | {one.qos} "
            f"| {one.means} |"
        )


def _message(kind: type[Struct]) -> Iterator[str]:
    tag = kind.__struct_config__.tag
    yield f"### `{kind.__name__}`" + (f": `{tag}`" if tag else "")
    yield ""
    yield inspect.cleandoc(kind.__doc__ or "")
    yield ""
    fields = msgspec.structs.fields(kind)
    if not fields:
        return
    yield "| field | kind |"
    yield "|---|---|"
    yield from (f"| `{field.encode_name}` | {_kind(field.type)} |" for field in fields)


def _kind(kind: Any) -> str:
    """A type in words."""
    if get_origin(kind) is Literal:
        return ", ".join(f"`{one}`" for one in get_args(kind))
    if isinstance(kind, UnionType) or get_origin(kind) is Union:
        return " or ".join("nothing" if one is type(None) else _kind(one) for one in get_args(kind))
    if hasattr(kind, "__metadata__"):
        return _kind(kind.__origin__)
    if get_origin(kind) in (list, tuple):
        inner = [one for one in get_args(kind) if one is not Ellipsis]
        return "list of " + ", ".join(_kind(one) for one in inner)
    if get_origin(kind) is dict:
        return f"by name, {_kind(get_args(kind)[1])}"
    if isinstance(kind, type) and issubclass(kind, Struct):
        inner_fields = ", ".join(f.encode_name for f in msgspec.structs.fields(kind))
        return f"`{kind.__name__}` ({inner_fields})"
    words = {"str": "text", "int": "number", "float": "number", "bool": "true or false"}
    return words.get(getattr(kind, "__name__", ""), "anything")


def _without_doubles(parts: list[str]) -> list[str]:
    """Each message once: several topics may carry the same."""
    text, seen, found = "\n".join(parts), set[str](), []
    for block in re.split(r"(?m)^(?=### )", text):
        head = block.partition("\n")[0]
        if head.startswith("### ") and head in seen:
            continue
        seen.add(head)
        found.append(block)
    return ["".join(found)]
