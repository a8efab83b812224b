class_name Monster
extends Guard
## Drawn from the level's table `monsters`. Waits until it sees the hero and runs after them; if it
## loses them, it goes where the exported layer `home` leads: to the stairs that it guards.

## The steps of the tiles north, east, south and west.
const MOVES: Array[Vector2i] = [Vector2i.UP, Vector2i.RIGHT, Vector2i.DOWN, Vector2i.LEFT]

@export var danger := 1

var _awake := false


func _look_for(hero: Hero) -> void:
	super(hero)
	_awake = _awake or sees_hero


func _next_cell() -> Vector2i:
	var direction := value_at(cell)
	return cell + MOVES[direction] if _awake and direction < MOVES.size() else cell
