"""Find how the user called this exporter, to print commands that work.

The plain command `exporter` works only if the shell finds it: not after `uvx` or `pipx run`, nor in
an environment that is not activated. Installers record where a package comes from (PEP 610), from
which the right command follows. The code that reads this record is imported late, because that is
slow.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_NAME = "exporter"
_DISTRIBUTION = "level-exporter"
# Characters that every shell passes unchanged, Windows' included.
_PLAIN = re.compile(r"[\w@%+=:,./\\~-]+", re.ASCII)


def own_command() -> str:
    """Return how to call this exporter in a shell: `exporter`, or more words."""
    prefix = Path(sys.prefix)
    if _is_run_once_by_uv(prefix):
        return f"uvx --from {_source()} {_NAME}"
    if _is_run_once_by_pipx(prefix):
        return f"pipx run --spec {_source()} {_NAME}"
    scripts = Path(sysconfig.get_path("scripts"))
    if _is_on_path(scripts):
        return _NAME
    script = shutil.which(_NAME, path=str(scripts))
    if script is not None and _distribution() is not None:
        return quoted(_from_here(Path(script)))
    return f"{quoted(_from_here(Path(sys.executable)))} -m {_NAME}"


def installing_commands(folder: Path) -> list[str]:
    """Return commands after which this exporter can use a package.

    `folder` has the package, which the commands install as editable. The last item is no such
    command, but the words that call the exporter then.
    """
    position, command = _path_text(folder), own_command()
    prefix = Path(sys.prefix)
    if _is_run_once_by_uv(prefix):
        return [command.removesuffix(_NAME) + f"--with-editable {position} {_NAME}"]
    add = f"pipx inject --editable {_DISTRIBUTION} {position}"
    if _is_run_once_by_pipx(prefix):
        return [f"pipx install {_source()}", add, _NAME]
    if (prefix / "pipx_metadata.json").is_file():
        return [add, command]
    if (prefix / "uv-receipt.toml").is_file():
        return [f"uv tool install {_source()} --with-editable {position}", command]
    python = quoted(_from_here(Path(sys.executable)))
    if not _has_pip():  # environments of uv have none
        return [f"uv pip install --python {python} -e {position}", command]
    return [f"{python} -m pip install -e {position}", command]


def quoted(path: Path | str) -> str:
    """Return `path` as one argument for a shell, in quotes if necessary."""
    text = str(path)
    if os.name != "nt" and (re.search(r'["$`!\\]', text) or text.startswith("~")):
        return shlex.quote(text)
    return text if _PLAIN.fullmatch(text) else f'"{text}"'


def _is_run_once_by_uv(prefix: Path) -> bool:
    """Return whether `uvx` made the environment `prefix`, for one run."""
    return "UV" in os.environ and any(
        (folder / "CACHEDIR.TAG").is_file() for folder in prefix.parents
    )


def _is_run_once_by_pipx(prefix: Path) -> bool:
    """Return whether `pipx run` made the environment `prefix`, for one run.

    Environments of `pipx install` lie in a folder `venvs` instead.
    """
    return (prefix / "pipx_metadata.json").is_file() and prefix.parent.name != "venvs"


def _is_on_path(scripts: Path) -> bool:
    """Return whether the command `exporter` in a shell calls this exporter.

    `scripts` is the folder of this environment's programs.
    """
    folders = os.environ.get("PATH", "").split(os.pathsep)
    if "UV" in os.environ and folders and Path(folders[0]) == scripts:
        folders = folders[1:]  # `uv run` adds it for its own process only
    result = shutil.which(_NAME, path=os.pathsep.join(folders))
    if result is None:
        return False
    # Tools link to the script from another folder; on Windows they copy it.
    started = Path(sys.argv[0]).absolute().with_suffix("")
    return (
        Path(result).absolute().with_suffix("") == started
        or Path(result).resolve().parent == scripts.resolve()
    )


def _has_pip() -> bool:
    from importlib.metadata import distributions

    # Do not search for the module: setuptools then unloads its replacement of distutils.
    return any(True for _ in distributions(name="pip"))


def _distribution() -> Distribution | None:
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return distribution(_DISTRIBUTION)
    except PackageNotFoundError:
        return None


def _source() -> str:
    """Return what this exporter was installed from: path, address or name."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    distribution = _distribution()
    written = distribution.read_text("direct_url.json") if distribution is not None else None
    if written is None:
        return _DISTRIBUTION
    document: dict[str, Any] = json.loads(written)
    url = str(document["url"])
    if "vcs_info" in document:
        revision = document["vcs_info"].get("requested_revision")
        return quoted(f"{document['vcs_info']['vcs']}+{url}" + (f"@{revision}" if revision else ""))
    if url.startswith("file:"):
        return _path_text(Path(url2pathname(urlsplit(url).path)))
    return quoted(url)


def _path_text(path: Path) -> str:
    """Return `path` so that no installer takes it for a package's name.

    A path inside the working folder begins with `./`. It is quoted for a shell if necessary.
    """
    short = _from_here(path)
    if short.is_absolute() or short == Path():
        return quoted(short)
    return quoted(f".{os.sep}{short}")


def _from_here(path: Path) -> Path:
    """Return `path` relative to the working folder if inside, else absolute."""
    absolute = Path(os.path.abspath(path))
    here = Path.cwd()
    return absolute.relative_to(here) if absolute.is_relative_to(here) else absolute
