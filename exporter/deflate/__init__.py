"""Write deflate and zlib streams that are equal on all machines.

The zlib module only promises that its output can be decompressed: zlib, zlib-ng and the builds of
different platforms choose different matches. An export must give the same bytes everywhere, so the
exporter compresses only with these encoders: `compress` for any bytes, `wrap` with `row_tokens` for
pictures, which may be large and consist of runs, and `compress_rows` for rows in which bytes often
repeat the byte before.
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
