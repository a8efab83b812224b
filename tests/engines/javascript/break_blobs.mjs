// Reads damaged blobs: each ends in a LevelBlobError or says what the whole one says.
// In: {module, file, limits}; the file holds blobs, each after its length, the whole one first.
// Out: {answers: ["error", "same" or "other", ...], slowest: milliseconds, peak: megabytes}.

import { existsSync, readFileSync } from "node:fs";
import { plain, summary } from "./summary.mjs";

const { module, file, limits } = JSON.parse(readFileSync(0, "utf8"));
const { LevelBlob, LevelBlobError } = await import(module);
const bytes = readFileSync(file);
const answers = [];
let whole = null;
let slowest = 0;
for (let at = 0; at < bytes.length; ) {
  const end = at + 4 + bytes.readUInt32LE(at);
  const started = performance.now();
  let told = "error";
  try {
    // A copy, so that a reader that looks beyond its bytes finds nothing.
    told = plain(await summary(new LevelBlob(new Uint8Array(bytes.subarray(at + 4, end)), limits)));
  } catch (error) {
    if (!(error instanceof LevelBlobError)) throw error;
  }
  whole ??= told;
  answers.push(told === "error" ? "error" : told === whole ? "same" : "other");
  slowest = Math.max(slowest, performance.now() - started);
  at = end;
}
// Linux counts the memory of the process that started this one in what `resourceUsage` tells.
const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
const kilobytes = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
const peak = Math.round(kilobytes / 1024);
console.log(JSON.stringify({ answers, slowest, peak }));
