"""Plan all files of `exporter init`, for a new or existing project.

`init` creates files and appends lines to `.gitattributes`. It puts specs and outputs only into
folders without files of the user. In an existing project it updates only the schema file.
"""

from __future__ import annotations

import os
from pathlib import Path

from exporter.project.free_folders import Content, content_of, first_folder, spec_folders
from exporter.project.project import FILE_NAME, Project
from exporter.project.schema_file import SCHEMA, is_our_schema
from exporter.project.settings_file import load_project
from exporter.project.spec_files import fixed_part, matches
from exporter.project.start_files import (
    agents_file,
    attributes_file,
    example_specs,
    files_beside_specs,
    lacks_attributes,
    new_file,
    new_game_files,
    plain_content,
    schema_file,
    settings_text,
)
from exporter.project.start_plan import (
    ExistingFile,
    InitOptions,
    PlannedFile,
    StartError,
    StartPlan,
    plan_of,
)
from exporter.project.start_targets import choose_targets, suggestion
from exporter.project.templates import LEVEL_SUFFIX, page_path
from exporter.targets import TARGETS


def check_names(init_options: InitOptions) -> None:
    """Check that all engines and templates in `init_options` exist.

    Raises:
        RegistryError: A name is unknown.
    """
    for name in init_options.engines:
        TARGETS.get(name)
    example_specs(init_options.templates)


def is_own_source(root: Path) -> bool:
    """Return whether folder `root` is a checkout of the exporter's source.

    `init` starts no project there.
    """
    own = ("exporter/_version.py", "exporter/cli/init.py", "templates/projects", "pyproject.toml")
    return all((root / name).exists() for name in own)


def plan_start(root: Path, init_options: InitOptions) -> StartPlan:
    """Return what `init` would write in the folder `root`; write nothing.

    Raises:
        StartError: The options do not fit the folder.
        RegistryError: An engine or template is unknown.
        SpecError: The folder has an exporter.yaml with errors.
        StoreError: Every folder for specs or outputs has files of the user.
    """
    examples = example_specs(init_options.templates)
    if os.path.lexists(root / FILE_NAME):
        return _existing_project(root, init_options, examples if init_options.templates else {})
    return _new_project(root, init_options, examples)


def _new_project(root: Path, init_options: InitOptions, examples: dict[str, bytes]) -> StartPlan:
    """Plan all files of a new project, `examples` being its level specs.

    The exporter.yaml is last: until it is written, `init` can be repeated.
    """
    chosen = choose_targets(root, init_options)
    beside = files_beside_specs(chosen.games)
    specs, content = _folder_for_specs(root, {**beside, **examples})
    empty = content is Content.NOTHING
    added = {**(beside if empty else {}), **(examples if empty or init_options.templates else {})}
    game, new_game = {}, None
    if chosen.new_game is not None:
        new_game = chosen.new_game.start.new_game
        level = next(iter(examples)).removesuffix(LEVEL_SUFFIX)
        game = new_game_files(chosen.new_game, root, level)
    files = [
        *(new_file(root, f"{specs}/{name}", data) for name, data in added.items()),
        schema_file(root, specs),
        attributes_file(root, [target.folder for target in chosen.targets]),
        agents_file(root) if init_options.agent else None,
        *(new_file(root, name, data) for name, data in game.items()),
        PlannedFile(FILE_NAME, settings_text(root, specs, chosen.targets)),
    ]
    remarks = [*chosen.remarks, _where_specs(specs, content)]
    return plan_of(remarks, files, new_game=new_game)


def _folder_for_specs(root: Path, own: dict[str, bytes]) -> tuple[str, Content]:
    """Return the folder for level specs, and what else it contains.

    `own` are the files that `init` writes there, by name.
    """

    def is_own(name: str, path: Path) -> bool:
        if name not in own and name != SCHEMA:
            return False
        content = plain_content(path)
        if name == SCHEMA:
            return content is not None and is_our_schema(content)
        return content == own[name]

    def accepts(position: str) -> bool:
        return content_of(root, position, is_own) is not Content.OTHER

    specs = first_folder(spec_folders(), accepts)
    return specs, content_of(root, specs, is_own)


def _where_specs(specs: str, content: Content) -> str:
    expected = next(spec_folders())
    if content is Content.SPECS:
        return f"level specs are in {specs}, which has some already"
    return f"level specs are in {specs}" + (
        f" ({expected} holds other files)" if specs != expected else ""
    )


def _existing_project(
    root: Path, init_options: InitOptions, examples: dict[str, bytes]
) -> StartPlan:
    """Plan what a project that exists gets: a new schema, and named templates.

    `examples` are the templates that the user named, as specs by file name.
    """
    project = load_project(root)
    _refuse_engines(project, init_options)
    if init_options.plugin:
        _refuse_plugins(project)
    files: list[PlannedFile | ExistingFile | None] = [ExistingFile(FILE_NAME)]
    folders = list(dict.fromkeys(fixed_part(pattern) for pattern in project.patterns))
    for name, data in examples.items():
        path = f"{folders[0]}/{name}" if folders[0] else name
        if not matches(project.patterns, path):
            raise StartError(
                f"{path} would not be found by the globs in {FILE_NAME}: "
                f"{', '.join(project.patterns)} (add one that finds it to `levels`)"
            )
        files.append(new_file(root, path, data))
    files += _schemas(root, folders, bool(examples))
    files.append(agents_file(root) if init_options.agent else None)
    remarks = []
    if lacks_attributes(root, [target.options.path for target in project.targets]):
        remarks.append(
            ".gitattributes does not have the lines for outputs that a new project gets "
            f"(see {page_path('how-to/teams.md')})"
        )
    return plan_of(remarks, files)


def _schemas(
    root: Path, folders: list[str], first: bool
) -> list[PlannedFile | ExistingFile | None]:
    """Plan to update the JSON schema in those spec `folders` that have one.

    If none has, plan one for the first folder, provided that it exists or `first` is true.
    """
    there = [folder for folder in folders if os.path.lexists(root / folder / SCHEMA)]
    if not there and (first or (root / folders[0]).is_dir()):
        there = folders[:1]
    return [schema_file(root, folder) for folder in there]


def _refuse_engines(project: Project, init_options: InitOptions) -> None:
    """Refuse engines that the user's exporter.yaml does not name."""
    there = {target.engine for target in project.targets}
    missing = [TARGETS.get(name) for name in init_options.engines if name not in there]
    if missing:
        lines = "; ".join(suggestion(project.root, target) for target in missing)
        raise StartError(f"{FILE_NAME} exists already and is not changed: {lines}")


def _refuse_plugins(project: Project) -> None:
    """Refuse plugins that the user's exporter.yaml does not request."""
    able = [target for target in project.targets if TARGETS.get(target.engine).plugin is not None]
    without = [item.name for item in able if not getattr(item.options, "plugin", False)]
    if without or not able:
        names = " and to ".join(map(repr, without))
        way = f"add `plugin: true` to {names} there" if able else "none of its targets has a plugin"
        raise StartError(f"{FILE_NAME} exists already and is not changed: {way}")
