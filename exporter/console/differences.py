"""Print the differences between two levels, as lines or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from exporter.console.styles import PLAIN, Style, Styles, styled
from exporter.explore.comparison.differences import (
    LayerDifference,
    LevelDifference,
    MetricChange,
    NamedChange,
    NumberedObject,
    ObjectChange,
    SightDifference,
    TableDifference,
)
from exporter.explore.comparison.documents import difference_document
from exporter.explore.comparison.outputs import OutputDifference, outputs_document
from exporter.measures.names import named_metric
from exporter.model.errors import ExporterError, SpecError
from exporter.model.excerpts import cut, for_terminals
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Tile

# Limit of printed entries of a list, unless all are requested.
_SHORT_LIST = 6
# Columns of a value inside a line.
_LONGEST_VALUE = 60
# Decimals of metrics, and of metrics that differ only in decimals.
_DIGITS, _MORE_DIGITS = 4, 8
_MARKS = {"added": "+", "removed": "-", "changed": "~"}


@dataclass(frozen=True, slots=True)
class ComparedLevels:
    """Where the two compared levels, `was` and `now`, come from.

    Attributes:
        was: Label of the first level, for people.
        now: Label of the second level.
        was_commit: Hash of the first level's commit; empty for a file in the working folder.
        now_commit: Hash of the second level's commit; empty for a file in the working folder.
        picture: The picture that was drawn; None without one.
    """

    was: str
    now: str
    was_commit: str = ""
    now_commit: str = ""
    picture: Path | None = None


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line of the report about two levels.

    Attributes:
        text: The text of the line.
        style: Its colour or weight; None for plain text.
        list: The name of the list that the line is an entry of, so that long lists can be
            shortened; empty for other lines.
    """

    text: str
    style: Style | None = None
    list: str = ""


def report_difference(
    difference: LevelDifference,
    sides: ComparedLevels,
    outputs: OutputDifference | ExporterError | None = None,
    *,
    as_json: bool,
    everything: bool = False,
    styles: Styles = PLAIN,
) -> None:
    """Print the differences between two levels.

    Args:
        difference: The differences.
        sides: Where the levels come from.
        outputs: The differences of the files that both levels export; an error if these cannot be
            compared; None to leave them out.
        as_json: Print one JSON document instead of lines; it is never shortened.
        everything: Print whole lists instead of their first entries.
        styles: Which streams show colours.
    """
    if as_json:
        document = difference_document(difference)
        for side in ("was", "now"):
            commit = getattr(sides, f"{side}_commit")
            document[side] = {
                "source": getattr(sides, side),
                **document[side],
                **({"commit": commit} if commit else {}),
            }
        if outputs is not None:
            document["outputs"] = _outputs_document(outputs)
        if sides.picture is not None:
            document["picture"] = str(sides.picture)
        print(json.dumps(document, indent=1))
        return
    for line in difference_lines(difference, sides, outputs, everything=everything):
        text = for_terminals(line.text)
        print(text if line.style is None else styled(text, line.style, styles.output))
    if sides.picture is not None:
        print(sides.picture)


def difference_lines(
    difference: LevelDifference,
    sides: ComparedLevels,
    outputs: OutputDifference | ExporterError | None = None,
    *,
    everything: bool = False,
) -> Iterator[ReportLine]:
    """Yield the lines of the report about two levels, most important first.

    Args:
        difference: The differences.
        sides: Where the levels come from.
        outputs: The differences of the files that both levels export; an error if these cannot be
            compared; None to leave them out.
        everything: Yield whole lists instead of their first entries.
    """
    verdict = "equal" if difference.equal else "different"
    was, now = _side(sides.was, sides.was_commit), _side(sides.now, sides.now_commit)
    yield ReportLine(f"{was} -> {now}: {verdict}", "level")
    lines = chain(_all_lines(difference), _output_lines(outputs))
    if everything:
        yield from lines
        return
    yield from _shorten(list(lines))


def _shorten(lines: Sequence[ReportLine]) -> Iterator[ReportLine]:
    """Yield `lines`, long lists cut, with the number of omitted entries."""
    at = 0
    while at < len(lines):
        name = lines[at].list
        end = at + 1
        while name and end < len(lines) and lines[end].list == name:
            end += 1
        displayed = lines[at:end]
        # A note about one omitted line takes as much space as the line.
        if len(displayed) > _SHORT_LIST + 1:
            yield from displayed[:_SHORT_LIST]
            yield ReportLine(f"    and {len(displayed) - _SHORT_LIST} more (--all)", "quiet")
        else:
            yield from displayed
        at = end


def _side(label: str, commit: str) -> str:
    return f"{label} ({commit[:10]})" if commit else label


