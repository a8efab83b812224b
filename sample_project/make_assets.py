"""Make the sounds and the further sprites of the sample game: run it after a change.

    python sample_project/make_assets.py

Sounds are sums of plain waves that fade away, sprites are drawings in letters. Needs Pillow.
"""

from __future__ import annotations

import math
import random
import wave
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image

GODOT = Path(__file__).parent / "godot"
RATE = 11025

COLORS = {
    "k": "#1c1420", "y": "#ffd75e", "o": "#c98a2b", "w": "#fff6d6", "r": "#d8434e",
    "d": "#8a2036", "b": "#4a6fd0", "g": "#8c93a8", "G": "#c4cad8", "s": "#555a70",
    "n": "#8a5a30", "N": "#5c3a22", "l": "#6fae4e", "L": "#3c7a40", "m": "#e8dcc0",
}  # fmt: skip
SPRITES = {
    "key": """
................
................
....kkkkk.......
...kyyyyyk......
..kywoookyk.....
..kyokkkoyk.....
..kyok.koykkkkkk
..kyok.kowyyyyyk
..kyokkkoyyoyoyk
..kyyoookykkykyk
...kyyyyyk.kkokk
....kkkkk...kkk.
................
................
................
................""",
    "crown": """
................
................
.......kk.......
......krrk......
..kk...kk...kk..
.kbbk.kyyk.kbbk.
..kk.kywyyk.kk..
..kyk.kwyok.kyk.
..kyykywyyokyyk.
..kywyywyyyoyok.
..kywyyyyyyyyok.
..kyrroyggoyrok.
..kyrdoybboydok.
..kwyyyyyyyyyok.
..kkkkkkkkkkkkk.
................""",
    "vault": """
kkkkkkkkkkkkkkkk
kssssssssssssssk
ksGgggggggggggsk
ksgsksgggskskgsk
ksgggggkkgggggsk
ksgskgkyykgksgsk
ksgggkywwykgggsk
ksgskkyookkksgsk
ksgggkykkykgggsk
ksgskkykkykksgsk
ksggggkyykggggsk
ksgsksgkkgskggsk
ksggggggggggggsk
ksgsksgggskskgsk
kssssssssssssssk
kkkkkkkkkkkkkkkk""",
    "gate": """
kkkkkkkkkkkkkkkk
kGgsGgssGgsGgssk
kkkkkkkkkkkkkkkk
.kGk.kGk.kGk.kGk
.kgk.kgk.kgk.kgk
.kgk.kgk.kgk.kgk
kkkkkkkkkkkkkkkk
kGgsGgssGgsGgssk
kkkkkkkkkkkkkkkk
.kgk.kgk.kgk.kgk
.kgk.kgk.kgk.kgk
.kgk.kgk.kgk.kgk
.kgk.kgk.kgk.kgk
.ksk.ksk.ksk.ksk
.ksk.ksk.ksk.ksk
.kkk.kkk.kkk.kkk""",
    "lamp": """
................
......kkkk......
.....kssssk.....
....kkkkkkkk....
....kywwwwyk....
....kowyywok....
....koywwyok....
....kkoyyokk....
.....kkkkkk.....
.......ks.......
.......ks.......
.......ks.......
.......ks.......
......kssk......
.....kksskk.....
................""",
    "mushrooms": """
................
................
................
................
................
.....kkkk.......
....krwrrk......
...krrrrwrk.....
...kwrrrrrk.....
....kkmmkk......
......mmk.kkk...
......mmkkrwrk..
......mmkkkkkk..
..LL..mmk.kmk.L.
...LkkkmmkkmkL..
................""",
    "bones": """
................
................
................
................
................
................
......kkkkk.....
.....kmwmmmk....
.....kmkmkmk....
.....kmmmmmk....
..kk..kmkmk..kk.
.kmmkkkkkkkkkmmk
..kmmmmmmmmmmmk.
.kmmkkkkkkkkkmmk
..kk.........kk.
................""",
    "fern": """
................
................
................
................
......l.........
..l...l....l....
..ll..l...ll....
...l..l..ll..l..
.l..ll.l.l..ll..
.ll.Lll.ll.ll...
..ll.Ll.l.ll....
...LLLllLlL.....
.....LLLLL......
......LLL.......
................
................""",
    "heart": """
................
................
...kkkk..kkkk...
..krrrrkkrrrrk..
.krwwrrrrrrrrrk.
.krwrrrrrrrrrdk.
.krrrrrrrrrrrdk.
.krrrrrrrrrrddk.
..krrrrrrrrddk..
...krrrrrrddk...
....krrrrddk....
.....krrddk.....
......krdk......
.......kk.......
................
................""",
}

