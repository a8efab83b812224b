// Judges blobs: `judge_blobs.mjs MODULE FILE default|strangers`. The file holds blobs, each after its
// length. Prints `read` or `refused` and the milliseconds that took, a line for each; then, on Linux, how much
// memory the process had at most.

import { existsSync, readFileSync } from "node:fs";

const [module, file, which] = process.argv.slice(2);
const { LevelBlob, LevelBlobError, DEFAULT_LIMITS, STRANGER_LIMITS } = await import(module);
const limits = which === "strangers" ? STRANGER_LIMITS : DEFAULT_LIMITS;
const bytes = readFileSync(file);
for (let at = 0; at < bytes.length; ) {
  const end = at + 4 + bytes.readUInt32LE(at);
  const started = performance.now();
  let judged = "read";
  try {
    const blob = new LevelBlob(bytes.subarray(at + 4, end), limits);
    for (let number = 0; number < Math.max(1, blob.levelCount); number++) await blob.level(number);
  } catch (error) {
    if (!(error instanceof LevelBlobError)) throw error;
    judged = "refused";
  }
  console.log(judged, Math.round(performance.now() - started));
  at = end;
}
const status = "/proc/self/status";
console.log(existsSync(status) ? readFileSync(status, "utf8") : "");
