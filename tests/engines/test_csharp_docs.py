"""The C# in the documentation of Unity compiles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine_harness import Mono

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "templates" / "unity" / "com.levelexporter.unity"
STUBS = Path(__file__).parent / "csharp" / "stubs"
PAGES = [ROOT / "exporter" / "docs" / name for name in ("unity.md", "rooms-and-doors.md")]
EXAMPLES = [
    example
    for page in PAGES
    for example in re.findall(r"```csharp\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
]

# Where an example is only some statements.
AROUND = """
using LevelExporter;
using LevelExporter.Scenes;
using UnityEngine;

public sealed class Example
{{
    public static void Run(LevelBlob level)
    {{
{0}
    }}
}}
"""


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_compiles(mono: Mono, tmp_path: Path, number: int) -> None:
    example = EXAMPLES[number]
    source = tmp_path / "Example.cs"
    # Unity fills the fields that scripts show in the Inspector, and examples stop half way.
    text = example if "class " in example else AROUND.format(example)
    source.write_text("#pragma warning disable 219, 649\n" + text, encoding="utf-8")
    runtime = sorted([*(PACKAGE / "Runtime").rglob("*.cs"), *STUBS.glob("Unity*.cs")])
    mono.compile([*runtime, STUBS / "JsonUtility.cs", source], tmp_path / "example.dll", "library")


def test_the_pages_have_examples() -> None:
    assert len(EXAMPLES) >= 4
