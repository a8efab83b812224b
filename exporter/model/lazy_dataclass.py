"""Define dataclasses whose methods are compiled on first call.

The standard decorator compiles up to six methods of each class, in half a millisecond. A command
imports some 300 dataclasses and uses a few dozen; without this module, that was a quarter of its
start-up time.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls: type | None = None,
        /,
        *,
        frozen: bool = False,
        slots: bool = False,
        eq: bool = True,
        kw_only: bool = False,
    ) -> Any:
        """Decorate like `dataclasses.dataclass`, but compile methods lazily."""
        if cls is None:
            return lambda cls: dataclass(cls, frozen=frozen, slots=slots, eq=eq, kw_only=kw_only)
        # A class of a frozen one must be frozen from the start.
        inherits = any(
            dataclasses.is_dataclass(base) and base.__dataclass_params__.frozen
            for base in cls.__bases__
        )
        undocumented = not cls.__doc__
        if undocumented:
            cls.__doc__ = cls.__name__  # saves describing the signature, which is slow
        result = dataclasses.dataclass(
            init=False, repr=False, eq=False, frozen=inherits, slots=slots, kw_only=kw_only
        )(cls)
        if undocumented:
            result.__doc__ = None
        settings = result.__dataclass_params__
        settings.init, settings.repr, settings.eq, settings.frozen = True, True, eq, frozen
        for name in ("__init__", "__repr__", *(("__eq__",) if eq else ())):
            if name not in cls.__dict__:
                setattr(result, name, _lazy(result, name))
        if eq and cls.__dict__.get("__hash__") is None:
            result.__hash__ = _lazy(result, "__hash__") if frozen else None
        if frozen:
            result.__setattr__, result.__delattr__ = _refusals(result)
            if slots and "__getstate__" not in cls.__dict__:
                result.__getstate__, result.__setstate__ = _state, _set_state
        return result


def _lazy(cls: type, name: str) -> Callable[..., Any]:
    """Return a stand-in for method `name` of `cls`, compiled when called."""

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        compiled = _compiled(cls, name)
        setattr(cls, name, compiled)
        return compiled(self, *arguments, **named)

    method.__name__ = name
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    return method


def _compiled(cls: Any, name: str) -> Callable[..., Any]:
    """Compile method `name` as the standard dataclass decorator would."""
    fields = dataclasses.fields(cls)
    compared = "".join(f"self.{field.name}, " for field in fields if field.compare)
    scope: dict[str, Any] = {}
    if name == "__init__":
        source = _init_source(cls, fields, scope)
    elif name == "__repr__":
        displayed = ", ".join(
            f"{field.name}={{self.{field.name}!r}}" for field in fields if field.repr
        )
        source = f'(self): return f"{{type(self).__qualname__}}({displayed})"'
    elif name == "__eq__":
        same = f"({compared}) == ({compared.replace('self.', 'other.')})"
        source = f"(self, other): return {same} if type(other) is type(self) else NotImplemented"
    else:
        source = f"(self): return hash(({compared}))"
    exec(f"def {name}{source}", scope)
    method: Callable[..., Any] = scope[name]
    method.__module__ = cls.__module__
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    return method


def _init_source(
    cls: Any, fields: tuple[dataclasses.Field[Any], ...], scope: dict[str, Any]
) -> str:
    """Return the source of `cls.__init__`; add the values it uses to `scope`."""
    scope |= {"__set": object.__setattr__, "__unset": dataclasses.MISSING}
    parameters: dict[bool, list[str]] = {False: ["self"], True: []}
    lines = []
    for field in fields:
        value = name = field.name
        default = f"__default_{name}"
        if field.default_factory is not dataclasses.MISSING:
            scope[default] = field.default_factory
            value = (
                f"{default}() if {name} is __unset else {name}" if field.init else f"{default}()"
            )
            default = "__unset"
        elif field.default is not dataclasses.MISSING:
            scope[default] = field.default
            value = name if field.init else default
        else:
            default = ""
        if field.init:
            parameters[bool(field.kw_only)].append(f"{name}={default}" if default else name)
        elif not default:
            continue
        frozen = cls.__dataclass_params__.frozen
        lines.append(f"__set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    keywords = ["*", *parameters[True]] if parameters[True] else []
    return f"({', '.join(parameters[False] + keywords)}):\n " + "\n ".join(lines or ["pass"])


def _refusals(cls: Any) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return methods for `cls` that refuse to set or delete a field.

    They are the `__setattr__` and `__delattr__` of a frozen class.
    """
    names = frozenset(cls.__dataclass_fields__)

    def set_attribute(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete_attribute(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return set_attribute, delete_attribute


def _state(self: Any) -> list[Any]:
    """Return what pickle stores of `self`, an object with slots."""
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    """Restore `self`, a frozen object with slots, from pickle."""
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
