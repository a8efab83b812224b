// @ts-check
/** The programs that draw: each covers the canvas, and looks up the cell of every pixel. */

export const HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform vec2 corner;      // cell coordinates of the upper left pixel
uniform float zoom;       // pixels a cell
uniform float canvasHeight;
uniform ivec2 size;       // of the level in cells
uniform float opacity;
out vec4 color;
vec2 place() { return corner + vec2(gl_FragCoord.x, canvasHeight - gl_FragCoord.y) / zoom; }
bool inside(ivec2 cell) { return cell.x >= 0 && cell.y >= 0 && cell.x < size.x && cell.y < size.y; }
`;

export const VERTEX = `#version 300 es
in vec2 at;
void main() { gl_Position = vec4(at, 0.0, 1.0); }
`;

/** The background below a level: visible where its tiles are empty or transparent. */
export const GROUND = `${HEAD}
uniform vec3 ground;
void main() {
  if (!inside(ivec2(floor(place())))) discard;
  color = vec4(ground, opacity);
}
`;

/** The picture of a whole world. */
export const OVERVIEW = `${HEAD}
uniform sampler2D picture;
uniform vec4 world;       // its first cell, width and height
uniform vec2 extent;      // cells of the picture
void main() {
  vec2 at = place() - world.xy;
  if (at.x < 0.0 || at.y < 0.0 || at.x >= world.z || at.y >= world.w) discard;
  color = texture(picture, at / extent);
}
`;

/** Pictures of tiles: the sheet in the size that fits the zoom, without anything between tiles. */
export const TILES = `${HEAD}
uniform usampler2D numbers;
uniform sampler2D sheet;
uniform int columns;
uniform int side;         // pixels of a tile in this sheet
uniform float shift;      // 0.5 for pictures between the cells
uniform ivec2 grid;       // cells of the numbers
uniform int samples;
vec4 pictureAt(vec2 world) {
  vec2 moved = world + shift;
  ivec2 cell = ivec2(floor(moved));
  if (cell.x < 0 || cell.y < 0 || cell.x >= grid.x || cell.y >= grid.y) return vec4(0.0);
  uint number = texelFetch(numbers, cell, 0).r;
  if (number == 0u) return vec4(0.0);
  int tile = int(number) - 1;
  ivec2 inner = min(ivec2(fract(moved) * float(side)), ivec2(side - 1));
  ivec2 first = ivec2(tile % columns, tile / columns) * side;
  return texelFetch(sheet, first + inner, 0);
}
void main() {
  vec2 world = place();
  if (!inside(ivec2(floor(world)))) discard;
  vec4 sum = vec4(0.0);
  float step = 1.0 / (zoom * float(samples));
  for (int j = 0; j < samples; j++)
    for (int i = 0; i < samples; i++) {
      vec4 one = pictureAt(world + (vec2(float(i), float(j)) - float(samples - 1) / 2.0) * step);
      sum += vec4(one.rgb * one.a, one.a);
    }
  if (sum.a == 0.0) discard;
  color = vec4(sum.rgb / sum.a, sum.a / float(samples * samples) * opacity);
}
`;

/** Cells in the colours of their legend. Black means that no colour was chosen: it would be lost on a dark page. */
export const COLORS = `${HEAD}
uniform usampler2D numbers;
uniform sampler2D palette;
uniform vec3 solid;
uniform ivec2 grid;
void main() {
  vec2 world = place();
  if (!inside(ivec2(floor(world)))) discard;
  ivec2 cell = min(ivec2(world * vec2(grid) / vec2(size)), grid - 1);
  uint id = texelFetch(numbers, cell, 0).r;
  vec4 found = texelFetch(palette, ivec2(int(id & 255u), int(id >> 8)), 0);
  if (found == vec4(0.0, 0.0, 0.0, 1.0)) found.rgb = solid;
  color = vec4(found.rgb, found.a * opacity);
}
`;

/** Heights as relief: lit from the upper left, higher is brighter. */
export const RELIEF = `${HEAD}
uniform usampler2D numbers;
uniform ivec2 grid;
float heightAt(ivec2 sample_) {
  return float(texelFetch(numbers, clamp(sample_, ivec2(0), grid - 1), 0).r) / 65535.0;
}
void main() {
  vec2 world = place();
  if (!inside(ivec2(floor(world)))) discard;
  vec2 spot = world * vec2(grid) / vec2(size);
  ivec2 at = min(ivec2(spot), grid - 1);
  float here = heightAt(at);
  float east = heightAt(at + ivec2(1, 0)) - heightAt(at - ivec2(1, 0));
  float south = heightAt(at + ivec2(0, 1)) - heightAt(at - ivec2(0, 1));
  vec3 normal = normalize(vec3(-east, -south, 24.0 / float(max(grid.x, grid.y))));
  float light = dot(normal, normalize(vec3(-0.6, -0.6, 0.9)));
  float shade = clamp(0.35 + 0.65 * light, 0.0, 1.2);
  vec3 low = vec3(0.16, 0.24, 0.34), middle = vec3(0.42, 0.46, 0.36), high = vec3(0.93, 0.91, 0.87);
  vec3 ramp = here < 0.5 ? mix(low, middle, here * 2.0) : mix(middle, high, here * 2.0 - 1.0);
  color = vec4(ramp * shade, opacity);
}
`;

/** Cells out of sight are dark; cells seen before less so. */
export const SIGHT = `${HEAD}
uniform usampler2D numbers;   // 0 unseen, 1 in sight, 2 remembered
uniform vec4 dark;
uniform vec4 remembered;
void main() {
  ivec2 cell = ivec2(floor(place()));
  if (!inside(cell)) discard;
  uint seen = texelFetch(numbers, cell, 0).r;
  if (seen == 1u) discard;
  color = seen == 2u ? remembered : dark;
}
`;
