"""The schema file: ours is known whatever version wrote it, an edited one is not ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from exporter.cli.main import main
from exporter.model.installed import templates
from exporter.project.schema_file import (
    SCHEMA,
    derived_schema,
    is_current_schema,
    is_our_schema,
    schema_text,
)
from exporter.reading import schema as schema_module
from exporter.reading.schema import level_schema


def an_older_schema(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return the schema of a version that knew fewer things."""
    older = {"$schema": "", "title": "An older one", "definitions": {"é": {}}}
    with monkeypatch.context() as patch:
        patch.setattr(schema_module, "level_schema", lambda: older)
        return derived_schema()


def changed(data: bytes, **values: Any) -> bytes:
    return json.dumps({**json.loads(data), **values}).encode()


def test_the_template_is_current() -> None:
    assert (templates() / "levels" / SCHEMA).read_bytes() == derived_schema(), (
        "run: python tests/harness/update_schema.py"
    )


def test_the_mark_changes_nothing_that_the_schema_says() -> None:
    document = json.loads(schema_text())
    jsonschema.Draft7Validator.check_schema(document)
    assert list(document)[:2] == ["$schema", "$comment"]
    del document["$comment"]
    assert document == level_schema()


def test_every_version_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    older = an_older_schema(monkeypatch)
    assert is_our_schema(older)
    assert not is_current_schema(older)
    assert is_our_schema(schema_text())
    assert is_current_schema(schema_text())


def test_line_ends_and_indentation_are_no_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (schema_text(), an_older_schema(monkeypatch)):
        assert is_our_schema(data.replace(b"\n", b"\r\n"))
        assert is_our_schema(json.dumps(json.loads(data), indent=4, sort_keys=True).encode())


def test_an_edited_schema_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (schema_text(), an_older_schema(monkeypatch)):
        assert not is_our_schema(changed(data, title="Mine"))
        assert not is_our_schema(changed(data, extra=1))
        assert not is_our_schema(changed(data, **{"$comment": "mine"}))
        assert not is_current_schema(changed(data, title="Mine"))


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"$comment": 3}']
)
def test_what_is_no_schema_is_not_ours(data: bytes) -> None:
    assert not is_our_schema(data)
    assert not is_current_schema(data)


def test_the_command_prints_what_init_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["schema"]) == 0
    printed = capsys.readouterr().out.encode()
    assert is_current_schema(printed)


def test_init_refreshes_its_schema_and_keeps_an_edited_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", str(tmp_path)]) == 0
    path = tmp_path / "levels" / "level.schema.json"
    assert path.read_bytes() == schema_text()
    older = an_older_schema(monkeypatch)
    path.write_bytes(older)
    capsys.readouterr()
    assert main(["init", str(tmp_path)]) == 0
    assert "refreshed levels/level.schema.json\nkept exporter.yaml" in capsys.readouterr().out
    assert path.read_bytes() == schema_text()
    for edited in (changed(older, title="Mine"), b"{"):
        path.write_bytes(edited)
        assert main(["init", str(tmp_path)]) == 0
        reported = "kept levels/level.schema.json (it is not as init wrote it; delete it to get"
        assert reported in capsys.readouterr().out
        assert path.read_bytes() == edited
    path.unlink()
    assert main(["init", str(tmp_path)]) == 0
    assert path.read_bytes() == schema_text()


def test_a_linked_schema_is_left_to_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", str(tmp_path / "project")]) == 0
    path = tmp_path / "project" / "levels" / "level.schema.json"
    path.unlink()
    shared = tmp_path / "shared.json"
    shared.write_bytes(an_older_schema(monkeypatch))
    path.symlink_to(shared)
    before = shared.read_bytes()
    assert main(["init", str(tmp_path / "project")]) == 0
    assert "kept levels/level.schema.json (" in capsys.readouterr().out
    assert path.is_symlink()
    assert shared.read_bytes() == before
