extends RefCounted
## Changes the nodes of a level from one version of its scene to the next.
##
## Only differences between the two versions are applied: a node in both stays the same node, with
## its connections and the game's changes to it. Nodes that the game added stay. Nodes that it
## removed stay removed, except for an object of the level that has changed.

# By class: the properties that scenes store.
static var _properties := {}


## Changes [param level], which was made from the scene [param previous], into [param latter].
##
## Nodes that are new are taken out of [param latter].
static func apply(level: Node, previous: Node, latter: Node) -> void:
	var old := _nodes(previous)
	var new := _nodes(latter)
	var paths: Array = old.keys()
	paths.reverse()  # children before their parents
	for path: NodePath in paths:
		if not _is_same(old[path], new.get(path)):
			var present := level.get_node_or_null(path)
			if present != null and new.has(path) and _has_own_script(old[path]):
				_hand_over(present, old[path], new[path])
			_remove(present, level, _has_own_script(old[path]))
			old.erase(path)
	var parents := {}
	var added := {}
	for path: NodePath in new:
		var node: Node = new[path]
		if old.has(path):
			var present := level.get_node_or_null(path)
			if present != null:
				_update(present, old[path], node)
				parents[path] = _names(node, latter)
			elif _is_other_object(old[path], node) and node.owner == latter:
				_add(node, level, latter)
				added[node] = true
		elif node.owner == latter:  # not taken along with its parent
			_add(node, level, latter)
			added[node] = true
	for path: NodePath in parents:
		_sort(level.get_node(path), parents[path], added)


# A scene's own nodes by path, parents first; those inside of other scenes are theirs.
static func _nodes(root: Node) -> Dictionary:
	var nodes := {NodePath("."): root}
	for node in root.find_children("*", "", true, true):
		nodes[root.get_path_to(node)] = node
	return nodes


# A node with a script that is part of the scene makes children of its own, so it is another node
# as soon as anything differs.
static func _is_same(old: Node, new: Node) -> bool:
	if (
		new == null
		or old.get_class() != new.get_class()
		or old.scene_file_path != new.scene_file_path
		or _has_own_script(old) != _has_own_script(new)
	):
		return false
	return not _has_own_script(old) or _changed_properties(old, new).is_empty()


# Instances, and nodes inside them, have the scripts of other scenes.
static func _has_own_script(node: Node) -> bool:
	var script: Script = node.get_script()
	return (
		script != null
		and (script.resource_path.is_empty() or script.resource_path.contains("::"))
		and node.scene_file_path.is_empty()
		and (node.owner == null or node.owner.owner == null)
	)


# The stored properties that differ between two nodes, but for scripts, other nodes, and resources
# that each instance has a copy of.
static func _changed_properties(old: Node, new: Node) -> PackedStringArray:
	var changed := PackedStringArray()
	for key in _stored_properties(new):
		var value: Variant = new.get(key)
		var previous: Variant = old.get(key)
		if value is Node or _is_local(value) and _is_local(previous):
			continue
		if typeof(value) != typeof(previous) or value != previous:
			changed.append(key)
	return changed


static func _is_local(value: Variant) -> bool:
	return value is Resource and (value as Resource).resource_local_to_scene


# Whether a placed object has another cell or other properties. A chest that was opened and freed
# is another chest then.
static func _is_other_object(old: Node, new: Node) -> bool:
	return new.has_meta("object") and not _changed_properties(old, new).is_empty()


# The lists of nodes without metadata and scripts are those of their classes, and are made once.
static func _stored_properties(node: Node) -> PackedStringArray:
	var is_plain := node.get_script() == null and node.get_meta_list().is_empty()
	var type := node.get_class()
	if is_plain and _properties.has(type):
		return _properties[type]
	var stored := PackedStringArray()
	for property: Dictionary in node.get_property_list():
		var key: String = property["name"]
		if property["usage"] & PROPERTY_USAGE_STORAGE != 0 and key != "script":
			stored.append(key)
	if is_plain:
		_properties[type] = stored
	return stored


# Transfers the game's changes from a node to its replacement: values, and receivers of the signals
# of its script.
static func _hand_over(present: Node, old: Node, new: Node) -> void:
	var exported := _changed_properties(old, new)
	for key in _changed_properties(old, present):
		if not exported.has(key):
			new.set(key, present.get(key))
	for described: Dictionary in (present.get_script() as Script).get_script_signal_list():
		var name: StringName = described["name"]
		for connection in present.get_signal_connection_list(name):
			var called: Callable = connection["callable"]
			if called.is_valid() and new.has_signal(name) and not new.is_connected(name, called):
				new.connect(name, called, connection["flags"])


static func _names(parent: Node, owner: Node) -> Array[StringName]:
	var names: Array[StringName] = []
	for child in parent.get_children():
		if child.owner == owner:
			names.append(child.name)
	return names


# Children of the game go to the parent, unless a script of the scene has made them.
static func _remove(node: Node, level: Node, with_children: bool) -> void:
	if node == null or node == level:
		return
	var parent := node.get_parent()
	for child in node.get_children():
		if child.owner == null and not with_children:
			child.reparent(parent, level.is_inside_tree())
	parent.remove_child(node)
	node.queue_free()


static func _add(node: Node, level: Node, latter: Node) -> void:
	var parent := level.get_node_or_null(latter.get_path_to(node.get_parent()))
	if parent == null:
		return
	var owned: Array[Node] = [node]
	for child in node.find_children("*", "", true, false):
		if child.owner == latter:
			owned.append(child)
	for child in owned:
		child.owner = null
	node.get_parent().remove_child(node)
	parent.add_child(node, true)
	for child in owned:
		child.owner = level


static func _update(node: Node, old: Node, new: Node) -> void:
	for key in _changed_properties(old, new):
		node.set(key, new.get(key))
	for key in old.get_meta_list():
		if not new.has_meta(key) and node.has_meta(key):
			node.remove_meta(key)
	var groups := new.get_groups()
	for group in old.get_groups():
		if not groups.has(group):
			node.remove_from_group(group)
	for group in groups:
		if not old.is_in_group(group):
			node.add_to_group(group, true)


# Brings the level's children into their order. A new child comes right behind its predecessor, so
# that children of the game keep their positions.
static func _sort(parent: Node, names: Array[StringName], added: Dictionary) -> void:
	var children: Array[Node] = []
	for name in names:
		var child := parent.get_node_or_null(NodePath(name))
		if child != null:
			children.append(child)
	var before: Node = null
	for child in children:
		var child_index := child.get_index()
		if before == null:
			var first: int = children.map(func(item: Node) -> int: return item.get_index()).min()
			if child_index != first:
				parent.move_child(child, first)
		elif child_index < before.get_index():
			parent.move_child(child, before.get_index())
		elif added.has(child):
			parent.move_child(child, before.get_index() + 1)
		before = child
