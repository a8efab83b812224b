"""Print the problems that were found in checked files."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from exporter.console.problems import ProblemPrinter
from exporter.console.text import OutputOptions
from exporter.export.checking import Checked
from exporter.export.events import problem_report
from exporter.model.texts import count


def report_checks(
    checked: Sequence[Checked], as_json: bool, output: OutputOptions | None = None
) -> bool:
    """Print the problems of checked files; return whether any has an error.

    `as_json` prints one JSON document instead of lines. `output` is the verbosity and colour of the
    lines.
    """
    output = output or OutputOptions()
    problems = [problem for item in checked for problem in item.problems]
    if as_json:
        print(json.dumps(_check_document(checked), indent=1))
        return bool(problems)
    printer = ProblemPrinter(output.styles, output.maximum_errors)
    for item in checked:
        printer.print((*item.warnings, *item.problems))
        if item.proof is not None and not output.quiet:
            from exporter.console.searches import proof_lines

            printer.line(f"{item.file}: {proof_lines(item.proof)[0]}")
        if output.verbose and not item.problems and item.level:
            print(f"{item.file}: no problems", flush=True)
    printer.print_omitted()
    for entry in checked:
        if entry.traceback:
            print(entry.traceback, file=sys.stderr)
    if output.quiet:
        return bool(problems)
    files = count(sum(1 for item in checked if item.level or item.problems), "file")
    warned = sum(len(item.warnings) for item in checked)
    warnings = f", {count(warned, 'warning')}" if warned else ""
    if problems:
        wrong = sum(1 for item in checked if item.problems)
        printer.line(f"{count(len(problems), 'problem')} in {wrong} of {files}{warnings}")
    else:
        print(f"{files}: no problems{warnings}")
    return bool(problems)


def _check_document(checked: Sequence[Checked]) -> dict[str, Any]:
    levels = []
    errors = []
    warnings = []
    for item in checked:
        reports = [problem_report(problem) for problem in item.problems]
        if not item.level:
            errors += reports
            warnings += [f"{warning.file}: {warning.message}" for warning in item.warnings]
            continue
        levels.append(
            {
                "level": item.level,
                "spec": item.file,
                "status": "failed" if reports else "unchanged",
                "seconds": 0.0,
                "outputs": [],
                "errors": reports,
                "warnings": [warning.message for warning in item.warnings],
                "complete": not item.warnings,
                **({"proof": item.proof.document()} if item.proof is not None else {}),
            }
        )
    document: dict[str, Any] = {"levels": levels}
    if errors:
        document["errors"] = errors
    if warnings:
        document["warnings"] = warnings
    return document
