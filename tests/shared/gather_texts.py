"""Texts of models around one Gather layer, one state or one other layer, for the wording of findings."""

from __future__ import annotations

from small_models import constant, layer, net, parameter, result


def gather_of(
    data: str,
    indices: str,
    type: str = "GatherElements",
    version: str = "opset6",
    attributes: str = 'axis="0"',
) -> str:
    """``type`` over two layers that are given, of one dim each."""
    kind = data.partition('precision="')[2].partition('"')[0]
    ports = (f"{kind} 4", "I64 2", "I64")[: 3 if type == "Gather" else 2]
    axis = constant(2, "", "i64", 0, 8, "I64", "axis") if type == "Gather" else ""
    edges = "0:0-3:0 1:0-3:1 3:2-4:0" if not axis else "0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0"
    made = layer(3, type, version, attributes, ports, (f"{kind} 2",), "pick")
    return net(data, indices, axis, made, result(4, f"{kind} 2"), edges=edges)


INDICES = parameter(1, "2", "i64", "I64 2", "indices")


def table(kind: str, port: str, size: int) -> str:
    return constant(0, "4", kind, 8, size, f"{port} 4", "table")


def gather(data: str, indices: str = INDICES, version: str = "opset8") -> str:
    return gather_of(data, indices, "Gather", version, "")


def state(type: str, version: str, attributes: str = "") -> str:
    made = layer(1, type, version, attributes, ("FP32 3",), ("FP32 3",))
    return net(
        parameter(0, "3", "f32", "FP32 3"),
        made,
        result(2, "FP32 3"),
        edges="0:0-1:0 1:1-2:0",
    )


def branches(*dead: str, edges: str = "") -> str:
    return net(
        parameter(0, "3", "f32", "FP32 3", "data"),
        *dead,
        result(9, "FP32 3"),
        edges="0:0-9:0 " + edges,
    )


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
