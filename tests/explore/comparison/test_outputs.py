"""Which exported files of two levels differ."""

from __future__ import annotations

from exporter.explore.comparison.outputs import OutputFile, compare_outputs, outputs_document


def output(path: str, content: str, kind: str = "bitmap", layer: str | None = None) -> OutputFile:
    return OutputFile(path, kind, layer, "tiled", len(content), content)


def test_files_are_the_same_where_their_hashes_are() -> None:
    outputs = compare_outputs([output("a.png", "x")], [output("a.png", "x")])
    assert (outputs.changed, outputs.same, outputs.was, outputs.now) == ((), 1, (1, 1), (1, 1))


def test_files_are_compared_by_their_paths() -> None:
    same = output("c.png", "x")
    was = [same, output("b.png", "x", layer="ground"), output("gone.tmx", "xy", "tilemap")]
    now = [same, output("b.png", "y", layer="ground"), output("a.lvb", "xyz", "blob")]
    outputs = compare_outputs(was, now)
    assert [(item.output.path, item.kind) for item in outputs.changed] == [
        ("a.lvb", "added"),
        ("b.png", "changed"),
        ("gone.tmx", "removed"),
    ]
    assert dict(outputs.kinds) == {"bitmap": 1, "blob": 1, "tilemap": 1}
    assert (outputs.layers, outputs.same) == (("ground",), 1)


def test_the_document_has_bytes_of_both_sides() -> None:
    result = outputs_document(
        compare_outputs([output("b.png", "x")], [output("b.png", "yy"), output("c.png", "z")])
    )
    assert (result["was"], result["now"]) == ({"files": 1, "bytes": 1}, {"files": 2, "bytes": 3})
    sizes = [(item["was"], item["now"]) for item in result["changed"]]
    assert sizes == [(1, 2), (None, 1)]
