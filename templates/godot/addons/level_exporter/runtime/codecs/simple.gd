extends RefCounted
## The codecs without statistics: stored, zlib and pack. Each turns a payload into the cells'
## little-endian bytes, exactly `count * size` of them, or into nothing when the payload does not
## hold that (an empty result for cells that are not empty means damage).

const _PLAIN := 0
const _BITS := 1
const _PLANES := 2
const _STEPS := 3
const _VALUES := 4
# Bytes that are inflated at a time.
const _STEP := 1 << 16


## The cells as they are.
static func stored(payload: PackedByteArray, count: int, size: int) -> PackedByteArray:
	return payload if payload.size() == count * size else PackedByteArray()


## A zlib stream behind one byte that selects the layout of the cells in it.
static func zlib(payload: PackedByteArray, width: int, height: int, size: int) -> PackedByteArray:
	var nothing := PackedByteArray()
	var count := width * height
	if payload.is_empty() or payload[0] > _VALUES or (payload[0] >= _STEPS and size != 2):
		return nothing
	if payload[0] == _VALUES:
		return _from_values(payload, count)
	@warning_ignore("integer_division")
	var expected := (count + 7) / 8 if payload[0] == _BITS else count * size
	if expected == 0:
		return nothing
	var raw := inflate(payload.slice(1), expected)
	if raw.size() != expected:
		return nothing
	match payload[0]:
		_BITS:
			return _unpack_bits(raw, count, size)
		_PLANES:
			return _join_planes(raw, count, size)
		_STEPS:
			return _from_steps(raw, width, height)
	return raw


## Inflates a zlib stream of exactly [param expected] bytes; empty when it is not one.
static func inflate(stream: PackedByteArray, expected: int) -> PackedByteArray:
	var raw := PackedByteArray()
	# The engine takes no more than the stream, so with one byte more behind it, it must stop there.
	var rest := stream.duplicate()
	rest.append(0)
	var peer := StreamPeerGZIP.new()
	peer.start_decompression(true, _STEP)
	var consumed := 0
	while raw.size() <= expected:
		var answer := peer.put_partial_data(rest)
		var ready := peer.get_available_bytes()
		if answer[0] != OK or (answer[1] == 0 and ready == 0):
			break
		consumed += answer[1]
		rest = rest.slice(answer[1])
		raw.append_array(peer.get_partial_data(ready)[1])
	return raw if raw.size() == expected and consumed == stream.size() else PackedByteArray()


## A table of the values and, for each cell, its place in the table in as few bits as all need.
static func pack(payload: PackedByteArray, count: int, size: int) -> PackedByteArray:
	var nothing := PackedByteArray()
	var distinct := 0
	var at := 0
	while true:
		if at == 3 or at >= payload.size():
			return nothing
		distinct |= (payload[at] & 127) << (7 * at)
		at += 1
		if payload[at - 1] < 128:
			break
	if distinct < 1 or distinct > 65536:
		return nothing
	var width := 0
	while (1 << width) < distinct:
		width += 1
	if width == 8 and size == 1:
		return payload.slice(at) if payload.size() - at == count else nothing
	var start := at + distinct * size
	@warning_ignore("integer_division")
	if payload.size() - start != (count * width + 7) / 8:
		return nothing
	if width == 0:
		return _repeat(payload.slice(at, start), count)
	var values := PackedInt64Array()
	for i in distinct:
		values.append(_value(payload, at + i * size, size))
	var cells := PackedByteArray()
	cells.resize(count * size)
	var mask := (1 << width) - 1
	var bits := 0
	var have := 0
	var next := start
	for i in count:
		while have < width:
			bits = (bits << 8 | payload[next]) & 0xffffffff
			next += 1
			have += 8
		have -= width
		var code := (bits >> have) & mask
		if code >= distinct:
			return nothing
		match size:
			1:
				cells[i] = values[code]
			2:
				cells.encode_u16(i * 2, values[code])
			_:
				cells.encode_u32(i * 4, values[code])
	return cells


static func _value(bytes: PackedByteArray, at: int, size: int) -> int:
	match size:
		1:
			return bytes[at]
		2:
			return bytes.decode_u16(at)
	return bytes.decode_u32(at)


# Doubling: as many engine calls as the count has bits.
static func _repeat(value: PackedByteArray, count: int) -> PackedByteArray:
	var bytes := value.duplicate()
	var expected := value.size() * count
	while bytes.size() < expected:
		bytes.append_array(bytes)
	return bytes.slice(0, expected)


static func _unpack_bits(raw: PackedByteArray, count: int, size: int) -> PackedByteArray:
	# Eight cells at once: the low bit of each byte of a number is a cell.
	var eight := PackedInt64Array()
	for byte in 256:
		var spread := 0
		for bit in 8:
			spread |= (byte >> (7 - bit) & 1) << (8 * bit)
		eight.append(spread)
	var cells := PackedByteArray()
	cells.resize(raw.size() * 8)
	for i in raw.size():
		cells.encode_s64(i * 8, eight[raw[i]])
	cells.resize(count)
	if size == 1:
		return cells
	var wide := PackedByteArray()
	wide.resize(count * size)
	for i in count:
		wide[i * size] = cells[i]
	return wide


static func _join_planes(raw: PackedByteArray, count: int, size: int) -> PackedByteArray:
	if size == 1:
		return raw
	var cells := PackedByteArray()
	cells.resize(count * size)
	for plane in size:
		for i in count:
			cells[i * size + plane] = raw[plane * count + i]
	return cells


# 16-bit cells from the low and the high bytes of their folded steps from W + N - NW. The steps of
# a row up to a cell sum to its difference from the cell above.
static func _from_steps(raw: PackedByteArray, width: int, height: int) -> PackedByteArray:
	var count := width * height
	var cells := PackedByteArray()
	cells.resize(2 * count)
	var above := PackedInt32Array()
	above.resize(width)
	var i := 0
	for y in height:
		var sum := 0
		for x in width:
			var folded := raw[i] | raw[count + i] << 8
			sum += folded >> 1 ^ -(folded & 1)
			var value := (above[x] + sum) & 0xffff
			above[x] = value
			cells.encode_u16(2 * i, value)
			i += 1
	return cells


# 16-bit cells as indexes, a byte each, into a list of values before the stream.
static func _from_values(payload: PackedByteArray, count: int) -> PackedByteArray:
	var nothing := PackedByteArray()
	if payload.size() < 2:
		return nothing
	var stream := 2 * payload[1] + 4
	var raw := inflate(payload.slice(stream), count)
	var cells := PackedByteArray()
	cells.resize(2 * raw.size())
	for i in raw.size():
		if raw[i] > payload[1]:
			return nothing
		cells.encode_u16(2 * i, payload.decode_u16(2 * raw[i] + 2))
	return cells
