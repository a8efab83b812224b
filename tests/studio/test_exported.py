"""The state of the last export, as the studio reports it for the open level."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from exporter.cli.main import main
from exporter.project.level_files import LevelFile, LevelFiles
from exporter.studio.exported import export_state, pack_path, status_path
from studio_tabs import CAVE, Studio

LEVEL = "levels/cave.level.yaml"
EDITS = "layers:\n  ground:\n    - {at: [0, 0], was: wall, now: floor}\n"


def export(project: Path) -> None:
    main(["export", str(project), "-q"])


def level_of(project: Path) -> LevelFile:
    (level,) = LevelFiles(project).all()
    return level


def state(project: Path) -> dict[str, Any]:
    level = level_of(project)
    return export_state(level, status_path(level))


def test_it_is_followed_from_the_first_export_to_a_failed_one(
    studio: Studio, project: Path
) -> None:
    tab = studio.tab()
    tab.send(do="open", level=tab.levels[LEVEL])
    assert tab.wait_for("exported")["state"] == "never"
    export(project)
    reported = tab.wait_for("exported")
    assert (reported["level"], reported["state"], reported["stale"]) == (
        tab.levels[LEVEL],
        "built",
        False,
    )
    tab.set(["seed"], 8)
    tab.send(do="save")
    reported = tab.wait_for("exported")
    assert (reported["state"], reported["stale"]) == ("built", True)
    export(project)
    assert tab.wait_for("exported")["stale"] is False
    (project / LEVEL).write_text(CAVE.replace("wall_percent: 40", "wall_percent: much"))
    while not tab.wait_for("exported")["stale"]:
        pass
    export(project)
    while (reported := tab.wait_for("exported"))["state"] != "failed":
        pass
    assert reported["error"].startswith("line 5: ")


def test_hand_edits_that_are_saved_make_the_export_older(project: Path) -> None:
    export(project)
    assert state(project)["stale"] is False
    edits = project / "levels" / "cave.edits.yaml"
    edits.write_text(EDITS)
    assert state(project)["stale"] is True
    export(project)
    assert (state(project)["state"], state(project)["stale"]) == ("built", False)
    edits.unlink()
    assert state(project)["stale"] is True


def test_a_spec_without_a_project_is_exported_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "cave.level.yaml"
    path.write_text(CAVE)
    level = LevelFile("a", path, "cave.level.yaml", None)
    assert export_state(level, status_path(level))["state"] == ""


def write(project: Path, content: bytes) -> None:
    path = status_path(level_of(project))
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def test_a_status_that_may_be_anything_is_unknown(project: Path) -> None:
    contents = [b"", b"\xff\xfe", b"[]", b'{"status": "broken"}', b'{"status": {}}', b"[" * 100_000]
    for content in (*contents, b'{"status": "built"' + b" " * (16 << 20) + b"}"):
        write(project, content)
        assert state(project)["state"] == "unknown", content[:20]
    path = status_path(level_of(project))
    assert path is not None
    path.unlink()
    path.mkdir()
    assert state(project)["state"] == "unknown"


ERRORS: list[tuple[object, str]] = [
    ([{"message": "no", "line": 3}], "line 3: no"),
    ([{"message": "no", "line": True}], "no"),
    ([{"message": "no", "line": -1}], "no"),
    ([{"message": ["no"]}], ""),
    ([], ""),
    (["no"], ""),
    ({"0": 1}, ""),
    ([{"message": "half \ud800"}], "half ?"),
]


def test_errors_of_a_status_are_short_texts_or_none(project: Path) -> None:
    for errors, reported in ERRORS:
        document = {"status": "failed", "errors": errors, "kept": "all", "complete": 3}
        write(project, json.dumps(document).encode())
        result = state(project)
        assert (result["state"], result["error"], result["kept"]) == ("failed", reported, 0), errors
        assert result["complete"] is True


def test_a_long_error_is_cut(project: Path) -> None:
    document = {"status": "failed", "errors": [{"message": "x" * 10_000}]}
    write(project, json.dumps(document).encode())
    assert len(state(project)["error"]) <= 310


def test_a_status_without_digests_says_nothing_of_the_spec(project: Path) -> None:
    write(project, json.dumps({"status": "built", "digest": "x", "edits_digest": 3}).encode())
    assert state(project)["stale"] is False


def test_a_pack_lies_in_the_project_and_has_a_name_that_files_can_have(project: Path) -> None:
    level = level_of(project)
    path = status_path(level)
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    (project.parent / "elsewhere.lvp").write_bytes(b"")
    (project / "cave.lvp").write_bytes(b"")
    (project / "loop.lvp").symlink_to("loop.lvp")
    odd = [
        "loop.lvp",
        "\ud800.lvp",
        "\0.lvp",
        "x" * 300 + ".lvp",
        "../elsewhere.lvp",
        "missing.lvp",
    ]
    for outputs, expected in ((odd, None), ([*odd, "cave.lvp"], (project / "cave.lvp").resolve())):
        path.write_text(json.dumps({"outputs": outputs}))
        assert pack_path(level) == expected
