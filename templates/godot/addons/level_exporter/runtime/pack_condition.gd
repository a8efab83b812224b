extends RefCounted
## Reads conditions over measures, such as [code]farthest >= 60 and dead_ends <= 6[/code]: numbers,
## names, calculations, comparisons, [code]and[/code], [code]or[/code], [code]not[/code] and
## parentheses.
##
## A condition becomes a tree once: each node is an Array of its kind and its parts. A node is a
## number or a condition, and which one is known before any level is read.

const NearestFloat := preload("nearest_float.gd")

const _LONGEST := 2000
const _DEEPEST := 50
const _MOST_DIGITS := 18
const _WORDS: PackedStringArray = ["and", "or", "not"]
const _COMPARISONS: PackedStringArray = ["<", "<=", ">", ">=", "==", "!="]
const _TOKEN := (
	"\\G\\s*(?:((?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
	+ "|([A-Za-z_][A-Za-z0-9_]*(?:\\.(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|'[^'\\n]*'))*)"
	+ "|(<=|>=|==|!=|<|>|[-+*/()]))"
)
const _QUOTED := "\\.'([A-Za-z_][A-Za-z0-9_]*|[0-9]+)'"

## Why the text is no condition; empty when it is one.
var error := ""
## The measures in it, each once.
var names := PackedStringArray()

var _tokens := PackedStringArray()
var _at := 0
var _depth := 0
var _tree := []
# The values of the present level, by name.
var _values := {}
# Whether a number could not be calculated.
var _is_undefined := false


## Reads a text. False, with [member error] set, when it is no condition.
func read(text: String) -> bool:
	if text.length() > _LONGEST:
		return _fail("the condition is too long")
	var pattern := RegEx.create_from_string(_TOKEN)
	var at := 0
	while not text.substr(at).strip_edges().is_empty():
		var found := pattern.search(text, at)
		if found == null or found.get_start() != at:
			return _fail("the condition is not understood at: %s" % text.substr(at))
		_tokens.append(found.get_string().strip_edges())
		at = found.get_end()
	_tree = _either()
	if error.is_empty() and _at < _tokens.size():
		_fail("%s is not expected here" % _tokens[_at])
	if error.is_empty() and not _is_condition(_tree):
		_fail("this is a number, not a condition")
	return error.is_empty()


## Whether a level with these values meets the condition; one without a value does not.
func holds(values: Dictionary) -> bool:
	_values = values
	_is_undefined = false
	var answer := _holds(_tree)
	return answer and not _is_undefined


func _fail(message: String) -> bool:
	if error.is_empty():
		error = message
	return false


func _taken(texts: PackedStringArray) -> String:
	if error.is_empty() and _at < _tokens.size() and _tokens[_at] in texts:
		_at += 1
		return _tokens[_at - 1]
	return ""


func _is_condition(node: Array) -> bool:
	return not node.is_empty() and node[0] in ["compare", "and", "or", "not"]


func _number_at(node: Array) -> Array:
	if _is_condition(node):
		_fail("a condition is where a number is expected")
	return node


func _condition_at(node: Array) -> Array:
	if not _is_condition(node):
		_fail("a number is where a condition is expected")
	return node


func _deeper(inner: Callable) -> Array:
	_depth += 1
	if _depth > _DEEPEST:
		_fail("the condition is nested too deeply")
		return []
	var node: Array = inner.call()
	_depth -= 1
	return node


func _either() -> Array:
	return _joined("or", _both)


func _both() -> Array:
	return _joined("and", _negated)


func _joined(word: String, inner: Callable) -> Array:
	var first: Array = inner.call()
	if not (_at < _tokens.size() and _tokens[_at] == word):
		return first
	var parts := [_condition_at(first)]
	while not _taken([word]).is_empty():
		parts.append(_condition_at(inner.call()))
	return [word, parts]


