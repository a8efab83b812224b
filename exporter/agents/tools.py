"""Implement the tools for agents; each returns small JSON data or a PNG.

The tools run in the process of `worker`, and do the same as commands of the command line. `level`
is the name of a level, `text` the text of a spec; a call gives one of the two and leaves the other
empty. `seed` is the seed to build with; None for the seed in the spec.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.agents.answers import (
    MAXIMUM_PICTURE,
    MAXIMUM_TEXT,
    Answer,
    RefusedCallError,
    level_data,
    objects_data,
    problems_data,
    size_of,
)
from exporter.agents.fixes import nearest_seed
from exporter.agents.specs import Spec, Specs
from exporter.model.errors import SpecError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.build.build import Build
    from exporter.measures.maps import OverlayMap
    from exporter.model.level import Layer, Level, Tile
    from exporter.reading.level_spec import LevelSpec

_LEAST_CELL, _MOST_CELL = 6, 16
_LONGEST_SIDE = 1536
_MAXIMUM_COUNT = 50
_MAXIMUM_BUDGET = 20_000


class Tools:
    """The tools of the MCP server, for the project in `root`.

    `read_only` lets them refuse to write specs and outputs.
    """

    def __init__(self, root: Path, *, read_only: bool = False) -> None:
        self._specs = Specs(root)
        self._read_only = read_only

    def list_levels(self) -> Answer:
        """Return the project's levels with their spec files, and its targets."""
        project = self._specs.project
        return {
            "project": project.root.name,
            "levels": self._specs.paths(),
            "targets": {target.name: target.engine for target in project.targets},
            "read_only": self._read_only,
        }

    def read_spec(self, level: str) -> Answer:
        """Return a level's spec, and the digest that a write must repeat."""
        spec = self._specs.named(level)
        answer = spec.answer()
        if size_of(answer) > MAXIMUM_TEXT:
            # An agent that has seen only a part of a text must not replace all of it.
            raise RefusedCallError(
                f"the spec has {len(spec.content)} bytes, which is too large for an answer (open "
                f"{spec.path.relative_to(self._specs.root).as_posix()} instead)"
            )
        return answer

    def describe_schema(self, topic: str) -> Answer:
        """Return the allowed keys of a section of specs, with an example.

        `topic` is a section (`objects`), a generator, a mapping (`Step`), or a list of names:
        `topics`, `generators`, `measures`, `overlays`.
        """
        from exporter.agents.topics import describe

        return describe(topic)

    def check_spec(self, level: str = "", text: str = "") -> Answer:
        """Check the spec of `level`, or the spec `text`, and return its problems.

        The answer also has the number of requested and of placed objects.
        """
        return self._check(self._specs.given(level, text))

    def _check(self, spec: Spec) -> Answer:
        from exporter.export.checking import check_spec

        checked = check_spec(spec.path, project=self._specs.project, content=spec.content)
        answer: Answer = {
            "ok": not checked.problems,
            "problems": problems_data(checked.problems),
            "warnings": problems_data(checked.warnings),
        }
        if checked.traceback:
            raise RefusedCallError("the exporter has a bug here: report this spec")
        if not checked.problems:
            answer["objects"] = checked.objects
            if any(count["placed"] < count["asked"] for count in checked.objects.values()):
                answer["refusals"] = self._refusals(spec)
        return answer

    def preview_level(
        self,
        level: str = "",
        text: str = "",
        seed: int | None = None,
        overlay: str = "",
        ascii: bool = False,
    ) -> Answer:
        """Return a picture of `level`, or of the spec `text`, with a legend.

        `overlay` is the overlay to draw, `NAME` or `NAME:ARGUMENT`; empty for none. `seed` is None
        for the spec's own seed. `ascii` returns the cells as characters instead of a picture.
        """
        from exporter.build.observed import compute_overlay
        from exporter.measures.drawing import draw_overlay, legend, overlay_text

        build, level_built, problems = self._built_anyway(self._specs.given(level, text), seed)
        result: OverlayMap | None = compute_overlay(overlay, build) if overlay else None
        words = [line for _, line, _ in legend(result)] if result is not None else []
        answer = {**level_data(level_built), "legend": words, **problems}
        if ascii and result is not None:
            answer["cells"] = overlay_text(result, level_built.walkable())
            answer["legend"] = [f"{sign}  {line}" for sign, line, _ in legend(result)]
        elif ascii:
            answer["cells"], answer["legend"] = _characters(level_built)
        if ascii:
            return answer
        from exporter.formats.preview import object_legend, preview_pixels

        answer["objects"] = objects_data(build.object_counts())
        longest = max(level_built.width, level_built.height)
        cell = max(min(_LONGEST_SIDE // longest, _MOST_CELL), _LEAST_CELL)
        for scale in range(cell, _LEAST_CELL - 1, -1):
            picture, scale = preview_pixels(level_built, scale=scale)
            if result is not None:
                draw_overlay(picture, scale, result, (0, 0))
            data = _small_png(picture)
            if len(data) <= MAXIMUM_PICTURE:
                answer["legend"] = [*words, *object_legend(level_built, scale)]
                return {**answer, "picture": data}
        answer["note"] = "the picture would be too large: ask with ascii, or for a smaller level"
        return answer

    def measure_level(self, level: str = "", text: str = "", seed: int | None = None) -> Answer:
        """Return the metrics of `level`, or of the spec `text`, with their units."""
        from exporter.measures.measuring import measure
        from exporter.measures.names import named_metric

        _, level_built, problems = self._built_anyway(self._specs.given(level, text), seed)
        values = measure(level_built)
        units = {name: named_metric(name).metric.unit for name in values}
        return {
            "seed": level_built.seed,
            "measures": {name: round(value, 4) for name, value in values.items()},
            "units": {name: unit for name, unit in units.items() if unit},
            **problems,
        }

    def search_seeds(
        self, level: str = "", text: str = "", where: str = "", count: int = 10, budget: int = 1000
    ) -> Answer:
        """Return seeds for `level`, or for the spec `text`, that meet a condition.

        The condition `where` is over metrics, as in `farthest >= 60`; empty for any level. At most
        `count` seeds are found, and `budget` seeds tried.
        """
        from exporter.explore.find_seeds import find_seeds

        if not 1 <= count <= _MAXIMUM_COUNT or not 1 <= budget <= _MAXIMUM_BUDGET:
            raise RefusedCallError(
                f"`count` or `budget` is too large (allowed: count up to {_MAXIMUM_COUNT}, budget "
                f"up to {_MAXIMUM_BUDGET})"
            )
        spec = self._spec(self._specs.given(level, text), None)
        seeds = find_seeds(spec, count, where, budget=budget, root=self._specs.root)
        answer: Answer = {
            "seeds": [item.seed for item in seeds],
            "metrics": [dict(item.metrics) for item in seeds],
            "tried": seeds.tried,
            "matched": seeds.matched,
            "failed": seeds.failed,
        }
        if seeds.first_failure:
            answer["first_failure"] = seeds.first_failure
        if seeds.nearest is not None:
            answer["nearest"] = {
                "seed": seeds.nearest.level.seed,
                "metrics": dict(seeds.nearest.level.metrics),
            }
        return answer

    def compare_levels(self, a: str, b: str) -> Answer:
        """Return the differences between the levels `a` and `b`.

        Each is given as `NAME` or `NAME@SEED`.
        """
        from exporter.explore.comparison import compare_levels
        from exporter.explore.comparison.documents import difference_document

        difference = compare_levels(self._named_level(a), self._named_level(b))
        return difference_document(difference)

    def write_spec(self, level: str, text: str, digest: str = "", draft: bool = False) -> Answer:
        """Check `text`, the new spec of `level`, and write it.

        `level` may be new. `digest` is the digest of the text to replace; empty for a new level.
        `draft` writes the text even if it has errors.
        """
        if self._read_only:
            raise RefusedCallError(
                "this server cannot write files: it was started with --read-only (start it without)"
            )
        spec = self._specs.draft(self._specs.target(level), text)
        checked = self._check(spec)
        if not checked["ok"] and not draft:
            return {**checked, "refused": "the spec has problems (`draft` writes it nevertheless)"}
        written = self._specs.write(spec, digest)
        file = written.path.relative_to(self._specs.root).as_posix()
        return {"written": file, "digest": written.digest, **checked}

    def export_levels(self, levels: list[str] | None = None) -> Answer:
        """Export the named levels, or all if None, for all targets of the project.

        Only levels whose files are not up to date are built.
        """
        from exporter.export.export import export_project
        from exporter.export.settings import Settings

        if self._read_only:
            raise RefusedCallError(
                "this server cannot write files: it was started with --read-only (start it without)"
            )
        known = self._specs.paths()
        for name in levels or ():
            if name not in known:
                self._specs.named(name)
        # This process is watched already, and may start no other.
        settings = Settings(tuple(levels or ()), 1, max_seconds=None)
        results = export_project(self._specs.root, settings, _Silent())
        return {
            "levels": [
                {
                    "level": result.level,
                    "status": result.status,
                    "files": len(result.outputs),
                    "problems": problems_data(result.problems),
                    "warnings": problems_data(result.warnings),
                    "kept": list(result.preserved),
                }
                for result in results
            ]
        }

    def _spec(self, spec: Spec, seed: int | None) -> LevelSpec:
        from exporter.project.project import display_path
        from exporter.reading.reader import parse_level, read_edits, with_edits

        parsed = parse_level(spec.content, display_path(spec.path), spec.path.parent)
        if spec.path.is_file():
            parsed = with_edits(parsed, read_edits(spec.path))
        return parsed if seed is None else parsed.with_seed(seed)

    def _built(self, spec: Spec, seed: int | None) -> tuple[Build, Level]:
        from exporter.build.build import Build

        build = Build(self._spec(spec, seed), self._specs.root)
        level, _ = build.level()
        return build, level

    def _built_anyway(self, spec: Spec, seed: int | None) -> tuple[Build, Level, Answer]:
        """Build a level, without its requirements if it does not meet them.

        Return the build, the level, and the level's problems as JSON data.

        Raises:
            SpecError: The level cannot be built at all.
        """
        from exporter.build.build import Build
        from exporter.build.trials import candidate_seed

        try:
            return *self._built(spec, seed), {}
        except SpecError as error:
            parsed = self._spec(spec, seed)  # only a spec without faults can be built
            if parsed.search is not None:
                nearest = nearest_seed(error.problems[0].message)
                chosen = nearest if nearest is not None else candidate_seed(parsed.level, 0)
                parsed = parsed.with_seed(chosen)
            try:
                build = Build(parsed.without_demands(), self._specs.root)
                level, _ = build.level()
            except SpecError:
                raise error from None
            return build, level, {"problems": problems_data(error.problems)}

    def _named_level(self, text: str) -> Level:
        """Build the level that `text` names: `NAME`, or `NAME@SEED`."""
        name, at, seed = text.partition("@")
        if at and not seed.isdecimal():
            raise RefusedCallError(f"{text!r} has no number after the @ (write {name}@7)")
        return self._built(self._specs.named(name), int(seed) if at else None)[1]

    def _refusals(self, spec: Spec) -> Answer:
        """Count, by object, the cells that each of its requirements excluded.

        Objects of which all could be placed are left out.
        """
        from exporter.build.observed import observed_group

        build, _ = self._built(spec, None)
        refusals: Answer = {}
        for index, entry in enumerate(build.spec.objects):
            count = build.object_counts().get(entry.name)
            if count is None or count.placed >= count.requested:
                continue
            seen = observed_group(build, index)
            refusals[entry.name] = {
                refusal.what: int(refusal.cells.sum())
                for refusal in seen.refusals
                if refusal.cells.any()
            }
        return refusals


class _Silent:
    """A reporter that ignores events, because the answer has the results."""

    def report(self, event: Any) -> None:
        """Ignore an event of the export."""


def _small_png(picture: NDArray[np.uint8]) -> bytes:
    """Return a picture as a PNG of at most 64 colours, to save bytes."""
    from io import BytesIO

    from PIL import Image

    buffer = BytesIO()
    Image.fromarray(picture).quantize(64).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _characters(level: Level) -> tuple[str, list[str]]:
    """Return a level as text, one character for each cell, and a legend."""
    from exporter.formats.text import preview_text

    # Shadows cover the whole level, and the player sees through them.
    seen = [layer for layer in level.seen_layers() if layer.generator != "shade"]
    layers = seen or level.tile_layers()[-1:]
    if not layers:
        raise RefusedCallError("the level has no tile layer to draw")
    cells, _, words = preview_text(level, _uppermost(layers)).partition("\n\n")
    return cells, words.splitlines()


def _uppermost(layers: Sequence[Layer]) -> Layer:
    """Merge `layers` into one layer with the uppermost tile of each cell."""
    import numpy as np

    numbers: dict[Tile, int] = {}
    cells = np.zeros(layers[0].cells.shape, np.uint16)
    for layer in layers:
        for tile in layer.tiles:
            number = numbers.setdefault(replace(tile, id=0), len(numbers))
            if layer is layers[0] or not tile.empty:
                cells[layer.cells == tile.id] = number
    tiles = tuple(replace(tile, id=number) for tile, number in numbers.items())
    return replace(layers[0], cells=cells, tiles=tiles)
