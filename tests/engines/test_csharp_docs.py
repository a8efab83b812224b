"""The C# of the pages compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine_harness import Mono
from engine_harness.folders import PACKAGE
from page_snippets import Snippet, snippets
from snippet_rules import runner_of
from snippet_runners import CSharp

STUBS = Path(__file__).parent / "csharp" / "stubs"
EXAMPLES = [item for item in snippets() if isinstance(runner_of(item), CSharp)]

# Examples of only some statements; missing variables are defined here.
AROUND = """
using LevelExporter;
using LevelExporter.Scenes;
using UnityEngine;

public sealed class Example : MonoBehaviour
{{
    private readonly LevelBlob level = null;

    public void Run(string path, int x, int y, GridCell player)
    {{
{0}
    }}
}}
"""


@pytest.mark.parametrize("snippet", EXAMPLES, ids=str)
def test_an_example_compiles(mono: Mono, tmp_path: Path, snippet: Snippet) -> None:
    example = snippet.text
    source = tmp_path / "Example.cs"
    # Unity fills the fields that scripts show in the Inspector, and examples stop half way.
    text = example if "class " in example else AROUND.format(without_imports(example))
    source.write_text("#pragma warning disable 219, 414, 649\n" + text, encoding="utf-8")
    # The editor's code is of use to few.
    parts = ("Runtime", "Editor") if "LevelExporter.Editing" in example else ("Runtime",)
    package = sorted(file for part in parts for file in (PACKAGE / part).rglob("*.cs"))
    stubs = [*sorted(STUBS.glob("Unity*.cs")), STUBS / "JsonUtility.cs"]
    mono.compile([*package, *stubs, source], tmp_path / "example.dll", "library")


def without_imports(statements: str) -> str:
    """Remove the imports that the file has already."""
    lines = statements.splitlines()
    return "\n".join(line for line in lines if not line.startswith("using LevelExporter"))


def test_the_pages_have_examples() -> None:
    assert len(EXAMPLES) >= 10
    assert len({example.page for example in EXAMPLES}) >= 5
