extends RefCounted
## The codec `heights`: samples predicted from up to 24 neighbours, the misses coded with rANS.

const Stream := preload("stream.gd")
const Numbers := preload("numbers.gd")
const Simple := preload("simple.gd")

const _TOKENS := 80
const _LARGEST_TOKEN := 63
const _TOTAL := 4096
const _MOST_TABLES := 8
const _MOST_TAPS := 24
const _LARGEST_FACTOR := 1 << 27
const _RANS_LOW := 1 << 23
# Energies below this are looked up.
const _QUICK := 8192


## How a grid is predicted: the lowest sample, the span above it, the neighbours' factors (2^-18).
class Prediction:
	extends RefCounted
	var lowest := 0
	var span := 0
	var factors := PackedInt64Array()

	func fits(size: int, signed: bool) -> bool:
		var bits := 8 * size - (1 if signed else 0)
		return (
			lowest >= (-(1 << bits) if signed else 0)
			and lowest + span < 1 << bits
			and span < 1 << 16
			and not factors.is_empty()
		)


## Decodes [param width] x [param height] cells of [param size] bytes; nothing when the payload is
## broken.
static func decode(
	payload: PackedByteArray, width: int, height: int, size: int, signed: bool
) -> PackedByteArray:
	var nothing := PackedByteArray()
	var head_size := Stream.number(payload, 0)
	if head_size[1] < 0 or head_size[0] > payload.size() - head_size[1]:
		return nothing
	var head_end := head_size[1] + head_size[0]
	var reader := Numbers.new(payload.slice(head_size[1], head_end))
	var prediction := read_prediction(reader, Numbers.model())
	var classes := PackedByteArray()
	var frequencies := _read_tables(reader, classes)
	var coded_size := Stream.number(payload, head_end)
	if (
		reader.broken
		or frequencies.is_empty()
		or not prediction.fits(size, signed)
		or coded_size[1] < 0
		or coded_size[0] > payload.size() - coded_size[1]
	):
		return nothing
	var raw_at := coded_size[1] + coded_size[0]
	var residuals := _read_residuals(
		payload, coded_size[1], raw_at, width, height, classes, _places(frequencies)
	)
	if residuals.is_empty():
		return nothing
	return restore(prediction, residuals, width, height, size)


## Reads a prediction; [member Prediction.factors] stays empty when it is out of range.
static func read_prediction(reader: Numbers, model: PackedInt64Array) -> Prediction:
	var prediction := Prediction.new()
	prediction.lowest = reader.folded(model)
	prediction.span = reader.number(model)
	var count := reader.number(model)
	if count < 1 or count > _MOST_TAPS:
		reader.broken = true
		return prediction
	var factors := PackedInt64Array()
	for i in count:
		factors.append(reader.folded(model))
		if absi(factors[i]) > _LARGEST_FACTOR:
			reader.broken = true
	if not reader.broken:
		prediction.factors = factors
	return prediction


# The frequencies, 80 for each table, and the table of each energy; nothing when broken.
static func _read_tables(reader: Numbers, classes: PackedByteArray) -> PackedInt32Array:
	var nothing := PackedInt32Array()
	var head := Numbers.model()
	var tables := reader.number(head) + 1
	if tables > _MOST_TABLES:
		return nothing
	for table in tables - 1:
		var run := reader.number(head)
		if run > _TOKENS - classes.size():
			return nothing
		for i in run:
			classes.append(table)
	while classes.size() < _TOKENS:
		classes.append(tables - 1)
	var models: Array[PackedInt64Array] = []
	for i in 14:
		models.append(Numbers.model())
	var frequencies := PackedInt32Array()
	frequencies.resize(tables * _TOKENS)
	for table in tables:
		var last := reader.number(head)
		if last > _LARGEST_TOKEN:
			return nothing
		var before := 0
		var sum := 0
		for token in last + 1:
			before = reader.number(models[Stream.bit_length(before)])
			sum += before
			if before > _TOTAL or reader.broken:
				return nothing
			frequencies[table * _TOKENS + token] = before
		if sum != _TOTAL:
			return nothing
	return frequencies


