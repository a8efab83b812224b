"""Values that only Python knows are not stored where an engine has to read them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from outside_packages import Packages

import exporter
from exporter.blob import read_blob, read_container, write_blob, write_container
from exporter.model.errors import BlobError
from exporter.model.level import Layer, Level, Tile


def test_an_outside_rule_works_everywhere_but_in_blobs(ruins: Packages) -> None:
    text = (ruins.project / "levels" / "hall.level.yaml").read_text()
    more = "  seen: {generator: exposure}\n"
    ruins.write("levels/hall.level.yaml", text.replace("visibility:", f"{more}visibility:"))
    with ruins.active():
        level = exporter.build_level(exporter.load_level("levels/hall.level.yaml"))
        sight = level.visibility
        assert sight is not None
        assert (sight.algorithm, sight.mutual) == ("cross", True)
        assert level.layers["seen"].generator == "exposure"
        y, x = (~sight.opaque).nonzero()
        assert all(sight.visible_from(a, b)[b, a] for a, b in zip(x[:9], y[:9], strict=True))
        with pytest.raises(ValueError, match=r"rule 'cross', which its readers do not know \(kno"):
            exporter.write_blob(level)


def test_the_blob_of_such_a_level_lacks_nothing_else(ruins: Packages) -> None:
    ruins.json("export", "--json")
    blob = read_blob((ruins.project / "tiled" / "hall.lvb").read_bytes())
    assert (blob.visibility, blob.visibility_layer) == (None, None)
    assert blob.layers["hall"].generator == "pillars"
    assert [thing.name for thing in blob.objects] == ["statue"] * 3
    assert blob.puzzles["gate"].kind == "dial"


def test_a_codec_of_another_package_is_refused_in_a_blob() -> None:
    tiles = (Tile(0, "floor", walkable=True, opaque=False, color="#000000"),)
    layer = Layer("ground", "tiles", np.zeros((3, 4), np.uint8), "test", tiles=tiles)
    container = read_container(write_blob(Level("one", 4, 3, layers={"ground": layer})))
    chunks = [container.load(index) for index in range(len(container))]
    foreign = [replace(chunk, codec=200) if chunk.type == "CELL" else chunk for chunk in chunks]
    with pytest.raises(BlobError, match="codec 200 is not allowed in blobs"):
        read_blob(write_container(foreign))
