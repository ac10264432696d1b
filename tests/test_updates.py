"""Updates: only a package that is ours and signed gets through, and only by four narrow orders."""

import hashlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion import signatures, updates
from companion.signatures import PART, SIZE, NotGenuineError
from companion.updates import ORDER, UPLOAD, Places, Update, answer, ask, running

HOSTILE = int(os.environ.get("HOSTILE", "200"))
"""How many hostile orders are tried; `make soak` tries ten thousand."""
MACHINE = "arm64"


def new_key(place: Path) -> Path:
    words = ["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(place)]
    subprocess.run(words, check=True, capture_output=True)
    return place


def package(place: Path, name: str = "ludo-companion", machine: str = MACHINE) -> Path:
    """A real package, as small as can be."""
    root = place.parent / f"root-{place.name}"
    (root / "DEBIAN").mkdir(parents=True)
    lines = {"Package": name, "Version": "1.2", "Architecture": machine, "Maintainer": "we <a@b.c>"}
    text = "".join(f"{key}: {value}\n" for key, value in lines.items())
    (root / "DEBIAN/control").write_text(f"{text}Description: a test\n")
    words = ["dpkg-deb", "--root-owner-group", "--build", str(root), str(place)]
    subprocess.run(words, check=True, capture_output=True)
    return place


class Box:
    """The folders of a box, its key, and what was called there."""

    def __init__(self, root: Path) -> None:
        for name in ("run", "state", "answer", "opt/system", "keys", "stick"):
            (root / name).mkdir(parents=True)
        self.places = Places(
            orders=root / "run",
            state=root / "state",
            kept=root / "cache/update.deb",
            answer=root / "answer/answer.json",
            current=root / "opt",
            owners_keys=root / "keys",
        )
        self.key = new_key(root / "key.pem")
        (root / "opt/system/update.pub").write_text(signatures.public_key(self.key))
        self.stick = root / "stick"
        self.called: list[list[str]] = []
        self.fails = ""

    def run(self, words: list[str]) -> str:
        if "--print-architecture" in words:
            return MACHINE
        if words[0] == "dpkg-deb":
            return updates.called(words)
        self.called.append(words)
        if self.fails and self.fails in words:
            raise subprocess.CalledProcessError(1, words)
        return ""

    def sticks(self) -> Iterator[Path]:
        yield self.stick

    def obey(self, owner: int | None = None) -> None:
        mine = os.getuid() if owner is None else owner
        Update(self.places, mine, self.run, self.sticks).obey()

    def told(self, order: str) -> dict[str, str]:
        ask(order, self.places.orders)
        self.obey()
        found = answer(self.places.answer)
        assert found is not None
        return found

    def send(self, data: bytes) -> dict[str, str]:
        (self.places.state / UPLOAD).write_bytes(data)
        return self.told("look file")


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


@pytest.fixture
def signed(box: Box, tmp_path: Path) -> bytes:
    made = package(tmp_path / "signed.deb")
    signatures.sign(made, box.key)
    return made.read_bytes()


def test_a_signed_package_is_looked_at_and_then_installed(box: Box, signed: bytes) -> None:
    told = box.send(signed)
    assert (told["state"], told["version"]) == ("ready", "1.2")
    assert told["digest"] == hashlib.sha256(signed).hexdigest()
    assert box.called == []
    assert not (box.places.state / UPLOAD).exists()
    assert box.told(f"install {told['digest']}") == {"state": "done", "version": "1.2"}
    assert box.called[-1] == ["dpkg", "--install", str(box.places.kept)]


def test_a_signed_package_is_still_a_package(signed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "again.deb"
    path.write_bytes(signed)
    said = subprocess.run(["dpkg-deb", "--info", path], check=True, capture_output=True, text=True)
    assert "Package: ludo-companion" in said.stdout
    subprocess.run(["dpkg-deb", "--extract", path, tmp_path / "out"], check=True)


def test_the_owners_own_key_counts_too(box: Box, signed: bytes) -> None:
    theirs = box.places.current / "system/update.pub"
    (box.places.owners_keys / "mine.pub").write_text(theirs.read_text())
    theirs.unlink()
    assert box.send(signed)["state"] == "ready"


def huge(place: Path) -> None:
    with place.open("wb") as file:
        file.truncate(signatures.LARGEST + 1)


@pytest.mark.parametrize(
    "odd",
    [
        lambda place: place.symlink_to(place.name),
        lambda place: place.symlink_to("/dev/zero"),
        lambda place: place.mkdir(),
        lambda place: os.mkfifo(place),
        huge,
    ],
)
def test_what_lies_beside_a_package_on_a_stick_does_not_hide_it(
    box: Box, signed: bytes, odd: Callable[[Path], object]
) -> None:
    genuine = box.stick / "ludo-companion_1.2_arm64.deb"
    genuine.write_bytes(signed)
    os.utime(genuine, (0, 0))
    odd(box.stick / "ludo-companion_9_arm64.deb")
    assert box.told("look stick")["state"] == "ready"


def test_a_package_on_a_stick_is_found(box: Box, signed: bytes) -> None:
    (box.stick / "ludo-companion_1.2_amd64.deb").write_bytes(b"for another machine")
    (box.stick / "holiday.deb").write_bytes(b"no")
    assert box.told("look stick") == {"state": "fault", "fault": "no_stick"}
    (box.stick / "ludo-companion_1.2_arm64.deb").write_bytes(signed)
    assert box.told("look stick")["state"] == "ready"


def test_the_way_back(box: Box, tmp_path: Path) -> None:
    assert box.told("back")["state"] == "done"
    assert box.called == [[str(box.places.current / "system/install.sh"), "--back"]]
    box.fails = "--back"
    assert box.told("back") == {"state": "fault", "fault": "none_before"}
    link = tmp_path / "link"
    link.symlink_to("versions/0.1.0-1a2b3c4d")
    assert running(link) == "0.1.0"
    assert running(tmp_path / "none") == ""


def with_part(data: bytes, signature: bytes) -> bytes:
    return data[: -len(PART) - SIZE] + PART + signature


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda data: b"", "not_a_package"),
        (lambda data: b"PK\3\4 a zip", "not_a_package"),
        (lambda data: data[: -len(PART) - SIZE], "not_signed"),
        (lambda data: data + b"\0", "not_signed"),
        (lambda data: data[:200] + b"X" + data[201:], "wrong_signature"),
        (lambda data: with_part(data, bytes(SIZE)), "wrong_signature"),
        (lambda data: b"!<arch>\n" + PART + data[-SIZE:], "wrong_signature"),
        (lambda data: data + data[-len(PART) - SIZE :], "wrong_signature"),
    ],
)
def test_a_file_that_is_not_genuine_is_refused_in_a_word(
    box: Box, signed: bytes, spoil: Callable[[bytes], bytes], fault: str
) -> None:
    assert box.send(spoil(signed)) == {"state": "fault", "fault": fault}
    digest = hashlib.sha256(spoil(signed)).hexdigest()
    assert box.told(f"install {digest}")["state"] == "fault"
    assert box.called == []


