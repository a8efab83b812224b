"""The problems of a spec."""

from __future__ import annotations

import pytest

from exporter.model.errors import SpecError
from exporter.reading.reader import parse_level


def problems_of(text: str) -> list[str]:
    """Return the problems of a spec that is refused, as `line:column: message`."""
    with pytest.raises(SpecError) as caught:
        parse_level(text.encode(), "x.level.yaml")
    return [
        f"{problem.line}:{problem.column}: {problem.message}" for problem in caught.value.problems
    ]
