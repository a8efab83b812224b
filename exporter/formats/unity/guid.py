"""Compute Unity's guids from paths of files, so that they never change.

Unity stores references between files as these numbers. They follow from the path of the target
folder in the project and the file's name, so a file has the same guid on every machine and in every
export.
"""

from __future__ import annotations

from hashlib import sha256


def unity_guid(position: str, name: str) -> str:
    """Return the guid of the file `name` in a folder: 32 hex digits."""
    return sha256(f"level-exporter unity {position}/{name}".encode()).digest()[:16].hex()
