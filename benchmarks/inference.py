"""How long the shape inference of one static layer takes, beside OpenVINO's and ONNX's.

::

    python benchmarks/inference.py
    python benchmarks/inference.py --rounds 15

Peers take turns, each in a process of its own; a figure is the median over the rounds of the fastest of a few
repetitions, in microseconds for one layer.

- **known**: shapes are made once and kept, as in the middle of a program: ``PartialShape`` objects for ovgather, nodes
  for OpenVINO, which is left with building the one node and reading its shape.
- **lists**: the same lists of lengths each time, which ovgather has to read and OpenVINO to make Parameters of.
- **new**: the same with lengths that never came before, so that nothing that is kept can help.
- **onnx**: ``onnx.shape_inference.infer_shapes`` of a model of 1,000 such nodes, for each node.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from timeit import repeat
from typing import Any, NamedTuple

from measure import child, median, table, take_turns, versions

NODES = 1000


class Layer(NamedTuple):
    """A static layer; ``free`` is the place of a dim of indices that may have any length."""

    type: str
    opset: str
    data: list[int]
    indices: list[int]
    free: int
    axis: int | None = None
    batch_dims: int = 0

    @property
    def name(self) -> str:
        attributes = "".join(
            f" {name} {value}"
            for name, value in (("axis", self.axis), ("batch_dims", self.batch_dims))
            if value
        )
        return f"{self.type} {self.data} {self.indices}{attributes}".replace(", ", ",")


LAYERS = [
    Layer("Gather", "opset8", [30522, 768], [1, 128], 1, axis=0),
    Layer("Gather", "opset1", [6, 12, 10, 24], [15, 4, 20, 28], 0, axis=1),
    Layer("Gather", "opset8", [2, 64, 128], [2, 32, 21], 1, axis=1, batch_dims=1),
    Layer("Gather", "opset7", [3], [], -1, axis=0),
    Layer("GatherElements", "opset6", [3, 7, 5], [3, 10, 5], 1, axis=1),
    Layer("GatherElements", "opset6", [1, 512], [1, 128], 1, axis=1),
    Layer("GatherND", "opset8", [1000, 256, 10, 15], [25, 125, 3], 0),
    Layer("GatherND", "opset8", [30, 2, 100, 35], [30, 2, 3, 1], 2, batch_dims=2),
]


def microseconds(call: Callable[[], object], number: int) -> float:
    return min(repeat(call, number=number, repeat=5)) / number * 1e6


def each_once(
    call: Callable[[list[list[int]]], object], layer: Layer, number: int
) -> float:
    """The time of ``call`` on shapes of which no two are alike."""
    lengths = iter(range(2, 1 << 30))
    best = []
    for _ in range(5):
        shapes = []
        for _ in range(number):
            indices = layer.indices.copy()
            if indices:
                indices[layer.free] = next(lengths)
            shapes.append([layer.data.copy(), indices])
        best.append(
            min(repeat(partial(_all, call, shapes), number=1, repeat=1)) / number * 1e6
        )
    return min(best)


def _all(
    call: Callable[[list[list[int]]], object], shapes: Sequence[list[list[int]]]
) -> None:
    for pair in shapes:
        call(pair)


def ovgather() -> dict[str, dict[str, float]]:
    from ovgather import PartialShape, infer_shape

    times = {}
    for layer in LAYERS:
        options: dict[str, Any] = {
            "version": layer.opset,
            "axis": layer.axis,
            "batch_dims": layer.batch_dims,
        }
        lists = [layer.data, layer.indices]
        known = [PartialShape.of(shape) for shape in lists]
        call = partial(infer_shape, layer.type, **options)
        times[layer.name] = {
            "known": microseconds(partial(call, known), 20_000),
            "lists": microseconds(partial(call, lists), 20_000),
            "new": each_once(call, layer, 2000),
        }
    return times


def openvino() -> dict[str, dict[str, float]]:
    from importlib import import_module

    import numpy
    from openvino import PartialShape, Type

    times = {}
    builders = {
        "Gather": "gather",
        "GatherElements": "gather_elements",
        "GatherND": "gather_nd",
    }
    for layer in LAYERS:
        opset: Any = import_module(f"openvino.{layer.opset}")
        make: Any = import_module("openvino.opset8")
        build = getattr(opset, builders[layer.type])
        options = {"batch_dims": layer.batch_dims} if layer.batch_dims else {}
        if layer.type == "GatherElements":
            options["axis"] = layer.axis or 0

        def inputs(
            pair: list[list[int]], layer: Layer = layer, make: Any = make
        ) -> list[Any]:
            kinds = (Type.f32, Type.i64)
            nodes = [
                make.parameter(PartialShape(shape), kind)
                for shape, kind in zip(pair, kinds, strict=True)
            ]
            return (
                [*nodes, make.constant(numpy.int64(layer.axis))]
                if layer.type == "Gather"
                else nodes
            )

        def shape(
            nodes: list[Any], build: Any = build, options: dict[str, int] = options
        ) -> object:
            return build(*nodes, **options).get_output_partial_shape(0)

        lists = [layer.data, layer.indices]
        kept = inputs(lists)
        times[layer.name] = {
            "known": microseconds(lambda: shape(kept), 2000),  # noqa: B023
            "lists": microseconds(lambda: shape(inputs(lists)), 1000),  # noqa: B023
            "new": each_once(lambda pair: shape(inputs(pair)), layer, 500),
        }
    return times


def onnx() -> dict[str, dict[str, float]]:
    from onnx import TensorProto, helper, shape_inference

    times = {}
    for layer in LAYERS:
        if layer.type == "Gather" and layer.batch_dims:
            continue  # not in ONNX
        options = (
            {"batch_dims": layer.batch_dims}
            if layer.type == "GatherND"
            else {"axis": layer.axis}
        )
        inputs = [
            helper.make_tensor_value_info("data", TensorProto.FLOAT, layer.data),
            helper.make_tensor_value_info("indices", TensorProto.INT64, layer.indices),
        ]
        nodes = [
            helper.make_node(layer.type, ["data", "indices"], [f"o{k}"], **options)
            for k in range(NODES)
        ]
        graph = helper.make_graph(
            nodes,
            "g",
            inputs,
            [helper.make_tensor_value_info("o0", TensorProto.FLOAT, None)],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        inferred_model = shape_inference.infer_shapes(model)
        assert len(inferred_model.graph.value_info) == NODES - 1
        times[layer.name] = {
            "onnx": microseconds(partial(shape_inference.infer_shapes, model), 3)
            / NODES
        }
    return times


PEERS: dict[str, Callable[[], dict[str, dict[str, float]]]] = {
    "ovgather": ovgather,
    "openvino": openvino,
    "onnx": onnx,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--rounds", type=int, default=5, help="how often each peer is run"
    )
    parser.add_argument("--peer", choices=PEERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        json.dump(PEERS[options.peer](), sys.stdout)
        return
    script = os.path.abspath(__file__)
    peers = {name: partial(_sample, script, name) for name in PEERS}
    samples = take_turns(options.rounds, peers)
    print(versions("openvino", "onnx"))
    print(_table(samples))


def _sample(script: str, name: str) -> dict[str, dict[str, float]]:
    sample: dict[str, dict[str, float]] = json.loads(child([script, "--peer", name]))
    return sample


def _table(samples: dict[str, list[dict[str, dict[str, float]]]]) -> str:
    def figure(peer: str, layer: str, what: str) -> float | None:
        values = [
            sample[layer][what] for sample in samples.get(peer, []) if layer in sample
        ]
        return median(values) if values else None

    head = [
        "layer, µs",
        "known",
        "lists",
        "new",
        "OpenVINO known",
        "lists",
        "new",
        "onnx",
    ]
    head += ["known /", "lists /", "new /", "onnx / known", "onnx / lists"]
    rows = []
    for layer in LAYERS:
        ours = [
            figure("ovgather", layer.name, what) for what in ("known", "lists", "new")
        ]
        theirs = [
            figure("openvino", layer.name, what) for what in ("known", "lists", "new")
        ]
        each = figure("onnx", layer.name, "onnx")
        pairs = [*zip(theirs, ours, strict=True), (each, ours[0]), (each, ours[1])]
        ratios = [
            "-" if not peer or not mine else f"{peer / mine:.1f}"
            for peer, mine in pairs
        ]
        shown = [
            "-" if value is None else f"{value:.2f}" for value in [*ours, *theirs, each]
        ]
        rows.append([layer.name, *shown, *ratios])
    return table(head, rows)


if __name__ == "__main__":
    main()
