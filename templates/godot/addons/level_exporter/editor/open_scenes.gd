@tool
extends Node
## Reloads scenes that are open in the editor when exported files have changed.
##
## Godot imports pictures and blobs that changed, and loads TileSets again, but an open scene stays
## as it was. So the scenes that contain an exported scene, by instance or inheritance at any depth,
## are loaded again. A scene with unsaved changes waits until they are saved or undone.
##
## Godot compares times of files and folders in whole seconds, and treats a TileSet that was missing
## meanwhile as a new file. So files that Godot has not noticed, loaded or imported again are passed
## to it by name.

## The open scenes that show an older level because they have unsaved changes.
signal held_back(scenes: PackedStringArray)

# How long the editor may take to see changed files.
const _MOST_SECONDS := 20.0
# Time to load a scene, until the request is repeated: it is dropped while another one loads.
const _RELOAD_SECONDS := 2.0
const _SECONDS := 0.05
# The editor's mark behind the name of a scene with changes.
const _UNSAVED_MARK := "(*)"

var _files := {}
var _is_scanning := false
# The open scenes that show an older level, with the numbers of their roots; 0 is not known.
var _older := {}
# Those of them that have unsaved changes.
var _held := {}
# The open scenes whose files are missing, with the numbers of their roots. Godot treats them as
# unsaved.
var _closed := {}
# Missing blobs. When one comes back, Godot imports the file and leaves open scenes unchanged.
var _removed_blobs := {}
# Resources that Godot has loaded again in this scan, by path.
var _reloaded := {}
# Scenes are made with those in memory, so these are kept until all are loaded again.
var _fresh: Array[Resource] = []
var _wait := 0.0
var _tabs: TabBar
# The scene that is being loaded again, the one that was edited then, and until when to wait.
var _requested := ""
var _edited := ""
var _limit := 0


## Lets the editor look for changed files, then reloads the open scenes that show one of them.
func refresh(files: PackedStringArray) -> void:
	for file in files:
		_files[file] = true
	if _is_scanning:
		return
	_is_scanning = true
	while not _files.is_empty():
		var changed := _files
		_files = {}
		_note_removed(changed)
		await scan()
		_add_missed(changed)
		_import_missed(changed)
		_load_missed(changed)
		_note_those_with(changed)
	_is_scanning = false


## Lets the editor look for new and changed files, and waits until it has imported them.
func scan() -> void:
	var files := EditorInterface.get_resource_filesystem()
	# A scan requested during another is dropped.
	while files.is_scanning():
		await get_tree().process_frame
	_reloaded.clear()
	var state := {"is_done": false}
	var end := func(_exist: bool) -> void: state["is_done"] = true
	files.sources_changed.connect(end, CONNECT_ONE_SHOT)
	files.resources_reload.connect(_note_reloaded)
	# Not `scan`: after it the editor treats changed TileSets as the ones in memory.
	files.scan_sources()
	var limit := Time.get_ticks_msec() + int(_MOST_SECONDS * 1000.0)
	while not state["is_done"] and Time.get_ticks_msec() < limit:
		await get_tree().process_frame
	if files.sources_changed.is_connected(end):
		files.sources_changed.disconnect(end)
	files.resources_reload.disconnect(_note_reloaded)


func _process(delta: float) -> void:
	_wait -= delta
	if _wait > 0.0 or _is_scanning or _older.is_empty() and _requested.is_empty():
		return
	_wait = _SECONDS
	_drop_those_not_older()
	if _is_loading():
		return
	var path := _edited_path()
	if _older.has(path):
		_reload(path)
	elif path.is_empty() or not _is_unsaved(path):
		# The editor goes to the tab of a scene and back to load it. A scene with unsaved changes
		# that it comes back to could lose its mark, so then the others wait.
		for other: String in _older:
			if _reload(other):
				break
	_tell_held()
	if _older.is_empty():
		_fresh.clear()


static func _edited_path() -> String:
	var root := EditorInterface.get_edited_scene_root()
	return "" if root == null else root.scene_file_path


func _note_reloaded(resources: PackedStringArray) -> void:
	for path in resources:
		_reloaded[path] = true


# Remembers which open scenes had no unsaved changes when their files went away.
func _note_removed(files: Dictionary) -> void:
	var roots := _open_roots()
	for path: String in roots:
		if files.has(path) and not FileAccess.file_exists(path) and not _is_marked_unsaved(path):
			_closed[path] = roots[path]


