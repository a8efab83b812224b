"""Compare a draft with another level, in a builder process.

The differences are those of `exporter diff`. The page also gets the other level, to draw it, and
masks of the changed cells.
"""

from __future__ import annotations

from typing import Any

from exporter.build.build import Build
from exporter.build.costs import check_costs
from exporter.explore.comparison import compare_levels
from exporter.explore.comparison.differences import LevelDifference
from exporter.explore.comparison.documents import difference_document
from exporter.explore.comparison.outputs import outputs_document
from exporter.explore.comparison.picture import changed_cells, layer_masks
from exporter.export.compared_outputs import compared_outputs
from exporter.model.errors import ExporterError
from exporter.model.input_files import read_input
from exporter.project.settings_file import load_project
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level, with_edits
from exporter.studio.building import Memory, build_of
from exporter.studio.cheap_metrics import cheap_metrics
from exporter.studio.common_events import DifferingLine
from exporter.studio.differences import differing_lines
from exporter.studio.display import level_header
from exporter.studio.frames import BinaryMessage
from exporter.studio.generated_level import edit_facts
from exporter.studio.object_legend import build_order, legend_of
from exporter.studio.tasks import BuildTask
from exporter.studio.views import ComparisonView, OtherText, OutputsView

# Longer texts are not compared line by line, which takes the longer the more of them differ.
_MOST_LINES = 4000


def comparison_of_draft(task: BuildTask, view: ComparisonView, memory: Memory) -> bytes:
    """Return the message that compares the draft of `task` with `view.other`.

    Results of earlier builds are read from `memory`.

    Raises:
        ExporterError: One of the two levels cannot be built.
    """
    if view.other is None:
        raise ExporterError(view.problem)
    now_build = build_of(task, memory)
    was_build = _other_build(view.other, task, memory)
    (was, _), (now, _) = was_build.level(), now_build.level()
    metrics = dict.fromkeys(
        str(cheap_metric)
        for build in (now_build, was_build)
        for cheap_metric in cheap_metrics(build.spec)
    )
    levels = compare_levels(was, now, [*metrics])
    frame = BinaryMessage()
    facts = {**task.facts, "seedResult": None, "pinned": False, "problems": []}
    # A name has the colour that it has in the level beside it.
    legend = legend_of(was_build, build_order(now_build))
    own = {**facts, "edits": edit_facts(was_build), "legend": legend}
    header = {
        "event": view.event,
        **task.facts,
        **view.facts,
        "problem": None,
        # Without a project there are no exported files.
        "exported": task.root is not None,
        "other": level_header(frame, was, [], {}, own),
        "difference": _document(levels),
        "changed": frame.array(changed_cells(levels)),
        "masks": {name: frame.array(mask) for name, mask in layer_masks(levels)},
        "lines": _lines(task.content, view.other.content),
        "editLines": _lines(task.edits or b"", view.other.edits or b""),
    }
    return frame.message(header)


def outputs_of_draft(task: BuildTask, view: OutputsView, memory: Memory) -> bytes:
    """Return the message that compares the exported files of two levels.

    These are the draft of `task` and the other level of `view`. Results of earlier builds are read
    from `memory`.

    Raises:
        ExporterError: One of the levels cannot be built or exported.
    """
    comparison = view.comparison
    if comparison.other is None:
        raise ExporterError(comparison.problem)
    if task.root is None:
        raise ExporterError("there is no project, so nothing is exported (see `exporter init`)")
    project = load_project(task.root)
    now = build_of(task, memory)
    was = _other_build(comparison.other, task, memory)
    result = compared_outputs(project, was, now, task.max_seconds)
    header = {
        "event": view.event,
        **task.facts,
        **view.facts,
        "problem": None,
        "targets": len(project.targets),
        "outputs": outputs_document(result),
    }
    return BinaryMessage().message(header)


def _other_build(other: OtherText, task: BuildTask, memory: Memory) -> Build:
    """Return the finished build of the level that the draft is compared with.

    Requirements of that level's spec are not checked, because a comparison may show why the level
    does not meet them.
    """
    spec = with_edits(parse_level(other.content, other.file, other.folder), other.edits)
    if other.seed is not None:
        spec = spec.with_seed(other.seed)
    check_costs(spec, task.max_seconds)
    # Limits decide which seed a search finds.
    result = _build(spec, other, memory)
    build = _build(result.find_seed().without_limits(), other, memory)
    build.level()
    for item in (result, build):
        for key, data in item.stages.unsaved.items():
            memory.save(key, data)
    return build


def _build(spec: LevelSpec, other: OtherText, memory: Memory) -> Build:
    reader = read_input if other.revision is None else other.revision.read
    return Build(spec, other.root, cache=memory, reader=reader)


def _document(result: LevelDifference) -> dict[str, Any]:
    """Return the data of `exporter diff --json`, with fewer table details.

    Of each table's added and removed rows there are only the numbers.
    """
    document = difference_document(result)
    for table in document["tables"]:
        table["added"], table["removed"] = len(table["added"]), len(table["removed"])
    return document


def _lines(mine: bytes, theirs: bytes) -> list[DifferingLine] | None:
    """Return the differing lines of two texts; None if a text is too long."""
    if mine == theirs:
        return []
    if max(mine.count(b"\n"), theirs.count(b"\n")) > _MOST_LINES:
        return None
    return differing_lines(mine, theirs)
