@tool
extends RefCounted
## Makes nodes of a level's data: its layers, its objects, and what stops and guides those that move
## in it.

const Blob := preload("level_blob.gd")
const Palette := preload("level_palette.gd")

const _CELL_BYTES := 12


## A layer without tiles yet.
static func empty_layer(level: Blob, layer: String, palette: Palette) -> TileMapLayer:
	var node := TileMapLayer.new()
	node.name = layer.validate_node_name()
	node.tile_set = palette.tile_set
	if level.role(layer) == "picture":
		switch_off(node)
	return node


## Where in the TileSet the picture of each cell is, or -1: the first of its tile; in terrains the
## first that joins to the same neighbours.
static func pictures(level: Blob, layer: String, palette: Palette) -> PackedInt64Array:
	var ids := level.cells(layer)
	var places := palette.places_of(level, layer)
	var terrains := palette.terrains_of(level, layer)
	var found := PackedInt64Array()
	found.resize(ids.size())
	for i in ids.size():
		found[i] = places[ids[i]]
	for terrain: Vector2i in terrains:
		_join(found, ids, level.size, terrains[terrain])
	return found


# Puts the joined pictures of one terrain. What lies outside the level continues it.
static func _join(
	found: PackedInt64Array, ids: PackedInt32Array, size: Vector2i, tables: Dictionary
) -> void:
	var width := size.x + 2
	var same := PackedByteArray()
	same.resize(width * (size.y + 2))
	same.fill(1)
	for y in size.y:
		for x in size.x:
			same[(y + 1) * width + x + 1] = 1 if tables.has(ids[y * size.x + x]) else 0
	for y in size.y:
		for x in size.x:
			var at := (y + 1) * width + x + 1
			if same[at]:
				var up := at - width
				var down := at + width
				var around := (
					same[up] | same[up + 1] << 1 | same[at + 1] << 2 | same[down + 1] << 3
					| same[down] << 4 | same[down - 1] << 5 | same[at - 1] << 6 | same[up - 1] << 7
				)
				var i := y * size.x + x
				found[i] = (tables[ids[i]] as PackedInt64Array)[around]


## A layer of tiles, each with a picture that fits its neighbours.
static func tile_layer(level: Blob, layer: String, palette: Palette) -> TileMapLayer:
	var node := empty_layer(level, layer, palette)
	put_all(node, level, layer, palette)
	return node


## Puts all tiles of a layer into its node.
static func put_all(node: TileMapLayer, level: Blob, layer: String, palette: Palette) -> void:
	var places := pictures(level, layer, palette)
	var width := level.size.x
	# Cells as TileMapLayer stores them: x, y, source, column, row, alternative; 16 bits each.
	var data := PackedByteArray()
	data.resize(2 + places.size() * _CELL_BYTES)
	var at := 2
	for i in places.size():
		var location := places[i]
		if location >= 0:
			@warning_ignore("integer_division")
			data.encode_u32(at, i % width | i / width << 16)
			data.encode_u64(at + 4, location)
			at += _CELL_BYTES
	data.resize(at)
	node.tile_map_data = data


## Puts the tiles of some cells of a layer into its node.
static func put_cells(
	node: TileMapLayer, places: PackedInt64Array, width: int, cells: Vector2i
) -> void:
	for i in range(cells.x, cells.y):
		var location := places[i]
		if location >= 0:
			@warning_ignore("integer_division")
			var cell := Vector2i(i % width, i / width)
			var coords := Vector2i(location >> 16 & 0xffff, location >> 32)
			node.set_cell(cell, location & 0xffff, coords)


## Takes the shapes of its tiles from a layer: it is only seen.
static func switch_off(layer: TileMapLayer) -> void:
	layer.collision_enabled = false
	layer.navigation_enabled = false
	# By name: Godot 4.3 has no such property.
	layer.set("occlusion_enabled", false)


## A node for each object, in the middle of its cell: an instance of the scene of its name, whose
## variables of the names of properties are set, or a Marker2D.
static func objects(level: Blob, tile_size: int, scenes: Dictionary) -> Array[Node]:
	var nodes: Array[Node] = []
	for object: Variant in level.objects():
		if not object is Dictionary:
			continue
		var title := str(object.get("name", "object"))
		var node: Node = scenes[title].instantiate() if scenes.has(title) else Marker2D.new()
		node.name = title.validate_node_name()
		var cell := Vector2(float(object.get("x", 0)), float(object.get("y", 0)))
		if "position" in node:
			node.set("position", (cell + Vector2(0.5, 0.5)) * tile_size)
		node.set_meta("object", title)
		node.set_meta("cell", Vector2i(cell))
		var properties: Variant = object.get("properties")
		if properties is Dictionary:
			set_properties(node, properties)
			_set_variables(node, properties)
		nodes.append(node)
	return nodes


