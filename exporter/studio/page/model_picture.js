// @ts-check
/** Draws a model with WebGL 2, from a camera that turns around a point. */

/** @typedef {import("./model_file.js").Model} Model */
/** @typedef {{target: number[], yaw: number, pitch: number, distance: number}} Orbit */
/** @typedef {{at: number[], size: number[], color: number[]}} Mark a box in the level */
/** @typedef {{array: WebGLVertexArrayObject, count: number, type: number}} Part */

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 place;
uniform vec4 turn;
uniform vec3 move, size, eye, right, up, ahead;
uniform vec4 lens;
out vec2 spot;
out float light;
vec3 turned(vec3 v) { return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
void main() {
  vec3 from = turned(position * size) + move - eye;
  float depth = dot(from, ahead);
  gl_Position = vec4(dot(from, right) * lens.x, dot(from, up) * lens.y, (depth * (lens.w + lens.z) - 2.0 * lens.w * lens.z) / (lens.w - lens.z), depth);
  spot = place;
  light = 0.62 + 0.42 * dot(turned(normal), normalize(vec3(0.35, 0.8, 0.5)));
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
uniform sampler2D picture;
uniform vec3 color;
in vec2 spot;
in float light;
out vec4 pixel;
void main() { pixel = vec4(texture(picture, spot).rgb * color * light, 1); }`;
const UNIFORMS = ["turn", "move", "size", "eye", "right", "up", "ahead", "lens", "color"];
const LENS = 1.6;
const STILL = [0, 0, 0, 1];

export class ModelPicture {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    const program = /** @type {WebGLProgram} */ (gl.createProgram());
    for (const [type, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]])) {
      const shader = /** @type {WebGLShader} */ (gl.createShader(type));
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    this.at = Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)]));
    this.white = this.texture(new ImageData(new Uint8ClampedArray([255, 255, 255, 255]), 1, 1));
    /** @type {{part: Part, color: number[], texture: WebGLTexture, move: number[], turn: number[]}[]} */
    this.drawn = [];
    /** What a model has of its own. @type {WebGLBuffer[]} */ this.buffers = [];
    this.box = this.part(boxShape());
    this.buffers = [];
    /** @type {WebGLTexture[]} */ this.textures = [];
  }

  /** @param {Model} model @param {ImageBitmap[]} pictures */
  show(model, pictures) {
    const { gl } = this;
    for (const one of this.buffers) gl.deleteBuffer(one);
    for (const one of this.textures) gl.deleteTexture(one);
    for (const { part } of this.drawn) gl.deleteVertexArray(part.array);
    this.buffers = [];
    this.textures = pictures.map((one) => this.texture(one));
    /** Doors of a kind share a shape. @type {Map<unknown, Part>} */
    const parts = new Map();
    this.drawn = model.placed.flatMap(({ pieces, move, turn }) => pieces.map(({ shape, color, picture }) => {
      const key = `${shape.positions.byteOffset}`;
      const part = parts.get(key) ?? this.part(shape);
      parts.set(key, part);
      return { part, color, move, turn, texture: picture === null ? this.white : this.textures[picture] };
    }));
  }

  /** @param {Orbit} orbit @param {Mark[]} marks @param {number[]} background */
  draw({ target, yaw, pitch, distance }, marks, background) {
    const { gl, at } = this;
    const { width, height } = gl.canvas;
    gl.viewport(0, 0, width, height);
    gl.clearColor(background[0], background[1], background[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const [sine, cosine] = [Math.sin(pitch), Math.cos(pitch)];
    const out = [cosine * Math.sin(yaw), sine, cosine * Math.cos(yaw)];
    gl.uniform3fv(at.eye, target.map((one, axis) => one + out[axis] * distance));
    gl.uniform3fv(at.ahead, out.map((one) => -one));
    gl.uniform3f(at.right, Math.cos(yaw), 0, -Math.sin(yaw));
    gl.uniform3f(at.up, -sine * Math.sin(yaw), cosine, -sine * Math.cos(yaw));
    // The shorter side of the window is seen whole.
    const shorter = Math.min(width, height);
    gl.uniform4f(at.lens, LENS * shorter / width, LENS * shorter / height, distance / 50, distance * 50);
    gl.uniform3f(at.size, 1, 1, 1);
    for (const { part, color, texture, move, turn } of this.drawn) this.drawPart(part, texture, color, move, turn);
    for (const { at: place, size, color } of marks) {
      gl.uniform3fv(at.size, size);
      this.drawPart(this.box, this.white, color, place, STILL);
    }
  }

  /** @param {Part} part @param {WebGLTexture} texture @param {number[]} color @param {number[]} move @param {number[]} turn */
  drawPart({ array, count, type }, texture, color, move, turn) {
    const { gl, at } = this;
    gl.uniform4fv(at.turn, turn);
    gl.uniform3fv(at.move, move);
    gl.uniform3fv(at.color, color);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.bindVertexArray(array);
    gl.drawElements(gl.TRIANGLES, count, type, 0);
  }

  /** @param {import("./model_file.js").Shape} shape @returns {Part} */
  part({ positions, normals, places, indices }) {
    const { gl } = this;
    const array = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray());
    gl.bindVertexArray(array);
    [positions, normals, places].forEach((values, location) => {
      this.buffer(gl.ARRAY_BUFFER, values);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, location === 2 ? 2 : 3, gl.FLOAT, false, 0, 0);
    });
    this.buffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    return { array, count: indices.length, type: indices instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT };
  }

  /** @param {number} target @param {Float32Array | Uint16Array | Uint32Array} values */
  buffer(target, values) {
    const { gl } = this;
    const made = /** @type {WebGLBuffer} */ (gl.createBuffer());
    gl.bindBuffer(target, made);
    gl.bufferData(target, values, gl.STATIC_DRAW);
    this.buffers.push(made);
  }

  /** @param {ImageBitmap | ImageData} image */
  texture(image) {
    const { gl } = this;
    const made = /** @type {WebGLTexture} */ (gl.createTexture());
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.generateMipmap(gl.TEXTURE_2D);
    return made;
  }
}

/** A box with sides of 1 around a point, on the ground there. @returns {import("./model_file.js").Shape} */
function boxShape() {
  /** @type {number[]} */ const positions = [], /** @type {number[]} */ normals = [], /** @type {number[]} */ indices = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [-1, 1]) {
      const first = positions.length / 3;
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const corner = [0, 0, 0], normal = [0, 0, 0];
        corner[axis] = normal[axis] = sign;
        corner[(axis + 1) % 3] = u * sign;
        corner[(axis + 2) % 3] = v;
        positions.push(corner[0] / 2, corner[1] / 2 + 0.5, corner[2] / 2);
        normals.push(...normal);
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return { positions: new Float32Array(positions), normals: new Float32Array(normals), places: new Float32Array(positions.length / 3 * 2), indices: new Uint16Array(indices) };
}
