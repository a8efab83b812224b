/** The messages of the studio. Written by tests/harness/update_page_types.py: do not edit. */

export type Path = (string | number)[];

export type Cell = [number, number];

/**
 * The first message of a tab, with the token and its session's id.
 *
 * `challenge`: a random number, from a tab that has a key of an earlier run of the studio.
 */
export interface Hello {
  token: string;
  session: string | null;
  challenge?: string;
}

/**
 * Answer `ProofEvent`: prove that this tab has the studio's key.
 *
 * `proof`: an authentication code, made with the key, of the random numbers of tab and studio.
 */
export interface TokenProof {
  proof: string;
}

/**
 * Set the value at the path `set`.
 */
export interface SetChange {
  set: Path;
  value: unknown;
}

/**
 * Set the value at the path `set` to the value of the YAML text `yaml`.
 */
export interface YamlChange {
  set: Path;
  yaml: string;
}

/**
 * Add `value` at the path `insert`; `place` is its index among siblings.
 */
export interface InsertChange {
  insert: Path;
  value: unknown;
  place?: number;
}

/**
 * Remove the entry at the path `remove`.
 */
export interface RemoveChange {
  remove: Path;
}

/**
 * Replace the key of the entry at the path `rename` by `key`.
 */
export interface RenameChange {
  rename: Path;
  key: string;
}

/**
 * Move the entry at the path `move` to the index `place`, among siblings.
 */
export interface MoveChange {
  move: Path;
  place: number;
}

export type Change = SetChange | YamlChange | InsertChange | RemoveChange | RenameChange | MoveChange;

/**
 * Open a level, and show its draft; `level` is its id.
 */
export interface OpenRequest {
  do: "open";
  level: string;
}

/**
 * Change the draft; requests with the same `merge` are one undo step.
 *
 * `number`: a number by which the page recognises the draft after the change.
 */
export interface ChangeRequest {
  do: "change";
  changes: Change[];
  merge?: string;
  number?: number;
}

/**
 * Replace the draft's text by one that a person typed.
 *
 * `revision`: the number of the draft in which it was typed. If that is not the newest, the
 * request has no effect: the page gets the newest draft, and sends the text again. Requests with
 * the same `merge` are one undo step.
 */
export interface TextRequest {
  do: "text";
  text: string;
  revision?: number;
  merge?: string;
  number?: number;
}

/**
 * Undo or redo a step, or return to the saved files (`revert`).
 */
export interface UndoRequest {
  do: "undo" | "redo" | "revert";
}

/**
 * Write the draft into its files.
 *
 * An autosave has the `revision` of the draft that the page saw. It writes nothing if the draft
 * has changed since, or if the draft's last step came from a followed link.
 */
export interface SaveRequest {
  do: "save";
  revision?: number;
}

/**
 * Save the draft, and export the level for the project's targets.
 */
export interface ExportRequest {
  do: "export";
  number?: number;
}

/**
 * Decide what to do after the level's file has changed or was deleted.
 *
 * `how`: load the file (`theirs`), or reapply the draft's changes to it (`mine`); after a
 * deletion, write it again (`again`), or close the level (`nothing`).
 */
export interface AdoptRequest {
  do: "adopt";
  how: "theirs" | "mine" | "again" | "nothing";
}

/**
 * Request one of several things that need no further fields.
 */
export interface PlainRequest {
  do: "schema" | "release" | "seeds-stop" | "overlays" | "overview" | "keep" | "link";
}

/**
 * Show a contact sheet: small pictures of many levels of the draft.
 *
 * `sheet`: the page's number of the sheet. `first`: the first of consecutive seeds. `skip`: how
 * many seeds to skip. `where`: the condition over metrics. `vary`: parameters, as for `exporter
 * seeds --vary`. `steps`: how many values each parameter takes in a grid, for the one `seed`.
 * `pack`: show the levels of the exported pack. A number is null if its input is unreadable.
 */
export interface SeedsRequest {
  do: "seeds";
  sheet: number;
  count?: number | null;
  first?: number | null;
  skip?: number;
  where?: string;
  vary?: string[];
  steps?: (number | null)[];
  pack?: boolean;
  seed?: number | string | null;
}

/**
 * Show an overlay, `NAME` or `NAME:ARGUMENT`; null removes it.
 */
export interface OverlayRequest {
  do: "overlay";
  name: string | null;
}

/**
 * Show another window of a world.
 *
 * `place`: the window's upper left cell; `size`: its width and height in cells.
 */
export interface AreaRequest {
  do: "area";
  place: Cell;
  size: Cell;
}

/**
 * Show the steps in which a layer is generated, or hide them.
 *
 * `layer`: the layer's name; empty for the first layer with several steps, null to hide the steps.
 */
export interface StepsRequest {
  do: "steps";
  layer: string | null;
}

/**
 * Show the 3D model, or the list of pieces to place; hide it if not `on`.
 */
export interface ToggleRequest {
  do: "model" | "pieces";
  on: boolean;
}

/**
 * Compare the draft with the saved files.
 */
export interface WithSaved {
  saved: true;
}

/**
 * Compare the draft with the files in a commit of Git.
 */
export interface WithRevision {
  revision: string;
}

/**
 * Compare the draft with the same draft under another seed.
 */
export interface WithSeed {
  seed: number | string;
}

