extends RefCounted
## The float nearest to a decimal number, exactly. The engine's own conversion may miss the last
## bit.

const _MANTISSA_BITS := 53
const _LOWEST_EXPONENT := -1022
# Long numbers are PackedInt64Arrays of so many bits a word, the lowest first.
const _WORD_BITS := 30
const _WORD := 1 << _WORD_BITS
# The powers of ten that a float holds exactly.
const _POWERS: PackedFloat64Array = [
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22
]
# The power of five with this exponent is the largest below 2^61.
const _LARGEST_FIFTHS := 26


## The float nearest to [param mantissa] * 10 ^ [param exponent], a tie going to the even one.
## The mantissa has at most 18 digits and is not negative; too large a number gives infinity.
static func of(mantissa: int, exponent: int) -> float:
	if mantissa == 0 or exponent < -400:
		return 0.0
	if exponent > 400:
		return INF
	if mantissa <= 1 << _MANTISSA_BITS and absi(exponent) < _POWERS.size():
		if exponent < 0:
			return mantissa / _POWERS[-exponent]
		return mantissa * _POWERS[exponent]
	if exponent <= 0 and exponent >= -_LARGEST_FIFTHS:
		return _of_fifths(mantissa, -exponent)
	# Ten takes less than 30 / 9 bits.
	@warning_ignore("integer_division")
	var words := absi(exponent) / 9 + 5
	var upper := _long(mantissa, words)
	var lower := _long(1, words)
	_multiply_by_tens(upper if exponent > 0 else lower, absi(exponent))
	return _quotient(upper, lower)


# mantissa / 5^fifths / 2^fifths, where 64 bits hold all of it.
static func _of_fifths(upper: int, fifths: int) -> float:
	var lower := 1
	for i in fifths:
		lower *= 5
	var power := 0
	while lower > upper:
		upper <<= 1
		power -= 1
	while lower << 1 <= upper:
		lower <<= 1
		power += 1
	var mantissa := 0
	for bit in _MANTISSA_BITS:
		mantissa <<= 1
		if upper >= lower:
			upper -= lower
			mantissa |= 1
		upper <<= 1
	# The remainder says on which side of the middle the number is.
	if upper > lower or (upper == lower and mantissa & 1):
		mantissa += 1
	return _scaled(mantissa, power - fifths - _MANTISSA_BITS + 1)


# The float nearest to upper / lower, by long division.
static func _quotient(upper: PackedInt64Array, lower: PackedInt64Array) -> float:
	# From here on lower <= upper < 2 * lower, and the quotient is that times 2^power.
	var power := _bit_length(upper) - _bit_length(lower)
	_shift_left(lower if power > 0 else upper, absi(power))
	if _is_less(upper, lower):
		_double(upper)
		power -= 1
	# Numbers next to 0 have fewer bits.
	var bits := mini(_MANTISSA_BITS, _MANTISSA_BITS + power - _LOWEST_EXPONENT)
	if bits < 0:
		return 0.0
	var mantissa := 0
	for bit in bits:
		mantissa <<= 1
		if not _is_less(upper, lower):
			_subtract(upper, lower)
			mantissa |= 1
		_double(upper)
	if _is_less(lower, upper) or (upper == lower and mantissa & 1):
		mantissa += 1
	return _scaled(mantissa, power - bits + 1)


# In two steps, for the power itself may be no float.
static func _scaled(mantissa: int, power: int) -> float:
	@warning_ignore("integer_division")
	var half := power / 2
	return mantissa * _power_of_two(half) * _power_of_two(power - half)


static func _power_of_two(exponent: int) -> float:
	var bytes := PackedByteArray()
	bytes.resize(8)
	bytes.encode_s64(0, exponent + 1023 << 52)
	return bytes.decode_double(0)


static func _long(value: int, count: int) -> PackedInt64Array:
	var words := PackedInt64Array()
	words.resize(count)
	words[0] = value % _WORD
	words[1] = value >> _WORD_BITS
	return words


static func _bit_length(words: PackedInt64Array) -> int:
	var index := words.size() - 1
	while index > 0 and words[index] == 0:
		index -= 1
	var bits := 0
	while words[index] >> bits > 0:
		bits += 1
	return index * _WORD_BITS + bits


# Nine tens at a time: 10^9 is less than a word, so the product fits in 64 bits.
static func _multiply_by_tens(words: PackedInt64Array, tens: int) -> void:
	while tens > 0:
		var factor := 1
		for i in mini(tens, 9):
			factor *= 10
		var carry := 0
		for index in words.size():
			carry += words[index] * factor
			words[index] = carry % _WORD
			carry >>= _WORD_BITS
		tens -= 9


static func _shift_left(words: PackedInt64Array, bits: int) -> void:
	@warning_ignore("integer_division")
	var whole := bits / _WORD_BITS
	var rest := bits % _WORD_BITS
	for index in range(words.size() - 1, -1, -1):
		var value := words[index - whole] << rest if index >= whole else 0
		if index > whole:
			value |= words[index - whole - 1] >> (_WORD_BITS - rest)
		words[index] = value % _WORD


static func _double(words: PackedInt64Array) -> void:
	var carry := 0
	for index in words.size():
		carry |= words[index] << 1
		words[index] = carry % _WORD
		carry >>= _WORD_BITS


static func _subtract(words: PackedInt64Array, other: PackedInt64Array) -> void:
	var borrow := 0
	for index in words.size():
		var rest := words[index] - other[index] - borrow
		borrow = 1 if rest < 0 else 0
		words[index] = rest + borrow * _WORD


static func _is_less(first: PackedInt64Array, other: PackedInt64Array) -> bool:
	var index := first.size() - 1
	while index > 0 and first[index] == other[index]:
		index -= 1
	return first[index] < other[index]
