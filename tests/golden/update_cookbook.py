"""Draw the pictures of the cookbook with the commands of its pages.

    PYTHONPATH=.:tests/harness python tests/golden/update_cookbook.py

They are packed again without loss, as those of the gallery are.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image
from update_gallery import same, with_palette

from cookbook import PAGES, PICTURES, project_of, read_recipe, run_commands


def main() -> None:
    """Draw changed pictures, and print new ones."""
    PICTURES.mkdir(exist_ok=True)
    changed = []
    for page in PAGES:
        recipe = read_recipe(page)
        with tempfile.TemporaryDirectory() as scratch:
            with project_of(recipe, Path(scratch)):
                run_commands(recipe)
            drawn = Image.open(Path(scratch) / f"{page.stem}.png").convert("RGB")
        picture = PICTURES / f"{page.stem}.png"
        if picture.exists() and same(Image.open(picture).convert("RGB"), drawn):
            continue
        with_palette(drawn).save(picture, optimize=True)
        changed.append(page.stem)
    print(f"{len(PAGES)} recipes; drawn again: {', '.join(changed) or '-'}")


if __name__ == "__main__":
    main()
