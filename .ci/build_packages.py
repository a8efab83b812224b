"""Build the packages for engines' shops from `templates/`, and check them.

    python .ci/build_packages.py FOLDER [REPOSITORY [SOURCE]]

Writes a ZIP as Godot's Asset Library takes it, with `addons/` at its root, and an archive as
`npm pack` makes it for Unity's package manager (UPM), with everything below `package/`. Both depend
on the content of the files alone: not on their order on the disk, nor on times, modes and owners.

Needs nothing but Python: a release makes it before anything is installed.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import runpy
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ADDON = PurePosixPath("addons/level_exporter")
UNITY_PACKAGE = "com.levelexporter.unity"
ADDON_FILES = ("LICENSE", "README.md", "plugin.cfg", "plugin.gd")
UNITY_FILES = (
    "CHANGELOG.md",
    "Documentation~/index.md",
    "LICENSE.md",
    "README.md",
    "package.json",
)
UNITY_FOLDERS = ("Editor", "Runtime", "Samples~", "Tests")
# The oldest time that a ZIP can hold.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_FILE_MODE = 0o644
# Where the addon has its address, and the accepted form.
SOURCE_FILE = "editor/tool/tool_finder.gd"
_NO_SOURCE = b'const DEFAULT_SOURCE := ""\n'
_ADDRESS = re.compile(r"(?:git\+)?https://[!#-\[\]-~]+")
_UNITY_VERSION = re.compile(r"\d{4}\.\d")
_GUID = re.compile(rb"^guid: ([0-9a-f]{32})$", re.M)

Files = dict[str, bytes]


class PackageError(Exception):
    """A package that no shop would accept; the message has all reasons."""


def version() -> str:
    """Return the exporter's version, without importing the exporter."""
    return str(runpy.run_path(str(ROOT / "exporter" / "_version.py"))["__version__"])


def files_of(folder: Path) -> Files:
    """Return visible files below a folder by relative path, sorted."""
    result = {}
    for path in sorted(folder.rglob("*")):
        position = path.relative_to(folder)
        left_out = any(part.startswith(".") or part == "__pycache__" for part in position.parts)
        if path.is_file() and not left_out:
            result[position.as_posix()] = path.read_bytes()
    return result


def godot_files(templates: Path, source: str | None = None) -> Files:
    """Return the files of the addon, as they lie in a game.

    Args:
        templates: The folder of templates.
        source: The address that the addon's dialog offers to install the exporter from.

    Raises:
        PackageError: The address is invalid, or the addon has no place for it.
    """
    folder = files_of(templates / "godot" / ADDON)
    if source is not None:
        folder[SOURCE_FILE] = _with_source(folder.get(SOURCE_FILE, b""), source)
    return {(ADDON / name).as_posix(): data for name, data in folder.items()}


def _with_source(script: bytes, source: str) -> bytes:
    if not _ADDRESS.fullmatch(source):
        raise PackageError(f"{source!r} is no address that the addon can install from")
    if script.count(_NO_SOURCE) != 1:
        raise PackageError(f"{SOURCE_FILE} has no place for an address")
    return script.replace(_NO_SOURCE, _NO_SOURCE.replace(b'""', f'"{source}"'.encode()))


def godot_problems(files: Mapping[str, bytes], expected: str) -> list[str]:
    """Return why the Asset Library or an editor would refuse the addon."""
    problems = [
        f"{ADDON / name} is missing"
        for name in ADDON_FILES
        if (ADDON / name).as_posix() not in files
    ]
    settings = files.get(f"{ADDON}/plugin.cfg", b"").decode()
    result = re.search(r'^version="(.*)"$', settings, re.M)
    if result is None or result[1] != expected:
        problems.append(f"plugin.cfg: the version is not {expected}")
    for name in files:
        if name.endswith(".gd") and f"{name}.uid" not in files:
            problems.append(f"{name}.uid is missing: open the addon once in Godot 4.4 or newer")
        if name.endswith(".gd.uid") and name.removesuffix(".uid") not in files:
            problems.append(f"{name} belongs to no script")
    return problems


def unity_files(templates: Path, repository: str | None = None) -> Files:
    """Return the files of the package for Unity.

    Args:
        templates: The folder of templates.
        repository: The address of the source; package.json then links to it.
    """
    files = files_of(templates / "unity" / UNITY_PACKAGE)
    if repository is not None and "package.json" in files:
        described = json.loads(files["package.json"])
        described |= _links(repository, str(described["version"]))
        files["package.json"] = (json.dumps(described, indent=4) + "\n").encode()
    return files


