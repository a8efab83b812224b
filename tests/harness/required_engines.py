"""Skips of tests whose engine is not installed, and where such a skip is a failure."""

from __future__ import annotations

import os

import pytest

INSTALLS = ".ci/install-engines installs it"
REQUIRED = os.environ.get("LEVEL_EXPORTER_REQUIRE_ENGINES", "") not in ("", "0")


def refuse_skip(report: pytest.TestReport) -> None:
    """Turn a skip into a failure where engines are required, as in CI."""
    if REQUIRED and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"engine tests must not be skipped here: {reason}"
