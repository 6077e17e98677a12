"""Short IR texts for tests: whole files and lone layers, on one line, as little as a rule needs."""

from __future__ import annotations

from collections.abc import Sequence

from ir_text import edge_text, layer_text, net_text, port_text

from ovgather.validation.diagnostic import Diagnostic

PARAMETER = ("Parameter", "opset1")
RESULT = ("Result", "opset1")


def port(number: int, text: str) -> str:
    """A port from ``FP32 3,7,5``: the precision, then the dims; ``-`` is no precision."""
    precision, _, dims = text.partition(" ")
    kind = "" if precision == "-" else precision
    return port_text(number, kind, filter(None, dims.split(",")))


def layer(
    number: int,
    type: str,
    version: str,
    data: str = "",
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    name: str = "",
    more: str = "",
) -> str:
    """A layer; ports are counted on from the inputs to the outputs."""
    return layer_text(
        number,
        type,
        version,
        data,
        [port(place, item) for place, item in enumerate(inputs)],
        [port(len(inputs) + place, item) for place, item in enumerate(outputs)],
        name=name or type.lower(),
        inside=more,
    )


def net(*layers: str, edges: str = "", version: str = "11", more: str = "") -> str:
    """A whole file; ``edges`` is ``0:0-2:0 1:0-2:1``."""
    joined = []
    for edge in edges.split():
        start, end = (ends.split(":") for ends in edge.split("-"))
        joined.append(edge_text((start[0], start[1]), (end[0], end[1])))
    return net_text(layers, joined, more, version=version)


def parameter(
    number: int, shape: str, element_type: str, out: str, name: str = ""
) -> str:
    """A Parameter of ``shape`` whose port is ``out``."""
    return layer(
        number,
        *PARAMETER,
        f'shape="{shape}" element_type="{element_type}"',
        (),
        (out,),
        name,
    )


def constant(
    number: int,
    shape: str,
    element_type: str,
    offset: int,
    size: int,
    out: str,
    name: str = "",
) -> str:
    """A Const."""
    data = (
        f'element_type="{element_type}" shape="{shape}" offset="{offset}" size="{size}"'
    )
    return layer(number, "Const", "opset1", data, (), (out,), name)


def result(number: int, given: str) -> str:
    """A Result that takes ``given``."""
    return layer(number, *RESULT, "", (given,))


def gather_elements(
    data: str = "3,7",
    indices: str = "3,9",
    attributes: str = 'axis="1"',
    output: str = "",
    version: str = "opset6",
) -> str:
    """A GatherElements-6 on its own."""
    ports = (f"FP32 {data}", f"I64 {indices}")
    return layer(
        2,
        "GatherElements",
        version,
        attributes,
        ports,
        (f"FP32 {output or indices}",),
        "pick",
    )


def gather(
    data: str = "5,4",
    indices: str = "2,3",
    attributes: str = "",
    output: str = "2,3,4",
    version: str = "opset8",
    comment: str = "axis = 0",
) -> str:
    """A Gather on its own, whose axis stands in a comment, as on a page of the specification."""
    ports = (f"FP32 {data}", f"I64 {indices}", "I64")
    text = layer(3, "Gather", version, attributes, ports, (f"FP32 {output}",), "lookup")
    return text.replace(
        '<port id="2" precision="I64"></port>',
        f'<port id="2" precision="I64"/><!-- {comment} -->',
    )


def whole(
    middle: str, data: str = "3,7", indices: str = "3,9", output: str = "3,9"
) -> str:
    """A file around the two-input layer 2 ``middle``."""
    return net(
        parameter(0, data, "f32", f"FP32 {data}", "data"),
        parameter(1, indices, "i64", f"I64 {indices}", "indices"),
        middle,
        result(3, f"FP32 {output}"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )


EMPTY = net_text()
_PORTS = {
    "f32": "FP32",
    "i64": "I64",
    "boolean": "BOOL",
    "nf4": "NF4",
    "dynamic": "UNSPECIFIED",
}


def gather_8(
    indices: str = "2,3",
    out: str = "2,3,4",
    data: str = "5,4",
    attributes: str = "",
    version: str = "opset8",
    axis_shape: str = "",
    n: int = 8,
    idx: str = "i64",
) -> str:
    """A whole file with a Gather whose axis is a Const of ``n`` bytes."""
    kind, axis = _PORTS[idx], f"I64 {axis_shape}"
    return net(
        parameter(0, data, "f32", f"FP32 {data}", "data"),
        parameter(1, indices, idx, f"{kind} {indices}", "indices"),
        constant(2, axis_shape, "i64", 0, n, axis, "axis"),
        layer(
            3,
            "Gather",
            version,
            attributes,
            (f"FP32 {data}", f"{kind} {indices}", axis),
            (f"FP32 {out}",),
            "lookup",
        ),
        result(4, f"FP32 {out}"),
        edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0",
    )


def i64(*values: int) -> bytes:
    """The bytes of i64 constants."""
    return b"".join(value.to_bytes(8, "little", signed=True) for value in values)


def with_rt_info(*attributes: tuple[str, str, str], version: str = "11") -> str:
    """A whole file whose layer 2 has runtime attributes of these names, versions and further texts."""
    inside = "".join(
        f'<attribute name="{name}" version="{number}" {more}/>'
        for name, number, more in attributes
    )
    text = whole(gather_elements()).replace(
        '</layer><layer id="3"', f'<rt_info>{inside}</rt_info></layer><layer id="3"'
    )
    return text.replace('version="11"', f'version="{version}"', 1)


def words(found: Diagnostic) -> str:
    """A finding as the tables of messages hold it."""
    help = f" | {found.help}" if found.help else ""
    return f"{found.severity}, {found.openvino}: {found.message}{help}"
