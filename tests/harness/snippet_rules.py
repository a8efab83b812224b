"""Which runner each snippet of the pages has.

A page has rules: the first words of a snippet, or its language in brackets, or `*` for every other
one, and its runner. Whole specs, settings (`targets:`) and snippets that are nothing but calls of
the exporter need no rule, nor does C#.
"""

from __future__ import annotations

import re

from page_snippets import Snippet, is_commands
from snippet_gdscript import GDSCRIPT
from snippet_runners import (
    Code,
    Commands,
    Compiled,
    CSharp,
    DrawnByTiled,
    Edits,
    Elsewhere,
    Listing,
    Lua,
    Runner,
    Settings,
    Spec,
)

SIZED = "size: [40, 26]\nseed: 3\n"
CAVES = f"{SIZED}layers:\n  ground: {{generator: cellular_caves, connect: guaranteed}}\n"
DIAGRAM = Listing("a diagram")
PSEUDOCODE = Listing("pseudocode of the format; tests/vectors compares the readers made from it")
# Far ways, and half of it floor.
WIDE_CAVES = (
    "size: [64, 40]\nseed: 6\nlayers:\n"
    "  ground: {generator: cellular_caves, wall_percent: 48, connect: guaranteed}\n"
)
DIRT = (
    "layers:\n  ground: {generator: voronoi, draw: terrains,"
    " terrains: [{name: dirt}, {name: grass}]}\n"
)
TERRAINS = DIRT.replace("{name: dirt}", "{name: water}, {name: sand}, {name: rock}")
LAND = f"""{SIZED}layers:
  relief: {{generator: heightmap, size: [81, 53], minimum: -40, maximum: 160}}
"""

