extends "key_presser.gd"
## Plays the sample game from its first level to its end by pressing keys, and reports each state.

const KEYS := {
	Vector2i.LEFT: KEY_LEFT, Vector2i.RIGHT: KEY_RIGHT, Vector2i.UP: KEY_UP, Vector2i.DOWN: KEY_DOWN
}
# Physics steps until a walk to the next cell has failed: the hero needs about 11.
const PATIENCE := 40
# The play is so many times as fast as a player's, with as many more steps of physics.
const HASTE := 4

var _main: Node


func query(arguments: Dictionary) -> Dictionary:
	_main = (load("res://main.tscn") as PackedScene).instantiate()
	_tree.root.add_child(_main)
	Engine.physics_ticks_per_second *= HASTE
	Engine.max_physics_steps_per_frame *= HASTE
	var plays := []
	for play: Array in arguments["plays"]:
		plays.append(await _play(play))
		await _tap(KEY_SPACE)
	var caught := []
	while not _game().is_over:
		caught.append(await _be_caught())
	await _tap(KEY_SPACE)
	return {"plays": plays, "caught": caught, "again": _state()}


# Walks and uses stairs; the state after each of these, until one fails.
func _play(acts: Array) -> Array:
	await _steps(3)
	_game().hero.speed *= HASTE
	var states := [_state()]
	for act: Dictionary in acts:
		# Those who walk are to arrive: guards would send the hero back.
		for guard in _game().level.find_children("*", "Guard", true, false):
			guard.free()
		for cell: Array in act["way"]:
			await _walk(Vector2i(int(cell[0]), int(cell[1])))
		if act["use"]:
			await _tap(KEY_SPACE)
		states.append(_state())
	return states


func _walk(target: Vector2i) -> void:
	var hero := _game().hero
	var step := target - hero.cell
	if not KEYS.has(step):
		return
	_press(KEYS[step], true)
	for count in PATIENCE:
		await _tree.physics_frame
		# Up to the middle of the cell, so that no corner of a wall is in the way afterwards.
		var middle := (Vector2(target) + Vector2(0.5, 0.5)) * Hero.TILE
		if hero.cell == target and (middle - hero.position).dot(Vector2(step)) < 1.0:
			break
	_press(KEYS[step], false)
	await _steps(1)


# A guard finds the hero beside it. How many hearts are left.
func _be_caught() -> int:
	var game := _game()
	if game.number == 0:
		game.climb(1)
	await _steps(3)
	var guard: Guard = game.level.find_children("*", "Guard", true, false)[0]
	var before := game.hearts
	game.hero.place(guard.position + Vector2(Hero.TILE, 0))
	for count in 120:
		await _tree.physics_frame
		if game.hearts < before:
			break
	return game.hearts


func _state() -> Dictionary:
	var game := _game()
	return {
		"level": str(game.level.name),
		"cell": [game.hero.cell.x, game.hero.cell.y],
		"gold": game.gold,
		"hearts": game.hearts,
		"crown": game.has_treasure,
		"key": game.mission.keys("vault"),
		"open": range(game.mission.locks.size()).filter(game.mission.is_open),
		"over": game.is_over,
		"text": (game.get_node("%Location") as Label).text,
		"end": (game.get_node("%EndText") as Label).text,
	}


func _game() -> Game:
	return _tree.get_first_node_in_group("game")


func _tap(key: Key) -> void:
	await _steps(3)
	_press(key, true)
	await _steps(1)
	_press(key, false)
	await _steps(3)
