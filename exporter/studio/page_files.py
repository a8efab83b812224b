"""The files of the pages: the folder `page/`, and the blob reader of JavaScript games."""

from __future__ import annotations

import re
from importlib import resources

from exporter.project.templates import templates

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
    found["/"] = found["/index.html"] = _preloading(found)
    return found


def _preloading(files: dict[str, tuple[bytes, str]]) -> tuple[bytes, str]:
    """Return the page with all of its modules named.

    A browser asks for them at once then, instead of one layer of imports after the other.
    """
    content, kind = files["/index.html"]
    names = bare_modules(_FIRST_MODULE, files)
    links = "".join(f'<link rel="modulepreload" href="{name}">\n' for name in names)
    head, script, rest = content.partition(b'<script type="module"')
    return head + links.encode() + script + rest, kind


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
