"""What goes over the line, where it goes, and who may say it."""

import contextlib
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.cafe import broker, messages, topics
from companion.pages.mqtt import NAME, mqtt_page

ROOT = Path(__file__).parents[2]
EXAMPLES: list[messages.Message] = [
    messages.About(birth="b", box="x", label="Fenster", sheets=["german"]),
    messages.Here(birth="b", here=False),
    messages.Pulse(birth="b", number=1, at=1.5, journal="j", last=3),
    messages.Now(birth="b", at=1.0, phase="roll", pieces={"red": ["R.B1", "3"]}, done={"red": 0.5}),
    messages.Help(birth="b", at=1.0, needs=[messages.Need(kind="call", since=0.5)]),
    messages.Called(birth="b", at=1.0),
    messages.Kept(journal="j", number=1, at=1.0, record={"kind": "roll", "face": 3}),
    messages.Ask(id="1", order=messages.NewGame(sheet="german")),
    messages.Answer(id="1", state="done"),
    messages.TurnedAway(box="x", name="table-2"),
    messages.Probe(word="w"),
    messages.Piece(id="1", records=[messages.PieceRecord(number=1, at=0.0, record=None)]),
]


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda one: type(one).__name__)
def test_a_message_comes_back_as_it_was(message: messages.Message) -> None:
    assert messages.decode(messages.encode(message), type(message)) == message


def test_there_is_an_example_of_what_each_topic_carries() -> None:
    assert {topic.carries for topic in topics.TOPICS} == {type(one) for one in EXAMPLES}


def test_a_later_version_is_said_and_not_guessed() -> None:
    with pytest.raises(messages.LaterVersionError, match="Here of version 2"):
        messages.decode(b'{"v":2,"present":"yes"}', messages.Here)


def test_fields_that_are_merely_new_are_left_out() -> None:
    found = messages.decode(b'{"v":1,"birth":"b","here":true,"mood":"good"}', messages.Here)
    assert found == messages.Here(birth="b", here=True)


def test_what_is_too_long_or_no_message_is_malformed() -> None:
    huge = b'{"birth":"b","here":true,"x":"' + b"x" * messages.LARGEST + b'"}'
    deep = b'{"birth":' + b"[" * 5000 + b"]" * 5000 + b"}"
    for payload in (b"", b"null", b"[]", b"{", b"\xff\xfe", huge, deep, b'{"birth":7,"here":true}'):
        with pytest.raises(messages.MalformedError):
            messages.decode(payload, messages.Here)


@pytest.mark.parametrize(
    "told",
    [
        {"page": "javascript:alert(1)"},
        {"page": "http://here/\nx"},
        {"forgotten": [["salt", "0" * 40]]},
        {"forgotten": [["0" * 16, "é" * 40]]},
        {"forgotten": [["0" * 16, "0" * 40 + "\n"]]},
    ],
)
def test_what_a_table_says_of_itself_is_a_link_and_marks_and_nothing_else(told: Any) -> None:
    payload = msgspec.json.encode({"birth": "b", "box": "x", **told})
    with pytest.raises(messages.MalformedError):
        messages.decode(payload, messages.About)


def test_any_bytes_are_read_or_refused_and_nothing_else() -> None:
    chance = random.Random(19)
    good = [(type(one), messages.encode(one)) for one in EXAMPLES]
    for _ in range(5000):
        kind, payload = chance.choice(good)
        broken = bytearray(payload)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(broken))
            broken[at : at + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
            if not broken:
                break
        with contextlib.suppress(messages.MalformedError, messages.LaterVersionError):
            messages.encode(messages.decode(bytes(broken), kind))


def test_the_page_of_topics_is_what_the_code_says() -> None:
    page = (ROOT / "docs" / NAME).read_text(encoding="utf-8")
    assert page == mqtt_page(), "write it again: make docs"


@pytest.mark.parametrize("name", ["table-1", "a", "9", "fenster-links-2"])
def test_names_that_tables_may_have(name: str) -> None:
    assert topics.is_name(name)
    assert topics.parse(topics.NOW.of(name)) == (topics.NOW, name)


@pytest.mark.parametrize(
    "name", ["", "house", "Table", "-1", "a/b", "+", "#", "%u", "a" * 33, "ü", "a b"]
)
def test_names_that_they_may_not(name: str) -> None:
    assert not topics.is_name(name)
    with pytest.raises(topics.NoTopicError):
        topics.parse(topics.NOW.of(name))


def test_a_password_file_holds_no_password(tmp_path: Path) -> None:
    password = broker.new_password()
    broker.let_in(tmp_path, "table-1", password)
    broker.let_in(tmp_path, "table-2", "other")
    text = (tmp_path / broker.PASSWORDS).read_text()
    assert password not in text
    assert sorted(broker.read_passwords(tmp_path)) == ["table-1", "table-2"]
    assert broker.keep_out(tmp_path, "table-1")
    assert not broker.keep_out(tmp_path, "table-1")
    assert sorted(broker.read_passwords(tmp_path)) == ["table-2"]
    assert (tmp_path / broker.PASSWORDS).stat().st_mode & 0o007 == 0


def every_field(kind: Any) -> set[str]:
    return {field.name for field in msgspec.structs.fields(kind)}


def test_every_message_has_its_version() -> None:
    assert all("v" in every_field(topic.carries) for topic in topics.TOPICS)
