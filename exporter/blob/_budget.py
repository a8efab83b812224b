"""Limit the memory and work that decoding an untrusted blob may take.

A few bytes can declare a large level, and a short stream can take long to decode. So every decoding
step has a price in bytes of memory and steps of work, which a reader first subtracts from one
budget. The prices and their order are part of the format (`exporter/docs/reference/blob-format.md`,
section 6): the readers of all languages accept and refuse the same blobs.
"""

from __future__ import annotations

from exporter.blob.container import NONE, Chunk, Container
from exporter.codecs.codec import ELEMENTS, Limits
from exporter.model.errors import BlobError
from exporter.model.lazy_dataclass import dataclass

# Chunks that hold the parts of grids.
GRIDS = frozenset({"CELL", "WALK", "mask", "OPAQ"})
# Steps of a cell, by codec. A step is about the time a script takes to add two numbers to a table.
STEPS_OF_A_CELL = {0: 1, 1: 2, 2: 4, 16: 6, 18: 16, 17: 24}
# Steps of any part, whatever its size: its tables are made, its checksum is computed.
STEPS_OF_A_PART = 4096
STEPS_OF_A_VALUE = 16
# Scripts make numbers with a point or an exponent exactly, in long integers.
STEPS_OF_A_POINT = 64
STEPS_OF_AN_EXPONENT = 8192
# A plan of sight takes time with the fourth power of the radius; running it, with the table's size.
STEPS_OF_A_PLAN = 16
STEPS_OF_A_TABLE_BYTE = 3
BYTES_OF_A_SCALAR = 32
BYTES_OF_A_LIST = 128
BYTES_OF_A_MAP = 384
BYTES_OF_A_TEXT_BYTE = 8


@dataclass(frozen=True, slots=True)
class ValueCount:
    """How many values of each type a JSON text has, counted before parsing.

    Attributes:
        text: The size of the text in bytes.
        lists: The number of lists.
        maps: The number of mappings.
        scalars: The number of other values.
        points: The number of numbers with a decimal point.
        exponents: The number of numbers with an exponent.
    """

    text: int
    lists: int
    maps: int
    scalars: int
    points: int = 0
    exponents: int = 0

    @property
    def values(self) -> int:
        """The total number of values, as limited by `Limits.values`."""
        return self.lists + self.maps + self.scalars


class DecodingBudget:
    """The memory and work left for decoding one blob, or one level.

    Attributes:
        limits: The initial budget, and the limits of single things.
        bytes_left: The bytes left to charge; below 0 after a refusal.
        steps_left: The steps left to charge; below 0 after a refusal.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.bytes_left = self.limits.total
        self.steps_left = self.limits.steps
        self._last_plan: tuple[str, int, bool] | None = None

    def charge(self, what: str, size: int, steps: int) -> None:
        """Subtract `size` bytes of memory and `steps` of work from the budget.

        `what` names what is decoded, for the error message.

        Raises:
            BlobError: The budget is exceeded.
        """
        self.bytes_left -= size
        self.steps_left -= steps
        if self.bytes_left < 0:
            raise BlobError(f"{what} is over the limit of {self.limits.total} bytes")
        if self.steps_left < 0:
            raise BlobError(f"{what} is over the limit of {self.limits.steps} steps")

    def charge_values(self, what: str, count: ValueCount) -> None:
        """Subtract the cost of parsing a JSON text with the values `count`.

        `what` names the text in the error message.

        Raises:
            BlobError: The budget is exceeded.
        """
        size = (
            BYTES_OF_A_TEXT_BYTE * count.text
            + BYTES_OF_A_LIST * count.lists
            + BYTES_OF_A_MAP * count.maps
            + BYTES_OF_A_SCALAR * count.scalars
        )
        steps = (
            count.text
            + STEPS_OF_A_VALUE * count.values
            + STEPS_OF_A_POINT * count.points
            + STEPS_OF_AN_EXPONENT * count.exponents
        )
        self.charge(what, size, steps)

    def charge_grids(self, container: Container, level: int) -> None:
        """Subtract the cost of decoding all grids of a level.

        `level` is its index in a pack, a blob with several levels.

        Raises:
            BlobError: The budget is exceeded.
        """
        learned: dict[tuple[str, int], int] = {}
        for position in container.of_level(level):
            chunk = container.entry(position)
            if chunk.type not in GRIDS:
                continue
            size, steps = price_of_part(chunk)
            grid = (chunk.type, chunk.item)
            # Readers keep the last prior's model of a grid, as most parts have the same.
            if chunk.prior not in (NONE, learned.get(grid)):
                learned[grid] = chunk.prior
                parts = container.find(chunk.type, level, chunk.item)
                if chunk.prior < len(parts):
                    steps += price_of_part(container.entry(parts[chunk.prior]))[1]
            self.charge(f"level {level}", size, steps)

    def charge_walkable(self, cells: int) -> None:
        """Subtract the cost of finding which of `cells` cells are walkable.

        Raises:
            BlobError: The budget is exceeded.
        """
        self.charge("the walkable cells", cells, cells)

    def charge_sight(self, what: str, size: int, plan: tuple[str, int, bool]) -> None:
        """Subtract the cost of computing a visibility table of `size` bytes.

        `what` names the table in the error message. `plan` has the name of the rule, the radius,
        and whether walls are seen.

        Raises:
            BlobError: The budget is exceeded.
        """
        steps = STEPS_OF_A_TABLE_BYTE * size
        if plan != self._last_plan:
            steps += STEPS_OF_A_PLAN * plan[1] ** 4
            self._last_plan = plan
        self.charge(what, size, steps)


def price_of_part(chunk: Chunk) -> tuple[int, int]:
    """Return the most bytes and steps that decoding `chunk` can take."""
    size = ELEMENTS[chunk.element].itemsize if chunk.element < len(ELEMENTS) else 0
    cells = chunk.width * chunk.height
    # A codec that is not known is refused later.
    return cells * size, STEPS_OF_A_PART + STEPS_OF_A_CELL.get(chunk.codec, 0) * cells
