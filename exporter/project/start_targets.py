"""Choose the targets and output folders of a new project."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from exporter.model.lazy_dataclass import dataclass
from exporter.project.free_folders import (
    Content,
    content_of,
    first_folder,
    output_folders,
    spec_folders,
)
from exporter.project.games import Game, by_rank, find_games, game_above, programs_used
from exporter.project.project import FILE_NAME, display_path
from exporter.project.start_plan import InitOptions, StartError
from exporter.project.templates import new_game_folder
from exporter.targets import TARGETS, Target

# As many as exporter.yaml may have.
MOST_TARGETS = 16


@dataclass(frozen=True, slots=True)
class NewTarget:
    """A target of a new project: what to export for, and where to.

    Attributes:
        name: The name in exporter.yaml.
        target: The engine.
        folder: The folder of its outputs, relative to the project with `/`.
        plugin: Whether to write `plugin: true`.
        preferred: The default folder; `folder` is another one if it has files of the user.
    """

    name: str
    target: Target
    folder: str
    plugin: bool
    preferred: str

    @property
    def line(self) -> str:
        """The target's line in exporter.yaml, without indentation and line end."""
        engine = f"engine: {self.target.name}, " if self.name != self.target.name else ""
        plugin = ", plugin: true" if self.plugin else ""
        return f"{scalar(self.name)}: {{{engine}path: {scalar(self.folder)}{plugin}}}"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The targets chosen for a new project, and why.

    `games` were found in its folder; `remarks` are sentences for the user; `new_game` is the engine
    of a game to begin, if any.
    """

    targets: tuple[NewTarget, ...]
    games: tuple[Game, ...]
    remarks: tuple[str, ...]
    new_game: Target | None = None


def choose_targets(root: Path, init_options: InitOptions) -> Chosen:
    """Choose what a new project in folder `root` exports for, and where to.

    The folder may be missing. `init_options.engines` names the targets. If it is empty, they follow
    from the games in the folder, else from files of other programs; else it is the first target
    that can start a game.

    Raises:
        StartError: There are too many games, a plugin is requested without a game of its engine, or
            the folder is inside a game.
        RegistryError: An engine is unknown.
        StoreError: Every folder for outputs has files of the user.
    """
    named = [TARGETS.get(name) for name in dict.fromkeys(init_options.engines)]
    games = find_games(root)
    programs = programs_used(root)
    if not games and not named:
        _refuse_inside_game(root)
    new_game = None if games or programs else _new_game(root, named)
    if new_game is not None:
        games = [Game(new_game, "")]
    homes = _homes(named, games, [target for target, _ in programs])
    if len(homes) > MOST_TARGETS:
        raise StartError(
            f"{display_path(root)} has {len(homes)} game projects, but one exporter.yaml can have "
            f"at most {MOST_TARGETS} targets (run init in the folder of a game)"
        )
    if init_options.plugin:
        _refuse_plugins_without_games(root, homes)
    targets = _placed(root, homes, init_options.plugin or new_game is not None)
    remarks = (
        [*_seen(programs)]
        if new_game is not None
        else [*_games_found_text(games), *_seen(programs)]
    )
    if (not named and not games and not programs) or new_game is not None:
        remarks.append(_default_engine(homes[0].target, new_game is not None))
    if games and not named:
        remarks += [suggestion(root, target) for target, _ in programs]
    remarks += [target.start.note for target, _ in programs if target.start.note]
    remarks += [_where(target) for target in targets]
    if new_game is None:
        remarks += _about_plugins(homes, targets)
    return Chosen(tuple(targets), tuple(games), tuple(remarks), new_game)


@dataclass(frozen=True, slots=True)
class _Home:
    """A target, and the game that gets its outputs: the game's folder or None."""

    target: Target
    folder: str | None


def suggestion(root: Path, target: Target) -> str:
    """Return a sentence on how to export for `target`, too.

    It has a line to add to the exporter.yaml in the folder `root`.
    """
    folder = next((game.folder for game in find_games(root) if game.target is target), None)
    expected = _requested_position(_Home(target, folder))
    position = _free_output(root, expected, set())
    line = NewTarget(target.name, target, position, False, expected).line
    return f"to export for {target.title} too, add `{line}` to `targets` in {FILE_NAME}"


def _homes(named: list[Target], games: list[Game], programs: list[Target]) -> list[_Home]:
    """Return the chosen targets, each with every game of its engine.

    The targets are `named`, or else those of `games`, or else `programs`. A target without a game
    comes once.
    """
    ranked = [target for target in by_rank() if target.start.rank is not None]
    expected = named or [game.target for game in games] or programs or ranked[:1]
    homes = []
    for target in {target.name: target for target in expected}.values():
        own = [_Home(target, game.folder) for game in games if game.target is target]
        homes += own or [_Home(target, None)]
    return homes


