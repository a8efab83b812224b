extends "key_presser.gd"
## Walks through the level with doors of the sample game by pressing keys, and reports the events.

const KEYS := {
	Vector2i.LEFT: KEY_LEFT, Vector2i.RIGHT: KEY_RIGHT, Vector2i.UP: KEY_UP, Vector2i.DOWN: KEY_DOWN
}
# Physics steps until a walk to the next cell has failed: the hero needs about 11.
const PATIENCE := 40
# The walk is so many times as fast as a player's, with as many more steps of physics.
const HASTE := 4

var _game: Game


func query(arguments: Dictionary) -> Dictionary:
	var main: Node = (load("res://main.tscn") as PackedScene).instantiate()
	_tree.root.add_child(main)
	await _steps(3)
	_game = main.get_node("Game")
	_game.climb(Array(_game.levels).find("stronghold") - _game.number)
	await _steps(3)
	var answer := {
		"rooms": _exact(_game.level.get_meta("rooms")),
		"connections": _exact(_game.level.get_meta("connections")),
		"monsters": _monsters(),
		"closed": _doors(),
		"hunt": await _hunt(arguments["hunt"]),
	}
	# Those who walk are to arrive: monsters would send the hero back.
	for monster in _things("Monster"):
		monster.free()
	Engine.physics_ticks_per_second *= HASTE
	Engine.max_physics_steps_per_frame *= HASTE
	_game.hero.speed *= HASTE
	_game.send_back()
	await _steps(3)
	answer.merge(await _walk(arguments["way"]))
	_game.climb(-1)
	_game.climb(1)
	await _steps(2)
	answer["closed_after_return"] = _doors()
	_game.hero.place(_center(arguments["way"][-1]))
	await _steps(3)
	_press(KEY_SPACE, true)
	await _steps(1)
	_press(KEY_SPACE, false)
	await _steps(3)
	answer["next"] = str(_game.level.name)
	return answer


# The hero follows cells; each is reported when it is reached, and each door when it opens.
func _walk(way: Array) -> Dictionary:
	var reached := [_state()]
	var opened := []
	for cell: Array in way.slice(1):
		var target := Vector2i(int(cell[0]), int(cell[1]))
		var step := target - _game.hero.cell
		if not KEYS.has(step):
			break
		_press(KEYS[step], true)
		for count in PATIENCE:
			var closed := _doors().size()
			await _tree.physics_frame
			if _doors().size() < closed:
				opened.append(_state())
			# Up to the middle of the cell, so that no corner of a wall is in the way afterwards.
			var ahead := (_center(cell) - _game.hero.position).dot(Vector2(step))
			if _game.hero.cell == target and ahead < 1.0:
				break
		_press(KEYS[step], false)
		await _steps(1)
		reached.append(_state())
		if _game.hero.cell != target:
			break
	return {"walk": reached, "opened": opened}


# A monster that waits, sees the hero and follows; and that goes home when the hero is away.
func _hunt(requested: Dictionary) -> Dictionary:
	var monster: Monster = _things("Monster").filter(
		func(item: Monster) -> bool: return _pair(_cell_of(item)) == requested["monster"].map(_whole)
	)[0]
	var start := monster.position
	await _steps(60)
	var waited := monster.position == start
	_game.hero.place(_center(requested["hero"]))
	await _steps(2)
	var before := monster.position.distance_to(_game.hero.position)
	var saw := monster.sees_hero
	await _steps(15)
	var after := monster.position.distance_to(_game.hero.position)
	_game.send_back()
	var home := []
	for step in int(requested["steps"]):
		await _tree.physics_frame
		home.append(_pair(monster.cell))
	return {"waited": waited, "saw": saw, "before": before, "after": after, "home": home}


func _state() -> Dictionary:
	return {
		"cell": _pair(_game.hero.cell),
		"lit": Marshalls.raw_to_base64(_game.fog.lit),
		"doors": _doors(),
		"place": (_game.get_node("%Location") as Label).text,
	}


func _monsters() -> Array:
	return _things("Monster").map(
		func(item: Monster) -> Dictionary:
			return {
				"cell": _pair(_cell_of(item)),
				"scene": item.scene_file_path,
				"danger": item.danger,
				"running_speed": item.running_speed,
			}
	)


func _doors() -> Array:
	var doors := _game.level.find_children("*", "Door", false, false).filter(
		func(item: Node) -> bool: return not item.is_queued_for_deletion()
	)
	return doors.map(func(item: Door) -> Array: return _pair(_cell_of(item)))


func _things(kind: String) -> Array[Node]:
	return _game.level.get_node("objects").find_children("*", kind, true, false)


# Vectors as lists, all else as it is.
func _exact(value: Variant) -> Variant:
	if value is Vector2i:
		return _pair(value)
	if value is Array:
		return (value as Array).map(_exact)
	if value is Dictionary:
		var exact := {}
		for key: String in value:
			exact[key] = _exact(value[key])
		return exact
	return value
