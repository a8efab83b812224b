"""A stranger's project does no harm outside of its folder, whatever is prepared in it.

Each attack is made anew for each command. Afterwards a tree of canaries beside the project is the
same byte for byte, the command has ended by itself and without a traceback, and what it refused it
refused with words.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exporter.export.status import level_status_name

if not sys.platform.startswith("linux"):
    pytest.skip("makes links and pipes, and forks", allow_module_level=True)

from attack_project import INDEX, OUTPUT, SETTINGS, SPEC, SPEC_PATH, Attack, tree
from exporter.store.contents import digest_of
from exporter.store.manifest import JOURNAL, MANIFEST

COMMANDS: dict[str, tuple[str, ...]] = {
    "export": ("export", "--jobs", "1"),
    "force": ("export", "--jobs", "1", "--force"),
    "overwrite": ("export", "--jobs", "1", "--overwrite"),
    "dry run": ("export", "--jobs", "1", "--dry-run"),
    "watch": (),
    "clean": ("clean",),
    "clean stale": ("clean", "--stale"),
    "check": ("check",),
    "preview": ("preview", SPEC_PATH),
    "init": ("init",),
    "migrate": ("migrate", "."),
}
# Their outputs may stand in the way of nothing else.
EXPORTS = ("export", "force", "overwrite")


@pytest.fixture
def attack(tmp_path: Path) -> Attack:
    """A project whose author is an attacker."""
    attack = Attack(Path(os.path.realpath(tmp_path)))
    attack.make()
    return attack


def run(attack: Attack, command: str) -> Any:
    """Run a command, and check what must hold of every one."""
    ended = attack.watch() if command == "watch" else attack.run(*COMMANDS[command])
    assert "Traceback" not in ended.text, ended.text
    assert ended.code in (0, 1, 2), ended.text
    if ended.code:
        assert ended.text.strip()
    assert tree(attack.canary) == attack.before, ended.text
    return ended


# --- attacks -------------------------------------------------------------------------------------

CLAIMS = {
    "up": "../canary/{}",
    "up through the target": "t/../../canary/{}",
    "absolute": "{canary}/{}",
    "doubled slash": "//{canary}/{}",
    "linked folder": "out/{}",
    "linked folder in the target": "t/out/{}",
    "linked file": "t/link-{}",
}


def _claims(attack: Attack, *, right: bool) -> list[tuple[str, str]]:
    """Return every way to name the canaries, with their contents or with wrong ones."""
    attack.link("out", "../canary")
    attack.link("t/out", "../../canary")
    attack.link("t/link-file", "../../canary/file")
    found = []
    for form in CLAIMS.values():
        for name in ("file", "deep/file", OUTPUT, "size"):
            digest = attack.digest(name) if right else "0" * 64
            found.append((form.format(name, canary=attack.canary), digest))
    return found


def _home(path: str) -> str:
    return "t" if path.startswith("t/") else os.path.dirname(path)


def _row(path: str, digest: str, home: str) -> list[Any]:
    status = None
    return [path, "bitmap", None, "tiled", 4, digest, False, True, digest, status, home]


def _manifest(version: int, *, sealed: bool, right: bool) -> Callable[[Attack], None]:
    def make(attack: Attack) -> None:
        rows = []
        for path, digest in _claims(attack, right=right):
            status = attack.canary / "file"
            mark = [status.stat().st_mtime_ns, status.stat().st_ctime_ns, status.stat().st_ino]
            if version == 2:
                rows.append([path, "bitmap", None, "tiled", 4, digest, False, False, digest, mark])
            else:
                for home in (_home(path), "t", ".", "..", ""):
                    rows.append([*_row(path, digest, home)[:9], mark, home])
        attack.manifest(version, rows, sealed=sealed, stale=rows if version == 3 else [])

    return make


def _journal(attack: Attack) -> None:
    """A journal that says the same, sealed by another user, below a sealed manifest."""
    attack.manifest(3, [], sealed=True)
    rows = [_row(path, digest, _home(path)) for path, digest in _claims(attack, right=True)]
    level = {
        "spec": "levels/gone.level.yaml",
        "level": "gone",
        "key": "",
        "digest": "",
        "folder": os.stat(attack.root / "levels").st_ino,
        "inputs": {},
        "outputs": rows,
        "stale": rows,
        "identities": {},
        "layers": {},
        "warnings": [],
    }
    lines = b""
    for change in ({"generation": 1}, {"level": level}):
        text = json.dumps(change, separators=(",", ":")).encode()
        lines += attack.seal(b"journal", text).hex()[:16].encode() + b" " + text + b"\n"
    attack.write(f".exporter/{JOURNAL}", lines)


def _deleted_spec(attack: Attack) -> None:
    """The spec whose outputs the manifest claims is gone, so that they are to be removed."""
    rows = [_row(path, digest, _home(path)) for path, digest in _claims(attack, right=True)]
    attack.manifest(3, rows, sealed=False, spec="levels/gone.level.yaml", level="gone")


def _renamed_level(attack: Attack) -> None:
    """The level had another name, so that its outputs are to be renamed."""
    rows = [_row(path, digest, "t") for path, digest in _claims(attack, right=True)]
    attack.manifest(3, rows, sealed=False, level="../canary/file")


def _index(attack: Attack) -> None:
    lines = [f"{digest}  {path}\n" for path, digest in _claims(attack, right=True)]
    lines += [f"{attack.digest('file')}  ../../canary/file\n", f"{attack.digest('file')}  ..\n"]
    attack.write(f"t/{INDEX}", "".join(lines))


def _state_file(name: str, leads: str) -> Callable[[Attack], None]:
    def make(attack: Attack) -> None:
        (attack.root / ".exporter").mkdir(exist_ok=True)
        attack.link(f".exporter/{name}", attack.canary / leads)

    return make


def _pipe(path: str) -> Callable[[Attack], None]:
    def make(attack: Attack) -> None:
        os.mkfifo(attack.clear(path))

    return make


def _state_link(attack: Attack) -> None:
    attack.link(".exporter", "../canary")


def _state_is_file(attack: Attack) -> None:
    attack.write(".exporter", "in the way")


def _cache_links(attack: Attack) -> None:
    """Every folder of the cache leads to the canaries, and its note of its size is a link."""
    attack.write(".exporter/cache/x", b"")
    for number in range(256):
        attack.link(f".exporter/cache/{number:02x}", "../../../canary/deep")
    attack.link(".exporter/cache/size", "../../../canary/size")


def _cache_is_link(attack: Attack) -> None:
    (attack.root / ".exporter").mkdir()
    attack.link(".exporter/cache", "../../canary")


def _cache_overflows(attack: Attack) -> None:
    """The cache says that it is full: what is in it is pruned."""
    attack.write(".exporter/cache/size", "9" * 30)
    for number in range(16):
        attack.link(f".exporter/cache/{number:02x}", "../../../canary/deep")
        attack.link(f".exporter/cache/f{number:x}/{'0' * 62}", attack.canary / "file")


def _state_junk(attack: Attack) -> None:
    brackets = b"[" * 100_000
    for name in (MANIFEST, JOURNAL, "status.json", "lock", "watch.lock", "watch.pid", "cache/size"):
        attack.write(f".exporter/{name}", brackets)


def _status_links(attack: Attack) -> None:
    """Links under the names that the status files of the project's levels have."""
    for name in ("cave", "crypt"):
        file = level_status_name(f"levels/{name}.level.yaml")
        attack.link(f".exporter/levels/{file}", "../../../canary/file")
    attack.link(".exporter/levels/stranger.json", "../../../canary/file")


