"""Ink and washes on old paper, like a map drawn by hand."""

from exporter.tilesets.styles import Style, style


@style("parchment")
def colors() -> Style:
    """Return the colours of the style `parchment`."""
    return Style(
        shade="#4a2f1c",
        light="#fffbe9",
        floor="#e6d4a8",
        corridor="#dcc898",
        cave="#e0cd9f",
        wall="#c9a873",
        face="#a67c4c",
        fill="#8a6841",
        rock="#c4a06c",
        rock_face="#9b7346",
        rock_fill="#86643e",
        grass="#c3c07e",
        tree="#8c9a58",
        sand="#ecdbac",
        dirt="#c8a877",
        snow="#f6efdc",
        ice="#d5dcc8",
        water="#a3bfae",
        deep="#86a89c",
        foam="#f4ecd2",
        lava="#c9643c",
        acid="#a8ac58",
        pit="#6b4c2e",
        wood="#96683a",
        metal="#c9962e",
        accents=(
            "#c48a6a",
            "#9aa88c",
            "#b5ac6a",
            "#a88f94",
            "#c9a05c",
            "#8fa890",
            "#b89480",
            "#9a9ca0",
        ),
        relief=("#7fa39a", "#a9c4b2", "#eedfb4", "#d2c98c", "#b5ab6c", "#b18c5e", "#faf4e2"),
    )
