"""The modules of a page joined in one script, run by Node, beside the same modules fetched."""

from __future__ import annotations

import subprocess
from importlib import resources
from pathlib import Path

import pytest

import exporter.studio.page_files as page_files_module
from engine_harness import Node
from exporter.studio.page_files import joined_modules, page_files, page_script

pytestmark = pytest.mark.engine
MODULES = {
    "main.js": """\
import { Camera, ZOOM as zoom } from "./camera.js";
import { counted } from "./level-blob.js";

const camera = new Camera(zoom);
console.log(JSON.stringify([camera.zoom, camera.count(), counted(), await Promise.resolve(3)]));
""",
    "camera.js": """\
// @ts-check
import { counted as more } from "./level-blob.js";

/** Has the name of a constant elsewhere. */
const MOST = 2;
export const ZOOM = 16 * MOST;
export class Camera {
  constructor(zoom) { this.zoom = zoom; }
  count() { return more(); }
}
""",
    "level-blob.js": """\
const MOST = 5;
let count = MOST;
export function counted() { return count++; }
""",
    "unused.js": "throw new Error('nothing imports it');",
}


def test_a_joined_script_does_what_its_modules_do(node: Node, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    joined = tmp_path / "joined.js"
    joined.write_text(joined_modules("main.js", MODULES))
    assert node.query(tmp_path / "main.js", None) == [32, 5, 6, 3]
    assert node.query(joined, None) == [32, 5, 6, 3]


def test_a_module_is_included_once_after_its_imports() -> None:
    names = [
        line.removeprefix("// ")
        for line in joined_modules("main.js", MODULES).splitlines()
        if line.startswith("// ") and line.endswith(".js")
    ]
    assert names == ["level-blob.js", "camera.js", "main.js"]


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./camera.js";',
        'import "./camera.js";',
        'import {\n  Camera } from "./camera.js";',
        'import { Camera } from "https://elsewhere.example/camera.js";',
        "export let zoom = 1;",
        "export default class {}",
        "export { MOST };",
        '  import { counted } from "./level-blob.js";',
        "const most = 2; export const ZOOM = 3;",
    ],
)
def test_what_cannot_be_joined_is_reported(line: str) -> None:
    with pytest.raises(
        ValueError, match=r"camera\.js has a line that cannot be joined: (im|ex)port"
    ):
        joined_modules("main.js", {**MODULES, "camera.js": f"const MOST = 1;\n{line}\n"})


def test_what_is_not_exported_is_reported() -> None:
    several = MODULES["camera.js"].replace("16 * MOST;", "16, FIT = 2;")
    first = MODULES["main.js"].replace("ZOOM as zoom", "ZOOM as zoom, FIT")
    with pytest.raises(ValueError, match=r"main\.js imports FIT, which camera\.js does not export"):
        joined_modules("main.js", {**MODULES, "camera.js": several, "main.js": first})


def test_names_of_modules_stay_different() -> None:
    modules = {**MODULES, "level_blob.js": MODULES["level-blob.js"]}
    modules["camera.js"] = modules["camera.js"].replace("level-blob.js", "level_blob.js")
    with pytest.raises(ValueError, match="differ in - and _ alone"):
        joined_modules("main.js", modules)


@pytest.mark.parametrize("first", ["main.js", "level_main.js"])
def test_the_scripts_of_the_pages_are_right(first: str, tmp_path: Path) -> None:
    script = tmp_path / "page.mjs"
    script.write_text(page_script(first))
    command = ["node", "--check", str(script)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def test_a_checkout_with_other_ends_of_lines_gives_the_same_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = page_files()
    package, templates = resources.files("exporter.studio"), page_files_module.templates()
    sources = {"page": package, "vendor": package, "javascript": templates}
    for folder, parent in sources.items():
        source = parent / folder
        (tmp_path / folder).mkdir()
        for entry in source.iterdir():
            if entry.is_file():
                content = entry.read_bytes()
                (tmp_path / folder / entry.name).write_bytes(content.replace(b"\n", b"\r\n"))
    monkeypatch.setattr(page_files_module.resources, "files", lambda _: tmp_path)
    monkeypatch.setattr(page_files_module, "templates", lambda: tmp_path)
    assert page_files() == before


def test_circles_and_missing_modules_are_reported() -> None:
    circle = MODULES["level-blob.js"] + 'import { ZOOM } from "./camera.js";\n'
    with pytest.raises(ValueError, match=r"camera\.js imports itself by way of others"):
        joined_modules("main.js", {**MODULES, "level-blob.js": circle})
    with pytest.raises(KeyError):
        joined_modules("main.js", {"main.js": MODULES["main.js"]})
