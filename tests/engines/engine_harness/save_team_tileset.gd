extends RefCounted
## Saves a TileSet as made by hand in the editor: two sources, one with a margin and
## spacing, mirrored alternatives, custom data, physics on layer 3, and complete terrain sets.

const SIDE := 32
const NEIGHBOURS: Array[TileSet.CellNeighbor] = [
	TileSet.CELL_NEIGHBOR_TOP_SIDE,
	TileSet.CELL_NEIGHBOR_TOP_RIGHT_CORNER,
	TileSet.CELL_NEIGHBOR_RIGHT_SIDE,
	TileSet.CELL_NEIGHBOR_BOTTOM_RIGHT_CORNER,
	TileSet.CELL_NEIGHBOR_BOTTOM_SIDE,
	TileSet.CELL_NEIGHBOR_BOTTOM_LEFT_CORNER,
	TileSet.CELL_NEIGHBOR_LEFT_SIDE,
	TileSet.CELL_NEIGHBOR_TOP_LEFT_CORNER,
]


func query(arguments: Dictionary) -> bool:
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(SIDE, SIDE)
	tiles.add_physics_layer()
	tiles.set_physics_layer_collision_layer(0, 4)
	tiles.set_physics_layer_collision_mask(0, 0)
	tiles.add_physics_layer()
	tiles.add_navigation_layer()
	tiles.set_navigation_layer_layers(0, 2)
	tiles.add_occlusion_layer()
	tiles.set_occlusion_layer_light_mask(0, 6)
	for name: String in ["sound", "name"]:
		tiles.add_custom_data_layer()
		tiles.set_custom_data_layer_name(tiles.get_custom_data_layers_count() - 1, name)
		tiles.set_custom_data_layer_type(tiles.get_custom_data_layers_count() - 1, TYPE_STRING)
	var main := _atlas("res://art/dungeon.png", 2, 1, arguments["rows"])
	tiles.add_source(main, 3)
	tiles.add_source(_atlas("res://art/extra.png", 0, 0, 2), 7)
	tiles.add_source(TileSetScenesCollectionSource.new(), 9)
	for set: Dictionary in arguments["sets"]:
		_add_terrain(tiles, main, set)
	var floor := main.get_tile_data(Vector2i(0, 0), 0)
	floor.probability = 3.0
	floor.set_custom_data("name", "Floor")
	main.get_tile_data(Vector2i(1, 0), 0).set_custom_data("name", "Floor")
	var door := main.get_tile_data(Vector2i(2, 0), 0)
	door.set_custom_data("sound", "tock\n[line] = \\ \"q\"")
	main.create_alternative_tile(Vector2i(2, 0), 5)
	main.get_tile_data(Vector2i(2, 0), 5).flip_h = true
	return ResourceSaver.save(tiles, arguments["path"]) == OK


func _atlas(path: String, margin: int, spacing: int, rows: int) -> TileSetAtlasSource:
	var source := TileSetAtlasSource.new()
	source.texture = load(path)
	source.margins = Vector2i(margin, margin)
	source.separation = Vector2i(spacing, spacing)
	source.texture_region_size = Vector2i(SIDE, SIDE)
	for y: int in rows:
		for x: int in 8:
			source.create_tile(Vector2i(x, y))
	return source


# A tile for each mask, from a number on: the bits of a mask are neighbours of the same terrain.
func _add_terrain(tiles: TileSet, source: TileSetAtlasSource, set: Dictionary) -> void:
	var number := tiles.get_terrain_sets_count()
	tiles.add_terrain_set()
	tiles.set_terrain_set_mode(number, int(set["mode"]))
	tiles.add_terrain(number)
	tiles.set_terrain_name(number, 0, set["name"])
	var position := int(set["first"])
	for mask: float in set["masks"]:
		@warning_ignore("integer_division")
		var data := source.get_tile_data(Vector2i(position % 8, position / 8), 0)
		data.terrain_set = number
		data.terrain = 0
		for bit: int in 8:
			if int(mask) >> bit & 1 and data.is_valid_terrain_peering_bit(NEIGHBOURS[bit]):
				data.set_terrain_peering_bit(NEIGHBOURS[bit], 0)
		data.add_collision_polygon(0)
		var half := SIDE / 2.0
		data.set_collision_polygon_points(0, 0, PackedVector2Array(
			[Vector2(-half, -half), Vector2(half, -half), Vector2(half, half), Vector2(-half, half)]
		))
		position += 1
