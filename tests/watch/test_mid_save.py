"""A spec that is empty or away for a moment, as editors leave it in the middle of a save."""

from __future__ import annotations

from pathlib import Path

from daemon_harness import Project
from exporter.export.project_snapshot import ProjectFiles
from exporter.store.entries import ManifestEntry
from exporter.store.store import Store


def test_an_empty_or_missing_spec_means_a_save_is_under_way(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.write("cave", seed=1)
    store = Store(project.root, project.root / ".exporter")
    with store:
        store.manifest.put(ManifestEntry("levels/cave.level.yaml", "cave"))
    files = ProjectFiles(project.root, store, "identity")
    files.read()
    assert not files.is_amid_a_save()
    spec = project.spec("cave")
    for content in (b"", b"x"):
        spec.write_bytes(content)
        assert files.is_amid_a_save() == (not content)
    spec.unlink()
    assert files.is_amid_a_save()
    files.read()  # the spec is no longer wanted, but its outputs are still there
    assert files.is_amid_a_save()
    with store:
        store.manifest.drop("levels/cave.level.yaml")
    assert not files.is_amid_a_save()
