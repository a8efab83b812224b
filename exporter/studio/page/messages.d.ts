/** The messages of the studio. Written by tests/harness/update_page_types.py: do not edit. */

export type Path = (string | number)[];

export type Cell = [number, number];

/**
 * The first message of a tab: who it is.
 *
 * `challenge` is of a tab that an earlier run has given a key; see `handshake`.
 */
export interface Hello {
  token: string;
  session: string | null;
  challenge?: string;
}

/**
 * The tab's proof that it has the key, sent after the studio's proof.
 */
export interface TokenProof {
  proof: string;
}

/**
 * Set a value.
 */
export interface SetChange {
  set: Path;
  value: unknown;
}

/**
 * Set a value written in YAML.
 */
export interface YamlChange {
  set: Path;
  yaml: string;
}

/**
 * Add an entry at an index.
 */
export interface InsertChange {
  insert: Path;
  value: unknown;
  place?: number;
}

/**
 * Remove an entry.
 */
export interface RemoveChange {
  remove: Path;
}

/**
 * Rename an entry's key.
 */
export interface RenameChange {
  rename: Path;
  key: string;
}

/**
 * Move an entry among the others.
 */
export interface MoveChange {
  move: Path;
  place: number;
}

export type Change = SetChange | YamlChange | InsertChange | RemoveChange | RenameChange | MoveChange;

/**
 * Show a level, by its id.
 */
export interface OpenRequest {
  do: "open";
  level: string;
}

/**
 * Change the draft; `merge` names changes that are one step for undo.
 */
export interface ChangeRequest {
  do: "change";
  changes: Change[];
  merge?: string;
  number?: number;
}

/**
 * Replace the draft's text, as a person types it.
 *
 * With the revision of the draft it was typed on it has no effect on a newer draft, which the page
 * gets and types the text on again. `merge` as in a change.
 */
export interface TextRequest {
  do: "text";
  text: string;
  revision?: number;
  merge?: string;
  number?: number;
}

/**
 * Take back or make again the last step, or go back to the saved files.
 */
export interface UndoRequest {
  do: "undo" | "redo" | "revert";
}

/**
 * Write the draft into its files.
 *
 * With a revision (Autosave) only if the draft is still that one, and its last change is a
 * person's.
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
 * Decide after a file has changed: load it, or reapply the draft's edits.
 *
 * After it was deleted: write it again, or close it.
 */
export interface AdoptRequest {
  do: "adopt";
  how: "theirs" | "mine" | "again" | "nothing";
}

/**
 * Make a request that has no further fields.
 */
export interface PlainRequest {
  do: "schema" | "release" | "seeds-stop" | "overlays" | "overview" | "keep" | "link";
}

/**
 * Show a contact sheet; null is an unreadable number.
 *
 * See `seed_tasks`. `pack`: of the levels of the exported pack.
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
 * Show another part of a world: its first cell, and its width and height.
 */
export interface AreaRequest {
  do: "area";
  place: Cell;
  size: Cell;
}

/**
 * Show a layer's steps; null hides them.
 *
 * "" selects the first layer with several steps.
 */
export interface StepsRequest {
  do: "steps";
  layer: string | null;
}

/**
 * Show the level in three dimensions or the pieces to place, or no more.
 */
export interface ToggleRequest {
  do: "model" | "pieces";
  on: boolean;
}

/**
 * Compare with the saved files.
 */
export interface WithSaved {
  saved: true;
}

/**
 * Compare with the files in a commit of Git.
 */
export interface WithRevision {
  revision: string;
}

/**
 * Compare with the draft with another seed.
 */
export interface WithSeed {
  seed: number | string;
}

/**
 * Compare with another saved level.
 */
export interface WithLevel {
  level: string;
}

/**
 * Compare with what `keep` has kept.
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
 * Compare the exported files once, or stop comparing.
 */
export interface OutputsRequest {
  do: "outputs";
  stop?: boolean;
}

/**
 * Draw cells: the name of a tile, a sample of heights, or null for empty.
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
 * Restore cells as the generator made them.
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
 * Ask if the mission holds with an object elsewhere; null ends asking.
 */
export interface ProveMoveRequest {
  do: "prove_move";
  id: number;
  to: Cell | null;
}

/**
 * Add an object of a name that the level has.
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
 * Turn the drawn cells of a layer into a layer `stamp`.
 */
export interface StampRequest {
  do: "stamp";
  layer: string;
}

/**
 * Put a piece on a layer, as a layer `stamp` with one place.
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
 * Rename a layer everywhere in the spec, and in the hand edits.
 */
export interface RenameLayerRequest {
  do: "rename_layer";
  layer: string;
  name: string;
}

/**
 * Request the levels, or the starts of levels or layers, with pictures.
 */
export interface GalleryRequest {
  do: "gallery";
  of: "level" | "preset" | "layer";
}

