"""The status files of a project, as engine plugins read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_status(root: Path) -> dict[str, Any]:
    """Return status.json."""
    document: dict[str, Any] = json.loads((root / ".exporter" / "status.json").read_text())
    return document


def read_levels(root: Path) -> list[dict[str, Any]]:
    """Return the status files of all levels, by their specs."""
    texts = [path.read_text() for path in (root / ".exporter" / "levels").glob("*.json")]
    documents: list[dict[str, Any]] = [json.loads(text) for text in texts]
    return sorted(documents, key=lambda document: str(document["spec"]))
