"""Find contents that an unsealed manifest is trusted for."""

from __future__ import annotations

from collections.abc import Collection

from exporter.store.entries import Entry, Output
from exporter.store.target_index import is_digest, is_inside


def trusted_hints(entry: Entry) -> list[Entry]:
    """Return the trusted part of an unsealed entry, if any."""
    names = (entry.spec, entry.level)
    if not all(isinstance(name, str) and (not name or is_inside(name)) for name in names):
        return []
    outputs = []
    for output in entry.files:
        path, home = output.path, output.home
        written, coming = (
            digest if is_digest(digest) else "" for digest in (output.written, output.coming)
        )
        if isinstance(path, str) and isinstance(home, str) and (written or coming):
            once = output.once is True
            outputs.append(Output(path, "", None, "", 0, written, once, written, coming, home=home))
    return [Entry(entry.spec, entry.level, outputs=tuple(outputs))]


def home_of(output: Output, homes: Collection[str]) -> str | None:
    """Return the folder whose index would list an output, if any."""
    home = output.home
    start = "" if home == "." else f"{home}/"
    is_in_it = output.path.startswith(start) and is_inside(output.path[len(start) :])
    return home if home in homes and is_in_it else None
