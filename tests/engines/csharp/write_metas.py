"""Write the `.meta` of every file and folder of the Unity package that Unity looks at.

    python tests/engines/csharp/write_metas.py

In a package that cannot be changed, Unity ignores a file without `.meta`. Guids come from the
path alone, so they are the same in every copy of the package and in every version of it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

PACKAGE = Path(__file__).parents[3] / "templates" / "unity" / "com.levelexporter.unity"

_ENDING = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
_FOLDER = "folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n" + _ENDING
_SCRIPT = (
    "MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n"
    "  executionOrder: 0\n  icon: {instanceID: 0}\n" + _ENDING
)
_IMPORTERS = {
    ".asmdef": "AssemblyDefinitionImporter",
    ".json": "PackageManifestImporter",
    ".md": "TextScriptImporter",
    ".yaml": "TextScriptImporter",
}
# A sample is copied into games with its guids, so that scenes keep their references.
_SAMPLES = "Samples~"
_EXPORTED = (".lvb", ".png", ".json")


def hidden(path: Path) -> bool:
    """Return whether Unity neither looks at a path nor copies it into a game with a sample."""
    parts = path.relative_to(PACKAGE).parts
    if parts[0] == _SAMPLES and len(parts) > 1:
        parts = parts[1:]
    return any(part.startswith(".") or part.endswith("~") for part in parts)


def exported(path: Path) -> bool:
    """Return whether a file belongs to a sample's level, whose `.meta` was exported with it."""
    return path.suffix in _EXPORTED and _SAMPLES in path.parts


def assets() -> list[Path]:
    """Return the files and folders of the package that need a `.meta` from here."""
    return [
        path
        for path in sorted(PACKAGE.rglob("*"))
        if path.suffix != ".meta" and not hidden(path) and not exported(path)
    ]


def meta_of(path: Path) -> str:
    """Return the text of a `.meta`."""
    position = path.relative_to(PACKAGE).as_posix()
    guid = sha256(f"com.levelexporter.unity/{position}".encode()).hexdigest()[:32]
    if path.is_dir():
        block = _FOLDER
    elif path.suffix == ".cs":
        block = _SCRIPT
    else:
        block = f"{_IMPORTERS[path.suffix]}:\n  externalObjects: {{}}\n{_ENDING}"
    return f"fileFormatVersion: 2\nguid: {guid}\n{block}"


def main() -> None:
    """Write missing or changed files, and remove files without an asset."""
    expected = {path.with_name(path.name + ".meta"): meta_of(path) for path in assets()}
    for meta in PACKAGE.rglob("*.meta"):
        if meta not in expected and not exported(meta.with_suffix("")):
            meta.unlink()
    for meta, text in expected.items():
        meta.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(expected)} files")


if __name__ == "__main__":
    main()
