"""The same level gives the same files, today and everywhere: recorded files hold it."""

from __future__ import annotations

from cases import each_case
from scripts import load_script

golden = load_script("golden/update_formats.py")
FILES = golden.golden_files()
INDEX = golden.recorded()


@each_case("target", FILES)
def test_a_target_makes_the_recorded_files(target: str) -> None:
    changed = {
        name
        for name, value in golden.hashes(FILES)[target].items()
        if INDEX[target].get(name) != value
    }
    assert not changed, "run: python tests/golden/update_formats.py"
    assert FILES[target].keys() == INDEX[target].keys()


@each_case("target", FILES)
def test_a_file_is_the_same_when_it_is_created_again(target: str) -> None:
    assert golden.golden_files()[target] == FILES[target]