/**
 * Write a new spec, of a preset or a picture, but never over a file.
 *
 * A picture is in base64.
 */
export interface CreateRequest {
  do: "create";
  name: string;
  preset: string;
  picture?: string;
}

/**
 * Propose the changes of a link without changing the draft.
 */
export interface FollowRequest {
  do: "follow";
  level: string;
  pairs: [string, string][];
}

/**
 * Apply the proposed changes, only look at them, or drop them.
 */
export interface DecideRequest {
  do: "decide";
  how: "apply" | "look" | "drop";
}

/**
 * Keep what an agent wrote into the file, or write the text before.
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
 * A problem as the terminal prints it, and the `path` of its parameter.
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
 * A line of two texts: in both, or only in one.
 */
export interface DifferingLine {
  side: "both" | "mine" | "theirs";
  text: string;
}

/**
 * A tile of a layer's legend.
 */
export interface TileData {
  id: number;
  name: string;
  walkable: boolean;
  opaque: boolean;
  color: string;
}

/**
 * The range and units of the samples of heights.
 */
export interface HeightsData {
  minimum: number;
  maximum: number;
  units: string;
}

/**
 * A room of a layer.
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
 * A connection of two rooms.
 */
export interface ConnectionData {
  rooms: Cell;
  x: number;
  y: number;
  kind: string;
}

/**
 * Counts of a layer's cells.
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
 * The numbers of a layer's pictures in the tileset, from 1; 0 for none.
 */
export interface DrawingData {
  between: boolean;
  numbers: Uint16Array;
}

/**
 * A layer of the level.
 *
 * `pictures`: how each of the `tiles` looks, as numbers of the tileset from 1, bottom first.
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
 * An object of the level; `kind` names its picture.
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
 * The data from which the page computes fields of view.
 */
export interface SightData {
  layer: string | null;
  rule: "symmetric" | "shadowcast" | "raycast";
  radius: number;
  seeWalls: boolean;
  opaque: Uint8Array;
}

/**
 * The picture of all tiles, four bytes a pixel.
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
 * Edited cells of a layer whose generated tiles have changed.
 */
export interface CellConflictsData {
  layer: string;
  cells: Cell[];
  now: (string | number | null)[];
}

/**
 * An edited object that the generator now places elsewhere, at `at`.
 *
 * `now`: where the edit moves it, unless the edit removes it.
 */
export interface ObjectConflictData {
  name: string;
  ordinal: number;
  at: Cell;
  now: Cell | null;
}

/**
 * The hand edits that conflict with the level as generated now.
 */
export interface ConflictsData {
  cells: CellConflictsData[];
  objects: ObjectConflictData[];
}

/**
 * A layer's edited cells (indexes row by row) and their generated tiles.
 */
export interface EditedCellsData {
  places: Int32Array;
  generated: Int32Array;
}

/**
 * A placed object that is removed by hand.
 */
export interface RemovedObjectData {
  name: string;
  ordinal: number;
  at: Cell;
}

/**
 * The facts about hand edits that drawing needs.
 *
 * `ordinals`: each placed object's number among its name, by id. `names`: objects that can be
 * added. `layers`: how many cells of each layer are edited; `cells`: which ones. `objects`: how
 * many objects are edited; `fixed`: which a person placed or pinned; `removed`: which a person
 * removed.
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
 * A requirement of an entry of `objects:`, as written.
 */
export interface DemandData {
  name: string;
  text: string;
}

/**
 * An entry of `objects:`, with numbers of placed and requested objects.
 */
export interface LegendGroupData {
  placed: number;
  asked: number;
  demands: DemandData[];
}

/**
 * A name of objects: colour, numbers placed and requested (0: none).
 */
export interface LegendEntryData {
  name: string;
  color: string;
  placed: number;
  asked: number;
  groups: LegendGroupData[];
}

/**
 * The world that the shown level is a window of.
 *
 * `x`, `y`: the window's first cell. `complete`: whether the window has the whole requested area.
 */
export interface WorldData {
  x: number;
  y: number;
  width: number;
  height: number;
  complete: boolean;
}

/**
 * A lock of a mission, see `exporter.model.mission.Lock`.
 */
export interface LockData {
  name: string;
  kind: "key" | "small_key" | "one_way" | "shortcut";
  cells: Cell[];
  opened_from: Cell[];
}

/**
 * A mission; `behind` marks the cells that each lock's name opens.
 */
export interface MissionData {
  start: string;
  goal: string;
  locks: LockData[];
  walkthrough: string[];
  behind: Record<string, Uint8Array>;
}

/**
 * The level, with everything that the page draws and reports.
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
 * A view that cannot be made, and why.
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
 * The fields of the events of all views; their drafts have no problem.
 */
export interface ViewResult {
  revision: number;
  level: string;
  drawn: number;
  problem: null;
}

