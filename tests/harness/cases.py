"""Run a family of near-equal cases as one test, which reports every case that fails."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest


def each_case(
    names: str | Sequence[str], cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with each case, like `pytest.mark.parametrize`, but collect it once.

    Temporary folders, patches and captured output belong to a case. Other fixtures of a function
    are shared by its cases.
    """
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [(case_values(case, keys), case_name(case)) for case in cases]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run_cases(**fixtures: Any) -> None:
            __tracebackhide__ = True
            assert table, "no cases"
            failures: list[Exception] = []
            skips: list[pytest.skip.Exception] = []
            for index, (values, name) in enumerate(table):
                with ExitStack() as stack:
                    try:
                        given = dict(zip(keys, values, strict=True))
                        test(**given, **own_fixtures(fixtures, index, stack))
                    except pytest.skip.Exception as skip:
                        skips.append(skip)
                    except (Exception, pytest.fail.Exception) as error:
                        failures.append(with_case(error, f"{name or index}: {given!r}"))
            if len(failures) == 1:
                raise failures[0]
            if failures:
                inputs = [failure.__notes__[-1] for failure in failures]
                summary = f"{len(failures)} of {len(table)} cases fail:"
                raise ExceptionGroup("\n".join([summary, *inputs]), failures)
            if len(skips) == len(table):
                raise skips[0]

        signature = inspect.signature(test)
        remaining = [item for name, item in signature.parameters.items() if name not in keys]
        assert len(remaining) == len(signature.parameters) - len(keys), (
            f"{test.__name__} lacks {keys}"
        )
        run_cases.__signature__ = signature.replace(parameters=remaining)  # type: ignore[attr-defined]
        return run_cases

    return decorate


def case_values(case: Any, keys: list[str]) -> Sequence[Any]:
    """Return the arguments of a case, one for each key."""
    if hasattr(case, "marks"):  # of pytest.param
        assert not case.marks, "marks need pytest.mark.parametrize"
        values = tuple(case.values)
    else:
        values = (case,) if len(keys) == 1 else tuple(case)
    assert len(values) == len(keys), f"{values!r} for {keys}"
    return values


def case_name(case: Any) -> str | None:
    """Return the id that pytest.param gives a case."""
    return case.id if hasattr(case, "marks") else None


def own_fixtures(fixtures: dict[str, Any], index: int, stack: ExitStack) -> dict[str, Any]:
    """Return the fixtures, with a folder and patches of the case's own."""
    own = dict(fixtures)
    if isinstance(own.get("tmp_path"), Path):
        own["tmp_path"] /= f"case{index}"
        own["tmp_path"].mkdir()
    if "monkeypatch" in own:
        own["monkeypatch"] = stack.enter_context(own["monkeypatch"].context())
    if "capsys" in own:
        own["capsys"].readouterr()
    return own


def with_case(error: BaseException, case: str) -> Exception:
    """Note the case in its error."""
    if not isinstance(error, Exception):  # pytest.fail
        error = AssertionError(str(error)).with_traceback(error.__traceback__)
    error.add_note(f"case {case:.500}")
    return error
