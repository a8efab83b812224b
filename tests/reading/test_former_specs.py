"""Specs in former names, with the cells they made then: migrated, they make the same."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from exporter.reading.migration import migrate

GOLDEN = Path(__file__).parent.parent / "golden"
CASES: list[dict[str, Any]] = json.loads((GOLDEN / "former_specs.json").read_text())

specification = importlib.util.spec_from_file_location("former", GOLDEN / "former_specs.py")
assert specification is not None
assert specification.loader is not None
former = importlib.util.module_from_spec(specification)
specification.loader.exec_module(former)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_migrated_spec_makes_the_cells_it_made_before(number: int) -> None:
    case = CASES[number]
    migrated = migrate(case["text"].encode(), "former.level.yaml")
    assert migrated.changes
    text = migrated.content.decode()
    assert former.digests(text) == case["digests"], text
    assert migrate(migrated.content, "former.level.yaml").content == migrated.content
