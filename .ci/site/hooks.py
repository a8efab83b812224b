"""Extend MkDocs by this repository's generated pages and links.

The pages are written for readers of the repository. Here links to the README and similar files
become links to their pages on the site, lists are indented for Python-Markdown, and the pages of
generators and of the Python interface are made from the package and every installed extension.
"""

from __future__ import annotations

import inspect
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
DOCS = "exporter/docs"
# Files elsewhere in the repository that are pages of the site, and their names there.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "LICENSE": "license.txt",
    "sample_project/README.md": "sample-project.md",
}
GENERATORS = "reference/generators"
# One page in the repository; the site has a page for each generator instead.
ALL_GENERATORS = "reference/spec/generators.md"
SPEEDS = f"{DOCS}/reference/generator-speed.md"
_LINK = re.compile(r"(?<=\]\()(?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?(?=\))")
_ITEM = re.compile(r"(?:[-*]|\d+\.) +(?=\S)")
_FENCE = re.compile(r" *(```|~~~)")
_SPEED = re.compile(r"\| `(\w+)` \| ([^|]+) \| ([^|]+) \|")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the page of every generator below the list of generators."""
    config.nav = with_generators(config.nav or [], generator_names())
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, some in place of a file."""
    from mkdocs.structure.files import File

    replaced = files.get_file_from_path(ALL_GENERATORS)
    if replaced is not None:
        files.remove(replaced)
    for path, content in built_pages().items():
        written = files.get_file_from_path(path)
        if written is not None:
            files.remove(written)
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Change a page from how the repository shows it to how the site does."""
    return for_site(markdown, page.file.src_uri)


def with_generators(nav: Any, names: list[str]) -> Any:
    """Return the navigation with the page of each generator below their list."""
    if nav == [f"{GENERATORS}/index.md"]:
        return nav + [f"{GENERATORS}/{name}.md" for name in names]
    if isinstance(nav, dict):
        return {title: with_generators(entry, names) for title, entry in nav.items()}
    return [with_generators(entry, names) for entry in nav] if isinstance(nav, list) else nav


def generator_names() -> list[str]:
    """Return all generators' names, also from installed extensions."""
    from exporter.generators import GENERATORS as REGISTRY

    return list(REGISTRY.names())


def built_pages() -> dict[str, str | bytes]:
    """Return every page and picture that is not a file in the folder of pages.

    The reference is one: it also has installed extensions.
    """
    from exporter.project.reference.page import reference_pages

    result: dict[str, str | bytes] = {
        site: (ROOT / source).read_text(encoding="utf-8") for source, site in PAGES.items()
    }
    for name, text in reference_pages(extensions=True).items():
        result[f"reference/spec/{name}"] = text
    del result[ALL_GENERATORS]
    result.update(generator_pages(speeds((ROOT / SPEEDS).read_text(encoding="utf-8"))))
    result.update(interface_pages())
    return result


def generator_pages(times: Mapping[str, str]) -> dict[str, str | bytes]:
    """Return the list of generators, their pages and pictures."""
    from exporter.project.reference.generator_pages import generator_index, generator_page

    pages = [generator_page(name, times) for name in generator_names()]
    result: dict[str, str | bytes] = {f"{GENERATORS}/index.md": generator_index(pages)}
    for page in pages:
        result[f"{GENERATORS}/{page.name}.md"] = page.text
        if page.picture is not None:
            result[f"{GENERATORS}/{page.name}.png"] = page.picture
    return result


def interface_pages() -> dict[str, str | bytes]:
    """Return the Python interface's pages, filled by mkdocstrings."""
    import exporter
    from exporter import extend

    names = {name for name in exporter.__all__ if name not in ("__version__", "extend")}
    more = sorted(set(extend.__all__) - names)
    shared = ", ".join(f"`{name}`" for name in sorted(names & set(extend.__all__)))
    return {
        "reference/python.md": "# Python interface\n\n"
        "`import exporter` has these names. Names elsewhere in the package may change.\n\n"
        + _documented(exporter, sorted(names)),
        "reference/python-extend.md": "# Python interface for extensions\n\n"
        "`exporter.extend` has these names; [Extending](../how-to/extending.md) uses them. "
        f"{shared} are the same as in [`exporter`](python.md).\n\n" + _documented(extend, more),
    }


def speeds(page: str) -> dict[str, str]:
    """Return each generator's time, from the page with the table of times."""
    rows = _SPEED.finditer(page)
    return {row[1]: f"{row[2].strip()} cells takes {row[3].strip()}" for row in rows}


def for_site(markdown: str, site: str) -> str:
    """Return a page of the repository as the site has it."""
    return with_lists(with_links(markdown, site))


def with_links(markdown: str, site: str) -> str:
    """Return a page with the links as they lead on the site.

    Links outside the site stay unchanged: MkDocs then refuses the page.
    """
    source = next((item for item, page in PAGES.items() if page == site), f"{DOCS}/{site}")

    def link(result: re.Match[str]) -> str:
        path = result["path"]
        if "://" in path:
            return result[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        page = PAGES.get(target)
        if page is None and target.startswith(f"{DOCS}/"):
            page = target.removeprefix(f"{DOCS}/")
        if page is None:
            return result[0]
        anchor = result["anchor"] or ""
        if page == ALL_GENERATORS:
            page, anchor = f"{GENERATORS}/{anchor[1:] or 'index'}.md", ""
        return posixpath.relpath(page, posixpath.dirname(site) or ".") + anchor

    return _LINK.sub(link, markdown)


def with_lists(markdown: str) -> str:
    """Return a page whose lists Python-Markdown sees as code hosts do.

    Python-Markdown needs an empty line above a list, and four spaces inside an item.
    """
    return "\n".join(_indented(markdown.split("\n")))


def _indented(lines: list[str]) -> Iterator[str]:
    """Yield the lines with the indentation of four spaces an item.

    `items` holds, for each item that is open, the indentation of its content here and there.
    """
    items: list[tuple[int, int]] = []
    fenced, above, follows = False, "", False  # whether the line above is of an item's first lines
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            yield ""
            above, follows = "", False
            continue
        while items and not fenced and indent < items[-1][0]:
            items.pop()
        here, there = items[-1] if items else (0, 0)
        extra = max(0, indent - here)
        item = None if fenced or extra > 3 else _ITEM.match(line.lstrip(" "))
        if item is not None:
            if above and not follows:
                yield ""
            items.append((indent + len(item[0]), there + 4))
            follows, extra = True, 0
        elif not items:
            follows = False
        if not fenced and item is None and extra < 4 and _FENCE.match(line):
            fenced = True
        elif fenced and _FENCE.match(line):
            fenced = False
        above = line
        yield " " * (there + extra) + line.lstrip(" ")


def _documented(module: ModuleType, names: list[str]) -> str:
    """Return a module page's body: functions and classes, then constants."""
    values = {name: getattr(module, name) for name in names}
    documented = [name for name, item in values.items() if _has_docstring(item)]
    others = ", ".join(f"`{name}`" for name in values if name not in documented)
    body = "\n".join(f"::: {module.__name__}.{name}\n" for name in documented)
    return f"{body}\n## Types and constants\n\n{others}.\n" if others else body


def _has_docstring(value: object) -> bool:
    return inspect.isroutine(value) or inspect.isclass(value)
