"""Mark HTML pages as the exporter's, to notice when a user edits one.

A comment below the first line has a checksum of all that follows it.
"""

from __future__ import annotations

import hashlib

_START = b"<!doctype html>\n<!-- Level Exporter "
_END = b" -->\n"


def mark_html(body: str) -> bytes:
    """Return an HTML page from `body`, with the exporter's mark.

    Args:
        body: The page without its first line, the document type.
    """
    data = body.encode()
    return _START + hashlib.sha256(data).hexdigest().encode() + _END + data


def is_marked_html(data: bytes) -> bool:
    """Return whether the page `data` has the exporter's mark, unmodified.

    It has not if anyone edited the page.
    """
    mark, _, body = data.removeprefix(_START).partition(_END)
    return data.startswith(_START) and hashlib.sha256(body).hexdigest().encode() == mark
