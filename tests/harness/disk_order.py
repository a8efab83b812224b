"""The order in which files reach the disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def note_disk_order(
    monkeypatch: pytest.MonkeyPatch, before_name: Callable[[], None] = lambda: None
) -> list[str]:
    """Return a list that receives each sync, and each file that gets its name."""
    happened: list[str] = []
    real_sync, real_replace = os.fsync, os.replace

    def note_sync(descriptor: int) -> None:
        happened.append("sync")
        real_sync(descriptor)

    def note_replace(source: Any, target: Any, **folders: Any) -> None:
        if Path(target).suffix != ".json":
            before_name()
            happened.append(Path(target).name)
        real_replace(source, target, **folders)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    return happened
