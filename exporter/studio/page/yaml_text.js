// @ts-check
/** Writes values as YAML: short ones in flow style on one line, others in block style. */

const WIDTH = 60;
const PLAIN = /^[A-Za-z_][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$/;
const WORDS = /^(true|false|null|yes|no|on|off|y|n)$/i;

/** @param {unknown} value @returns {string} */
export function yamlText(value) {
  const line = flow(value);
  return line.length > WIDTH && isNested(value) ? block(value).join("\n") : line;
}

/** Whether a value is a list or a mapping. @param {unknown} value @returns {value is object} */
function isNested(value) {
  return value !== null && typeof value === "object";
}

/** @param {unknown} value @returns {string} */
function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (isNested(value)) return `{${Object.entries(value).map(([key, one]) => `${flow(key)}: ${flow(one)}`).join(", ")}}`;
  return typeof value === "string" && PLAIN.test(value) && !WORDS.test(value) ? value : JSON.stringify(value);
}

/** @param {object} value a list or a mapping that is not empty @returns {string[]} its lines */
function block(value) {
  const list = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) => {
    const head = list ? "-" : `${flow(key)}:`;
    const line = flow(one);
    if (!isNested(one) || line.length <= WIDTH) return [`${head} ${line}`];
    const lines = block(one).map((text) => `  ${text}`);
    return list ? [`- ${lines[0].slice(2)}`, ...lines.slice(1)] : [head, ...lines];
  });
}