# Notifies the editor of files added or removed in the second in which it scanned their folder.
static func _add_missed(files: Dictionary) -> void:
	var known := EditorInterface.get_resource_filesystem()
	var extensions := ResourceLoader.get_recognized_extensions_for_type("")
	for path: String in files:
		var is_there := FileAccess.file_exists(path)
		# Godot removes the import settings of a missing file.
		if not is_there and FileAccess.file_exists(path + ".import"):
			continue
		var is_known := not known.get_file_type(path).is_empty()
		if is_there != is_known and extensions.has(path.get_extension()):
			known.update_file(path)


# Imports the files that the editor has not taken for changed.
static func _import_missed(files: Dictionary) -> void:
	var missed := PackedStringArray()
	for path: String in files:
		if FileAccess.file_exists(path) and _is_import_old(path):
			missed.append(path)
	if not missed.is_empty():
		EditorInterface.get_resource_filesystem().reimport_files(missed)


# Whether a file was never imported, or from another content. The editor keeps the digest of the
# source beside its imported file.
static func _is_import_old(path: String) -> bool:
	var settings := ConfigFile.new()
	if settings.load(path + ".import") != OK:
		return false
	if str(settings.get_value("remap", "importer", "")) in ["", "keep", "skip"]:
		return false
	# Pictures for graphics memory have several paths, such as `path.s3tc`.
	var keys := Array(settings.get_section_keys("remap"))
	if not keys.any(func(key: String) -> bool: return key.begins_with("path")):
		return true
	var imported := str(settings.get_value("remap", "path", ""))
	if imported.is_empty():
		return false
	var notes := ConfigFile.new()
	if notes.load(imported.get_basename() + ".md5") != OK:
		return not FileAccess.file_exists(imported)
	return notes.get_value("", "source_md5", "") != FileAccess.get_md5(path)


# Loads TileSets again that the editor has not taken for changed.
func _load_missed(files: Dictionary) -> void:
	for path: String in files:
		var is_resource := path.get_extension() == "tres" and FileAccess.file_exists(path)
		if is_resource and ResourceLoader.has_cached(path) and not _reloaded.has(path):
			ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_REPLACE)


# Whether the editor is loading a scene still. Some versions stay at its tab then.
func _is_loading() -> bool:
	if _requested.is_empty():
		return false
	if _older.has(_requested) and Time.get_ticks_msec() < _limit:
		return true
	if _edited_path() == _requested and _requested != _edited and not _edited.is_empty():
		EditorInterface.open_scene_from_path(_edited)
	_requested = ""
	return false


func _note_those_with(files: Dictionary) -> void:
	var scenes := {}
	for file: String in files:
		if not FileAccess.file_exists(file):
			if file.get_extension() == "lvb":
				_removed_blobs[file] = true
		elif file.get_extension() == "tscn" or _removed_blobs.erase(file):
			scenes[file] = true
	if scenes.is_empty():
		return
	var roots := _open_roots()
	var known := {}
	var affected := PackedStringArray()
	for path in EditorInterface.get_open_scenes():
		if _shows(path, scenes, known):
			affected.append(path)
			_older[path] = roots.get(path, 0)
	for path in _in_order(affected):
		# Into the same objects it would change shapes under nodes of scenes that are left alone.
		var fresh := ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE)
		if fresh != null:
			fresh.resource_path = ""  # it has the path already, but is not found by it
			fresh.take_over_path(path)
			_fresh.append(fresh)


# A scene that was closed, or has another root, shows its file. So does a scene that the editor has
# updated itself when its tab was opened: it keeps unsaved changes then, but not their mark.
func _drop_those_not_older() -> void:
	var open := EditorInterface.get_open_scenes()
	var roots := _open_roots()
	for path: String in _older.keys():
		var root: int = roots.get(path, 0)
		if not open.has(path):
			_older.erase(path)
		elif _older[path] == 0:
			_older[path] = root
		elif root != 0 and root != _older[path]:
			_older.erase(path)
			var edited := EditorInterface.get_edited_scene_root()
			if _held.has(path) and edited.get_instance_id() == root and _had_changes(edited):
				EditorInterface.mark_scene_as_unsaved()


# Whether a scene was changed since it was loaded, though that cannot be undone any more.
static func _had_changes(root: Node) -> bool:
	var changes := EditorInterface.get_editor_undo_redo()
	var history := changes.get_history_undo_redo(changes.get_object_history_id(root))
	return history != null and history.get_version() > 1


