"""Mark PNG pictures as the exporter's, to notice when a user edits one.

The last chunks before the end are two texts: the program's name, and a checksum of all other bytes.
Any program that saves the picture again removes or moves the texts, or makes the checksum wrong.
"""

from __future__ import annotations

import hashlib

from exporter.formats.images.png import SIGNATURE, png_chunk

_END = png_chunk(b"IEND", b"")
_SOFTWARE = png_chunk(b"tEXt", b"Software\0Level Exporter")


def mark_png(picture: bytes) -> bytes:
    """Return `picture`, a PNG of `encode_png`, with the exporter's mark.

    Its pixels do not change.
    """
    body = picture.removesuffix(_END) + _SOFTWARE
    return body + _checksum(body + _END) + _END


def is_marked_png(data: bytes) -> bool:
    """Return whether PNG `data` has the exporter's mark and is unedited."""
    length = len(_checksum(b""))
    body, mark, end = data[: -length - len(_END)], data[-length - len(_END) : -len(_END)], _END
    return data.startswith(SIGNATURE) and data.endswith(end) and mark == _checksum(body + end)


def _checksum(rest: bytes) -> bytes:
    """Return a chunk with the checksum of `rest`, the other bytes of the file."""
    digest = hashlib.sha256(rest).hexdigest().encode()
    return png_chunk(b"tEXt", b"SHA-256 of the rest\0" + digest)
