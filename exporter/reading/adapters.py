"""Build pydantic validators on first use, one for each annotation."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return the cached pydantic validator of `kind`, a class or annotation."""
    return _adapter(kind)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def accepts(hint: Any, value: Any) -> bool:
    """Return whether annotation `hint` accepts `value` without conversion.

    For example, the annotation of a number does not accept the text "5".
    """
    from pydantic import ValidationError

    try:
        adapter(hint).validate_json(json.dumps(value), strict=True)
    except ValidationError:
        return False
    return True