def _links(repository: str, tag: str) -> dict[str, Any]:
    position = f"templates/unity/{UNITY_PACKAGE}"
    pages = f"{repository}/blob/v{tag}/{position}"
    return {
        "documentationUrl": f"{pages}/Documentation~/index.md",
        "changelogUrl": f"{pages}/CHANGELOG.md",
        "licensesUrl": f"{pages}/LICENSE.md",
        "repository": {"type": "git", "url": f"{repository}.git", "directory": position},
    }


def unity_problems(files: Mapping[str, bytes], expected: str) -> list[str]:
    """Return why Unity, or a registry for it, would refuse the package."""
    problems = [f"{name} is missing" for name in UNITY_FILES if name not in files]
    for folder in UNITY_FOLDERS:
        if not any(name.startswith(f"{folder}/") for name in files):
            problems.append(f"{folder}/ is missing")
    if "package.json" in files:
        problems += _manifest_problems(json.loads(files["package.json"]), files, expected)
    return problems + _meta_problems(files)


def _manifest_problems(
    manifest: Mapping[str, Any], files: Mapping[str, bytes], expected: str
) -> list[str]:
    problems = []
    if manifest.get("name") != UNITY_PACKAGE:
        problems.append(f"package.json: the name is not {UNITY_PACKAGE}")
    if manifest.get("version") != expected:
        problems.append(f"package.json: the version is not {expected}")
    if not _UNITY_VERSION.fullmatch(str(manifest.get("unity"))):
        problems.append("package.json: `unity` is not a version such as 2021.3")
    problems += [
        f"package.json: {name} is missing"
        for name in ("author", "description", "displayName", "license", "samples")
        if not manifest.get(name)
    ]
    for sample in manifest.get("samples", []):
        if not any(name.startswith(f"{sample['path']}/") for name in files):
            problems.append(f"package.json: the sample {sample['path']} is missing")
    return problems


def _meta_problems(files: Mapping[str, bytes]) -> list[str]:
    """Return missing, wrong or leftover `.meta` files.

    Unity ignores a file without one in a read-only package. Folders whose names end with `~` are
    hidden from it, but samples are copied into games, with their guids.
    """
    assets = {name for name in files if not name.endswith(".meta")}
    for name in list(assets):
        assets |= {str(folder) for folder in PurePosixPath(name).parents if folder.name}
    visible = {name for name in assets if _has_meta(PurePosixPath(name))}
    metas = {name.removesuffix(".meta") for name in files if name.endswith(".meta")}
    problems = [f"{name}.meta is missing" for name in sorted(visible - metas)]
    problems += [f"{name}.meta belongs to nothing" for name in sorted(metas - visible)]
    owners: dict[bytes, str] = {}
    for name in sorted(metas):
        guid = _GUID.search(files[f"{name}.meta"])
        if guid is None:
            problems.append(f"{name}.meta has no guid")
        elif owners.setdefault(guid[1], name) != name:
            problems.append(f"{name}.meta has the guid of {owners[guid[1]]}")
    return problems


def _has_meta(path: PurePosixPath) -> bool:
    if path.parts[0] == "Samples~":
        return len(path.parts) > 1
    return not any(part.endswith("~") for part in path.parts)


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP that depends on names and content alone."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.create_system = 3  # Unix, also where this runs on Windows
            entry.external_attr = (0o100000 | _FILE_MODE) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()


def tgz_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return an archive like `npm pack`, reproducible from its content."""
    buffer = io.BytesIO()
    with (
        gzip.GzipFile("", "wb", 9, buffer, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mode = len(data), _FILE_MODE
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def build(
    folder: Path, templates: Path, repository: str | None = None, source: str | None = None
) -> list[Path]:
    """Write both packages into a folder and return their paths.

    Args:
        folder: The folder, which is made if missing.
        templates: The folder of templates.
        repository: The address of the source, for links.
        source: The address of a wheel, or of the source for git, for the addon's dialog.

    Raises:
        PackageError: A shop would refuse one of them; no file is written.
    """
    expected = version()
    godot, unity = godot_files(templates, source), unity_files(templates, repository)
    problems = godot_problems(godot, expected) + unity_problems(unity, expected)
    if problems:
        raise PackageError("\n".join(problems))
    packages = {
        f"level-exporter-godot-{expected}.zip": zip_bytes(godot),
        f"{UNITY_PACKAGE}-{expected}.tgz": tgz_bytes(unity),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in packages.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in packages]


def main(arguments: list[str]) -> int:
    """Build into the folder named first; return the exit code."""
    if not 1 <= len(arguments) <= 3:
        print("usage: build_packages.py FOLDER [REPOSITORY [SOURCE]]", file=sys.stderr)
        return 2
    folder, *addresses = arguments
    try:
        built = build(Path(folder), ROOT / "templates", *addresses)
    except PackageError as error:
        for line in str(error).splitlines():
            print(f"build-packages: {line}", file=sys.stderr)
        return 1
    for path in built:
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
