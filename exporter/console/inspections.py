"""Print what files contain, and which chunk sizes divide a map."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exporter.blob.inspection.blobs import inspect_bytes, inspection_text
from exporter.blob.inspection.divisors import MapDivisors
from exporter.console.styles import PLAIN, Styles, styled
from exporter.model.errors import BlobError
from exporter.model.exit_codes import ExitCode
from exporter.model.input_files import read_input

# Limit of a file's size, because the whole file is read into memory.
MAXIMUM_INSPECTED_BYTES = 1 << 30


def report_inspections(
    files: Sequence[Path],
    maps: Sequence[MapDivisors],
    as_json: bool,
    all_symbols: bool = False,
    styles: Styles = PLAIN,
) -> int:
    """Print what files contain, and chunk sizes; return the exit code.

    The code is 1 if a blob or pack is damaged or a chunk does not divide its map.

    Args:
        files: The files to inspect.
        maps: Map sizes, each with the chunk sizes that divide it.
        as_json: Print one JSON document, `{"files": [...], "maps": [...]}`, with the maps only if
            there are any.
        all_symbols: List every byte value that a file has, not only the most frequent; JSON always
            has all.
        styles: Which streams show colours.
    """
    code = ExitCode.DONE
    documents = []
    for file in files:
        try:
            report, text = _inspect(file, all_symbols)
        except (BlobError, OSError) as error:
            severity = styled("error:", "error", styles.errors)
            print(f"{file}: {severity} {error}", file=sys.stderr)
            documents.append({"file": str(file), "error": str(error)})
            code = ExitCode.FAILED
            continue
        documents.append({"file": str(file), **report})
        if not as_json:
            print(f"{file}\n{text}")
    if not all(item.fits for item in maps):
        code = ExitCode.FAILED
    if as_json:
        document: dict[str, Any] = {"files": documents}
        if maps:
            document["maps"] = [item.report() for item in maps]
        print(json.dumps(document, indent=1))
    else:
        for item in maps:
            print(item.text())
    return code


def _inspect(file: Path, all_symbols: bool) -> tuple[dict[str, Any], str]:
    """Inspect a file; return the result as JSON data, and as text."""
    from exporter.packs.inspection import inspect_pack, is_pack

    if is_pack(file):
        pack = inspect_pack(file)
        return pack.report(), pack.text()
    inspection = inspect_bytes(read_input(file, MAXIMUM_INSPECTED_BYTES))
    return inspection.report(), inspection_text(inspection, all_symbols)
