"""Report searches for levels, as lines and tables or as JSON data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exporter.explore.proofs import Proof
from exporter.explore.ranges import Overlap, Survey, common_ranges, counts
from exporter.explore.search import LevelMatch, SearchedLevels
from exporter.explore.sheets import figure

if TYPE_CHECKING:
    from exporter.packs.making import BuiltPack

# Failing seeds in the text output; the JSON document has all.
MAXIMUM_SEEDS_REPORTED = 20
_MAXIMUM_REASONS_REPORTED = 5


def search_document(result: SearchedLevels) -> dict[str, Any]:
    """Return the result of a search as JSON data."""
    document: dict[str, Any] = {
        "tried": result.tried,
        "kept": len(result.levels),
        "matched": result.matched,
        "failed": result.failed,
        "reason": result.first_failure or None,
        "levels": [level.document() for level in result.levels],
    }
    if result.all_niches:
        document["niches"] = {"filled": result.niches, "of": result.all_niches}
    if result.nearest is not None:
        nearest = result.nearest
        document["nearest"] = {**nearest.level.document(), "misses": nearest.words}
    return document


def search_lines(result: SearchedLevels) -> list[str]:
    """Return a table of the found levels: seeds, parameters and metrics."""
    if not result.levels:
        return []
    return _table([_row(level) for level in result.levels])


def search_summary(result: SearchedLevels) -> str:
    """Return a line with how many levels a search tried, found and failed."""
    parts = [f"{_count_text(len(result.levels))} of {result.tried:,} tried"]
    if result.matched != result.tried - result.failed:
        parts.append(f"{result.matched:,} match")
    if result.all_niches:
        parts.append(f"{result.niches:,} of {result.all_niches:,} niches filled")
    if result.failed:
        parts.append(f"{result.failed:,} failed")
    return ", ".join(parts)


def pack_summary(pack: BuiltPack) -> str:
    """Return a line with a pack's numbers of levels, bytes and filled niches.

    A niche is a combination of metric ranges.
    """
    from exporter.packs.progress import empty_words

    parts = [
        f"{_count_text(pack.count)} of {pack.tried:,} tried",
        f"{len(pack.data):,} bytes, {len(pack.data) / max(1, pack.count):.0f} a level",
    ]
    filled, of = pack.niches
    if of:
        parts.append(f"{filled:,} of {of:,} niches filled{empty_words(pack.empty)}")
    return ", ".join(parts)


def nothing_found(result: SearchedLevels) -> str:
    """Return a text for a search without result: why, and the nearest level."""
    others = result.failed - result.unmet - result.without_value
    if result.nearest is None:
        reason = f": {result.first_failure}" if result.first_failure else ""
        if not others:
            return f"none of {_count_text(result.tried)} matches{reason}"
        return f"none of {_count_text(result.tried)} could be built and measured{reason}"
    level = result.nearest.level
    displayed = "".join(f", {name} {figure(value)}" for name, value in level.parameters.items())
    failed = f"; {others:,} failed" if others else ""
    if result.without_value:
        failed = f"; for {result.without_value:,} the condition has no value{failed}"
    return (
        f"none of {_count_text(result.tried)} matches; the nearest has the seed "
        f"{level.seed}{displayed}: "
        f"{result.nearest.words}{failed}"
    )


def proof_lines(proof: Proof) -> list[str]:
    """Return lines about how many seeds pass, and why the others fail."""
    share = f"{proof.bound:.6f}".rstrip("0").rstrip(".")
    lines = [
        f"{proof.passed:,} of {proof.tried:,} seeds pass: at least {share} of all seeds do "
        "(95 % confidence)"
    ]
    if proof.at_least is not None:
        verb = "kept" if proof.holds else "not kept"
        lines.append(f"required: at least {proof.at_least:g} ({verb})")
    for reason, count in proof.reasons[:_MAXIMUM_REASONS_REPORTED]:
        lines.append(
            f"  {count:,} failed, as in: {reason}" if count > 1 else f"  1 failed: {reason}"
        )
    if len(proof.reasons) > _MAXIMUM_REASONS_REPORTED:
        lines.append(f"  ... and {len(proof.reasons) - _MAXIMUM_REASONS_REPORTED:,} other reasons")
    if proof.failed:
        reported = ", ".join(map(str, proof.failed[:MAXIMUM_SEEDS_REPORTED]))
        more = len(proof.failed) - MAXIMUM_SEEDS_REPORTED
        rest = f" and {more:,} more (--json has all)" if more > 0 else ""
        lines.append(f"failing seeds: {reported}{rest}")
    return lines


def survey_lines(surveys: Sequence[Survey], overlap: Overlap | None) -> list[str]:
    """Return a table of the levels of one or two specs, by two metrics.

    Each row has the number of levels, the range of each metric, and how many combinations of parts
    of these ranges have a level. `overlap` is how far the levels of two specs overlap; None for one
    spec.
    """
    ranges = common_ranges(surveys)
    rows: list[dict[str, Any]] = []
    for survey in surveys:
        row: dict[str, Any] = {
            "spec": survey.title,
            "levels": len(survey.places),
            "failed": survey.failed,
        }
        for name, ends in zip(survey.metrics, survey.ranges, strict=False):
            row[name] = f"{figure_of(ends[0])} to {figure_of(ends[1])}"
        row["niches"] = f"{int((counts(survey.places, ranges) > 0).sum())} of 400"
        rows.append(row)
    lines = _table(rows)
    if overlap is not None:
        lines.append(
            f"{overlap.shared} niches in both; {overlap.overlap:.1%} of the levels overlap"
        )
    return lines


def print_document(document: Mapping[str, Any], *, on_one_line: bool = False) -> None:
    """Print `document` as JSON, indented or `on_one_line`."""
    print(json.dumps(document, indent=None if on_one_line else 1))


def figure_of(value: float) -> str:
    """Return a number as short text, with four decimals unless it is whole."""
    return str(int(value)) if value == int(value) else f"{value:.4f}"


def _count_text(levels: int) -> str:
    return "1 level" if levels == 1 else f"{levels:,} levels"


def _row(item: LevelMatch) -> dict[str, Any]:
    return {"seed": item.seed, **item.parameters, **item.metrics}


def _table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return rows with equal keys as aligned lines, under the keys."""
    names = list(rows[0])
    texts = [names, *([figure(row.get(name, "")) for name in names] for row in rows)]
    widths = [max(len(text[column]) for text in texts) for column in range(len(names))]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(text, widths, strict=True)).rstrip()
        for text in texts
    ]
