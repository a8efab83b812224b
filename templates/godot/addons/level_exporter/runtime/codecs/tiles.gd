extends RefCounted
## The codec `tiles`: grids of up to 256 ids. Every context (a set of neighbours, and where a layer
## of two classes is known the classes of the nine cells around) keeps up to six candidates.

const Stream := preload("stream.gd")
const Bitmap := preload("bitmap.gd")

const _OWN := 4
const _FROM_SIDE := 8
const _SLOTS := 6
# The length of a context with one id for good, and of one of which only the prior said so.
const _FOREVER := 255
const _ONCE := 254

# Factors of the neighbours in a context's key.
const _MASK := 0xfd7046c5
const _W := 0x9e3779b1
const _N := 0x85ebca77
const _NW := 0xc2b2ae3d
const _NE := 0x27d4eb2f
const _WW := 0x165667b1
const _NN := 0xd3a2646d

# The levels of each menu, coarse to fine, three numbers a menu: how many neighbours are in the
# level's key, -1 for no level.
const _MENUS: PackedInt32Array = [0, -1, -1, 2, 4, -1, 2, 4, 6, 0, 2, -1]
const _MASKED_MENUS: PackedInt32Array = [0, -1, -1, 0, 2, -1, 0, 2, 4]
const _MOST_LEVELS := 3


## The head and the learned state of a stream: a payload with a prior continues from both.
class Model:
	extends RefCounted
	var flags := 0
	var ids := PackedInt64Array()
	# The class of each id, or of each distinct value of the side layer.
	var classes := PackedByteArray()
	var layer := Bitmap.Model.new()
	# Contexts of all levels one after the other, at most three levels, coarse to fine.
	var levels := PackedInt32Array()
	var hashed := 0
	var candidates := PackedByteArray()
	var states := PackedInt64Array()
	var lengths := PackedByteArray()
	var seen := PackedByteArray()
	var literals := PackedInt64Array()
	var flag_states := PackedInt64Array([Stream.FRESH, Stream.FRESH])

	func is_masked() -> bool:
		return flags & (_OWN | _FROM_SIDE) != 0

	func make_tables(cells: int) -> void:
		layer.edge = flags >> 4 & 1
		var first := (flags & 3) * _MOST_LEVELS
		for i in _MOST_LEVELS:
			var level := _MASKED_MENUS[first + i] if is_masked() else _MENUS[first + i]
			if level >= 0:
				levels.append(level)
		hashed = clampi(Stream.bit_length(maxi(0, cells - 1)), 8, 16)
		# Only the coarsest level may have no neighbours in its key: that is the mask alone, or nothing.
		var contexts := levels.size() << hashed
		if levels[0] == 0:
			contexts += (512 if is_masked() else 1) - (1 << hashed)
		candidates.resize(contexts * _SLOTS)
		states.resize(contexts * _SLOTS)
		lengths.resize(contexts)
		seen.resize(contexts)
		literals.resize(512)
		literals.fill(Stream.FRESH)

	# The model as others go on from it.
	func copy() -> Model:
		var other := Model.new()
		other.flags = flags
		other.ids = ids
		other.classes = classes
		other.layer = layer.copy()
		other.levels = levels
		other.hashed = hashed
		other.candidates = candidates.duplicate()
		other.states = states.duplicate()
		other.lengths = lengths.duplicate()
		for context in other.lengths.size():
			if other.lengths[context] == _FOREVER:
				other.lengths[context] = _ONCE
		other.seen = seen.duplicate()
		other.literals = literals.duplicate()
		other.flag_states = flag_states.duplicate()
		return other


## Reads a head into a fresh [param model] for a grid of [param cells] and returns where the stream
## begins; -1 when it is broken.
static func read_head(
	payload: PackedByteArray, cells: int, size: int, signed: bool, side: PackedInt32Array, model: Model
) -> int:
	if payload.size() < 3 or payload[0] > 31:
		return -1
	model.flags = payload[0]
	var masked := payload[0] & (_OWN | _FROM_SIDE)
	if masked == _OWN | _FROM_SIDE or (masked and payload[0] & 3 >= _MOST_LEVELS):
		return -1
	var count := payload[1] + 1
	var at := _read_ids(payload, 2, count, size, signed, model.ids)
	if at < 0:
		return -1
	var class_count := 0
	if masked == _OWN:
		class_count = count
	elif masked == _FROM_SIDE:
		class_count = _distinct(side).size() if side.size() == cells else 0
		if class_count < 2 or class_count > 256:
			return -1
	if at + ((class_count + 7) >> 3) > payload.size():
		return -1
	for i in class_count:
		model.classes.append(payload[at + (i >> 3)] >> (7 - (i & 7)) & 1)
	model.make_tables(cells)
	return at + ((class_count + 7) >> 3)


