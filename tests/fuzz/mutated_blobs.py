"""Reads mutated blobs: each is a level or a `BlobError`, within two seconds and 256 MB.

    python tests/fuzz/mutated_blobs.py                              # 100,000 blobs
    python tests/fuzz/mutated_blobs.py --count 2000 --address-sanitizer
    python tests/fuzz/mutated_blobs.py --only 4711                  # one of them, to look at it

The blobs are those of tests/vectors, with payloads, directories and values changed and, mostly,
with right checksums. For Linux.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from address_sanitizer import build, run_on
from exporter.blob import Chunk, read_container, read_pack, write_container
from exporter.codecs import Limits
from exporter.model.errors import BlobError
from watched_workers import Bounds, Judge, run

VECTORS = Path(__file__).parents[1] / "vectors"
# Values for numbers in the fields of the directory: typical bounds, or next to them.
NUMBERS = (0, 1, 2, 3, 7, 127, 128, 255, 256, 257, 383, 384, 4096, 32768, 65534, 65535)
LARGEST_FIELD = {"codec": 255, "element": 255}
TOKENS = (
    "0", "-1", "1.5", "1e999", "65536", "4294967296", "9223372036854775808", "null", "true", "{}",
    "[]", '""', '"x"', "[[[[]]]]", '{"a":{"a":1}}', "16777215", "[0,0]", '"\\ud800"', "1e308",
)  # fmt: skip


def mutated(blobs: list[list[Chunk]], random_: random.Random) -> bytes:
    """Return a blob made of one of these with one to four changes."""
    chunks = list(random_.choice(blobs))
    for _ in range(random_.choice((1, 1, 1, 2, 2, 3, 4))):
        change = random_.choice(CHANGES)
        index = random_.randrange(len(chunks)) if chunks else 0
        if chunks:
            change(chunks, index, random_)
    blob = bytearray(write_container(chunks))
    if random_.random() < 0.05 and blob:  # under a wrong checksum
        blob[random_.randrange(len(blob))] ^= 1 << random_.randrange(8)
    return bytes(blob[: random_.randrange(len(blob) + 1)] if random_.random() < 0.02 else blob)


Change = Callable[[list[Chunk], int, random.Random], None]


def _field(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    """Change a field of the directory."""
    name = random_.choice(
        ("codec", "element", "level", "item", "cell", "width", "height", "side", "prior")
    )
    number = random_.choice(NUMBERS)
    if name == "codec":
        number = random_.choice((0, 1, 2, 3, 16, 17, 18, 20, 21, 32))
    if random_.random() < 0.2:
        number = random_.randrange(65536)
    largest = LARGEST_FIELD.get(name, 65535)
    chunks[index] = replace(chunks[index], **{name: min(number, largest)})


def _bytes(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    """Change bytes of a payload, most of them in its head."""
    payload = bytearray(chunks[index].payload)
    for _ in range(random_.choice((1, 1, 2, 5, 20))):
        if payload:
            reach = len(payload) if random_.random() < 0.4 else min(len(payload), 24)
            byte = random_.choice((0, 1, 127, 128, 255, random_.randrange(256)))
            payload[random_.randrange(reach)] = byte
    chunks[index] = replace(chunks[index], payload=bytes(payload))


def _length(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    """Cut a payload, or add bytes to it."""
    payload = chunks[index].payload
    if random_.random() < 0.7:
        payload = payload[: random_.randrange(len(payload) + 1)]
    else:
        payload += random_.randbytes(random_.choice((1, 4, 100)))
    chunks[index] = replace(chunks[index], payload=payload)


def _noise(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    """Replace a payload by random bytes."""
    payload = random_.randbytes(random_.choice((0, 1, 3, 10, 100, 2000)))
    chunks[index] = replace(chunks[index], payload=payload)


def _other_payload(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    """Give a chunk the payload of another one."""
    other = random_.choice(chunks)
    chunks[index] = replace(chunks[index], payload=other.payload, codec=other.codec)


def _remove(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    del chunks[index]


def _repeat(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    chunks.insert(random_.randrange(len(chunks) + 1), chunks[index])


def _swap(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    other = random_.randrange(len(chunks))
    chunks[index], chunks[other] = chunks[other], chunks[index]


def _size(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    """Change the size of all layers, and of all parts that had the size of the first."""
    width, height = (random_.choice((0, 1, 2, 40, 127, 128, 255, 256, 383)) for _ in range(2))

    def resized(match: re.Match[bytes]) -> bytes:
        return b'"size":[%d,%d]' % (width, height)

    _on_text(chunks, 0, lambda text: re.sub(rb'"size":\[\d+,\d+\]', resized, text))
    for position, chunk in enumerate(chunks):
        if chunk.width:
            chunks[position] = replace(chunk, width=width, height=height)


def _value(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    """Replace one value in a tree of values."""
    places = [position for position, chunk in enumerate(chunks) if chunk.codec == 21]
    if not places:
        return

    def changed(text: bytes) -> bytes:
        result = list(re.finditer(rb'-?\d[\d.eE+-]*|"[^"\\]*"|null|true|false|\[\]|\{\}', text))
        if not result:
            return text
        match = random_.choice(result)
        return text[: match.start()] + random_.choice(TOKENS).encode() + text[match.end() :]

    _on_text(chunks, random_.choice(places), changed)


def _entry(chunks: list[Chunk], index: int, random_: random.Random) -> None:
    """Remove, repeat or move an entry of a list or map in a tree of values."""
    places = [position for position, chunk in enumerate(chunks) if chunk.codec == 21]

    def changed(text: bytes) -> bytes:
        tree = json.loads(text)
        shuffle_entry(tree, random_)
        return json.dumps(tree, separators=(",", ":"), ensure_ascii=False).encode(
            "utf-8", "surrogatepass"
        )

    if places:
        _on_text(chunks, random_.choice(places), changed)


def shuffle_entry(tree: Any, random_: random.Random) -> None:
    while isinstance(tree, dict | list):
        inner = tree.values() if isinstance(tree, dict) else tree
        containers = [value for value in inner if isinstance(value, dict | list) and value]
        if not containers or random_.random() < 0.3:
            break
        tree = random_.choice(containers)
    if isinstance(tree, dict) and tree:
        key, other = random_.choice(list(tree)), random_.choice(list(tree))
        if random_.random() < 0.5:
            del tree[key]
        else:
            tree[key] = tree[other]
    elif isinstance(tree, list) and tree:
        entry = random_.choice(tree)
        if random_.random() < 0.5:
            tree.remove(entry)
        else:
            tree += [entry] * random_.choice((1, 2, 50))


def _on_text(chunks: list[Chunk], index: int, change: Callable[[bytes], bytes]) -> None:
    """Change the text of a chunk of values; leave it where it has none any more."""
    try:
        text = change(zlib.decompress(chunks[index].payload))
    except (zlib.error, ValueError):
        return
    chunks[index] = replace(chunks[index], payload=zlib.compress(text, 1))


CHANGES: tuple[Change, ...] = (
    _field, _field, _field, _bytes, _bytes, _bytes, _length, _noise, _other_payload, _remove,
    _repeat, _swap, _size, _value, _value, _value, _entry, _entry,
)  # fmt: skip


def originals() -> list[list[Chunk]]:
    """Return the chunks of every good vector."""
    result = []
    for path in sorted(VECTORS.glob("*.lvb")):
        if not path.name.startswith("bad-"):
            container = read_container(path.read_bytes())
            result.append([container.load(index) for index in range(len(container))])
    return result


def prepare(seed: int) -> Judge:
    """Return the judge of a mutated blob by its number."""
    blobs = originals()

    def judge(case: int) -> str:
        blob = mutated(blobs, random.Random(f"{seed} {case}"))
        try:
            levels = read_pack(blob, Limits.for_strangers())
            for level in levels:
                if level.visibility is not None:
                    _ = level.visibility.count
        except BlobError:
            return "refused"
        return "read"

    return judge


def main() -> int:
    """Judge the blobs that the command line asks for; return 1 when one failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="judge this one, in this process")
    parser.add_argument("--address-sanitizer", action="store_true")
    parser.add_argument("--sanitized", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only is not None:
        print(prepare(options.seed)(options.only))
        return 0
    if options.address_sanitizer:
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder))
            again = ["--count", str(options.count), "--seed", str(options.seed), "--sanitized"]
            return run_on(Path(folder), [sys.executable, __file__, *again])
    # AddressSanitizer reserves terabytes of addresses, and takes three times the time.
    bounds = Bounds(seconds=20, megabytes=None) if options.sanitized else Bounds()
    cases = range(options.count)
    findings = run(prepare, (options.seed,), cases, options.jobs, bounds)
    return findings.report()


if __name__ == "__main__":
    sys.exit(main())
