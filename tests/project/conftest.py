"""The schema is made once: nearly every plan of a project has it, and it takes long to make."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from exporter.project import schema_file

built_once = cache(schema_file.level_schema)


@pytest.fixture(autouse=True, scope="module")
def schema_built_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema_file, "level_schema", built_once)
        yield
