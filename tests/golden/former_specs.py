"""Level specs in the names parameters had before they agreed with each other, and their cells.

    git worktree add /tmp/former 0b52247
    PYTHONPATH=/tmp/former python tests/golden/former_specs.py

writes `former_specs.json` anew: seeded random specs in many styles of YAML and JSON, and the
SHA-256 of every layer's cells and of the objects, built by that last revision which knew the
former names. (Its kernels may stay uncompiled.) `tests/reading/test_former_specs.py` migrates
the texts and builds them with the present code: same meaning, same cells.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

GOLDEN = Path(__file__).parent
FORMER_SPECS = GOLDEN / "former_specs.json"
FILES = GOLDEN / "files"
SPECS_PER_GENERATOR = 7
SEED = 20

Values = dict[str, Any]

# Generators that make another layer of the spec into something.
BASED = ("autotile", "outline", "mask", "subtract", "stamp", "prefabs")
WITH_SIGHT = ("light", "watch_posts", "ambush")
WITH_DOTNET = ("visited_caves", "rooms_and_corridors", "island_maze")


def percentages(*names: str, low: int = 0, high: int = 100) -> Callable[[Random], Values]:
    """Return a source of whole numbers for some parameters."""
    return lambda random: {name: random.randint(low, high) for name in names}


def limits(least: str, most: str, low: int, high: int) -> Callable[[Random], Values]:
    """Return a source of two limits, of which either may be left out if the other allows it."""

    def draw(random: Random) -> Values:
        first = random.randint(low, high)
        return {least: first, most: random.choice([first, first + 1, random.randint(first, high)])}

    return draw


def visited_caves(random: Random) -> Values:
    """Return parameters with a shortest and a longest run of corridors, exclusive."""
    values: Values = {
        "close_cell_probability": random.randint(38, 60),
        "cells_to_visit": random.randint(500, 9000),
        "breakout": random.randint(20, 3000),
        "upper_limit": random.choice([500, 3000]),
    }
    runs = random.choice([{}, {"corridor_min": random.randint(0, 5)}, {"corridor_min": 5}])
    if not runs or random.random() < 0.4:
        least = runs.get("corridor_min", 2)
        runs["corridor_max"] = random.choice([least, least + 1, least + 4])
    return values | runs


def rooms_and_corridors(random: Random) -> Values:
    """Return parameters with sizes of rooms and lengths of runs whose maxima are exclusive."""
    values: Values = {
        "rooms": random.randint(2, 8),
        "select_room": random.choice([0, 50, 100, random.randint(0, 100)]),
        "breakout": random.randint(50, 400),
        "start": random.choice(["one_room", "one_room", "connected_rooms"]),
        "room_shape": random.choice(["rectangle", "rectangle", "irregular"]),
    }
    sizes = random.choice(["none", "least", "least", "both", "both", "most"])
    least = [random.randint(3, 9), random.randint(3, 9)]
    if sizes == "least":
        values["room_min"] = random.choice([[15, 15], [15, 4], [4, 15], least])
    elif sizes == "both":
        values["room_min"] = least
        values["room_max"] = [side + random.choice([0, 1, 2, 5]) for side in least]
    elif sizes == "most":
        values["room_max"] = random.choice([[3, 3], [4, 3], [3, 12], [9, 9]])
    runs = random.choice(["none", "least", "both", "most"])
    shortest = random.choice([2, 3, 5, 15])
    if runs in ("least", "both"):
        values["corridor_min"] = shortest
    if runs in ("both", "most"):
        lowest = shortest if runs == "both" else 3
        values["corridor_max"] = lowest + random.choice([0, 1, 2, 9])
    return values


def bsp_rooms(random: Random) -> Values:
    """Return parameters with sizes of rooms, of which the greatest was inclusive already."""
    least = [random.randint(2, 6), random.randint(2, 6)]
    return {
        "room_min": least,
        "room_max": [side + random.randint(0, 6) for side in least],
        "split": random.randint(0, 50),
        "extra_corridors": random.randint(0, 100),
    }


def placed(random: Random) -> Values:
    """Return what pieces are placed over a layer."""
    piece = {"art": random.choice(["...\n.#.\n...", "##\n##", "~~~~"]), "count": 3}
    return {"layer": "ground", "prefabs": [piece], "spacing": random.randint(0, 3)}


SOURCES: dict[str, Callable[[Random], Values]] = {
    "visited_caves": visited_caves,
    "rooms_and_corridors": rooms_and_corridors,
    "bsp_rooms": bsp_rooms,
    "island_maze": lambda random: {
        "close_cell_probability": random.randint(30, 80),
        "iterations": random.randint(0, 9000),
        "invert": random.random() < 0.5,
    },
    "irregular_rooms": lambda random: {
        "rooms": 5,
        **limits("radius_min", "radius_max", 2, 9)(random),
        "method": random.choice(["polygon", "merged"]),
    },
    "drunkard": lambda random: {
        "floor": random.randint(5, 60),
        "straight": random.randint(0, 100),
        "patience": random.randint(1, 60),
    },
    "maze": percentages("newest", "braid"),
    "voronoi": lambda random: {
        "floor": random.randint(0, 100),
        "relax": random.randint(0, 3),
        "draw": random.choice(["caves", "walls", "terrains"]),
    },
    "heightmap": lambda random: {
        "gain": random.randint(1, 100),
        "island": random.randint(0, 100),
        "terraces": 4,
        "terrace_sharpness": random.randint(0, 100),
        "thermal_rounds": 2,
        "talus": random.choice([0.5, 1.25, 3]),
        "droplets": 40,
        "droplet_strength": random.randint(1, 100),
        "from_layer": "ground",
        "roughness": random.randint(0, 100),
    },
    "from_image": lambda random: {
        "image": "hills.pgm",
        "fit": random.choice(["stretch", "crop"]),
        "threshold": random.randint(0, 100),
    },
    "autotile": lambda random: {
        "layer": "ground",
        **random.choice([{}, {"of": "walkable"}, {"of": "wall"}]),
        "set": random.choice(["edges", "blob"]),
    },
    "outline": lambda random: {
        "layer": "ground",
        **random.choice([{}, {"of": "blocked"}, {"of": "floor"}]),
        "thickness": random.randint(1, 3),
    },
    "mask": lambda random: {"layer": "ground", "by": "other"},
    "subtract": lambda random: {"layer": "ground", "minus": ["other"]},
    "stamp": lambda random: {
        "layer": "ground",
        **random.choice([{"stamp": "other", "transparent": ["floor"]}, {"art": "..\n##"}]),
        "at": [[random.randint(0, 9), 3]],
    },
    "prefabs": placed,
    "light": lambda random: {
        "objects": ["lamp"],
        "strength": random.randint(1, 100),
        "ambient": random.randint(0, 60),
    },
    "watch_posts": lambda random: {"limit": random.randint(1, 12)},
    "ambush": lambda random: {
        "strike": random.randint(1, 5),
        "near": random.randint(0, 12),
        "far_percent": random.randint(0, 40),
    },
}


def former_spec(generator: str, random: Random) -> str:
    """Return the text of a random spec about a generator, in former names."""
    dotnet = generator in WITH_DOTNET and random.random() < 0.5
    side = {"rooms_and_corridors": 90, "visited_caves": 60}.get(generator, 40)
    subject = {"generator": generator, **shuffled(SOURCES[generator](random), random)}
    if generator not in (*WITH_SIGHT, "autotile", "outline", "heightmap") and not dotnet:
        subject |= random.choice([{}, {"connect": True}, {"connect": "guaranteed"}])
    ground = {"generator": "cellular_caves", "connect": random.choice([True, "guaranteed"])}
    layers: Values = {"ground": ground, "other": {"generator": "bsp_rooms", "room_max": [9, 9]}}
    spec: Values = {
        "size": [side, side - random.randint(0, 9)],
        "seed": random.randint(0, 1 << 30),
        "rng": "dotnet" if dotnet else "portable",
        "layers": {**layers, "subject": subject},
    }
    if generator in WITH_SIGHT:
        spec["visibility"] = {"layer": "ground", "radius": 5}
    spec["objects"] = [
        {"name": "lamp", "count": 3, "layer": "ground", "on": random.choice(["floor", "wall"])},
        {"name": "door", "layer": "ground"},
    ]
    return written(spec, random)


def shuffled(values: Values, random: Random) -> Values:
    """Return the same values in another order, which means the same."""
    names = list(values)
    random.shuffle(names)
    return {name: values[name] for name in names}


def written(spec: Values, random: Random) -> str:
    """Return a spec as text, in one of many styles."""
    style = random.choice(["block", "block", "flow", "flow", "json", "compact"])
    if style == "json":
        text = json.dumps(spec, indent=random.choice([None, 1, 2, 4]))
    elif style == "compact":
        text = json.dumps(spec, separators=(",", ":"))
    else:
        layer = block if style == "block" else flow_line
        parts = [f"{key}: {flow(spec[key], random)}\n" for key in ("size", "seed", "rng")]
        parts.append("layers:   # made in this order: room_min, layer, on\n")
        for name, values in spec["layers"].items():
            parts.append(layer(name, values, random))
        if "visibility" in spec:
            parts.append(f"visibility: {flow(spec['visibility'], random)}\n")
        parts.append("objects:\n")
        parts += [f"  - {flow(one, random)}  # on: floor\n" for one in spec["objects"]]
        text = "".join(parts)
    if style != "compact" and random.random() < 0.3:
        text = text.replace("\n", "\r\n")
    return random.choice(["", "", "\ufeff"]) + text


def flow_line(name: str, values: Values, random: Random) -> str:
    """Return a layer as a flow mapping on one line."""
    return f"  {name}: {flow(values, random)}\n"


def block(name: str, values: Values, random: Random) -> str:
    """Return a layer as a block mapping, a key a line."""
    indent = " " * random.choice([4, 6])
    lines = [f"  {name}:\n"]
    for key, value in values.items():
        gap = " " * random.choice([1, 1, 3])
        comment = random.choice(["", "", f"   # {key}: why"])
        if isinstance(value, list) and isinstance(value[0], int) and random.random() < 0.4:
            lines.append(f"{indent}{quoted(key, random)}:{comment}\n")
            lines += [f"{indent}  - {item}\n" for item in value]
        else:
            lines.append(f"{indent}{quoted(key, random)}:{gap}{flow(value, random)}{comment}\n")
    return "".join(lines)


def flow(value: Any, random: Random) -> str:
    """Return a value on one line."""
    if isinstance(value, dict):
        gap = random.choice(["", " "])
        inside = [f"{quoted(k, random)}: {flow(v, random)}" for k, v in value.items()]
        return "{" + gap + ", ".join(inside) + gap + "}"
    if isinstance(value, list):
        return "[" + random.choice([",", ", "]).join(flow(one, random) for one in value) + "]"
    if isinstance(value, str) and value.replace("_", "").replace(".pgm", "").isalpha():
        return quoted(value, random)
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return random.choice([str(value), str(value), str(value), f"+{value}", hex(value)])
    return json.dumps(value)


def quoted(text: str, random: Random) -> str:
    """Return a plain word, now and then in quotes."""
    return random.choice([text, text, text, text, f'"{text}"', f"'{text}'"])


def digests(text: str) -> dict[str, str]:
    """Build a spec and return the SHA-256 of every layer's cells, and of the objects."""
    from exporter.pipeline.build import build_level
    from exporter.reading.reader import parse_level

    level = build_level(parse_level(text.encode(), "former.level.yaml", FILES))
    found = {}
    for layer in level.layers.values():
        cells = np.ascontiguousarray(layer.cells)
        little = cells.astype(cells.dtype.newbyteorder("<"))
        shape = f"{cells.dtype.name} {cells.shape} {layer.complete} ".encode()
        found[layer.name] = hashlib.sha256(shape + little.tobytes()).hexdigest()
    objects = repr([(thing.name, thing.x, thing.y) for thing in level.objects])
    found["objects"] = hashlib.sha256(objects.encode()).hexdigest()
    return found


def main() -> None:
    """Write the specs and what the former code makes of them."""
    random = Random(SEED)
    texts = [former_spec(name, random) for name in SOURCES for _ in range(SPECS_PER_GENERATOR)]
    cases = [{"text": text, "digests": digests(text)} for text in texts]
    lines = ",\n".join(json.dumps(case) for case in cases)
    FORMER_SPECS.write_text(f"[\n{lines}\n]\n")
    print(f"{len(cases)} specs")


if __name__ == "__main__":
    main()
