"""Exports that a tab requests: saved first, in a separate process, with a report."""

from __future__ import annotations

from pathlib import Path

from studio_tabs import CAVE, LEVEL, Studio


def test_an_export_saves_and_reports_its_files(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    tab.set(["seed"], 8)
    tab.send(do="export", number=4)
    assert tab.wait_for("exporting")["level"] == tab.levels[LEVEL]
    reported = tab.wait_for("export-report")
    assert (reported["number"], reported["problems"]) == (4, [])
    assert (reported["report"]["status"], reported["report"]["spec"]) == ("built", LEVEL)
    assert {output["target"] for output in reported["report"]["outputs"]} == {"tiled"}
    assert (project / "tiled" / "cave.tmj").exists()
    assert "seed: 8 " in (project / LEVEL).read_text()
    while (state := tab.wait_for("exported"))["state"] != "built" or state["stale"]:
        pass
    assert (state["step"], state["seconds"] < 100) == (1, True)
    tab.send(do="export")
    assert tab.wait_for("export-report")["report"]["status"] == "unchanged"
    (project / "exporter.yaml").write_text("targets: {tiled: {}}\n")
    tab.send(do="export")
    (problem,) = tab.wait_for("export-report")["problems"]
    assert problem["file"].endswith("exporter.yaml")


def test_nothing_is_exported_over_a_file_that_changed(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    tab.set(["seed"], 8)
    (project / LEVEL).write_text(CAVE.replace("seed: 7", "seed: 5"))
    tab.send(do="export")
    assert tab.wait_for("refused")["do"] == "export"
    assert not (project / "tiled").exists()


def test_a_spec_without_a_project_is_not_exported(tmp_path: Path) -> None:
    path = tmp_path / "alone.level.yaml"
    path.write_text(CAVE)
    studio = Studio(path)
    tab = studio.tab()
    tab.displayed_level("open", level=tab.levels["alone.level.yaml"])
    tab.send(do="export")
    assert "exporter init" in tab.wait_for("refused")["text"]
    studio.end()
