import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field

import pytest

from exporter.model.lazy_dataclass import dataclass

CALLS = []


@dataclass(frozen=True, slots=True)
class Room:
    name: str
    doors: list[int] = field(default_factory=list, repr=False)
    note: str = field(default="", compare=False)
    area: int = field(init=False, default=0)

    def __post_init__(self):
        CALLS.append(self.name)


@dataclass(slots=True)
class Counter:
    count: int = 0


@dataclass(frozen=True, kw_only=True)
class Base:
    width: int
    height: int = 1


@dataclass(frozen=True, kw_only=True)
class Derived(Base):
    depth: int = 2


@dataclass(frozen=True, eq=False)
class Identity:
    value: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class OfAnotherPackage(Base):
    """Uses the standard decorator, as extensions do."""

    color: str = "red"


def test_lazy_dataclass_is_a_dataclass():
    room = Room("hall", note="wide")
    assert CALLS[-1] == "hall"
    assert repr(room) == "Room(name='hall', note='wide', area=0)"
    assert room == Room("hall", [])
    assert room != Room("hall", [1])
    assert room != "hall"
    assert Room("a").doors is not Room("a").doors
    assert pickle.loads(pickle.dumps(room)) == copy.copy(room) == room
    assert dataclasses.replace(room, name="attic") == Room("attic")
    assert hash(Base(width=3)) == hash(Base(width=3, height=1))
    assert repr(Derived(width=3)).startswith("Derived(width=3, height=1, depth=2")
    assert OfAnotherPackage(width=3, color="blue").color == "blue"
    with pytest.raises(TypeError, match=r"Room\.__init__\(\) missing 1 required .* 'name'"):
        Room()
    with pytest.raises(TypeError, match="positional"):
        Base(3)


def test_lazy_dataclass_refuses_assignments_when_frozen():
    for change in (lambda item: setattr(item, "name", "x"), lambda item: delattr(item, "name")):
        with pytest.raises(FrozenInstanceError, match="field 'name'"):
            change(Room("hall"))
    counter = Counter()
    counter.count += 1
    assert counter == Counter(1)


def test_lazy_dataclass_has_a_hash_when_frozen_or_compared_by_identity():
    assert len({Identity(1), Identity(1)}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(Counter())