/**
 * Compare the draft with another saved level, given by its id.
 */
export interface WithLevel {
  level: string;
}

/**
 * Compare the draft with an earlier one, kept by the request `keep`.
 */
export interface WithKept {
  kept: true;
}

export type Compared = WithSaved | WithRevision | WithSeed | WithLevel | WithKept;

/**
 * Compare from now on, until `with` is null.
 */
export interface CompareRequest {
  do: "compare";
  number?: number;
  with: WithSaved | WithRevision | WithSeed | WithLevel | WithKept | null;
}

/**
 * Compare once the files that the draft and the other level export.
 *
 * `stop`: end the running comparison of files instead.
 */
export interface OutputsRequest {
  do: "outputs";
  stop?: boolean;
}

/**
 * Draw cells of a layer.
 *
 * `tile`: the name of a tile, a sample of heights, or null for empty.
 */
export interface DrawRequest {
  do: "draw";
  layer: string;
  cells: Cell[];
  tile: string | number | null;
  number?: number;
  merge?: string;
}

/**
 * Restore cells of a layer as generated: remove their hand edits.
 */
export interface RestoreRequest {
  do: "restore";
  layer: string;
  cells: Cell[];
  number?: number;
  merge?: string;
}

/**
 * Move an object: by its ordinal (from 1) a placed one, by its cell an added.
 */
export interface MoveRequest {
  do: "move";
  name: string;
  ordinal?: number;
  from?: Cell;
  to: Cell;
  number?: number;
  merge?: string;
}

/**
 * Ask whether the mission still works with an object at another cell.
 *
 * `to`: that cell; null cancels the request.
 */
export interface ProveMoveRequest {
  do: "prove_move";
  id: number;
  to: Cell | null;
}

/**
 * Add an object with one of the level's names, at the cell `to`.
 */
export interface AddObjectRequest {
  do: "add_object";
  name: string;
  to: Cell;
  number?: number;
}

/**
 * Remove an object, restore it as it was placed, or keep a placed one at its cell.
 */
export interface ObjectRequest {
  do: "remove_object" | "restore_object" | "pin_object";
  name: string;
  ordinal?: number;
  from?: Cell;
  number?: number;
}

/**
 * Move the hand-drawn cells of a layer into a new layer.
 *
 * The generator of the new layer is `stamp`.
 */
export interface StampRequest {
  do: "stamp";
  layer: string;
}

/**
 * Place a stamp or prefab on a layer, in a new layer that draws it.
 *
 * `name`: the name of the new layer. `art`: a drawing in characters, `glyphs`: the tile of each
 * character, `at`: where the drawing lies.
 */
export interface PlaceStampRequest {
  do: "place_stamp";
  layer: string;
  name: string;
  art: string;
  glyphs: Record<string, unknown>;
  at: unknown;
}

/**
 * Rename a layer everywhere in the spec and in the hand edits.
 *
 * `layer`: the old name, `name`: the new one.
 */
export interface RenameLayerRequest {
  do: "rename_layer";
  layer: string;
  name: string;
}

/**
 * Request the cards of the start page of one kind, with pictures.
 *
 * `of`: levels to open, or presets or generators of layers to start from.
 */
export interface GalleryRequest {
  do: "gallery";
  of: "level" | "preset" | "layer";
}

/**
 * Write the spec of a new level, made from a preset or a picture.
 *
 * An existing file is never replaced. `picture`: the file of a picture, in base64.
 */
export interface CreateRequest {
  do: "create";
  name: string;
  preset: string;
  picture?: string;
}

/**
 * Propose the changes of a link, and leave the draft as it is.
 */
export interface FollowRequest {
  do: "follow";
  level: string;
  pairs: [string, string][];
}

/**
 * Decide about the changes that a link proposes.
 *
 * `how`: apply them, preview them (`look`) or drop them.
 */
export interface DecideRequest {
  do: "decide";
  how: "apply" | "look" | "drop";
}

/**
 * Decide about the text that an agent wrote into the file.
 *
 * `how`: keep it (`keep`), or restore the text before it (`back`).
 */
export interface ProposalRequest {
  do: "proposal";
  how: "keep" | "back";
}

export type EditRequest = ChangeRequest | TextRequest | UndoRequest | SaveRequest | ExportRequest | AdoptRequest | DrawRequest | RestoreRequest | MoveRequest | AddObjectRequest | ObjectRequest | StampRequest | PlaceStampRequest | RenameLayerRequest | ProposalRequest;

export type ReadRequest = OpenRequest | PlainRequest | ToggleRequest | SeedsRequest | OverlayRequest | AreaRequest | StepsRequest | ProveMoveRequest | CompareRequest | OutputsRequest | GalleryRequest | CreateRequest | FollowRequest | DecideRequest;

export type Request = ChangeRequest | TextRequest | UndoRequest | SaveRequest | ExportRequest | AdoptRequest | DrawRequest | RestoreRequest | MoveRequest | AddObjectRequest | ObjectRequest | StampRequest | PlaceStampRequest | RenameLayerRequest | ProposalRequest | OpenRequest | PlainRequest | ToggleRequest | SeedsRequest | OverlayRequest | AreaRequest | StepsRequest | ProveMoveRequest | CompareRequest | OutputsRequest | GalleryRequest | CreateRequest | FollowRequest | DecideRequest;

