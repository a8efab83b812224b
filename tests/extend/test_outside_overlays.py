"""Third-party overlays: drawn, listed, completed, and failing."""

from __future__ import annotations

from outside_packages import Packages, level

OVERLAY = """
from exporter.extend import Measured, OverlayMap, OverlayPath, measure, overlay_scale

@measure("odd", arguments=("object",))
def odd(level: Measured, name: str) -> OverlayMap:
    '''Something odd.'''
    BODY
"""
CAVE = "size: [12, 9]\nlayers:\n  ground: {generator: maze}\nobjects: [{name: key, count: 2}]\n"


def install(packages: Packages, body: str) -> None:
    text = OVERLAY.replace("BODY", body)
    packages.install("odd-pack", {"odd.py": text}, {"exporter.measures": {"odd": "odd"}})


def test_the_pages_overlay_is_drawn_and_listed(ruins: Packages) -> None:
    displayed = ruins.run(
        "preview", "levels/hall.level.yaml", "--terminal", "--overlay", "sheltered"
    )
    assert "sheltered" in displayed.stdout
    ruins.run("preview", "levels/hall.level.yaml", "-o", "o.png", "--overlay", "sheltered")
    assert (ruins.project / "o.png").read_bytes().startswith(b"\x89PNG")
    near = ruins.run("preview", "levels/hall.level.yaml", "--overlay", "beside_walls")
    assert "did you mean 'sheltered'?" in near.stderr
    assert "sheltered" in ruins.run("completion", "bash").stdout
    listed = ruins.json("plugins", "--json")["plugins"]
    (own,) = [item for item in listed if (item["kind"], item["name"]) == ("measure", "sheltered")]
    assert own["origin"] == "ruins-pack 1.0"
    assert own["summary"].startswith("Floor that has a cell without floor")


def test_an_overlay_takes_objects_and_gives_numbers_and_marks(packages: Packages) -> None:
    body = """
    cells = level.placed(name)
    numbers = level.steps_from(cells)
    import numpy as np
    found = overlay_scale(np.maximum(numbers, 0).astype(np.int32), numbers >= 0, "steps")
    return OverlayMap(found.values, scale=found.scale, marks=(OverlayPath(tuple(cells)),))
"""
    install(packages, body.strip())
    level(packages, CAVE)
    displayed = packages.run(
        "preview", "levels/one.level.yaml", "--terminal", "--overlay", "odd:key"
    )
    assert "steps" in displayed.stdout


def test_an_overlay_that_fails_is_reported_with_its_package(packages: Packages) -> None:
    install(packages, "return 1 // 0")
    level(packages, CAVE)
    failed = packages.run("preview", "levels/one.level.yaml", "--terminal", "--overlay", "odd:key")
    assert "measure 'odd' of odd-pack 1.0 failed (ZeroDivisionError" in failed.stderr


def test_a_mask_of_another_size_is_reported_with_its_package(packages: Packages) -> None:
    text = """
from exporter.extend import Mask, Measured, measure

@measure("odd")
def odd(level: Measured) -> Mask:
    '''Something odd.'''
    return level.walkable[1:]
"""
    packages.install("odd-pack", {"odd.py": text}, {"exporter.measures": {"odd": "odd"}})
    level(packages, CAVE)
    reported = "measure 'odd' of odd-pack 1.0 returned bool [8, 12] (it must return bool [9, 12])"
    for arguments in (["stats"], ["preview", "--terminal", "--overlay", "odd"]):
        command, *options = arguments
        assert reported in packages.run(command, "levels/one.level.yaml", *options).stderr


def test_a_measure_says_what_it_gives(packages: Packages) -> None:
    text = "from exporter.extend import measure\n@measure('odd')\ndef odd(level) -> str: ...\n"
    packages.install("odd-pack", {"odd.py": text}, {"exporter.measures": {"odd": "odd"}})
    assert "odd is annotated to return str (a measure returns int, float, Mask or OverlayMap)" in (
        packages.run("plugins").stdout
    )
