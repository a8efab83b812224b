extends RefCounted
## The codec `tiles`: grids of up to 256 ids. Every context (a set of neighbours, and where a layer
## of two classes is known the classes of the nine cells around) keeps up to six candidates.

const Stream := preload("stream.gd")
const Bitmap := preload("bitmap.gd")

const _OWN := 4
const _FROM_SIDE := 8
const _SLOTS := 6
const _FOREVER := 255

# Factors of the neighbours in a context's key.
const _MASK := 0xfd7046c5
const _W := 0x9e3779b1
const _N := 0x85ebca77
const _NW := 0xc2b2ae3d
const _NE := 0x27d4eb2f
const _WW := 0x165667b1
const _NN := 0xd3a2646d

# The levels of each menu, coarse to fine, as how many neighbours are in the key.
const _MENUS: Array[PackedInt32Array] = [[0], [2, 4], [2, 4, 6], [0, 2]]
const _MASKED_MENUS: Array[PackedInt32Array] = [[0], [0, 2], [0, 2, 4]]


## Decodes [param width] x [param height] cells of [param size] bytes; nothing when the payload is
## broken. [param side] are the cells of the layer it depends on, as numbers.
static func decode(
	payload: PackedByteArray, width: int, height: int, size: int, signed: bool, side: PackedInt32Array
) -> PackedByteArray:
	var nothing := PackedByteArray()
	if payload.size() < 3 or payload[0] > 31:
		return nothing
	var menu := payload[0] & 3
	var masked := payload[0] & (_OWN | _FROM_SIDE)
	var edge := payload[0] >> 4 & 1
	if masked == _OWN | _FROM_SIDE or (masked and menu >= _MASKED_MENUS.size()):
		return nothing
	var count := payload[1] + 1
	var ids := PackedInt64Array()
	var at := _read_ids(payload, 2, count, size, signed, ids)
	if at < 0:
		return nothing
	var classes := PackedByteArray()
	if masked == _FROM_SIDE:
		if side.size() != width * height:
			return nothing
		var values := _distinct(side)
		if values.size() < 2 or values.size() > 256:
			return nothing
		var by_value := {}
		for i in values.size():
			if at + (i >> 3) >= payload.size():
				return nothing
			by_value[values[i]] = payload[at + (i >> 3)] >> (7 - (i & 7)) & 1
		classes.resize(side.size())
		for i in side.size():
			classes[i] = by_value[side[i]]
		at += (values.size() + 7) >> 3
	elif masked:
		# One bit for each id, which only matters to who reads the ids.
		at += (count + 7) >> 3
	if at > payload.size():
		return nothing
	var registers := Stream.start(payload, at)
	if masked == _OWN:
		classes = Bitmap.read_cells(payload, registers, width, height, edge)
	var levels := _MASKED_MENUS[menu] if masked else _MENUS[menu]
	var dense := _read_dense(payload, registers, width, height, levels, classes, edge, count)
	if dense.is_empty():
		return nothing
	return _spread(dense, ids, size)


# The ids, ascending: the first, then runs of equal gaps. The position after them, or -1.
static func _read_ids(
	payload: PackedByteArray, at: int, count: int, size: int, signed: bool, ids: PackedInt64Array
) -> int:
	var read := Stream.number(payload, at)
	if read[1] < 0:
		return -1
	ids.append(-(read[0] + 1 >> 1) if read[0] & 1 else read[0] >> 1)
	while ids.size() < count:
		var gap := Stream.number(payload, read[1])
		if gap[1] < 0:
			return -1
		read = Stream.number(payload, gap[1])
		if read[1] < 0 or read[0] + 1 > count - ids.size():
			return -1
		for step in read[0] + 1:
			ids.append(ids[-1] + gap[0] + 1)
	var bits := 8 * size - (1 if signed else 0)
	if ids[0] < (-(1 << bits) if signed else 0) or ids[-1] >= 1 << bits:
		return -1
	return read[1]


static func _distinct(values: PackedInt32Array) -> PackedInt32Array:
	var seen := {}
	for value in values:
		seen[value] = true
	var distinct := PackedInt32Array(seen.keys())
	distinct.sort()
	return distinct


static func _spread(dense: PackedByteArray, ids: PackedInt64Array, size: int) -> PackedByteArray:
	if size == 1:
		for i in dense.size():
			dense[i] = ids[dense[i]]
		return dense
	var cells := PackedByteArray()
	cells.resize(dense.size() * size)
	for i in dense.size():
		if size == 2:
			cells.encode_u16(i * 2, ids[dense[i]])
		else:
			cells.encode_s32(i * 4, ids[dense[i]])
	return cells


