// @ts-check
/** Everything else: lists and mappings as YAML, which the server reads as it reads a spec. */

import { linesField } from "./control_lines.js";
import { describe } from "./row_words.js";
import { element } from "./elements.js";
import { isUncommitted, showText } from "./uncommitted.js";
import { yamlText } from "./yaml_text.js";

/** A text that was refused, why, and the value that the spec had and keeps. @typedef {{text: string, why: string, value: string | undefined}} Refusal */

/**
 * @param {import("./schema.js").Field} field
 * @param {(value: unknown) => void} change
 * @param {(text: string) => Promise<string | undefined>} write takes YAML, and returns why it was refused
 * @param {Map<string, Refusal>} refusals of all controls by their ids: they stay while others are shown
 * @returns {import("./parameter_row.js").Control}
 */
export function valueControl(field, change, write, refusals) {
  const id = field.id ?? "";
  const area = linesField(id, "unset");
  const fit = () => { area.rows = Math.min(16, area.value.split("\n").length); };
  area.addEventListener("input", fit);
  area.title = "YAML. Ctrl+Enter takes it; in a single line Enter does, and Shift+Enter begins another.";
  const why = element("pre", { className: "why", id: `refused-${id}`, role: "alert", hidden: true });
  /** @type {string | undefined} */
  let known;
  const take = async () => {
    const text = area.value;
    refusals.delete(id);
    if (text.trim() === "") return change(undefined);
    const refused = await write(text);
    if (refused) refusals.set(id, { text, why: refused, value: known });
    if (area.value === text) report(refused ?? "");
  };
  /** @param {string} text */
  const report = (text) => {
    why.textContent = text;
    why.hidden = !text;
    if (text) area.setAttribute("aria-invalid", "true");
    else area.removeAttribute("aria-invalid");
    const row = /** @type {HTMLElement | null} */ (area.closest(".row"));
    if (row) describe(row);
  };
  area.addEventListener("change", () => void take());
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || !(event.ctrlKey || event.metaKey || !area.value.includes("\n"))) return;
    event.preventDefault();
    area.blur();
    area.focus();
  });
  return {
    nodes: [area, why],
    show: (value) => {
      known = JSON.stringify(value);
      const refused = refusals.get(id);
      const shown = value ?? field.fallback;
      if (refused && refused.value === known) {
        area.value = area.dataset.committed = refused.text;
        report(refused.why);
      } else {
        refusals.delete(id);
        showText(area, shown === null || shown === undefined ? "" : yamlText(shown));
        if (!isUncommitted(area)) report("");
      }
      fit();
      area.toggleAttribute("data-empty", area.value === "");
    },
  };
}
