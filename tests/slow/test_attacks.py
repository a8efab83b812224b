"""A stranger's project does no harm outside of its folder, whatever is prepared in it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("makes links and pipes, and forks", allow_module_level=True)

from attack_project import INDEX, OUTPUT, SETTINGS, SPEC, SPEC_PATH, Attack, tree
from attacks import ATTACKS, COMMANDS, EXPORTS, claiming_manifest, run
from attacks import row as manifest_row
from exporter.store.contents import digest_of
from exporter.store.manifest import JOURNAL, MANIFEST, Manifest


@pytest.fixture
def attack(tmp_path: Path) -> Attack:
    """A project whose author is an attacker."""
    attack = Attack(Path(os.path.realpath(tmp_path)))
    attack.make()
    return attack


# Each attack meets an export and one other command, which differ from attack to attack;
# tests/benchmarks/attacks.py tries all of both.
CASES = [
    (name, command)
    for number, name in enumerate(ATTACKS)
    for other, command in enumerate(COMMANDS)
    if other == 0 or number % (len(COMMANDS) - 1) + 1 == other
]
CASES.append(("folder of the specs is a link", "init"))


@pytest.mark.parametrize("sealed", [False, True])
def test_the_manifest_of_an_attacker_is_read_as_a_hint(attack: Attack, sealed: bool) -> None:
    """Else it would be no attack."""
    claiming_manifest(sealed=sealed, right=True)(attack)
    manifest = Manifest(attack.root / ".exporter")
    manifest.refresh()
    manifest.restrict(("t",))
    assert manifest.is_hint
    assert {output.path for output in manifest.entries[SPEC_PATH].files} >= {"t/out/file"}


@pytest.mark.parametrize(("name", "command"), CASES)
def test_nothing_outside_is_touched(attack: Attack, name: str, command: str) -> None:
    ATTACKS[name](attack)
    run(attack, command)


# --- refusals name the way out -------------------------------------------------------------------


OUTSIDE = {
    "target is a link": ("export", "watch"),
    "target is an absolute link": ("export", "force"),
    "target is a chain of links": ("check", "export"),
    "target dangles": ("export", "overwrite"),
    "link in the middle": ("dry run", "check"),
    "target above": ("export", "dry run"),
}


@pytest.mark.parametrize(
    ("name", "command"), [(name, item) for name, commands in OUTSIDE.items() for item in commands]
)
def test_a_target_outside_is_refused_with_the_command_that_allows_it(
    attack: Attack, name: str, command: str
) -> None:
    ATTACKS[name](attack)
    ended = run(attack, command)
    assert f"`exporter trust {attack.root} tiled`" in ended.text
    if command == "watch":  # it waits for a better exporter.yaml
        assert '"line": 2' in ended.text
    else:
        assert ended.code == 1
        assert "exporter.yaml:2:" in ended.text


def test_a_target_that_becomes_a_link_later_is_refused(attack: Attack) -> None:
    """A checked path is checked again when it is used."""
    assert run(attack, "export").code == 0
    assert (attack.root / "t" / OUTPUT).exists()
    attack.link("t", "../canary")
    attack.write(SPEC_PATH, SPEC.replace("1", "2"))
    for command in (*EXPORTS, "clean stale", "clean"):
        ended = run(attack, command)
        assert ended.code == 1 or command.startswith("clean"), (command, ended.text)
        assert ended.code == 0 or "outside the project" in ended.text, (command, ended.text)


RESERVED = [
    ".git",
    ".git/hooks",
    ".exporter",
    ".exporter/cache",
    "CON",
    "a/nul.txt/b",
    ".GIT",
    "aux",
    "GIT~1/x",
    ".g\u200cit/x",
]


@pytest.mark.parametrize("path", RESERVED)
def test_folders_of_version_control_and_reserved_names_are_no_targets(
    attack: Attack, path: str
) -> None:
    (attack.root / ".git/hooks").mkdir(parents=True)
    attack.write("exporter.yaml", f"targets:\n  tiled: {{path: {path}}}\n")
    before = tree(attack.root / ".git")
    for command in EXPORTS:
        ended = run(attack, command)
        assert ended.code == 1
        assert "where outputs are not allowed" in ended.text
        assert "exporter trust" not in ended.text  # no way out: no user may allow it
    assert attack.run("trust", ".", "tiled").code in (0, 1, 2)
    assert run(attack, "export").code == 1
    assert tree(attack.root / ".git") == before


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("state is a link", "is a symbolic link"),
        ("state is a file", "is not a folder (move it away)"),
        ("outputs are links", "--overwrite"),
        ("outputs are pipes", "is not a file"),
    ],
)
def test_what_lies_in_the_way_is_reported_with_a_way_out(
    attack: Attack, name: str, words: str
) -> None:
    ATTACKS[name](attack)
    ended = run(attack, "export")
    assert ended.code == 1
    assert words in ended.text


# --- a stranger's state inside the project -------------------------------------------------------


def exported(root: Path) -> dict[str, bytes]:
    """Return the outputs of a project."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted((root / "t").rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def honest(tmp_path: Path) -> dict[str, bytes]:
    """The expected outputs: those of the same project without a past."""
    clean = Attack(Path(os.path.realpath(tmp_path)) / "honest")
    clean.make()
    assert clean.run(*COMMANDS["export"]).code == 0
    return exported(clean.root)


