@tool
extends Node
## Runs a program beside the editor. Threads read its output, and it ends with the editor.

## Lines of the program's output, in order, and whether they come from standard error.
signal lines_read(lines: PackedStringArray, are_errors: bool)
## The program has ended, and all of its lines were emitted. A program that was killed has the code
## [constant KILLED].
signal ended(exit_code: int)

const KILLED := -1
## How long a program may take to end after it was asked to.
const POLITE_MILLISECONDS := 3000
const _BLOCK := 4096
# A line without an end is reported in pieces.
const _LONGEST_LINE := 1 << 16
const _WAIT_MILLISECONDS := 5

# Readers whose pipe is held open by a program that is not ours; they must not be freed.
static var _abandoned: Array[Thread] = []

var _pid := 0
var _input: FileAccess
var _listens := false
var _kill_at := 0
# The engine forgets a process that it kills.
var _is_killed := false
var _threads: Array[Thread] = []
var _mutex := Mutex.new()
# Arrays of a text and whether it is an error.
var _unread: Array[Array] = []


## Starts a program; returns false if that fails.
## With [param listens] the program ends when its input has a line `stop`.
func start(command: PackedStringArray, listens: bool) -> bool:
	var opened := OS.execute_with_pipe(command[0], command.slice(1))
	if opened.is_empty():
		return false
	_pid = opened["pid"]
	_input = opened["stdio"]
	_listens = listens
	_kill_at = 0
	_is_killed = false
	for pipe: String in ["stdio", "stderr"]:
		var thread := Thread.new()
		thread.start(_read.bind(opened[pipe], pipe == "stderr"))
		_threads.append(thread)
	return true


## Whether a program runs, or its last lines are still to be emitted.
func is_running() -> bool:
	return _pid != 0


## Asks the program to end; after some seconds it is killed.
func stop() -> void:
	if not is_running() or _kill_at != 0:
		return
	if _listens and _is_alive():
		_input.store_string("stop\n")
		_kill_at = Time.get_ticks_msec() + POLITE_MILLISECONDS
	else:
		_kill_at = Time.get_ticks_msec()


## Ends the program before this returns, and emits nothing more.
func close() -> void:
	stop()
	while is_running() and not _has_ended():
		OS.delay_msec(_WAIT_MILLISECONDS)
	_finish()


func _exit_tree() -> void:
	close()


func _process(_delta: float) -> void:
	if not is_running():
		return
	var has_ended := _has_ended()
	_tell()
	if has_ended:
		var code := KILLED if _is_killed else OS.get_process_exit_code(_pid)
		_finish()
		ended.emit(code)


# Whether the program has ended and its pipes were read to their ends. Kills one that takes too
# long.
func _has_ended() -> bool:
	var is_late := _kill_at != 0 and Time.get_ticks_msec() >= _kill_at
	if _is_alive():
		if not is_late:
			return false
		OS.kill(_pid)
		_is_killed = true
	for thread in _threads:
		if thread.is_alive():
			return is_late and Time.get_ticks_msec() >= _kill_at + POLITE_MILLISECONDS
	return true


func _is_alive() -> bool:
	return not _is_killed and OS.is_process_running(_pid)


func _finish() -> void:
	for thread in _threads:
		if thread.is_alive():
			_abandoned.append(thread)
		else:
			thread.wait_to_finish()
	_threads.clear()
	_input = null
	_pid = 0


func _tell() -> void:
	_mutex.lock()
	var unread := _unread
	_unread = []
	_mutex.unlock()
	for part in unread:
		lines_read.emit((part[0] as String).split("\n"), part[1])


# Runs in a thread of its own, until the pipe ends.
func _read(pipe: FileAccess, is_error: bool) -> void:
	var rest := PackedByteArray()
	while true:
		var data := pipe.get_buffer(_BLOCK)
		if data.is_empty():
			break
		rest.append_array(data)
		var end := rest.rfind(10)
		if end >= 0:
			_take(rest.slice(0, end), is_error)
			rest = rest.slice(end + 1)
		elif rest.size() > _LONGEST_LINE:
			_take(rest, is_error)
			rest = PackedByteArray()
	if not rest.is_empty():
		_take(rest, is_error)


func _take(bytes: PackedByteArray, is_error: bool) -> void:
	var text := bytes.get_string_from_utf8().replace("\r", "")
	_mutex.lock()
	_unread.append([text, is_error])
	_mutex.unlock()
