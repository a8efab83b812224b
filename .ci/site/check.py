"""Refuse a built site whose pages load anything from another host.

python .ci/site/check.py DIR
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path

# Resources that browsers load by themselves, unlike links.
_FETCHED = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "img": ("src", "srcset"),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
}
# Links in a page's head that are not fetched.
_NAMED = {"alternate", "canonical", "next", "prev"}


class _Fetched(HTMLParser):
    """Collects a page's resources from other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self.foreign: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element's attributes."""
        values = dict(attrs)
        if tag == "link" and _NAMED & set((values.get("rel") or "").split()):
            return
        for name in _FETCHED.get(tag, ()):
            address = values.get(name) or ""
            if "//" in address and not address.startswith("data:"):
                self.foreign.append(address)


def foreign_addresses(page: str) -> list[str]:
    """Return a page's resources from other hosts."""
    parser = _Fetched()
    parser.feed(page)
    return parser.foreign


def main(folder: Path) -> int:
    """Look at every page and style sheet; return the exit code."""
    faults = 0
    for page in sorted(folder.rglob("*.html")):
        for address in foreign_addresses(page.read_text(encoding="utf-8")):
            print(f"{page.relative_to(folder)} loads {address}")
            faults += 1
    for sheet in sorted(folder.rglob("*.css")):
        text = sheet.read_text(encoding="utf-8")
        if "url(http" in text or "url(//" in text or '@import"http' in text:
            print(f"{sheet.relative_to(folder)} loads from another host")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
