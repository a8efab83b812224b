"""Briefs for agents, and that what one made of them is what the brief demands."""

from __future__ import annotations

from pathlib import Path

import yaml

from cases import each_case
from exporter.agents.tools import Tools
from level_judge import Map, faults

BRIEFS = yaml.safe_load((Path(__file__).parent / "briefs.yaml").read_text(encoding="utf-8"))


@each_case("name", BRIEFS)
def test_what_an_agent_made_of_a_brief_is_accepted(tmp_path: Path, name: str) -> None:
    brief = BRIEFS[name]
    (tmp_path / "exporter.yaml").write_text("levels: '*.level.yaml'\ntargets: {tiled: {path: .}}\n")
    tools = Tools(tmp_path)
    assert tools.write_spec(name, brief["spec"])["ok"]
    assert tools.export_levels([name])["levels"][0]["status"] == "built"
    assert not faults(Map(tmp_path / f"{name}.tmj"), brief["judge"])
