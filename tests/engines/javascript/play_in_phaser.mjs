// Loads a map in Phaser without a screen, as a game would, and tells what the game then has.
// Asked with {"phaser": file, "map": its JSON text, "start": [column, row] of the cell of a
// ball, "steps": how long it is pushed}, or with {"phaser", "map", "code": text to run in the scene,
// where the map has the key "crypt"}.
//
// Phaser needs some of a browser even where it draws nothing: what it only asks for is here.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const nothing = () => {};
const context = new Proxy(
  {
    getImageData: (x, y, width, height) => ({ data: new Uint8ClampedArray(width * height * 4) }),
    measureText: () => ({ width: 1 }),
  },
  { get: (values, key) => (key in values ? values[key] : nothing) },
);
const element = () => ({
  style: {},
  width: 1,
  height: 1,
  getContext: () => context,
  addEventListener: nothing,
  removeEventListener: nothing,
  appendChild: nothing,
  setAttribute: nothing,
  getBoundingClientRect: () => ({ left: 0, top: 0, width: 1, height: 1 }),
  canPlayType: () => "",
});
Object.assign(globalThis, {
  window: globalThis,
  document: {
    documentElement: element(),
    body: element(),
    readyState: "complete",
    createElement: element,
    getElementById: () => null,
    addEventListener: nothing,
    removeEventListener: nothing,
  },
  Image: class {
    set src(_) {
      setTimeout(() => this.onload?.(), 0);
    }
  },
  HTMLElement: class {},
  HTMLCanvasElement: class {},
  HTMLVideoElement: class {},
  screen: { width: 1, height: 1, orientation: {} },
  focus: nothing,
  addEventListener: nothing,
  removeEventListener: nothing,
  requestAnimationFrame: (step) => setTimeout(() => step(performance.now()), 1),
  cancelAnimationFrame: clearTimeout,
});
globalThis.navigator ??= { userAgent: "node", maxTouchPoints: 0 };

const question = JSON.parse(readFileSync(0, "utf8"));
const Phaser = createRequire(import.meta.url)(question.phaser);

// What a scene's loader does.
function preload() {
  const data = JSON.parse(question.map);
  this.cache.tilemap.add("crypt", { format: Phaser.Tilemaps.Formats.TILED_JSON, data });
  for (const { name, imagewidth: width, imageheight: height } of data.tilesets) {
    this.textures.addCanvas(name, Object.assign(element(), { width, height }));
  }
}

function run() {
  const map = new Function("Phaser", `${question.code}\nreturn map;`).call(this, Phaser);
  const layers = map.layers
    .filter((data) => data.tilemapLayer)
    .map((data) => [data.name, data.data.flat().filter((tile) => tile.collides).length]);
  console.log(JSON.stringify({ layers, bodies: this.matter.world.getAllBodies().length }));
  this.game.destroy(true);
}

function play() {
  const map = this.make.tilemap({ key: "crypt" });
  map.tilesets.forEach((tileset) => map.addTilesetImage(tileset.name));
  const told = { version: Phaser.VERSION, properties: map.properties, layers: [] };
  for (const data of map.layers) {
    const layer = map.createLayer(data.name, map.tilesets);
    // The usual way to walls out of tiles.
    layer.setCollisionByProperty({ walkable: false });
    const tiles = layer.layer.data.flat();
    told.layers.push({
      name: data.name,
      // What the map says; the layer itself is made visible whatever that is.
      visible: data.visible,
      properties: data.properties,
      ids: tiles.map((tile) => tile.properties.id ?? null),
      names: tiles.map((tile) => tile.properties.name ?? null),
      collides: tiles.map((tile) => tile.collides),
      shapes: tiles.map((tile) => (tile.getCollisionGroup()?.objects ?? []).length),
    });
  }
  told.objects = map.getObjectLayer("objects")?.objects ?? [];
  if (map.getObjectLayer("collision")) {
    told.collision = collide(this, map);
  }
  console.log(JSON.stringify(told));
  this.game.destroy(true);
}

// Walls out of the object layer `collision`: a body for each of its polygons, as it stands there.
function collide(scene, map) {
  const { Bodies, Body, Vertices } = Phaser.Physics.Matter.Matter;
  const parts = map.getObjectLayer("collision").objects.map(({ x, y, polygon }) => {
    const middle = Vertices.centre(polygon);
    const options = { isStatic: true };
    return scene.matter.add.fromVertices(x + middle.x, y + middle.y, polygon, options).parts.length;
  });
  const walls = scene.matter.world.getAllBodies();
  const size = map.tileWidth;
  const hits = [];
  for (let row = 0; row < map.height; row++) {
    for (let column = 0; column < map.width; column++) {
      const [x, y] = [(column + 0.5) * size, (row + 0.5) * size];
      hits.push(scene.matter.intersectPoint(x, y, walls).length);
    }
  }
  // Where a ball ends that is pushed to each of the four sides.
  const [column, row] = question.start;
  const ends = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(([x, y]) => {
    const ball = Bodies.circle((column + 0.5) * size, (row + 0.5) * size, size * 0.3);
    scene.matter.world.add(ball);
    for (let step = 0; step < question.steps; step++) {
      Body.setVelocity(ball, { x: 2 * x, y: 2 * y });
      scene.matter.world.step(1000 / 60);
    }
    scene.matter.world.remove(ball);
    return [ball.position.x / size, ball.position.y / size];
  });
  return { parts, hits, ends };
}

new Phaser.Game({
  type: Phaser.HEADLESS,
  width: 8,
  height: 8,
  banner: false,
  audio: { noAudio: true },
  physics: { default: "matter", matter: { gravity: { x: 0, y: 0 }, autoUpdate: false } },
  scene: { preload, create: question.code ? run : play },
});
