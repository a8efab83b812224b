"""Plan the files that `exporter init` writes, and those that it keeps."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from exporter.model.installed import templates
from exporter.project.games import Game, game_around
from exporter.project.git_attributes import (
    GIT_ATTRIBUTES,
    attribute_lines,
    is_attribute_text,
    missing_lines,
    with_lines,
)
from exporter.project.own_assets import find_own_assets
from exporter.project.project import FILE_NAME
from exporter.project.schema_file import SCHEMA, is_current_schema, is_our_schema, schema_text
from exporter.project.start_plan import ExistingFile, PlannedFile, StartError
from exporter.project.start_targets import NewTarget, scalar
from exporter.project.templates import LEVEL_SUFFIX, level_template, new_game_folder
from exporter.targets import Target

# In the first line of every spec that `init` writes: where editors find the schema.
SCHEMA_LINE = f"# yaml-language-server: $schema={SCHEMA}\n"


AGENTS_FILE = "AGENTS.md"
_NOTES_BEGIN, _NOTES_END = "<!-- level-exporter: begin -->", "<!-- level-exporter: end -->"


def settings_text(root: Path, specs: str, targets: Sequence[NewTarget]) -> bytes:
    """Return the exporter.yaml of a new project in folder `root`.

    `specs` is the folder of level specs. Tilesets and scenes of the targets' games are suggested in
    comments.
    """
    text = (_starter() / FILE_NAME).read_text(encoding="utf-8")
    text = text.replace("levels: levels/", f"levels: {specs}/")
    lines = [line for target in targets for line in (target.line, *_suggested_assets(root, target))]
    return (text + "".join(f"  {line}\n" for line in lines)).encode()


def _suggested_assets(root: Path, target: NewTarget) -> Iterator[str]:
    """Yield comment lines for exporter.yaml that suggest a game's assets.

    The game is the one around `target.folder`; its tileset and scenes are suggested, if any.
    """
    folder = game_around(root, target.folder, target.target)
    if folder is None:
        return
    outputs = os.path.relpath(target.folder, folder or ".").replace(os.sep, "/")
    assets = find_own_assets(root / folder, target.target, outputs)
    if assets.tileset is None and not assets.scenes:
        return
    yield "# Tiles and scenes of your game. To use them, replace the line above with these lines,"
    yield "# without `# `. Each scene is for the objects of its name."
    yield f"# {target.name}:"
    engine = [f"engine: {target.target.name}"] if target.name != target.target.name else []
    for line in [*engine, f"path: {scalar(target.folder)}"]:
        yield f"#   {line}"
    if target.plugin:
        yield "#   plugin: true"
    if assets.tileset is not None:
        yield f"#   tileset: {{file: {json.dumps(assets.tileset, ensure_ascii=False)}}}"
    if assets.scenes:
        yield "#   scenes:"
    for name, path in assets.scenes.items():
        yield f"#     {scalar(name)}: {json.dumps(path, ensure_ascii=False)}"


def new_game_files(target: Target, root: Path, level: str) -> dict[str, bytes]:
    """Return the files of a new game by name.

    The last one is the marker, by which the engine recognises a game. `root` is the project's
    folder, `level` the name of the level that the game shows.
    """
    title = re.sub(r'[\\"\x00-\x1f\ud800-\udfff]', "", root.resolve().name) or "My game"
    files = sorted(
        new_game_folder(target).iterdir(), key=lambda path: (path.name in target.markers, path.name)
    )
    texts = {path.name: path.read_text(encoding="utf-8") for path in files}
    return {
        name: text.replace("My game", title).replace("first_cavern", level).encode()
        for name, text in texts.items()
    }


def example_specs(names: Sequence[str]) -> dict[str, bytes]:
    """Return the templates `names` as level specs, by file name.

    Without names, return the default template.

    Raises:
        RegistryError: There is no such template.
    """
    if names:
        chosen = [level_template(name) for name in dict.fromkeys(names)]
        return {f"{item.name}{LEVEL_SUFFIX}": (SCHEMA_LINE + item.text).encode() for item in chosen}
    specs = (_starter() / "levels").glob(f"*{LEVEL_SUFFIX}")
    return {path.name: path.read_bytes() for path in sorted(specs)}


def files_beside_specs(games: Sequence[Game]) -> Mapping[str, bytes]:
    """Return the files that engines need beside level specs, by name.

    The engines are those of `games` in the project's own folder.
    """
    inside = [game.target.start.beside_specs for game in games if not game.folder]
    return {name: data for files in inside for name, data in files.items()}


def new_file(root: Path, path: str, data: bytes) -> PlannedFile | ExistingFile:
    """Plan to write `data` to `path`, unless a file is there already."""
    return ExistingFile(path) if os.path.lexists(root / path) else PlannedFile(path, data)


def schema_file(root: Path, specs: str) -> PlannedFile | ExistingFile | None:
    """Plan to write the JSON schema in folder `specs`, beside the level specs.

    A schema that the user edited is kept. Return None if the file is up to date.
    """
    name = f"{specs}/{SCHEMA}" if specs else SCHEMA
    path = root / name
    if not os.path.lexists(path):
        return PlannedFile(name, schema_text())
    content = plain_content(path)
    if content is None or not is_our_schema(content):
        return ExistingFile(name, "it is not as init wrote it; delete it to get the present one")
    return None if is_current_schema(content) else PlannedFile(name, schema_text(), "refreshed")


def attributes_file(root: Path, places: Sequence[str]) -> PlannedFile | ExistingFile | None:
    """Plan to append missing lines for the output folders to `.gitattributes`.

    `places` are these folders. Return None if no line is missing.
    """
    expected = attribute_lines(places)
    path = root / GIT_ATTRIBUTES
    if not os.path.lexists(path):
        return PlannedFile(GIT_ATTRIBUTES, with_lines(b"", expected))
    content = plain_content(path)
    if content is None or not is_attribute_text(content):
        return ExistingFile(GIT_ATTRIBUTES, "git cannot read it: it is no plain UTF-8 file")
    missing = missing_lines(content, expected)
    if not missing:
        return None
    return PlannedFile(GIT_ATTRIBUTES, with_lines(content, missing), "added lines to")


def agents_file(root: Path) -> PlannedFile | None:
    """Plan AGENTS.md in `root`, with notes for AI agents.

    Return None if the notes are up to date.

    Raises:
        StartError: The file cannot be read as text.
    """
    notes = (templates() / "agents" / AGENTS_FILE).read_text(encoding="utf-8")
    block = f"{_NOTES_BEGIN}\n{notes}{_NOTES_END}\n"
    if not os.path.lexists(root / AGENTS_FILE):
        return PlannedFile(AGENTS_FILE, block.encode())
    content = plain_content(root / AGENTS_FILE)
    if content is None:
        raise StartError(
            f"{AGENTS_FILE} is not a text file (move it away, then run this command again)"
        )
    text = content.decode("utf-8", "surrogateescape")
    before, begin, rest = text.partition(_NOTES_BEGIN)
    _, end, after = rest.partition(f"{_NOTES_END}\n")
    if not (begin and end):
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        return PlannedFile(AGENTS_FILE, content + f"{gap}{block}".encode(), "added lines to")
    new = f"{before}{block}{after}".encode("utf-8", "surrogateescape")
    return None if new == content else PlannedFile(AGENTS_FILE, new, "refreshed")


def lacks_attributes(root: Path, places: Sequence[str]) -> bool:
    """Return whether `init` would add lines to `.gitattributes`.

    The lines tell Git how to treat the output folders `places`. False if Git cannot read the file.
    """
    return isinstance(attributes_file(root, places), PlannedFile)


def plain_content(path: Path) -> bytes | None:
    """Return the content of `path`; None if it is a link or cannot be read."""
    try:
        return None if path.is_symlink() else path.read_bytes()
    except OSError:
        return None


def _starter() -> Path:
    return templates() / "projects" / "starter"
