extends "key_presser.gd"
## Plays the sample game by pressing its keys, and reports the events.

# A walk ends when the hero stood still for so many steps of physics.
const STILL := 6
const LONGEST_WALK := 900
const KEYS := {"left": KEY_LEFT, "right": KEY_RIGHT, "up": KEY_UP, "down": KEY_DOWN}
const LETTERS := {"left": KEY_A, "right": KEY_D, "up": KEY_W, "down": KEY_S}

var _game: Game


func query(arguments: Dictionary) -> Dictionary:
	var main: Node = (load("res://main.tscn") as PackedScene).instantiate()
	_tree.root.add_child(main)
	await _steps(3)
	_game = main.get_node("Game")
	var answer := {"start": _state()}
	answer["walks"] = await _walk(arguments["walks"])
	answer["chest"] = await _open_chest(arguments["chest"])
	answer["stairs"] = await _take_stairs()
	answer["guards"] = await _watch_guards(arguments)
	answer["cellar"] = await _descend()
	answer["left_paths"] = await _leave_at_once()
	return answer


func _walk(directions: Array) -> Array:
	var walks := []
	for number in directions.size():
		var direction: String = directions[number]
		var key: Key = (KEYS if number % 2 == 0 else LETTERS)[direction]
		var begin := _state()
		var cells := {}
		_press(key, true)
		var still := 0
		for step in LONGEST_WALK:
			var before := _game.hero.position
			await _tree.physics_frame
			cells[_game.hero.cell] = true
			still = still + 1 if _game.hero.position.distance_to(before) < 0.01 else 0
			if still == STILL:
				break
		_press(key, false)
		await _steps(2)
		walks.append(
			{"direction": direction, "from": begin, "to": _state(), "cells": cells.keys().map(_pair)}
		)
	return walks


func _open_chest(requested: Dictionary) -> Dictionary:
	var chest: Chest = _things("Chest").filter(
		func(item: Chest) -> bool: return _pair(_cell_of(item)) == requested["at"].map(_whole)
	)[0]
	_game.hero.place(_center(requested["from"]))
	await _steps(3)
	var before := {"open": chest.is_open, "gold": _game.gold, "frame": _frame(chest)}
	_press(KEYS[requested["direction"]], true)
	await _steps(40)
	_press(KEYS[requested["direction"]], false)
	await _steps(2)
	var after := {"open": chest.is_open, "gold": _game.gold, "frame": _frame(chest)}
	var others := _things("Chest").filter(func(item: Chest) -> bool: return item.is_open).size()
	return {"before": before, "after": after, "open": others}


func _take_stairs() -> Dictionary:
	var known := _game.fog.known.duplicate()
	var answer := {"known": _bytes(known)}
	_game.hero.place((_game.level.get_node("objects/stairs_down") as Node2D).position)
	await _steps(3)
	await _tap(KEY_SPACE)
	answer["down"] = _state()
	answer["chest_gold"] = _things("Chest").map(func(item: Chest) -> int: return item.gold)
	await _tap(KEY_E)
	answer["up"] = _state()
	answer["open_chests"] = _things("Chest").filter(
		func(item: Chest) -> bool: return item.is_open
	).size()
	answer["shown"] = _game.get_children().filter(
		func(item: Node) -> bool: return item.has_meta("level") and (item as Node2D).visible
	).size()
	await _tap(KEY_ENTER)
	answer["down_again"] = _state()
	return answer


# Takes the stairs from the last exported level down to the cellar, twice, and back.
func _descend() -> Array:
	_game.climb(_game.levels.size() - 1 - _game.number)
	var states := []
	for further: int in [1, 1, -1]:
		var stairs := "stairs_down" if further > 0 else "stairs_up"
		_game.hero.place((_game.level.get_node("objects/" + stairs) as Node2D).position)
		await _steps(3)
		await _tap(KEY_SPACE)
		await _steps(3)
		var state := _state()
		state["index"] = _game.level.get_meta("index")
		state["chests"] = _things("Chest").map(func(item: Chest) -> int: return item.gold)
		state["guards"] = _things("Guard").size()
		states.append(state)
	return states


# Looks into a new level of the cellar for no longer than a frame, and waits for its paths.
func _leave_at_once() -> bool:
	_game.climb(2)
	var left := _game.level
	_game.climb(-2)
	while not left.has_node("navigation"):
		await _tree.physics_frame
	return (left.get_node("navigation") as NavigationRegion2D).enabled


func _watch_guards(arguments: Dictionary) -> Dictionary:
	var guards := _things("Guard")
	var patrols := []
	for guard: Guard in guards:
		patrols.append([])
	for step in int(arguments["patrol_steps"]):
		if step % 6 == 0:
			for number in guards.size():
				patrols[number].append(_pair((guards[number] as Guard).cell))
		await _tree.physics_frame
	var sights := []
	for point: Array in arguments["hero_places"]:
		_game.hero.place(_center(point))
		await _steps(2)
		for guard: Guard in guards:
			sights.append(
				{
					"guard": _pair(guard.cell),
					"hero": _pair(_game.hero.cell),
					"sees": guard.sees_hero,
					"shown": guard.visible,
				}
			)
	# One guard runs after the hero until the hero is caught.
	var guard: Guard = guards[0]
	_game.hero.place(_center(arguments["beside_guard"]))
	guard.position = _center(arguments["guard_position"])
	await _steps(2)
	var far := guard.position.distance_to(_game.hero.position)
	await _steps(20)
	var near := guard.position.distance_to(_game.hero.position)
	await _steps(120)
	return {"patrols": patrols, "sights": sights, "far": far, "near": near, "caught": _state()}


func _things(kind: String) -> Array[Node]:
	return _game.level.get_node("objects").find_children("*", kind, true, false)


func _frame(chest: Chest) -> int:
	return (chest.get_node("Sprite") as Sprite2D).frame


func _state() -> Dictionary:
	var fog := _game.fog
	return {
		"level": str(_game.level.name),
		"position": [_game.hero.position.x, _game.hero.position.y],
		"cell": _pair(_game.hero.cell),
		"lit": _bytes(fog.lit),
		"known": _bytes(fog.known),
		"shades": _bytes((fog.get("_view") as Image).get_data()),
		"minimap": _game.minimap.texture.resource_path,
		"dot": _pair((_game.minimap.get_node("Dot") as Control).position),
		"purse": (_game.get_node("%Purse") as Label).text,
	}


func _tap(key: Key) -> void:
	_press(key, true)
	await _steps(1)
	_press(key, false)
	await _steps(4)


func _bytes(bytes: PackedByteArray) -> String:
	return Marshalls.raw_to_base64(bytes)
