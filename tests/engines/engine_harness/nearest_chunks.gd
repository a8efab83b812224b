extends RefCounted
## Compares the chunks that a large level chooses for a view with all of its chunks by distance.


func query(arguments: Dictionary) -> Dictionary:
	var level: Node2D = load(arguments.scene).instantiate()
	var chunks := level.get_node("chunks")
	var random := RandomNumberGenerator.new()
	random.seed = 5
	var wrong := []
	var cut := 0
	for trial: int in arguments.trials:
		var count := Vector2i(random.randi_range(1, 90), random.randi_range(1, 90))
		if trial % 3 == 0:
			count.x = random.randi_range(1, 4)
		chunks.size = count * chunks.chunk_side
		chunks.most_open = random.randi_range(1, 80)
		var side := float(chunks.chunk_side * chunks.tile_size)
		# Beyond the border, opened chunks are near, but need not be the nearest.
		var middle := Vector2(count) * Vector2(random.randf(), random.randf())
		var reach := Vector2(random.randf_range(0.1, 60.0), random.randf_range(0.1, 60.0))
		var area := Rect2((middle - reach) * side, reach * 2.0 * side)
		var view := area.grow(-minf(area.size.x, area.size.y) * random.randf_range(0.0, 0.4))
		var expected := _nearest(count, area, view, chunks.most_open, side)
		cut += 1 if expected.size() == chunks.most_open else 0
		var result := _distances(chunks._chunks_in(area, view), view, side)
		if result != expected:
			wrong.append(trial)
	level.free()
	return {"wrong": wrong, "cut": cut}


func _nearest(count: Vector2i, area: Rect2, view: Rect2, most: int, side: float) -> Array[float]:
	var touched: Array[Vector2i] = []
	for y: int in count.y:
		for x: int in count.x:
			var left := x * side <= area.end.x and (x + 1) * side > area.position.x
			if left and y * side <= area.end.y and (y + 1) * side > area.position.y:
				touched.append(Vector2i(x, y))
	return _distances(touched, view, side).slice(0, most)


func _distances(places: Array[Vector2i], view: Rect2, side: float) -> Array[float]:
	var middle := view.get_center() / side - Vector2(0.5, 0.5)
	var distances: Array[float] = []
	for point: Vector2i in places:
		distances.append(snappedf(middle.distance_squared_to(point), 0.001))
	distances.sort()
	return distances
