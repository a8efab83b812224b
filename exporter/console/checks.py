"""Reports of validated files."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from exporter.console.wording import count
from exporter.export.events import problem_report
from exporter.project.checking import Checked


def report_checks(checked: Sequence[Checked], as_json: bool) -> bool:
    """Report validated files; return whether any has an error."""
    problems = [problem for one in checked for problem in one.errors]
    if as_json:
        print(json.dumps(_check_document(checked), indent=1))
        return bool(problems)
    for one in checked:
        for problem in one.problems:
            print(problem.render(), file=sys.stderr)
    files = count(len(checked), "file")
    if problems:
        wrong = sum(1 for one in checked if one.errors)
        print(f"{count(len(problems), 'problem')} in {wrong} of {files}", file=sys.stderr)
    else:
        print(f"{files}: no problems")
    return bool(problems)


def _check_document(checked: Sequence[Checked]) -> dict[str, Any]:
    levels = []
    errors = []
    for one in checked:
        reports = [problem_report(problem) for problem in one.errors]
        if not one.level:
            errors += reports
            continue
        levels.append(
            {
                "level": one.level,
                "spec": one.file,
                "status": "failed" if reports else "unchanged",
                "seconds": 0.0,
                "outputs": [],
                "errors": reports,
                "warnings": [problem.message for problem in one.warnings],
            }
        )
    return {"levels": levels, "errors": errors} if errors else {"levels": levels}