# The index of every cell's id; nothing when one is out of range.
static func _read_dense(
	data: PackedByteArray,
	registers: PackedInt64Array,
	width: int,
	height: int,
	levels: PackedInt32Array,
	classes: PackedByteArray,
	edge: int,
	count: int
) -> PackedByteArray:
	var masked := not classes.is_empty()
	var depth := _bit_length(maxi(1, count - 1))
	var hashed := clampi(_bit_length(maxi(0, width * height - 1)), 8, 16)
	var fine := levels.size() - 1
	# Contexts of all levels one after the other; at most three levels.
	var first_1 := (512 if masked else 1) if levels[0] == 0 else 1 << hashed
	var first_2 := first_1 + (1 << hashed)
	var contexts := first_1 + fine * (1 << hashed)
	var shift := 32 - hashed
	var coarse := levels[0]
	var finest := levels[fine]
	var candidates := PackedByteArray()
	candidates.resize(contexts * _SLOTS)
	var states := PackedInt64Array()
	states.resize(contexts * _SLOTS)
	var lengths := PackedByteArray()
	lengths.resize(contexts)
	var seen := PackedByteArray()
	seen.resize(contexts)
	var literals := PackedInt64Array()
	literals.resize(512)
	literals.fill(Stream.FRESH)
	var flags := PackedInt64Array([Stream.FRESH, Stream.FRESH])
	var rates := Stream.rates()
	var span := registers[0]
	var code := registers[1]
	var position := registers[2]
	var end := data.size()
	var dense := PackedByteArray()
	dense.resize(width * height)
	# Ids + 1 of the two rows above and of this one, framed by two zeros on either side.
	var above_2 := PackedInt32Array()
	above_2.resize(width + 4)
	var above := above_2.duplicate()
	var here := above_2.duplicate()
	# The classes of the three rows around, one number a column: bits 6, 3 and 0.
	var columns := PackedInt32Array()
	columns.resize(width + 2)
	columns.fill(73 * edge)
	if masked:
		for x in width:
			columns[x + 1] = edge << 3 | classes[x]
	var mask := 0
	var own := 0
	var largest := 0
	for y in height:
		var base := y * width
		if masked:
			_next_columns(columns, classes, width, height, y, edge)
			mask = columns[0] << 1 | columns[1]
		var w := 0
		var ww := 0
		var n := 0
		var nw := 0
		var ne := above[2]
		for x in width:
			nw = n
			n = ne
			ne = above[x + 3]
			var tile := -1
			var told := false
			var parent := 0
			var context := 0
			var middle := -1
			if masked:
				mask = (mask << 1 & 0x1b6) | columns[x + 2]
				if lengths[mask] == _FOREVER:
					tile = candidates[mask * _SLOTS]
					dense[base + x] = tile
					ww = w
					w = tile + 1
					here[x + 2] = w
					continue
				own = mask >> 4 & 1
				parent = mask
				if lengths[mask] == 0:
					told = true
					var state := flags[own]
					var bound := (span >> 16) * (state >> 16 | 1)
					var moved := rates[state & 1023]
					if code < bound:
						span = bound
						flags[own] = state + ((4194304 - (state >> 10)) * moved >> 16 << 10)
					else:
						code -= bound
						span -= bound
						flags[own] = state - ((state >> 10) * moved >> 16 << 10)
						tile = -2
					if state & 1023 < 255:
						flags[own] += 1
					while span < 16777216:
						span <<= 8
						code = code << 8 | (data[position] if position < end else 0)
						position += 1
			context = parent
			if finest > 0:
				var key := w * _W + n * _N
				if masked:
					key += mask * _MASK
				if coarse == 2:
					parent = (key & 0xffffffff) >> shift
					context = parent
				if fine > 0:
					if coarse == 2:
						key += nw * _NW + ne * _NE
					context = first_1 + ((key & 0xffffffff) >> shift)
					if lengths[context] == 0:
						_inherit(context, parent, candidates, states, lengths)
					if fine > 1:
						middle = context
						if coarse == 2:
							key += ww * _WW + above_2[x + 2] * _NN
						else:
							key += nw * _NW + ne * _NE
						context = first_2 + ((key & 0xffffffff) >> shift)
						if lengths[context] == 0:
							_inherit(context, middle, candidates, states, lengths)
			var slot := context * _SLOTS
			var last := slot + lengths[context]
			if not told:
				while slot < last:
					var state := states[slot]
					var bound := (span >> 16) * (state >> 16 | 1)
					var met := state & 1023
					if code < bound:
						span = bound
						state += (4194304 - (state >> 10)) * rates[met] >> 16 << 10
						tile = candidates[slot]
					else:
						code -= bound
						span -= bound
						state -= (state >> 10) * rates[met] >> 16 << 10
					states[slot] = state + 1 if met < 255 else state
					while span < 16777216:
						span <<= 8
						code = code << 8 | (data[position] if position < end else 0)
						position += 1
					if tile >= 0:
						break
					slot += 1
			var forever := tile == -2
			var fresh := tile < 0
			if fresh:
				var node := 1
				var tree := own << 8
				for bit in depth:
					var state := literals[tree + node]
					var bound := (span >> 16) * (state >> 16 | 1)
					var met := state & 1023
					if code < bound:
						span = bound
						state += (4194304 - (state >> 10)) * rates[met] >> 16 << 10
						literals[tree + node] = state + 1 if met < 255 else state
						node = node << 1
					else:
						code -= bound
						span -= bound
						state -= (state >> 10) * rates[met] >> 16 << 10
						literals[tree + node] = state + 1 if met < 255 else state
						node = node << 1 | 1
					while span < 16777216:
						span <<= 8
						code = code << 8 | (data[position] if position < end else 0)
						position += 1
				tile = node - (1 << depth)
				largest = maxi(largest, tile)
			dense[base + x] = tile
			ww = w
			w = tile + 1
			here[x + 2] = w
			if forever:
				candidates[mask * _SLOTS] = tile
				lengths[mask] = _FOREVER
				continue
			# The finest context has learnt while it was read, but for a new id.
			if fresh:
				if told:
					_learn(context, tile, candidates, states, lengths, rates)
				elif last < context * _SLOTS + _SLOTS:
					_add(context, tile, candidates, states, lengths, rates)
			if seen[context] >= 8:
				continue
			seen[context] += 1
			if fine > 1:
				_learn(middle, tile, candidates, states, lengths, rates)
				if seen[middle] >= 8:
					continue
				seen[middle] += 1
			if fine > 0:
				_learn(parent, tile, candidates, states, lengths, rates)
				if seen[parent] < 8:
					seen[parent] += 1
		var spare := above_2
		above_2 = above
		above = here
		here = spare
	registers[0] = span
	registers[1] = code
	registers[2] = position
	return dense if largest < count else PackedByteArray()


