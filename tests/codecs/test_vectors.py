"""The shared blobs: they match the manifest, and are still written the same."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cases import each_case
from exporter.blob import read_pack
from exporter.model.errors import BlobError
from scripts import load_script

VECTORS = Path(__file__).parent.parent / "vectors"
MANIFEST = json.loads((VECTORS / "manifest.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    return load_script("vectors/make_vectors.py")


@each_case("entry", MANIFEST["good"])
def test_a_vector_decodes_to_what_the_manifest_says(
    entry: dict[str, Any], maker: ModuleType
) -> None:
    blob = (VECTORS / entry["file"]).read_bytes()
    assert hashlib.sha256(blob).hexdigest() == entry["sha256"]
    levels = [maker.expected(level) for level in read_pack(blob)]
    assert json.loads(json.dumps(levels)) == entry["levels"]


@each_case("name", MANIFEST["bad"])
def test_a_bad_vector_is_refused(name: str) -> None:
    with pytest.raises(BlobError):
        read_pack((VECTORS / name).read_bytes())


def test_writing_gives_the_vectors_byte_for_byte(maker: ModuleType) -> None:
    files, _ = maker.build()
    differing = [name for name, blob in files.items() if (VECTORS / name).read_bytes() != blob]
    assert sorted(path.name for path in VECTORS.glob("*.lv[bp]")) == sorted(files)
    assert differing == []
