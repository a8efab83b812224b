"""Codecs from outside: numbers of their own, used by name alone, named when they fail."""

from __future__ import annotations

import pytest
from outside_packages import Packages

CODEC = """
from exporter.extend import codec

codec("NAME", NUMBER, lambda array, side: SHORT, DECODE)
"""
CODECS = {"exporter.codecs": {"odd": "odd"}}
ENCODE = "import exporter, numpy\nexporter.encode(numpy.zeros((3, 4), bool), codec='odd')\n"


def coded(name: str = "odd", number: int = 200, short: str = "b''", decode: str = "None") -> str:
    text = CODEC.replace("NAME", name).replace("NUMBER", str(number))
    return text.replace("SHORT", short).replace("DECODE", decode)


def last_line(packages: Packages, code: str = ENCODE) -> str:
    return packages.python("-c", code).stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("number", "whose"),
    [(17, ", which is that of the built-in codec 'tiles'"), (99, ""), (256, "")],
)
def test_a_codec_has_a_number_of_its_own_range(packages: Packages, number: int, whose: str) -> None:
    packages.install(
        "odd-pack", {"odd.py": coded(number=number)}, {"exporter.codecs": {"odd": "odd"}}
    )
    told, _, line = last_line(packages).partition(" in odd.py, line ")
    assert line == "4"
    assert told.endswith(
        f"of odd-pack 1.0 cannot be used: importing odd failed (ValueError: codec 'odd' of odd "
        f"cannot have the number {number}{whose} (allowed: 128 to 255))"
    )


def test_two_codecs_with_one_number_are_both_named(packages: Packages) -> None:
    packages.install("odd-pack", {"odd.py": coded()}, CODECS)
    assert "number" not in last_line(packages)
    other = coded(name="other")
    packages.install("other-pack", {"other.py": other}, {"exporter.codecs": {"other": "other"}})
    unproven = ENCODE.replace("codec='odd'", "codec='odd', verify=False")
    for code in (ENCODE, unproven):
        assert last_line(packages, code).endswith(
            "BlobError: two codecs have the number 200: 'odd' of odd-pack 1.0 and "
            "'other' of other-pack 1.0"
        )


@pytest.mark.parametrize(
    ("short", "decode", "told"),
    [
        ("1 / 0", "None", "ExtensionError: codec 'odd' of odd-pack 1.0 failed (ZeroDivisionError"),
        (
            "b''", "lambda payload, shape, dtype, side: side.cells",
            "BlobError: broken odd data: it has another shape than declared",
        ),
        (
            "b''", "lambda payload, shape, dtype, side: __import__('numpy').ones(shape, dtype)",
            "ExtensionError: codec 'odd' does not give back what it was given "
            "(it is of odd-pack 1.0)",
        ),
    ],
    ids=["fails", "decodes-nothing", "decodes-another"],
)  # fmt: skip
def test_a_codec_that_does_not_work_is_named(
    packages: Packages, short: str, decode: str, told: str
) -> None:
    text = coded(short=short, decode=decode)
    packages.install("odd-pack", {"odd.py": text}, CODECS)
    assert told in last_line(packages)


def test_data_of_a_codec_that_is_not_installed_is_refused(packages: Packages) -> None:
    code = (
        "import exporter, numpy, zlib\n"
        "frame = bytearray(exporter.encode(numpy.zeros((3, 4), bool)))\n"
        "frame[2] = 200\n"
        "frame[5:9] = zlib.crc32(frame[9:], zlib.crc32(frame[:5])).to_bytes(4, 'little')\n"
        "exporter.decode(bytes(frame))\n"
    )
    assert last_line(packages, code).endswith(
        "BlobError: unknown codec 200: no package with it is installed"
    )
    packages.install("odd-pack", {"odd.py": "1 / 0"}, CODECS)
    assert "installed; the codec 'odd' of odd-pack 1.0 cannot be used" in last_line(packages, code)


def test_no_codec_from_outside_is_ever_tried_where_none_is_named(packages: Packages) -> None:
    eager = coded().replace(", None)", ", None, ('small',))")
    packages.install("odd-pack", {"odd.py": eager}, CODECS)
    assert "is used by name alone: it has no profiles" in last_line(packages)
