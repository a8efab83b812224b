"""Compute Unity guids from paths of files, so that they never change.

The engine keeps references by these numbers. They are made from the target folder's path in the
project and the file's name, so every machine and every export gives a file the same one.
"""

from __future__ import annotations

from hashlib import sha256


def unity_guid(position: str, name: str) -> str:
    """Return the guid of asset `name` in folder `position`: 32 hex digits."""
    return sha256(f"level-exporter unity {position}/{name}".encode()).digest()[:16].hex()
