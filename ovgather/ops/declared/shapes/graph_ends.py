"""Where a graph begins and ends. The forward pass computes the tensors of Const and Parameter itself.

Pages: infrastructure/constant-1, infrastructure/parameter-1, infrastructure/result-1.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    MISSING,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor

_SCALAR = PartialShape(())


def _result(node: Node) -> list[Tensor]:
    node.require_count()
    return []


def _parameter(node: Node) -> list[Tensor]:
    return [Tensor(node["shape"], node["element_type"])]


def _const(node: Node) -> list[Tensor]:
    return [tensor(None, node["element_type"])]


_CONST_ATTRIBUTES = (
    Attribute("element_type", "type", MISSING, required=True),
    Attribute("shape", "integers", MISSING, required=True),
    Attribute("offset", "integer", MISSING, required=True),
    Attribute("size", "integer", MISSING, required=True),
)
_PARAMETER_ATTRIBUTES = (
    Attribute("element_type", "type", "dynamic", required=True),
    Attribute("shape", "shape", _SCALAR, required=True),
)

DECLARATIONS = (
    Declaration("Const", 1, (), _CONST_ATTRIBUTES, _const, "infrastructure/constant-1"),
    Declaration(
        "Parameter",
        1,
        (),
        _PARAMETER_ATTRIBUTES,
        _parameter,
        "infrastructure/parameter-1",
    ),
    Declaration(
        "Result",
        1,
        (Input("input"),),
        (),
        _result,
        "infrastructure/result-1",
        outputs=(),
    ),
)
