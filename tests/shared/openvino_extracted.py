"""Run by the tests in a process of its own: does an extracted layer give what it gives in the whole model?

Arguments: the model, an ``.npz`` with its inputs in0, in1, ... (or ``-``: random ones), and the extracted files.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy
import openvino

EXACT = {"INFERENCE_PRECISION_HINT": "f32"}


def main() -> None:
    path, inputs, *extracted = sys.argv[1:]
    core = openvino.Core()
    whole = core.read_model(path)
    nodes = {node.get_friendly_name(): node for node in whole.get_ops()}
    layers = [core.read_model(name) for name in extracted]
    wanted = []
    for model in layers:
        node = nodes[
            model.get_results()[0].input_value(0).get_node().get_friendly_name()
        ]
        wanted += [
            node.input_value(index) for index in range(node.get_input_size())
        ] + [node.output(0)]
    whole.add_outputs(wanted)
    sources = [port.get_node().input_value(0) for port in whole.outputs]
    compiled = core.compile_model(whole, "CPU", EXACT)
    answers = compiled(given(inputs, compiled))
    values = {
        (source.get_node().get_friendly_name(), source.get_index()): answers[place]
        for place, source in enumerate(sources)
    }
    print(json.dumps([run(core, model, values) for model in layers]))


def given(path: str, compiled: Any) -> list[Any]:
    if path != "-":
        with numpy.load(path) as file:
            return [file[f"in{place}"] for place in range(len(compiled.inputs))]
    random = numpy.random.default_rng(0)
    found = []
    for port in compiled.inputs:
        shape = [
            int(dim.get_length()) if dim.is_static else 3
            for dim in port.get_partial_shape()
        ]
        found.append(
            random.integers(0, 2, shape).astype(port.get_element_type().to_dtype())
        )
    return found


def run(core: Any, model: Any, values: dict[tuple[str, int], Any]) -> dict[str, Any]:
    result = model.get_results()[0].input_value(0).get_node()
    names = [node.get_friendly_name() for node in model.get_parameters()]
    arrays = [values[find(values, name)] for name in names]
    got = next(iter(core.compile_model(model, "CPU", EXACT)(arrays).values()))
    want = values[result.get_friendly_name(), 0]
    same = (
        got.shape == want.shape
        and got.dtype == want.dtype
        and got.tobytes() == want.tobytes()
    )
    return {"layer": result.get_friendly_name(), "inputs": names, "same": same}


def find(values: dict[tuple[str, int], Any], name: str) -> tuple[str, int]:
    """A Parameter is called as the layer it stands for, with the number of the output where there are several."""
    if (name, 0) in values:
        return name, 0
    layer, _, output = name.rpartition(".")
    return layer, int(output)


if __name__ == "__main__":
    main()
