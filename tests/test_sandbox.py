"""Thinking is allowed where the box runs: asked and answered under the filters of its unit."""

import json
import subprocess
import sys
from pathlib import Path

from companion.odds.asking import answer
from companion.rules import game

ROOT = Path(__file__).parents[1]
HERE = "german yellow,red | yellow Y.B 5 20 Y.d | red R.B R.B 8 22 | turn yellow"
ASKED = [
    {"ask": "move", "position": HERE, "face": 3, "level": "fox"},
    {"ask": "chances", "position": HERE, "games": 60},
    {"ask": "hint", "position": HERE, "face": 3, "games": 60},
    {"ask": "chances", "position": str(game("cards").start()), "games": 60},
]
ASKS = """
import asyncio, json, sys
from companion.thinking import Thinker

async def ask():
    thinker = Thinker()
    try:
        return [await thinker.ask(one) for one in json.loads(sys.argv[1])]
    finally:
        await thinker.close()

print(json.dumps(asyncio.run(ask())))
"""
FORBIDDEN = """
import mmap, os, socket

def refused(what):
    try:
        what()
    except OSError as why:
        return why.strerror
    return "allowed"

print(refused(lambda: os.nice(1)))
print(refused(lambda: mmap.mmap(-1, 4096, prot=7)))
print(refused(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)))
print(refused(lambda: socket.socket().close()))
"""


def inside(script: str, *given: str) -> str:
    """What a script says under the filters of the unit."""
    command = [sys.executable, "-m", "tests.sandbox", "ludo-companion", sys.executable, "-c"]
    done = subprocess.run(
        [*command, script, *given], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_filters_forbid() -> None:
    assert inside(FORBIDDEN).splitlines() == [
        "Operation not permitted",
        "Operation not permitted",
        "Address family not supported by protocol",
        "allowed",
    ]


def test_the_box_thinks_under_the_filters_of_its_unit() -> None:
    """In a process of its own, with the fast part, and with the same answers."""
    told = json.loads(inside(ASKS, json.dumps(ASKED)))
    assert told == [answer(dict(one)) for one in ASKED]
    assert told[1]["slow"] == ""