export type ChangeKind = "added" | "removed" | "changed";

/**
 * A problem of a spec or another file, with its line and its parameter.
 *
 * `path` leads to the parameter at fault, `source` is the text of the line, and `text` the whole
 * problem as the terminal prints it.
 */
export interface ProblemData {
  message: string;
  file: string;
  line: number;
  column: number;
  source: string;
  length: number;
  severity: string;
  path: Path;
  text: string;
}

/**
 * A line of two compared texts; `side` names the text that has the line.
 */
export interface DifferingLine {
  side: "both" | "mine" | "theirs";
  text: string;
}

/**
 * A tile of a layer: the id in the cells, and what it means.
 */
export interface TileData {
  id: number;
  name: string;
  walkable: boolean;
  opaque: boolean;
  color: string;
}

/**
 * The range and the units of a layer of heights.
 */
export interface HeightsData {
  minimum: number;
  maximum: number;
  units: string;
}

/**
 * A room of a layer: its rectangle in cells, and the cell in its middle.
 */
export interface RoomData {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
  center: Cell;
}

/**
 * A connection between two rooms, such as a door, at the cell `x`, `y`.
 *
 * `rooms`: the indexes of the rooms in the layer's list.
 */
export interface ConnectionData {
  rooms: Cell;
  x: number;
  y: number;
  kind: string;
}

/**
 * The certificate of a layer: counts of its cells and regions.
 *
 * `cells_carved`: cells opened to join regions. `floor`: walkable cells. `farthest`: the steps
 * from `start` to the farthest cell. `chokes`: walkable cells whose removal splits a region.
 */
export interface CertificateData {
  regions_before: number;
  regions_after: number;
  cells_carved: number;
  floor: number;
  cells: number;
  farthest: number;
  start: Cell | null;
  dead_ends: number;
  chokes: number;
}

/**
 * The pictures with which a layer is drawn: numbers in the tileset.
 *
 * The numbers count from 1; 0 is no picture. `between`: the pictures lie on the corners of cells.
 */
export interface DrawingData {
  between: boolean;
  numbers: Uint16Array;
}

/**
 * A layer of the level, with the cells and the pictures to draw it.
 *
 * `aligned`: whether each cell of the layer is a cell of the level. `version`: that of the
 * generator. `complete`: whether the generator placed all that the spec requests. `pictures`: how
 * each of the `tiles` looks, as numbers of the tileset from 1, bottom first.
 */
export interface LayerData {
  name: string;
  kind: "tiles" | "heights";
  generator: string;
  version: number;
  role: string;
  aligned: boolean;
  width: number;
  height: number;
  complete: boolean;
  cells: Uint8Array | Uint16Array;
  tiles: TileData[];
  heights: HeightsData | null;
  rooms: RoomData[];
  connections: ConnectionData[];
  certificate: CertificateData | null;
  drawings: DrawingData[];
  pictures: number[][];
}

/**
 * An object of the level; `kind` is the name of its picture.
 *
 * `entry`: the index of the entry of `objects:` that placed it; null if none did.
 */
export interface ObjectData {
  id: number;
  name: string;
  x: number;
  y: number;
  properties: Record<string, unknown>;
  entry: number | null;
  kind: string;
}

/**
 * What the page needs to compute fields of view: rule and opaque cells.
 *
 * `layer`: the layer that the cells belong to. `seeWalls`: whether opaque cells are seen
 * themselves.
 */
export interface SightData {
  layer: string | null;
  rule: "symmetric" | "shadowcast" | "raycast";
  radius: number;
  seeWalls: boolean;
  opaque: Uint8Array;
}

/**
 * The picture of the tileset with all tiles: RGBA, four bytes a pixel.
 */
export interface TilesetPictureData {
  size: number;
  columns: number;
  rows: number;
  margin: number;
  spacing: number;
  pixels: Uint8Array;
}

/**
 * Edited cells whose generated tile has changed since the edit was made.
 *
 * `now`: the tiles or samples that the edits write into these cells.
 */
export interface CellConflictsData {
  layer: string;
  cells: Cell[];
  now: (string | number | null)[];
}

/**
 * An edited object whose generated cell changed since the edit was made.
 *
 * `at`: its generated cell at present. `now`: the cell that the edit moves it to; null if the edit
 * removes it.
 */
export interface ObjectConflictData {
  name: string;
  ordinal: number;
  at: Cell;
  now: Cell | null;
}

/**
 * Hand edits that do not fit the level as it is generated now.
 */
export interface ConflictsData {
  cells: CellConflictsData[];
  objects: ObjectConflictData[];
}

/**
 * The edited cells of a layer, and the generated values there.
 *
 * `places` are the cells' indexes, row by row.
 */
export interface EditedCellsData {
  places: Int32Array;
  generated: Int32Array;
}

/**
 * A generated object that an edit removes, with its generated cell.
 */
export interface RemovedObjectData {
  name: string;
  ordinal: number;
  at: Cell;
}

/**
 * The facts about hand edits that the page needs for drawing.
 *
 * `ordinals`: the number of each generated object among those of its name, from 1, by the object's
 * id. `names`: the objects that can be added. `layers`: how many cells are edited, by layer.
 * `cells`: these cells, by layer. `objects`: how many objects are edited. `conflicts`: the edits
 * that do not fit the level. `fixed`: the moved and pinned objects, by id. `removed`: the objects
 * that edits remove.
 */
