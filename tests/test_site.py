"""The site: every page has its place, every generator a page, and links lead where they should."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import check
import hooks
from cases import each_case
from doctest_fences import with_fences
from exporter.generators import GENERATORS
from exporter.project.reference.examples import FROM_FILES, example_spec
from exporter.project.reference.generator_pages import (
    GeneratorPage,
    generator_index,
    generator_page,
)

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "exporter" / "docs"


class _Loader(yaml.SafeLoader):
    """Reads the tags that MkDocs knows, as nothing."""


_LOADER: Any = _Loader
_LOADER.add_multi_constructor("", lambda loader, suffix, node: None)


def configuration() -> dict[str, Any]:
    text = (ROOT / ".ci" / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.load(text, _LOADER)
    return loaded


def pages_of(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, list):
        for entry in nav:
            yield from pages_of(entry)
    elif isinstance(nav, dict):
        for entry in nav.values():
            yield from pages_of(entry)


@pytest.fixture(scope="module")
def pages() -> dict[str, GeneratorPage]:
    return {name: generator_page(name, {}) for name in GENERATORS.built_in()}


def test_every_page_lies_in_the_navigation_once() -> None:
    listed = list(pages_of(configuration()["nav"]))
    written = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    result = {name for name in hooks.PAGES.values() if name.endswith(".md")}
    result |= {"reference/python.md", "reference/python-extend.md", f"{hooks.GENERATORS}/index.md"}
    assert len(listed) == len(set(listed))
    assert set(listed) == (written | result) - {hooks.ALL_GENERATORS}


def test_warnings_are_errors_and_nothing_is_fetched() -> None:
    settings = configuration()
    assert settings["strict"] is True
    assert settings["theme"]["font"] is False
    assert set(settings["validation"].values()) == {"warn"}
    assert "extra_javascript" not in settings
    assert "extra_css" not in settings


def test_every_generator_lies_below_the_list_of_generators() -> None:
    nav = configuration()["nav"]
    added = hooks.with_generators(nav, hooks.generator_names())
    new = set(pages_of(added)) - set(pages_of(nav))
    assert new == {f"reference/generators/{name}.md" for name in GENERATORS.names()}


def test_every_generator_has_a_page_with_its_picture_and_parameters(
    pages: dict[str, GeneratorPage],
) -> None:
    for name, page in pages.items():
        assert page.text.startswith(f"# `{name}`\n")
        assert "| key | allowed | default | what it does |" in page.text
        assert "## How it is made" in page.text
        assert (page.picture is None) == (name in FROM_FILES), name
        if page.picture is not None:
            assert page.picture.startswith(b"\x89PNG")
            assert f"]({name}.png)" in page.text
            assert "## The level in the picture" in page.text


def test_a_page_is_the_same_each_time(pages: dict[str, GeneratorPage]) -> None:
    assert generator_page("voronoi", {}) == pages["voronoi"]


def test_pages_lead_to_other_pages_from_their_folder(pages: dict[str, GeneratorPage]) -> None:
    for page in pages.values():
        for target in re.findall(r"\]\(([^)#\s]+\.md)", page.text):
            assert (DOCS / hooks.GENERATORS / target).resolve().is_file(), target


def test_the_list_of_generators_shows_each_with_its_picture(
    pages: dict[str, GeneratorPage],
) -> None:
    rows = [row for row in generator_index(pages.values()).splitlines() if row.startswith("| [")]
    assert len(rows) == len(pages)
    for row, (name, page) in zip(rows, pages.items(), strict=True):
        assert f"[`{name}`]({name}.md)" in row
        assert (f"({name}.png)" in row) == (page.picture is not None)


def test_the_table_of_times_has_every_generator_that_has_an_example() -> None:
    times = hooks.speeds((ROOT / hooks.SPEEDS).read_text(encoding="utf-8"))
    with_example = {
        name for name in GENERATORS.built_in() if example_spec(GENERATORS.get(name)) is not None
    }
    assert times.keys() == with_example
    page = generator_page("blank", {"blank": "9 cells takes 1 ms"})
    assert "A map of 9 cells takes 1 ms" in page.text


@each_case(
    ("page", "link", "wanted"),
    [
        ("index.md", "[a](exporter/docs/how-to/godot.md#objects)", "[a](how-to/godot.md#objects)"),
        ("index.md", "![a](exporter/docs/images/x.png)", "![a](images/x.png)"),
        ("index.md", "[a](sample_project/README.md)", "[a](sample-project.md)"),
        ("sample-project.md", "[a](../README.md)", "[a](index.md)"),
        ("reference/promises.md", "[a\n](../../../CHANGELOG.md)", "[a\n](../changelog.md)"),
        ("how-to/cookbook/love.md", "[a](../love.md)", "[a](../love.md)"),
        ("how-to/love.md", "![a](../images/a.png)", "![a](../images/a.png)"),
        # The site has a page for each generator.
        (
            "how-to/love.md",
            "[a](../reference/spec/generators.md#maze)",
            "[a](../reference/generators/maze.md)",
        ),
        ("reference/spec/layers.md", "[a](generators.md)", "[a](../generators/index.md)"),
        ("how-to/godot.md", "[a](#objects) [b](https://example.org/x.md)", None),
        # Files that are no pages are left to MkDocs, which refuses them.
        ("how-to/godot.md", "[a](../../../setup.py)", None),
    ],
)
def test_links_lead_to_pages_of_the_site(page: str, link: str, wanted: str | None) -> None:
    assert hooks.with_links(link, page) == (link if wanted is None else wanted)


@each_case(
    ("text", "wanted"),
    [
        ("text\n- one\n- two", "text\n\n- one\n- two"),
        ("- one\n  more\n- two", "- one\n    more\n- two"),
        ("1. one\n\n       code\n\n2. two", "1. one\n\n        code\n\n2. two"),
        ("- a\n  - b\n\n    c", "- a\n    - b\n\n        c"),
        ("- a\n\n  ```sh\n  - x\n  ```\n\nend", "- a\n\n    ```sh\n    - x\n    ```\n\nend"),
        ("```yaml\nkey:\n- x\n  - y\n```", "```yaml\nkey:\n- x\n  - y\n```"),
        ("text\n\n    code:\n      - x", "text\n\n    code:\n      - x"),
        ("- a\n\nend", "- a\n\nend"),
        ("- a\nend\n- b", "- a\nend\n\n- b"),
        ("1. a\n\n   more\n2. b", "1. a\n\n    more\n\n2. b"),
    ],
)
def test_lists_are_indented_for_python_markdown(text: str, wanted: str) -> None:
    assert hooks.with_lists(text) == wanted


def test_examples_in_docstrings_are_blocks_of_code() -> None:
    text = "Sum.\n\n>>> 1 + 1\n2\n\nArgs:\n    none: x"
    expected = "Sum.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nArgs:\n    none: x"
    assert with_fences(text) == expected


def test_public_names_are_on_the_pages_of_the_python_interface() -> None:
    import exporter
    from exporter import extend

    result = hooks.interface_pages()
    for name in set(exporter.__all__) - {"__version__", "extend"}:
        assert re.search(rf"exporter\.{name}\b|`{name}`", str(result["reference/python.md"])), name
    for name in extend.__all__:
        assert re.search(
            rf"exporter\.extend\.{name}\b|`{name}`", str(result["reference/python-extend.md"])
        )


@each_case(
    ("page", "foreign"),
    [
        ('<script src="https://example.org/a.js"></script>', ["https://example.org/a.js"]),
        ('<link rel="stylesheet" href="//example.org/a.css">', ["//example.org/a.css"]),
        ('<img src="https://example.org/a.png">', ["https://example.org/a.png"]),
        ('<a href="https://example.org">x</a><img src="a.png">', []),
        ('<link rel="canonical" href="https://example.org/a.html">', []),
    ],
)
def test_what_pages_load_from_other_hosts_is_detected(page: str, foreign: list[str]) -> None:
    assert check.foreign_addresses(page) == foreign


def test_a_site_that_loads_anything_from_elsewhere_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text("<p>good</p>")
    assert check.main(tmp_path) == 0
    (tmp_path / "b.css").write_text("p { background: url(https://example.org/a.png) }")
    assert check.main(tmp_path) == 1
    assert capsys.readouterr().out == "b.css loads from another host\n"


def test_the_extra_has_what_the_site_is_built_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[\[<>=]", item)[0] for item in project["optional-dependencies"]["docs"]}
    assert {"mkdocs", "mkdocs-material", "mkdocstrings"} <= names
    assert ".ci/build-site" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
