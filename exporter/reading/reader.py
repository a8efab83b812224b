"""Read a level spec into a checked `LevelSpec`, or report all problems."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from exporter.model.errors import Problem, SpecError
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_EDITS_BYTES, MAXIMUM_PROBLEMS, MAXIMUM_SPEC_BYTES
from exporter.reading.build_order import late_layers
from exporter.reading.level_keys import LevelDocument, SeedSearch
from exporter.reading.level_spec import LevelSpec
from exporter.reading.limit_keys import LevelRequirements
from exporter.reading.metric_limits import plain_part, read_limits, unmet_needs
from exporter.reading.names import edits_file
from exporter.reading.references import Declared, names_of
from exporter.reading.roles import layer_roles
from exporter.reading.section_reader import SectionReader, TooManyProblemsError
from exporter.reading.sections import SECTIONS, broken_references
from exporter.reading.seed_search import search_problems
from exporter.reading.spec_checks import SPEC_CHECKS
from exporter.reading.validation import known_keys, parse_partial
from exporter.reading.yaml_reader import Document, Mark, read_document, settled


def load_level(path: str | Path) -> LevelSpec:
    """Read and check the spec file `path` with the hand edits beside it.

    The file need not be in a project.

    Raises:
        SpecError: The file has errors (contains all of them) or cannot be read.
    """
    path = Path(path)
    try:
        content = read_input(path, MAXIMUM_SPEC_BYTES)
    except OSError as error:
        message = f"cannot be read ({error.strerror or error})"
        raise SpecError([Problem(message, str(path))]) from None
    spec = parse_level(content, str(path), path.parent)
    return with_edits(spec, read_edits(path))


def read_edits(path: Path) -> bytes | None:
    """Return the hand edits of the spec `path` as bytes; None without a file.

    Raises:
        SpecError: The file cannot be read.
    """
    position = path.parent / edits_file(path.name)
    try:
        return read_input(position, MAXIMUM_EDITS_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        message = f"cannot be read ({error.strerror or error})"
        raise SpecError([Problem(message, str(position))]) from None


def with_edits(spec: LevelSpec, content: bytes | None) -> LevelSpec:
    """Return `spec` with the hand edits in `content`, an edits file.

    They replace any earlier edits of the spec. If `content` is None, the spec is returned
    unchanged.

    Raises:
        SpecError: The edits have faults.
    """
    if content is None:
        return spec
    from exporter.reading.edits import parse_edits

    return replace(spec, edits=parse_edits(content, edits_file(spec.document.file)))


def parse_level(content: bytes, file: str, folder: Path | None = None) -> LevelSpec:
    """Parse and check `content`, the YAML or JSON of a level spec.

    Args:
        content: The text as UTF-8.
        file: The file's name for messages; without the key `level`, also the level's name.
        folder: The folder to which file names in the spec are relative.

    Raises:
        SpecError: The spec has errors; contains all of them.
    """
    readable = read_as_far_as_good(content, file, folder)
    if readable.problems or readable.spec is None:
        raise SpecError(readable.problems)
    return readable.spec


@dataclass(frozen=True, slots=True)
class Readable:
    """The valid parts of a level spec, and all its problems.

    Attributes:
        spec: The spec without faulty parts; None if nothing could be read. If there are problems,
            it serves only to find more problems and must not be built.
        problems: Every problem found, in the order of the file.
    """

    spec: LevelSpec | None
    problems: tuple[Problem, ...]


def read_as_far_as_good(content: bytes, file: str, folder: Path | None = None) -> Readable:
    """Read the valid parts of a level spec, and find all its problems.

    Args:
        content: The text as UTF-8.
        file: The file's name for messages; without the key `level`, also the level's name.
        folder: The folder to which file names in the spec are relative.
    """
    try:
        document = read_document(content, file, allow_empty=False)
    except SpecError as error:
        return Readable(None, error.problems)
    return _LevelReader(document, folder).readable()


class _LevelReader:
    """Reads the sections of one spec and checks how they fit together."""

    def __init__(self, document: Document, folder: Path | None) -> None:
        self.document = document
        self.folder = folder
        self.reader = SectionReader(document)

    def readable(self) -> Readable:
        spec = None
        # Ambiguous values count, too: a file of these alone would have endless problems.
        with suppress(TooManyProblemsError):
            spec = self._spec()
        problems = settled(self.document, self.reader.problems)
        return Readable(spec, tuple(problems[:MAXIMUM_PROBLEMS]))

    def _spec(self) -> LevelSpec | None:
        reader, data = self.reader, self.document.data
        if data is None:
            message = "there is no level here (needs size and layers; begin with `size: [64, 40]`)"
            reader.note((), message)
            return None
        given = self._outer_keys(data)
        if given is None:
            return None
        values = {item.name: getattr(given, item.name) for item in fields(LevelDocument)}
        reader.size = given.size if reader.has("size") else None
        for section in SECTIONS:
            values[section.key] = section.read(reader, values[section.key])
        search = given.seed if isinstance(given.seed, SeedSearch) else None
        values["seed"] = 0 if search is not None else given.seed
        limits = read_limits(reader, data.get("require"), LevelRequirements, ("require",))
        spec = LevelSpec(
            **values, document=self.document, folder=self.folder, search=search, limits=limits
        )
        self._check(spec, self._declared(spec))
        return spec

    def _check(self, spec: LevelSpec, declared: Declared) -> None:
        """Add the problems that only show once all sections are read."""
        reader = self.reader
        if spec.search is not None and reader.has("seed"):
            reader.add(*search_problems(spec, declared.objects, sight=declared.sight))
        for path, message in unmet_needs(spec.limits, declared.objects, sight=declared.sight):
            reader.note(("require", *path), message, at_key=True)
        for check in (broken_references, *SPEC_CHECKS):
            for path, message in check(spec, declared):
                reader.note(path, message)

    def _outer_keys(self, data: Any) -> LevelDocument | None:
        """Read the valid top-level keys; None if the file is not a mapping."""
        plain = data
        if isinstance(data, dict) and "require" in data:
            plain = {**data, "require": plain_part(data["require"], LevelRequirements)}
        outer = parse_partial(LevelDocument, plain, self.document, (), {"size": [1, 1]})
        self.reader.omitted += outer.omitted
        misplaced = self._misplaced(data)
        self.reader.add(
            *(item for item in outer.problems if (item.line, item.column) not in misplaced)
        )
        for (line, column), message in misplaced.items():
            if message:
                self.reader.add(self.document.problem_at(Mark(line - 1, column - 1), message))
        if not isinstance(data, dict):
            return None
        assert outer.value is not None, "every key has a default or a stand-in"
        return outer.value

    def _misplaced(self, data: Any) -> dict[tuple[int, int], str]:
        """Return messages about layers written at the left margin, by position.

        Positions are (line, column), from 1. If there are such layers, the position of an empty
        `layers:` has the message "", so that it is not reported.
        """
        if not isinstance(data, dict) or data.get("layers") not in (None, {}):
            return {}
        result = {}
        known = known_keys(LevelDocument, ())
        for key, value in data.items():
            if key not in known and isinstance(value, dict) and "generator" in value:
                problem = self.document.problem((key,), "", at_key=True)
                result[(problem.line, problem.column)] = (
                    f"the layer {key!r} belongs inside `layers:` (indent all its lines by 2 spaces)"
                )
        if result and "layers" in data:
            problem = self.document.problem(("layers",), "")
            result[(problem.line, problem.column)] = ""
            doubt = self.document.doubts.pop(("layers",), None)
            self.document.problems = [item for item in self.document.problems if item is not doubt]
        return result

    def _declared(self, spec: LevelSpec) -> Declared:
        """Return all names in the spec, even those in faulty sections."""
        reader, data = self.reader, self.document.data
        objects = data.get("objects")
        listed = objects if isinstance(objects, list) else []
        names = [item["name"] for item in listed if isinstance(item, dict) and "name" in item]
        layers = reader.entries("layers")
        known = names_of(map(str, names), spec.layers, spec.mission)
        if spec.mission is None and "mission" in data:
            # A mission with faults could place objects of any name.
            known = replace(known, open=True)
        return Declared(
            layers=tuple(layers),
            all_read=len(spec.layers) == len(layers) and data.get("layers", {}) == layers,
            objects=known,
            sight="visibility" in data,
            size=reader.size,
            sizes=reader.sizes,
            late=late_layers(spec.layers),
            roles=layer_roles(spec.layers),
            omitted=reader.omitted,
            object_places=reader.object_places,
            all_objects_read=len(spec.objects) == len(listed),
        )
