"""Texts of models for the wording of findings of several rules."""

from __future__ import annotations

from small_models import constant, layer, net, parameter, result


def chosen(offset: int = 8) -> str:
    return constant(1, "2", "i64", offset, 16, "I64 2", "chosen")


def fed(kind: str, port: str) -> str:
    return parameter(0, "4", kind, f"{port} 4", "data")


def unary(type: str, data: str, opset: str = "opset1") -> str:
    """A layer of one input and one output."""
    ends = parameter(0, "4,6", "f32", "FP32 4,6"), result(2, "FP32 4,6")
    return net(
        ends[0],
        layer(1, type, opset, data, ("FP32 4,6",), ("FP32 4,6",)),
        ends[1],
        edges="0:0-1:0 1:1-2:0",
    )
