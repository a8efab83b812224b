"""Replace the module `cython` where kernels run interpreted.

Every kernel begins with

    if TYPE_CHECKING:
        import cython
    else:
        from exporter.kernels import _uncompiled as cython

Cython's compiler and type checkers read the first import, Python runs the second. So Cython itself
is needed to compile the kernels, never to run them, and interpreted kernels run the same on every
machine, whichever Cython is installed there. Python ignores the types in annotations. A cast
converts its value to an integer or a float, of any size: a kernel itself masks bits where C would
cut them off.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import TypeVar

_Decorated = TypeVar("_Decorated")

compiled = False


class CType:
    """A C type, for annotations such as `type[:, ::1]` and for `cast`.

    `convert` makes a Python number of this type.
    """

    def __init__(self, convert: Callable[[float], float] = builtins.int) -> None:
        self.convert = convert

    def __getitem__(self, _: object) -> CType:
        return self


def cast(ctype: CType, value: float) -> float:
    """Return `value` as the C type `ctype`; integer types cut off fractions."""
    return ctype.convert(value)


def _unchanged(decorated: _Decorated) -> _Decorated:
    return decorated


def _directive(value: bool = True, *, check: bool = True) -> Callable[[_Decorated], _Decorated]:
    """Accept the arguments of a Cython decorator; return one without effect."""
    return _unchanged


uchar = schar = ushort = uint = ulonglong = short = int = longlong = Py_ssize_t = CType()
double = CType(float)
bint = CType(bool)
void = CType()

cfunc = ccall = cclass = inline = nogil = final = _unchanged
cdivision = exceptval = _directive
