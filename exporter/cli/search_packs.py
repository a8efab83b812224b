"""Run `exporter seeds --pack`: write chosen levels into one pack file."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import UsageError
from exporter.cli.search_files import check_output, write_output
from exporter.cli.search_runs import (
    journal_key,
    judges_on,
    listed_names,
    progress_bar,
    reported_options,
    say,
    search_choices,
    search_parts,
    warn_of_search_cost,
)
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.packs.progress import PackProgress
    from exporter.reading.level_spec import LevelSpec

_REPORT_SECONDS = 0.1


def write_pack(options: argparse.Namespace, spec: LevelSpec, root: Path | None) -> int:
    """Choose the levels of a pack, and write its file; return the exit code.

    Input files must lie in the folder `root`; None for the spec's own folder.
    """
    from exporter.console import searches
    from exporter.packs.making import make_pack
    from exporter.packs.plan import plan_pack
    from exporter.store.searches import SearchLines

    if options.pack.suffix != ".lvp":
        raise UsageError(
            f"--pack {options.pack} does not end in .lvp (write --pack {options.pack.stem}.lvp)"
        )
    check_output(options, options.pack)
    with reported_options(options):
        plan = plan_pack(
            spec,
            root=root,
            count=options.count or 1000,
            budget=options.budget,
            measures=listed_names(options.measures),
            sight=options.sight or "none",
            **search_choices(options, spec),
        )
    search = plan.search
    warn_of_search_cost(options, search)
    key = journal_key(
        search, repr(["pack", *search_parts(search), search.metrics, plan.sight]), search.varied
    )
    judged, built = SearchLines(key), SearchLines(f"{key}-levels")
    began = last = time.perf_counter()
    with progress_bar(options) as progress:

        def report(state: PackProgress) -> None:
            nonlocal last
            now = time.perf_counter()
            if now - last >= _REPORT_SECONDS or state.built == search.count:
                last = now
                text = state.text(now - began)
                progress.stage(spec.level, str(options.spec), f"pack: {text}")

        try:
            pack = make_pack(
                plan,
                options.jobs,
                judged=judged,
                built=built,
                progress=report,
                judges_for=judges_on(options, progress),
            )
        except KeyboardInterrupt:
            progress.close()
            print("interrupted (the same command goes on from there)", file=sys.stderr)
            return ExitCode.INTERRUPTED
    if options.json:
        searches.print_document(pack.document())
    else:
        say(searches.pack_summary(pack))
    missing = pack.missing()
    if missing:
        say(missing, error=True)
    if not pack.count:
        return ExitCode.FAILED
    write_output(options, options.pack, pack.data)
    judged.remove()
    built.remove()
    return ExitCode.DONE
