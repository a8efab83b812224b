extends RefCounted
## Describes scenes node by node: the stored properties, with all values of resources.

const ROOT_SCRIPT := [
	"script", "blob", "tile_size", "diamond", "problem", "readers", "exported_level.gd"
]


func query(scenes: Array) -> Dictionary:
	var answers := {}
	for path: String in scenes:
		var root: Node = load(path).instantiate()
		var nodes := {}
		_describe(root, root, nodes)
		answers[path] = nodes
		root.free()
	return answers


func _describe(root: Node, node: Node, nodes: Dictionary) -> void:
	var groups := node.get_groups().map(func(group: StringName) -> String: return str(group))
	groups.sort()
	nodes[str(root.get_path_to(node))] = {
		"class": node.get_class(),
		"name": str(node.name),
		"place": node.get_index() if node != root else 0,
		"groups": groups,
		"owned": node == root or node.owner == root,
		"stored": _stored(node, ROOT_SCRIPT if node == root else []),
	}
	for child in node.get_children():
		_describe(root, child, nodes)


func _stored(object: Object, without: Array) -> Dictionary:
	var values := {}
	for property in object.get_property_list():
		var name: String = property.name
		if property.usage & PROPERTY_USAGE_STORAGE and not name in without:
			values[name] = _text(object.get(name))
	return values


func _text(value: Variant) -> Variant:
	if value is Script:
		# One script is part of the scene, the other a file of the addon.
		return ["script", value.source_code.sha256_text()]
	if value is Resource:
		if not value.resource_path.is_empty() and not "::" in value.resource_path:
			return ["file", value.resource_path]
		return [value.get_class(), _stored(value, ["resource_path", "resource_scene_unique_id"])]
	return var_to_str(value)