def test_a_package_of_somebody_else_is_refused(box: Box, tmp_path: Path) -> None:
    made = package(tmp_path / "other.deb")
    signatures.sign(made, new_key(tmp_path / "other.pem"))
    assert box.send(made.read_bytes())["fault"] == "wrong_signature"


@pytest.mark.parametrize(
    ("name", "machine", "fault"),
    [("sudo", MACHINE, "another_package"), ("ludo-companion", "amd64", "another_machine")],
)
def test_what_is_signed_has_to_be_ours_and_for_this_machine(
    box: Box, tmp_path: Path, name: str, machine: str, fault: str
) -> None:
    made = package(tmp_path / "wrong.deb", name, machine)
    signatures.sign(made, box.key)
    assert box.send(made.read_bytes()) == {"state": "fault", "fault": fault}


def test_without_a_key_nothing_is_believed(box: Box, signed: bytes) -> None:
    (box.places.current / "system/update.pub").unlink()
    assert box.send(signed) == {"state": "fault", "fault": "no_key"}


def test_another_package_than_the_one_looked_at_is_not_installed(box: Box, signed: bytes) -> None:
    box.send(signed)
    assert box.told(f"install {'0' * 64}") == {"state": "fault", "fault": "changed"}
    assert box.called == []


def test_what_dpkg_refuses_is_said(box: Box, signed: bytes) -> None:
    digest = box.send(signed)["digest"]
    box.fails = "--install"
    assert box.told(f"install {digest}") == {"state": "fault", "fault": "not_installed"}


