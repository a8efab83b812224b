"""Plain words: short first lines of docstrings, and no names or phrases that need a glossary."""

import re
from functools import cache
from pathlib import Path

import exporter

PACKAGE = Path(exporter.__file__).parent
MOST = 72
FIRST_LINE = re.compile(r'(?:\A(?:#.*\n|\n)*|:(?:  #.*)?\n +)r?"""(.*)')
DEFINED = re.compile(
    r"^ *(?:async )?(?:def|class) (\w+)|^ *(?:self\.)?(\w+)(?:: [^=\n]+)?(?: =|$)|\bfor (\w+)", re.M
)
NAMES = {
    "asides": "background",
    "dearest": "most_expensive",
    "foreseen": "missing",
    "mend": "fix",
    "misfit": "conflict",
    "nobodys": "missing",
    "overlooked": "unmatched",
    "salvaged": "partial",
    "seldom": "lazy",
    "taker": "importer",
    "told": "reported",
    "whose": "state, owner",
    "wish": "request",
}
PHRASES = {
    "anything that is no": "anything but",
    "has it not": "does not have it",
    "is told|are told|told of": "report, warn, print",
    "nobody is|nobody knows": "it is not",
    "that are none": "that are not",
}


@cache
def sources() -> dict[str, str]:
    """Return the texts of the package's modules and pages, by path in the package."""
    files = [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.md")]
    names = ((path.relative_to(PACKAGE).as_posix(), path) for path in files)
    return {
        name: path.read_text(encoding="utf-8")
        for name, path in sorted(names)
        if not name.startswith("templates/")
    }


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def test_first_lines_of_docstrings_are_short() -> None:
    long = [
        f"{name}:{line_of(text, match.start(1))}: {match[1]}"
        for name, text in sources().items()
        if name.endswith(".py")
        for match in FIRST_LINE.finditer(text)
        if len(match[1].split('"""')[0]) > MOST
    ]
    assert not long, f"longer than {MOST} characters:\n" + "\n".join(long)


def test_names_need_no_glossary() -> None:
    banned = re.compile(rf"(?:{'|'.join(NAMES)})(?:e?s)?")
    private = []
    for name, text in sources().items():
        if not name.endswith(".py"):
            continue
        for match in DEFINED.finditer(text):
            defined = match[1] or match[2] or match[3]
            words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", defined)
            private += [
                f"{name}:{line_of(text, match.start())}: {defined} (use: {NAMES[key]})"
                for word in words
                if banned.fullmatch(word.lower())
                for key in NAMES
                if word.lower().startswith(key)
            ]
    assert not private, "\n".join(private)


def test_sentences_say_who_does_what() -> None:
    riddles = [
        f"{name}:{line_of(text, match.start())}: {match[0]} (write: {plain})"
        for name, text in sources().items()
        for phrase, plain in PHRASES.items()
        for match in re.finditer(rf"\b(?:{phrase})\b", text)
    ]
    assert not riddles, "\n".join(riddles)
