"""Writes a large IR as OpenVINO serialises one, with a ``.bin`` beside it: the same bytes at every run.

::

    python benchmarks/make_ir.py 100000 large.xml
    python benchmarks/make_ir.py 30000 large.xml --different

The model is a chain of blocks of 21 layers such as converters leave behind: TopK and GatherElements, a table
kept in half precision, Gather by constant indices, Gather of a ShapeOf, GatherND. The batch is dynamic, the
other dims change from block to block. OpenVINO reads and runs it, and writes the same back, except that it
shuffles the edges that leave one port.

With ``--different`` it is a chain of Gather layers, each with a Const of indices of its own: no two Gather layers have
the same input and output dims, so nothing that is known of one holds for another.
"""

from __future__ import annotations

import argparse
import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

PORT = {"f32": "FP32", "f16": "FP16", "i64": "I64", "i32": "I32"}
FORMAT = {"f32": "f", "f16": "e", "i64": "q"}


class Output(NamedTuple):
    """What a layer gives out: where it comes from, its element type and its dims (-1: dynamic)."""

    layer: int
    port: int
    type: str
    dims: tuple[int, ...]


class Writer:
    """Collects layers, edges and weights in the layout of OpenVINO's serializer."""

    def __init__(self) -> None:
        self.layers: list[str] = []
        self.edges: list[tuple[int, int, int, int]] = []
        self.weights = bytearray()
        self._offsets: dict[bytes, int] = {}
        self._ports: dict[tuple[str, tuple[int, ...]], str] = {}

    def layer(
        self,
        name: str,
        type: str,
        opset: str,
        inputs: Sequence[Output],
        outputs: Sequence[tuple[str, tuple[int, ...]]],
        data: str = "",
        rt_info: str = "",
        more: str = "",
    ) -> list[Output]:
        """Adds one layer; the ids of its ports go on from its inputs to its outputs."""
        id = len(self.layers)
        text = [
            f'\t\t<layer id="{id}" name="{name}" type="{type}" version="{opset}"{more}>\n'
        ]
        if data:
            text.append(f"\t\t\t<data {data} />\n")
        text.append(rt_info)
        if inputs:
            text.append("\t\t\t<input>\n")
            for port, given in enumerate(inputs):
                text.append(self._port(port, given.type, given.dims))
                self.edges.append((given.layer, given.port, id, port))
            text.append("\t\t\t</input>\n")
        added = [
            Output(id, len(inputs) + port, type, dims)
            for port, (type, dims) in enumerate(outputs)
        ]
        if added:
            text.append("\t\t\t<output>\n")
            text += [
                self._port(out.port, out.type, out.dims, f' names="{id}.{out.port}"')
                for out in added
            ]
            text.append("\t\t\t</output>\n")
        text.append("\t\t</layer>\n")
        self.layers.append("".join(text))
        return added

    def constant(
        self, name: str, type: str, dims: tuple[int, ...], values: Sequence[int | float]
    ) -> Output:
        """Adds a Const and its bytes."""
        packed = struct.pack(f"<{len(values)}{FORMAT[type]}", *values)
        shape = ", ".join(map(str, dims))
        # Equal constants share their bytes.
        offset = self._offsets.setdefault(packed, len(self.weights))
        if offset == len(self.weights):
            self.weights += packed
        where = f'offset="{offset}" size="{len(packed)}"'
        data = f'element_type="{type}" shape="{shape}" {where}'
        return self.layer(name, "Const", "opset1", (), [(type, dims)], data)[0]

    def _port(self, id: int, type: str, dims: tuple[int, ...], names: str = "") -> str:
        rest = self._ports.get((type, dims))
        if rest is None:
            rows = "".join(f"\t\t\t\t\t<dim>{dim}</dim>\n" for dim in dims)
            rest = f">\n{rows}\t\t\t\t</port>\n" if dims else " />\n"
            self._ports[type, dims] = rest
        return f'\t\t\t\t<port id="{id}" precision="{PORT[type]}"{names}{rest}'

    def save(self, path: str, name: str) -> None:
        """Writes ``path`` and the ``.bin`` beside it."""
        with open(path, "w", encoding="utf-8", newline="\n") as out:
            out.write(
                f'<?xml version="1.0"?>\n<net name="{name}" version="11">\n\t<layers>\n'
            )
            out.writelines(self.layers)
            out.write("\t</layers>\n\t<edges>\n")
            out.writelines(
                f'\t\t<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}" />\n'
                for a, b, c, d in sorted(self.edges)
            )
            out.write("\t</edges>\n\t<rt_info />\n</net>\n")
        with open(path.removesuffix(".xml") + ".bin", "wb") as weights:
            weights.write(self.weights)


