extends RefCounted
## The codec `bitmap`: grids of two values, each cell in the context of twelve neighbours.

const Stream := preload("stream.gd")


## Decodes [param width] x [param height] cells of [param size] bytes; nothing when the payload is
## broken.
static func decode(
	payload: PackedByteArray, width: int, height: int, size: int, truth: bool
) -> PackedByteArray:
	var nothing := PackedByteArray()
	if payload.is_empty() or payload[0] > 3:
		return nothing
	var own_values := payload[0] & 2 != 0
	var start := 1 + (2 * size if own_values else 0)
	if start > payload.size() or (own_values and truth):
		return nothing
	var registers := Stream.start(payload, start)
	var cells := read_cells(payload, registers, width, height, payload[0] & 1)
	if not own_values and size == 1:
		return cells
	var values := [PackedByteArray(), PackedByteArray()]
	for which in 2:
		values[which].resize(size)
		if own_values:
			values[which] = payload.slice(1 + which * size, 1 + (which + 1) * size)
		else:
			values[which][0] = which
	if size == 1:
		var low: int = values[0][0]
		var high: int = values[1][0]
		for i in cells.size():
			cells[i] = high if cells[i] else low
		return cells
	var wide := PackedByteArray()
	wide.resize(cells.size() * size)
	for i in cells.size():
		for byte in size:
			wide[i * size + byte] = values[cells[i]][byte]
	return wide


## Reads a grid of 0 and 1 from where the registers stand, and moves them on.
static func read_cells(
	data: PackedByteArray, registers: PackedInt64Array, width: int, height: int, edge: int
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
	pairs.fill(3 * edge)
	var large := PackedInt64Array()
	large.resize(4096)
	# Four neighbours' contexts, by bits 1, 4, 6 and 8 of the window and the left cell's.
	var small := PackedInt64Array()
	small.resize(256)
	small.fill(Stream.FRESH)
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
