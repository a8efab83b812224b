"""List the chunk sizes that divide a map evenly.

For a chunk size that does not fit, the nearest map sizes that it divides are listed.
"""

from __future__ import annotations

from typing import Any

from exporter.grids.divisors import (
    divisors,
    explain_chunk_size,
    fitting_chunk_sizes,
    greatest_common_factor,
    sizes_that_fit,
)
from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MapDivisors:
    """The sides of square chunks that divide a map evenly.

    Attributes:
        name: The name of the map: its size, or its spec.
        width: The number of columns, at least 1.
        height: The number of rows, at least 1.
        chunk: The side of chunks to check, at least 1; None checks none.
    """

    name: str
    width: int
    height: int
    chunk: int | None = None

    @property
    def chunk_sizes(self) -> list[int]:
        """The sides of square chunks that divide the map, ascending."""
        return fitting_chunk_sizes(self.width, self.height)

    @property
    def fits(self) -> bool:
        """Whether `chunk` divides the map evenly; True if it is None."""
        return self.chunk is None or self.chunk in self.chunk_sizes

    def report(self) -> dict[str, Any]:
        """Return the chunk sizes as JSON data."""
        result: dict[str, Any] = {
            "map": self.name,
            "width": self.width,
            "height": self.height,
            "greatest_common_factor": greatest_common_factor(self.width, self.height),
            "chunk_sizes": self.chunk_sizes,
            "width_divisors": divisors(self.width),
            "height_divisors": divisors(self.height),
        }
        if self.chunk is not None:
            result["chunk"] = {
                "size": self.chunk,
                "fits": self.fits,
                "widths_that_fit": sizes_that_fit(self.width, self.chunk),
                "heights_that_fit": sizes_that_fit(self.height, self.chunk),
            }
        return result

    def text(self) -> str:
        """Format the chunk sizes as lines of text, without a final line feed."""
        size = f"{self.width} x {self.height}"
        lines = [
            f"{self.name}: {size} cells" if self.name != size else f"{size} cells",
            f"square chunks that divide it: {_listed(self.chunk_sizes)}",
        ]
        if self.width != self.height:
            lines.append(f"chunk widths that divide it: {_listed(divisors(self.width))}")
            lines.append(f"chunk heights that divide it: {_listed(divisors(self.height))}")
        if self.chunk is not None:
            lines.append(
                explain_chunk_size(self.width, self.height, self.chunk)
                or f"{self.width // self.chunk} x {self.height // self.chunk} chunks of "
                f"{self.chunk} x {self.chunk} cells"
            )
        return "\n".join(lines)


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))