export interface EditsData {
  ordinals: Record<string, number>;
  names: string[];
  layers: Record<string, number>;
  cells?: Record<string, EditedCellsData>;
  objects: number;
  conflicts: ConflictsData;
  fixed: Record<string, "moved" | "pinned">;
  removed: RemovedObjectData[];
}

/**
 * A requirement of an entry of `objects:`: its key, and its value as text.
 */
export interface DemandData {
  name: string;
  text: string;
}

/**
 * An entry of `objects:`, with the number of objects that it placed.
 *
 * `asked`: the requested number. `demands`: the entry's requirements.
 */
export interface LegendGroupData {
  placed: number;
  asked: number;
  demands: DemandData[];
}

/**
 * All objects of one name: their colour, and how many there are.
 *
 * `placed`: the number in the level. `asked`: the requested number; 0 if the spec requests none.
 */
export interface LegendEntryData {
  name: string;
  color: string;
  placed: number;
  asked: number;
  groups: LegendGroupData[];
}

/**
 * The window of a world that is shown as the level.
 *
 * `x` and `y`: the window's first cell in the world. `width` and `height`: the size of the world.
 * `complete`: whether the window is all that was requested.
 */
export interface WorldData {
  x: number;
  y: number;
  width: number;
  height: number;
  complete: boolean;
}

/**
 * A lock that blocks a path through the level until it is opened.
 *
 * `cells`: the closed cells. `opened_from`: for `one_way` and `shortcut`, the adjacent cells from
 * which the lock can be entered or opened.
 */
export interface LockData {
  name: string;
  kind: "key" | "small_key" | "one_way" | "shortcut";
  cells: Cell[];
  opened_from: Cell[];
}

/**
 * The mission of a level: a start, a goal, and locks between them.
 *
 * `walkthrough`: the actions of a shortest complete walk, in order. `behind`: for the name of each
 * lock, a mask of the cells that it opens.
 */
export interface MissionData {
  start: string;
  goal: string;
  locks: LockData[];
  walkthrough: string[];
  behind: Record<string, Uint8Array>;
}

/**
 * The level, with all that the page draws and reports about it.
 *
 * `drawn`: the number of the last request that drew cells. `seedResult`: the seed that the spec's
 * search found; `pinned`: whether that of an earlier draft was used. `start`: where walks start;
 * `steps`: how far each cell is from there.
 */
export interface LevelEvent {
  event: "level";
  revision: number;
  level: string;
  drawn: number;
  seedResult: number | string | null;
  pinned: boolean;
  problems: ProblemData[];
  edits: EditsData;
  legend: LegendEntryData[];
  name: string;
  width: number;
  height: number;
  seed: number | string;
  rng: string;
  world?: WorldData;
  layers: LayerData[];
  objects: ObjectData[];
  mission: MissionData | null;
  sprites: Record<string, Uint8Array>;
  sight: SightData | null;
  walkable: Uint8Array;
  start: Cell | null;
  steps: Uint16Array;
  tileset: TilesetPictureData | null;
  warnings: ProblemData[];
  seconds: Record<string, number>;
}

/**
 * A view that cannot be made; `problem` is the reason.
 *
 * The optional fields identify the request.
 */
export interface ViewFailure {
  event: "overlay" | "overview" | "steps" | "model" | "pieces" | "proven_move" | "comparison" | "outputs";
  revision: number;
  level: string;
  drawn: number;
  problem: string;
  name?: string;
  wanted?: string;
  number?: number;
  id?: number;
  to?: Cell;
  label?: string;
}

/**
 * The fields that the events of all views have; `problem` is null.
 *
 * `revision`: the number of the draft. `drawn`: the number of the last request that drew cells in
 * it.
 */
export interface ViewResult {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
}

/**
 * A stamp or prefab that can be placed on a layer.
 *
 * `cells` are ids of the layer's tiles, -1 for none. `stamp`: whether the layer already is this
 * stamp; then it gets another position. Otherwise `art` and `glyphs` draw the piece in a new
 * layer; if `art` is empty, the piece cannot be placed.
 */
export interface PieceData {
  name: string;
  layer: string;
  stamp: boolean;
  width: number;
  height: number;
  cells: Int32Array;
  art: string;
  glyphs: Record<string, unknown>;
}

/**
 * The stamps and prefabs that can be placed.
 */
export interface PiecesEvent {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
  event: "pieces";
  pieces: PieceData[];
}

/**
 * Whether the mission works with an object moved to the cell `to`.
 *
 * `play`: the fewest events that make the goal unreachable; null if it stays reachable.
 */
export interface ProvenMoveEvent {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
  event: "proven_move";
  id: number;
  to: Cell;
  play: string[] | null;
}

/**
 * A class of cells in an overlay: its name, colour and number of cells.
 */
export interface OverlayClassData {
  id: number;
  name: string;
  color: string;
  count: number;
}

/**
 * The range `low` to `high` of the numbers in an overlay, and their unit.
 */
export interface OverlayScaleData {
  low: number;
  high: number;
  unit: string;
}

/**
 * A mark of an overlay: a circle around a cell.
 */
