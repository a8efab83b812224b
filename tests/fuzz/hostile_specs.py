"""Load and build random specs: each is a level or a `SpecError`, within limits.

    python tests/fuzz/hostile_specs.py                     # 10,000 specs
    python tests/fuzz/hostile_specs.py --only 4711         # one of them, printed and built

The limits are two seconds and 256 MB. A spec is drawn from the JSON Schema, so that new parameters
are covered as they come: most values are allowed, some are next to the allowed ones, some are of
another type, and some texts are damaged afterwards. Maps are small and counts low, so that a slow
spec is a fault. For Linux.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import yaml

import exporter
from exporter.model.errors import SpecError
from exporter.reading.schema import level_schema
from watched_workers import Bounds, Judge, run

# Numbers above are not drawn where they are allowed: they are only work.
MOST = 60
SMALLEST_SIDE, LARGEST_SIDE = 1, 40
LAYERS = ("a", "b", "c", "d")
# How often a key is there that is not required; most versions of recipes do not exist.
SHARES = {"recipe": 0.01, "visibility": 0.6, "objects": 0.3, "tables": 0.1, "puzzles": 0.1}
ALIENS: tuple[Any, ...] = (
    None, True, 0, -1, 1, 1.5, -0.0, 1e308, float("inf"), float("nan"), 2**31, 2**63, 10**400, "",
    "a", "zz", "\0", "\ud83d", "../x", "/etc/passwd", "nul", "1e999", [], {}, [[]], {"": {}},
    [0, 0], [1, 2, 3], {"a": 1}, "x" * 300, [None], {"generator": "maze"},
)  # fmt: skip
PIECES = (
    "&a [*a]", "*b", "<<: {a: 1}", "!!python/object:os.system x", "? ", "- ", ": ", "{", "}", "[",
    "]", "\t", "\0", "\ufeff", "---\n", "...\n", "%YAML 9.9\n", "'", '"', "|\n", "#", "0o7",
    "0x1p3", "1_0", "~", ".inf", "2001-01-01", "=", "@", "`", "\u2028", "\u0085", "[" * 200,
    "{a: " * 100, "!!binary x",
)  # fmt: skip


class Drawing:
    """Draws values that a JSON Schema allows, and sometimes others."""

    def __init__(self, schema: dict[str, Any], random_: random.Random, oddity: float) -> None:
        self._definitions = schema.get("definitions", {})
        self._random = random_
        self._oddity = oddity

    def is_rare(self) -> bool:
        """Whether something that is often wrong shall be drawn."""
        return self._random.random() < 0.15

    def value(self, schema: dict[str, Any], depth: int = 0) -> Any:
        """Return a value for a schema."""
        random_ = self._random
        if random_.random() < self._oddity or depth > 8:
            return random_.choice(ALIENS)
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return self.value(self._definitions[name], depth + 1)
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                return self.value(random_.choice(schema[choice]), depth + 1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return random_.choice(schema["enum"])
        if "default" in schema and random_.random() < 0.3:
            return schema["default"]
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = random_.choice(kind)
        draw = getattr(self, f"_{kind}", None)
        return draw(schema, depth) if draw else random_.choice(ALIENS)

    def _integer(self, schema: dict[str, Any], depth: int) -> int:
        low = int(schema.get("minimum", schema.get("exclusiveMinimum", -MOST)))
        high = max(low, min(int(schema.get("maximum", MOST)), max(low + 3, MOST)))
        return self._random.choice((low, high, self._random.randint(low, high)))

    def _number(self, schema: dict[str, Any], depth: int) -> float:
        low = float(schema.get("minimum", schema.get("exclusiveMinimum", -MOST)))
        high = max(low, min(float(schema.get("maximum", MOST)), max(low + 3, MOST)))
        return self._random.choice((low, high, self._random.uniform(low, high)))

    def _boolean(self, schema: dict[str, Any], depth: int) -> bool:
        return self._random.random() < 0.5

    def _null(self, schema: dict[str, Any], depth: int) -> None:
        return None

    def _string(self, schema: dict[str, Any], depth: int) -> str:
        pattern = schema.get("pattern", "")
        if "#" in pattern:
            return self._random.choice(("#ff0000", "#00ff0080", "#fff"))
        # Mostly a name, and mostly one that is there.
        if pattern or self._random.random() < 0.7:
            return self._random.choice((*LAYERS, *"aaaaaa", "start"))
        return self._random.choice(("key.png", "#..\n.##", "floor > 0", ".", "tiles 1"))

    def _array(self, schema: dict[str, Any], depth: int) -> list[Any]:
        items = schema.get("items", schema.get("prefixItems", {}))
        if isinstance(items, list):
            return [self.value(item, depth + 1) for item in items]
        low = int(schema.get("minItems", 0))
        length = self._random.randint(low, max(low, min(int(schema.get("maxItems", 3)), low + 3)))
        return [self.value(items, depth + 1) for _ in range(length)]

    def _object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        conditions = schema.get("allOf", [])
        if conditions:
            return self._object(self._random.choice(conditions)["then"], depth)
        required = schema.get("required", [])
        properties = schema.get("properties", {})
        result = {
            key: self.value(part, depth + 1)
            for key, part in properties.items()
            if key in required or self._random.random() < SHARES.get(key, 0.25)
        }
        more = schema.get("additionalProperties")
        if isinstance(more, dict):
            names = LAYERS[: self._random.randint(1, 3)]
            result |= {name: self.value(more, depth + 1) for name in names}
        if self._random.random() < self._oddity:
            result[self._random.choice(("odd", "", "size", "a b"))] = self._random.choice(ALIENS)
        return result


def hostile_spec(schema: dict[str, Any], random_: random.Random) -> bytes:
    """Return the bytes of a spec."""
    drawing = Drawing(schema, random_, random_.choice((0.0, 0.0, 0.01, 0.05)))
    if random_.random() < 0.6:
        spec = _one_layer_more(schema, drawing)
    else:
        spec = drawing.value({**schema, "required": ["size", "layers"]})
    if isinstance(spec, dict):
        _keep_small(spec, random_)
    try:
        if random_.random() < 0.5:
            text = json.dumps(spec)
        else:
            text = yaml.safe_dump(spec, allow_unicode=True, sort_keys=False)
    except (ValueError, yaml.YAMLError):
        text = repr(spec)
    if random_.random() < 0.25:
        text = _damaged(text, random_)
    content = text.encode("utf-8", "surrogatepass")
    if random_.random() < 0.02:
        content = content[: random_.randrange(len(content) + 1)] + random_.randbytes(3)
    return content


def _one_layer_more(schema: dict[str, Any], drawing: Drawing) -> dict[str, Any]:
    """Return a spec that is valid but for the random parts of its second layer and objects."""
    properties = schema["properties"]
    return {
        "layers": {
            "a": {"generator": "cellular_caves"},
            "b": drawing.value(properties["layers"]["additionalProperties"]),
        },
        "visibility": {"layer": "a", "radius": 4},
        "objects": drawing.value(properties["objects"]),
        "puzzles": drawing.value(properties["puzzles"]) if drawing.is_rare() else {},
    }


def _keep_small(spec: dict[str, Any], random_: random.Random) -> None:
    """Give small sizes to the level and to the layers with a size."""

    def size() -> list[int]:
        return [random_.randint(SMALLEST_SIDE, LARGEST_SIDE) for _ in range(2)]

    spec["size"] = size() if random_.random() < 0.97 else random_.choice(ALIENS)
    layers = spec.get("layers")
    for layer in layers.values() if isinstance(layers, dict) else ():
        if isinstance(layer, dict) and isinstance(layer.get("size"), list):
            layer["size"] = size()


def _damaged(text: str, random_: random.Random) -> str:
    for _ in range(random_.choice((1, 1, 2, 4))):
        at = random_.randrange(len(text) + 1)
        end = min(len(text), at + random_.choice((0, 0, 1, 5, 30)))
        text = text[:at] + random_.choice(PIECES) + text[end:]
    return text


def prepare(seed: int, folder: str) -> Judge:
    """Return the judge of a generated spec by its number."""
    warnings.simplefilter("ignore")
    schema = level_schema()

    def judge(case: int) -> str:
        path = Path(folder) / f"{case}.level.yaml"
        path.write_bytes(hostile_spec(schema, random.Random(f"{seed} {case}")))
        try:
            spec = exporter.load_level(path)
        except SpecError:
            return "refused"
        finally:
            path.unlink()
        try:
            exporter.build_level(spec)
        except SpecError:
            return "not built"
        return "built"

    return judge


def main() -> int:
    """Judge the specs that the command line asks for; return 1 when one failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="print and judge this one, in this process")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.only is not None:
            random_ = random.Random(f"{options.seed} {options.only}")
            print(hostile_spec(level_schema(), random_).decode("utf-8", "replace"))
            print(prepare(options.seed, folder)(options.only))
            return 0
        arguments = (options.seed, folder)
        findings = run(prepare, arguments, range(options.count), options.jobs, Bounds())
    return findings.report()


if __name__ == "__main__":
    sys.exit(main())
