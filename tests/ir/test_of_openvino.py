"""Models of OpenVINO in memory: the same records as of the file that OpenVINO writes of them, and no ``.bin``."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy
import pytest
from paths import SAMPLES

import ovgather
from ovgather.ir.constants import constant
from ovgather.ir.model import Model

pytestmark = pytest.mark.runtime
MOST_SECONDS = 5.0


def records(model: Model) -> list[Any]:
    """All that a model says, but for where the bytes of constants are."""
    found: list[Any] = []
    for graph in model.graph.graphs():
        found.append((graph.path, sorted(edge[:4] for edge in graph.edges)))
        for layer in graph.layers:
            data = {name: text for name, text in layer.data.items() if name != "offset"}
            ports = [
                [(port.id, port.precision, port.dims) for port in side]
                for side in (layer.inputs, layer.outputs)
            ]
            names = [
                sorted(model.tensor_names(layer, index))
                for index in range(len(layer.outputs))
            ]
            maps = [
                (entry.around, entry.name, entry.attributes)
                for entry in model.mappings.get(layer.offset, ())
            ]
            found.append(
                (
                    layer.id,
                    layer.name,
                    layer.type,
                    layer.version,
                    data,
                    ports,
                    names,
                    maps,
                )
            )
            values = constant(layer, model.weights)
            found.append(
                None if values is None or values.data is None else bytes(values.data)
            )
    return found


def openvino() -> Any:
    return pytest.importorskip("openvino", reason="openvino is not installed")


def both(model: Any, folder: Path) -> tuple[Model, Model]:
    """What is read of the object, and of its file."""
    openvino().serialize(model, folder / "m.xml", folder / "m.bin")
    return ovgather.read(model), ovgather.read(folder / "m.xml")  # type: ignore[return-value]


def test_samples(tmp_path: Path) -> None:
    core, count = openvino().Core(), 0
    for path in sorted(SAMPLES.rglob("*.xml")):
        findings = ovgather.validate(path)
        if findings:
            continue
        try:
            model = core.read_model(path)
        except RuntimeError:
            continue
        ours, theirs = both(model, tmp_path)
        assert records(ours) == records(theirs), path
        count += 1
    assert count > 20


def layers_with_bodies(package: Any) -> Any:
    opset, numbers = package.opset13, numpy
    condition, data = (
        opset.parameter([], numbers.bool_, name="c"),
        opset.parameter([2, -1], numbers.float32, name="x"),
    )
    bodies = []
    for make in (opset.relu, opset.abs):
        inner = opset.parameter([2, -1], numbers.float32, name="inner")
        bodies.append(package.Model([opset.result(make(inner))], [inner], "body"))
    choice = opset.if_op(condition)
    choice.set_then_body(bodies[0])
    choice.set_else_body(bodies[1])
    choice.set_input(data.output(0), *[body.get_parameters()[0] for body in bodies])
    choice.set_output(*[body.get_results()[0] for body in bodies])
    table = opset.constant(numbers.arange(12, dtype=numbers.float32).reshape(3, 4))
    pick = opset.gather(table, opset.constant(numbers.array([0, 2])), opset.constant(0))
    loop = opset.loop(opset.constant(3), opset.constant(True))
    iteration, state = (
        opset.parameter([], numbers.int64),
        opset.parameter([2, 4], numbers.float32),
    )
    going = opset.constant(True)
    ends = [opset.result(going), opset.result(opset.add(state, state))]
    loop.set_function(package.Model(ends, [iteration, state], "loop"))
    loop.set_special_body_ports([0, 0])
    loop.set_merged_input(state, pick.output(0), ends[1].output(0))
    last = loop.get_iter_value(ends[1].output(0), -1)
    results = [opset.result(choice.output(0)), opset.result(last)]
    return package.Model(results, [condition, data], "m")


def test_bodies(tmp_path: Path) -> None:
    ours, theirs = both(layers_with_bodies(openvino()), tmp_path)
    assert records(ours) == records(theirs)


def large(opset: Any, package: Any) -> Any:
    table = opset.constant(
        numpy.zeros((1 << 14, 1 << 10), numpy.float32), shared_memory=True
    )
    indices = opset.parameter([-1, 4], numpy.int64, name="ids")
    pick = opset.gather(table, indices, opset.constant(0))
    pick.set_friendly_name("pick")
    return package.Model([opset.result(pick)], [indices], "m")


def test_no_weights_are_written_or_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import tracemalloc

    package = openvino()
    model = large(package.opset13, package)
    folders = []
    made = tempfile.TemporaryDirectory.cleanup

    def cleanup(self: Any) -> None:
        folders.append([path.name for path in Path(self.name).iterdir()])
        made(self)

    monkeypatch.setattr(tempfile.TemporaryDirectory, "cleanup", cleanup)
    ovgather.gather_layers(model)
    assert folders == [["m.xml"]]
    tracemalloc.start()
    [gather] = ovgather.gather_layers(model)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20
    values = gather.inputs[0].constant
    assert values is not None
    assert values.shape == (1 << 14, 1 << 10)
    assert ovgather.validate(model) == []


def test_symbols_are_kept() -> None:
    package = openvino()
    opset, symbol = package.opset13, package.Symbol()
    parameters = []
    for lengths in ([-1, -1], [-1, 4]):
        shape, first = package.PartialShape(lengths), package.Dimension(2, 9)
        first.set_symbol(symbol)
        shape[0] = first
        parameters.append(opset.parameter(shape, numpy.int64))
    pick = opset.gather(
        opset.constant(numpy.ones((5, 4), numpy.float32)),
        parameters[0],
        opset.constant(0),
    )
    pick.set_friendly_name("pick")
    both_named = opset.concat([parameters[0], parameters[1]], 1)
    both_named.set_friendly_name("joined")
    model = package.Model(
        [opset.result(pick), opset.result(both_named)], parameters, "m"
    )
    [layer] = ovgather.infer(model).layers
    assert layer.output is not None
    assert layer.output.named == "[s0:2..9,?,4]"
    assert ovgather.shapes(model)["joined"].shape.named == "[s0:2..9,4..]"
    assert ovgather.validate(model) == []