/**
 * A stamp or a prefab; cells are ids of its layer's tiles, -1 for none.
 *
 * `stamp`: the layer already is this stamp, and gets another position. Otherwise `art` and
 * `glyphs` draw the piece in a new layer; without `art` it cannot be placed.
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
 * Whether the mission holds with an object (by id) at another cell.
 *
 * `play`: the fewest events that make the goal unreachable; null if none do.
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
 * A kind of cells in an overlay, with its colour.
 */
export interface OverlayClassData {
  id: number;
  name: string;
  color: string;
  count: number;
}

/**
 * The range of an overlay's numbers.
 */
export interface OverlayScaleData {
  low: number;
  high: number;
  unit: string;
}

/**
 * A circle around a cell.
 */
export interface CircleData {
  kind: "circle";
  x: number;
  y: number;
  radius: number;
}

/**
 * A text at a cell.
 */
export interface LabelData {
  kind: "label";
  x: number;
  y: number;
  text: string;
}

/**
 * A line through cells.
 */
export interface OverlayPathData {
  kind: "path";
  cells: Int32Array;
}

/**
 * An overlay: values of cells, their colours, and marks.
 *
 * See `exporter.measures`.
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
 * The overview of a world: RGBA samples [rows, columns, 4].
 *
 * `step`: the side of a sample in cells. `complete`: no finer samples will follow.
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
 * The change from one step to the next; see `stepped`.
 */
export interface StepFrameData {
  label: string;
  cells: Int32Array | null;
  values: Uint8Array | Uint16Array;
}

/**
 * The steps of a layer; `thinned`: some steps have no frame.
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
 * The level as a binary glTF file.
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
 * A level of a contact sheet.
 *
 * `failure`: the broken requirement. `miss`: the distance from the condition. Both are empty if
 * the level passes. `warnings`: requests that could not be fulfilled.
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
 * Levels of a contact sheet, and their pictures, three bytes a pixel.
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
 * The picture of a card, a PNG; empty if there is none.
 */
export interface CardEvent {
  event: "card";
  of: "level" | "preset" | "layer";
  name: string;
  picture: Uint8Array;
}

/**
 * A rectangle of cells.
 */
