"""Map the names that users write to registered entries.

`Registry("exporter.generators", "generator", Generator)` has

- built-in entries: the modules of that package, with the names of their files; modules whose names
  begin with an underscore, and packages inside the package, are not entries;
- third-party entries: entry points of installed distributions, in the group that has the name of
  the package;
- entries added at run time.

Names are known without importing modules, so `--help` and error messages stay fast; a module is
imported when its entry is used. A module may add more entries whose names start with its own
(`exposure_mean` in `exposure`); they can be used by name, and are listed once the module is
imported. Using a name that two distributions define is an error.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

from exporter.model.errors import ExporterError, ExtensionError, RegistryError
from exporter.model.installed import EntryPoint, entry_points
from exporter.model.lazy_dataclass import dataclass
from exporter.model.suggestions import unknown_name

Entry = TypeVar("Entry")
Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")

OURSELVES = "level-exporter"
# The distributions whose entry points are being imported, in every registry; the last one is the
# innermost.
_loading: list[str] = []


@dataclass(frozen=True, slots=True)
class _Added(Generic[Entry]):
    """A registered entry, its distribution, and the module that registered it."""

    entry: Entry
    owner: str
    module: str
    execution: ModuleType | None

    def is_alive(self) -> bool:
        """Return whether the entry's module still exists.

        Python removes a module whose import fails.
        """
        return sys.modules.get(self.module) is self.execution


class Registry(Generic[Entry]):
    """Named entries, which modules of a package register on import.

    Args:
        package: The dotted name of the package; also the name of the entry point group.
        what: The word for an entry in messages (`generator`).
        kind: The class of the entries.
        helpers: Modules of the package that are not entries.
    """

    def __init__(
        self, package: str, what: str, kind: type[Entry], helpers: tuple[str, ...] = ()
    ) -> None:
        self.package = package
        self.helpers = helpers
        self.what = what
        self.kind = kind
        self._added: dict[str, _Added[Entry]] = {}
        # The result of the first lookup of a name: usable, or why not.
        self._findings: dict[str, str] = {}
        self._built_in: tuple[str, ...] | None = None

    def names(self) -> list[str]:
        """Return all names in alphabetical order, without importing their modules."""
        points = entry_points(self.package)
        return sorted({*self.built_in(), *self._added, *(point.name for point in points)})

    def __contains__(self, name: str) -> bool:
        """Return whether entry `name` exists; may import a module to find out."""
        if name not in self.names() and (home := self._home(name)):
            with suppress(RegistryError):
                self.get(home)
        return name in self.names()

    def built_in(self) -> tuple[str, ...]:
        """Return the sorted names of built-in entries without importing them."""
        if self._built_in is None:
            package = importlib.import_module(self.package)
            result = pkgutil.iter_modules(package.__path__)
            self._built_in = tuple(
                sorted(
                    item.name
                    for item in result
                    if not item.ispkg
                    and not item.name.startswith("_")
                    and item.name not in self.helpers
                )
            )
        return self._built_in

    def add(self, name: str, entry: Entry, module: str) -> None:
        """Register `entry` as `name`; the entry's module calls this on import.

        Args:
            name: The name that users write.
            entry: The registered value.
            module: The dotted name of the module that defines it.

        Raises:
            RegistryError: The name is taken.
            TypeError: The entry is not of this registry's kind.
        """
        if not isinstance(entry, self.kind):
            raise TypeError(f"{entry!r} is not a {self.what}")
        owner = self._owner(module)
        before = self._added.get(name)
        if before is not None and before.is_alive():
            raise self._two(name, before.owner, owner)
        # Ours are checked on lookup: importing them must not fail.
        for second in self._owners(name) if owner != OURSELVES else ():
            if second != owner:
                raise self._two(name, second, owner)
        self._added[name] = _Added(entry, owner, module, sys.modules.get(module))

    def get(self, name: str) -> Entry:
        """Return the entry called `name`; import its module if needed.

        Raises:
            RegistryError: The name is unknown (the message has suggestions, or lists all names),
                two distributions define it, or a third-party module does not work.
        """
        if name not in self._findings:
            if name not in self:
                raise RegistryError(self.unknown(name))
            try:
                self._prepare(name)
                self._findings[name] = ""
            except RegistryError as error:
                self._findings[name] = str(error)
                raise
        if self._findings[name]:
            raise RegistryError(self._findings[name])
        return self._added[name].entry

    def all(self) -> dict[str, Entry]:
        """Return all entries by name, sorted by name; import their modules.

        Raises:
            RegistryError: An entry cannot be used; see `get`.
        """
        self.usable()
        return {name: self.get(name) for name in self.names()}

    def usable(self) -> dict[str, Entry]:
        """Return the entries by name, sorted, without those that fail to import."""
        result = {}
        for name in self.names():
            with suppress(KeyError):
                self.get(name)
        for name in self.names():
            with suppress(KeyError):
                result[name] = self.get(name)
        return result

    def origin(self, name: str) -> str | None:
        """Return the third-party distribution that defines entry `name`.

        The result is its name and version. Without a distribution it is the name of the module, and
        None for a built-in entry or an unknown name.
        """
        others = [owner for owner in self._owners(name) if owner != OURSELVES]
        return others[0] if others else None

    def is_ours(self, module: str) -> bool:
        """Return whether `module` is inside this registry's own package."""
        return module.startswith(f"{self.package}.")

    def unknown(self, name: str) -> str:
        """Return the message that `name` is unknown, with suggestions."""
        words = self._words_for()
        return unknown_name(self.what, name, self.names(), words)

    def _words_for(self) -> dict[str, tuple[str, ...]]:
        if "also" not in getattr(self.kind, "__dataclass_fields__", {}):
            return {}
        return {name: item.also for name, item in self.usable().items()}  # type: ignore[attr-defined]

    def guarded(
        self, name: str, function: Callable[Arguments, Result], returns: type[Result] | None = None
    ) -> Callable[Arguments, Result]:
        """Return `function` of entry `name`, wrapped to report third-party errors.

        An exception in it, or a result that is not of the class `returns`, becomes an
        `ExtensionError` that names the distribution. A bug in the exporter keeps its traceback.
        """
        if self.is_ours(function.__module__):
            return function

        @wraps(function)
        def guarded(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
            try:
                result = function(*arguments, **options)
            except ExporterError:
                raise
            except Exception as error:
                raise ExtensionError(self.failure(name, error)) from error
            if returns is not None and not isinstance(result, returns):
                what = f"returned a {type(result).__name__} (it must return a {returns.__name__})"
                raise self.fault(name, what, function)
            return result

        return guarded

    def failure(self, name: str, error: Exception) -> str:
        """Return the message that code of entry `name` raised `error`.

        It names the entry's distribution, and the line.
        """
        where = _raised_in(error, self._module(name))
        return f"{self._words(name)} failed ({type(error).__name__}: {error}){where}"

    def fault(self, name: str, what: str, function: Callable[..., Any]) -> ExtensionError:
        """Return the error that a function of entry `name` returned a wrong value.

        Args:
            name: The entry's name.
            what: The fault and what is allowed, as in `made cells of ...`.
            function: The function; the message names its line.
        """
        return ExtensionError(f"{self._words(name)} {what}{_defined_in(function)}")

    def _words(self, name: str) -> str:
        return f"{self.what} {name!r} of {self.origin(name) or OURSELVES}"

    def _module(self, name: str) -> str:
        """Return the module that registers entry `name`, or ""."""
        if name in self._added:
            return self._added[name].module
        return next((point.module for point in self._points(name)), "")

    def _home(self, name: str) -> str:
        """Return the longest start of `name` that is the name of a module, or "".

        For example, `exposure` for `exposure_mean`.
        """
        known = {*self.built_in(), *(point.name for point in entry_points(self.package))}
        while name and name not in known:
            name = name.rpartition("_")[0]
        return name

    def _owners(self, name: str) -> list[str]:
        """Return the distributions that define entry `name`, each once."""
        owners = [OURSELVES] if name in self.built_in() else []
        owners += [point.distribution for point in self._points(name)]
        if name in self._added:
            owners.append(self._added[name].owner)
        return list(dict.fromkeys(owners))

    def _owner(self, module: str) -> str:
        """Return the distribution of `module`, or else the module's name.

        It is the distribution whose entry point has the most in common with the module's name;
        without one, the distribution whose entry point is being imported.
        """
        if self.is_ours(module):
            return OURSELVES
        nearest, longest = _loading[-1] if _loading else module, 0
        for point in entry_points():
            shared = _shared_parts(module, point.module)
            if shared > longest:
                nearest, longest = point.distribution, shared
        return nearest

    def _points(self, name: str) -> list[EntryPoint]:
        return [point for point in entry_points(self.package) if point.name == name]

    def _two(self, name: str, first: str, second: str) -> RegistryError:
        state = f"both are of {first}" if first == second else f"one is of {first}, one of {second}"
        return RegistryError(f"two {self.what}s have the name {name!r}: {state}")

    def _prepare(self, name: str) -> None:
        owners = self._owners(name)
        if len(owners) > 1:
            raise self._two(name, owners[0], owners[1])
        if name in self._added and self._added[name].is_alive():
            return
        if owners == [OURSELVES]:
            importlib.import_module(f"{self.package}.{self._home(name)}")
        else:
            self._load(self._points(self._home(name))[0])

    def _load(self, point: EntryPoint) -> None:
        """Import the module of `point`; errors name its distribution."""
        what = f"the {self.what} {point.name!r} of {point.distribution} cannot be used"
        before = set(self._added)
        _loading.append(point.distribution)
        try:
            importlib.import_module(point.module)
        except RegistryError as error:
            raise RegistryError(f"{what}: {error}{_raised_in(error, point.module)}") from error
        except (Exception, SystemExit) as error:
            reason = f"importing {point.module} failed ({type(error).__name__}: {error})"
            where = _raised_in(error, point.module)
            raise RegistryError(f"{what}: {reason}{where}") from error
        finally:
            _loading.pop()
        if point.name not in self._added:
            others = sorted(self._added.keys() - before)
            instead = f" but {', '.join(map(repr, others))}" if others else ""
            raise RegistryError(
                f"{what}: its entry point {point.value} registers no {self.what} of that name"
                f"{instead}"
            )


def module_summary(module: str) -> str:
    """Return the first paragraph of the docstring of `module` as one line.

    The module may still be in the middle of its import.
    """
    return first_paragraph(getattr(sys.modules.get(module), "__doc__", None))


def first_paragraph(text: str | None) -> str:
    """Return the first paragraph of `text` as one line; "" for None."""
    import inspect

    return " ".join(inspect.cleandoc(text or "").partition("\n\n")[0].split())


def parameter_class(function: Callable[..., Any], base: type[Result]) -> type[Result]:
    """Return the first subclass of `base` in the annotations of `function`.

    Annotations that cannot be evaluated are skipped: they may name types that are imported only for
    type checking.

    Raises:
        TypeError: No parameter is annotated with a subclass of `base`.
    """
    for annotation in function.__annotations__.values():
        result = annotation
        if isinstance(annotation, str):
            result = _named(annotation, getattr(function, "__globals__", {}))
        if isinstance(result, type) and issubclass(result, base):
            return result
    raise TypeError(
        f"{function.__qualname__} has no parameter annotated with a subclass of {base.__name__}"
    )


def _raised_in(error: BaseException, module: str) -> str:
    """Return where `error` was raised, such as ` in pillars.py, line 20`.

    This is the last line in the package of `module`, not in a library that it calls, such as numpy.
    """
    import traceback

    package = module.partition(".")[0]
    where = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] == package:
            where = _position(frame.f_code.co_filename, line)
    return where


def _defined_in(function: Callable[..., Any]) -> str:
    """Return where `function` is defined, such as ` in pillars.py, line 20`."""
    import inspect

    code = getattr(inspect.unwrap(function), "__code__", None)
    return "" if code is None else _position(code.co_filename, code.co_firstlineno)


def _position(file: str, line: int) -> str:
    return f" in {os.path.basename(file)}, line {line}"


def _shared_parts(item: str, second: str) -> int:
    """Return how many parts two dotted names share, counted from the start."""
    count = 0
    for a, b in zip(item.split("."), second.split("."), strict=False):
        if a != b:
            break
        count += 1
    return count


def _named(dotted: str, names: dict[str, Any]) -> Any:
    first, *rest = dotted.split(".")
    result = names.get(first)
    for part in rest:
        result = getattr(result, part, None)
    return result
