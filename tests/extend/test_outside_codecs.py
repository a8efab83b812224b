"""Third-party codecs: their numbers, used by name alone, named when they fail."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from outside_packages import Packages

import exporter
from exporter.model.errors import BlobError, ExtensionError, RegistryError

CODEC = """
from exporter.extend import codec

codec("NAME", NUMBER, lambda array, side: SHORT, DECODE)
"""
CODECS = {"exporter.codecs": {"odd": "odd"}}
GRID = np.zeros((3, 4), bool)


def coded(name: str = "odd", number: int = 200, short: str = "b''", decode: str = "None") -> str:
    text = CODEC.replace("NAME", name).replace("NUMBER", str(number))
    return text.replace("SHORT", short).replace("DECODE", decode)


def refused(packages: Packages, kind: type[Exception]) -> str:
    with packages.active(), pytest.raises(kind) as error:
        exporter.encode(GRID, codec="odd")
    return str(error.value)


def test_a_codec_has_a_number_of_its_own_range(packages: Packages) -> None:
    packages.install("odd-pack", {"odd.py": coded(number=17)}, CODECS)
    assert refused(packages, RegistryError).endswith(
        "of odd-pack 1.0 cannot be used: importing odd failed (ValueError: codec 'odd' of odd "
        "cannot have the number 17 (allowed: 128 to 255)) in odd.py, line 4"
    )


def test_two_codecs_with_one_number_are_both_named(packages: Packages) -> None:
    packages.install("odd-pack", {"odd.py": coded()}, CODECS)
    other = coded(name="other")
    packages.install("other-pack", {"other.py": other}, {"exporter.codecs": {"other": "other"}})
    assert refused(packages, BlobError) == (
        "two codecs share the number 200: 'odd' of odd-pack 1.0 and 'other' of other-pack 1.0"
    )


@pytest.mark.parametrize(
    ("short", "decode", "kind", "reported"),
    [
        ("1 / 0", "None", ExtensionError, "codec 'odd' of odd-pack 1.0 failed (ZeroDivisionError"),
        (
            "b''", "lambda payload, shape, dtype, side: side.cells", BlobError,
            "broken odd data: the decoded shape is not the declared shape",
        ),
        (
            "b''", "lambda payload, shape, dtype, side: __import__('numpy').ones(shape, dtype)",
            ExtensionError,
            "codec 'odd' does not give back what it was given (it is of odd-pack 1.0)",
        ),
    ],
    ids=["fails", "decodes-nothing", "decodes-another"],
)  # fmt: skip
def test_a_codec_that_does_not_work_is_named(
    packages: Packages, short: str, decode: str, kind: type[Exception], reported: str
) -> None:
    packages.install("odd-pack", {"odd.py": coded(short=short, decode=decode)}, CODECS)
    assert reported in refused(packages, kind)


def test_data_of_a_codec_that_is_not_installed_is_refused() -> None:
    frame = bytearray(exporter.encode(GRID))
    frame[2] = 200
    frame[5:9] = zlib.crc32(frame[9:], zlib.crc32(frame[:5])).to_bytes(4, "little")
    with pytest.raises(BlobError, match="unknown codec 200: no package with it is installed"):
        exporter.decode(bytes(frame))


def test_outside_codecs_are_tried_only_when_named(packages: Packages) -> None:
    eager = coded().replace(", None)", ", None, ('small',))")
    packages.install("odd-pack", {"odd.py": eager}, CODECS)
    assert "is from another package" in refused(packages, RegistryError)
