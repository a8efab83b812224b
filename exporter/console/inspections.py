"""Reports of what is in a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from exporter.inspection.blobs import inspect_bytes, inspection_text
from exporter.model.errors import BlobError
from exporter.model.exit_codes import ExitCode


def report_inspections(files: Sequence[Path], as_json: bool) -> int:
    """Report what is in files; return the exit code (1 when a blob is damaged)."""
    code = ExitCode.DONE
    documents = []
    for file in files:
        try:
            inspection = inspect_bytes(file.read_bytes())
        except (BlobError, OSError) as error:
            print(f"{file}: error: {error}", file=sys.stderr)
            documents.append({"file": str(file), "error": str(error)})
            code = ExitCode.FAILED
            continue
        documents.append({"file": str(file), **inspection.report()})
        if not as_json:
            print(f"{file}\n{inspection_text(inspection)}")
    if as_json:
        print(json.dumps({"files": documents}, indent=1))
    return code
