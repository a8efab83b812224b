extends RefCounted
## Reads the values of a chunk: JSON text in a zlib stream. Integers become int, other numbers
## float, bit for bit, which the engine's own JSON parser does not do; lists and maps become Array
## and Dictionary. Everything is counted before it is built.

const NearestFloat := preload("nearest_float.gd")
const Budget := preload("blob_budget.gd")

## The number of this codec in files.
const CODEC := 21

const _LONGEST_NUMBER := 32
const _MOST_DIGITS := 18
const _STEP := 1 << 16
const _ESCAPED := "\"\\/bfnrt"
const _ESCAPES := "\"\\/\u0008\u000c\n\r\t"

# Control characters and halves of surrogate pairs.
const _NEVER := "[\\x01-\\x1f\\x{d800}-\\x{dfff}]"

## Why the payload could not be read; empty if it was read.
var error := ""

var _text := ""
# The characters as numbers, and a 0 behind them.
var _codes := PackedInt32Array()
var _at := 0
var _depth := 0
var _limits: Budget.Limits
# Where the next backslash is.
var _escape := -1


## The values of a payload, charged to [param budget]; null, with [member error] set, when it holds
## none or there is not enough left.
func decode(codec: int, payload: PackedByteArray, budget: Budget) -> Variant:
	error = ""
	_limits = budget.limits
	if codec != CODEC:
		return _fail("codec %d is not known here" % codec)
	var raw := _inflate(payload)
	if not error.is_empty():
		return null
	_text = raw.get_string_from_utf8()
	if _text.to_utf8_buffer() != raw:
		return _fail("the text is no UTF-8, or has U+0000")
	if RegEx.create_from_string(_NEVER).search(_text) != null:
		return _fail("a control character or half a character in the text")
	if not _charge(raw.size(), budget):
		return null
	_codes = _text.to_utf32_buffer().to_int32_array()
	_codes.append(0)
	var value: Variant = _value()
	if error.is_empty() and _at != _text.length():
		return _fail("something follows the values")
	return value if error.is_empty() else null


func _fail(message: String) -> Variant:
	if error.is_empty():
		error = message
	return null


func _inflate(payload: PackedByteArray) -> PackedByteArray:
	var text := PackedByteArray()
	# The reader takes no more than the stream, so with one byte more behind it, it must stop there.
	var rest := payload.duplicate()
	rest.append(0)
	var peer := StreamPeerGZIP.new()
	peer.start_decompression(true, _STEP)
	var consumed := 0
	while true:
		var answer := peer.put_partial_data(rest)
		var ready := peer.get_available_bytes()
		if answer[0] != OK:
			_fail("no zlib stream")
			return text
		if answer[1] == 0 and ready == 0:
			break
		consumed += answer[1]
		rest = rest.slice(answer[1])
		text.append_array(peer.get_partial_data(ready)[1])
		if text.size() > _limits.text:
			_fail("the text is over the limit of %d bytes" % _limits.text)
			return text
	if consumed != payload.size():
		_fail("the stream is cut short, or something follows it")
	return text


# Counts and charges the values of the text, by its letters outside of strings.
func _charge(size: int, budget: Budget) -> bool:
	var letters := _text
	if letters.contains("\\"):
		letters = letters.replace("\\\\", "").replace("\\\"", "")
	var lists := 0
	var maps := 0
	var values := 1
	var points := 0
	var exponents := 0
	var at := 0
	var first := 0
	while at < letters.length():
		# A part that ends at a quote: the pieces of all of it would take much memory.
		var end := letters.find("\"", at + _STEP)
		end = letters.length() if end < 0 else end
		var pieces := letters.substr(at, end - at).split("\"")
		at = end + 1
		# Every other piece is a text; the others together are short.
		var outside := PackedStringArray()
		for i in range(first, pieces.size(), 2):
			outside.append(pieces[i])
		first = (first + pieces.size()) & 1
		var bare := "s".join(outside)
		lists += bare.count("[")
		maps += bare.count("{")
		values += bare.count(",") - bare.count("[]") - bare.count("{}")
		points += bare.count(".")
		exponents += bare.count("e") + bare.count("E") - bare.count("true") - bare.count("false")
	values += lists + maps
	if values > _limits.values:
		_fail("over the limit of %d values" % _limits.values)
		return false
	var scalars := maxi(0, values - lists - maps)
	if not budget.charge_values(size, lists, maps, scalars, points, exponents):
		_fail(budget.error)
	return error.is_empty()


func _value() -> Variant:
	var code := _codes[_at]
	if code == 34:
		return _string()
	if code == 45 or (code >= 48 and code <= 57):
		return _number()
	if code == 123:
		return _map()
	if code == 91:
		return _list()
	match code:
		110:
			return _word("null", null)
		116:
			return _word("true", true)
		102:
			return _word("false", false)
	return _fail("not JSON")


func _word(word: String, value: Variant) -> Variant:
	if _text.substr(_at, word.length()) != word:
		return _fail("not JSON")
	_at += word.length()
	return value


