"""Fixtures of tests that open tabs or pages of a studio; a `conftest.py` imports them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from studio_tabs import CAVE, Studio, make_project


@pytest.fixture(scope="module")
def shared_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Serve one project to all tests of a file."""
    started = Studio(make_project(tmp_path_factory.mktemp("shared") / "project"))
    yield started
    started.end()


@pytest.fixture
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a project with one level: that of `studio` if the test uses it.

    `LEVELS` of a test's module are other levels, the texts of specs by their names.
    """
    levels: dict[str, str] = getattr(request.module, "LEVELS", {"cave": CAVE})
    if not {"studio", "page"} & {*request.fixturenames}:
        return make_project(tmp_path / "project", levels)
    studio: Studio = request.getfixturevalue("shared_studio")
    studio.reset(levels)
    return studio.location


@pytest.fixture
def studio(shared_studio: Studio, project: Path) -> Iterator[Studio]:
    """Return a studio whose project is in its initial state."""
    yield shared_studio
    shared_studio.close_tabs()


@pytest.fixture
def serve() -> Iterator[Callable[..., Studio]]:
    """Return a function that starts studios; they end with the test."""
    started: list[Studio] = []

    def start(path: Path, **options: Any) -> Studio:
        started.append(Studio(path, **options))
        return started[-1]

    yield start
    for item in started:
        item.end()
