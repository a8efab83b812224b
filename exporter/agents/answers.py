"""Build the answers of tools as JSON data, cut to a maximum size.

Text from a project (names, messages, comments of maps) is only data in an answer, never part of a
tool's description, because agents follow descriptions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from exporter.agents.fixes import Fix, find_fix, quoted_name
from exporter.model.errors import ExporterError, Problem
from exporter.model.level import Level

Answer = dict[str, Any]

# Bytes of JSON in an answer, and of a picture.
MAXIMUM_TEXT = 4096
MAXIMUM_PICTURE = 100_000
_MAXIMUM_PROBLEMS = 12
_MAXIMUM_STRING = 600


class RefusedCallError(ExporterError):
    """A refused call of a tool; `message` is the reason.

    `data` are facts that help the agent to repeat the call correctly.
    """

    def __init__(self, message: str, **data: Any) -> None:
        super().__init__(message)
        self.data = data


def refusal_data(message: str, arguments: Mapping[str, Any], data: Mapping[str, Any]) -> Answer:
    """Return the answer to a refused call, with a fix to paste if possible.

    Args:
        message: Why the call was refused.
        arguments: The arguments of the call; the fix replaces the faulty one.
        data: Other facts for the answer.
    """
    short = [
        value for name, value in arguments.items() if isinstance(value, str) and name != "text"
    ]
    name = quoted_name(message)
    # The level of LEVEL@SEED, or a text with the name as a whole word.
    faulty = [value for value in short if value.partition("@")[0] == name]
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    faulty += [value for value in short if name and word.search(value)]
    fix = find_fix(message, faulty=faulty[0] if faulty else "")
    answer = {"refused": fix.problem, **_fix_data(fix), **data}
    return {key: value for key, value in answer.items() if key != "fix" or value}


def problem_data(problem: Problem) -> Answer:
    """Return a problem of a spec as JSON data, with a fix to paste.

    The keys are `path`, `line`, `column`, `problem` and `fix`. `path` is dotted, such as
    `objects.0.count`. `fix` is a text to paste over the faulty value or key; if there is a key
    `at`, `fix` is instead a new entry of the section at that path. `fix` is empty if no such text
    is known.
    """
    faulty = problem.source[problem.column - 1 :][: problem.length]
    fix = find_fix(problem.message, problem.path, faulty)
    return {
        "path": _dotted_path(problem.path),
        "line": problem.line,
        "column": problem.column,
        "problem": _short(fix.problem),
        **_fix_data(fix),
    }


def problems_data(problems: Iterable[Problem]) -> list[Answer]:
    """Return the first problems as JSON data; the last entry counts the rest."""
    listed = list(problems)
    data = [problem_data(problem) for problem in listed[:_MAXIMUM_PROBLEMS]]
    if more := len(listed) - len(data):
        data.append({"path": "", "line": 0, "column": 0, "problem": f"{more} more", "fix": ""})
    return data


def objects_data(counts: Mapping[str, Any]) -> Answer:
    """Return how many objects of each name were requested and placed, as JSON.

    `counts` has the `ObjectCount` of each name.
    """
    return {name: count.report() for name, count in counts.items()}


def level_data(level: Level) -> Answer:
    """Return a summary of a level: name, size, seed, and kinds of layers."""
    return {
        "level": level.name,
        "size": [level.width, level.height],
        "seed": level.seed,
        "layers": {name: layer.kind for name, layer in level.layers.items()},
    }


def fitted(answer: Answer) -> Answer:
    """Return `answer`, its lists and texts cut to fit `MAXIMUM_TEXT` bytes.

    The key `cut` lists the keys that were cut or left out. A picture is never cut.
    """
    answer = dict(answer)
    picture = answer.pop("picture", None)
    while size_of(answer) > MAXIMUM_TEXT:
        key = max(answer, key=lambda name: size_of(answer[name]) if name != "cut" else 0)
        value, excess = answer[key], size_of(answer) - MAXIMUM_TEXT
        cut = {*answer.get("cut", ()), key}
        answer["cut"] = sorted(cut)
        if isinstance(value, str) and value:
            answer[key] = value[: max(len(value) - excess - 64, 0)]
        elif isinstance(value, list) and value:
            answer[key] = value[: len(value) * 19 // 20]
        elif isinstance(value, dict) and value:
            answer[key] = dict(list(value.items())[: len(value) * 3 // 4])
        else:
            del answer[key]
    return answer if picture is None else {**answer, "picture": picture}


def size_of(value: Any) -> int:
    """Return how many bytes `value` has as JSON."""
    return len(json.dumps(value, ensure_ascii=False).encode())


def _fix_data(fix: Fix) -> Answer:
    if not fix.text or len(fix.text) > _MAXIMUM_STRING:
        return {"fix": ""}
    return {"fix": fix.text, **({} if fix.at is None else {"at": _dotted_path(fix.at)})}


def _dotted_path(path: Iterable[str | int]) -> str:
    return ".".join(map(str, path))


def _short(text: str) -> str:
    return text if len(text) <= _MAXIMUM_STRING else f"{text[:_MAXIMUM_STRING]}..."