def _all_lines(difference: LevelDifference) -> Iterator[ReportLine]:
    was, now = difference.was, difference.now
    for what, item, other in (("level", was.name, now.name), ("seed", was.seed, now.seed)):
        if item != other:
            yield ReportLine(f"{what}: {_text(item)} -> {_text(other)}", "quiet")
    if difference.resized:
        width, height = difference.compared
        yield ReportLine(
            f"size: {was.width} x {was.height} -> {now.width} x {now.height} cells ({width} x "
            f"{height} compared, from the upper left corner)"
        )
    if difference.walkable.opened or difference.walkable.closed:
        changes = difference.walkable
        yield ReportLine(
            f"walkable: {_count(changes.opened, 'cell')} opened, {_count(changes.closed, 'cell')} "
            "closed"
        )
    for name in difference.removed_layers:
        yield ReportLine(f"layer {name}: removed")
    for name in difference.added_layers:
        yield ReportLine(f"layer {name}: added ({now.layers[name].generator})")
    if difference.reordered:
        yield ReportLine("layers: in another order")
    for layer in difference.layers:
        yield from _layer_lines(layer)
    yield from _object_lines(difference)
    if difference.sight is not None:
        yield from _sight_lines(difference.sight)
    for table in difference.tables:
        yield from _table_lines(table)
    for puzzle in difference.puzzles:
        yield ReportLine(f"puzzle {puzzle.name}: {puzzle.kind}")
        yield from _change_lines(puzzle.values, f"puzzle {puzzle.name}")
    if difference.properties:
        yield ReportLine("properties")
        yield from _change_lines(difference.properties, "properties")
    if difference.tileset:
        yield ReportLine("tileset: other pictures are asked for")
    yield from _metric_lines(difference.metrics)


def _layer_lines(layer: LayerDifference) -> Iterator[ReportLine]:
    cells = layer.cells
    if cells is None:
        yield ReportLine(f"layer {layer.name}: of another kind")
    elif cells.changed:
        box = cells.box
        assert box is not None  # there are some
        what = "cells" if layer.kind == "tiles" else "samples"
        yield ReportLine(
            f"layer {layer.name}: {cells.changed:,} of {cells.compared:,} {what} changed "
            f"({_share(cells.share)}), within {box.width} x {box.height} at {box.x},{box.y}"
        )
        wide = max((len(f"{pair.cells:,}") for pair in cells.pairs), default=0)
        for pair in cells.pairs:
            yield ReportLine(
                f"    {pair.cells:>{wide},}  {pair.was} -> {pair.now}", None, layer.name
            )
    else:
        yield ReportLine(f"layer {layer.name}: no cell changed")
    if layer.heights is not None and cells is not None and cells.changed:
        heights = layer.heights
        yield ReportLine(
            f"    {heights.raised:,} raised, {heights.lowered:,} lowered; by "
            f"{heights.mean:.4g} {heights.units} on average, {heights.largest:.4g} at most"
        )
    yield from _change_lines(layer.facts, f"facts {layer.name}")
    for change in layer.legend:
        yield ReportLine(
            f"  {_MARKS[change.kind]} tile {change.name}{_tile(change)}", None, "legend"
        )
    for name, changed in layer.masks:
        yield ReportLine(f"    mask {name}: {_count(changed, 'cell')} changed", None, "masks")
    for what, change_of in (("rooms", layer.rooms), ("connections", layer.connections)):
        if change_of is not None:
            yield ReportLine(
                f"    {what}: {change_of.was} -> {change_of.now}, {change_of.same} the same"
            )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _share(share: float) -> str:
    return f"{share:.1%}" if share >= 0.001 else "less than 0.1%"


def _tile(change: NamedChange) -> str:
    """Return how a tile of a legend changed, as text to append.

    Return "" for an added or removed tile.
    """
    if change.kind != "changed":
        return ""
    was, now = asdict(change.was), asdict(change.now)
    parts = [
        f"{name} {_text(was[name])} -> {_text(now[name])}"
        for name in ("id", "walkable", "opaque", "color")
        if isinstance(change.now, Tile) and was[name] != now[name]
    ]
    return f": {', '.join(parts)}"


def _object_lines(difference: LevelDifference) -> Iterator[ReportLine]:
    objects = difference.objects
    moved = [item for item in objects.changed if item.moved]
    others = [item for item in objects.changed if not item.moved]
    parts = [
        f"{len(result)} {word}"
        for word, result in (
            ("added", objects.added),
            ("removed", objects.removed),
            ("moved", moved),
            ("with other properties", others),
        )
        if result
    ]
    if objects.other_ids:
        parts.append(f"{objects.other_ids} with other ids")
    if not parts:
        return
    yield ReportLine(f"objects: {', '.join(parts)}; {objects.same} as before")
    for item in objects.removed:
        yield ReportLine(f"  - {_object(item)}", None, "removed")
    for entry in objects.added:
        yield ReportLine(f"  + {_object(entry)}", None, "added")
    for change in moved:
        yield ReportLine(
            f"  ~ {_object(change.was)} -> {_cell(change.now)}{_of(change)}", None, "moved"
        )
    for change in others:
        yield ReportLine(f"  ~ {_object(change.was)}{_of(change)}", None, "others")


def _object(item: NumberedObject) -> str:
    return f"{item.placed.name} {item.number} at {_cell(item)}"


def _cell(item: NumberedObject) -> str:
    return f"{item.placed.x},{item.placed.y}"