func _negated() -> Array:
	if _taken(["not"]).is_empty():
		return _comparison()
	return ["not", _condition_at(_deeper(_negated))]


func _comparison() -> Array:
	var left := _sum()
	var parts := []
	var sign := _taken(_COMPARISONS)
	while not sign.is_empty():
		var right := _sum()
		parts.append(["compare", sign, _number_at(left), _number_at(right)])
		left = right
		sign = _taken(_COMPARISONS)
	if parts.is_empty():
		return left
	return parts[0] if parts.size() == 1 else ["and", parts]


func _sum() -> Array:
	return _calculation(["+", "-"], _product)


func _product() -> Array:
	return _calculation(["*", "/"], _factor)


func _calculation(signs: PackedStringArray, inner: Callable) -> Array:
	var left: Array = inner.call()
	var count := 0
	var sign := _taken(signs)
	while not sign.is_empty():
		count += 1
		if _depth + count > _DEEPEST:
			_fail("the condition is nested too deeply")
			return []
		left = ["calculate", sign, _number_at(left), _number_at(inner.call())]
		sign = _taken(signs)
	return left


func _factor() -> Array:
	var sign := _taken(["-", "+"])
	if not sign.is_empty():
		var inner := _number_at(_deeper(_factor))
		return ["negative", inner] if sign == "-" else inner
	if not _taken(["("]).is_empty():
		var inner := _deeper(_either)
		if _taken([")"]).is_empty():
			_fail("a parenthesis is not closed")
		return inner
	if _at >= _tokens.size() or not error.is_empty():
		_fail("the condition ends where a number or a measure is expected")
		return []
	var token := _tokens[_at]
	_at += 1
	if token[0] == "." or token[0].is_valid_int():
		var value := _decimal(token)
		if not is_finite(value):
			_fail("a number is too large")
		return ["number", value]
	if not token[0].is_valid_ascii_identifier() or token in _WORDS:
		_fail("%s is where a number or a measure is expected" % token)
		return []
	var measure := RegEx.create_from_string(_QUOTED).sub(token, ".$1", true)
	if not measure in names:
		names.append(measure)
	return ["name", measure]


# The float nearest to a number; digits behind the 18th decide nothing in a condition.
func _decimal(token: String) -> float:
	var parts := token.to_lower().split("e")
	var exponent := parts[1].to_int() if parts.size() == 2 else 0
	var point := parts[0].find(".")
	if point >= 0:
		exponent -= parts[0].length() - point - 1
	var digits := parts[0].replace(".", "").lstrip("0")
	if digits.length() > _MOST_DIGITS:
		exponent += digits.length() - _MOST_DIGITS
		digits = digits.left(_MOST_DIGITS)
	return NearestFloat.of(digits.to_int(), clampi(exponent, -1000, 1000))


func _holds(node: Array) -> bool:
	match node[0]:
		"and":
			for part: Array in node[1]:
				if not _holds(part) or _is_undefined:
					return false
			return true
		"or":
			for part: Array in node[1]:
				if _holds(part) or _is_undefined:
					return not _is_undefined
			return false
		"not":
			return not _holds(node[1])
	var left := _number(node[2])
	return false if _is_undefined else _compared(node[1], left, _number(node[3]))


func _compared(sign: String, left: float, right: float) -> bool:
	match sign:
		"<":
			return left < right
		"<=":
			return left <= right
		">":
			return left > right
		">=":
			return left >= right
		"==":
			return left == right
	return left != right


func _number(node: Array) -> float:
	match node[0]:
		"number":
			return node[1]
		"name":
			return _values[node[1]]
		"negative":
			return -_number(node[1])
	var value := _calculated(node[1], _number(node[2]), _number(node[3]))
	_is_undefined = _is_undefined or not is_finite(value)
	return value


func _calculated(sign: String, left: float, right: float) -> float:
	match sign:
		"+":
			return left + right
		"-":
			return left - right
		"*":
			return left * right
	return left / right
