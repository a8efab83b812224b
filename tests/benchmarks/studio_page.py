"""Measure the studio's page in Chromium, busy and idle.

Times are wall-clock milliseconds, the median and the worst of some runs; WebGL may be computed by
the processor here, so for frames only the page's own work is timed. Needs Chromium
and Playwright.

The cost of a step of a slider is processor time: of the page the `TaskDuration` that Chromium
counts, without the process that draws, of the server all its processes.

Run: python tests/benchmarks/studio_page.py [--changes 10000] [--slider] [--open]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))
sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))

from chromium import running_chromium
from studio_tabs import StudioProcess

SPEC = """\
size: [SIDE, SIDE]
seed: 1
layers:
  ground: {generator: cellular_caves, wall_percent: 42}
objects:
  - {name: start}
  - {name: chest, count: 6}
visibility: {radius: 8}
"""
WORLD = """\
size: [SIDE, SIDE]
chunk: 512
seed: 7
layers:
  relief: {generator: heightmap, feature_size: 400}
  ground: {generator: bands, of: relief, steps: [{below: 0.4, tile: water}, {tile: grass}]}
"""
TIMED = """async ([path, values]) => {
  const found = [];
  for (const value of values) {
    const begun = performance.now();
    await levelExporter.set(path, value);
    found.push(performance.now() - begun);
  }
  return found;
}"""
# As a mouse moves: sight, facts, and their drawing, up to the frame that shows it.
HOVERED = """async ([count]) => {
  const picture = document.getElementById("picture");
  const box = picture.getBoundingClientRect();
  const found = [];
  for (let one = 0; one < count; one++) {
    const [x, y] = [(one * 79) % 500, (one * 104) % 500];
    await new Promise(requestAnimationFrame);
    const begun = performance.now();
    picture.dispatchEvent(new PointerEvent("pointermove", {
      clientX: box.left + box.width / 2 - 250 + x, clientY: box.top + box.height / 2 - 250 + y,
      pointerId: 1, pointerType: "mouse", bubbles: true }));
    let spent = performance.now() - begun;
    // What waits for the next frame runs in the order in which it was asked for, so before this.
    const frame = await new Promise(requestAnimationFrame);
    spent += Math.max(0, performance.now() - frame);
    found.push(spent);
  }
  return found;
}"""
# As a hand drags a slider; each step waits for its picture.
SLIDER = """async ([values]) => {
  const set = ["layers", "ground", "wall_percent"];
  for (const value of values) await levelExporter.change([{ set, value }], "drag");
}"""
FRAMES = """([count]) => {
  const found = [];
  for (let one = 0; one < count; one++) {
    const begun = performance.now();
    levelExporter.view(one * 3, one * 2, 0.5 + (one % 20));
    found.push(performance.now() - begun);
  }
  return found;
}"""


@contextmanager
def studio_of(side: int, text: str = SPEC) -> Iterator[tuple[StudioProcess, float]]:
    """A studio of one level, and when its process was started."""
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder) / "level.level.yaml"
        spec.write_text(text.replace("SIDE", str(side)))
        begun = time.perf_counter()
        studio = StudioProcess(spec)
        try:
            yield studio, begun
        finally:
            studio.end()


def opened(browser: Any, studio: StudioProcess) -> Any:
    """A page of the studio, once its picture is there."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(studio.url)
    page.evaluate("levelExporter.ready")
    return page


def report(title: str, milliseconds: list[float], limit: float) -> None:
    """Print a line of the table."""
    middle, worst = statistics.median(milliseconds), max(milliseconds)
    print(f"| {title} | {middle:.1f} | {worst:.1f} | {limit:g} |")


def family(process: int) -> list[int]:
    """A process and its children."""
    result = [process]
    for entry in Path("/proc").iterdir():
        try:
            text = (entry / "stat").read_text() if entry.name.isdigit() else ""
        except OSError:
            continue
        if text and int(text.rpartition(") ")[2].split()[1]) == process:
            result += family(int(entry.name))
    return result


def processor_seconds(processes: list[int]) -> float:
    """Return the processor time that processes have used."""
    ticks = 0
    for process in processes:
        fields = (Path("/proc") / str(process) / "stat").read_text().rpartition(") ")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def resident_megabytes(processes: list[int]) -> float:
    """Return the memory of processes."""
    pages = sum(
        int((Path("/proc") / str(process) / "statm").read_text().split()[1])
        for process in processes
    )
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def slider(browser: Any, side: int = 128, steps: int = 40) -> None:
    """Print what a step of a slider costs in the page and in the server."""
    with studio_of(side) as (studio, _):
        page = opened(browser, studio)
        page.wait_for_selector("#right .row", state="attached")
        page.evaluate("levelExporter.select('layers.ground')")
        page.evaluate(SLIDER, [[41, 43, 45]])
        devtools = page.context.new_cdp_session(page)
        # Processor time, whatever else the machine does.
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        processes = family(studio.process.pid)

        def costs() -> tuple[float, float]:
            listed = devtools.send("Performance.getMetrics")["metrics"]
            tasks = next(item["value"] for item in listed if item["name"] == "TaskDuration")
            return tasks, processor_seconds(processes)

        before = costs()
        page.evaluate(SLIDER, [[38 + index % 9 for index in range(steps)]])
        after = costs()
        for what, limit, first, last in zip(
            ("page", "server"), (40, 25), before, after, strict=True
        ):
            cost = 1000 * (last - first) / steps
            print(f"| a step of a slider, {side} x {side}: {what} | {cost:.1f} | | {limit} |")
        page.close()


