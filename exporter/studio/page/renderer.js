// @ts-check
/**
 * Draws a level with WebGL 2: the ids of cells lie in textures, and each pixel looks up its cell, so
 * that a frame costs the pixels of the window, however large the level is.
 */

import { sameBytes } from "./frames.js";
import { COLORS, GROUND, OVERVIEW, RELIEF, SIGHT, TILES, VERTEX } from "./shaders.js";

/** @typedef {import("./level.js").LevelView} LevelView */
/** @typedef {import("./level.js").Layer} Layer */
/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {{visible: boolean, opacity: number}} DisplayedState */

/** @typedef {{texture: WebGLTexture, width: number, height: number}} Grid */

export class Renderer {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    /** @type {Map<string, WebGLProgram>} */
    this.programs = new Map();
    /** @type {LevelView | null} */
    this.level = null;
    /** @type {Map<object, Grid>} */
    this.grids = new Map();
    /** @type {{side: number, columns: number, texture: WebGLTexture}[]} */
    this.sheets = [];
    /** @type {Grid | null} */
    this.sight = null;
    /** @type {Layer | null} */
    this.instead = null;
    /** A picture of the world below the level. @type {{texture: WebGLTexture, width: number, height: number} | null} */
    this.overview = null;
    const corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  }

  /** Another level on the same canvas. */
  another() {
    return new Renderer(this.gl);
  }

  /** Draw in a part of the canvas alone. @param {import("./compare_halves.js").Rectangle} part @param {() => void} draw */
  within({ left, top, width, height }, draw) {
    const { gl } = this;
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(left, gl.drawingBufferHeight - top - height, width, height);
    draw();
    gl.disable(gl.SCISSOR_TEST);
  }

  /** @param {LevelView | null} level */
  show(level) {
    const { gl } = this;
    for (const grid of this.grids.values()) gl.deleteTexture(grid.texture);
    this.grids.clear();
    const isSame = isSameTileset(this.level?.tileset, level?.tileset);
    this.level = level;
    if (this.sight) gl.deleteTexture(this.sight.texture);
    this.sight = null;
    if (isSame) return;
    for (const sheet of this.sheets) gl.deleteTexture(sheet.texture);
    this.sheets = level?.tileset ? sheetsOf(level.tileset).map((one) => this.sheet(one)) : [];
  }

  /** Lay the picture of a world below its window. @param {import("./world_view.js").Overview | null} one */
  spread(one) {
    const { gl } = this;
    if (this.overview) gl.deleteTexture(this.overview.texture);
    this.overview = null;
    if (!one) return;
    const { texture } = this.grid(one.pixels, one.columns, one.rows, true);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    this.overview = { texture, width: one.columns * one.step, height: one.rows * one.step };
  }

  /**
   * Replace the layer of the same name by this one, with its current cells; null restores all.
   * @param {Layer | null} layer
   */
  replace(layer) {
    const before = this.instead;
    this.instead = layer;
    for (const owner of before ? [before, ...(before.tiles === layer?.tiles ? [] : [before.tiles])] : []) {
      const grid = this.grids.get(owner);
      if (grid) this.gl.deleteTexture(grid.texture);
      this.grids.delete(owner);
    }
  }

  /**
   * Set the lit cells: 1 in sight, 2 remembered, 0 neither; null lights everything.
   * @param {Uint8Array | null} lit
   */
  light(lit) {
    const { gl, level, sight } = this;
    if (lit && level && sight) {
      // The texture is there already: its cells alone are sent.
      gl.bindTexture(gl.TEXTURE_2D, sight.texture);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, level.width, level.height, gl.RED_INTEGER, gl.UNSIGNED_BYTE, lit);
      return;
    }
    if (sight) gl.deleteTexture(sight.texture);
    this.sight = lit && level ? this.grid(lit, level.width, level.height) : null;
  }

  /**
   * @param {Camera} camera
   * @param {(layer: Layer) => DisplayedState} shown
   * @param {import("./theme.js").GroundColors & {dark: number[], remembered: number[]}} colors
   * @param {() => void} [below] draws over the layers and below the dark
   */
  draw(camera, shown, colors, below) {
    const { gl, level } = this;
    gl.viewport(0, 0, camera.width, camera.height);
    const [red, green, blue] = colors.background;
    gl.clearColor(red, green, blue, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!level) return;
    if (this.overview && level.world) {
      const { x, y, width, height } = level.whole;
      this.use("overview", OVERVIEW, camera, 1);
      this.bind("picture", this.overview.texture, 0);
      gl.uniform4f(this.place("world"), x, y, width, height);
      gl.uniform2f(this.place("extent"), this.overview.width, this.overview.height);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    this.use("ground", GROUND, camera, 1);
    gl.uniform3fv(this.place("ground"), colors.ground);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    // Relief lies under tiles, whatever the order of the layers.
    const layers = [...level.layers].sort((a, b) => Number(a.kind === "tiles") - Number(b.kind === "tiles"));
    for (const made of layers) {
      const { visible, opacity } = shown(made);
      const layer = this.instead?.name === made.name ? this.instead : made;
      if (!visible || opacity === 0) continue;
      if (layer.kind === "heights") this.relief(camera, layer, opacity);
      else if (layer.drawings.length) this.tiles(camera, layer, opacity);
      else this.colors(camera, layer, opacity, colors.solid);
    }
    below?.();
    if (this.sight) {
      this.use("sight", SIGHT, camera, 1);
      this.bind("numbers", this.sight.texture, 0);
      gl.uniform4fv(this.place("dark"), colors.dark);
      gl.uniform4fv(this.place("remembered"), colors.remembered);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
  }

  /** @param {Camera} camera @param {Layer} layer @param {number} opacity */
  tiles(camera, layer, opacity) {
    const { gl } = this;
    // The smallest sheet that has a pixel for each of the screen.
    const sheet = [...this.sheets].reverse().find((one) => one.side >= camera.zoom) ?? this.sheets[0];
    for (const drawing of layer.drawings) {
      const width = layer.width + Number(drawing.between);
      const height = layer.height + Number(drawing.between);
      const grid = this.cached(drawing, drawing.numbers, width, height);
      this.use("tiles", TILES, camera, opacity);
      this.bind("numbers", grid.texture, 0);
      this.bind("sheet", sheet.texture, 1);
      gl.uniform1i(this.place("columns"), sheet.columns);
      gl.uniform1i(this.place("side"), sheet.side);
      gl.uniform1f(this.place("shift"), drawing.between ? 0.5 : 0);
      gl.uniform2i(this.place("grid"), width, height);
      gl.uniform1i(this.place("samples"), samplesAt(camera.zoom));
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
  }

  /** @param {Camera} camera @param {Layer} layer @param {number} opacity @param {number[]} solid */
  colors(camera, layer, opacity, solid) {
    const grid = this.cached(layer, layer.cells, layer.width, layer.height);
    const palette = this.cached(layer.tiles, paletteOf(layer), 256, 256, true);
    this.use("colors", COLORS, camera, opacity);
    this.bind("numbers", grid.texture, 0);
    this.bind("palette", palette.texture, 1);
    this.gl.uniform3fv(this.place("solid"), solid);
    this.gl.uniform2i(this.place("grid"), layer.width, layer.height);
    this.gl.drawArrays(this.gl.TRIANGLES, 0, 3);
  }

  /** @param {Camera} camera @param {Layer} layer @param {number} opacity */
  relief(camera, layer, opacity) {
    const grid = this.cached(layer, layer.cells, layer.width, layer.height);
    this.use("relief", RELIEF, camera, opacity);
    this.bind("numbers", grid.texture, 0);
    this.gl.uniform2i(this.place("grid"), layer.width, layer.height);
    this.gl.drawArrays(this.gl.TRIANGLES, 0, 3);
  }

  // --- textures and programs ------------------------------------------------------------------

  /**
   * @param {object} owner
   * @param {Uint8Array | Uint16Array} values
   * @param {number} width @param {number} height
   * @param {boolean} [colors]
   */
  cached(owner, values, width, height, colors = false) {
    let grid = this.grids.get(owner);
    if (!grid) {
      grid = this.grid(values, width, height, colors);
      this.grids.set(owner, grid);
    }
    return grid;
  }

  /**
   * @param {Uint8Array | Uint16Array} values
   * @param {number} width @param {number} height
   * @param {boolean} [colors] four bytes a cell
   * @returns {Grid}
   */
  grid(values, width, height, colors = false) {
    const { gl } = this;
    const texture = /** @type {WebGLTexture} */ (gl.createTexture());
    gl.bindTexture(gl.TEXTURE_2D, texture);
    nearest(gl);
    if (colors) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, values);
    } else if (values instanceof Uint16Array) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16UI, width, height, 0, gl.RED_INTEGER, gl.UNSIGNED_SHORT, values);
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, width, height, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, values);
    }
    return { texture, width, height };
  }

  /** @param {{side: number, columns: number, rows: number, pixels: Uint8Array}} one */
  sheet(one) {
    const { texture } = this.grid(one.pixels, one.columns * one.side, one.rows * one.side, true);
    return { side: one.side, columns: one.columns, texture };
  }

  /** @param {string} name @param {string} fragment @param {Camera} camera @param {number} opacity */
  use(name, fragment, camera, opacity) {
    const { gl } = this;
    let program = this.programs.get(name);
    if (!program) {
      program = link(gl, fragment);
      this.programs.set(name, program);
    }
    this.program = program;
    gl.useProgram(program);
    const at = gl.getAttribLocation(program, "at");
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, 2, gl.FLOAT, false, 0, 0);
    const level = /** @type {LevelView} */ (this.level);
    gl.uniform2f(this.place("corner"), camera.x, camera.y);
    gl.uniform1f(this.place("zoom"), camera.zoom);
    gl.uniform1f(this.place("canvasHeight"), camera.height);
    gl.uniform2i(this.place("size"), level.width, level.height);
    gl.uniform1f(this.place("opacity"), opacity);
  }

  /** @param {string} name */
  place(name) {
    return this.gl.getUniformLocation(/** @type {WebGLProgram} */ (this.program), name);
  }

  /** @param {string} name @param {WebGLTexture} texture @param {number} unit */
  bind(name, texture, unit) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform1i(this.place(name), unit);
    gl.activeTexture(gl.TEXTURE0);
  }
}

