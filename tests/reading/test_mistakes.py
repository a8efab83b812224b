"""Mistakes people make in specs, with their messages, from `mistakes.txt`.

People read the table as well: it shows what a newcomer sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cases import each_case
from exporter.model.errors import Problem
from mistakes_table import Mistake, mistakes, printed, problems_of

# Words of the parser, of the validator and of Python, which mean nothing to who writes a spec.
FOREIGN = (
    "expected node", "block mapping", "flow", "scalar", "token", "NoneType", "dict", "tuple",
    "int_", "Input should", "string_type", "simple key", "sequence", "document start", "Literal",
    "str",
)  # fmt: skip


MISTAKES = mistakes()


@each_case("mistake", MISTAKES)
def test_a_mistake_is_reported_as_the_table_says(mistake: Mistake) -> None:
    assert printed(mistake) == mistake.expected


@each_case("mistake", MISTAKES)
def test_a_message_has_a_position_a_fix_and_no_library_words(mistake: Mistake) -> None:
    problems = problems_of(mistake)
    assert problems
    lines = mistake.text.split("\n")
    for problem in problems:
        assert problem.column <= len(lines[problem.line - 1].replace("<TAB>", "\t")) + 1
        assert re.search(r"\(.+\)$|^expected ", problem.message), problem.message
        words = re.sub(r"'[^']*'|`[^`]*`", "", problem.message)
        assert not [word for word in FOREIGN if re.search(rf"\b{word}", words)]


# The text behind `write` or `did you mean`, up to its explanation.
SUGGESTED = re.compile(r"(?:write|did you mean) (.+?)(?= in quotes| for | without | in a |[;?)]|$)")
# Advice that is no text to be pasted.
ADVICE = re.compile(
    r"(it|one|a|the|remove|leave|name|move|begin|use|put|as) .*|it|one|objects\.NAME|. there|\\\\.*"
)
# The intended value needs more than its name.
NEEDS_MORE = (
    "Names: what people call wave function collapse",
    "Roles: limits where nothing is walked on",
)


def suggested(message: str) -> list[str]:
    """The texts that a message proposes, as they are to be pasted."""
    entry = re.search(r"did you mean .* as in `(.+?)`", message)
    if entry is not None:
        return [entry[1]]
    result = []
    for part in SUGGESTED.findall(message):
        for text in re.split(r",? or |, (?=['`])|, else write ", part):
            plain = text.strip("`")
            if not ADVICE.fullmatch(plain):
                result.append(plain.strip("'") if "did you mean" in message else plain)
    return result


def pasted(lines: list[str], problem: Problem, text: str) -> Iterator[tuple[int, str]]:
    """The file with a suggestion inserted, and its end in the line.

    It replaces the marked text, its wrong word, the list or entry that begins there, the rest of
    the line, or all of the line.
    """
    line, start = lines[problem.line - 1], problem.column - 1
    behind = line[start:]
    ends = [start + problem.length, len(line)]
    for pattern in (r"\[[^\]]*\]", r"[^,{}]*"):
        inside = re.match(pattern, behind)
        ends += [start + inside.end()] if inside else []
    places = [(start, end) for end in ends] + [(len(line) - len(line.lstrip()), len(line))]
    wrong = re.search(r"'(.+?)'", problem.message)
    if wrong is not None and wrong[1] in behind:
        position = start + behind.index(wrong[1])
        places.append((position, position + len(wrong[1])))
    for begin, end in places:
        changed = line[:begin] + text + line[end:]
        whole = [*lines[: problem.line - 1], changed, *lines[problem.line :]]
        yield begin + len(text), "\n".join(whole)


def refusals(mistake: Mistake, problem: Problem, text: str) -> list[str]:
    """Return the problems left up to the end of a suggestion, in its best position."""
    known = {item.message for item in problems_of(mistake)} - {problem.message}
    lines = mistake.text.replace("<TAB>", "\t").split("\n")
    left = [
        [
            item.message
            for item in problems_of(mistake._replace(text=changed))
            if item.line == problem.line and item.column <= end and item.message not in known
        ]
        for end, changed in pasted(lines, problem, text)
    ]
    return min(left, key=len)


@each_case("mistake", [item for item in MISTAKES if item.title not in NEEDS_MORE])
def test_what_a_message_suggests_is_accepted_where_it_is_pasted(mistake: Mistake) -> None:
    for problem in problems_of(mistake):
        left = {text: refusals(mistake, problem, text) for text in suggested(problem.message)}
        if "else write" in problem.message:  # one of them, whichever was meant
            assert not all(left.values()), f"{problem.message}: {left}"
        else:
            assert not any(left.values()), f"{problem.message}: {left}"
