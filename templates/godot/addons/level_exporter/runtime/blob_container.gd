extends RefCounted
## The container of a `.lvb` file: signature, directory and checksums, everything checked before
## a payload is touched. After [method read] either [member error] describes the fault, or [member
## chunks] lists the directory.

const SIGNATURE: PackedByteArray = [0x8f, 0x4c, 0x56, 0x42, 0x0d, 0x0a, 0x1a, 0x0a]
const MAJOR := 1
const HEADER_SIZE := 24
const ENTRY_SIZE := 32
## The number in a chunk that uses no other layer or prior.
const NONE := 0xffff
## The element code of chunks that hold values instead of cells.
const VALUES := 0xff

# Below this a checksum in script costs less than the call of the engine's own.
const _SMALL := 2048

static var _crc_table := PackedInt64Array()

## Why the bytes are no container; empty if they are one.
var error := ""
## The directory, in the order of the file.
var chunks: Array[Chunk] = []

var _data := PackedByteArray()
# The chunks by type, level and item, and by level alone.
var _by_position := {}
var _by_level := {}


## One entry of the directory.
class Chunk:
	extends RefCounted
	## Four letters; a lower-case first one marks a chunk that readers may skip.
	var type := ""
	var codec := 0
	var element := 0
	## The level of a pack, the layer in it, and the part of the layer.
	var level := 0
	var item := 0
	var cell := 0
	var offset := 0
	var length := 0
	var check := 0
	var width := 0
	var height := 0
	var side := 0
	var prior := 0

	## Whether a reader that does not know the type may skip it.
	func is_ancillary() -> bool:
		return type.unicode_at(0) >= 97

	## Whether it represents a chunk without cells: nothing stored, and no reference to another chunk.
	func is_nothing() -> bool:
		return codec == 0 and length == 0 and side == NONE and prior == NONE


## Checks header and directory. False, with [member error] set, when the bytes are no container.
func read(data: PackedByteArray, most_chunks: int) -> bool:
	_data = data
	error = _read_header(data, most_chunks)
	var end := HEADER_SIZE + ENTRY_SIZE * (data.decode_u32(12) if error.is_empty() else 0)
	var at := HEADER_SIZE
	var directory_end := end
	while error.is_empty() and at < directory_end:
		var chunk := _read_entry(data, at)
		if chunk.type.is_empty():
			error = "chunk %d has no proper name" % chunks.size()
		elif chunk.offset < end or chunk.length > data.size() - chunk.offset:
			# Ascending and apart: overlapping ranges are how compact archive bombs are built.
			error = "chunk %d (%s) lies outside the file or over another" % [chunks.size(), chunk.type]
		end = chunk.offset + chunk.length
		chunks.append(chunk)
		_append(_by_position, _position_key(chunk.type, chunk.level, chunk.item), chunk)
		_append(_by_level, chunk.level, chunk)
		at += ENTRY_SIZE
	if not error.is_empty():
		chunks.clear()
		_by_position.clear()
		_by_level.clear()
	return error.is_empty()


## The chunks of a type, level and item, in the order of the file.
func chunks_of(type: String, level: int, item: int) -> Array[Chunk]:
	return _chunks_under(_by_position, _position_key(type, level, item))


## All chunks of a level, in the order of the file.
func chunks_of_level(level: int) -> Array[Chunk]:
	return _chunks_under(_by_level, level)


## The payload of a chunk; empty, with [member error] set, when it is damaged.
func load_payload(chunk: Chunk) -> PackedByteArray:
	var payload := _data.slice(chunk.offset, chunk.offset + chunk.length)
	if not crc_matches(payload, chunk.check):
		error = "damaged chunk %s: the checksum does not match" % chunk.type
		return PackedByteArray()
	return payload


## The bytes of a container. Each entry is an Array of type, codec, element, item, cell, width,
## height, side and prior.
static func write(entries: Array, payloads: Array[PackedByteArray]) -> PackedByteArray:
	var data := SIGNATURE.duplicate()
	var offset := HEADER_SIZE + ENTRY_SIZE * entries.size()
	data.resize(offset)
	data[8] = MAJOR
	data.encode_u32(12, entries.size())
	for place in entries.size():
		var entry: Array = entries[place]
		var at := HEADER_SIZE + ENTRY_SIZE * place
		var letters: PackedByteArray = entry[0].to_ascii_buffer()
		for letter in 4:
			data[at + letter] = letters[letter]
		data[at + 4] = entry[1]
		data[at + 5] = entry[2]
		data.encode_u16(at + 8, entry[3])
		data.encode_u16(at + 10, entry[4])
		data.encode_u32(at + 12, offset)
		data.encode_u32(at + 16, payloads[place].size())
		data.encode_u32(at + 20, _crc32(payloads[place]))
		for number in 4:
			data.encode_u16(at + 24 + 2 * number, entry[5 + number])
		offset += payloads[place].size()
	data.encode_u32(16, offset)
	var checked := data.slice(0, 20)
	checked.append_array(data.slice(HEADER_SIZE))
	data.encode_u32(20, _crc32(checked))
	for payload in payloads:
		data.append_array(payload)
	return data