export interface CircleData {
  kind: "circle";
  x: number;
  y: number;
  radius: number;
}

/**
 * A mark of an overlay: a text at a cell.
 */
export interface LabelData {
  kind: "label";
  x: number;
  y: number;
  text: string;
}

/**
 * A mark of an overlay: a line through cells.
 */
export interface OverlayPathData {
  kind: "path";
  cells: Int32Array;
}

/**
 * An overlay: a value for each cell, their colours, and marks.
 *
 * The values are ids of `classes`, or numbers on `scale` plus 256; 0 is no value. `palette` has
 * the colours of the classes by id, then those of the scale from its least number to its greatest.
 */
export interface OverlayEvent {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
  event: "overlay";
  name: string;
  values: Uint8Array | Uint16Array | Int32Array;
  palette: Uint8Array;
  classes: OverlayClassData[];
  scale: OverlayScaleData | null;
  marks: (CircleData | LabelData | OverlayPathData)[];
}

/**
 * The picture of a whole world from samples: RGBA [rows, columns, 4].
 *
 * `step`: the side in cells of the square that a sample represents. `complete`: no finer samples
 * will follow.
 */
export interface OverviewEvent {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
  event: "overview";
  complete: boolean;
  columns: number;
  rows: number;
  step: number;
  pixels: Uint8Array;
}

/**
 * The change of a layer from one step to the next.
 *
 * `values`: the exclusive or of the old and new numbers in the cells with the indexes `cells`; if
 * `cells` is null, in all cells.
 */
export interface StepFrameData {
  label: string;
  cells: Int32Array | null;
  values: Uint8Array | Uint16Array;
}

/**
 * The steps in which a layer is generated.
 *
 * `wanted`: the layer that was requested. `thinned`: some steps have no frame.
 */
export interface StepsEvent {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
  event: "steps";
  wanted: string;
  layer: string;
  width: number;
  height: number;
  tiles: TileData[];
  heights: HeightsData | null;
  thinned: boolean;
  first: Uint8Array | Uint16Array;
  frames: StepFrameData[];
}

/**
 * The 3D model of the level, a binary glTF file.
 */
export interface ModelEvent {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
  event: "model";
  model: Uint8Array;
}

/**
 * A level of a contact sheet, without its picture.
 *
 * `failure`: the broken requirement. `miss`: the distance from the condition. Both are empty if
 * the level passes. `warnings`: requests that could not be fulfilled. `column` and `row`: its
 * position in a grid of parameter values.
 */
export interface SheetLevelData {
  number: number;
  seed: number | string;
  parameters: Record<string, unknown>;
  column: number;
  row: number;
  metrics: Record<string, number>;
  failure: string;
  miss: string;
  drawn: boolean;
  complete: boolean;
  warnings: string[];
}

/**
 * Some levels of a contact sheet, with their pictures.
 *
 * `pictures`: the RGB bytes of all pictures, each `width` by `height` pixels.
 */
export interface SeedLevelsEvent {
  event: "seed-levels";
  sheet: number;
  levels: SheetLevelData[];
  width: number;
  height: number;
  pictures: Uint8Array;
}

/**
 * The picture of a card on the start page: a PNG, or empty for none.
 *
 * `why`: why there is none.
 */
export interface CardEvent {
  event: "card";
  of: "level" | "preset" | "layer";
  name: string;
  picture: Uint8Array;
  why: string;
}

/**
 * A rectangle of cells: its upper left cell (`x`, `y`), and its size.
 */