def _targets(text: str) -> Callable[[Attack], None]:
    def make(attack: Attack) -> None:
        attack.write("exporter.yaml", f"targets:\n  tiled: {text}\n")

    return make


def _target_links(**links: str) -> Callable[[Attack], None]:
    def make(attack: Attack) -> None:
        for path, leads in links.items():
            attack.link(path.replace("__", "/"), leads)

    return make


def _target_in_the_middle(attack: Attack) -> None:
    attack.write("exporter.yaml", "targets:\n  tiled: {path: a/b/c}\n")
    attack.link("a/b", "../../canary")


def _outputs_are_links(attack: Attack) -> None:
    for name in (OUTPUT, "cave.ground.png", "cave.lvb", "tileset.png", "cave.tileset.png", INDEX):
        attack.link(f"t/{name}", "../../canary/file")
    attack.write("u/x", "")


def _outputs_dangle(attack: Attack) -> None:
    for name in (OUTPUT, "cave.ground.png", "cave.lvb", INDEX):
        attack.link(f"t/{name}", f"../../canary/new-{name}")


def _outputs_are_pipes(attack: Attack) -> None:
    for name in (OUTPUT, "cave.ground.png", "cave.lvb"):
        os.mkfifo(attack.clear(f"t/{name}"))


def _temporaries(attack: Attack) -> None:
    """Links under all names that could be guessed, for many process numbers."""
    for number in range(os.getpid(), os.getpid() + 300):
        for folder, name in (("t", OUTPUT), (".exporter", MANIFEST), (".exporter", "status.json")):
            attack.link(f"{folder}/.{name}.{number}.tmp", attack.canary / "file")
            attack.link(f"{folder}/.level-exporter.{number}.{0:016x}.tmp", attack.canary / "new")


