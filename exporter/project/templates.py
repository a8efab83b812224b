"""List the templates that a new level or game can start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from exporter.model.errors import RegistryError
from exporter.model.installed import templates
from exporter.model.lazy_dataclass import dataclass
from exporter.targets import Target

LEVEL_SUFFIX = ".level.yaml"


@dataclass(frozen=True, slots=True)
class LevelTemplate:
    """A level spec to start from; `text` is the content of its file."""

    name: str
    text: str

    @property
    def summary(self) -> str:
        """The comment at the top of the template, in one line."""
        lines = self.text.splitlines()
        end = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
        return " ".join(line.lstrip("# ").rstrip() for line in lines[:end])


def new_game_folder(target: Target) -> Path:
    """Return the folder with the template of a new game for `target`."""
    assert target.start.new_game is not None
    return templates() / "projects" / target.start.new_game.template


def page_path(name: str) -> Path:
    """Return the path of the documentation page `name`: `how-to/godot.md`."""
    return Path(str(files("exporter"))) / "docs" / name


def level_template_names() -> list[str]:
    """Return the names of the level templates, sorted."""
    names = (path.name for path in (templates() / "levels").iterdir())
    return sorted(name.removesuffix(LEVEL_SUFFIX) for name in names if name.endswith(LEVEL_SUFFIX))


def level_template(name: str) -> LevelTemplate:
    """Return the level template called `name`.

    Raises:
        RegistryError: The name is unknown; the message lists the known ones.
    """
    known = level_template_names()
    if name not in known:
        from exporter.model.suggestions import unknown_name

        raise RegistryError(unknown_name("template", name, known))
    path = templates() / "levels" / f"{name}{LEVEL_SUFFIX}"
    return LevelTemplate(name, path.read_text(encoding="utf-8"))
