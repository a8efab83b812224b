"""What an agent writes appears as a proposal, in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exporter.agents.tools import Tools
from studio_pages import until

LEVEL = "levels/cave.level.yaml"


def write_as_agent(project: Path, old: str, new: str) -> str:
    tools = Tools(project)
    spec = tools.read_spec("cave")
    assert old in spec["text"]
    text = spec["text"].replace(old, new)
    assert tools.write_spec("cave", text, spec["digest"])["ok"]
    return text


def test_an_agents_changes_can_be_kept_or_taken_back(page: Any, project: Path) -> None:
    before = (project / LEVEL).read_text()
    write_as_agent(project, "seed: 7", "seed: 8")
    panel = page.locator("#proposal")
    panel.wait_for(state="visible")
    # A second write before the user has decided joins the first.
    text = write_as_agent(project, "40}", "41}")
    until(
        page, "document.querySelector('#proposal p')?.textContent === 'An agent changed 2 values.'"
    )
    assert (
        "\n- seed: 7   # a good one\n+ seed: 8   # a good one\n"
        in panel.locator("pre").inner_text()
    )
    assert page.evaluate("levelExporter.text()") == text
    page.click("#undo-proposal")
    until(page, "text => levelExporter.text() === text", before)
    assert (project / LEVEL).read_text() == before
    panel.wait_for(state="hidden")
    text = write_as_agent(project, "seed: 7", "seed: 9")
    page.click("#keep-proposal")
    panel.wait_for(state="hidden")
    assert (project / LEVEL).read_text() == text


def test_a_text_that_has_changed_since_is_not_taken_back(page: Any, project: Path) -> None:
    write_as_agent(project, "seed: 7", "seed: 8")
    page.locator("#proposal").wait_for(state="visible")
    # Another hand than an agent's is no proposal.
    by_hand = (project / LEVEL).read_text() + "# by hand\n"
    (project / LEVEL).write_text(by_hand)
    until(page, "text => levelExporter.text() === text", by_hand)
    page.locator("#proposal").wait_for(state="hidden")
    assert (project / LEVEL).read_text() == by_hand