export interface BoxData {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * A value that differs; an added one has no `was`, a removed one no `now`.
 */
export interface NamedChangeData {
  name: string;
  kind: ChangeKind;
  was?: unknown;
  now?: unknown;
}

/**
 * How many cells changed from one tile to another.
 */
export interface TilePairData {
  was: string;
  now: string;
  cells: number;
}

/**
 * Cells that differ.
 */
export interface CellChangesData {
  compared: number;
  changed: number;
  share: number;
  box: BoxData | null;
  pairs: TilePairData[];
}

/**
 * Heights that differ.
 */
export interface HeightChangesData {
  units: string;
  raised: number;
  lowered: number;
  largest: number;
  mean: number;
}

/**
 * Numbers of cells that became walkable, or no longer are.
 */
export interface WalkableChangesData {
  opened: number;
  closed: number;
}

/**
 * How many entries a list had, has now, and has kept.
 */
export interface ListChangeData {
  was: number;
  now: number;
  same: number;
}

/**
 * A layer that differs.
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
 * The layers that differ.
 */
export interface LayerChangesData {
  added: string[];
  removed: string[];
  reordered: boolean;
  changed: LayerChangeData[];
}

/**
 * An object that exists only in one level.
 */
export interface ComparedObjectData {
  name: string;
  number: number;
  id: number;
  at: Cell;
  properties: Record<string, unknown>;
}

/**
 * An object as one of the levels has it.
 */
export interface ObjectSideData {
  number: number;
  id: number;
  at: Cell;
}

/**
 * An object of both levels that differs.
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
 * The objects that differ.
 */
export interface ObjectChangesData {
  same: number;
  other_ids: number;
  added: ComparedObjectData[];
  removed: ComparedObjectData[];
  changed: ObjectChangeData[];
}

/**
 * How the field of view differs.
 */
export interface SightChangeData {
  kind: ChangeKind;
  rule: NamedChangeData[];
  views: number | null;
  reason: string;
}

/**
 * A table that differs, with numbers of rows.
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
 * A puzzle that differs.
 */
export interface PuzzleChangeData {
  name: string;
  kind: ChangeKind;
  values: NamedChangeData[];
}

/**
 * A metric of both levels; null if it cannot be measured.
 */
export interface MetricChangeData {
  was: number | null;
  now: number | null;
  difference: number | null;
  unit: string;
}

/**
 * One of two compared levels.
 */
export interface ComparedLevelData {
  level: string;
  seed: number | string;
  rng: string;
  size: Cell;
}

/**
 * All differences of two levels, as in `exporter diff --json`.
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
 * The fields of both events of a comparison.
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
 * A comparison of the draft with another level, which comes first.
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
 * A number of files, and their bytes.
 */
export interface OutputTotalData {
  files: number;
  bytes: number;
}

/**
 * An exported file that differs, and its bytes in both levels.
 *
 * The bytes are null if a level lacks the file.
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
 * How the exported files of two levels differ.
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
 * Differences between the exported files of the compared levels.
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
 * Greet a tab; `open` is the level it had open.
 *
 * `token` is the token of this run. A later run recognises the tab by `key`; see `handshake`.
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
 * Prove to a tab of an earlier run that this is its studio.
 */
export interface ProofEvent {
  event: "proof";
  number: string;
  proof: string;
}

/**
 * A level that can be opened; its draft may be unsaved, or file deleted.
 */
export interface ListedLevelData {
  id: string;
  name: string;
  changed: boolean;
  gone: boolean;
}

/**
 * The levels that can be opened.
 */
export interface LevelsEvent {
  event: "levels";
  levels: ListedLevelData[];
  open: string | null;
}

/**
 * The present draft.
 *
 * `number` is the number of the last change. `linked`: the last change came from a link, with no
 * edit or save since. `looking`: the draft is only a preview of a link.
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
 * The problems of a draft's revision; its level, if any, was sent before.
 */
export interface ProblemsEvent {
  event: "problems";
  revision: number;
  problems: ProblemData[];
}

/**
 * The file was deleted, or differs from the text the draft is based on.
 */
export interface ConflictEvent {
  event: "conflict";
  lines: DifferingLine[];
  gone: boolean;
}

/**
 * A text that an agent wrote into the open level's file.
 *
 * `mine` is the agent's text, `theirs` the text before.
 *
 * Without lines there is no proposal. `values`: how many values differ; 0 if a text is unreadable.
 */
export interface ProposalEvent {
  event: "proposal";
  values: number;
  lines: DifferingLine[];
}

/**
 * The draft was saved; `changed` is whether a file was written.
 */
export interface SavedEvent {
  event: "saved";
  name: string;
  changed: boolean;
}

/**
 * A request was refused; null if the cause was no request.
 */
export interface RefusedEvent {
  event: "refused";
  text: string;
  problems: ProblemData[];
  do: string | null;
  number: number | null;
}

/**
 * The JSON Schema of specs.
 */
export interface SchemaEvent {
  event: "schema";
  schema: Record<string, unknown>;
}

/**
 * The stage of a running export; for a world also its finished parts.
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
 * `report` is null if there is none.
 */
export interface ExportReportEvent {
  event: "export-report";
  level: string;
  number: number;
  report: Record<string, unknown> | null;
  problems: ProblemData[];
}

/**
 * The state of the open level's last export; see `exported`.
 *
 * `seconds`: time since the files were made. `step`: how many steps of the draft's history the
 * exported files contain; null if unknown. `pack` changes with the file of its pack.
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
 * A level, by its id, or a preset or generator to start from.
 *
 * `summary`: a sentence, or the level's file. `changed`: when the file changed, in seconds since
 * 1970.
 */
export interface CardData {
  name: string;
  summary: string;
  group: string;
  changed: number;
}

/**
 * All levels, presets, or generators of layers; their pictures follow.
 */
export interface GalleryEvent {
  event: "gallery";
  of: "level" | "preset" | "layer";
  cards: CardData[];
}

/**
 * A level was created; null if the project does not find it.
 */
export interface CreatedEvent {
  event: "created";
  level: string | null;
  name: string;
}

/**
 * The draft's changes as pairs of path and value, and unsaved hand edits.
 */
export interface LinkEvent {
  event: "link";
  level: string;
  pairs: [string, string][];
  edits: boolean;
}

/**
 * A path that a link changes, with the value, or why it is refused.
 *
 * Both texts may be shortened.
 */
export interface LinkedValueData {
  path: string;
  text: string;
}

export type FollowedState = "unchanged" | "offered" | "looking" | "applied";

/**
 * The changes that a link makes or would make, and refused ones.
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
 * An overlay: its meaning, and the kind of its argument.
 */
export interface ListedOverlayData {
  name: string;
  summary: string;
  argument: string;
}

/**
 * All overlays that can be shown.
 */
export interface OverlaysEvent {
  event: "overlays";
  overlays: ListedOverlayData[];
}

/**
 * The draft was kept for later comparisons.
 */
export interface KeptEvent {
  event: "kept";
  label: string;
}

/**
 * The start of a contact sheet: number of levels, metrics, sweep values.
 *
 * `pack`: the state of the pack whose levels it shows, as in `exported`; else empty.
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
 * The end of a contact sheet: all levels were sent.
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
 * Why a contact sheet is impossible, and the field at fault.
 *
 * `start` and `length` mark the text within the field.
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
