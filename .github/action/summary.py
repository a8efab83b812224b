"""Write each level's result, with pictures of changed levels, into the job's summary.

A summary shows no picture that is not already on the web, so it gets a small one of coloured
squares. The pictures themselves go into a folder, which the action keeps as an artifact.
"""

import html
import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image

# Columns of a picture in the summary, which shows some 100 letters in a line: a square takes two.
COLUMNS = 44
# A summary of more than 1 MiB is not shown at all.
MAXIMUM_BYTES = 900_000
# The squares of Unicode and their usual colours.
SQUARES = {
    "\u2b1b": (29, 29, 29),
    "\u2b1c": (236, 236, 236),
    "\U0001f7e5": (221, 46, 68),
    "\U0001f7e7": (244, 144, 12),
    "\U0001f7e8": (253, 203, 88),
    "\U0001f7e9": (120, 177, 89),
    "\U0001f7e6": (85, 172, 238),
    "\U0001f7ea": (170, 142, 214),
    "\U0001f7eb": (193, 105, 79),
}
# How far the colours of most squares are from grey, and how much stronger weaker ones are made.
SQUARE_STRENGTH = 60.0
STRONGER = 4.0
Level = Mapping[str, Any]


def main() -> int:
    """Write the summary; tell the runner where the pictures are."""
    report = json.loads(Path(os.environ["EXPORTER_REPORT"]).read_text(encoding="utf-8"))
    project = Path(os.environ["EXPORTER_PROJECT"])
    folder = Path(os.environ["RUNNER_TEMP"]) / "level-pictures"
    folder.mkdir(exist_ok=True)
    parts = [table(report)]
    displayed = [level for level in report["levels"] if level["status"] == "built" and level["written"]]
    limit = pictures(os.environ["EXPORTER_PICTURES"])
    for number, level in enumerate(displayed[:limit], start=1):
        picture = folder / f"{number}-{file_name(level['level'])}.png"
        if draw(project / level["spec"], picture):
            parts.append(f"#### {text(level['level'])}\n\n```\n{squares(picture)}\n```\n")
    if len(displayed) > limit:
        parts.append(f"{len(displayed) - limit} more changed levels are not drawn.\n")
    write(parts)
    if any(folder.iterdir()):
        with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as outputs:
            outputs.write(f"pictures={folder}\n")
    return 0


def pictures(given: str) -> int:
    """Return how many levels are drawn; exit with a message on any other value."""
    if not (given.isascii() and given.isdecimal()):
        sys.exit(f"::error::the input pictures must be a whole number, not {given.strip()!r}")
    return int(given)


def table(report: Mapping[str, Any]) -> str:
    """Return a table of the levels that changed or failed, and a line that counts the others."""
    lines = ["### Levels\n", "| level | status | changed files | problems |", "|---|---|---|---|"]
    unchanged = 0
    for level in report["levels"]:
        problems = len(level["errors"]) + len(level["warnings"])
        if level["status"] == "failed" or level["written"] or problems:
            name, spec = text(level["level"]), text(level["spec"])
            files = len(level["written"])
            lines.append(f"| {name} ({spec}) | {level['status']} | {files} | {problems} |")
        else:
            unchanged += 1
    if len(lines) == 3:
        lines = lines[:1]
    lines.append(f"\n{unchanged} unchanged, {len(report.get('stale', ()))} stale files.\n")
    return "\n".join(lines)


def draw(spec: Path, picture: Path) -> bool:
    """Draw a level; say on standard error why it cannot be drawn."""
    command = [sys.executable, "-m", "exporter", "preview", "-o", str(picture), "--overwrite"]
    done = subprocess.run([*command, "--", str(spec)], stdout=subprocess.DEVNULL, check=False)
    return done.returncode == 0 and picture.is_file()


def squares(picture: Path) -> str:
    """Return a picture as lines of coloured squares."""
    with Image.open(picture) as opened:
        columns = min(COLUMNS, opened.width)
        rows = max(1, round(columns * opened.height / opened.width))
        small = opened.convert("RGB").resize((columns, rows), Image.Resampling.BOX)
    pixels = small.load()
    return "\n".join(
        "".join(nearest(pixels[x, y]) for x in range(columns))
        for y in range(min(rows, 4 * COLUMNS))
    )


def nearest(color: tuple[int, int, int]) -> str:
    """Return the square whose colour is most like another one; hues count more than light."""

    def difference(item: str) -> float:
        light, *hues = (a - b for a, b in zip(parts(SQUARES[item]), parts(color), strict=True))
        return light**2 + 2 * sum(hue**2 for hue in hues)

    return min(SQUARES, key=difference)


def parts(color: tuple[int, int, int]) -> tuple[float, float, float]:
    """Return the light of a colour, and how much more blue and red it has than that.

    The squares have strong colours, stone and soil weak ones: those are made stronger.
    """
    red, green, blue = color
    light = 0.299 * red + 0.587 * green + 0.114 * blue
    strength = math.hypot(blue - light, red - light)
    factor = max(1.0, min(STRONGER, SQUARE_STRENGTH / strength)) if strength else 1.0
    return light, factor * (blue - light), factor * (red - light)


def text(value: str) -> str:
    """Return a name as plain text of a table: no markup of it is acted upon."""
    escaped = html.escape(" ".join(value.split()))
    return "".join(f"\\{item}" if item in "\\`*_{}[]()#+-!|~" else item for item in escaped)


def file_name(name: str) -> str:
    """Return a name of ASCII letters, which every artifact store takes."""
    return "".join(item if item.isascii() and item.isalnum() else "-" for item in name)[:60]


def write(parts: list[str]) -> None:
    """Append the parts to the summary, as far as they go into it."""
    size = 0
    with open(os.environ["GITHUB_STEP_SUMMARY"], "ab") as summary:
        for part in parts:
            data = f"{part}\n".encode()
            size += len(data)
            if size > MAXIMUM_BYTES:
                summary.write(b"\nThe rest is too large for a summary.\n")
                return
            summary.write(data)


if __name__ == "__main__":
    sys.exit(main())
