class_name Cellar
extends Node
## The levels below the last one: those of a pack, in another order in each game. There is always
## one more.

const SCENES := {
	"stairs_up": preload("res://stairs_up.tscn"), "stairs_down": preload("res://stairs_down.tscn"),
	"chest": preload("res://chest.tscn"), "guard": preload("res://guard.tscn"),
	"mushrooms": preload("res://mushrooms.tscn"), "bones": preload("res://bones.tscn"),
}

var _pack := LevelPack.open("res://levels/cellar.lvp")
var _order := _pack.shuffled(randi())


func _ready() -> void:
	_pack.scenes = SCENES


## Whether there is no pack: the levels end above.
func is_empty() -> bool:
	return _order.is_empty()


## The level of a depth, from 0.
func level(depth: int) -> Node2D:
	var found := _pack.level(_index(depth))
	found.name = "cellar %d" % (depth + 1)
	return found


## The data of that level.
func blob(depth: int) -> LevelExporterBlob:
	return _pack.blob(_index(depth))


## Its picture for the minimap, a pixel for each cell.
func picture(depth: int) -> Texture2D:
	var data := blob(depth)
	var colors := {}
	for tile: Dictionary in data.layer_info("ground")["tiles"]:
		colors[int(tile["id"])] = Color(str(tile["color"]))
	var cells := data.cells("ground")
	var image := Image.create_empty(data.size.x, data.size.y, false, Image.FORMAT_RGB8)
	for i in cells.size():
		image.set_pixel(i % data.size.x, i / data.size.x, colors[cells[i]])
	return ImageTexture.create_from_image(image)


func _index(depth: int) -> int:
	return _order[depth % _order.size()]