Wave = Callable[[float], float]


def square(phase: float) -> float:
    """Return a hollow tone, as of early game consoles."""
    return 0.5 if phase % 1 < 0.5 else -0.5


def triangle(phase: float) -> float:
    """Return a soft tone."""
    return 2 * abs(2 * (phase % 1) - 1) - 1


def noise(_phase: float) -> float:
    """Return a hiss, the same at every run."""
    return NOISE.uniform(-1, 1)


NOISE = random.Random(7)
# Of each sound its tones: the wave, the pitches at both ends in hertz, begin, seconds, loudness.
Tone = tuple[Wave, float, float, float, float, float]


def tune(pitches: Sequence[float], step: float, last: float, form: Wave = triangle) -> list[Tone]:
    """Return tones that follow each other; the last is longer."""
    lengths = [step * 1.6] * (len(pitches) - 1) + [last]
    return [
        (form, pitch, pitch, number * step, seconds, 0.5)
        for number, (pitch, seconds) in enumerate(zip(pitches, lengths, strict=True))
    ]


SOUNDS: dict[str, list[Tone]] = {
    "coin": tune((988, 1319), 0.07, 0.25, square),
    "key": tune((784, 1047, 1568), 0.08, 0.35),
    "open": [(noise, 1, 1, 0, 0.12, 0.5), (triangle, 130, 60, 0.05, 0.4, 0.8)],
    "hurt": [(square, 320, 80, 0, 0.35, 0.6), (noise, 1, 1, 0, 0.1, 0.4)],
    "stairs": tune((330, 294, 262, 220), 0.09, 0.2),
    "won": tune((523, 659, 784, 1047, 784, 1047), 0.14, 0.9),
    "lost": tune((392, 370, 349, 262), 0.22, 0.9),
}


def samples(tones: Sequence[Tone]) -> bytes:
    """Return tones as unsigned bytes."""
    end = max(begin + seconds for _, _, _, begin, seconds, _ in tones)
    # An even number: a chunk of a WAV file has whole words, and Godot reads it so.
    levels = [0.0] * (int(end * RATE) // 2 * 2)
    for form, first, last, begin, seconds, loudness in tones:
        phase = 0.0
        for step in range(int(seconds * RATE)):
            part = step / (seconds * RATE)
            phase += (first + (last - first) * part) / RATE
            at = int(begin * RATE) + step
            if at < len(levels):
                levels[at] += loudness * form(phase) * math.exp(-4 * part) * min(1, step / 40)
    return bytes(round(127.5 + 127 * max(-1, min(1, level))) for level in levels)


def main() -> None:
    """Write all files."""
    (GODOT / "sounds").mkdir(exist_ok=True)
    for name, tones in SOUNDS.items():
        with wave.open(str(GODOT / "sounds" / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(1)
            file.setframerate(RATE)
            file.writeframes(samples(tones))
    sheet = Image.new("RGBA", (16 * len(SPRITES), 16))
    for number, drawing in enumerate(SPRITES.values()):
        for y, row in enumerate(drawing.split()):
            for x, letter in enumerate(row):
                if letter in COLORS:
                    color = tuple(bytes.fromhex(COLORS[letter][1:]))
                    sheet.putpixel((16 * number + x, y), (*color, 255))
    sheet.save(GODOT / "things.png", optimize=True)


if __name__ == "__main__":
    main()