RULES: dict[str, dict[str, Runner]] = {
    "CONTRIBUTING.md": {
        "python3 -m venv": Elsewhere(".ci/run", "python3 -m venv .venv && .venv/bin/pip install -e")
    },
    "README.md": {
        "uvx ": Elsewhere("tests/slow/test_first_level.py", "README.md"),
        "python3 -m venv .venv && .venv/bin/pip install . ": Elsewhere(".ci/run", "main_job="),
        "python3 -m venv .venv && .venv/bin/pip install -e": Elsewhere(".ci/run", "tests="),
    },
    "exporter/docs/explanation/architecture.md": {"*": DIAGRAM},
    "exporter/docs/reference/benchmarks.md": {
        ".venv/bin/python tests/benchmarks/NAME.py": Listing(
            "NAME stands for a benchmark; they take minutes, and are no tests"
        )
    },
    "exporter/docs/reference/blob-codecs.md": {"*": PSEUDOCODE},
    "exporter/docs/reference/blob-format.md": {"*": PSEUDOCODE},
    "exporter/docs/reference/pack-format.md": {"*": PSEUDOCODE},
    "exporter/docs/how-to/packs.md": {
        "exporter inspect": Elsewhere("tests/packs/test_packs.py", "--extract"),
        "with exporter.open_pack": Elsewhere("tests/packs/test_packs.py", "open_pack"),
        "import { openPack }": Elsewhere("tests/engines/javascript/read_packs.mjs", "openPack"),
        "LevelPack pack": Elsewhere("tests/engines/csharp/ReadPacks.cs", "LevelPack.Open"),
        "var pack": Elsewhere("tests/engines/engine_harness/read_packs.gd", "Pack.open"),
    },
    "exporter/docs/how-to/gltf.md": {
        "[html]": Elsewhere("tests/browser/test_three_page.py", "gltf.md"),
    },
    "exporter/docs/how-to/agents.md": {
        "pip install": Listing("installs the extra that the tests have"),
        "check_spec(": Listing("a session, shortened; tests/agents plays one"),
    },
    "exporter/docs/how-to/python-games.md": {
        "[python]": Elsewhere("tests/engines/test_python_games.py", "python-games.md"),
    },
    "exporter/docs/how-to/compare.md": {
        "$ exporter diff": Elsewhere("tests/cli/test_diff_page.py"),
        "outputs: 3 differ": Elsewhere("tests/cli/test_diff_outputs.py", "outputs: "),
    },
    "exporter/docs/how-to/defold.md": {
        "[lua]": Lua(
            before="""
package.loaded["levels.crypt_objects"] = dofile(arg[1])
vmath = { vector3 = function(x, y, z) return { x = x, y = y, z = z } end }
factory = { create = function(url, at) print(url, at.x, at.y) end }
""",
            after="init({})\n",
        )
    },
    "exporter/docs/how-to/distances-and-roads.md": {
        "[gdscript]": Elsewhere("tests/engines/test_godot_ways.py")
    },
    "exporter/docs/how-to/extending.md": {
        "ruins-pack/": Listing("a tree of files"),
        "exporter init --extension": Elsewhere(
            "tests/slow/test_started_extension.py", "fallen-halls"
        ),
        "@generator": Compiled(
            before="from exporter.extend import *\nimport numpy as np\nclass Pillars: pass\n"
        ),
        "for number in range": Compiled(),
        "*": Elsewhere("tests/extend/outside_packages.py"),
    },
    "exporter/docs/how-to/farms.md": {
        "[yaml]": Elsewhere("tests/export/test_farm_page.py"),
        "[sh]": Elsewhere("tests/service/test_farm_page.py"),
    },
    "exporter/docs/how-to/find-levels.md": {
        "seed: {search": Spec(
            after="size: [64, 40]\nlayers:\n  ground: {generator: cellular_caves,"
            " connect: guaranteed}\nobjects: [{name: exit}]\n",
            instead={"500": "40"},
        ),
        "require:": Spec(before=WIDE_CAVES),
        "none of 10,000": Elsewhere("tests/cli/test_seeds.py", "levels matches"),
        "exporter: --where": Elsewhere("tests/test_snippets.py", "of_expressions"),
        "[python]": Code(before="import exporter\n", after="assert len(found) == 10\n"),
    },
    "exporter/docs/how-to/godot.md": {
        "exporter init": Commands(alone=True),
        "objects:": Spec(before=CAVES),
        "layers:": Listing(
            "its picture trees.png is not in the page; tests/targets has such layers"
        ),
        "properties:": Spec(
            before=CAVES + "objects:\n  - name: door\n  - name: stairs\n  - name: lever\n",
            under="    ",
        ),
        "@tool": Elsewhere("tests/engines/test_godot_after_export.py", "func after_export("),
        "func travel_to": Elsewhere("tests/engines/test_godot_worlds.py", "placed"),
        "var remembered": Elsewhere("tests/engines/test_godot_world_sight.py", "godot.md"),
        **GDSCRIPT["exporter/docs/how-to/godot.md"],
    },
    "exporter/docs/how-to/hand-edits.md": {
        "tiled/wild.tmj": Elsewhere("tests/cli/test_cli.py", "kept: changed since"),
        "layers:": Edits(),
        "spec = ": Code(
            before="import exporter\n",
            after="assert spec.edits.layers['ground'][0].now == 'wall'\n",
        ),
    },
    "exporter/docs/how-to/hand-made-maps.md": {
        "village:": Spec(before="size: [40, 30]\nlayers:\n", under="  "),
        "layers:": Spec(before="size: [90, 60]\n"),
    },
    "exporter/docs/how-to/heights-and-tiles.md": {
        "moisture:": Spec(before=LAND, under="  "),
        "steep:": Spec(before=LAND, under="  "),
        "[gdscript]": Elsewhere("tests/engines/test_terrain3d_import.py"),
    },
    "exporter/docs/how-to/javascript.md": {"*": Elsewhere("tests/engines/test_javascript_docs.py")},
    "exporter/docs/how-to/love.md": {
        "[lua]": Elsewhere("tests/engines/test_lua_maps.py"),
        "local sti": Lua(
            before="""
package.loaded.sti = function(path)
  return { update = function() print("update") end, draw = function() print("draw") end }
end
love = {}
""",
            after="love.load()\nlove.update(0.1)\nlove.draw()\n",
        ),
    },
    "exporter/docs/reference/metrics.md": {
        "[python]": Code(
            before="import exporter\n"
            "level = exporter.build_level(exporter.load_level('levels/crypt.level.yaml'))\n"
        ),
        "require:                ": Spec(before=WIDE_CAVES, after="visibility: {radius: 24}\n"),
        "require:\n": Spec(
            before=WIDE_CAVES,
            after="objects: [{name: chest, count: 6}]\n",
        ),
        "require: {min_distance": Spec(before=WIDE_CAVES, after="objects: [{name: player}]\n"),
        "budget:": Spec(before=CAVES),
        "levels/crypt.level.yaml:12:30": Elsewhere(
            "tests/build/test_required_metrics.py", "required: at most"
        ),
    },
    "exporter/docs/how-to/placing-objects.md": {"*": Elsewhere("tests/test_documentation.py")},
    "exporter/docs/explanation/roles.md": {"layers:": Spec(before="size: [64, 40]\nseed: 2\n")},
    "exporter/docs/how-to/python.md": {
        "[python]": Code(
            before="records = [{'name': 'rat', 'hp': 3}]\nfrom pathlib import Path\n",
            after="assert Path('data/monsters.json').is_file()\nassert regions.sizes.size == 1\n",
        )
    },
    "exporter/docs/reference/commands.md": {
        "levels/crypt.level.yaml:4:5": Elsewhere(
            "tests/test_snippets.py", "message_of_the_commands_page"
        )
    },
    "exporter/docs/how-to/rooms-and-doors.md": GDSCRIPT["exporter/docs/how-to/rooms-and-doors.md"],
    "exporter/docs/how-to/spawning.md": {
        "monster: 114 of 118": Elsewhere("tests/placement/test_spawning.py", "could be placed"),
    },
    "exporter/docs/how-to/steps.md": {"[python]": Code()},
    "exporter/docs/how-to/studio.md": {
        "ground_drawn:": Spec(before=CAVES, under="  "),
        "http://": Elsewhere("tests/browser/test_studio_links.py", "layers.ground.wall_percent"),
    },
    "exporter/docs/how-to/teams.md": {
        "# Level Exporter: a merge": Elsewhere("tests/project/test_git_attributes.py"),
        "git clone": Commands(),
        "[yaml]": Elsewhere("tests/slow/test_release.py"),
    },
    "exporter/docs/how-to/tiled.md": {
        "QT_QPA_PLATFORM": DrawnByTiled(),
        "[js]": Elsewhere("tests/engines/test_phaser.py"),
    },
    "exporter/docs/how-to/tiles.md": {
        "tileset: {style": Spec(before=CAVES),
        "tileset:\n  image: meadow": Spec(before=SIZED + DIRT),
        "# .. .#": Spec(
            before=SIZED + DIRT + "tileset:\n  image: meadow.png\n  autotile: {grass: corners}\n",
            under="  ",
        ),
        "tileset:\n  image: terrain": Spec(before=SIZED + TERRAINS),
    },
    "exporter/docs/how-to/unity.md": {"exporter init": Commands(alone=True)},
    "exporter/docs/explanation/visibility.md": {
        "visibility:": Spec(before=CAVES),
        "table = ": Code(
            before="import exporter, numpy as np\nopaque = np.zeros((20, 30), bool)\n"
            "x, y, ax, ay, bx, by = 3, 4, 5, 6, 7, 8\n",
            after="assert table.count.shape == (20, 30)\n",
        ),
        "reach = ": Code(
            before="import exporter, numpy as np\nopaque = np.zeros((60, 80), bool)\n"
            "opaque[:, 40] = True\nx, y = 40, 30\n"
            "table = exporter.compute_visibility(opaque, radius=8)\n",
            after="opaque[y, x] = False\n"
            "whole = exporter.compute_visibility(opaque, radius=8)\n"
            "seen = whole.visible_from(x - 3, y)[top : y + reach + 1, left : x + reach + 1]\n"
            "assert (around.visible_from(x - 3 - left, y - top) == seen).all()\n",
        ),
        "layers:": Elsewhere("tests/test_documentation.py"),
        **GDSCRIPT["exporter/docs/explanation/visibility.md"],
    },
    "exporter/docs/how-to/worlds.md": {
        "# levels/wilds.level.yaml": Spec(instead={"16384": "256", "512": "128"}),
        "tiled/wilds.world.json": Listing("a tree of files; tests/formats has their names"),
        "import exporter": Code(
            instead={"8000": "80", "9000": "90", "8100": "81", "9050": "95"},
            after="assert cells.shape == (100, 200)\nassert seen.any()\n",
        ),
    },
    "exporter/docs/reference/your-files.md": {
        "godot/levels/crypt.tscn": Elsewhere("tests/cli/test_cli.py", "kept: changed since"),
        "75a2a2ee": Listing("a part of an index of outputs"),
    },
    **{
        f"exporter/docs/tutorial/{name}.md": {
            "*": Elsewhere("tests/engines/engine_harness/tutorial.py", name)
        }
        for name in ("first-cave-in-godot", "your-own-tiles-and-things")
    },
    "exporter/docs/tutorial/choose-among-a-hundred.md": {
        "*": Elsewhere("tests/browser/test_studio_tutorial.py", "choose-among-a-hundred")
    },
    "templates/extension/README.md": {
        "*": Elsewhere("tests/extend/test_started_extension.py", '"extension" / "README.md"'),
    },
    "templates/godot/addons/level_exporter/README.md": {
        "var pack": Elsewhere("tests/engines/engine_harness/read_packs.gd", "Pack.open"),
        **GDSCRIPT["templates/godot/addons/level_exporter/README.md"],
    },
    "templates/unity/com.levelexporter.unity/Documentation~/index.md": {"*": CSharp()},
    "templates/unity/com.levelexporter.unity/README.md": {"*": CSharp()},
}
COOKBOOK = Elsewhere("tests/test_cookbook.py", "PAGES")


def runner_of(snippet: Snippet) -> Runner | None:
    """Return the runner of a snippet, or None."""
    if "/cookbook/" in snippet.page:
        return COOKBOOK
    key = key_of(snippet)
    return RULES[snippet.page][key] if key is not None else _usual(snippet)


def key_of(snippet: Snippet) -> str | None:
    """Return the key of the rule that a snippet has: the longest beginning before the others."""
    rules = RULES.get(snippet.page, {})
    beginnings = [key for key in rules if snippet.text.startswith(key)]
    if beginnings:
        return max(beginnings, key=len)
    return next((key for key in (f"[{snippet.language}]", "*") if key in rules), None)


def _usual(snippet: Snippet) -> Runner | None:
    """Return the runner of a snippet that needs no rule."""
    if snippet.language in ("", "sh") and is_commands(snippet.text.replace(".venv/bin/", "")):
        return Commands()
    if snippet.language in ("", "yaml"):
        if re.search(r"^targets:", snippet.text, re.M):
            return Settings()
        if re.search(r"^size:", snippet.text, re.M) and "layers:" in snippet.text:
            return Spec()
    return CSharp() if snippet.language == "csharp" else None