HARMLESS = [
    "manifest",
    "manifest of another user",
    "journal of another user",
    "level that was renamed",
    "index is a link",
    "index is a pipe",
    "state is junk",
    "cache is a link",
    "folders of the cache are links",
    "cache that is full",
    "status.json is a link",
    "status files are links",
    f"{MANIFEST} is a link",
    f"{JOURNAL} is a link",
    f"{MANIFEST} is a pipe",
    f"{JOURNAL} is a pipe",
    "temporaries",
]


@pytest.mark.parametrize("name", HARMLESS)
def test_any_state_is_recovered_from_by_building_anew(
    attack: Attack, honest: dict[str, bytes], name: str
) -> None:
    ATTACKS[name](attack)
    for path in ("t/out", "t/link-file"):
        attack.clear(path)
    for _ in range(2):
        ended = run(attack, "export")
        assert ended.code == 0, ended.text
        result = exported(attack.root)
        assert {path: data for path, data in result.items() if ".tmp" not in path} == honest


ODD_VALUES: tuple[Any, ...] = (
    *(None, 5, -1, 1e308, True, "", "x", "../canary", "/etc", "\ud800", "a\0b", "t", "t/a"),
    *([], {}, [[]], 2**70, SPEC_PATH, "t/..", "a\nb"),
)


def _mangled(random: Random, value: Any) -> Any:
    """Return a value of a manifest with some parts replaced by odd ones."""
    if random.random() < 0.12:
        return random.choice(ODD_VALUES)
    if isinstance(value, dict):
        return {key: _mangled(random, inner) for key, inner in value.items()}
    if isinstance(value, list):
        more = [random.choice(ODD_VALUES)] if random.random() < 0.05 else []
        return [_mangled(random, inner) for inner in value] + more
    return value


@pytest.mark.parametrize("seed", range(6))
def test_mangled_manifests_and_indexes_are_recovered_from(
    attack: Attack, honest: dict[str, bytes], seed: int
) -> None:
    random = Random(seed)
    assert run(attack, "export").code == 0
    position = attack.root / ".exporter" / MANIFEST
    document = json.loads(position.read_bytes())
    del document["seal"]
    position.write_text(json.dumps(_mangled(random, document)))
    index = bytearray((attack.root / "t" / INDEX).read_bytes())
    for _ in range(random.randrange(6)):
        index[random.randrange(len(index))] = random.randrange(256)
    (attack.root / "t" / INDEX).write_bytes(index)
    run(attack, random.choice(["export", "dry run", "clean", "clean stale"]))
    assert run(attack, "overwrite").code == 0
    assert exported(attack.root) == honest


def _poison(attack: Attack, *, seal: bool) -> int:
    """Fill the cache with other contents under the right keys; return how many."""
    number = 0
    for path in (attack.root / ".exporter/cache").rglob("*"):
        if not path.is_file() or path.name == "size":
            continue
        key = (path.parent.name + path.name).encode()
        data = bytearray(path.read_bytes()[32:])
        for index in range(0, len(data), 7):
            data[index] ^= 1
        content = bytes(data)
        head = attack.seal(key, content) if seal else bytes.fromhex(digest_of(content))
        path.write_bytes(head + content)
        number += 1
    return number


