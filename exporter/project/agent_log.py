"""Log which level specs AI agents wrote, in the project's state folder."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

from exporter.model.errors import Problem, SpecError
from exporter.project.project import STATE_FOLDER, display_path

LOG_FILE = "agent-writes.jsonl"
_MAXIMUM_LOG = 256 * 1024


def text_digest(content: bytes) -> str:
    """Return the hash by which AI agents refer to a spec's text, `content`."""
    return hashlib.sha256(content).hexdigest()[:16]


def log_write(root: Path, path: Path, before: str, content: bytes) -> None:
    """Log that an agent wrote a spec; halve the log when it is long.

    Args:
        root: The project's folder.
        path: The path of the spec.
        before: The hash (`text_digest`) of the replaced text; empty for a new file.
        content: The new text.
    """
    position = root / STATE_FOLDER / LOG_FILE
    entry = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "file": path.relative_to(root).as_posix(),
        "before": before,
        "after": text_digest(content),
        "bytes": len(content),
    }
    position.parent.mkdir(exist_ok=True)
    if position.exists() and position.stat().st_size > _MAXIMUM_LOG:
        lines = position.read_text(encoding="utf-8").splitlines(keepends=True)
        position.write_text("".join(lines[len(lines) // 2 :]), encoding="utf-8")
    with position.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


def read_log(root: Path) -> str:
    """Return the log of the project in folder `root`; "" without one.

    Raises:
        SpecError: The log cannot be read.
    """
    position = root / STATE_FOLDER / LOG_FILE
    try:
        return position.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError([Problem(f"cannot be read ({error})", display_path(position))]) from None


def was_written_by_agent(root: Path, path: Path, content: bytes) -> bool:
    """Return whether `content` is what an agent last wrote to spec `path`.

    `root` is the project's folder, which has the log.
    """
    file = path.relative_to(root).as_posix()
    for line in reversed(read_log(root).splitlines()):
        try:
            entry = json.loads(line)
        except ValueError:  # a line that is being written
            continue
        if isinstance(entry, dict) and entry.get("file") == file:
            return bool(entry.get("after") == text_digest(content))
    return False
