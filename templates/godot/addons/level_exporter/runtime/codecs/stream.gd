extends RefCounted
## Shared by the context codecs: the adaptive states' rates, and reading of numbers in payloads.
##
## A state is the probability of a 0 (22 bits) over the number of uses of the context (10 bits).

## Probability one half, met never.
const FRESH := 1 << 31

static var _rates := PackedInt64Array()


## How far a state moves, by its count: 65536 / (count + 1.5), rounded down.
static func rates() -> PackedInt64Array:
	if _rates.is_empty():
		for count in 1024:
			@warning_ignore("integer_division")
			_rates.append(131072 / (2 * count + 3))
	return _rates


## The range decoder's registers at the start of the stream at [param at]: range, code, position.
static func start(data: PackedByteArray, at: int) -> PackedInt64Array:
	var code := 0
	for i in 4:
		code = code << 8 | (data[at + i] if at + i < data.size() else 0)
	return PackedInt64Array([0xffffffff, code, at + 4])


## A base-128 number, low bits first, as (number, position after it); (-1, -1) if it is cut off.
static func number(data: PackedByteArray, at: int, most := 5) -> PackedInt64Array:
	var value := 0
	for i in mini(most, data.size() - at):
		value |= (data[at + i] & 127) << 7 * i
		if data[at + i] < 128:
			return PackedInt64Array([value, at + i + 1])
	return PackedInt64Array([-1, -1])


## A state after a decision, for contexts that are met at most 255 times as new.
static func moved(state: int, bit: int) -> int:
	var met := state & 1023
	if bit:
		state -= (state >> 10) * rates()[met] >> 16 << 10
	else:
		state += (4194304 - (state >> 10)) * rates()[met] >> 16 << 10
	return state + 1 if met < 255 else state


## How many bits a number has.
static func bit_length(value: int) -> int:
	var bits := 0
	while value > 0:
		value >>= 1
		bits += 1
	return bits
