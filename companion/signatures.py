"""Signed packages: a Debian package with an Ed25519 signature behind it, checked by openssl.

A `.deb` is an archive of which dpkg reads the parts it knows. The signature is one more part at its
end, so that the file stays a package like any other. (lintian judges for Debian's archive, which
takes no such part: it looks at packages before they are signed.) What is signed is the SHA-256 of
everything before that part, in a sentence that is used for nothing else.
"""

import hashlib
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

MAGIC = b"!<arch>\n"
SIZE = 64
PART = f"{'_ludo-sign':<16}{0:<12}{0:<6}{0:<6}{100644:<8}{SIZE:<10}`\n".encode()
"""How the part begins; `ar` has sixty bytes for that."""
LARGEST = 100_000_000  # bytes of a package; ours has a fifth of it


class NotGenuineError(Exception):
    """Why a package is not to be trusted, in a word that the page has a sentence for."""


def sign(package: Path, key: Path) -> None:
    """Put a signature behind a package that has none."""
    data = package.read_bytes()
    assert data.startswith(MAGIC)
    assert PART not in data[-len(PART) - SIZE :]
    with tempfile.TemporaryDirectory() as folder:
        said, signature = Path(folder) / "said", Path(folder) / "signature"
        said.write_bytes(_said(data))
        _openssl("-sign", "-inkey", key, "-in", said, "-out", signature)
        package.write_bytes(data + PART + signature.read_bytes())


def public_key(key: Path) -> str:
    """The public half of a key, which a box needs to check signatures."""
    words = ["openssl", "pkey", "-in", str(key), "-pubout"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def check(package: Path, keys: Iterable[Path]) -> str:
    """The SHA-256 of a package that one of these keys has signed. Raises NotGenuineError."""
    if package.stat().st_size > LARGEST:
        raise NotGenuineError("too_large")
    data = package.read_bytes()
    if not data.startswith(MAGIC):
        raise NotGenuineError("not_a_package")
    keys = [key for key in keys if key.is_file()]
    if not keys:
        raise NotGenuineError("no_key")
    body, part, signature = data[: -len(PART) - SIZE], data[-len(PART) - SIZE : -SIZE], data[-SIZE:]
    if part != PART:
        raise NotGenuineError("not_signed")
    with tempfile.TemporaryDirectory() as folder:
        said, signed = Path(folder) / "said", Path(folder) / "signature"
        said.write_bytes(_said(body))
        signed.write_bytes(signature)
        if not any(_is_right(key, said, signed) for key in keys):
            raise NotGenuineError("wrong_signature")
    return hashlib.sha256(data).hexdigest()


def _said(data: bytes) -> bytes:
    return f"a package of the Ludo companion, sha256 {hashlib.sha256(data).hexdigest()}\n".encode()


def _is_right(key: Path, said: Path, signature: Path) -> bool:
    try:
        _openssl("-verify", "-pubin", "-inkey", key, "-in", said, "-sigfile", signature)
    except subprocess.CalledProcessError:
        return False
    return True


def _openssl(*words: object) -> None:
    command = ["openssl", "pkeyutl", "-rawin", *map(str, words)]
    subprocess.run(command, check=True, capture_output=True)
