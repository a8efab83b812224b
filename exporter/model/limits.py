"""How large a level may be. Every room that must refuse something larger asks here."""

from __future__ import annotations

# Cells in a row or a column, in one layer, and in all layers of a level.
MAXIMUM_SIDE = 8192
MAXIMUM_CELLS = 1 << 24
MAXIMUM_TOTAL_CELLS = 4 * MAXIMUM_CELLS
MAXIMUM_LAYERS = 64