def _leftovers(attack: Attack) -> None:
    """What looks like leftovers, in a folder that is a link to the canaries."""
    rows = [_row("out/a", "0" * 64, "out"), _row("t/out/b", "0" * 64, "t")]
    attack.link("out", "../canary")
    attack.link("t/out", "../../canary")
    attack.manifest(3, rows, sealed=False)


def _specs_are_links(attack: Attack) -> None:
    """Specs may lie behind links: they are read, and written by nobody."""
    attack.link(SPEC_PATH, "../../canary/spec.level.yaml")
    attack.link("levels/more", "../../canary")
    attack.link("levels/dangling.level.yaml", "../../canary/none.level.yaml")


def _levels_is_link(attack: Attack) -> None:
    attack.link("levels", "../canary")


def _settings_are_link(attack: Attack) -> None:
    attack.link("exporter.yaml", "../canary/file")


def _plugin(attack: Attack) -> None:
    """The folder of the engine's plugin leads outside."""
    attack.write("exporter.yaml", "targets:\n  godot: {path: game/levels, plugin: true}\n")
    attack.write("game/project.godot", "")
    attack.link("game/addons", "../../canary")


def _plugin_itself(attack: Attack) -> None:
    attack.write("exporter.yaml", "targets:\n  godot: {path: game/levels, plugin: true}\n")
    attack.write("game/project.godot", "")
    attack.write("game/addons/x", "")
    attack.link("game/addons/level_exporter", "../../../canary")


def _plugin_outside(attack: Attack) -> None:
    """The target lies inside, by way of a link, but the game around it does not."""
    attack.write("exporter.yaml", "targets:\n  godot: {path: ../canary/levels, plugin: true}\n")


def _names(attack: Attack) -> None:
    for number, name in enumerate(["../canary/file", "{canary}/file", "..", "a/b", "a\\\\b"]):
        named = name.format(canary=attack.canary)
        attack.write(f"levels/n{number}.level.yaml", f'level: "{named}"\n{SPEC}')


def _inputs(attack: Attack) -> None:
    """Specs that read files which have no end, or lie elsewhere."""
    reads = {"zero": "/dev/zero", "pipe": "", "link": str(attack.canary / "file")}
    for name, leads in reads.items():
        if leads:
            attack.link(f"levels/{name}.png", leads)
        else:
            os.mkfifo(attack.root / f"levels/{name}.png")
        layer = f"{{ground: {{generator: from_image, file: {name}.png}}}}"
        attack.write(f"levels/{name}.level.yaml", f"size: [8, 8]\nseed: 1\nlayers: {layer}\n")


ATTACKS: dict[str, Callable[[Attack], None]] = {
    "manifest": _manifest(3, sealed=False, right=True),
    "manifest, wrong contents": _manifest(3, sealed=False, right=False),
    "manifest of another user": _manifest(3, sealed=True, right=True),
    "former manifest": _manifest(2, sealed=False, right=True),
    "former manifest, wrong contents": _manifest(2, sealed=False, right=False),
    "journal of another user": _journal,
    "spec that is gone": _deleted_spec,
    "level that was renamed": _renamed_level,
    "index": _index,
    "index is a link": lambda attack: attack.link(f"t/{INDEX}", "../../canary/file"),
    "index is a pipe": _pipe(f"t/{INDEX}"),
    "state is a link": _state_link,
    "state is a file": _state_is_file,
    "state is junk": _state_junk,
    **{
        f"{name} is a link": _state_file(name, leads)
        for name, leads in [
            ("lock", "file"),
            ("watch.lock", "new"),
            ("watch.pid", "file"),
            ("status.json", "file"),
            (".gitignore", "new"),
            (MANIFEST, "file"),
            (JOURNAL, "new"),
        ]
    },
    **{
        f"{name} is a pipe": _pipe(f".exporter/{name}")
        for name in ("lock", "watch.lock", "watch.pid", MANIFEST, JOURNAL)
    },
    "status files are links": _status_links,
    "cache is a link": _cache_is_link,
    "folders of the cache are links": _cache_links,
    "cache that is full": _cache_overflows,
    "target is a link": _target_links(t="../canary"),
    "target is an absolute link": _target_links(t="/tmp"),
    "target is a chain of links": _target_links(
        t="one", one="two/three", two__three="../../canary"
    ),
    "target dangles": _target_links(t="../canary/new"),
    "link in the middle": _target_in_the_middle,
    "target above": _targets("{path: ../canary}"),
    "target above, by detours": _targets("{path: t/../../canary/deep/../new}"),
    "target is absolute": lambda attack: _targets(f"{{path: {attack.canary}}}")(attack),
    "outputs are links": _outputs_are_links,
    "outputs dangle": _outputs_dangle,
    "outputs are pipes": _outputs_are_pipes,
    "temporaries": _temporaries,
    "leftovers": _leftovers,
    "specs are links": _specs_are_links,
    "folder of the specs is a link": _levels_is_link,
    "settings are a link": _settings_are_link,
    "plugins' folder is a link": _plugin,
    "plugin is a link": _plugin_itself,
    "plugin outside": _plugin_outside,
    "names of levels": _names,
    "inputs": _inputs,
    "drawing is a link": lambda attack: attack.link("cave.png", "../canary/file"),
}


