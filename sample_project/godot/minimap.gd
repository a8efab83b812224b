class_name Minimap
extends TextureRect
## The exported bitmap of the level, as far as the fog is lifted, and the hero as a dot.

@export var pixels_per_cell := 3


func open(bitmap: Texture2D, fog: Fog) -> void:
	texture = bitmap
	custom_minimum_size = fog.size / Hero.TILE * pixels_per_cell
	(material as ShaderMaterial).set_shader_parameter("known", fog.texture)


func follow(cell: Vector2i) -> void:
	($Dot as Control).position = Vector2(cell * pixels_per_cell - Vector2i.ONE)
