extends RefCounted
## Shows pictures of levels as they are on disk, before the editor has imported them.

# The textures of pictures that changed, by path.
var _textures := {}


## Takes the pictures among some files that changed, for the tile maps below a node and for
## whatever else shows them.
func refresh(files: PackedStringArray, root: Node) -> void:
	for path in files:
		if path.get_extension() == "png" and ResourceLoader.has_cached(path):
			_load(path)
	if _textures.is_empty():
		return
	for node in root.find_children("*", "TileMapLayer", true, false):
		_show((node as TileMapLayer).tile_set)


func _load(path: String) -> void:
	var image := Image.load_from_file(ProjectSettings.globalize_path(path))
	if image == null or image.is_empty():
		return
	if _textures.has(path):
		(_textures[path] as ImageTexture).set_image(image)
	else:
		_textures[path] = ImageTexture.create_from_image(image)
	# In every other place where the texture is used.
	var texture: Texture2D = load(path)
	if texture.get_size() == Vector2(image.get_size()):
		var replacement := RenderingServer.texture_2d_create(image)
		RenderingServer.texture_replace(texture.get_rid(), replacement)


# A TileSet keeps padded copies of its textures, so it needs to be given another one.
func _show(tile_set: TileSet) -> void:
	if tile_set == null:
		return
	for number in tile_set.get_source_count():
		var source := tile_set.get_source(tile_set.get_source_id(number)) as TileSetAtlasSource
		if source == null or source.texture == null:
			continue
		var texture: ImageTexture = _textures.get(source.texture.resource_path)
		if texture != null:
			source.texture = texture
