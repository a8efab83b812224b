class_name Fog
extends ColorRect
## Shows what the hero sees, by the exported table: unseen is black, remembered dim, lit bright.

const REMEMBERED := 110
const LIT := 255

## One byte a cell: 1 where the hero sees it now, and where the hero has ever seen it.
var lit := PackedByteArray()
var known := PackedByteArray()
## A picture of both, one pixel a cell; the minimap uses it, too.
var texture := ImageTexture.new()

var _level: LevelExporterBlob
var _title := ""
var _opaque := PackedByteArray()
var _view: Image
var _before := ImageTexture.new()
var _memories := {}


## Covers a level, but for what is remembered of it by its name.
func cover(level: LevelExporterBlob, title: String) -> void:
	if _level != null:
		_memories[_title] = known
	_level = level
	_title = title
	_opaque = level.opaque("ground")
	known = _memories.get(title, PackedByteArray())
	if known.size() != level.size.x * level.size.y:
		known = PackedByteArray()
		known.resize(level.size.x * level.size.y)
	size = Vector2(level.size * Hero.TILE)
	_view = Image.create_empty(level.size.x, level.size.y, false, Image.FORMAT_L8)
	texture.set_image(_view)
	_before.set_image(_view)
	(material as ShaderMaterial).set_shader_parameter("after", texture)
	(material as ShaderMaterial).set_shader_parameter("before", _before)


## Says whether a cell blocks sight, as a door that is closed or opened.
func block(cell: Vector2i, blocks: bool) -> void:
	_opaque[cell.y * _level.size.x + cell.x] = int(blocks)


## Lights what is seen from a cell.
func look_from(cell: Vector2i) -> void:
	lit = _level.visible_from(cell, _opaque)
	var shades := PackedByteArray()
	shades.resize(lit.size())
	for i in lit.size():
		known[i] |= lit[i]
		shades[i] = LIT if lit[i] else REMEMBERED * known[i]
	_before.update(_view)
	_view = Image.create_from_data(_level.size.x, _level.size.y, false, Image.FORMAT_L8, shades)
	texture.update(_view)
	create_tween().tween_property(material, "shader_parameter/progress", 1.0, 0.15).from(0.0)
