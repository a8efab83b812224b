"""Progress of builds and sending of a drag in the studio's page, in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest

from studio_pages import select, set_value, until

# Records the page's messages, and holds back the server's answers while `hold` is true.
SOCKETS = """() => {
  window.sent = [];
  window.hold = false;
  window.held = [];
  window.received = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    sent.push(JSON.parse(data));
    window.socket = this;
    if (!this.taken) {
      this.taken = this.onmessage;
      this.onmessage = (event) => {
        if (typeof event.data === "string") received.push(JSON.parse(event.data).event);
        if (window.hold) held.push(() => this.taken(event));
        else this.taken(event);
      };
    }
    return send.call(this, data);
  };
  window.letGo = () => { window.hold = false; for (const one of held.splice(0)) one(); };
}"""
# Moves the slider as a pointer does, several times before the next frame.
DRAG = """(values) => {
  const slider = document.querySelector('#parameter-layers-ground-wall_percent-slider');
  for (const value of values) {
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }
}"""
CHANGES = "sent.filter((one) => one.merge?.startsWith('drag')).map((one) => one.changes[0].value)"


@pytest.fixture
def page(page: Any) -> Any:
    select(page, "layers.ground")
    page.evaluate(SOCKETS)
    return page


def test_a_long_build_is_reported_while_it_runs_and_its_times_by_stage(page: Any) -> None:
    set_value(page, "seed", 8)
    button = page.locator("#built")
    assert button.inner_text().startswith("Built in ")
    page.evaluate("() => { window.hold = true; }")
    page.evaluate("() => { levelExporter.set('seed', 9); }")
    until(page, "held.length >= 3")  # the draft, the level, its problems
    page.evaluate("() => { held.shift()(); }")
    until(page, "document.getElementById('built').textContent === 'Building ...'")
    page.evaluate("letGo()")
    until(page, "document.getElementById('built').textContent.startsWith('Built in ')")
    button.click()
    assert button.get_attribute("aria-expanded") == "true"
    stages = page.locator("#build-times th").all_inner_texts()
    assert "layer ground" in stages
    assert page.locator("#build-times td").count() == len(stages)
    page.keyboard.press("Escape")
    assert page.locator("#build-times").is_hidden()
    assert page.evaluate("document.activeElement.id") == "built"


def test_a_change_is_displayed_when_the_picture_has_it_and_not_an_older_one(page: Any) -> None:
    page.evaluate("() => { window.hold = true; window.shown = []; }")
    page.evaluate("() => { levelExporter.set('seed', 8).then(() => shown.push(8)); }")
    until(page, "held.length >= 3")  # the draft, the level, its problems
    page.evaluate("() => { levelExporter.set('seed', 9).then(() => shown.push(9)); }")
    page.evaluate("() => { for (let count = 0; count < 3; count++) held.shift()(); }")
    assert page.evaluate("shown") == [8]
    assert "seed: 8 " in page.evaluate("levelExporter.text()")
    page.evaluate("letGo()")
    until(page, "shown.length === 2")
    assert "seed: 9 " in page.evaluate("levelExporter.text()")


def test_a_change_is_not_reported_as_wrong_for_what_else_is_refused(page: Any) -> None:
    displayed = """async () => {
      const change = levelExporter.set("seed", 8);
      socket.send(JSON.stringify({ do: "nothing of this name" }));
      return (await change) ?? "shown";
    }"""
    assert page.evaluate(displayed) == "shown"
    assert "refused" in page.evaluate("received")


def test_a_picture_that_was_overtaken_is_not_the_present_one(page: Any) -> None:
    page.evaluate("() => { window.hold = true; }")
    page.evaluate("() => { levelExporter.set('seed', 8); }")
    until(page, "held.length >= 3")  # the draft, the level, its problems
    page.evaluate("() => { levelExporter.set('layers.ground.wall_percent', 400); }")
    until(page, "held.length >= 5")
    # The picture of the first comes while the second is the draft.
    page.evaluate("() => { for (const one of [0, 3, 1, 2, 4]) held[one](); held.length = 0; }")
    assert page.is_visible("#stale")
    assert "last good text" in page.inner_text("#state")
    page.evaluate("letGo()")
    set_value(page, "layers.ground.wall_percent", 41)
    assert not page.is_visible("#stale")


def test_a_change_that_was_lost_with_the_connection_is_reported(page: Any) -> None:
    page.evaluate("() => { levelExporter.set('seed', 8); }")
    until(page, "levelExporter.text().includes('seed: 8')")
    # It is thought to be sent, and goes nowhere.
    page.evaluate(
        """() => {
          const send = socket.send;
          socket.send = () => {};
          window.lost = null;
          levelExporter.set("seed", 9).then((why) => { lost = why ?? "shown"; });
          socket.send = send;
          socket.close();
        }"""
    )
    until(page, "lost !== null")
    assert "connection broke" in page.evaluate("lost")
    assert "seed: 8" in page.evaluate("levelExporter.text()")
    # A change made without a connection arrives with the next one.
    page.evaluate("() => { socket.close(); levelExporter.set('seed', 10); }")
    until(page, "levelExporter.text().includes('seed: 10')")


def test_a_newer_value_of_a_drag_does_not_wait_for_a_long_build(page: Any) -> None:
    page.evaluate("() => { window.hold = true; }")
    page.evaluate(DRAG, [41])
    until(page, "sent.some((one) => one.do === 'change')")
    page.evaluate(DRAG, [44])
    until(page, f"{CHANGES}.length === 2")
    assert page.evaluate(CHANGES) == [41, 44]
    page.evaluate("letGo()")
    until(page, "levelExporter.text().includes('wall_percent: 44')")


def test_of_a_drag_the_newest_is_sent_and_one_at_a_time(page: Any) -> None:
    page.evaluate("() => { window.hold = true; }")
    page.evaluate(DRAG, [41, 42, 43])
    until(page, "sent.some((one) => one.do === 'change')")
    page.evaluate(DRAG, [44, 45, 46])
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert page.evaluate(CHANGES) == [43]
    page.evaluate("letGo()")
    until(page, "levelExporter.text().includes('wall_percent: 46')")
    assert page.evaluate(CHANGES) == [43, 46]
    # Letting go waits for no picture, and anything else that is sent comes after the drag.
    set_value(page, "seed", 8)
    page.evaluate("() => { window.hold = true; }")
    page.evaluate(DRAG, [47])
    until(page, f"{CHANGES}.length === 3")
    page.evaluate(DRAG, [48, 49])
    page.evaluate("() => { window.dispatchEvent(new PointerEvent('pointerup')); }")
    page.evaluate(DRAG, [50, 51])
    page.evaluate("() => { document.getElementById('undo').disabled = false; }")
    page.locator("#undo").evaluate("(one) => one.click()")
    assert page.evaluate(CHANGES) == [43, 46, 47, 49, 51]
    assert page.evaluate("sent[sent.length - 1].do") == "undo"
    page.evaluate("letGo()")
