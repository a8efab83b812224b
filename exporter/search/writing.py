"""Found levels as specs: the text of the spec they come from, with their seed and parameters."""

from __future__ import annotations

from dataclasses import replace

from exporter.model.errors import ParameterError, SpecError
from exporter.model.parameters import file_names
from exporter.pipeline.foreseen import parts_with_files
from exporter.reading.document import Path as ValuePath
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level
from exporter.reading.text_edits import with_values
from exporter.search.finding import FoundLevel

SUFFIX = ".level.yaml"


def spec_name(spec: LevelSpec, found: FoundLevel) -> str:
    """Return the name of the file of a found level."""
    return f"{spec.level}-{found.seed}{SUFFIX}"


def spec_text(spec: LevelSpec, content: bytes, found: FoundLevel) -> bytes:
    """Return the spec of a found level: comments, order and style of the original stay.

    Args:
        spec: The spec that was searched.
        content: Its bytes.
        found: The level.

    Raises:
        ParameterError: The original is written in a way that cannot be changed in place.
        SpecError: What comes out is no good spec, as when its new name is too long.
    """
    values: dict[ValuePath, object] = {("seed",): found.seed}
    if spec.document.get(("level",)) is not None:
        values[("level",)] = f"{spec.level}-{found.seed}"
    for name, value in found.parameters.items():
        layer, _, parameter = name.partition(".")
        values[("layers", layer, parameter)] = value
    changed = with_values(content, spec.document.file, values)
    if changed is None:
        raise ParameterError(
            "this spec cannot be rewritten in place (write each key on a line of its own, "
            "`key: value`)"
        )
    name = spec_name(spec, found)
    try:
        parse_level(changed, name, spec.folder)
    except SpecError as error:
        first = replace(error.problems[0], file=name)
        raise SpecError([first, *error.problems[1:]]) from None
    return changed


def names_files(spec: LevelSpec) -> str:
    """Return a file that a spec names, so that copies must lie in its folder; empty for none."""
    for _, parameters in parts_with_files(spec):
        for name, _ in file_names(parameters):
            return name
    return ""
