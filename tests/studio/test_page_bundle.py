"""The page's modules as one script."""

from __future__ import annotations

import re

import pytest

from exporter.studio.page_bundle import bundled
from exporter.studio.page_files import bare_modules, page_files, served_files


def test_a_module_stands_behind_those_that_it_imports() -> None:
    modules = {
        "main.js": 'import { high } from "./high.js";\n'
        'import { low } from "./low.js";\nhigh(low);\n',
        "high.js": 'import { low } from "./low.js";\nexport function high() { return low; }\n',
        "low.js": "export const low = 1;\nexport async function later() {}\n",
        "other.js": "export class Other {}\n",
    }
    assert bundled("main.js", modules) == (
        "const modules = {};\n"
        'modules["low.js"] = (() => {\n'
        "const low = 1;\nasync function later() {}\n\nreturn { low, later };\n})();\n"
        'modules["high.js"] = (() => {\n'
        'const { low } = modules["low.js"];\nfunction high() { return low; }\n\n'
        "return { high };\n})();\n"
        'modules["main.js"] = (() => {\n'
        'const { high } = modules["high.js"];\nconst { low } = modules["low.js"];\nhigh(low);\n\n'
        "return {  };\n})();\n"
    )


@pytest.mark.parametrize(
    "statement",
    [
        'import all from "./low.js";',
        'import "./low.js";',
        'import { low as deep } from "./low.js";',
        "export default 1;",
        "export let low = 1;",
        'export { low } from "./low.js";',
    ],
)
def test_an_unknown_form_is_an_error_that_shows_it(statement: str) -> None:
    modules = {"main.js": f"{statement}\n", "low.js": "export const low = 1;\n"}
    with pytest.raises(ValueError, match=f"main.js cannot be joined.*{re.escape(statement)}"):
        bundled("main.js", modules)


def test_modules_that_import_each_other_and_missing_ones_are_an_error() -> None:
    modules = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=r"a\.js imports b\.js imports a\.js"):
        bundled("a.js", modules)
    with pytest.raises(ValueError, match=r"a\.js imports b\.js"):
        bundled("a.js", {"a.js": modules["a.js"]})


def test_the_server_sends_all_modules_of_the_page_as_one() -> None:
    served = served_files()
    assert [path for path in served if path.endswith(".js")] == ["/main.js"]
    script = served["/main.js"][0].decode()
    joined = re.findall(r'^modules\["([\w-]+\.js)"\] = ', script, re.MULTILINE)
    assert len(joined) > 60
    assert sorted(joined) == list(bare_modules("main.js", page_files()))
    assert joined[-1] == "main.js"
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