/** @param {WebGL2RenderingContext} gl */
function nearest(gl) {
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}

/** @param {WebGL2RenderingContext} gl @param {string} fragment */
function link(gl, fragment) {
  const program = /** @type {WebGLProgram} */ (gl.createProgram());
  for (const [kind, source] of /** @type {[number, string][]} */ ([
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, fragment],
  ])) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "");
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "");
  return program;
}

/** Return the number of samples a pixel: cells smaller than pixels are averaged. @param {number} zoom */
function samplesAt(zoom) {
  return Math.min(Math.max(Math.ceil(1 / zoom), 1), 4);
}

/** @typedef {import("./level.js").Tileset | null | undefined} MaybeTileset */

/** Whether the pictures of tiles are those of the level before, as in most steps of a slider. @param {MaybeTileset} one @param {MaybeTileset} other */
function isSameTileset(one, other) {
  if (!one || !other) return one === other;
  const same = /** @type {const} */ (["size", "columns", "rows", "margin", "spacing"]).every((key) => one[key] === other[key]);
  return same && sameBytes(one.pixels, other.pixels);
}

/**
 * Return the sheet without margins, halved again and again down to one pixel a tile: from afar a tile has the mean of its
 * pixels.
 * @param {import("./level.js").Tileset} tileset
 */
