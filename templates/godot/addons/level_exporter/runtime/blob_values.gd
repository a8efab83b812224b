extends RefCounted
## Reads a tree of values: null, booleans, numbers, texts, Arrays and Dictionaries.
##
## Every place in the tree has a node with models of its own: the values under one key share one,
## so that the records of a list are read column by column. What the format calls for and GDScript
## cannot hold changes its type: whole numbers beyond 64 bits become floats.

const Stream := preload("codecs/stream.gd")
const Numbers := preload("codecs/numbers.gd")

## The number of this codec in files.
const CODEC := 21
const MOST_VALUES := 1 << 20
const MOST_NODES := 1 << 15
const DEEPEST := 64

enum _Type { NULL, FALSE, TRUE, INTEGER, DECIMAL, FLOAT, TEXT, LIST, MAP, COLOR6, COLOR8, LONG }
# How the whole numbers of a node are told; from REFERENCE on, relative to another node's last.
enum _Mode { PLAIN, DELTA, ENUMERATED, REFERENCE }

# The shapes every stream knows from the start, those of a blob's own records, and the map without
# keys; after them come the stream's own.
const _SHAPES: PackedStringArray = [
	"name width height seed rng visibility_layer properties layers",
	"name kind size generator version tiles walkable heights complete report rooms certificate grid_aligned",
	"id name walkable opaque color",
	"minimum maximum units",
	"name x y width height center",
	"regions_before regions_after cells_carved floor cells farthest start dead_ends chokes",
	"id name x y properties",
	"name columns rows",
	"name type nullable",
	"name kind data",
	"",
]

const _CHOICES := 24
const _LARGEST := 1 << 62
const _MOST_LETTERS := 4000
const _POWERS: PackedFloat64Array = [
	1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
]

## Why the stream could not be read; empty when it could.
var error := ""

var _reader: Numbers
var _left := MOST_VALUES
var _nodes: Array[_Node] = []
var _shapes: Array[PackedStringArray] = []
var _keys := PackedStringArray()
var _shape_model := Numbers.model()
var _key_model := Numbers.model()
var _key_count := Numbers.model()
var _mode_model := Numbers.model()
var _positional_states := PackedInt64Array([Stream.FRESH])
var _text_length := Numbers.model()
# States of the letters: by the letter before, and for none known yet.
var _letters := _fresh(256)
var _pairs := {}


# The states of choosing among things known, in the order they became known.
class _Choice:
	extends RefCounted
	var states := PackedInt64Array()
	var later := PackedInt64Array()

	func _init() -> void:
		states.resize(24)
		states.fill(Stream.FRESH)


# How the whole numbers of a node are told, and the last of them.
class _Integers:
	extends RefCounted
	var mode := -1
	var last := 0
	var model := Numbers.model()
	var sign_states := PackedInt64Array([Stream.FRESH])
	var known := PackedInt64Array()
	var choice := _Choice.new()


# One place in the tree. What only some places need is made when it is needed.
class _Node:
	extends RefCounted
	var previous := 0
	var types := PackedInt64Array()
	var integers: _Integers
	var mantissas: _Integers
	var digits := PackedInt64Array()
	var length := PackedInt64Array()
	var positional := -1
	var shapes := PackedInt32Array()
	var shape_choice: _Choice
	var texts := PackedStringArray()
	var text_choices := {}
	var children := {}

	func _init() -> void:
		types.resize(256)
		types.fill(Stream.FRESH)


## The value a payload holds; null, with [member error] set, when it is broken or too large.
func decode(codec: int, payload: PackedByteArray) -> Variant:
	if codec != CODEC:
		error = "values codec %d is not known here" % codec
		return null
	_reader = Numbers.new(payload)
	for shape in _SHAPES:
		var keys := shape.split(" ", false)
		_shapes.append(keys)
		for key in keys:
			if not key in _keys:
				_keys.append(key)
	var value: Variant = _value(_new_node(), 0, 0)
	if error.is_empty() and _reader.broken:
		error = "a number is broken"
	return value if error.is_empty() else null