# For each table and place of 0 to 4095 the token there (8 bits), its frequency (16 bits) and how
# far the place lies in it.
static func _places(frequencies: PackedInt32Array) -> PackedInt64Array:
	var places := PackedInt64Array()
	@warning_ignore("integer_division")
	places.resize(frequencies.size() / _TOKENS * _TOTAL)
	var at := 0
	for i in frequencies.size():
		var packed := i % _TOKENS | frequencies[i] << 8
		for offset in frequencies[i]:
			places[at] = packed | offset << 24
			at += 1
	return places


# The folded residuals; nothing when the streams do not end where they should.
static func _read_residuals(
	data: PackedByteArray,
	coded_at: int,
	raw_at: int,
	width: int,
	height: int,
	classes: PackedByteArray,
	places: PackedInt64Array
) -> PackedInt32Array:
	var nothing := PackedInt32Array()
	var coded_end := raw_at
	var raw_end := data.size()
	if coded_end - coded_at < 4:
		return nothing
	var state := data[coded_at] << 24 | data[coded_at + 1] << 16
	state |= data[coded_at + 2] << 8 | data[coded_at + 3]
	coded_at += 4
	# The table, as its first place, by energy: the weighted sizes of the residuals around.
	var quick := PackedInt32Array()
	quick.resize(_QUICK)
	for energy in _QUICK:
		quick[energy] = classes[_token(energy)] * _TOTAL
	var residuals := PackedInt32Array()
	residuals.resize(width * height)
	# The sizes of the residuals of the row above and, before x, of this one; the one after the
	# last stays 0.
	var sizes := PackedInt32Array()
	sizes.resize(width + 2)
	var held := 0
	var bits := 0
	var i := 0
	for y in height:
		var w := 0
		var nw := 0
		var n := sizes[0]
		for x in width:
			var ne := sizes[x + 1]
			var energy := 2 * (w + n) + nw + ne
			var table := quick[energy] if energy < _QUICK else classes[_token(energy)] * _TOTAL
			var entry := places[table + (state & 4095)]
			var value := entry & 255
			state = (entry >> 8 & 0xffff) * (state >> 12) + (entry >> 24)
			while state < _RANS_LOW:
				if coded_at >= coded_end:
					return nothing
				state = state << 8 | data[coded_at]
				coded_at += 1
			if value >= 8:
				var extra := (value >> 2) - 1
				while bits < extra:
					if raw_at >= raw_end:
						return nothing
					held |= data[raw_at] << bits
					raw_at += 1
					bits += 8
				value = (value & 3 | 4) << extra | held & ((1 << extra) - 1)
				held >>= extra
				bits -= extra
			residuals[i] = value
			i += 1
			nw = n
			n = ne
			w = (value + 1) >> 1
			sizes[x] = w
	if coded_at != coded_end or raw_at != raw_end or state != _RANS_LOW:
		return nothing
	return residuals


## The samples, as little-endian bytes, that have these residuals; nothing when one is out of
## range.
static func restore(
	prediction: Prediction, residuals: PackedInt32Array, width: int, height: int, size: int
) -> PackedByteArray:
	# Three columns to the left and right and three rows above are filled with near samples, so that
	# every sample has all its neighbours.
	var stride := width + 6
	var work := PackedInt32Array()
	work.resize(stride * (height + 3))
	var taps := prediction.factors.size()
	var factors := prediction.factors.duplicate()
	factors.resize(_MOST_TAPS)
	if not _first_row(work, stride, residuals, prediction.span):
		return PackedByteArray()
	for y in range(1, height):
		var start := (y + 3) * stride + 3
		for x in range(1, 4):
			work[start - x] = work[start - stride]
		var good := false
		if taps <= 6:
			good = _row_6(work, start, stride, width, residuals, y * width, factors, prediction.span)
		elif taps <= 10:
			good = _row_10(work, start, stride, width, residuals, y * width, factors, prediction.span)
		else:
			good = _row_24(work, start, stride, width, residuals, y * width, factors, prediction.span)
		if not good:
			return PackedByteArray()
		_finish_row(work, start, width)
	return _samples(work, stride, width, height, prediction.lowest, size)


