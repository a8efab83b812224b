"""Sandstone and hot sand, palms and turquoise water."""

from exporter.tilesets.styles import Style, style


@style("desert")
def colors() -> Style:
    """Return the colours of the style `desert`."""
    return Style(
        shade="#3a1a2c",
        light="#fff6d0",
        floor="#d0a56c",
        corridor="#c2955d",
        cave="#c69a62",
        wall="#e0b97e",
        face="#b07a4c",
        fill="#4a2a2c",
        rock="#d19a68",
        rock_face="#9c5f46",
        rock_fill="#462629",
        grass="#a8a648",
        tree="#5c8a3c",
        sand="#e6c487",
        dirt="#b98250",
        snow="#f3ead8",
        ice="#b8dcd8",
        water="#2fa3b0",
        deep="#1f7f98",
        foam="#e6fbf2",
        lava="#e4521c",
        acid="#a5b03a",
        pit="#2a1420",
        wood="#94582c",
        metal="#f0c85a",
        relief=("#1c6f8c", "#3fb0b4", "#ecd298", "#dcb070", "#c08a52", "#9c5f46", "#fbf0dc"),
    )