# Has the editor load a scene again. False for one that must not be.
func _reload(path: String) -> bool:
	if _older[path] == 0 or _is_unsaved(path):
		return false
	_requested = path
	_edited = _edited_path()
	_limit = Time.get_ticks_msec() + int(_RELOAD_SECONDS * 1000.0)
	EditorInterface.reload_scene_from_path(path)
	return true


func _tell_held() -> void:
	var held := {}
	for path: String in _older:
		if _older[path] != 0 and _is_unsaved(path):
			held[path] = true
			if not _held.has(path):
				print(
					(
						"Level Exporter: %s has unsaved changes and shows an older level until they"
						+ " are saved (or dropped with Scene > Reload Saved Scene)"
					)
					% path
				)
	if held.keys() != _held.keys():
		_held = held
		held_back.emit(PackedStringArray(held.keys()))


# Whether a scene is one of these or depends on one, according to its files.
static func _shows(path: String, scenes: Dictionary, known: Dictionary) -> bool:
	if scenes.has(path):
		return true
	if not known.has(path):
		known[path] = false  # for scenes that name each other
		if not FileAccess.file_exists(path):
			return false
		for dependency in ResourceLoader.get_dependencies(path):
			if _shows(_path_of(dependency, path.get_base_dir()), scenes, known):
				known[path] = true
				break
	return known[path]


# A dependency is a path, which may be relative, or "uid::type::path".
static func _path_of(dependency: String, folder: String) -> String:
	var uid := dependency.get_slice("::", 0)
	var path := dependency.get_slice("::", dependency.get_slice_count("::") - 1)
	if not path.is_absolute_path():
		path = folder.path_join(path).simplify_path()
	if not FileAccess.file_exists(path) and uid.begins_with("uid://"):
		var id := ResourceUID.text_to_id(uid)
		if ResourceUID.has_id(id):
			return ResourceUID.get_id_path(id)
	return path


# These scenes and their dependencies, each after its own dependencies.
static func _in_order(paths: PackedStringArray) -> PackedStringArray:
	var order := {}
	for path in paths:
		_visit(path, order, {})
	return PackedStringArray(order.keys())


static func _visit(path: String, order: Dictionary, seen: Dictionary) -> void:
	var is_level := path.get_extension() in ["tscn", "lvb"]
	if seen.has(path) or not is_level or not FileAccess.file_exists(path):
		return
	seen[path] = true
	for dependency in ResourceLoader.get_dependencies(path):
		_visit(_path_of(dependency, path.get_base_dir()), order, seen)
	order[path] = true


# The numbers of the open scenes' roots, by path.
static func _open_roots() -> Dictionary:
	var roots := {}
	for root: Node in _roots():
		if root != null and not root.scene_file_path.is_empty():
			roots[root.scene_file_path] = root.get_instance_id()
	return roots


# Godot 4.3 and 4.4 tell the root of the edited scene only.
static func _roots() -> Array:
	if EditorInterface.has_method("get_open_scene_roots"):
		return EditorInterface.call("get_open_scene_roots")
	var edited := EditorInterface.get_edited_scene_root()
	return [] if edited == null else [edited]


# Whether a scene has unsaved changes. A scene whose file was missing meanwhile is marked, too.
func _is_unsaved(path: String) -> bool:
	if not _is_marked_unsaved(path):
		_closed.erase(path)
		return false
	var edited := EditorInterface.get_edited_scene_root()
	var is_displayed: bool = edited != null and edited.scene_file_path == path
	var is_unchanged: bool = _closed.get(path, 0) == edited.get_instance_id()
	return not (is_displayed and is_unchanged and not _had_changes(edited))


# The editor does not tell, but it marks the tab.
func _is_marked_unsaved(path: String) -> bool:
	if not is_instance_valid(_tabs):
		_tabs = _find_tabs()
	return _tabs == null or _is_marked(_tabs, path)


static func _find_tabs() -> TabBar:
	var base := EditorInterface.get_base_control()
	for tabs: Node in base.find_children("*", "EditorSceneTabs", true, false):
		for bar: Node in tabs.find_children("*", "TabBar", true, false):
			return bar
	return null


# Titles are file names, with as many folders as it takes to tell them apart.
static func _is_marked(bar: TabBar, path: String) -> bool:
	for tab in bar.tab_count:
		var title := bar.get_tab_title(tab)
		if not title.ends_with(_UNSAVED_MARK):
			continue
		title = title.trim_suffix(_UNSAVED_MARK)
		if path.ends_with(title) or path.get_basename().ends_with(title):
			return true
	return false