export interface BoxData {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * A value that differs; `was` or `now` is missing where a level lacks it.
 */
export interface NamedChangeData {
  name: string;
  kind: ChangeKind;
  was?: unknown;
  now?: unknown;
}

/**
 * How many cells had the tile `was`, and have the tile `now`.
 */
export interface TilePairData {
  was: string;
  now: string;
  cells: number;
}

/**
 * How many cells of a layer differ, and which tiles they have.
 *
 * `compared` and `changed` count cells, `share` is changed / compared, and `box` is the smallest
 * rectangle around all changed cells.
 */
export interface CellChangesData {
  compared: number;
  changed: number;
  share: number;
  box: BoxData | null;
  pairs: TilePairData[];
}

/**
 * How many samples of heights are higher or lower now, and by how much.
 */
export interface HeightChangesData {
  units: string;
  raised: number;
  lowered: number;
  largest: number;
  mean: number;
}

/**
 * How many cells became walkable (`opened`), or unwalkable (`closed`).
 */
export interface WalkableChangesData {
  opened: number;
  closed: number;
}

/**
 * The lengths of a list in both levels.
 *
 * `same`: how many entries both lists have.
 */
export interface ListChangeData {
  was: number;
  now: number;
  same: number;
}

/**
 * The differences of a layer that both levels have.
 *
 * A field is null if nothing in it differs, or if it cannot be compared.
 */
export interface LayerChangeData {
  name: string;
  kind: "tiles" | "heights";
  cells: CellChangesData | null;
  heights: HeightChangesData | null;
  walkable: WalkableChangesData | null;
  legend: NamedChangeData[];
  facts: NamedChangeData[];
  masks: Record<string, number>;
  rooms: ListChangeData | null;
  connections: ListChangeData | null;
}

/**
 * The layers that were added, removed or changed.
 *
 * `reordered`: whether the layers that both levels have are in another order.
 */
export interface LayerChangesData {
  added: string[];
  removed: string[];
  reordered: boolean;
  changed: LayerChangeData[];
}

/**
 * An object that exists in only one of the levels, at the cell `at`.
 *
 * `number`: its number among the objects of its name, from 1.
 */
export interface ComparedObjectData {
  name: string;
  number: number;
  id: number;
  at: Cell;
  properties: Record<string, unknown>;
}

/**
 * An object in one of the two levels: its number, id and cell.
 *
 * `number` counts the objects of its name, from 1.
 */
export interface ObjectSideData {
  number: number;
  id: number;
  at: Cell;
}

/**
 * An object of both levels that moved, or has other properties.
 *
 * `steps`: how far it moved, in columns plus rows.
 */
export interface ObjectChangeData {
  name: string;
  was: ObjectSideData;
  now: ObjectSideData;
  moved: boolean;
  steps: number;
  properties: NamedChangeData[];
}

/**
 * The objects that were added, removed or changed.
 *
 * `same` counts objects without any change, `other_ids` objects with another id.
 */
export interface ObjectChangesData {
  same: number;
  other_ids: number;
  added: ComparedObjectData[];
  removed: ComparedObjectData[];
  changed: ObjectChangeData[];
}

/**
 * How the fields of view of the two levels differ.
 *
 * `views`: how many cells see other cells than before; if null, `reason` says why.
 */
export interface SightChangeData {
  kind: ChangeKind;
  rule: NamedChangeData[];
  views: number | null;
  reason: string;
}

/**
 * A table that differs; `added` and `removed` count rows.
 */
export interface TableChangeData {
  name: string;
  kind: ChangeKind;
  columns: NamedChangeData[];
  added: number;
  removed: number;
  reordered: boolean;
}

/**
 * A puzzle that differs; `values`: its values that differ.
 */
export interface PuzzleChangeData {
  name: string;
  kind: ChangeKind;
  values: NamedChangeData[];
}

/**
 * A metric with its value in both levels; null where a level has none.
 */
export interface MetricChangeData {
  was: number | null;
  now: number | null;
  difference: number | null;
  unit: string;
}

/**
 * The name, seed, random stream and size of a compared level.
 */
export interface ComparedLevelData {
  level: string;
  seed: number | string;
  rng: string;
  size: Cell;
}

/**
 * All differences of two levels, as in `exporter diff --json`.
 *
 * `compared`: width and height of the area that both levels have. `tileset`: whether the levels
 * request different pictures of tiles.
 */
export interface DifferenceData {
  equal: boolean;
  was: ComparedLevelData;
  now: ComparedLevelData;
  compared: Cell;
  walkable: WalkableChangesData;
  layers: LayerChangesData;
  objects: ObjectChangesData;
  visibility: SightChangeData | null;
  tables: TableChangeData[];
  puzzles: PuzzleChangeData[];
  properties: NamedChangeData[];
  tileset: boolean;
  metrics: Record<string, MetricChangeData>;
}

/**
 * The fields that the events `comparison` and `outputs` have in common.
 *
 * `number`: the number of the page's request. `label`: the name of the other level.
 */
export interface ComparedResult {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
  number: number;
  label: string;
}

/**
 * The comparison of the draft with another level.
 *
 * `other` is the event that shows the other level. `changed` marks the cells in which any layer
 * differs, `masks` has the differing cells of each layer. `lines` and `editLines` compare the
 * texts of the specs and of the hand edits; each is null if its texts are too long.
 */
export interface ComparisonEvent {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
  number: number;
  label: string;
  event: "comparison";
  exported: boolean;
  other: LevelEvent;
  difference: DifferenceData;
  changed: Uint8Array;
  masks: Record<string, Uint8Array>;
  lines: DifferingLine[] | null;
  editLines: DifferingLine[] | null;
}

/**
 * How many files a level exports, and the sum of their sizes in bytes.
 */
export interface OutputTotalData {
  files: number;
  bytes: number;
}

/**
 * An exported file that differs.
 *
 * `was` and `now` are its sizes in bytes for each level; null if that level does not export it.
 */
export interface OutputChangeData {
  path: string;
  kind: string;
  layer: string | null;
  target: string;
  change: ChangeKind;
  was: number | null;
  now: number | null;
}

/**
 * How the files that two levels export differ.
 *
 * `kinds`: how many files of each kind differ. `layers`: the layers of which a file differs.
 */
export interface OutputsData {
  was: OutputTotalData;
  now: OutputTotalData;
  same: number;
  kinds: Record<string, number>;
  layers: string[];
  changed: OutputChangeData[];
}

/**
 * The comparison of the files that both levels export.
 *
 * `targets`: the number of the project's targets.
 */
export interface OutputsEvent {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
  number: number;
  label: string;
  event: "outputs";
  targets: number;
  outputs: OutputsData;
}

/**
 * Greet a tab; `open` is the id of the level that it had open, or null.
 *
 * `token`: the token of this run. `key`: a secret by which a later run of the studio recognises
 * the tab; the tab proves that it has the key, but never sends it.
 */
export interface WelcomeEvent {
  event: "welcome";
  session: string;
  title: string;
  open: string | null;
  token: string;
  key: string;
}

/**
 * Prove to a tab of an earlier run that this is the same user's studio.
 *
 * `number` is the studio's random number. `proof` is an authentication code of this number and of
 * the tab's, made with the key that the tab has.
 */
export interface ProofEvent {
  event: "proof";
  number: string;
  proof: string;
}

/**
 * A level that can be opened, with its id and name.
 *
 * `changed`: its draft is unsaved. `gone`: its file was deleted.
 */
export interface ListedLevelData {
  id: string;
  name: string;
  changed: boolean;
  gone: boolean;
}

/**
 * The levels that can be opened; `open` is the id of the open one.
 */
export interface LevelsEvent {
  event: "levels";
  levels: ListedLevelData[];
  open: string | null;
}

/**
 * The text and state of the open level's draft.
 *
 * `revision`: the number of this state. `number`: the number of the request that changed the draft
 * last. `edits` counts hand edits, `undo` and `redo` steps. `linked`: the last change came from a
 * link, with no edit or save since. `looking`: the draft is only a preview of a link.
 */
export interface DraftEvent {
  event: "draft";
  revision: number;
  number: number;
  level: string;
  file: string;
  text: string;
  data: unknown;
  changed: boolean;
  linked: boolean;
  looking: boolean;
  edits: number;
  undo: number;
  redo: number;
}

/**
 * The problems of the draft that has the number `revision`.
 *
 * If the level could be built, the event that shows it was sent before.
 */
export interface ProblemsEvent {
  event: "problems";
  revision: number;
  problems: ProblemData[];
}

/**
 * The open level's file was changed elsewhere, or deleted (`gone`).
 *
 * `lines`: the lines in which the draft (`mine`) and the file (`theirs`) differ.
 */
export interface ConflictEvent {
  event: "conflict";
  lines: DifferingLine[];
  gone: boolean;
}

/**
 * A text that an agent wrote into the open level's file.
 *
 * `lines` compare the agent's text (`mine`) with the text before (`theirs`); without lines there
 * is no proposal. `values`: how many values differ; 0 if a text is unreadable.
 */
export interface ProposalEvent {
  event: "proposal";
  values: number;
  lines: DifferingLine[];
}

/**
 * The draft of the level `name` was saved.
 *
 * `changed`: whether a file was written.
 */
export interface SavedEvent {
  event: "saved";
  name: string;
  changed: boolean;
}

/**
 * A request was refused, or something else failed; `text` is the reason.
 *
 * `do` and `number` are copied from the request; null if it has none, or there is no request.
 */
export interface RefusedEvent {
  event: "refused";
  text: string;
  problems: ProblemData[];
  do: string | null;
  number: number | null;
}

/**
 * The JSON Schema of specs, from which the page makes its controls.
 */
export interface SchemaEvent {
  event: "schema";
  schema: Record<string, unknown>;
}

/**
 * The stage of a running export.
 *
 * `chunks`: for a world, how many chunks are finished, and how many there are; zeros for a level.
 */
export interface ExportingEvent {
  event: "exporting";
  level: string;
  stage: string;
  chunks: Cell;
}

/**
 * An export has ended; `report` is that of `exporter export --json`.
 *
 * `report` is null if the export failed before there was a report. `number`: the number of the
 * page's request.
 */
export interface ExportReportEvent {
  event: "export-report";
  level: string;
  number: number;
  report: Record<string, unknown> | null;
  problems: ProblemData[];
}

/**
 * The state of the open level's last export.
 *
 * `state`: `never` exported, `built`, `failed` (`error` is the reason), `unknown`, or empty if the
 * level is in no project. `stale`: the level's files have changed since. `seconds`: time since the
 * export. `step`: how many steps of the draft's history the exported files contain; null if
 * unknown. `pack`: a text that changes with the exported pack; "" without one. `kept`: how many
 * user-modified outputs were not overwritten.
 */
export interface ExportedEvent {
  event: "exported";
  level: string;
  state: "" | "never" | "built" | "failed" | "unknown";
  stale: boolean;
  error: string;
  complete: boolean;
  kept: number;
  seconds: number;
  step: number | null;
  pack: string;
}

/**
 * A card of the start page: a level, a preset or a generator.
 *
 * `name`: the level's id, or the name of the preset or generator. `summary`: a sentence, or the
 * level's file. `changed`: when the file changed, in seconds since 1970.
 */
export interface CardData {
  name: string;
  summary: string;
  group: string;
  changed: number;
}

/**
 * The cards of one kind on the start page.
 *
 * Their pictures follow as `card` events.
 */
export interface GalleryEvent {
  event: "gallery";
  of: "level" | "preset" | "layer";
  cards: CardData[];
}

/**
 * A level was created.
 *
 * `level` is its id; null if no pattern of the project matches the file.
 */
export interface CreatedEvent {
  event: "created";
  level: string | null;
  name: string;
}

/**
 * The changes of the draft, to make a link of.
 *
 * `pairs`: the path and new value of each change. `edits`: whether there are unsaved hand edits,
 * which a link cannot contain.
 */
export interface LinkEvent {
  event: "link";
  level: string;
  pairs: [string, string][];
  edits: boolean;
}

/**
 * A path that a link changes, with its new value or why it is refused.
 *
 * Both texts may be shortened.
 */
export interface LinkedValueData {
  path: string;
  text: string;
}

export type FollowedState = "unchanged" | "offered" | "looking" | "applied";

/**
 * The changes that a followed link makes in the draft, or would make.
 *
 * `changed` and `refused`: the changes that are possible, and the others. `state`: whether no
 * change is possible (`unchanged`), or the changes are offered, previewed (`looking`) or applied.
 * `undo`: how many steps can be undone after the changes.
 */
export interface FollowedEvent {
  event: "followed";
  state: FollowedState;
  level: string;
  revision: number;
  undo: number;
  changed: LinkedValueData[];
  refused: LinkedValueData[];
}

/**
 * An overlay that can be shown.
 *
 * `argument` is the kind of its argument; "" if it takes none.
 */
export interface ListedOverlayData {
  name: string;
  summary: string;
  argument: string;
}

/**
 * All overlays that can be shown on levels.
 */
export interface OverlaysEvent {
  event: "overlays";
  overlays: ListedOverlayData[];
}

/**
 * The draft was kept for comparisons; `label` names it.
 */
export interface KeptEvent {
  event: "kept";
  label: string;
}

/**
 * The start of a contact sheet: the levels follow in `seed-levels`.
 *
 * `count`: the number of levels. `metrics`: the measured metrics; `asked`: those that the
 * condition names. `parameters`: the paths of the varied parameters. `values`: in a grid of
 * parameter values, the values of each parameter; else empty. `pack`: a text that changes with the
 * pack whose levels the sheet shows; "" for other sheets.
 */
export interface SeedsEvent {
  event: "seeds";
  sheet: number;
  count: number;
  metrics: string[];
  asked: string[];
  parameters: string[];
  values: unknown[][];
  pack: string;
}

/**
 * The end of a contact sheet: all its levels were sent.
 *
 * Of its `count` levels, `matched` meet the condition and `failed` could not be built.
 */
export interface SeedsDoneEvent {
  event: "seeds-done";
  sheet: number;
  count: number;
  matched: number;
  failed: number;
  seconds: number;
}

/**
 * A contact sheet is refused; `field` is the input that is at fault.
 *
 * `start` and `length` mark the faulty part of that input's text; `start` is null for all of it.
 */
export interface SeedsRefusedEvent {
  event: "seeds-refused";
  sheet: number;
  field: string;
  text: string;
  start: number | null;
  length: number;
}

export type TextEvent = WelcomeEvent | ProofEvent | LevelsEvent | DraftEvent | ProblemsEvent | ConflictEvent | ProposalEvent | SavedEvent | RefusedEvent | SchemaEvent | ExportingEvent | ExportReportEvent | ExportedEvent | GalleryEvent | CreatedEvent | LinkEvent | FollowedEvent | OverlaysEvent | KeptEvent | SeedsEvent | SeedsDoneEvent | SeedsRefusedEvent;

export type BinaryEvent = LevelEvent | CardEvent | OverlayEvent | OverviewEvent | StepsEvent | PiecesEvent | ProvenMoveEvent | ModelEvent | ComparisonEvent | OutputsEvent | ViewFailure | SeedLevelsEvent;

export type Event = WelcomeEvent | ProofEvent | LevelsEvent | DraftEvent | ProblemsEvent | ConflictEvent | ProposalEvent | SavedEvent | RefusedEvent | SchemaEvent | ExportingEvent | ExportReportEvent | ExportedEvent | GalleryEvent | CreatedEvent | LinkEvent | FollowedEvent | OverlaysEvent | KeptEvent | SeedsEvent | SeedsDoneEvent | SeedsRefusedEvent | LevelEvent | CardEvent | OverlayEvent | OverviewEvent | StepsEvent | PiecesEvent | ProvenMoveEvent | ModelEvent | ComparisonEvent | OutputsEvent | ViewFailure | SeedLevelsEvent;

/** Events by their names. */
export interface Events {
  "welcome": WelcomeEvent;
  "proof": ProofEvent;
  "levels": LevelsEvent;
  "draft": DraftEvent;
  "problems": ProblemsEvent;
  "conflict": ConflictEvent;
  "proposal": ProposalEvent;
  "saved": SavedEvent;
  "refused": RefusedEvent;
  "schema": SchemaEvent;
  "exporting": ExportingEvent;
  "export-report": ExportReportEvent;
  "exported": ExportedEvent;
  "gallery": GalleryEvent;
  "created": CreatedEvent;
  "link": LinkEvent;
  "followed": FollowedEvent;
  "overlays": OverlaysEvent;
  "kept": KeptEvent;
  "seeds": SeedsEvent;
  "seeds-done": SeedsDoneEvent;
  "seeds-refused": SeedsRefusedEvent;
  "level": LevelEvent;
  "card": CardEvent;
  "overlay": OverlayEvent | ViewFailure;
  "overview": OverviewEvent | ViewFailure;
  "steps": StepsEvent | ViewFailure;
  "pieces": PiecesEvent | ViewFailure;
  "proven_move": ProvenMoveEvent | ViewFailure;
  "model": ModelEvent | ViewFailure;
  "comparison": ComparisonEvent | ViewFailure;
  "outputs": OutputsEvent | ViewFailure;
  "seed-levels": SeedLevelsEvent;
}

/** The handlers of events, by their names. */
export type Handlers = { [Name in keyof Events]?: (event: Events[Name]) => void };