def test_a_file_far_too_large_is_not_read(box: Box) -> None:
    with (box.places.state / UPLOAD).open("wb") as file:
        file.truncate(signatures.LARGEST + 1)
    assert box.told("look file") == {"state": "fault", "fault": "too_large"}
    assert not box.places.kept.exists()


Trick = Callable[[Path, Path], object]


@pytest.mark.parametrize(
    "trick",
    [
        lambda place, genuine: place.symlink_to(genuine),
        lambda place, genuine: place.symlink_to("/dev/zero"),
        lambda place, genuine: os.link(genuine, place),
        lambda place, genuine: os.mkfifo(place),
        lambda place, genuine: place.mkdir(),
    ],
)
def test_only_a_file_of_the_services_own_is_taken(
    box: Box, signed: bytes, tmp_path: Path, trick: Trick
) -> None:
    """Whatever a link leads to, the service could not have read it."""
    genuine = tmp_path / "genuine.deb"
    genuine.write_bytes(signed)
    trick(box.places.state / UPLOAD, genuine)
    assert box.told("look file") == {"state": "fault", "fault": "no_file"}
    assert not box.places.kept.exists()


def test_an_order_of_somebody_else_is_not_obeyed(box: Box, signed: bytes) -> None:
    digest = box.send(signed)["digest"]
    ask(f"install {digest}", box.places.orders)
    box.obey(owner=os.getuid() + 1)
    assert box.called == []


def hostile(random: Random, digest: str) -> bytes:
    """Something near an order, or far from any."""
    kinds: list[Callable[[], bytes]] = [
        lambda: random.randbytes(random.randrange(300)),
        lambda: f"install {digest}; reboot".encode(),
        lambda: f"install ../../{digest}"[:71].encode(),
        lambda: f"install {digest.upper()}".encode(),
        lambda: random.choice(["back\n", "back back", "BACK", "look", "look /etc", ""]).encode(),
        lambda: f"look {'stick ' * random.randrange(2, 9)}".encode(),
        lambda: f"install {random.randbytes(32).hex()}".encode(),
        lambda: b"install " + random.randbytes(64),
        lambda: b"\0look file",
    ]
    return random.choice(kinds)()


def test_of_hostile_orders_none_calls_anything(box: Box, signed: bytes) -> None:
    """A genuine package lies there all the time, and is never installed by what is no order."""
    random = Random(20)
    digest = box.send(signed)["digest"]
    for _ in range(HOSTILE):
        (box.places.orders / ORDER).write_bytes(hostile(random, digest))
        box.obey()
        told = json.loads(box.places.answer.read_text())
        assert told["state"] == "fault", told
        assert list(box.places.orders.iterdir()) == []
    assert box.called == []
    assert box.told(f"install {digest}")["state"] == "done"


def test_hostile_files_are_never_ready(box: Box, signed: bytes, tmp_path: Path) -> None:
    """A bit here and there of a genuine package is another."""
    random, path = Random(21), tmp_path / "spoiled.deb"
    for _ in range(HOSTILE // 20):
        data = bytearray(signed)
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        path.write_bytes(data)
        with pytest.raises(NotGenuineError):
            signatures.check(path, box.places.keys)
