extends RefCounted
## Shows pictures of levels as they are on disk, before the editor has imported them.

# The replacements of textures, by the former texture.
var _replaced := {}
# Pictures that are new, and that only the editor would import.
var _added: Array[Texture2D] = []


## Loads the pictures among some files into memory. Resources loaded later find them there, and
## nodes with the old pictures show the new ones, if the size is the same.
func load_pictures(files: PackedStringArray) -> void:
	for path in files:
		if path.get_extension() != "png":
			continue
		var image := Image.load_from_file(ProjectSettings.globalize_path(path))
		if image == null or image.is_empty():
			continue
		if ResourceLoader.has_cached(path):
			_replace(path, image)
		elif not _is_imported(path):
			var texture := ImageTexture.create_from_image(image)
			texture.take_over_path(path)
			_added.append(texture)


## Gives the tile maps below a node the pictures. A TileSet keeps padded copies of its textures, so
## it needs to be given others.
func show_in_tile_maps(root: Node) -> void:
	if _replaced.is_empty():
		return
	for node in root.find_children("*", "TileMapLayer", true, false):
		var tile_set := (node as TileMapLayer).tile_set
		for number in 0 if tile_set == null else tile_set.get_source_count():
			var source := tile_set.get_source(tile_set.get_source_id(number)) as TileSetAtlasSource
			if source != null and _replaced.has(source.texture):
				source.texture = _replaced[source.texture]


func _replace(path: String, image: Image) -> void:
	var old_texture: Texture2D = load(path)
	if old_texture is ImageTexture:  # ours
		(old_texture as ImageTexture).set_image(image)
		return
	if old_texture.get_size() == Vector2(image.get_size()):
		var texture_id := RenderingServer.texture_2d_create(image)
		RenderingServer.texture_replace(old_texture.get_rid(), texture_id)
	var texture := ImageTexture.create_from_image(image)
	texture.take_over_path(path)
	_replaced[old_texture] = texture


static func _is_imported(path: String) -> bool:
	var settings := ConfigFile.new()
	if settings.load(path + ".import") != OK:
		return false
	var remapped := str(settings.get_value("remap", "path", ""))
	return not remapped.is_empty() and FileAccess.file_exists(remapped)
