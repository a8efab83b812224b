@tool
extends RefCounted
## The TileSet a level is shown with, and where in it each tile of each layer is.
##
## That is the TileSet exported beside the level, or one the user chose, whose tiles say by their
## custom data `id` and `name` which tiles of the level they are; or, without one, plain squares in
## the colours of the level's legend.

const Blob := preload("level_blob.gd")

const _IDS := 65536
const _COLUMNS := 16
# Sides and corners around a tile, clockwise from above.
const _NEIGHBORS: Array[TileSet.CellNeighbor] = [
	TileSet.CELL_NEIGHBOR_TOP_SIDE,
	TileSet.CELL_NEIGHBOR_TOP_RIGHT_CORNER,
	TileSet.CELL_NEIGHBOR_RIGHT_SIDE,
	TileSet.CELL_NEIGHBOR_BOTTOM_RIGHT_CORNER,
	TileSet.CELL_NEIGHBOR_BOTTOM_SIDE,
	TileSet.CELL_NEIGHBOR_BOTTOM_LEFT_CORNER,
	TileSet.CELL_NEIGHBOR_LEFT_SIDE,
	TileSet.CELL_NEIGHBOR_TOP_LEFT_CORNER,
]
const _CUSTOM_DATA := {
	"name": TYPE_STRING, "id": TYPE_INT, "walkable": TYPE_BOOL, "opaque": TYPE_BOOL
}

var tile_set: TileSet
var tile_size := 16

# By "id name": 16 bits each of source, column and row, the lowest first, as a TileMapLayer stores
# them.
var _places := {}
# By the same keys: the terrain of a tile, and its pictures by which neighbours are of it, a bit
# each in the order above.
var _terrains := {}
var _joined := {}
# The tiles of the legends but empty ones, by the same keys.
var _legend := {}


## Finds or makes the TileSet for a level read from [param path].
func prepare(level: Blob, path: String, chosen: String, plain_size: int) -> void:
	_legend = legend_of(level)
	var beside := path.get_basename() + ".tileset.tres"
	var file := beside if chosen.is_empty() else chosen
	if ResourceLoader.exists(file, "TileSet"):
		tile_set = load(file)
	if tile_set != null and _read_places():
		tile_size = tile_set.tile_size.x
		return
	if not chosen.is_empty():
		push_warning("%s: %s is not a TileSet with the custom data layers id and name" % [path, chosen])
	tile_size = clampi(plain_size, 1, 256)
	_make_plain()


## Whether it was prepared for such a level.
func fits(level: Blob) -> bool:
	return _legend == legend_of(level)


## The tiles of all layers but empty ones, by id and name.
static func legend_of(level: Blob) -> Dictionary:
	var legend := {}
	for layer in level.layer_names():
		for tile in _tiles(level, layer):
			if not Blob.is_empty_tile(tile):
				legend[_key(tile)] = tile
	return legend


## For every tile id of a layer, where it is: source | column << 16 | row << 32; -1 for none.
func places_of(level: Blob, layer: String) -> PackedInt64Array:
	var places := PackedInt64Array()
	places.resize(_IDS)
	places.fill(-1)
	for tile in _tiles(level, layer):
		places[_id(tile)] = _places.get(_key(tile), -1)
	return places


## The terrains of a layer's tiles: by each, the ids of its tiles, and for each id where its picture
## is for all 256 neighbourhoods. A bit says that the neighbour is of the terrain, clockwise from
## above.
func terrains_of(level: Blob, layer: String) -> Dictionary:
	var terrains := {}
	for tile in _tiles(level, layer):
		var key := _key(tile)
		if _joined.has(key):
			if not terrains.has(_terrains[key]):
				terrains[_terrains[key]] = {}
			terrains[_terrains[key]][_id(tile)] = _table(key)
	return terrains


# Corners count between two sides alone, as in Godot's terrains of sides and corners.
func _table(key: String) -> PackedInt64Array:
	var pictures: Dictionary = _joined[key]
	var table := PackedInt64Array()
	for around in 256:
		var seen := around
		for corner: int in [1, 3, 5, 7]:
			if not (around >> (corner - 1) & 1 and around >> ((corner + 1) & 7) & 1):
				seen &= ~(1 << corner)
		table.append(pictures.get(seen, _places[key]))
	return table


static func _tiles(level: Blob, layer: String) -> Array[Dictionary]:
	var tiles: Array[Dictionary] = []
	var listed: Variant = level.layer_info(layer).get("tiles")
	if listed is Array:
		for tile: Variant in listed:
			if tile is Dictionary:
				tiles.append(tile)
	return tiles


static func _id(tile: Dictionary) -> int:
	var id: Variant = tile.get("id")
	return int(id) & 0xffff if id is int or id is float else 0