def _new_game(root: Path, named: list[Target]) -> Target | None:
    """Return the engine of the new game to create, or None.

    A new game is created only in a folder without other files. Files of an earlier `init` and those
    that code hosts put into a new repository are ignored.
    """
    able = [target for target in named or by_rank() if target.start.new_game]
    if not able or len(named) > 1 or game_above(root) is not None:
        return None
    own = {*(path.name for path in new_game_folder(able[0]).iterdir()), *islice(spec_folders(), 1)}
    there = {path.name for path in root.iterdir()} if root.is_dir() else set()
    others = {name for name in there - own if not re.match(r"\.|readme|licen[cs]e", name.lower())}
    return None if others else able[0]


def _default_engine(target: Target, new_game: bool) -> str:
    """Return the remark that names the engine chosen, and the others.

    `new_game`: whether a new game is created for it.
    """
    others = ", ".join(item.name for item in by_rank() if item is not target)
    work = "starts a game" if new_game else "exports"
    return f"{work} for {target.title} (other engines: --engine {others})"


def _placed(root: Path, homes: Sequence[_Home], plugin: bool) -> list[NewTarget]:
    """Give each target a name, and a folder that has no files of the user."""
    counts = Counter(home.target.name for home in homes)
    names = {home.target.name for home in homes if counts[home.target.name] == 1}
    places: set[str] = set()
    targets = []
    for home in homes:
        name = home.target.name
        if counts[name] > 1:
            name = _free_name(home.folder or name, names)
            names.add(name)
        expected = _requested_position(home)
        position = _free_output(root, expected, places)
        places.add(position.casefold())
        with_plugin = plugin and home.target.plugin is not None
        targets.append(NewTarget(name, home.target, position, with_plugin, expected))
    return targets


def _about_plugins(homes: Sequence[_Home], targets: Sequence[NewTarget]) -> list[str]:
    """Return remarks about plugins that will be installed, or how to get them."""
    reported = []
    for home, target in zip(homes, targets, strict=True):
        if target.plugin:
            reported.append(
                f"the first export copies the {home.target.title} plugin into the game "
                "(enable it there, if the engine asks for that)"
            )
        elif home.target.plugin is not None and home.folder is not None:
            reported.append(
                f"the {home.target.title} plugin shows exports in the editor at once: for it, add "
                f"`plugin: true` to the target {target.name} in {FILE_NAME}"
            )
    return reported


def _requested_position(home: _Home) -> str:
    start = home.target.start
    if home.folder is None:
        return start.folder
    if not home.folder:
        return start.game_folder
    return f"{home.folder}/{start.nested_game_folder or start.game_folder}"


def _free_output(root: Path, expected: str, used: set[str]) -> str:
    def accepts(position: str) -> bool:
        return position.casefold() not in used and content_of(root, position) is Content.NOTHING

    return first_folder(output_folders(expected), accepts)


def _free_name(folder: str, occupied: set[str]) -> str:
    """Make a target's name from the name of its `folder`, not in `occupied`."""
    base = re.sub(r"[^A-Za-z0-9_-]+", "_", folder).strip("_-")[:60] or "game"
    number, name, used = 1, base, {item.casefold() for item in occupied}
    while name.casefold() in used:
        number += 1
        name = f"{base}_{number}"
    return name


def _refuse_inside_game(root: Path) -> None:
    result = game_above(root)
    if result is not None:
        target, folder = result
        raise StartError(
            f"{display_path(root)} is inside the {target.title} project {display_path(folder)} "
            "(run init there, or choose with --engine what to export to from here)"
        )


def _refuse_plugins_without_games(root: Path, homes: Sequence[_Home]) -> None:
    able = [home for home in homes if home.target.plugin is not None]
    if not able:
        titles = " and ".join(item.title for item in by_rank() if item.plugin is not None)
        raise StartError(f"--plugin: none of the chosen targets has a plugin ({titles} have one)")
    dropped = [home.target.title for home in able if home.folder is None]
    if dropped:
        raise StartError(
            f"--plugin: there is no {' and no '.join(dropped)} project in {display_path(root)} or "
            "one folder below (make the game in the engine first, choose others with --engine, or "
            "add `plugin: true` to the target in exporter.yaml later)"
        )


def _games_found_text(games: Sequence[Game]) -> list[str]:
    folders: dict[str, list[str]] = {}
    for game in games:
        folders.setdefault(game.folder, []).append(game.target.title)
    return [
        f"found a {' and '.join(titles)} project{f' in {folder}' if folder else ''}"
        for folder, titles in folders.items()
    ]


def _seen(programs: Sequence[tuple[Target, str]]) -> list[str]:
    return [f"found {sign}" for sign in dict.fromkeys(sign for _, sign in programs)]


def _where(target: NewTarget) -> str:
    reason = f" ({target.preferred} holds other files)" if target.folder != target.preferred else ""
    plugin = ", with its plugin" if target.plugin else ""
    return f"{target.name} exports to {target.folder}{reason}{plugin}"


_PLAIN: Callable[[str], re.Match[str] | None] = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*").fullmatch


def scalar(text: str) -> str:
    """Format `text` as YAML, quoted like JSON if needed."""
    return text if _PLAIN(text) else json.dumps(text, ensure_ascii=False)
