"""Pieces of a table's journal for the house, read from its file by names that last.

Called in a thread: the file is opened, a bounded piece is read, and the file is closed.
"""

from pathlib import Path

import msgspec

from companion.cafe.messages import PIECE, Piece, PieceRecord, Records, Span
from companion.kept_records import KeptRecord, journal_spans, kept_records

MOST = 200
"""Records read at once: a game has a few hundred."""


def piece(path: Path, id: str, order: Records) -> Piece:
    """The piece that was asked for; raises OSError or sqlite3.Error."""
    spans = [
        Span(journal=one.journal, first=one.first, last=one.last)
        for one in journal_spans(path)[-256:]
    ]
    found: list[PieceRecord] = []
    if order.journal:
        room = PIECE
        for kept in kept_records(path, order.journal, order.after, MOST):
            record = _record(kept)
            room -= len(msgspec.json.encode(record))
            if room < 0 and found:
                break
            found.append(record)
    return Piece(id=id, journal=order.journal, after=order.after, records=found, spans=spans)


def _record(kept: KeptRecord) -> PieceRecord:
    return PieceRecord(
        number=kept.name.number,
        at=kept.at,
        record=kept.record,
        first=None if kept.first_name == kept.name else kept.first_name,
        game=kept.game,
    )