static func _key(tile: Dictionary) -> String:
	return "%d %s" % [_id(tile), tile.get("name", "")]


# Reads the tiles' custom data. Returns false if it names no tile.
func _read_places() -> bool:
	for layer: String in ["id", "name"]:
		if tile_set.get_custom_data_layer_by_name(layer) < 0:
			return false
	for index in tile_set.get_source_count():
		var source_id := tile_set.get_source_id(index)
		var source := tile_set.get_source(source_id) as TileSetAtlasSource
		if source == null:
			continue
		for coords in _by_rows(source):
			var data := source.get_tile_data(coords, 0)
			var key := "%d %s" % [data.get_custom_data("id"), data.get_custom_data("name")]
			# Of several pictures the first one represents the tile.
			var location := source_id | coords.x << 16 | coords.y << 32
			if not _places.has(key):
				_places[key] = location
			if data.terrain >= 0:
				_read_terrain(data, key, location)
	return true


func _read_terrain(data: TileData, key: String, location: int) -> void:
	if not _joined.has(key):
		_joined[key] = {}
		_terrains[key] = Vector2i(data.terrain_set, data.terrain)
	var around := 0
	for bit in _NEIGHBORS.size():
		var is_valid := data.is_valid_terrain_peering_bit(_NEIGHBORS[bit])
		if is_valid and data.get_terrain_peering_bit(_NEIGHBORS[bit]) == data.terrain:
			around |= 1 << bit
	if not _joined[key].has(around):
		_joined[key][around] = location


# Godot sorts tiles by columns.
static func _by_rows(source: TileSetAtlasSource) -> Array[Vector2i]:
	var places: Array[Vector2i] = []
	for tile in source.get_tiles_count():
		places.append(source.get_tile_id(tile))
	places.sort_custom(
		func(a: Vector2i, b: Vector2i) -> bool: return a.y < b.y or a.y == b.y and a.x < b.x
	)
	return places


func _make_plain() -> void:
	var keys := _legend.keys()
	var rows := maxi(1, ceili(keys.size() / float(_COLUMNS)))
	var image := Image.create(_COLUMNS * tile_size, rows * tile_size, false, Image.FORMAT_RGBA8)
	for number in keys.size():
		var coords := _position_of(number)
		var color := Color.from_string(str(_legend[keys[number]].get("color", "")), Color.MAGENTA)
		image.fill_rect(Rect2i(coords * tile_size, Vector2i.ONE * tile_size), color)
	tile_set = TileSet.new()
	tile_set.tile_size = Vector2i.ONE * tile_size
	tile_set.add_physics_layer()
	tile_set.add_occlusion_layer()
	tile_set.add_navigation_layer()
	for layer: String in _CUSTOM_DATA:
		tile_set.add_custom_data_layer()
		var last := tile_set.get_custom_data_layers_count() - 1
		tile_set.set_custom_data_layer_name(last, layer)
		tile_set.set_custom_data_layer_type(last, _CUSTOM_DATA[layer])
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(image)
	source.texture_region_size = tile_set.tile_size
	for number in keys.size():
		source.create_tile(_position_of(number))
	# The data of a tile has the TileSet's layers only once the source is part of it.
	tile_set.add_source(source, 0)
	for number in keys.size():
		var coords := _position_of(number)
		_describe(source.get_tile_data(coords, 0), _legend[keys[number]])
		_places[keys[number]] = coords.x << 16 | coords.y << 32


func _describe(data: TileData, tile: Dictionary) -> void:
	var half := tile_size / 2.0
	var square := PackedVector2Array(
		[Vector2(-half, -half), Vector2(half, -half), Vector2(half, half), Vector2(-half, half)]
	)
	data.set_custom_data("name", str(tile.get("name", "")))
	data.set_custom_data("id", _id(tile))
	data.set_custom_data("walkable", tile.get("walkable") == true)
	data.set_custom_data("opaque", tile.get("opaque") == true)
	if tile.get("opaque") == true:
		var occluder := OccluderPolygon2D.new()
		occluder.polygon = square
		# Deprecated in 4.4 for add_occluder_polygon(), which 4.3 does not have.
		data.set_occluder(0, occluder)
	if tile.get("walkable") == true:
		var navigable := NavigationPolygon.new()
		navigable.vertices = square
		navigable.add_polygon(PackedInt32Array([0, 1, 2, 3]))
		data.set_navigation_polygon(0, navigable)
	else:
		data.add_collision_polygon(0)
		data.set_collision_polygon_points(0, 0, square)


static func _position_of(number: int) -> Vector2i:
	@warning_ignore("integer_division")
	return Vector2i(number % _COLUMNS, number / _COLUMNS)