BLOCK = 21
WIDTH = 16
DECOMPRESSION = '\t\t\t<rt_info>\n\t\t\t\t<attribute name="decompression" version="0" />\n\t\t\t</rt_info>\n'


def block(to: Writer, number: int, x: Output) -> Output:
    """One block: [?, rows, 16] in, [?, other rows, 16] out."""
    prefix = f"__module.model.layers.{number}"
    batch, rows, width = x.dims
    kept, picked = max(1, rows - number % 3), 8 + number * 5 % 17

    k = to.constant(f"{prefix}.select/aten::topk/Constant", "i64", (), [kept])
    shape = (batch, kept, width)
    topk = 'axis="1" mode="max" sort="value" index_element_type="i32" stable="false"'
    _, order = to.layer(
        f"{prefix}.select/aten::topk/TopK",
        "TopK",
        "opset11",
        [x, k],
        [("f32", shape), ("i32", shape)],
        topk,
    )
    pick = f"{prefix}.select/aten::gather/GatherElements"
    x = to.layer(
        pick, "GatherElements", "opset6", [x, order], [("f32", shape)], 'axis="1"'
    )[0]

    values = [(number + i) % 11 / 8 for i in range(width)]
    half = to.constant(
        f"self.model.layers.{number}.bias_compressed", "f16", (1, 1, width), values
    )
    bias = to.layer(
        f"self.model.layers.{number}.bias",
        "Convert",
        "opset1",
        [half],
        [("f32", half.dims)],
        'destination_type="f32"',
        DECOMPRESSION,
    )[0]
    numpy = 'auto_broadcast="numpy"'
    x = to.layer(
        f"{prefix}.linear/aten::add/Add",
        "Add",
        "opset1",
        [x, bias],
        [("f32", shape)],
        numpy,
    )[0]
    x = to.layer(
        f"{prefix}.act/aten::relu/Relu", "ReLU", "opset1", [x], [("f32", shape)]
    )[0]
    x = gather(
        to,
        f"{prefix}.reorder/aten::index_select",
        x,
        1,
        [i * 7 % kept for i in range(picked)],
    )
    x = keep_shape(to, f"{prefix}.view/aten", x)
    return scale(to, f"{prefix}.scale/aten", x)


def gather(
    to: Writer, prefix: str, data: Output, axis: int, indices: list[int]
) -> Output:
    """Gather-8 by constant indices along a constant axis: three layers."""
    by = to.constant(f"{prefix}/Constant", "i64", (len(indices),), indices)
    along = to.constant(f"{prefix}/Constant_1", "i64", (), [axis])
    dims = (*data.dims[:axis], len(indices), *data.dims[axis + 1 :])
    outputs = [(data.type, dims)]
    return to.layer(
        f"{prefix}/Gather",
        "Gather",
        "opset8",
        [data, by, along],
        outputs,
        'batch_dims="0"',
    )[0]


def keep_shape(to: Writer, prefix: str, x: Output) -> Output:
    """Reshape to the batch of ``x`` and its own other dims: seven layers."""
    of = to.layer(
        f"{prefix}::size/ShapeOf",
        "ShapeOf",
        "opset3",
        [x],
        [("i64", (3,))],
        'output_type="i64"',
    )
    batch = gather(to, f"{prefix}::size", of[0], 0, [0])
    rest = to.constant(f"{prefix}::view/Constant", "i64", (2,), x.dims[1:])
    target = to.layer(
        f"{prefix}::view/Concat",
        "Concat",
        "opset1",
        [batch, rest],
        [("i64", (3,))],
        'axis="0"',
    )
    outputs, data = [("f32", x.dims)], 'special_zero="false"'
    return to.layer(
        f"{prefix}::view/Reshape", "Reshape", "opset1", [x, target[0]], outputs, data
    )[0]


