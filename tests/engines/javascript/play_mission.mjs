// Plays a mission step by step.
// In: {module, file, steps}. Out: the answer of each step.

import { readFileSync } from "node:fs";

const { module, file, steps } = JSON.parse(readFileSync(0, "utf8"));
const { LevelBlob, LevelMission } = await import(module);
const level = await new LevelBlob(readFileSync(file)).level();
const events = [];
function begun() {
  const mission = new LevelMission(level.mission);
  mission.addEventListener("taken", (event) => events.push(`taken ${event.detail}`));
  mission.addEventListener("opened", (event) => events.push(`opened ${event.detail}`));
  return mission;
}
let mission = begun();
const done = {
  lock_at: (x, y) => mission.lockAt(x, y),
  can_open: (index, x, y) => mission.canOpen(index, x, y),
  open: (index, x, y) => mission.open(index, x, y),
  keys: (name) => mission.keys(name),
  take: (name) => (mission.take(name), ["taken", name]),
  can_step: (...cells) => mission.canStep(...cells),
  restored: () => {
    const saved = JSON.parse(JSON.stringify(mission.save()));
    mission = begun();
    mission.restore(saved);
    return mission.save();
  },
  events: () => events,
};
console.log(JSON.stringify(steps.map(([name, ...values]) => done[name](...values))));
