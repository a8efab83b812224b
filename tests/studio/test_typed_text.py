"""The text of a level, as it is typed: one history with all other changes, and kept to the byte."""

from __future__ import annotations

from pathlib import Path

from exporter.studio.differences import merged_text
from studio_tabs import CAVE, Studio, Tab

LEVEL = "levels/cave.level.yaml"


def typed(tab: Tab, text: str, **more: object) -> dict[str, object]:
    tab.send(do="text", text=text, number=more.pop("number", 1), **more)
    return tab.wait_for("draft")


def test_typed_text_is_built_and_undone_in_steps(studio: Studio) -> None:
    tab = studio.opened()
    tab.set(["seed"], 8)
    before = CAVE.replace("seed: 7", "seed: 8")
    for wall in ("4", "45"):
        draft = typed(tab, before.replace("wall_percent: 40", f"wall_percent: {wall}"), merge="a")
    assert draft["text"] == before.replace("wall_percent: 40", "wall_percent: 45")
    assert draft["undo"] == 2
    tab.send(do="undo")
    assert tab.wait_for("draft")["text"] == before
    tab.send(do="undo")
    assert tab.wait_for("draft")["text"] == CAVE


def test_broken_text_is_kept_with_its_problem(studio: Studio) -> None:
    tab = studio.opened()
    broken = CAVE.replace("seed: 7 ", "seed: [7 ")
    draft = typed(tab, broken)
    assert (draft["text"], draft["data"]) == (broken, None)
    problems = tab.wait_for("problems")["problems"]
    assert problems[0]["line"] in (3, 4)
    assert typed(tab, CAVE)["changed"] is False


def test_text_typed_on_an_older_draft_has_no_effect(studio: Studio) -> None:
    tab = studio.opened()
    tab.send(do="undo")
    revision = tab.wait_for("draft")["revision"]
    tab.set(["seed"], 8)
    tab.send(do="text", text="seed: 9\n", revision=revision, number=5)
    draft = typed(tab, CAVE, revision=revision + 1, number=6)
    assert (draft["text"], draft["undo"]) == (CAVE, 2)


def test_line_ends_and_byte_order_mark_of_the_file_stay(studio: Studio, project: Path) -> None:
    path = project / LEVEL
    path.write_bytes(b"\xef\xbb\xbf" + CAVE.replace("\n", "\r\n").encode())
    tab = studio.opened()
    typed(tab, CAVE.replace("seed: 7 ", "seed: 9 "))
    tab.send(do="save")
    tab.wait_for("saved")
    expected = CAVE.replace("seed: 7 ", "seed: 9 ").replace("\n", "\r\n")
    assert path.read_bytes() == b"\xef\xbb\xbf" + expected.encode()


def test_typed_comments_outlive_a_change_of_the_file(studio: Studio, project: Path) -> None:
    path = project / LEVEL
    tab = studio.opened()
    typed(tab, CAVE.replace("# the first cave", "# the first cave, with more walls"))
    path.write_text(CAVE.replace("radius: 6", "radius: 5"))
    tab.wait_for("conflict")
    tab.send(do="adopt", how="mine")
    draft = tab.wait_for("draft")
    assert "with more walls" in draft["text"]
    assert "radius: 5" in draft["text"]


def test_changes_of_both_texts_are_merged_unless_lines_meet() -> None:
    base = b"a\nb\nc\nd\n"
    assert merged_text(base, b"a\nB\nc\nd\n", b"a\nb\nc\nd\ne\n") == b"a\nB\nc\nd\ne\n"
    assert merged_text(base, b"a\nB\nc\nd\n", b"a\nB\nc\nd\n") == b"a\nB\nc\nd\n"
    assert merged_text(base, b"a\nB\nc\nd\n", b"a\nb\nC\nd\n") is None
    assert merged_text(base, b"x\na\nb\nc\nd\n", b"y\na\nb\nc\nd\n") is None