static func _first_row(
	work: PackedInt32Array, stride: int, residuals: PackedInt32Array, span: int
) -> bool:
	var width := stride - 6
	var start := 3 * stride + 3
	var value := (span + 1) >> 1
	for x in width:
		var folded := residuals[x]
		value += -(folded >> 1) - 1 if folded & 1 else folded >> 1
		if value < 0 or value > span:
			return false
		work[start + x] = value
	_finish_row(work, start, width)
	for x in stride:
		for row in 3:
			work[row * stride + x] = work[3 * stride + x]
	return true


static func _finish_row(work: PackedInt32Array, start: int, width: int) -> void:
	for x in range(1, 4):
		work[start - x] = work[start]
		work[start + width - 1 + x] = work[start + width - 1]


# The rows below differ only in how many neighbours they look at. Neighbours move along in locals,
# named by row (0 is this one, 1 the one above) and by column (l left, r right).
static func _row_6(
	work: PackedInt32Array,
	start: int,
	stride: int,
	width: int,
	residuals: PackedInt32Array,
	at: int,
	f: PackedInt64Array,
	span: int
) -> bool:
	var f0 := f[0]
	var f1 := f[1]
	var f2 := f[2]
	var f3 := f[3]
	var f4 := f[4]
	var f5 := f[5]
	var up := start - stride
	var up_2 := up - stride
	var l1_0 := work[start - 1]
	var l2_0 := work[start - 2]
	var l1_1 := work[up - 1]
	var m_1 := work[up]
	for x in width:
		var r1_1 := work[up + x + 1]
		var total := (
			131072 + f0 * l1_0 + f1 * m_1 + f2 * l1_1 + f3 * r1_1 + f4 * l2_0 + f5 * work[up_2 + x]
		)
		var folded := residuals[at + x]
		var value := -(folded >> 1) - 1 if folded & 1 else folded >> 1
		if total > 0:
			total >>= 18
			value += span if total > span else total
		if value < 0 or value > span:
			return false
		work[start + x] = value
		l2_0 = l1_0
		l1_0 = value
		l1_1 = m_1
		m_1 = r1_1
	return true


static func _row_10(
	work: PackedInt32Array,
	start: int,
	stride: int,
	width: int,
	residuals: PackedInt32Array,
	at: int,
	f: PackedInt64Array,
	span: int
) -> bool:
	var f0 := f[0]
	var f1 := f[1]
	var f2 := f[2]
	var f3 := f[3]
	var f4 := f[4]
	var f5 := f[5]
	var f6 := f[6]
	var f7 := f[7]
	var f8 := f[8]
	var f9 := f[9]
	var up := start - stride
	var up_2 := up - stride
	var l1_0 := work[start - 1]
	var l2_0 := work[start - 2]
	var l2_1 := work[up - 2]
	var l1_1 := work[up - 1]
	var m_1 := work[up]
	var r1_1 := work[up + 1]
	var l1_2 := work[up_2 - 1]
	var m_2 := work[up_2]
	for x in width:
		var r2_1 := work[up + x + 2]
		var r1_2 := work[up_2 + x + 1]
		var total := (
			131072 + f0 * l1_0 + f1 * m_1 + f2 * l1_1 + f3 * r1_1 + f4 * l2_0 + f5 * m_2
			+ f6 * l2_1 + f7 * r2_1 + f8 * l1_2 + f9 * r1_2
		)
		var folded := residuals[at + x]
		var value := -(folded >> 1) - 1 if folded & 1 else folded >> 1
		if total > 0:
			total >>= 18
			value += span if total > span else total
		if value < 0 or value > span:
			return false
		work[start + x] = value
		l2_0 = l1_0
		l1_0 = value
		l2_1 = l1_1
		l1_1 = m_1
		m_1 = r1_1
		r1_1 = r2_1
		l1_2 = m_2
		m_2 = r1_2
	return true


