"""A project, and studios of it that really serve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from studio_tabs import Studio, make_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one level."""
    return make_project(tmp_path)


@pytest.fixture
def serve() -> Iterator[Callable[..., Studio]]:
    """Starts studios, and ends them."""
    started: list[Studio] = []

    def start(place: Path, *options: str) -> Studio:
        started.append(Studio(place, *options))
        return started[-1]

    yield start
    for one in started:
        one.end()


@pytest.fixture
def studio(project: Path, serve: Callable[..., Studio]) -> Studio:
    """A studio of the project."""
    return serve(project)