@pytest.mark.parametrize("seal", [False, True], ids=["with hashes", "sealed by another user"])
@pytest.mark.parametrize("keep", ["cache", "cache and manifest"])
def test_a_poisoned_cache_reaches_no_output(
    attack: Attack, honest: dict[str, bytes], seal: bool, keep: str
) -> None:
    """The attacker has exported the project in this very place, and has its right keys."""
    attack.home, victim = attack.attacker, attack.home
    assert attack.run(*COMMANDS["export"]).code == 0
    assert _poison(attack, seal=seal) > 3
    if keep == "cache":
        (attack.root / ".exporter" / MANIFEST).unlink()
        shutil.rmtree(attack.root / "t")
    attack.home = victim
    for command in ("export", "force", "overwrite"):
        ended = run(attack, command)
        assert ended.code == 0, ended.text
        assert exported(attack.root) == honest


@pytest.mark.parametrize("who", ["attacker", "victim"])
def test_a_cache_serves_who_created_it_and_nobody_else(attack: Attack, who: str) -> None:
    """Shows, too, that the poison above lies where the exporter looks."""
    victim, attack.home = attack.home, attack.attacker
    assert attack.run(*COMMANDS["export"]).code == 0
    (attack.root / ".exporter" / MANIFEST).unlink()
    shutil.rmtree(attack.root / "t")
    cache = attack.root / ".exporter/cache"
    files = {path: path.read_bytes() for path in cache.rglob("*") if len(path.name) > 60}
    for path in files:
        os.utime(path, (1_000_000_000, 1_000_000_000))
    if who == "victim":
        attack.home = victim
    assert attack.run(*COMMANDS["export"]).code == 0
    used = [path for path in files if path.stat().st_mtime > 1_000_000_000]
    assert len(used) > 3
    replaced = [path for path in files if path.read_bytes() != files[path]]
    assert replaced == ([] if who == "attacker" else used)


