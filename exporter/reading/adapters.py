"""Build pydantic's validators, one for each annotation, on first use."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return pydantic's validator of a dataclass or annotation, built once."""
    return _adapter(kind)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def accepts(hint: Any, value: Any) -> bool:
    """Whether an annotation accepts a value strictly: "5" is no number."""
    from pydantic import ValidationError

    try:
        adapter(hint).validate_json(json.dumps(value), strict=True)
    except ValidationError:
        return False
    return True
