extends RefCounted
## The codec `bitmap`: grids of two values, each cell in the context of twelve neighbours.

const Stream := preload("stream.gd")


## The learned state of a stream, and its head: a payload with a prior continues from both.
class Model:
	extends RefCounted
	var edge := 0
	# The bytes of a 0 cell and of a 1 cell.
	var low := PackedByteArray()
	var high := PackedByteArray()
	# States by twelve neighbours; 0 for a context never met.
	var large := PackedInt64Array()
	# States by four neighbours: bits 3, 5 and 7 of the window and the left cell.
	var small := PackedInt64Array()

	func _init() -> void:
		large.resize(4096)
		small.resize(256)
		small.fill(Stream.FRESH)

	func copy() -> Model:
		var other := Model.new()
		other.edge = edge
		other.low = low
		other.high = high
		other.large = large.duplicate()
		other.small = small.duplicate()
		return other


## Reads a head into [param model] and returns where the stream begins; -1 when it is broken.
static func read_head(payload: PackedByteArray, size: int, truth: bool, model: Model) -> int:
	if payload.is_empty() or payload[0] > 3:
		return -1
	model.edge = payload[0] & 1
	if payload[0] & 2:
		var end := 1 + 2 * size
		if truth or end > payload.size():
			return -1
		model.low = payload.slice(1, 1 + size)
		model.high = payload.slice(1 + size, end)
		return end
	model.low.resize(size)
	model.high.resize(size)
	model.high[0] = 1
	return 1


## Decodes [param width] x [param height] cells from the stream at [param at].
static func decode(
	payload: PackedByteArray, at: int, width: int, height: int, model: Model
) -> PackedByteArray:
	var cells := read_cells(payload, Stream.start(payload, at), width, height, model)
	var size := model.low.size()
	if size == 1:
		var low := model.low[0]
		var high := model.high[0]
		if low != 0 or high != 1:
			for i in cells.size():
				cells[i] = high if cells[i] else low
		return cells
	var wide := PackedByteArray()
	wide.resize(cells.size() * size)
	for i in cells.size():
		var value := model.high if cells[i] else model.low
		for byte in size:
			wide[i * size + byte] = value[byte]
	return wide


## Reads a grid of 0 and 1 from where the registers stand, and moves them on.
static func read_cells(
	data: PackedByteArray, registers: PackedInt64Array, width: int, height: int, model: Model
) -> PackedByteArray:
	var cells := PackedByteArray()
	cells.resize(width * height)
	var rates := Stream.rates()
	var span := registers[0]
	var code := registers[1]
	var position := registers[2]
	var end := data.size()
	# The order of a context's bits is free, so the two rows above are kept as pairs of bits, one
	# pair a column, the nearer row in bit 1: a whole column enters the window with one read.
	var pairs := PackedInt32Array()
	pairs.resize(width + 4)
	pairs.fill(3 * model.edge)
	var large := model.large
	var small := model.small
	var edge := model.edge
	var base := 0
	for y in height:
		# Column x of the map is column x + 2 here; the frame stays as it is outside.
		var window := (15 * edge) << 4 | pairs[2] << 2 | (pairs[3] if width > 1 else 3 * edge)
		window &= 1023
		var left := 3 * edge
		for x in width:
			window = (window << 2 | pairs[x + 4 if x + 2 < width else 0]) & 1023
			var context := window << 2 | left
			var state := large[context]
			if state == 0:
				state = small[(window & 168) | (left & 1)]
				if state & 1023 > 1:
					state = state - (state & 1023) + 1
			var bound := (span >> 16) * (state >> 16 | 1)
			var count := state & 1023
			if code < bound:
				span = bound
				large[context] = (
					state + ((4194304 - (state >> 10)) * rates[count] >> 16 << 10) + (1 if count < 1023 else 0)
				)
				pairs[x + 2] = pairs[x + 2] >> 1
				left = left << 1 & 2
				if count < 7:
					var parent := (window & 168) | (context & 1)
					state = small[parent]
					small[parent] = _toward_zero(state, rates)
			else:
				code -= bound
				span -= bound
				large[context] = (
					state - ((state >> 10) * rates[count] >> 16 << 10) + (1 if count < 1023 else 0)
				)
				cells[base + x] = 1
				pairs[x + 2] = pairs[x + 2] >> 1 | 2
				left = (left << 1 | 1) & 3
				if count < 7:
					var parent := (window & 168) | (context & 1)
					state = small[parent]
					small[parent] = _toward_one(state, rates)
			while span < 16777216:
				span <<= 8
				code = code << 8 | (data[position] if position < end else 0)
				position += 1
		base += width
	registers[0] = span
	registers[1] = code
	registers[2] = position
	return cells


static func _toward_zero(state: int, rates: PackedInt64Array) -> int:
	var count := state & 1023
	return state + ((4194304 - (state >> 10)) * rates[count] >> 16 << 10) + (1 if count < 1023 else 0)


static func _toward_one(state: int, rates: PackedInt64Array) -> int:
	var count := state & 1023
	return state - ((state >> 10) * rates[count] >> 16 << 10) + (1 if count < 1023 else 0)