func _fail(message: String) -> void:
	if error.is_empty():
		error = message


# Counts what is built against the limit. False when it is over it or the stream has ended.
func _spend(count: int) -> bool:
	_left -= count
	if count < 0 or _left < 0 or _reader.broken or _reader.overrun():
		_fail("the values are cut short or over the limit")
	return error.is_empty()


func _value(node: _Node, context: int, depth: int) -> Variant:
	if not _spend(1):
		return null
	if depth > DEEPEST:
		_fail("values are nested deeper than %d" % DEEPEST)
		return null
	var kind := 1
	for i in 4:
		kind = kind << 1 | _reader.decide(node.types, node.previous * 16 + kind)
	kind -= 16
	node.previous = kind
	match kind:
		_Type.NULL:
			return null
		_Type.FALSE:
			return false
		_Type.TRUE:
			return true
		_Type.INTEGER:
			if node.integers == null:
				node.integers = _Integers.new()
			return _integer(node.integers)
		_Type.DECIMAL:
			return _decimal(node)
		_Type.FLOAT:
			var bytes := PackedByteArray()
			bytes.resize(8)
			bytes.encode_s64(0, _reader.even(64))
			return bytes.decode_double(0)
		_Type.TEXT, _Type.COLOR6, _Type.COLOR8:
			return _text(node, kind, context)
		_Type.LONG:
			return _long()
		_Type.LIST:
			return _list(node, depth)
		_Type.MAP:
			return _map(node, depth)
	_fail("value type %d is not known here" % kind)
	return null


func _new_node() -> _Node:
	var node := _Node.new()
	_nodes.append(node)
	if _nodes.size() > MOST_NODES:
		_fail("the values have more places than %d" % MOST_NODES)
	return node


# The node under a key, a place in a list, or (-1) any place in a list.
func _child(node: _Node, key: Variant) -> _Node:
	if not node.children.has(key):
		node.children[key] = _new_node()
	return node.children[key]


func _decimal(node: _Node) -> float:
	if node.mantissas == null:
		node.mantissas = _Integers.new()
		node.digits = Numbers.model()
	var digits := _reader.number(node.digits)
	if digits >= _POWERS.size():
		_fail("a decimal has too many digits")
		return 0.0
	# Both are exact, so the quotient is rounded as everywhere else.
	return _integer(node.mantissas) / _POWERS[digits]


func _integer(integers: _Integers) -> int:
	if integers.mode < 0:
		integers.mode = _reader.number(_mode_model)
		if integers.mode >= _Mode.REFERENCE + _nodes.size():
			_fail("a number refers to a place that does not exist")
			integers.mode = _Mode.PLAIN
	var value := 0
	if integers.mode == _Mode.ENUMERATED:
		var at := _choose(integers.choice, integers.known.size())
		if at == integers.known.size():
			integers.known.append(_signed(integers))
		value = integers.known[at]
	else:
		value = _base_of(integers) + _signed(integers)
	if value <= -_LARGEST or value >= _LARGEST:
		_fail("a number is out of range")
		value = 0
	integers.last = value
	return value


func _base_of(integers: _Integers) -> int:
	if integers.mode >= _Mode.REFERENCE:
		var other := _nodes[integers.mode - _Mode.REFERENCE].integers
		return other.last if other != null else 0
	return integers.last if integers.mode == _Mode.DELTA else 0


func _signed(integers: _Integers) -> int:
	var value := _reader.number(integers.model)
	return -value if value and _reader.decide(integers.sign_states, 0) else value


# Which of the known things comes; their number for a new one.
func _choose(choice: _Choice, known: int) -> int:
	for index in mini(known, _CHOICES):
		if _reader.decide(choice.states, index) == 0:
			return index
	if known <= _CHOICES:
		return known
	if choice.later.is_empty():
		choice.later = Numbers.model()
	var later := _reader.number(choice.later)
	if later > known - _CHOICES:
		_fail("a choice is out of range")
		return 0
	return known if later == 0 else later + _CHOICES - 1


