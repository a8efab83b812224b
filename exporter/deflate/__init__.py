"""Write deflate and zlib streams that are the same on all machines.

The zlib module only promises that its output can be decompressed: zlib, zlib-ng and the builds
of different platforms choose different matches. An export must give the same bytes everywhere,
so everything here compresses with these encoders: `compress` for any bytes, and `wrap` with
`row_tokens` for pictures, which may be large and in which one distance finds the runs;
`compress_rows` does that for bytes that only ever repeat the byte before.
"""

from __future__ import annotations

from exporter.deflate.general import compress
from exporter.deflate.runs import (
    BLOCK_BYTES,
    Block,
    Tokens,
    coded_bits,
    compress_rows,
    row_tokens,
    wrap,
)

__all__ = [
    "BLOCK_BYTES",
    "Block",
    "Tokens",
    "coded_bits",
    "compress",
    "compress_rows",
    "row_tokens",
    "wrap",
]
