class_name GameScreen
extends CanvasLayer
## What the player reads: the level, gold, hearts and what is carried, the room, and the end.

## What rooms without a name of their own are called, by the first of these objects in them.
const NAMES := {
	"treasure": "Treasure vault", "vault_key": "Steward's chamber", "stairs_up": "Entrance hall",
	"stairs_down": "Stairwell", "guard": "Guardroom", "chest": "Store room", "bones": "Dungeon",
}

@onready var _game: Game = get_parent()


## Shows what the hero has.
func show_purse() -> void:
	(%Purse as Label).text = "%s   %d gold" % [_game.level.name.capitalize(), _game.gold]
	for heart: CanvasItem in %Hearts.get_children():
		heart.visible = heart.get_index() < _game.hearts
	(%Key as CanvasItem).visible = _game.mission.keys("vault") > 0
	(%Crown as CanvasItem).visible = _game.has_treasure


## Shows a text until the hero walks on.
func say(text: String) -> void:
	(%Location as Label).text = text
	(%PositionFrame as CanvasItem).visible = text != ""


## Shows how the game ended.
func end(text: String) -> void:
	(%End as CanvasItem).show()
	(%EndText as Label).text = text + "\n\nSpace: play again"


## Shows the room in which a cell lies, and the danger there: its share of the way to the exit.
func show_position(cell: Vector2i) -> void:
	var blob := _game.blob
	var text := ""
	for room: Dictionary in _game.level.get_meta("rooms", []):
		if Rect2i(room["position"], room["size"]).has_point(cell):
			text = _name_of(room) + "   "
	if "danger" in blob.layer_names():
		var share := blob.cells("danger")[cell.y * blob.size.x + cell.x]
		text += "danger %d %%" % roundi(100.0 * share / 65535)
	say(text.strip_edges())


func _name_of(room: Dictionary) -> String:
	var title: String = room["name"]
	var area := Rect2i(room["position"], room["size"])
	for kind: String in NAMES if title.begins_with("room_") else {}:
		for thing: Dictionary in _game.blob.objects():
			if thing["name"] == kind and area.has_point(Vector2i(thing["x"], thing["y"])):
				return NAMES[kind]
	return title.capitalize()
