"""Constants of the blob format are the same in the readers of all languages."""

from update_reader_constants import TABLE, updated_files, with_value


def test_constants_of_the_readers_are_current() -> None:
    stale = [file.name for file, text in updated_files().items() if file.read_text("utf-8") != text]
    assert not stale, "run .venv/bin/python tests/harness/update_reader_constants.py"


def test_a_changed_value_is_written_into_each_reader() -> None:
    for value, places in TABLE:
        other = {1: 2, 3: 4} if isinstance(value, dict) else "other" if value == str(value) else 77
        for file, name in places:
            text = file.read_text("utf-8")
            changed = with_value(text, file.suffix, name, other)
            assert changed != text, name
            assert with_value(changed, file.suffix, name, other) == changed, name
