// Runs the documentation's first example with what it needs of a page, and counts what it draws.
// In: {example, level}. Out: the colours of the drawn squares with their places.

import { readFileSync } from "node:fs";

const { example, level } = JSON.parse(readFileSync(0, "utf8"));
const drawn = [];
const context = {
  fillStyle: "",
  fillRect: (x, y, width, height) => drawn.push([context.fillStyle, x, y, width, height]),
};
globalThis.document = { querySelector: () => ({ getContext: () => context }) };
globalThis.fetch = async () => new Response(readFileSync(level));
await import(example);
console.log(JSON.stringify(drawn));
