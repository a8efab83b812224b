class_name LevelExporterBlobLimits
extends RefCounted
## Limits for reading a level. A file that needs more is refused before memory is allocated.

## Cells of one layer.
var cells := 1 << 26
## Bytes of everything in one level.
var bytes := 1 << 28
## Work of everything in one level, as the file format counts it.
var steps := 1 << 30
## Chunks of one file.
var chunks := 1 << 16
## Nesting of lists and maps in values.
var depth := 64
## Scalars, lists and maps of one chunk.
var values := 1 << 21
## Bytes of the JSON text of one chunk.
var text := 1 << 24


## Limits for untrusted files: within them no file takes more than 256 MB or about two
## seconds. Levels of a million cells fit in the `fast` profile, larger ones may not.
static func for_strangers() -> LevelExporterBlobLimits:
	var limits := new()
	limits.cells = 1 << 22
	limits.bytes = 1 << 25
	limits.steps = 1 << 23
	limits.chunks = 1 << 10
	limits.values = 1 << 16
	limits.text = 1 << 20
	return limits