def _of(change: ObjectChange) -> str:
    """Return an object's differing properties, as text to append."""
    if not change.properties:
        return ""
    return f": {', '.join(_change(item) for item in change.properties)}"


def _sight_lines(sight: SightDifference) -> Iterator[ReportLine]:
    if sight.kind != "changed":
        yield ReportLine(f"visibility: {sight.kind}")
        return
    if sight.views is None:
        yield ReportLine(f"visibility: views are not compared ({sight.reason})")
    else:
        verb = "sees" if sight.views == 1 else "see"
        yield ReportLine(f"visibility: {_count(sight.views, 'cell')} {verb} other cells")
    yield from _change_lines(sight.rule, "rule")


def _table_lines(table: TableDifference) -> Iterator[ReportLine]:
    if table.kind != "changed":
        yield ReportLine(f"table {table.name}: {table.kind}")
        return
    parts = [
        f"{_count(len(rows), 'row')} {word}"
        for word, rows in (("added", table.added), ("removed", table.removed))
        if rows
    ]
    parts += ["in another order"] if table.reordered else []
    yield ReportLine(f"table {table.name}: {', '.join(parts) or 'other columns'}")
    yield from _change_lines(table.columns, f"columns {table.name}")
    for mark, rows in (("-", table.removed), ("+", table.added)):
        for row in rows:
            yield ReportLine(f"  {mark} {_text(list(row))}", None, f"rows {table.name} {mark}")


def _change_lines(changes: Sequence[NamedChange], name: str) -> Iterator[ReportLine]:
    for change in changes:
        yield ReportLine(f"  {_MARKS[change.kind]} {_change(change)}", None, name)


def _change(change: NamedChange) -> str:
    if change.kind == "added":
        return f"{change.name} = {_text(change.now)}"
    if change.kind == "removed":
        return f"{change.name} (was {_text(change.was)})"
    return f"{change.name} {_text(change.was)} -> {_text(change.now)}"


def _text(value: Any) -> str:
    """Return a value as JSON, shortened; plain words are not quoted."""
    if isinstance(value, str) and value and value.isprintable() and " " not in value:
        return cut(value, _LONGEST_VALUE)
    return cut(json.dumps(value, ensure_ascii=False), _LONGEST_VALUE)


def _metric_lines(metrics: Sequence[MetricChange]) -> Iterator[ReportLine]:
    if not metrics:
        return
    yield ReportLine("metrics")
    rows = [
        (metric.name, *_numbers(metric), named_metric(metric.name).metric.unit)
        for metric in metrics
    ]
    names, was, now, more = (max(len(row[column]) for row in rows) for column in range(4))
    for row in rows:
        text = (
            f"    {row[0]:<{names}}  {row[1]:>{was}} -> {row[2]:>{now}}  {row[3]:>{more}}  {row[4]}"
        )
        yield ReportLine(text.rstrip())


def _numbers(item: MetricChange) -> tuple[str, str, str]:
    """Return a metric's old value, new value and difference as text.

    All three have as many digits as the difference needs.
    """
    for digits in (_DIGITS, _MORE_DIGITS):
        was, now = _number(item.was, digits), _number(item.now, digits)
        if was != now:
            break
    if item.difference is None:
        return was, now, ""
    sign = "+" if item.difference > 0 else "-"
    return was, now, f"{sign}{_number(abs(item.difference), digits)}"


def _number(value: int | float | None, digits: int) -> str:
    if value is None:
        return "none"
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"


def _output_lines(outputs: OutputDifference | ExporterError | None) -> Iterator[ReportLine]:
    if isinstance(outputs, ExporterError):
        yield ReportLine(f"outputs: not compared ({_why(outputs)})")
        return
    if outputs is None or not outputs.changed:
        return
    kinds = ", ".join(f"{count} {kind}" for kind, count in outputs.kinds.items())
    (was_files, was_bytes), (now_files, now_bytes) = outputs.was, outputs.now
    files = f"{was_files} -> {now_files}" if was_files != now_files else f"{now_files}"
    yield ReportLine(
        f"outputs: {len(outputs.changed)} differ ({kinds}), {outputs.same} as before; {files} "
        f"files, {was_bytes:,} -> {now_bytes:,} bytes ({now_bytes - was_bytes:+,})"
    )
    for item in outputs.changed:
        sizes = " -> ".join(f"{side.size:,}" for side in (item.was, item.now) if side is not None)
        layer = f" of {item.output.layer}" if item.output.layer else ""
        text = f"  {_MARKS[item.kind]} {item.output.path}: {item.output.kind}{layer}, {sizes} bytes"
        yield ReportLine(text, None, "outputs")


def _outputs_document(outputs: OutputDifference | ExporterError) -> dict[str, Any]:
    if isinstance(outputs, ExporterError):
        return {"problem": _why(outputs)}
    return outputs_document(outputs)


def _why(error: ExporterError) -> str:
    """Return the first problem of an error, with its line."""
    if not isinstance(error, SpecError):
        return str(error)
    problem = error.problems[0]
    return f"{problem.file}:{problem.line}:{problem.column}: {problem.message}"
