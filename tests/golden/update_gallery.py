"""Draw the gallery: a picture of every level preset and style, and the page that shows them.

    PYTHONPATH=. python tests/golden/update_gallery.py

Pictures are drawn by `exporter preview` and packed again without loss by Pillow, because they are
committed. One whose pixels are still the same is left alone, whatever this machine's Pillow would
write; the names of the others are printed.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from PIL import Image

import exporter
from exporter.cli.main import main as run_exporter
from exporter.tilesets.styles import STYLES

ROOT = Path(__file__).parents[2]
PRESETS = ROOT / "templates" / "levels"
DOCS = ROOT / "exporter" / "docs"
PICTURES = DOCS / "images" / "gallery"
# Pictures in the gallery are no longer than this. Drawn tiles have 16 pixels, so these scales keep
# their shapes.
SIDE = 640
SCALES = (16, 8, 4, 2, 1)
CAVERN = ROOT / "sample_project" / "levels" / "cavern.level.yaml"
CAVERN_PICTURE = DOCS / "images" / "cavern-lit.png"
VILLAGE = PRESETS / "village.level.yaml"
VILLAGE_PICTURE = DOCS / "images" / "village.png"
# The animated picture of the page on steps.
STEPS = PRESETS / "halls-in-caves.level.yaml"
STEPS_PICTURE = DOCS / "images" / "steps.png"
STYLE_PICTURES = DOCS / "images" / "styles"

HEAD = """\
# Gallery of presets

Each picture shows a preset, a ready level spec that you can copy and change. The exporter drew them
from the specs in `templates/levels/`:

    exporter preview templates/levels/caves.level.yaml -o caves.png

Start with one: `exporter init --template caves`, or copy its file to the folder of your levels.
Another `seed` gives another level of the same kind.
(`PYTHONPATH=. python tests/golden/update_gallery.py` writes this page.)
"""
STYLE_HEAD = """\
## Styles

These pictures show one village with `tileset: {style: NAME}` in its spec. `exporter plugins` lists
the styles; [one file](../how-to/extending.md) adds another. A tile keeps the `color` that its
legend gives.
"""


def draw(spec: Path, picture: Path, *more: str) -> bool:
    """Draw a spec; return whether the picture differs from the one that was there."""
    with tempfile.TemporaryDirectory() as scratch:
        drawn = Path(scratch) / "drawn.png"
        code = run_exporter(["preview", str(spec), "-o", str(drawn), *more])
        if code:
            raise SystemExit(code)
        image = Image.open(drawn).convert("RGB")
    if picture.exists() and same(Image.open(picture).convert("RGB"), image):
        return False
    picture.parent.mkdir(parents=True, exist_ok=True)
    with_palette(image).save(picture, optimize=True)
    return True


def draw_steps(picture: Path) -> bool:
    """Draw the steps of a layer; return whether the picture differs from the one that was there."""
    before = picture.read_bytes() if picture.exists() else b""
    more = ["--layer", "halls", "--steps", "--scale", "3", "--overwrite"]
    code = run_exporter(["preview", str(STEPS), "-o", str(picture), *more])
    if code:
        raise SystemExit(code)
    return picture.read_bytes() != before


def same(item: Image.Image, other: Image.Image) -> bool:
    """Return whether two pictures have the same pixels."""
    return item.size == other.size and item.tobytes() == other.tobytes()


def with_palette(image: Image.Image) -> Image.Image:
    """Return the picture with a palette, if it has few enough colours for that."""
    colors = image.getcolors(256)
    if colors is None:
        return image
    small = image.quantize(len(colors), dither=Image.Dither.NONE)
    return small if same(small.convert("RGB"), image) else image


def scale_of(spec: Path) -> int:
    """Return how many pixels a cell of this level is drawn with."""
    longer = max(exporter.load_level(spec).size)
    return next((scale for scale in SCALES if scale * longer <= SIDE), 1)


def introduction(spec: Path) -> str:
    """Return the comment at the top of a spec."""
    text = spec.read_text(encoding="utf-8")
    lines = re.match(r"(?:#.*\n)*", text)
    assert lines is not None
    return " ".join(line.lstrip("# ") for line in lines[0].splitlines())


def entry(spec: Path, name: str) -> str:
    """Return a preset's part of the page."""
    parts = [
        f"## {name}",
        introduction(spec),
        f"![{name}](../images/gallery/{name}.png)",
        f"`templates/levels/{spec.name}`",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def draw_style(name: str, picture: Path) -> bool:
    """Draw the village in a style; return whether the picture differs from the one before."""
    with tempfile.TemporaryDirectory() as scratch:
        spec = Path(scratch) / VILLAGE.name
        text = VILLAGE.read_text(encoding="utf-8")
        spec.write_text(f"{text}tileset: {{style: {name}}}\n", encoding="utf-8")
        return draw(spec, picture, "--scale", str(scale_of(spec)))


def style_entry(name: str) -> str:
    """Return a style's part of the page."""
    return (
        f"### {name}\n\n{STYLES.get(name).summary}\n\n"
        f"![The village in the style {name}](../images/styles/{name}.png)\n"
    )


def main() -> None:
    """Draw changed pictures, write the page, and print new entries."""
    entries, changed = [HEAD], []
    specs = sorted(PRESETS.glob("*.level.yaml"))
    for spec in specs:
        name = spec.name.removesuffix(".level.yaml")
        if draw(spec, PICTURES / f"{name}.png", "--scale", str(scale_of(spec))):
            changed.append(name)
        entries.append(entry(spec, name))
    entries.append(STYLE_HEAD)
    for name in STYLES.built_in():
        if draw_style(name, STYLE_PICTURES / f"{name}.png"):
            changed.append(f"style {name}")
        entries.append(style_entry(name))
    for picture in PICTURES.glob("*.png"):
        if not (PRESETS / f"{picture.stem}.level.yaml").exists():
            picture.unlink()
            changed.append(f"{picture.stem} (removed)")
    cavern = exporter.build_level(exporter.load_level(CAVERN))
    stairs = next(thing for thing in cavern.objects if thing.name == "stairs_up")
    position = f"{stairs.x},{stairs.y}"
    if draw(CAVERN, CAVERN_PICTURE, "--at", position, "--scale", "16"):
        changed.append(CAVERN_PICTURE.stem)
    if draw(VILLAGE, VILLAGE_PICTURE, "--scale", "16"):
        changed.append(VILLAGE_PICTURE.stem)
    if draw_steps(STEPS_PICTURE):
        changed.append(STEPS_PICTURE.stem)
    (DOCS / "reference" / "gallery.md").write_text("\n".join(entries), encoding="utf-8")
    total = sum(picture.stat().st_size for picture in PICTURES.parent.rglob("*.png"))
    print(
        f"{len(specs)} presets, {total} bytes of pictures; drawn again: {', '.join(changed) or '-'}"
    )


if __name__ == "__main__":
    main()