export function sheetsOf(tileset) {
  const { size, columns, rows, margin, spacing, pixels } = tileset;
  const stride = (2 * margin + columns * size + (columns - 1) * spacing) * 4;
  const packed = new Uint8Array(columns * rows * size * size * 4);
  const across = columns * size * 4;
  for (let row = 0; row < rows * size; row++) {
    const from = (margin + row + Math.floor(row / size) * spacing) * stride;
    for (let column = 0; column < columns; column++) {
      const start = from + (margin + column * (size + spacing)) * 4;
      packed.set(pixels.subarray(start, start + size * 4), row * across + column * size * 4);
    }
  }
  const sheets = [{ side: size, columns, rows, pixels: packed }];
  for (let side = size; side > 1 && side % 2 === 0; side /= 2) sheets.push(halved(sheets[sheets.length - 1]));
  if (sheets[sheets.length - 1].side > 1) sheets.push(flat(sheets[0]));
  return sheets;
}

/** @param {{side: number, columns: number, rows: number, pixels: Uint8Array}} sheet */
function halved(sheet) {
  return reduced(sheet, 2);
}

/** @param {{side: number, columns: number, rows: number, pixels: Uint8Array}} sheet */
function flat(sheet) {
  return reduced(sheet, sheet.side);
}

/**
 * @param {{side: number, columns: number, rows: number, pixels: Uint8Array}} sheet
 * @param {number} by
 */
function reduced({ side, columns, rows, pixels }, by) {
  const width = (columns * side) / by;
  const height = (rows * side) / by;
  const found = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sum = [0, 0, 0, 0];
      for (let j = 0; j < by; j++) {
        for (let i = 0; i < by; i++) {
          const at = ((y * by + j) * columns * side + x * by + i) * 4;
          const alpha = pixels[at + 3];
          for (let part = 0; part < 3; part++) sum[part] += pixels[at + part] * alpha;
          sum[3] += alpha;
        }
      }
      const to = (y * width + x) * 4;
      for (let part = 0; part < 3; part++) found[to + part] = sum[3] ? Math.round(sum[part] / sum[3]) : 0;
      found[to + 3] = Math.round(sum[3] / (by * by));
    }
  }
  return { side: side / by, columns, rows, pixels: found };
}

/** @param {Layer} layer */
function paletteOf(layer) {
  const colors = new Uint8Array(256 * 256 * 4);
  for (const tile of layer.tiles) {
    const alpha = tile.color.length > 7 ? parseInt(tile.color.slice(7), 16) : 255;
    const rgb = [1, 3, 5].map((at) => parseInt(tile.color.slice(at, at + 2), 16));
    colors.set([...rgb, alpha], tile.id * 4);
  }
  return colors;
}
