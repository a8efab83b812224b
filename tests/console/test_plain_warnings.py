"""A kernel's warning reaches the user as one plain line."""

from __future__ import annotations

import warnings

import pytest

from exporter.export.plain_warnings import plain_warnings
from exporter.kernels import UncompiledWarning, warn_uncompiled


def test_a_warning_is_one_line_without_our_code(capsys: pytest.CaptureFixture[str]) -> None:
    before = warnings.showwarning
    with plain_warnings():
        warn_uncompiled(False, "noise", 10_000_000, 1_000_000)
        warn_uncompiled(True, "noise", 10_000_000, 1_000_000)
    assert capsys.readouterr().err == (
        "exporter: warning: the kernel 'noise' is not compiled here and needs about 10 seconds "
        "(reinstall with a C compiler)\n"
    )
    assert warnings.showwarning is before


def test_short_work_is_not_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UncompiledWarning)
        warn_uncompiled(False, "noise", 1_000_000, 1_000_000)
