"""What onnx says of an operation."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def schema_of(type: str, opset: int, domain: str = "") -> Any:
    """onnx's schema of an operation in an opset; None: it has none."""
    from onnx import defs

    try:
        return defs.get_schema(type, opset, domain)
    except (defs.SchemaError, TypeError):  # an opset beyond 32 bits
        return None
