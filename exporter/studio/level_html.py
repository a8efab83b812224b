"""Write a level as one HTML file that can be seen and walked offline.

The file contains the page's script, and the messages that a server would send. Its content security
policy allows only this script and this style, by hash. The output is reproducible on every machine.
"""

from __future__ import annotations

import base64
import hashlib
import html
from typing import TYPE_CHECKING

from exporter.deflate import compress
from exporter.formats.images.html_mark import mark_html
from exporter.measures import MEASURES
from exporter.model.installed import page_template
from exporter.studio.display import level_message
from exporter.studio.generated_level import edit_facts
from exporter.studio.object_legend import legend_of
from exporter.studio.overlaid import overlay_message
from exporter.studio.page_files import page_script, page_texts

if TYPE_CHECKING:
    from exporter.build.build import Build
    from exporter.measures.maps import OverlayMap

# Limit for the cells of all layers together: browsers take long to open larger files.
MAXIMUM_PAGE_CELLS = 1 << 22
# Messages of at most so many bytes are compressed as small as possible.
_SMALL_BYTES = 4 << 20
_ID = "level"
_FIRST = "level_main.js"
_STYLES = ("style.css", "objects.css", "level_page.css")


def level_html(
    build: Build, layer: str | None = None, overlay: tuple[str, OverlayMap] | None = None
) -> bytes:
    """Return a level as one HTML file that works offline.

    Args:
        build: The finished build.
        layer: The only layer to show at first; None for all visible layers.
        overlay: The name and values of an overlay to show; None for none.

    Raises:
        ValueError: The level has too many cells.
    """
    level, _ = build.level()
    cells = sum(item.cells.size for item in level.layers.values())
    if cells > MAXIMUM_PAGE_CELLS:
        raise ValueError(
            f"its layers have {cells:,} cells (allowed in an HTML page: {MAXIMUM_PAGE_CELLS:,})"
        )
    facts = {
        "level": _ID,
        "revision": 0,
        "drawn": 0,
        "problems": [],
        "solo": layer,
        "edits": edit_facts(build),
        "legend": legend_of(build),
    }
    # Warnings and times are of this machine; the terminal shows them.
    messages = {"level": level_message(level, (), {}, facts)}
    if overlay is not None:
        name, result = overlay
        summary = MEASURES.get(name.partition(":")[0]).summary
        own: dict[str, object] = {"level": _ID, "summary": summary}
        messages["overlay-data"] = overlay_message(result, name, own)
    about = f"{level.width} x {level.height}, seed {level.seed}"
    return mark_html(_page(level.name, about, messages))


def _page(name: str, about: str, messages: dict[str, bytes]) -> str:
    texts = page_texts()
    style = "".join(texts[item] for item in _STYLES)
    script = page_script(_FIRST)
    if "</script" in script or "<!--" in script:
        raise AssertionError("the script would end its own element")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return page_template("level").substitute(
        policy=policy,
        name=html.escape(name),
        about=html.escape(about),
        icon=_address("image/svg+xml", texts["icon.svg"].encode()),
        style=style,
        script=script,
        messages="\n".join(
            f'<script type="application/octet-stream" id="{id}">{_packed(message)}</script>'
            for id, message in messages.items()
        ),
    )


def _packed(message: bytes) -> str:
    return base64.b64encode(compress(message, quick=len(message) > _SMALL_BYTES)).decode()


def _address(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