static func _position_key(type: String, level: int, item: int) -> String:
	return "%s %d %d" % [type, level, item]


static func _append(chunks_by: Dictionary, key: Variant, chunk: Chunk) -> void:
	if not chunks_by.has(key):
		var none: Array[Chunk] = []
		chunks_by[key] = none
	chunks_by[key].append(chunk)


static func _chunks_under(chunks_by: Dictionary, key: Variant) -> Array[Chunk]:
	var none: Array[Chunk] = []
	return chunks_by.get(key, none)


func _read_header(data: PackedByteArray, most_chunks: int) -> String:
	if data.size() < HEADER_SIZE or data.slice(0, 8) != SIGNATURE:
		return "not a level blob"
	if data[8] != MAJOR:
		return "blob version %d is not known here (known: %d)" % [data[8], MAJOR]
	if data[10] != 0:
		return "the blob needs features that are not known here"
	if data.decode_u32(16) != data.size():
		return "the blob says it has %d bytes, and has %d" % [data.decode_u32(16), data.size()]
	var count := data.decode_u32(12)
	if count > most_chunks or HEADER_SIZE + ENTRY_SIZE * count > data.size():
		return "the blob says it has %d chunks, more than fit" % count
	var checked := data.slice(0, 20)
	checked.append_array(data.slice(HEADER_SIZE, HEADER_SIZE + ENTRY_SIZE * count))
	if not crc_matches(checked, data.decode_u32(20)):
		return "damaged directory: the checksum does not match"
	return ""


func _read_entry(data: PackedByteArray, at: int) -> Chunk:
	var chunk := Chunk.new()
	for i in 4:
		var letter := data[at + i] | 32
		if letter < 97 or letter > 122:
			return chunk
	chunk.type = data.slice(at, at + 4).get_string_from_ascii()
	chunk.codec = data[at + 4]
	chunk.element = data[at + 5]
	chunk.level = data.decode_u16(at + 6)
	chunk.item = data.decode_u16(at + 8)
	chunk.cell = data.decode_u16(at + 10)
	chunk.offset = data.decode_u32(at + 12)
	chunk.length = data.decode_u32(at + 16)
	chunk.check = data.decode_u32(at + 20)
	chunk.width = data.decode_u16(at + 24)
	chunk.height = data.decode_u16(at + 26)
	chunk.side = data.decode_u16(at + 28)
	chunk.prior = data.decode_u16(at + 30)
	return chunk


## Whether the CRC-32 of the bytes is [param check].
static func crc_matches(bytes: PackedByteArray, check: int) -> bool:
	if bytes.size() < _SMALL:
		return _crc32(bytes) == check
	# The engine has no CRC-32 for scripts, but its gzip reader checks one: the bytes as a gzip
	# file of uncompressed blocks, with the expected checksum at its end. 50 times as fast.
	var size := bytes.size()
	var file := PackedByteArray([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
	var block := PackedByteArray([0, 0, 0, 0, 0])
	for at in range(0, size, 0xffff):
		var length := mini(0xffff, size - at)
		block[0] = 1 if at + length == size else 0
		block.encode_u16(1, length)
		block.encode_u16(3, length ^ 0xffff)
		file.append_array(block)
		file.append_array(bytes.slice(at, at + length))
	var end := file.size()
	file.resize(end + 8)
	file.encode_u32(end, check)
	file.encode_u32(end + 4, size)
	return file.decompress(size, FileAccess.COMPRESSION_GZIP).size() == size


static func _crc32(bytes: PackedByteArray) -> int:
	if _crc_table.is_empty():
		for i in 256:
			var value := i
			for bit in 8:
				value = (value >> 1) ^ (0xedb88320 if value & 1 else 0)
			_crc_table.append(value)
	var table := _crc_table
	var crc := 0xffffffff
	for byte in bytes:
		crc = table[(crc ^ byte) & 0xff] ^ (crc >> 8)
	return crc ^ 0xffffffff