def test_tampered_outputs_that_a_strangers_state_calls_current_are_created_anew(
    attack: Attack, honest: dict[str, bytes]
) -> None:
    attack.home, victim = attack.attacker, attack.home
    assert attack.run(*COMMANDS["export"]).code == 0
    attack.home = victim
    path = attack.root / "t" / OUTPUT
    tampered = path.read_bytes().replace(b"1", b"2")
    path.write_bytes(tampered)
    index = attack.root / "t" / INDEX
    true = digest_of(honest[f"t/{OUTPUT}"])
    index.write_bytes(index.read_bytes().replace(true.encode(), digest_of(tampered).encode()))
    manifest = attack.root / ".exporter" / MANIFEST
    document = json.loads(manifest.read_bytes())
    del document["seal"]
    for row in document["levels"][0]["outputs"]:
        if row[0] == f"t/{OUTPUT}":
            status = path.stat()
            row[7] = digest_of(tampered)
            row[9] = [status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
    text = json.dumps(document, separators=(",", ":"))[:-1].encode()
    digits = attack.seal(b"manifest", text).hex()
    manifest.write_bytes(text + f',"seal":"{digits}"}}'.encode())
    assert run(attack, "export").code == 0
    assert exported(attack.root) == honest


@pytest.mark.parametrize("command", ["clean", "clean stale", "export", "force", "overwrite"])
def test_a_stranger_cannot_have_other_files_of_the_project_removed(
    attack: Attack, command: str
) -> None:
    """Not even with their true contents, where the settings cannot be read."""
    for broken in (False, True):
        attack.make(SETTINGS + ("  nonsense\n" if broken else ""))
        mine = attack.write("art/hero.png", b"mine")
        note = attack.write("t/notes.txt", b"mine")
        rows = [
            manifest_row(path, digest_of((attack.root / path).read_bytes()), home)
            for path in ("art/hero.png", "exporter.yaml", "levels/cave.level.yaml")
            for home in ("art", ".", "levels", "", "t")
        ]
        rows.append(manifest_row("t/notes.txt", "0" * 64, "t"))
        attack.manifest(rows, sealed=False, spec="levels/gone.level.yaml", level="gone")
        before = {path: path.read_bytes() for path in (mine, note, attack.root / SPEC_PATH)}
        run(attack, command)
        assert {path: path.read_bytes() for path in before} == before
        assert (attack.root / "exporter.yaml").exists()


# --- trust ---------------------------------------------------------------------------------------


SIBLING = "targets:\n  tiled: {path: ../game/levels}\n  other: {engine: tiled, path: ../second}\n"


def test_a_trusted_sibling_is_written_and_nothing_else(attack: Attack) -> None:
    attack.write("exporter.yaml", SIBLING)
    game, second = attack.base / "game", attack.base / "second"
    game.mkdir()
    (game / "mine").write_bytes(b"mine")
    for target in ("tiled", "other"):
        refused = run(attack, "export")
        assert refused.code == 1
        assert f"`exporter trust {attack.root} {target}`" in refused.text
        ended = attack.run("trust", str(attack.root), target, folder=attack.base)
        assert ended.code == 0, ended.text
        assert not second.exists()
        assert not (game / "levels").exists()
    assert run(attack, "export").code == 0
    assert (game / "levels" / OUTPUT).exists()
    assert (second / OUTPUT).exists()
    assert sorted(path.name for path in game.iterdir()) == ["levels", "mine"]
    # Nothing beside the folders themselves.
    attack.write("exporter.yaml", "targets:\n  tiled: {path: ../game/elsewhere}\n")
    assert run(attack, "export").code == 1
    assert sorted(path.name for path in game.iterdir()) == ["levels", "mine"]
    # All of it is cleaned, and foreign files stay.
    attack.write("exporter.yaml", SIBLING)
    (game / "levels" / "notes").write_bytes(b"mine")
    assert run(attack, "clean").code == 0
    assert [path.name for path in (game / "levels").iterdir()] == ["notes"]
    assert (game / "mine").exists()


def test_trust_ends_where_a_link_in_the_trusted_folder_leads_out(attack: Attack) -> None:
    attack.write("exporter.yaml", "targets:\n  tiled: {path: ../game/levels}\n")
    (attack.base / "game").mkdir()
    assert attack.run("trust", ".", "tiled").code == 0
    (attack.base / "game/levels").symlink_to("../canary")
    for command in EXPORTS:
        ended = run(attack, command)
        assert ended.code == 1
        assert "outside the project" in ended.text


def test_moving_the_project_withdraws_the_trust(attack: Attack) -> None:
    attack.write("exporter.yaml", "targets:\n  tiled: {path: ../game/levels}\n")
    assert attack.run("trust", ".", "tiled").code == 0
    assert run(attack, "export").code == 0
    shutil.rmtree(attack.base / "game")
    moved = attack.base / "moved"
    attack.root.rename(moved)
    attack.root = moved
    ended = run(attack, "export")
    assert ended.code == 1
    assert f"`exporter trust {moved} tiled`" in ended.text
    assert not (attack.base / "game").exists()


def test_another_user_and_another_project_are_not_trusted(attack: Attack) -> None:
    attack.write("exporter.yaml", "targets:\n  tiled: {path: ../game/levels}\n")
    assert attack.run("trust", ".", "tiled").code == 0
    copy = attack.base / "copy"
    shutil.copytree(attack.root, copy)
    own, attack.root = attack.root, copy
    assert run(attack, "export").code == 1
    attack.root, attack.home = own, attack.base / "second home"
    assert run(attack, "export").code == 1
    assert not (attack.base / "game").exists()


def test_the_plugin_of_a_trusted_game_is_preserved_up_to_date(attack: Attack) -> None:
    attack.write("exporter.yaml", "targets:\n  godot: {path: ../game/levels, plugin: true}\n")
    game = attack.base / "game"
    game.mkdir()
    (game / "project.godot").write_text("")
    (game / "addons").mkdir()
    (game / "addons" / "mine").write_bytes(b"mine")
    assert run(attack, "export").code == 1
    assert attack.run("trust", ".", "godot").code == 0
    ended = run(attack, "export")
    assert ended.code == 0, ended.text
    assert (game / "addons/level_exporter/plugin.cfg").exists()
    assert (game / "levels" / "cave.lvb").exists()
    (game / "other").mkdir()
    attack.write("exporter.yaml", "targets:\n  godot: {path: ../game/other, plugin: true}\n")
    assert run(attack, "export").code == 1
    assert list((game / "other").iterdir()) == []
    attack.write("exporter.yaml", "targets:\n  godot: {path: ../game/levels, plugin: true}\n")
    assert run(attack, "clean").code == 0
    assert [path.name for path in (game / "addons").rglob("*") if path.is_file()] == ["mine"]
