// @ts-check
/** Everything else: lists and mappings as YAML, which the server reads as it reads a spec. */

import { linesField } from "./control_lines.js";
import { element } from "./elements.js";
import { yamlText } from "./yaml_text.js";

/**
 * @param {import("./schema.js").Field} field
 * @param {any} value
 * @param {(value: any) => void} change
 * @param {(text: string) => Promise<any>} write takes YAML, and tells why not
 */
export function valueControl(field, value, change, write) {
  const shown = value ?? field.fallback;
  const area = linesField(field.id ?? "", shown === null || shown === undefined ? "" : yamlText(shown), "not written");
  const fit = () => { area.rows = Math.min(16, area.value.split("\n").length); };
  fit();
  area.addEventListener("input", fit);
  area.toggleAttribute("data-empty", area.value === "");
  area.title = "YAML. Ctrl+Enter takes it; in a single line Enter does, and Shift+Enter begins another.";
  const why = element("pre", { className: "why", role: "alert", hidden: true });
  const take = async () => {
    const text = area.value;
    if (text.trim() === "") return change(undefined);
    const refused = await write(text);
    if (area.value !== text) return;
    why.textContent = refused ?? "";
    why.hidden = !refused;
    area.toggleAttribute("aria-invalid", Boolean(refused));
  };
  area.addEventListener("change", () => void take());
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || !(event.ctrlKey || event.metaKey || !area.value.includes("\n"))) return;
    event.preventDefault();
    area.blur();
    area.focus();
  });
  return [area, why];
}
