"""Divide a project's levels into shards: shares of similar size.

A level's shard depends only on its spec's path, so adding or removing levels moves no other level
to another shard.
"""

from __future__ import annotations

import re

from exporter.model.lazy_dataclass import dataclass

# Each shard is a separate process, so more make no sense.
MAXIMUM_SHARDS = 10_000


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `count` shares of a project's levels.

    Attributes:
        number: The number of this share, from 1.
        count: The number of all shares.
    """

    number: int
    count: int

    def has(self, spec: str) -> bool:
        """Return whether the spec at path `spec` belongs to this share."""
        import hashlib  # imported here: only exports of shards need it

        digest = hashlib.sha256(spec.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % self.count == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def parse_shard(text: str) -> Shard:
    """Parse `text`, a shard written as `I/N`.

    Raises:
        ValueError: The text is malformed.
    """
    result = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if not result:
        raise ValueError(f"{text!r} is not of the form I/N (as in 3/16)")
    number, count = int(result[1]), int(result[2])
    if not 1 <= count <= MAXIMUM_SHARDS:
        raise ValueError(
            f"{text!r}: the count of shards is out of range (allowed: 1 to {MAXIMUM_SHARDS})"
        )
    if not 1 <= number <= count:
        raise ValueError(
            f"{text!r}: the number of the shard is out of range (allowed: 1 to {count})"
        )
    return Shard(number, count)
