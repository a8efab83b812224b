"""The files of the pages: the folder `page/`, and the blob reader of JavaScript games."""

from __future__ import annotations

import re
from importlib import resources

from exporter.project.templates import templates
from exporter.studio.page_bundle import bundled

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FIRST_MODULE = "main.js"
_IMPORT = re.compile(r'^(import\b[^;"]*?)"\./([\w-]+\.js)";$', re.MULTILINE)


def page_files() -> dict[str, tuple[bytes, str]]:
    """Return the page's files: content and type by the path they are asked with."""
    found: dict[str, tuple[bytes, str]] = {}
    page = resources.files("exporter.studio") / "page"
    for entry in page.iterdir():
        suffix = "." + entry.name.rpartition(".")[2]
        if entry.is_file() and suffix in _TYPES:
            found[f"/{entry.name}"] = entry.read_bytes(), _TYPES[suffix]
    reader = templates() / "javascript" / "level-blob.js"
    found["/level-blob.js"] = reader.read_bytes(), _TYPES[".js"]
    found["/"] = found["/index.html"]
    return found


def served_files() -> dict[str, tuple[bytes, str]]:
    """Return the files that a server has: of the page's modules the first one is all of them."""
    found = page_files()
    modules = {
        path.removeprefix("/"): content.decode()
        for path, (content, _) in found.items()
        if path.endswith(".js")
    }
    script = bundled(_FIRST_MODULE, modules).encode()
    kept = {path: one for path, one in found.items() if not path.endswith(".js")}
    return {**kept, f"/{_FIRST_MODULE}": (script, _TYPES[".js"])}


def bare_modules(first: str, files: dict[str, tuple[bytes, str]]) -> dict[str, str]:
    """Return a module and all that it imports, by name: for an import map.

    Modules import each other by their names alone there, `camera.js` for `./camera.js`.

    Args:
        first: The module's name.
        files: As `page_files` returns them.
    """
    found: dict[str, str] = {}
    waiting = [first]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        text = files[f"/{name}"][0].decode()
        found[name] = _IMPORT.sub(r'\1"\2";', text)
        waiting += [one[2] for one in _IMPORT.finditer(text)]
    return dict(sorted(found.items()))
