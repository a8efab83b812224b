"""Folders that engines read: templates, test programs and the shared blobs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "templates"
ADDON = TEMPLATES / "godot" / "addons" / "level_exporter"
# Unity's package, and its part that works without Unity.
PACKAGE = TEMPLATES / "unity" / "com.levelexporter.unity"
CORE = sorted((PACKAGE / "Runtime" / "Core").rglob("*.cs"))
JAVASCRIPT_READER = TEMPLATES / "javascript" / "level-blob.js"
CSHARP = ROOT / "tests" / "engines" / "csharp"
JAVASCRIPT = ROOT / "tests" / "engines" / "javascript"
VECTORS = ROOT / "tests" / "vectors"


def vector_manifest() -> dict[str, Any]:
    """Return the manifest of the shared blobs."""
    manifest: dict[str, Any] = json.loads((VECTORS / "manifest.json").read_text(encoding="utf-8"))
    return manifest


def copy_addon(game: Path) -> None:
    """Put the addon into a Godot project."""
    shutil.copytree(ADDON, game / "addons" / "level_exporter")