static func _row_24(
	work: PackedInt32Array,
	start: int,
	stride: int,
	width: int,
	residuals: PackedInt32Array,
	at: int,
	f: PackedInt64Array,
	span: int
) -> bool:
	var up := start - stride
	var up_2 := up - stride
	var up_3 := up_2 - stride
	var l1_0 := work[start - 1]
	var l2_0 := work[start - 2]
	var l3_0 := work[start - 3]
	var f0 := f[0]
	var f1 := f[1]
	var f2 := f[2]
	var f3 := f[3]
	var f4 := f[4]
	var f5 := f[5]
	var f6 := f[6]
	var f7 := f[7]
	var f8 := f[8]
	var f9 := f[9]
	var f10 := f[10]
	var f11 := f[11]
	var f12 := f[12]
	var f13 := f[13]
	var f14 := f[14]
	var f15 := f[15]
	var f16 := f[16]
	var f17 := f[17]
	var f18 := f[18]
	var f19 := f[19]
	var f20 := f[20]
	var f21 := f[21]
	var f22 := f[22]
	var f23 := f[23]
	var wide := f18 != 0 or f19 != 0 or f20 != 0 or f21 != 0 or f22 != 0 or f23 != 0
	var l3_1 := work[up - 3]
	var l2_1 := work[up - 2]
	var l1_1 := work[up - 1]
	var m_1 := work[up]
	var r1_1 := work[up + 1]
	var r2_1 := work[up + 2]
	var l3_2 := work[up_2 - 3]
	var l2_2 := work[up_2 - 2]
	var l1_2 := work[up_2 - 1]
	var m_2 := work[up_2]
	var r1_2 := work[up_2 + 1]
	var r2_2 := work[up_2 + 2]
	var l3_3 := work[up_3 - 3]
	var l2_3 := work[up_3 - 2]
	var l1_3 := work[up_3 - 1]
	var m_3 := work[up_3]
	var r1_3 := work[up_3 + 1]
	var r2_3 := work[up_3 + 2]
	for x in width:
		var r3_1 := work[up + x + 3]
		var r3_2 := work[up_2 + x + 3]
		var r3_3 := work[up_3 + x + 3]
		var total := (
			131072 + f0 * l1_0 + f1 * m_1 + f2 * l1_1 + f3 * r1_1 + f4 * l2_0 + f5 * m_2
			+ f6 * l2_1 + f7 * r2_1 + f8 * l1_2 + f9 * r1_2 + f10 * l2_2 + f11 * r2_2
			+ f12 * l3_0 + f13 * m_3 + f14 * l3_1 + f15 * r3_1 + f16 * l1_3 + f17 * r1_3
		)
		if wide:
			total += (
				f18 * l3_2 + f19 * r3_2 + f20 * l2_3 + f21 * r2_3 + f22 * l3_3 + f23 * r3_3
			)
		var folded := residuals[at + x]
		var value := -(folded >> 1) - 1 if folded & 1 else folded >> 1
		if total > 0:
			total >>= 18
			value += span if total > span else total
		if value < 0 or value > span:
			return false
		work[start + x] = value
		l3_0 = l2_0
		l2_0 = l1_0
		l1_0 = value
		l3_1 = l2_1
		l2_1 = l1_1
		l1_1 = m_1
		m_1 = r1_1
		r1_1 = r2_1
		r2_1 = r3_1
		l3_2 = l2_2
		l2_2 = l1_2
		l1_2 = m_2
		m_2 = r1_2
		r1_2 = r2_2
		r2_2 = r3_2
		l3_3 = l2_3
		l2_3 = l1_3
		l1_3 = m_3
		m_3 = r1_3
		r1_3 = r2_3
		r2_3 = r3_3
	return true


static func _samples(
	work: PackedInt32Array, stride: int, width: int, height: int, lowest: int, size: int
) -> PackedByteArray:
	var cells := PackedByteArray()
	cells.resize(width * height * size)
	var i := 0
	for y in height:
		var start := (y + 3) * stride + 3
		match size:
			1:
				for x in width:
					cells[i + x] = work[start + x] + lowest
			2:
				for x in width:
					cells.encode_u16(i + x * 2, work[start + x] + lowest)
			_:
				for x in width:
					cells.encode_s32(i + x * 4, work[start + x] + lowest)
		i += width * size
	return cells


# The token of a number: itself below 4, else its bit length and the two bits after the first.
static func _token(value: int) -> int:
	if value < 4:
		return value
	var length := Stream.bit_length(value)
	return 4 * (length - 2) + (value >> (length - 3) & 3)

