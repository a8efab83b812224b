"""Write found levels as specs that keep the original's text and comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from exporter.build.missing_files import parts_with_files
from exporter.build.trials import MAXIMUM_SEED
from exporter.explore.search import LevelMatch
from exporter.explore.varying import VariedParameter
from exporter.model.errors import ParameterError, SpecError
from exporter.model.parameters import file_names
from exporter.reading.changes import Refused, SetValue
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level
from exporter.reading.spec_changes import changed_spec

SUFFIX = ".level.yaml"


def spec_name(spec: LevelSpec, result: LevelMatch, number: int = 1) -> str:
    """Return the file name for the spec of a found level, with its seed.

    If several found levels have the same seed, those after the first have a `number` from 2, which
    is appended to the seed.
    """
    return _level_name(spec, result.seed, number) + SUFFIX


def spec_text(spec: LevelSpec, content: bytes, result: LevelMatch, number: int = 1) -> bytes:
    """Return the text of the original spec, with a found level's values.

    Args:
        spec: The spec that was searched.
        content: The text of that spec.
        result: The found level, whose seed and parameters replace the original's.
        number: Counts found levels with the same seed, from 1; part of the new name from 2 on.

    Raises:
        ParameterError: The original is written in a way that cannot be changed in place.
        SpecError: The result is not a valid spec, as when its new name is too long.
    """
    changed = _rewrite(spec, content, result, number)
    name = spec_name(spec, result, number)
    try:
        parse_level(changed, name, spec.folder)
    except SpecError as error:
        first = replace(error.problems[0], file=name)
        raise SpecError([first, *error.problems[1:]]) from None
    return changed


def check_rewritable(spec: LevelSpec, content: bytes, varied: Sequence[VariedParameter]) -> None:
    """Check, before a search, that specs of found levels can be written.

    `content` is the text of `spec`, `varied` are the parameters to vary.

    Raises:
        ParameterError: The original is written in a way that cannot be changed in place.
        SpecError: The name of the level would be too long.
    """
    spec_text(spec, content, LevelMatch(MAXIMUM_SEED, {}, {}))
    # These values are only written, not checked: they may not fit each other.
    values = {item.name: item.value(0) for item in varied}
    _rewrite(spec, content, LevelMatch(MAXIMUM_SEED, values, {}), 1)


def _rewrite(spec: LevelSpec, content: bytes, result: LevelMatch, number: int) -> bytes:
    changes = [SetValue(("seed",), result.seed)]
    if spec.document.get(("level",)) is not None:
        changes.append(SetValue(("level",), _level_name(spec, result.seed, number)))
    for name, value in result.parameters.items():
        layer, _, parameter = name.partition(".")
        changes.append(SetValue(("layers", layer, parameter), value))
    changed = changed_spec(content, spec.document.file, changes)
    if isinstance(changed, Refused):
        raise ParameterError(f"this spec cannot be rewritten in place: {changed.reason}")
    return changed.after


def _level_name(spec: LevelSpec, seed: int, number: int) -> str:
    return f"{spec.level}-{seed}" + (f"-{number}" if number > 1 else "")


def names_files(spec: LevelSpec, varied: Sequence[VariedParameter] = ()) -> str:
    """Return the first file that `spec`, or a choice of `varied`, names.

    Return "" if no file is named. Found levels in another folder need copies of these files.
    """
    return next(iter(named_files(spec, varied)), "")


def named_files(spec: LevelSpec, varied: Sequence[VariedParameter] = ()) -> list[str]:
    """Return all files that `spec`, or a choice of `varied`, names."""
    parts = [parameters for _, parameters in parts_with_files(spec)]
    for item in varied:
        before = spec.layers[item.layer].parameters
        parts += [replace(before, **{item.parameter: value}) for value in item.choices]
    return list(dict.fromkeys(name for part in parts for name, _ in file_names(part)))
