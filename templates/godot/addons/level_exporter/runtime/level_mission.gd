class_name LevelMission
extends RefCounted
## The locks and keys of a level while it is played: which locks are open, which keys are held.
##
## Make one of the scene's metadata, tell it what the player takes and opens, and let it decide what
## can be opened. [codeblock]
## var mission := LevelMission.of($Level.get_meta("mission"))
## mission.take("red")
## if mission.can_open(lock, player_cell): mission.open(lock, player_cell)
## [/codeblock]

## A key was taken: the name of its locks.
signal taken(lock: String)
## A lock was opened: its place in [member locks].
signal opened(lock: int)

## The object on which the player starts.
var start := ""
## The object at which she wins.
var goal := ""
## The locks: "name", "kind", "cells", "opened_from" (arrays of Vector2i).
var locks: Array[Dictionary] = []

var _keys := {}
var _open := {}


## The mission of a scene's metadata, or of [member LevelExporterBlob.mission].
static func of(description: Dictionary) -> LevelMission:
	var mission := new()
	mission.start = description["start"]
	mission.goal = description["goal"]
	for lock: Dictionary in description["locks"]:
		mission.locks.append({
			"name": lock["name"], "kind": lock["kind"],
			"cells": _cells(lock["cells"]), "opened_from": _cells(lock["opened_from"]),
		})
	return mission


## Takes a key, whose object has the property `opens`.
func take(lock: String) -> void:
	_keys[lock] = keys(lock) + 1
	taken.emit(lock)


## How many keys of a name were taken and not used up.
func keys(lock: String) -> int:
	return _keys.get(lock, 0)


## The lock that closes a cell, as its place in [member locks]; -1 if nothing does. One-ways close
## nothing: see [method can_step].
func lock_at(cell: Vector2i) -> int:
	for index in locks.size():
		if not is_open(index) and cell in locks[index]["cells"]:
			return index
	return -1


## Whether a lock is open; a one-way always is.
func is_open(index: int) -> bool:
	return locks[index]["kind"] == "one_way" or _open.has(index)


## Whether a player in a cell can open a lock now: she is beside it, and has a key or is on
## the side from which it opens.
func can_open(index: int, from: Vector2i) -> bool:
	if is_open(index) or not _is_beside(index, from):
		return false
	if locks[index]["kind"] == "shortcut":
		return from in locks[index]["opened_from"]
	return keys(locks[index]["name"]) > 0


## Opens a lock if the player can, and uses up a small key. Whether it was opened.
func open(index: int, from: Vector2i) -> bool:
	if not can_open(index, from):
		return false
	if locks[index]["kind"] == "small_key":
		_keys[locks[index]["name"]] -= 1
	_open[index] = true
	opened.emit(index)
	return true


## Whether locks and one-ways let a player step from a cell to one beside it.
func can_step(from: Vector2i, to: Vector2i) -> bool:
	for lock in locks:
		if lock["kind"] != "one_way":
			continue
		if to in lock["cells"] and from not in lock["cells"] and from not in lock["opened_from"]:
			return false
		if from in lock["cells"] and to in lock["opened_from"]:
			return false
	return lock_at(to) < 0


## What a saved game keeps: plain values, which JSON can hold.
func save() -> Dictionary:
	return {"keys": _keys.duplicate(), "open": _open.keys()}


## Goes back to what [method save] returned; signals are not sent.
func restore(saved: Dictionary) -> void:
	_keys.clear()
	_open.clear()
	for lock: String in saved["keys"]:
		_keys[lock] = int(saved["keys"][lock])
	for index: Variant in saved["open"]:
		_open[int(index)] = true


func _is_beside(index: int, from: Vector2i) -> bool:
	for cell: Vector2i in locks[index]["cells"]:
		if absi(cell.x - from.x) + absi(cell.y - from.y) == 1:
			return true
	return false


static func _cells(listed: Array) -> Array[Vector2i]:
	var cells: Array[Vector2i] = []
	for cell: Variant in listed:
		cells.append(cell if cell is Vector2i else Vector2i(cell[0], cell[1]))
	return cells
