"""Attacks prepared in a project, and the commands that meet them.

Afterwards a tree of canaries beside the project is the same byte for byte, the command has ended by
itself and without a traceback, and explained each refusal.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from attack_project import INDEX, OUTPUT, SPEC, SPEC_PATH, Attack, tree
from exporter.export.status import level_status_name
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
}
# Their outputs may stand in the way of nothing else.
EXPORTS = ("export", "force", "overwrite")


def run(attack: Attack, command: str) -> Any:
    """Run a command, and check the invariants of every one."""
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
    result = []
    for form in CLAIMS.values():
        for name in ("file", "deep/file", OUTPUT, "size"):
            digest = attack.digest(name) if right else "0" * 64
            result.append((form.format(name, canary=attack.canary), digest))
    return result


def _home(path: str) -> str:
    return "t" if path.startswith("t/") else os.path.dirname(path)


def row(path: str, digest: str, home: str) -> list[Any]:
    status = None
    return [path, "bitmap", None, "tiled", 4, digest, False, True, digest, status, home]


def claiming_manifest(*, sealed: bool, right: bool) -> Callable[[Attack], None]:
    def make(attack: Attack) -> None:
        rows = []
        for path, digest in _claims(attack, right=right):
            status = attack.canary / "file"
            mark = [status.stat().st_mtime_ns, status.stat().st_ctime_ns, status.stat().st_ino]
            for home in (_home(path), "t", ".", "..", ""):
                rows.append([*row(path, digest, home)[:9], mark, home])
        attack.manifest(rows, sealed=sealed, stale=rows)

    return make


def _journal(attack: Attack) -> None:
    """A journal that says the same, sealed by another user, below a sealed manifest."""
    attack.manifest([], sealed=True)
    rows = [row(path, digest, _home(path)) for path, digest in _claims(attack, right=True)]
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
        "objects": {},
    }
    lines = b""
    for change in ({"generation": 1}, {"level": level}):
        text = json.dumps(change, separators=(",", ":")).encode()
        lines += attack.seal(b"journal", text).hex()[:16].encode() + b" " + text + b"\n"
    attack.write(f".exporter/{JOURNAL}", lines)


def _deleted_spec(attack: Attack) -> None:
    """The spec of outputs in the manifest is deleted, so that they are to be removed."""
    rows = [row(path, digest, _home(path)) for path, digest in _claims(attack, right=True)]
    attack.manifest(rows, sealed=False, spec="levels/gone.level.yaml", level="gone")


def _renamed_level(attack: Attack) -> None:
    """The level had another name, so that its outputs are to be renamed."""
    rows = [row(path, digest, "t") for path, digest in _claims(attack, right=True)]
    attack.manifest(rows, sealed=False, level="../canary/file")


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
    """The cache says that it is full: its entries are pruned."""
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
        for folder in ("t", ".exporter"):
            attack.link(f"{folder}/.level-exporter.{number}.{0:016x}.tmp", attack.canary / "new")


def _leftovers(attack: Attack) -> None:
    """Apparent leftovers, in a folder that is a link to the canaries."""
    rows = [row("out/a", "0" * 64, "out"), row("t/out/b", "0" * 64, "t")]
    attack.link("out", "../canary")
    attack.link("t/out", "../../canary")
    attack.manifest(rows, sealed=False)


def _specs_are_links(attack: Attack) -> None:
    """Specs may lie behind links: they are read, and never written."""
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
    "manifest": claiming_manifest(sealed=False, right=True),
    "manifest, wrong contents": claiming_manifest(sealed=False, right=False),
    "manifest of another user": claiming_manifest(sealed=True, right=True),
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
