"""Write problems as SARIF 2.1.0, a JSON format that CI and editors read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from exporter._version import __version__
from exporter.model.errors import Problem, Severity

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# A rule for each severity, because problems have no codes.
_RULES: dict[Severity, tuple[str, str]] = {
    "error": ("level-error", "A level or a project that cannot be exported as it is."),
    "warning": ("level-warning", "Something that was not made as it was asked for."),
}


def sarif_text(problems: Iterable[Problem]) -> str:
    """Return problems as a SARIF document.

    The file of each problem is relative to the repository.
    """
    results = [_result(problem) for problem in problems]
    rules = [
        {
            "id": name,
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": severity},
        }
        for severity, (name, text) in _RULES.items()
    ]
    driver = {"name": "level-exporter", "semanticVersion": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=1) + "\n"


def _result(problem: Problem) -> dict[str, Any]:
    rules = list(_RULES)
    region: dict[str, Any] = {"startLine": problem.line, "startColumn": problem.column}
    if problem.source:
        region["endColumn"] = problem.column + max(problem.length, 1)
        region["snippet"] = {"text": _text(problem.source)}
    # A name that is not UTF-8 has its own bytes in the address.
    artifact = {"uri": quote(problem.file.encode("utf-8", "surrogateescape"))}
    return {
        "ruleId": _RULES[problem.severity][0],
        "ruleIndex": rules.index(problem.severity),
        "level": problem.severity,
        "message": {"text": _text(problem.message)},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "partialFingerprints": {"problem/v1": _fingerprint(problem)},
    }


def _text(text: str) -> str:
    """Replace unpaired surrogates by `?`, because JSON readers refuse them."""
    return text.encode("utf-8", "replace").decode()


def _fingerprint(problem: Problem) -> str:
    """Return a hash of a problem that does not depend on its line number."""
    parts = (problem.file, problem.severity, problem.message, problem.source.strip())
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
