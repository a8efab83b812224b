// @ts-check
/** The names that a parameter may have: by what its type says that it names. */

/** @typedef {(string | number)[]} Path */
/** @typedef {{data: any, layers: string[], objects: any[], level: import("./level.js").LevelView | null, schema: import("./schema.js").Schema | null}} Source */

export class KnownNames {
  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    /** @type {Record<string, (path: Path) => string[]>} */
    this.kinds = {
      layer: (path) => this.layers(path),
      object: (path) => this.objects(path),
      tile: (path) => this.tiles(path),
      room: () => (source.level?.layers ?? []).flatMap((one) => one.rooms.map((room) => room.name)),
      table: () => Object.keys(source.data?.tables ?? {}),
      column: ([, own]) => Object.keys(source.data?.tables?.[source.objects[Number(own)]?.spawn?.table]?.columns ?? {}),
      lock: () => this.locks().map((one) => one.name),
      walk: () => this.walks(),
      measure: () => source.schema?.measureNames() ?? [],
    };
  }

  /** @param {string} kind what is named @param {Path} path of the parameter @returns {string[]} */
  that(kind, path) {
    return [...new Set(this.kinds[kind]?.(path) ?? [])].filter(Boolean);
  }

  /** The locks of the mission that is written. @returns {{name: string, kind?: string}[]} */
  locks() {
    const { locks } = this.source.data?.mission ?? {};
    return Array.isArray(locks) ? locks.filter((one) => typeof one?.name === "string") : [];
  }

  /** Two ends of a walk, in the order of the mission. */
  walks() {
    const ends = ["start", ...this.locks().filter((one) => (one.kind ?? "key") === "key").map((one) => one.name), "goal"];
    return ends.flatMap((from, place) => ends.slice(place + 1).map((to) => `${from}..${to}`));
  }

  /** A layer most often reads those before it; those that measure come last whatever their place. @param {Path} path */
  layers([head, own]) {
    const { layers } = this.source;
    const at = head === "layers" ? layers.indexOf(String(own)) : layers.length;
    return [...layers.slice(0, at).reverse(), ...layers.slice(at + 1)];
  }

  /** @param {Path} path */
  objects([head, own]) {
    const { level, objects } = this.source;
    const mine = head === "objects" ? objects[Number(own)]?.name : null;
    return [...objects.map((one) => one?.name), ...(level?.legend.map((one) => one.name) ?? [])].filter((name) => name !== mine);
  }

  /** The tiles of the layers that a thing reads; of a layer that reads none its own, of others those of the level. @param {Path} path */
  tiles(path) {
    const shown = this.source.level?.layers ?? [];
    const read = this.layersRead(path);
    if (!read.size && path[0] === "layers") read.add(String(path[1]));
    return shown.filter((one) => (read.size ? read.has(one.name) : one.role === "play" || path[0] === "tileset")).flatMap((one) => one.tiles.map((tile) => tile.name));
  }

  /** The layers that the thing with a parameter names, by the types of its parameters. @param {Path} path @returns {Set<string>} */
  layersRead([head, own]) {
    const { data, schema } = this.source;
    const owner = head === "layers" || head === "objects" ? data?.[head]?.[own] : null;
    const fields = head === "layers" ? schema?.layerFields(owner?.generator) : schema?.objectFields();
    const named = (fields ?? []).filter((one) => one.names === "layer").flatMap((one) => owner?.[one.name]);
    return new Set(named.filter((one) => typeof one === "string"));
  }
}
