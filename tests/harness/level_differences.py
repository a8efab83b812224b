"""What `exporter diff --json` says."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from exporter.cli.main import main


def diff(*arguments: str | Path) -> dict[str, Any]:
    """Return the document that the command prints; it runs in this process."""
    with redirect_stdout(io.StringIO()) as printed:
        assert main(["diff", *map(str, arguments), "--json"]) in (0, 1)
    document: dict[str, Any] = json.loads(printed.getvalue())
    return document
