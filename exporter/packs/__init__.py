"""Packs: thousands of levels of one spec in one file.

    candidates -> chosen levels -> blobs -> one file (`.lvp`) -> any level, within its own bytes

`making` chooses the levels and `whole_levels` builds them; `format` knows the bytes of the file,
`shapes` and `columns` what its levels share, and `pack` reads it.
`exporter/docs/reference/pack-format.md` specifies the format; change both together.
"""

from __future__ import annotations

from exporter.packs.format import encode_pack
from exporter.packs.pack import Pack, open_pack

__all__ = ["Pack", "encode_pack", "open_pack"]
