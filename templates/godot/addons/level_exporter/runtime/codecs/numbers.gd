extends RefCounted
## Reads single decisions and whole numbers from a range-coded stream: headers and values.
##
## A model is the states a kind of number learns in: 64 for its length, 64 for its second bit.

const Stream := preload("stream.gd")

const _HALF := Stream.FRESH >> 16 | 1
const _LIMIT := 255
const _LONGEST := 62
# Past its end a stream reads as zeros; much further than this only broken data goes.
const _SLACK := 64

## Whether a number was too long or lay past the end of the stream.
var broken := false

var _data: PackedByteArray
var _span := 0xffffffff
var _code := 0
var _position := 0
var _rates := Stream.rates()


func _init(data: PackedByteArray) -> void:
	_data = data
	var registers := Stream.start(data, 0)
	_code = registers[1]
	_position = registers[2]


## A model that has seen nothing yet.
static func model() -> PackedInt64Array:
	var states := PackedInt64Array()
	states.resize(128)
	states.fill(Stream.FRESH)
	return states


## The next decision of a learning state.
func decide(states: PackedInt64Array, index: int) -> int:
	var state := states[index]
	var met := state & 1023
	var bit := _bit(state >> 16 | 1)
	if bit:
		state -= (state >> 10) * _rates[met] >> 16 << 10
	else:
		state += (4194304 - (state >> 10)) * _rates[met] >> 16 << 10
	states[index] = state + 1 if met < _LIMIT else state
	return bit


## The next [param width] bits at even odds.
func even(width: int) -> int:
	var value := 0
	for i in width:
		value = value << 1 | _bit(_HALF)
	return value


## The next number, 0 to 2^62; 0 with [member broken] set when it is longer.
func number(states: PackedInt64Array) -> int:
	var length := 0
	while decide(states, length):
		length += 1
		if length > _LONGEST or overrun():
			broken = true
			return 0
	if length == 0:
		return 0
	var second := decide(states, 64 + length)
	return ((2 | second) << (length - 1) | even(length - 1)) - 1


## The next number that was folded: 2 n, or -2 n - 1 below 0.
func folded(states: PackedInt64Array) -> int:
	var value := number(states)
	return -(value >> 1) - 1 if value & 1 else value >> 1


## Whether far more was read than the stream holds.
func overrun() -> bool:
	return _position > _data.size() + _SLACK


func _bit(probability: int) -> int:
	var bound := (_span >> 16) * probability
	var bit := 0
	if _code < bound:
		_span = bound
	else:
		_code -= bound
		_span -= bound
		bit = 1
	while _span < 16777216:
		_span <<= 8
		_code = _code << 8 | (_data[_position] if _position < _data.size() else 0)
		_position += 1
	return bit
