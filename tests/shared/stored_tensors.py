"""ONNX models that gather from a stored tensor, and what is said of it."""

from __future__ import annotations

from typing import Any

import onnx_models as models

import ovgather

FLOAT, UINT8, INT64, STRING, BOOL, FLOAT16, DOUBLE, UINT32, COMPLEX64, INT4 = (
    1,
    2,
    7,
    8,
    9,
    10,
    11,
    12,
    14,
    22,
)


def tensor(
    dims: list[int], kind: int, fields: dict[str, Any], name: str = "data"
) -> Any:
    from onnx import TensorProto

    return TensorProto(name=name, dims=dims, data_type=kind, **fields)


def model(held: Any) -> Any:
    """A Gather of the tensor ``held``."""
    from onnx import helper

    inputs = [models.value("indices", "int64", [1])]
    shape = [1, *[None] * max(0, len(held.dims) - 1)]
    output = helper.make_tensor_value_info("y", held.data_type or FLOAT, shape)
    made = models.graph(
        [models.node("Gather", "data indices", "y", name="pick")],
        inputs,
        [output],
        [held],
    )
    return models.model(made, 17)


def judged(source: Any) -> list[str]:
    return [
        found.message for found in ovgather.validate(source) if found.code == "OVG813"
    ]
