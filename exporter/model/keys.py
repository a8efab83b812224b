"""Keys: hashes that stand for everything something is made from."""

from __future__ import annotations

import hashlib


def stage_key(*parts: str) -> str:
    """Return the hash of some texts, which cannot be confused with that of others."""
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def content_key(data: bytes) -> str:
    """Return the key of a result: the hash of its content."""
    return hashlib.sha256(data).hexdigest()