## Puts all properties into one dictionary of the metadata, under their own names. A property whose
## name is free and valid for metadata also becomes an entry of it. (Null would remove metadata.)
static func set_properties(node: Node, properties: Dictionary) -> void:
	if properties.is_empty():
		return
	node.set_meta("properties", properties)
	for key: String in properties:
		var value: Variant = properties[key]
		if value != null and key.is_valid_identifier() and not node.has_meta(key):
			node.set_meta(key, value)


static func _set_variables(node: Node, properties: Dictionary) -> void:
	var script: Script = node.get_script()
	for variable: Dictionary in [] if script == null else script.get_script_property_list():
		var value: Variant = properties.get(variable["name"])
		if variable["usage"] & PROPERTY_USAGE_STORAGE and value != null:
			node.set(variable["name"], value)


## Rectangles that cover exactly the cells of a mask that are 0, or those that are 1: runs of a row,
## joined with equal runs of the rows below.
static func rectangles(mask: PackedByteArray, size: Vector2i, wanted: int) -> Array[Rect2i]:
	var finished: Array[Rect2i] = []
	# By the first column and the width of a run of the row above.
	var open := {}
	for y in size.y:
		var next := {}
		var x := 0
		while x < size.x:
			if mask[y * size.x + x] != wanted:
				x += 1
				continue
			var first := x
			while x < size.x and mask[y * size.x + x] == wanted:
				x += 1
			var key := Vector2i(first, x - first)
			var joined: Rect2i = open.get(key, Rect2i(first, y, x - first, 0))
			joined.size.y += 1
			next[key] = joined
		for key: Vector2i in open:
			if not next.has(key):
				finished.append(open[key])
		open = next
	finished.append_array(open.values())
	return finished


## Adds a shape for each rectangle of cells to a body.
static func add_shapes(body: Node, solid: Array[Rect2i], tile_size: int) -> void:
	for cells in solid:
		var shape := CollisionShape2D.new()
		var box := RectangleShape2D.new()
		box.size = cells.size * tile_size
		shape.shape = box
		shape.position = (Vector2(cells.position) + cells.size / 2.0) * tile_size
		body.add_child(shape)


## Adds an occluder for each rectangle of cells to a node.
static func add_occluders(node: Node, opaque: Array[Rect2i], tile_size: int) -> void:
	for cells in opaque:
		var occluder := LightOccluder2D.new()
		occluder.occluder = OccluderPolygon2D.new()
		occluder.occluder.polygon = _corners(cells, tile_size)
		node.add_child(occluder)


## Adds a region over the cells that are not solid to a node, once a thread of the
## NavigationServer2D has baked it. It keeps [param radius] pixels from walls.
##
## The region comes with its polygon: Godot 4.6 loses one that a region gets right after it has
## entered the tree.
static func add_navigation(
	parent: Node, size: Vector2i, solid: Array[Rect2i], tile_size: int, radius: float
) -> void:
	var polygon := NavigationPolygon.new()
	polygon.agent_radius = radius
	var source := NavigationMeshSourceGeometryData2D.new()
	source.add_traversable_outline(_corners(Rect2i(Vector2i.ZERO, size), tile_size))
	for cells in solid:
		source.add_obstruction_outline(_corners(cells, tile_size))
	# By its number: the game may have freed the level when the thread is done.
	var number := parent.get_instance_id()
	NavigationServer2D.bake_from_source_geometry_data_async(
		polygon,
		source,
		func() -> void:
			if is_instance_id_valid(number):
				var region := NavigationRegion2D.new()
				region.name = "navigation"
				region.navigation_polygon = polygon
				(instance_from_id(number) as Node).add_child.call_deferred(region)
	)


static func _corners(cells: Rect2i, tile_size: int) -> PackedVector2Array:
	var first := Vector2(cells.position * tile_size)
	var end := Vector2(cells.end * tile_size)
	return PackedVector2Array([first, Vector2(end.x, first.y), end, Vector2(first.x, end.y)])