def openings(browser: Any, runs: int = 5) -> None:
    """Print how long a page takes to open a level in a studio that runs, and what that costs."""
    for title, side, limit, text in (
        ("512 x 512", 512, 1500, SPEC),
        ("65,536 x 65,536", 65536, 3000, WORLD),
    ):
        times, costs = [], []
        for _ in range(runs):
            with studio_of(side, text) as (studio, _begun):
                time.sleep(2)
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                devtools = page.context.new_cdp_session(page)
                devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
                begun = time.perf_counter()
                page.goto(studio.url)
                page.evaluate("levelExporter.ready")
                times.append(1000 * (time.perf_counter() - begun))
                listed = devtools.send("Performance.getMetrics")["metrics"]
                tasks = next(item["value"] for item in listed if item["name"] == "TaskDuration")
                spent = processor_seconds(family(studio.process.pid))
                costs.append(1000 * (tasks + spent))
                page.close()
        report(f"a page of a running studio to its picture, {title}", times, limit)
        report("its processor time, with the start of the studio", costs, 2 * limit)


def page_memory(browser: Any, count: int) -> None:
    """Print how the memory of the page goes over many changes with their pictures."""
    with studio_of(64) as (studio, _):
        page = opened(browser, studio)
        page.wait_for_selector("#right .row", state="attached")
        page.evaluate("levelExporter.select('layers.ground')")
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable")
        for number in range(0, count + 1, max(1, count // 4)):
            devtools.send("HeapProfiler.collectGarbage")
            listed = devtools.send("Performance.getMetrics")["metrics"]
            used = {item["name"]: item["value"] for item in listed}
            print(
                f"| page after {number:,} changes: heap, MB; nodes "
                f"| {used['JSHeapUsedSize'] / 1e6:.1f}; {used['Nodes']:.0f} | | |",
                flush=True,
            )
            values = [38 + index % 9 for index in range(max(1, count // 4))]
            page.evaluate(SLIDER, [values])
        page.close()


def idle(studio: StudioProcess, seconds: float = 10.0) -> None:
    """Print the studio's idle costs."""
    time.sleep(3)
    processes = family(studio.process.pid)
    before = processor_seconds(processes)
    time.sleep(seconds)
    share = (processor_seconds(processes) - before) / seconds
    print(f"| idle, a page open: share of a core, % | {100 * share:.2f} | | 1 |")


def changes(count: int) -> None:
    """Print how memory goes over many changes."""
    with studio_of(64) as (studio, _):
        tab = studio.tab()
        tab.displayed_level("open", level=next(iter(tab.levels.values())))
        for number in range(count + 1):
            tab.set(["layers", "ground", "wall_percent"], 38 + number % 9)
            if number % max(1, count // 5) == 0:
                used = resident_megabytes(family(studio.process.pid))
                print(f"| memory after {number:,} changes, MB | {used:.0f} | | |", flush=True)


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=1000)
    parser.add_argument("--slider", action="store_true", help="the page's slider and memory alone")
    parser.add_argument("--open", action="store_true", help="opening a page alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # As after an installation: without bytecode, most of a start is compiling modules.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """Measure what the options of the command line ask for."""
    print("| what | median ms | worst | asked |\n|---|---|---|---|")
    with running_chromium() as browser:
        openings(browser)
        if options.open:
            return
        slider(browser)
        page_memory(browser, options.changes)
        if options.slider:
            return
        starts, controls, spent = [], [], []
        for _ in range(7):
            with studio_of(256) as (studio, begun):
                page = opened(browser, studio)
                starts.append(1000 * (time.perf_counter() - begun))
                page.wait_for_selector("#right .row", state="attached")
                controls.append(1000 * (time.perf_counter() - begun))
                spent.append(1000 * processor_seconds(family(studio.process.pid)))
                page.close()
        report("`serve` to the first picture, 256 x 256", starts, 1000)
        report("`serve` to the controls of the first tab", controls, 1000)
        report("processor time of the studio until then", spent, 1000)
        for side, limit in ((128, 50), (256, 100)):
            with studio_of(side) as (studio, _):
                page = opened(browser, studio)
                page.wait_for_selector("#right .row", state="attached")
                path = "layers.ground.wall_percent"
                page.evaluate(TIMED, [path, [41, 43]])
                times = page.evaluate(TIMED, [path, [38 + index % 9 for index in range(30)]])
                report(f"a change to its picture, {side} x {side}, radius 8", times, limit)
                if side == 256:
                    hovers = page.evaluate(HOVERED, [500])
                    report("sight and facts under the pointer, 256 x 256", hovers, 4)
                    idle(studio)
                page.close()
        with studio_of(2048) as (studio, _):
            page = opened(browser, studio)
            frames = page.evaluate(FRAMES, [120])
            report("the page's work for a frame, 2048 x 2048", frames, 16)
            page.close()
    changes(options.changes)


if __name__ == "__main__":
    main()
