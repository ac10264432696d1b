"""The page's own files, read once and kept ready: compressed, and known by what is in them."""

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from aiohttp import web

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


class File(NamedTuple):
    """One file as it is sent."""

    body: bytes
    packed: bytes
    kind: str
    tag: str


def ready(body: bytes, kind: str) -> File:
    """Some content, ready to be sent many times."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return File(body, gzip.compress(body, 9, mtime=0), kind, tag)


def load(folder: Path = STATIC) -> dict[str, File]:
    """Every file of a folder, by its name."""
    return {
        path.name: ready(path.read_bytes(), TYPES.get(path.suffix) or _guess(path))
        for path in sorted(folder.iterdir())
        if path.is_file()
    }


def edition(files: Mapping[str, File]) -> str:
    """What tells these files from those of another version."""
    known = "".join(f"{name} {file.tag}\n" for name, file in sorted(files.items()))
    return hashlib.sha256(known.encode()).hexdigest()[:20]


def _guess(path: Path) -> str:
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def send(request: web.Request, file: File, status: int = 200) -> web.Response:
    """Answer with a file; a browser that has it already is only told so."""
    headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if status == 200 and request.headers.get("If-None-Match") == file.tag:
        return web.Response(status=304, headers=headers)
    body = file.body
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        body, headers["Content-Encoding"] = file.packed, "gzip"
    headers["Content-Type"] = file.kind
    if file.kind.startswith("text/") or file.kind.endswith("json"):
        headers["Content-Type"] = f"{file.kind}; charset=utf-8"
    return web.Response(body=body, headers=headers, status=status)