## Decodes [param width] x [param height] cells from the stream at [param at]; nothing when an id is
## out of range. [param side] are the cells of the layer it depends on, as numbers.
static func decode(
	payload: PackedByteArray,
	at: int,
	width: int,
	height: int,
	size: int,
	side: PackedInt32Array,
	model: Model
) -> PackedByteArray:
	var registers := Stream.start(payload, at)
	var classes := PackedByteArray()
	if model.flags & _OWN:
		classes = Bitmap.read_cells(payload, registers, width, height, model.layer)
	elif model.flags & _FROM_SIDE:
		var values := _distinct(side)
		if side.size() != width * height or values.size() > model.classes.size():
			return classes
		var by_value := {}
		for i in values.size():
			by_value[values[i]] = model.classes[i]
		classes.resize(side.size())
		for i in side.size():
			classes[i] = by_value[side[i]]
	var dense := _read_dense(payload, registers, width, height, classes, model)
	return dense if dense.is_empty() else _spread(dense, model.ids, size)


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
	classes: PackedByteArray,
	model: Model
) -> PackedByteArray:
	var masked := not classes.is_empty()
	var count := model.ids.size()
	var depth := Stream.bit_length(maxi(1, count - 1))
	var levels := model.levels
	var fine := levels.size() - 1
	var coarse := levels[0]
	# Whether any context looks at the ids around.
	var near := levels[fine] > 0
	var shift := 32 - model.hashed
	var first_1 := (512 if masked else 1) if coarse == 0 else 1 << model.hashed
	var first_2 := first_1 + (1 << model.hashed)
	var candidates := model.candidates
	var states := model.states
	var lengths := model.lengths
	var seen := model.seen
	var literals := model.literals
	var flags := model.flag_states
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
	var edge := model.layer.edge
	columns.fill(73 * edge)
	if masked:
		for x in width:
			columns[x + 1] = edge << 3 | classes[x]
	# The states of a context before its slots were decided.
	var before := PackedInt64Array()
	before.resize(_SLOTS)
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
			if near:
				nw = n
				n = ne
				ne = above[x + 3]
			var tile := -1
			var class_count := false
			var parent := 0
			var context := 0
			var middle := -1
			if masked:
				mask = (mask << 1 & 0x1b6) | columns[x + 2]
				own = mask >> 4 & 1
				var length := lengths[mask]
				if length == _ONCE:
					# The prior had one id for good: a decision says whether that goes on.
					var state := flags[own]
					var bound := (span >> 16) * (state >> 16 | 1)
					var again := 0
					if code < bound:
						span = bound
					else:
						code -= bound
						span -= bound
						again = 1
					flags[own] = Stream.moved(state, again)
					while span < 16777216:
						span <<= 8
						code = code << 8 | (data[position] if position < end else 0)
						position += 1
					length = _FOREVER if again else 1
					lengths[mask] = length
					states[mask * _SLOTS] = Stream.moved(Stream.FRESH, 0)
				if length == _FOREVER:
					tile = candidates[mask * _SLOTS]
					dense[base + x] = tile
					if near:
						ww = w
						w = tile + 1
						here[x + 2] = w
					continue
				parent = mask
				if length == 0:
					class_count = true
					var state := flags[own]
					var bound := (span >> 16) * (state >> 16 | 1)
					if code < bound:
						span = bound
						flags[own] = Stream.moved(state, 0)
					else:
						code -= bound
						span -= bound
						flags[own] = Stream.moved(state, 1)
						tile = -2
					while span < 16777216:
						span <<= 8
						code = code << 8 | (data[position] if position < end else 0)
						position += 1
			context = parent
			if near:
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
			var first := context * _SLOTS
			var slot := first
			var last := slot + lengths[context]
			if not class_count:
				while slot < last:
					var state := states[slot]
					before[slot - first] = state
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
			if near:
				ww = w
				w = tile + 1
				here[x + 2] = w
			if forever:
				candidates[mask * _SLOTS] = tile
				lengths[mask] = _FOREVER
				continue
			# The finest context has learnt while it was read, but for a new id.
			if fresh:
				if class_count:
					_learn(context, tile, candidates, states, lengths, rates)
				else:
					slot = first
					while slot < last and candidates[slot] != tile:
						slot += 1
					if slot < last:
						# No writer repeats an id that the context has: treat it as found there.
						for after in range(slot, last):
							states[after] = before[after - first]
						states[slot] = Stream.moved(states[slot], 0)
					elif last < first + _SLOTS:
						_add(context, tile, candidates, states, lengths)
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
		_add(context, tile, candidates, states, lengths)


static func _add(
	context: int,
	tile: int,
	candidates: PackedByteArray,
	states: PackedInt64Array,
	lengths: PackedByteArray
) -> void:
	var slot := context * _SLOTS + lengths[context]
	candidates[slot] = tile
	states[slot] = Stream.moved(Stream.FRESH, 0)
	lengths[context] += 1