func _enter() -> bool:
	_at += 1
	_depth += 1
	if _depth > _limits.depth:
		_fail("nested deeper than %d" % _limits.depth)
	return _depth <= _limits.depth


# Steps over a comma (true), or over the given end of a list or map.
func _continues(end: int) -> bool:
	var code := _codes[_at]
	if code != 44 and code != end:
		_fail("not JSON")
		return false
	_at += 1
	return code == 44


func _list() -> Array:
	var list := []
	if not _enter():
		return list
	if _codes[_at] == 93:
		_at += 1
	else:
		list.append(_value())
		while error.is_empty() and _continues(93):
			list.append(_value())
	_depth -= 1
	return list


func _map() -> Dictionary:
	var map := {}
	if not _enter():
		return map
	if _codes[_at] == 125:
		_at += 1
	else:
		_entry(map)
		while error.is_empty() and _continues(125):
			_entry(map)
	_depth -= 1
	return map


func _entry(map: Dictionary) -> void:
	if _codes[_at] != 34:
		_fail("a key is no text")
		return
	var key := _string()
	if _codes[_at] != 58:
		_fail("not JSON")
		return
	if map.has(key):
		_fail("a map has a key twice")
		return
	_at += 1
	map[key] = _value()


func _string() -> String:
	var start := _at + 1
	var end := _text.find('"', start)
	if end < 0:
		_fail("a text has no end")
		return ""
	if _escape < start:
		_escape = _text.find("\\", start)
		if _escape < 0:
			_escape = _text.length()
	if _escape > end:
		_at = end + 1
		return _text.substr(start, end - start)
	return _escaped_string(start)


func _escaped_string(start: int) -> String:
	var parts := PackedStringArray()
	_at = start
	while error.is_empty():
		var code := _codes[_at]
		if code == 0:
			_fail("a text has no end")
		elif code == 34:
			parts.append(_text.substr(start, _at - start))
			_at += 1
			break
		elif code != 92:
			_at += 1
		else:
			parts.append(_text.substr(start, _at - start))
			parts.append(_character())
			start = _at
	return "".join(parts)


# The character of an escape, or of two that make one.
func _character() -> String:
	var known := _ESCAPED.find(_text[_at + 1]) if _codes[_at + 1] != 0 else -1
	if known >= 0:
		_at += 2
		return _ESCAPES[known]
	var unit := _unit()
	if unit & 0xfc00 == 0xd800:
		var low := _unit()
		var both := 0x10000 + ((unit & 0x3ff) << 10 | low & 0x3ff)
		unit = both if low & 0xfc00 == 0xdc00 else -1
	elif unit & 0xfc00 == 0xdc00:
		unit = -1
	if unit <= 0:
		_fail("an unknown escape, U+0000 or half a character")
		return ""
	return String.chr(unit)


# The four digits of a \u escape; -1 if they are missing.
func _unit() -> int:
	var digits := _text.substr(_at, 6)
	if not (digits.begins_with("\\u") and digits.length() == 6):
		return -1
	_at += 6
	var value := 0
	for i in range(2, 6):
		var digit := "0123456789abcdef".find(digits[i].to_lower())
		if digit < 0:
			return -1
		value = value << 4 | digit
	return value


func _number() -> Variant:
	var start := _at
	var negative := _codes[_at] == 45
	if negative:
		_at += 1
	var first := _at
	var value := 0
	var code := _codes[_at]
	while code >= 48 and code <= 57:
		value = value * 10 + code - 48
		_at += 1
		code = _codes[_at]
	var digits := _at - first
	if digits == 0 or (digits > 1 and _codes[first] == 48):
		return _fail("not JSON")
	if code == 46 or code == 101 or code == 69:
		return _decimal(start, first, negative)
	# 19 digits may be too much: then the number has come out below 0. Only the lowest may.
	if digits > 19 or (value < 0 and not (negative and value == -value)):
		return _fail("an integer does not fit in 64 bits")
	return -value if negative else value


func _decimal(start: int, first: int, negative: bool) -> Variant:
	var exponent := 0
	if _codes[_at] == 46:
		_at += 1
		exponent = _at
		if not _skip_digits():
			return null
		exponent -= _at
	var digits := _text.substr(first, _at - first).replace(".", "").lstrip("0")
	if _codes[_at] == 101 or _codes[_at] == 69:
		_at += 1
		var below := _codes[_at] == 45
		if below or _codes[_at] == 43:
			_at += 1
		var power := _at
		if not _skip_digits():
			return null
		# Larger exponents make no difference: the number is 0 or infinite.
		var power_of_ten := mini(int(_text.substr(power, mini(_at - power, 18))), 9999)
		exponent += -power_of_ten if below else power_of_ten
	if _at - start > _LONGEST_NUMBER or digits.length() > _MOST_DIGITS:
		return _fail("a number has too many digits")
	var value := NearestFloat.of(int(digits) if digits != "" else 0, exponent)
	if is_inf(value):
		return _fail("a number is too large")
	return -value if negative else value


func _skip_digits() -> bool:
	var start := _at
	while _codes[_at] >= 48 and _codes[_at] <= 57:
		_at += 1
	if _at == start:
		_fail("not JSON")
	return _at > start
