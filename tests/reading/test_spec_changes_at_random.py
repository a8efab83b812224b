"""Random changes of every shipped spec, and of random ones.

The specs have random styles. The meaning of a change is computed here once more, on plain data. Its
extent is computed from the marks of the parser: no other character may change.
"""

from __future__ import annotations

import copy
import json
import random
import re
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.model.errors import SpecError
from exporter.reading.changes import Insert, Move, Refused, Remove, Rename, SetValue
from exporter.reading.spec_changes import Changed, changed_spec
from exporter.reading.yaml_reader import Document, read_document
from spec_styles import styled_texts

ROOT = Path(__file__).parents[2]
WORDS = [
    "cave", "yes", "No", "null", "~", "12", "1e5", "0x10", "1_000", "010", "a b", "a: b", "a #b",
    "", " x", "x ", "it's", 'say "x"', "- x", "{x}", "[x", "é", "日本", "😀", "a\nb", "a\n\n b\n",
    "20 kB", "farthest >= 80", "*x", "&x", "!x", "%x", "@x", "`x", "a,b", "?", "-", ":", "\t",
    "y", "n", ".5", "+1", "1:30", "2024-01-01", "\x85", "\u2028", "<<", "=", "true", "x\\y", "#a",
]  # fmt: skip


def snippets() -> list[tuple[str, bytes]]:
    """The specs of the documentation that can be read."""
    result = []
    pages = sorted([*(ROOT / "exporter" / "docs").rglob("*.md"), ROOT / "README.md"])
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for number, item in enumerate(re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)):
            result.append((f"{page.name}-{number}", item.encode()))
        for number, entry in enumerate(re.findall(r"(?:^    .*\n|^\n)+", text, re.MULTILINE)):
            plain = "".join(line[4:] if line.strip() else "\n" for line in entry.splitlines(True))
            if re.search(r"^(layers|objects|size):", plain, re.MULTILINE):
                result.append((f"{page.name}-indented-{number}", plain.encode()))
    return result


def shipped() -> list[tuple[str, bytes]]:
    files = [
        *sorted((ROOT / "templates").rglob("*.yaml")),
        *sorted((ROOT / "sample_project").rglob("*.yaml")),
    ]
    texts = [(str(file.relative_to(ROOT)), file.read_bytes()) for file in files]
    good = []
    for name, content in [*texts, *snippets()]:
        try:
            document = read_document(content, name)
        except SpecError:
            continue
        if isinstance(document.data, dict) and document.data and not document.problems:
            good.append((name, content))
    return good


SHIPPED = shipped()
# Of each spec in each style.
CHANGES = 2


_NOTHING = re.compile(r"(?:\s|#[^\r\n]*)*")


def containers(data: Any, path: tuple = ()) -> list[tuple[tuple, Any]]:
    result = []
    if isinstance(data, dict | list):
        result.append((path, data))
        entries = data.items() if isinstance(data, dict) else enumerate(data)
        for step, value in entries:
            result += containers(value, (*path, step))
    return result


def random_value(draw: random.Random, depth: int = 0) -> Any:
    kind = draw.randrange(9 if depth < 2 else 6)
    if kind < 2:
        return draw.choice(WORDS)
    if kind == 2:
        return draw.choice([0, -1, 7, 1 << 62, -(1 << 63)])
    if kind == 3:
        return draw.choice([0.5, 1.0, -0.0, 1e-7, 1e300, 0.1, 1e16])
    if kind == 4:
        return draw.choice([True, False])
    if kind == 5:
        return draw.choice([None, "word", 3])
    if kind == 6:
        return [random_value(draw, depth + 1) for _ in range(draw.randrange(4))]
    keys = draw.sample([*WORDS[:12], "a", "b", "generator", "radius"], draw.randrange(4))
    return {key: random_value(draw, depth + 1) for key in keys}


def random_change(draw: random.Random, data: Any) -> Any:
    path, holder = draw.choice(containers(data))
    if not holder:
        return SetValue((*path, 0 if isinstance(holder, list) else "new"), random_value(draw))
    steps = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    step = draw.choice(steps)
    kind = draw.randrange(7)
    if kind <= 1:
        return SetValue((*path, step), random_value(draw))
    if kind == 2:
        return Remove((*path, step))
    if kind == 3:
        return Move((*path, step), draw.randrange(len(steps)))
    new = draw.choice(["new", "yes", "a b", "é", "radius", "seed"])
    if isinstance(holder, list):
        return Insert((*path, draw.randrange(len(steps) + 1)), random_value(draw))
    if kind == 4 and (new == step or new not in holder):
        return Rename((*path, step), new)
    while new in holder:
        new += "x"
    position = draw.choice([None, draw.randrange(len(steps) + 1)])
    return Insert((*path, new), random_value(draw), position)


