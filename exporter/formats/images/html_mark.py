"""Mark HTML pages as the exporter's, to notice when a user edits one.

A comment below the first line has a checksum of all that follows it.
"""

from __future__ import annotations

import hashlib

_START = b"<!doctype html>\n<!-- Level Exporter "
_END = b" -->\n"


def mark_html(body: str) -> bytes:
    """Return `body` as an HTML page with a checksum, to notice user edits.

    `body` is the page without its doctype line. The checksum is in a comment below this line.
    """
    data = body.encode()
    return _START + hashlib.sha256(data).hexdigest().encode() + _END + data


def is_marked_html(data: bytes) -> bool:
    """Return whether page `data` has the exporter's mark and is unedited."""
    mark, _, body = data.removeprefix(_START).partition(_END)
    return data.startswith(_START) and hashlib.sha256(body).hexdigest().encode() == mark