func _text(node: _Node, kind: int, context: int) -> String:
	if not node.text_choices.has(context):
		node.text_choices[context] = _Choice.new()
	var at := _choose(node.text_choices[context], node.texts.size())
	if at == node.texts.size():
		if kind == _Type.TEXT:
			node.texts.append(_read_letters())
		else:
			var digits := 6 if kind == _Type.COLOR6 else 8
			node.texts.append("#" + ("%x" % _reader.even(4 * digits)).lpad(digits, "0"))
	return node.texts[at]


func _read_letters() -> String:
	var length := _reader.number(_text_length)
	if not _spend(length):
		return ""
	var bytes := PackedByteArray()
	var before := 0
	for i in length:
		if not _pairs.has(before):
			_pairs[before] = _empty(256)
		var pair: PackedInt64Array = _pairs[before]
		var tree := 1
		for bit in 8:
			# A state never met begins as the common one, as if that was met at most twice.
			if pair[tree] == 0:
				pair[tree] = _letters[tree] & ~1023 | mini(_letters[tree] & 1023, 2)
			var young := pair[tree] & 1023 < 7
			var decided := _reader.decide(pair, tree)
			if young:
				_letters[tree] = Stream.moved(_letters[tree], decided)
			tree = tree << 1 | decided
		before = tree - 256
		bytes.append(before)
		if _reader.overrun():
			_fail("the values are cut short")
			return ""
	return bytes.get_string_from_utf8()


func _long() -> Variant:
	var text := _read_letters()
	if text.length() > _MOST_LETTERS or not text.is_valid_int():
		_fail("a whole number is broken")
		return 0
	var whole := text.to_int() if text.length() < 20 else 0
	if str(whole) == text:
		return whole
	return text.to_float()


func _list(node: _Node, depth: int) -> Array:
	var values := []
	if node.length.is_empty():
		node.length = Numbers.model()
	var length := _reader.number(node.length)
	if length > _left:
		_fail("a list is over the limit")
		return values
	if length > 0 and node.positional < 0:
		node.positional = _reader.decide(_positional_states, 0)
	for place in length:
		var child := _child(node, place if node.positional == 1 else -1)
		values.append(_value(child, 0, depth + 1))
		if not error.is_empty():
			return values
	return values


func _map(node: _Node, depth: int) -> Dictionary:
	var values := {}
	if node.shape_choice == null:
		node.shape_choice = _Choice.new()
	var at := _choose(node.shape_choice, node.shapes.size())
	if at == node.shapes.size():
		var shape := _reader.number(_shape_model)
		if shape > _shapes.size():
			_fail("a map refers to keys that do not exist")
			return values
		node.shapes.append(shape - 1 if shape > 0 else _read_shape())
	if not error.is_empty():
		return values
	for key in _shapes[node.shapes[at]]:
		values[key] = _value(_child(node, key), at, depth + 1)
		if not error.is_empty():
			return values
	return values


func _read_shape() -> int:
	var keys := PackedStringArray()
	var count := _reader.number(_key_count)
	if not _spend(count):
		return 0
	for i in count:
		var known := _reader.number(_key_model)
		if known == 0:
			_keys.append(_read_letters())
			known = _keys.size()
		if known > _keys.size() or _keys[known - 1] in keys:
			_fail("a map has a key twice, or one that does not exist")
			return 0
		keys.append(_keys[known - 1])
		if not error.is_empty():
			return 0
	_shapes.append(keys)
	return _shapes.size() - 1


static func _fresh(count: int) -> PackedInt64Array:
	var states := _empty(count)
	states.fill(Stream.FRESH)
	return states


static func _empty(count: int) -> PackedInt64Array:
	var states := PackedInt64Array()
	states.resize(count)
	return states