def scale(to: Writer, prefix: str, x: Output) -> Output:
    """Multiplies by rows that GatherND takes from a small table: four layers."""
    _, rows, width = x.dims
    table = to.constant(
        f"{prefix}::table", "f32", (4, width), [1 + i % 5 / 4 for i in range(4 * width)]
    )
    which = to.constant(
        f"{prefix}::which", "i64", (rows, 1), [i % 4 for i in range(rows)]
    )
    outputs = [("f32", (rows, width))]
    by = to.layer(
        f"{prefix}::gather_nd/GatherND",
        "GatherND",
        "opset8",
        [table, which],
        outputs,
        'batch_dims="0"',
    )
    numpy = 'auto_broadcast="numpy"'
    return to.layer(
        f"{prefix}::mul/Multiply",
        "Multiply",
        "opset1",
        [x, by[0]],
        [("f32", x.dims)],
        numpy,
    )[0]


def make_ir(path: str, layers: int) -> None:
    """Writes a model of exactly ``layers`` layers, at least two."""
    to = Writer()
    dims = (-1, 12, WIDTH)
    x = to.layer(
        "input",
        "Parameter",
        "opset1",
        (),
        [("f32", dims)],
        'shape="?,12,16" element_type="f32"',
    )[0]
    whole, left = divmod(layers - 2, BLOCK)
    for number in range(whole):
        x = block(to, number, x)
    for number in range(left):
        x = to.layer(
            f"__module.head.{number}/aten::relu/Relu",
            "ReLU",
            "opset1",
            [x],
            [("f32", x.dims)],
        )[0]
    to.layer(
        "Result_1",
        "Result",
        "opset1",
        [x],
        (),
        more=f' output_names="{x.layer}.{x.port}"',
    )
    to.save(path, "large")


LENGTHS = 100


def lengths() -> Iterator[int]:
    """Numbers from 1 to ``LENGTHS`` in an order in which no two neighbours meet twice, over and over."""
    while True:
        for one in range(1, LENGTHS + 1):
            yield one
            for other in range(one + 1, LENGTHS + 1):
                yield one
                yield other


def make_different(path: str, layers: int) -> None:
    """Writes a model of exactly ``layers`` layers, at least two; up to ``LENGTHS`` squared Gather layers all differ."""
    to = Writer()
    rows = lengths()
    dims = (-1, next(rows))
    x = to.layer(
        "input",
        "Parameter",
        "opset1",
        (),
        [("f32", dims)],
        f'shape="?,{dims[1]}" element_type="f32"',
    )[0]
    whole, left = divmod(layers - 2, 3)
    for number in range(whole):
        held, wanted = x.dims[1], next(rows)
        x = gather(
            to,
            f"__module.model.{number}/aten",
            x,
            1,
            [(number + i * i) % held for i in range(wanted)],
        )
    for number in range(left):
        x = to.layer(
            f"__module.head.{number}/aten::relu/Relu",
            "ReLU",
            "opset1",
            [x],
            [("f32", x.dims)],
        )[0]
    to.layer(
        "Result_1",
        "Result",
        "opset1",
        [x],
        (),
        more=f' output_names="{x.layer}.{x.port}"',
    )
    to.save(path, "different")


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes a large IR and its .bin.")
    parser.add_argument("layers", type=int)
    parser.add_argument("path", help="the .xml to write")
    parser.add_argument(
        "--different",
        action="store_true",
        help="a chain of Gather layers that all differ",
    )
    arguments = parser.parse_args()
    (make_different if arguments.different else make_ir)(
        arguments.path, arguments.layers
    )


if __name__ == "__main__":
    main()