def meant(data: Any, change: Any) -> Any:
    """The meaning of a change, without the position of a new key: sorted by no one."""
    whole = copy.deepcopy(data)
    holder = whole
    for step in change.path[:-1]:
        holder = holder[step]
    last = change.path[-1]
    if isinstance(change, SetValue):
        if isinstance(holder, list) and last == len(holder):
            holder.append(change.value)
        else:
            holder[last] = change.value
    elif isinstance(change, Remove):
        del holder[last]
    elif isinstance(holder, list):
        value = change.value if isinstance(change, Insert) else holder.pop(last)
        holder.insert(last if isinstance(change, Insert) else change.index, value)
    else:
        entries = list(holder.items())
        if isinstance(change, Insert):
            entries.insert(len(entries) if change.index is None else change.index,
                           (last, change.value))  # fmt: skip
        elif isinstance(change, Rename):
            entries = [(change.key if key == last else key, value) for key, value in entries]
        else:
            number = [key for key, _ in entries].index(last)
            entries.insert(change.index, entries.pop(number))
        holder.clear()
        holder.update(entries)
    return whole


def has_free_position(change: Any) -> bool:
    return isinstance(change, SetValue) or (isinstance(change, Insert) and change.index is None)


def exact(data: Any, *, ordered: bool) -> str:
    return json.dumps(data, sort_keys=not ordered)


def assert_changes(content: bytes, change: Any) -> Changed | Refused:
    before = read_document(content, "a.level.yaml")
    result = changed_spec(content, "a.level.yaml", [change])
    if isinstance(result, Refused):
        return result
    after = read_document(result.after, "a.level.yaml")
    assert not after.problems
    ordered = not has_free_position(change)
    assert exact(after.data, ordered=ordered) == exact(meant(before.data, change), ordered=ordered)
    assert result.after.startswith(b"\xef\xbb\xbf") == content.startswith(b"\xef\xbb\xbf")
    assert_only_there(before, after, change)
    return result


def position_of_value(document: Document, path: tuple) -> tuple[int, int]:
    """Offsets of all that can belong to an entry: from its first comment line to its last."""
    starts = [mark.start for item, mark in document.values.items() if item[: len(path)] == path]
    ends = [mark.end for item, mark in document.values.items() if item[: len(path)] == path]
    keys = [document.keys[path].start] if path in document.keys else []
    return min(starts + keys), max(ends)


def assert_only_there(before: Document, after: Document, change: Any) -> None:
    """Every character outside of the change stays the same."""
    old, new = before.text, after.text
    if isinstance(change, Move):
        # Entries exchange their places, and their comments go with them.
        assert sorted("".join(old.split())) == sorted("".join(new.split()))
        assert comments(before) == comments(after)
    elif isinstance(change, Insert) or change.path not in before.values:
        if before.get(change.path[:-1]):
            assert is_spread(old, new)  # all that was there is still there, in this order
    elif not isinstance(change, Remove):
        start, end = position_of_value(before, change.path)
        mark = before.values[change.path]
        ahead = old[:start].rstrip()
        if mark.start == mark.end and before.get(change.path):
            # The comments inside of a removed part are about it, that of its last line too.
            inside = _NOTHING.match(old, end)
            assert inside is not None
            end = inside.end()
            while (comment := re.search(r"(?:^|[ \t\n])#[^\r\n]*$", ahead)) is not None:
                ahead = ahead[: comment.start()].rstrip()
        assert new.startswith(ahead)
        line = re.compile(r"[^\r\n]*").match(old, end)
        assert line is not None
        # Lines of its own come behind the comment that was behind the value.
        assert new.endswith(old[end:].lstrip()) or (
            new.endswith(old[line.end() :]) and line[0].strip() in new[start:]
        )


def comments(document: Document) -> list[str]:
    if document.text.startswith("{"):
        return []
    result = re.findall(r"(?:^|(?<=[ \t]))#[^\r\n]*", document.text, re.MULTILINE)
    return sorted(item.rstrip() for item in result)


def is_spread(old: str, new: str) -> bool:
    """Whether a text has all of another one in one or two pieces."""
    first = 0
    while first < len(old) and old[first] == new[first]:
        first += 1
    rest = old[first:]
    if new.endswith(rest):
        return True
    # A comma behind the entry before, and the new entry behind its comment.
    return new[first] == "," and any(
        new.endswith(rest[cut:]) and new[first + 1 :].startswith(rest[:cut])
        for cut in range(len(rest) + 1)
    )


@each_case(("name", "content"), SHIPPED)
@each_case("kind", ["yaml", "json", "json-lines", "crlf"])
def test_shipped_specs_change_in_the_position_of_the_value_only(
    name: str, content: bytes, kind: str
) -> None:
    draw = random.Random(f"{name} {kind}")
    data = read_document(content, name).data
    if kind == "json":
        content = json.dumps(data).encode()
    elif kind == "json-lines":
        content = json.dumps(data, indent=2, ensure_ascii=False).encode()
    elif kind == "crlf":
        content = b"\xef\xbb\xbf" + content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    for _ in range(CHANGES):
        change = random_change(draw, data)
        result = assert_changes(content, change)
        assert isinstance(result, Changed), (change, result)
        if b"\r\n" in content:
            assert result.after.count(b"\n") == result.after.count(b"\r\n")


def test_there_are_many_shipped_specs() -> None:
    assert len(SHIPPED) > 80


@settings(max_examples=60, deadline=None)
@given(styled_texts(), st.integers(0, 1 << 30))
def test_random_specs_in_random_styles_change_exactly(text: bytes, seed: int) -> None:
    document = read_document(text, "a.level.yaml")
    if not isinstance(document.data, dict) or not document.data:
        return
    change = random_change(random.Random(seed), document.data)
    assert_changes(text, change)
