"""Make and read packs: one file with thousands of levels of one spec.

    candidates -> chosen levels -> blobs -> one file (`.lvp`) -> any level, within its own bytes

A candidate is a seed with values of the varied parameters. A blob is the exporter's binary file of
one level.

`plan` checks a request, `making` chooses the levels, and `whole_levels` builds them. `format`
defines the bytes of the file, with `shapes` and `columns` for the data that its levels share.
`pack` reads a file. `exporter/docs/reference/pack-format.md` specifies the format; change both
together.
"""

from __future__ import annotations

from exporter.packs.format import encode_pack
from exporter.packs.pack import Pack, open_pack

__all__ = ["Pack", "encode_pack", "open_pack"]
