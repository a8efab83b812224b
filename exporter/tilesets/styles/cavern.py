"""Brown earth and violet rock by torchlight; dark green pools."""

from exporter.tilesets.styles import Style, style


@style("cavern")
def colors() -> Style:
    """Return the colours of the style `cavern`."""
    return Style(
        shade="#1c0f1e",
        light="#ffdf9e",
        floor="#7d6a58",
        corridor="#75604d",
        cave="#86603f",
        wall="#8d7a6b",
        face="#6d5549",
        fill="#1d1518",
        rock="#7f6a72",
        rock_face="#5d4652",
        rock_fill="#1c141b",
        grass="#6c7f3a",
        tree="#4b6a3a",
        sand="#b7945c",
        dirt="#7d583a",
        snow="#cfc8c4",
        ice="#93b4b8",
        water="#2f7f86",
        deep="#1f5f6c",
        foam="#b9e2d2",
        lava="#e8641c",
        acid="#8fae32",
        pit="#120c12",
        wood="#8a5527",
        relief=("#16414d", "#2a7078", "#b7945c", "#7f8a42", "#5a6a38", "#7a5f52", "#e8ddc8"),
    )