# Every attack meets every command with LEVEL_EXPORTER_ALL_ATTACKS=1, which takes minutes; else each
# meets an export and two of the other commands, which differ from attack to attack.
ALL = bool(os.environ.get("LEVEL_EXPORTER_ALL_ATTACKS"))
SHARE = 5
# What is told apart by commands and not by attacks is always tried.
ALWAYS = (
    ("folder of the specs is a link", "init"),
    ("specs are links", "migrate"),
    ("folder of the specs is a link", "migrate"),
)


def _cases() -> list[Any]:
    cases = []
    for number, name in enumerate(ATTACKS):
        for other, command in enumerate(COMMANDS):
            chosen = other == 0 or (number + other) % SHARE == 0 or (name, command) in ALWAYS
            if ALL or chosen:
                cases.append(pytest.param(name, command, id=f"{name}: {command}"))
    return cases


@pytest.mark.parametrize(("name", "command"), _cases())
def test_nothing_outside_is_touched(attack: Attack, name: str, command: str) -> None:
    ATTACKS[name](attack)
    run(attack, command)


# --- refusals name the way out -------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "target is a link",
        "target is an absolute link",
        "target is a chain of links",
        "target dangles",
        "link in the middle",
        "target above",
    ],
)
@pytest.mark.parametrize("command", [*EXPORTS, "dry run", "watch", "check"])
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
    """What was checked once is checked again when it is used."""
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
        assert "where no outputs may lie" in ended.text
        assert "exporter trust" not in ended.text  # no way out: nobody may allow it
    assert attack.run("trust", ".", "tiled").code in (0, 1, 2)
    assert run(attack, "export").code == 1
    assert tree(attack.root / ".git") == before


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("state is a link", "is a link (remove it)"),
        ("state is a file", "is not a folder (move it away)"),
        ("outputs are links", "--overwrite"),
        ("outputs are pipes", "is not a file"),
    ],
)
def test_what_stands_in_the_way_is_told_with_a_way_out(
    attack: Attack, name: str, words: str
) -> None:
    ATTACKS[name](attack)
    ended = run(attack, "export")
    assert ended.code == 1
    assert words in ended.text


# --- what a stranger's state can do inside -------------------------------------------------------


def exported(root: Path) -> dict[str, bytes]:
    """Return the outputs of a project."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted((root / "t").rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def honest(tmp_path: Path) -> dict[str, bytes]:
    """What the outputs are to be: those of the same project without a past."""
    clean = Attack(Path(os.path.realpath(tmp_path)) / "honest")
    clean.make()
    assert clean.run(*COMMANDS["export"]).code == 0
    return exported(clean.root)


HARMLESS = [
    "manifest",
    "manifest of another user",
    "former manifest",
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
        found = exported(attack.root)
        assert {path: data for path, data in found.items() if ".tmp" not in path} == honest


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


@pytest.mark.parametrize("seed", range(30 if ALL else 6))
def test_mangled_manifests_and_indexes_are_recovered_from(
    attack: Attack, honest: dict[str, bytes], seed: int
) -> None:
    random = Random(seed)
    assert run(attack, "export").code == 0
    place = attack.root / ".exporter" / MANIFEST
    document = json.loads(place.read_bytes())
    del document["seal"]
    place.write_text(json.dumps(_mangled(random, document)))
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
        for place in range(0, len(data), 7):
            data[place] ^= 1
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
def test_a_cache_serves_who_made_it_and_nobody_else(attack: Attack, who: str) -> None:
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


def test_tampered_outputs_that_a_strangers_state_calls_current_are_made_anew(
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
            _row(path, digest_of((attack.root / path).read_bytes()), home)
            for path in ("art/hero.png", "exporter.yaml", "levels/cave.level.yaml")
            for home in ("art", ".", "levels", "", "t")
        ]
        rows.append(_row("t/notes.txt", "0" * 64, "t"))
        attack.manifest(3, rows, sealed=False, spec="levels/gone.level.yaml", level="gone")
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
    # All of it is cleaned, and what is not ours stays.
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


def test_the_plugin_of_a_trusted_game_is_kept_up_to_date(attack: Attack) -> None:
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
