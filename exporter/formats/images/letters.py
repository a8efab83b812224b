"""Draw labels in pictures with letters of 3 x 5 pixels.

No font is used, so that pictures have the same bytes on every machine. Lower-case letters look like
capitals.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 3, 5
# Columns from one letter to the next.
ADVANCE = 4

# Five rows, each three bits as an octal digit, the left pixel first.
_LETTERS = {
    "ABCDEFGH": "25755 65656 34443 65556 74647 74644 34553 55755",
    "IJKLMNOP": "72227 11152 55655 44447 57755 65555 25552 65644",
    "QRSTUVWXYZ": "25563 65655 34216 72222 55557 55552 55775 55255 55222 71247",
    "0123456789": "75557 26227 71747 71717 55711 74717 74757 71122 75757 75717",
    " ._-=:%/": "00000 00002 00007 00700 07070 02020 51245 11244",
    "',+()<>": "22000 00024 02720 24442 21112 12421 42124",
}
_ROWS = {
    letter: rows
    for letters, text in _LETTERS.items()
    for letter, rows in zip(letters, text.split(), strict=True)
}
_UNKNOWN = "71202"


def text_width(text: str) -> int:
    """Return the width in pixels of `text` in letters of 3 x 5 pixels."""
    return max(0, ADVANCE * len(text) - 1)


def letter_mask(text: str) -> NDArray[np.bool_]:
    """Draw `text`: True for the letters' pixels, bool [5, width]."""
    mask = np.zeros((HEIGHT, max(1, text_width(text))), bool)
    for index, letter in enumerate(text.upper()):
        rows = _ROWS.get(letter, _UNKNOWN)
        for y, digit in enumerate(rows):
            for x in range(WIDTH):
                mask[y, ADVANCE * index + x] |= bool(int(digit) >> (2 - x) & 1)
    return mask
