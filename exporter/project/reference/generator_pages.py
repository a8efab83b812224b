"""Write a page for each generator: picture, parameters and measures.

Everything is taken from the registry, the parameters' dataclass and the built level, so pages are
never out of date, and a third-party generator gets the same page.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from exporter.build.build import build_level
from exporter.formats.preview import preview_picture
from exporter.generators import GENERATORS, Generator
from exporter.measures.measuring import measure
from exporter.model.errors import ExporterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.project.reference import wording
from exporter.project.reference.examples import DISPLAYED, FROM_FILES, example_spec
from exporter.project.reference.sections import Sections, generator_notes
from exporter.reading.reader import parse_level

# Pixels of a cell in the pictures.
_SCALE = 8
_INDEX_HEADER = """# Generators

A layer's `generator` takes these names. Each page has a picture, the spec of the picture, all
parameters, and the metrics of that level. For a `data` layer the picture shows that layer alone.

| generator | makes | |
|---|---|---|"""


@dataclass(frozen=True, slots=True)
class GeneratorPage:
    """The reference page of a generator.

    Attributes:
        name: The generator's name.
        text: The page as Markdown, which refers to the picture as `<name>.png`.
        picture: The picture of an example as PNG; None if the generator reads files of the user, or
            the example cannot be built or drawn.
    """

    name: str
    text: str
    picture: bytes | None


def generator_index(pages: Iterable[GeneratorPage]) -> str:
    """Return the Markdown page that lists `pages`."""
    rows = [_INDEX_HEADER]
    for page in pages:
        name, origin = page.name, GENERATORS.origin(page.name)
        summary = GENERATORS.get(name).summary.replace("|", "\\|").replace("\n", " ")
        about = f"{summary} From {origin}." if origin else summary
        picture = "" if page.picture is None else f"[![]({name}.png){{ width=120 }}]({name}.md)"
        rows.append(f"| [`{name}`]({name}.md) | {about} | {picture} |")
    return "\n".join(rows) + "\n"


def generator_page(name: str, times: Mapping[str, str]) -> GeneratorPage:
    """Return the page of the built-in or third-party generator `name`.

    `times` says how long each generator takes, as text, by name.

    Raises:
        RegistryError: The generator is unknown or cannot be used.
    """
    entry = GENERATORS.get(name)
    spec = example_spec(entry)
    level = None if spec is None else _built(spec)
    lines = "\n".join(_lines(entry, spec, level, times.get(name, "")))
    return GeneratorPage(name, f"{lines}\n", None if level is None else _picture(level))


def _built(spec: str) -> Level | None:
    """Build the example `spec`; None if a third-party generator fails."""
    try:
        return build_level(parse_level(spec.encode(), "example.level.yaml"))
    except ExporterError:
        return None


def _picture(level: Level) -> bytes:
    """Draw an example level, or only its main layer if its role is `data`.

    A whole level is drawn without its `data` layers.
    """
    layer = level.layers[DISPLAYED]
    displayed = replace(level, layers={DISPLAYED: layer}) if layer.role == "data" else level
    return preview_picture(displayed, scale=_SCALE)


def _lines(entry: Generator, spec: str | None, level: Level | None, time: str) -> Iterator[str]:
    origin = GENERATORS.origin(entry.name)
    notes = generator_notes(entry, f"From {origin}." if origin else "")
    yield f"# `{entry.name}`\n"
    yield f"{inspect.getdoc(entry.parameters) or entry.summary}\n"
    if spec is not None and level is not None:
        yield f"![A level of {entry.name}]({entry.name}.png)\n"
        yield f"```yaml\n{spec}```\n"
    elif entry.name in FROM_FILES:
        yield "It reads a file of yours: see [hand-made maps](../../how-to/hand-made-maps.md).\n"
    yield f"{notes}\n"
    if time:
        yield f"A map of {time} ([how it is measured](../generator-speed.md)).\n"
    yield "## Parameters\n"
    yield from Sections().table("Parameters", entry.parameters, 2)
    yield "[Every layer](../spec/layers.md) has more keys.\n"
    if level is not None:
        yield from _figures(level)
    text = _source(entry)
    if text:
        yield f"## How it is made\n\n{text}\n"


def _figures(level: Level) -> Iterator[str]:
    figures = measure(level)
    if not figures:
        return
    yield "## The level in the picture\n"
    yield "| [metric](../metrics.md) | value |"
    yield "|---|---|"
    for name, value in figures.items():
        yield f"| `{name}` | {wording.number(round(value, 3))} |"
    yield ""


def _source(entry: Generator) -> str:
    """Return the docstring of the generator's module, or "".

    It describes the method, and where that was published.
    """
    module = sys.modules.get(entry.parameters.__module__)
    return inspect.getdoc(module) or "" if module is not None else ""
