// @ts-check
/** Reads a binary glTF file of the exporter's own: what is seen of it, and where its objects are. */

/** @typedef {{positions: Float32Array, normals: Float32Array, places: Float32Array, indices: Uint16Array | Uint32Array}} Shape */
/** @typedef {{shape: Shape, color: number[], picture: number | null}} Piece */
/** @typedef {{pieces: Piece[], mesh: string, move: number[], turn: number[]}} Placed */
/** @typedef {{placed: Placed[], pictures: Blob[], objects: number[][], low: number[], high: number[], cell: number}} Model */

const JSON_AT = 20;
/** @type {Record<number, any>} */
const TYPES = { 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
/** @type {Record<string, number>} */
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3 };

/** @param {Uint8Array} file @returns {Model} */
export function readModel(file) {
  const length = new DataView(file.buffer, file.byteOffset).getUint32(12, true);
  const glb = JSON.parse(new TextDecoder().decode(file.subarray(JSON_AT, JSON_AT + length)));
  const buffer = file.slice(JSON_AT + length + 8);
  /** @param {number} number */
  const view = (number) => {
    const { byteOffset, byteLength } = glb.bufferViews[number];
    return buffer.subarray(byteOffset, byteOffset + byteLength);
  };
  /** @param {number} number */
  const values = (number) => {
    const { bufferView, componentType, count, type } = glb.accessors[number];
    return new TYPES[componentType](buffer.buffer, view(bufferView).byteOffset, count * WIDTHS[type]);
  };
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  /** @type {Placed[]} */
  const placed = [];
  for (const node of glb.nodes) {
    if (node.mesh === undefined) continue;
    const { name, primitives } = glb.meshes[node.mesh];
    const move = node.translation ?? [0, 0, 0];
    // Shapes for engines have no normals: they are not seen.
    const seen = primitives.filter((/** @type {any} */ one) => one.attributes.NORMAL !== undefined);
    if (seen.length) placed.push({ mesh: name, move, turn: node.rotation ?? [0, 0, 0, 1], pieces: seen.map(piece) });
    for (const { attributes } of node.rotation ? [] : seen) {
      const bounds = glb.accessors[attributes.POSITION];
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis], bounds.min[axis] + move[axis]);
        high[axis] = Math.max(high[axis], bounds.max[axis] + move[axis]);
      }
    }
  }
  /** @param {any} primitive @returns {Piece} */
  function piece({ attributes, indices, material }) {
    const { baseColorFactor, baseColorTexture } = glb.materials[material].pbrMetallicRoughness;
    return {
      shape: { positions: values(attributes.POSITION), normals: values(attributes.NORMAL), places: values(attributes.TEXCOORD_0), indices: values(indices) },
      // Factors are of light, and what is drawn is as seen.
      color: (baseColorFactor ?? [1, 1, 1]).slice(0, 3).map((/** @type {number} */ one) => one ** (1 / 2.2)),
      picture: baseColorTexture ? glb.textures[baseColorTexture.index].source : null,
    };
  }
  const objects = glb.nodes.find((/** @type {any} */ one) => one.name === "objects" && one.children)?.children ?? [];
  return {
    placed, low, high, cell: glb.nodes[0].extras.cell_size,
    pictures: (glb.images ?? []).map((/** @type {any} */ one) => new Blob([view(one.bufferView)], { type: one.mimeType })),
    objects: objects.map((/** @type {number} */ one) => glb.nodes[one].translation),
  };
}

/** Return the height of the floor at a point; 0 beside all floors. @param {Model} model @param {number} x @param {number} z */
export function floorAt(model, x, z) {
  for (const { mesh, pieces } of model.placed) {
    if (mesh !== "floors" && mesh !== "liquids") continue;
    for (const { shape: { positions, indices } } of pieces) {
      for (let at = 0; at < indices.length; at += 3) {
        const [a, b, c] = [indices[at] * 3, indices[at + 1] * 3, indices[at + 2] * 3];
        const [ax, az, bx, bz] = [positions[a] - x, positions[a + 2] - z, positions[b] - x, positions[b + 2] - z];
        const [cx, cz] = [positions[c] - x, positions[c + 2] - z];
        const first = bx * cz - bz * cx, second = cx * az - cz * ax, third = ax * bz - az * bx;
        const all = first + second + third;
        if (all && first * all >= 0 && second * all >= 0 && third * all >= 0) {
          return (first * positions[a + 1] + second * positions[b + 1] + third * positions[c + 1]) / all;
        }
      }
    }
  }
  return 0;
}