static func _next_columns(
	columns: PackedInt32Array,
	classes: PackedByteArray,
	width: int,
	height: int,
	y: int,
	edge: int
) -> void:
	if y + 1 < height:
		var below := (y + 1) * width - 1
		for x in range(1, width + 1):
			columns[x] = (columns[x] & 9) << 3 | classes[below + x]
	else:
		for x in range(1, width + 1):
			columns[x] = (columns[x] & 9) << 3 | edge


# A context never met starts with its parent's candidates, as if each was met at most twice.
static func _inherit(
	child: int,
	parent: int,
	candidates: PackedByteArray,
	states: PackedInt64Array,
	lengths: PackedByteArray
) -> void:
	lengths[child] = lengths[parent]
	var to := child * _SLOTS
	var from := parent * _SLOTS
	for slot in lengths[parent]:
		candidates[to + slot] = candidates[from + slot]
		var state := states[from + slot]
		states[to + slot] = (state & ~1023) | mini(state & 1023, 2)


# Moves a context's states towards the id that came; a new id takes a free place.
static func _learn(
	context: int,
	tile: int,
	candidates: PackedByteArray,
	states: PackedInt64Array,
	lengths: PackedByteArray,
	rates: PackedInt64Array
) -> void:
	var slot := context * _SLOTS
	var last := slot + lengths[context]
	while slot < last:
		var state := states[slot]
		var met := state & 1023
		if candidates[slot] == tile:
			state += (4194304 - (state >> 10)) * rates[met] >> 16 << 10
			states[slot] = state + 1 if met < 255 else state
			return
		state -= (state >> 10) * rates[met] >> 16 << 10
		states[slot] = state + 1 if met < 255 else state
		slot += 1
	if lengths[context] < _SLOTS:
		_add(context, tile, candidates, states, lengths, rates)


static func _add(
	context: int,
	tile: int,
	candidates: PackedByteArray,
	states: PackedInt64Array,
	lengths: PackedByteArray,
	rates: PackedInt64Array
) -> void:
	var slot := context * _SLOTS + lengths[context]
	candidates[slot] = tile
	states[slot] = Stream.FRESH + ((4194304 - (Stream.FRESH >> 10)) * rates[0] >> 16 << 10) + 1
	lengths[context] += 1


static func _bit_length(value: int) -> int:
	var bits := 0
	while value > 0:
		value >>= 1
		bits += 1
	return bits
