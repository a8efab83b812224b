"""Unpack a pack to check it, and report its levels, measures and sizes."""

from __future__ import annotations

import zlib
from functools import partial
from pathlib import Path
from typing import Any

from exporter.model.lazy_dataclass import dataclass
from exporter.packs.format import HEADER, SIGNATURE
from exporter.packs.pack import Pack


def is_pack(path: Path) -> bool:
    """Return whether the file at `path` begins with the signature of packs."""
    with open(path, "rb") as stream:
        return stream.read(len(SIGNATURE)) == SIGNATURE


@dataclass(frozen=True, slots=True)
class PackInspection:
    """The sizes of a pack's parts, and the ranges of its values.

    It is made only if every level could be unpacked.

    Attributes:
        name: The name of the spec that the levels were made from.
        levels: The number of levels.
        bytes: The size of the file.
        shared: Bytes of the part that all levels share.
        columns: Bytes of the seeds, parameters and measures of all levels.
        table: Bytes of the header and of the table that states where each level begins.
        values: The least and the greatest value of each column of numbers, by group and name.
    """

    name: str
    levels: int
    bytes: int
    shared: int
    columns: int
    table: int
    values: dict[str, dict[str, tuple[Any, Any]]]

    def report(self) -> dict[str, Any]:
        """Return the inspection as JSON data."""
        return {
            "kind": "pack",
            "name": self.name,
            "levels": self.levels,
            "bytes": self.bytes,
            "bytes_per_level": round(self.bytes / max(1, self.levels), 1),
            "shared": self.shared,
            "columns": self.columns,
            "table": self.table,
            "values": self.values,
        }

    def text(self) -> str:
        """Return the inspection as lines to print, without a final line end."""
        average = self.bytes / max(1, self.levels)
        records = self.bytes - self.shared - self.columns - self.table
        return "\n".join(
            (
                f"pack of {self.levels:,} levels of {self.name}, {self.bytes:,} bytes, "
                f"{average:.0f} a level",
                f"{records:,} bytes of levels, {self.shared:,} shared, "
                f"{self.columns:,} of columns, {self.table:,} of the table of contents",
                *(
                    f"{group}: {name} from {least} to {most}"
                    for group, named in self.values.items()
                    for name, (least, most) in named.items()
                ),
            )
        )


def inspect_pack(path: Path) -> PackInspection:
    """Unpack every level of the pack at `path`; return its sizes and values.

    Raises:
        BlobError: The pack is damaged.
        OSError: The file cannot be read.
    """
    with Pack(path) as pack:
        header = pack.file.header
        for number in range(len(pack)):
            pack.file.blob(number, partial(zlib.compress, level=0))
        values: dict[str, dict[str, tuple[Any, Any]]] = {}
        for number, column in enumerate(pack.file.columns):
            cells = pack.file.column(number)
            if column["kind"] != "choice" and len(cells):
                ends = cells.min().item(), cells.max().item()
                values.setdefault(column["group"], {})[column["name"]] = ends
        return PackInspection(
            pack.name,
            len(pack),
            header.length,
            header.shared,
            header.columns,
            HEADER.size + 4 * (len(pack) + 1),
            values,
        )
