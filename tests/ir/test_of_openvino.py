"""Models of OpenVINO in memory: the same records as of the file that OpenVINO writes of them, and no file."""

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


@pytest.mark.slow
def test_samples(tmp_path: Path) -> None:
    core, count = openvino().Core(), 0
    for path in sorted(SAMPLES.rglob("*.xml")):
        if path.name.startswith("bad") or ovgather.validate(path):
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


def test_no_file_is_written_and_no_weights_are_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import tracemalloc

    package = openvino()
    model = large(package.opset13, package)
    monkeypatch.setattr(tempfile, "TemporaryDirectory", None)
    monkeypatch.setattr(package, "serialize", None)
    ovgather.gather_layers(model)
    tracemalloc.start()
    [gather] = ovgather.gather_layers(model)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20
    values = gather.inputs[0].constant
    assert values is not None
    assert values.shape == (1 << 14, 1 << 10)
    assert ovgather.validate(model) == []


STATE_SHAPES = {"[2,?,1..4]": [2, 3, 2], "[...]": [2], "[]": [], "[?]": [3]}


@pytest.mark.parametrize("shape", STATE_SHAPES)
def test_the_shape_of_a_state_is_that_of_its_variable(
    shape: str, tmp_path: Path
) -> None:
    """Of a ReadValue itself Python gets a list, in which intervals and a dynamic rank are lost."""
    package = openvino()
    opset = package.opset13
    first = opset.parameter(STATE_SHAPES[shape], numpy.float32, name="x")
    about = package.op.util.VariableInfo()
    about.data_type = package.Type.f32
    about.variable_id = "state, \u00e9"
    about.data_shape = package.PartialShape(shape)
    variable = package.op.util.Variable(about)
    read = package.op.read_value(first, variable)
    ours, theirs = both(
        package.Model(
            [opset.result(opset.relu(read))],
            [package.op.assign(read, variable)],
            [first],
            "m",
        ),
        tmp_path,
    )
    assert records(ours) == records(theirs)


def test_layouts_and_names(tmp_path: Path) -> None:
    package = openvino()
    opset = package.opset13
    data = opset.parameter([1, 3, 4, -1], numpy.float32, name='tab\t & <"\u00e9">')
    data.set_layout(package.Layout("NCHW"))
    data.output(0).get_tensor().set_names({"x,y", "z\\n"})
    result = opset.result(opset.relu(data))
    result.set_layout(package.Layout("N...C"))
    ours, theirs = both(package.Model([result], [data], "a <name>"), tmp_path)
    assert records(ours) == records(theirs)
    assert ours.name == theirs.name == "a <name>"
    layouts = [
        [(layer.name, port, text) for layer, port, text, _ in model.layouts]
        for model in (ours, theirs)
    ]
    assert layouts[0] == layouts[1]
    assert len(layouts[0]) == 2


def test_constants_of_all_types(tmp_path: Path) -> None:
    package = openvino()
    opset = package.opset13
    types = "u1 u2 u3 u4 u6 u8 u64 i4 i8 nf4 bf16 f16 f64 f8e4m3 f8e5m2 f4e2m1 boolean"
    constants = [
        package.op.Constant(package.Tensor(numpy.array(["a", "\u017c", ""]))),
        opset.constant(numpy.zeros((0, 3), numpy.float32)),
    ]
    for name in types.split():
        tensor = package.Tensor(getattr(package.Type, name), package.Shape([2, 5]))
        tensor.data[...] = 1
        constants.append(package.op.Constant(tensor))
    results = [opset.result(each) for each in constants]
    ours, theirs = both(package.Model(results, [], "m"), tmp_path)
    assert records(ours) == records(theirs)


def test_padding_that_follows_is_zero_and_numbers_are_exact(tmp_path: Path) -> None:
    package = openvino()
    opset = package.opset13
    data = opset.parameter([1, 3, 8, 8], numpy.float32)
    kernel = opset.constant(numpy.zeros((2, 3, 3, 3), numpy.float32))
    results = [
        opset.convolution(data, kernel, [1, 1], [1, 2], [1, 1], [1, 1], auto_pad=pad)
        for pad in ("explicit", "same_upper", "same_lower", "valid")
    ]
    results += [
        opset.elu(data, 0.1),
        opset.clamp(data, -1e-7, 3.4028234663852886e38),
        opset.normalize_l2(data, opset.constant([1]), 1e-10, "add"),
    ]
    ours, theirs = both(package.Model(results, [data], "m"), tmp_path)
    assert records(ours) == records(theirs)


def test_a_compiled_model(tmp_path: Path) -> None:
    package = openvino()
    compiled = package.Core().compile_model(
        layers_with_bodies(package), "CPU", {"NUM_STREAMS": 1}
    )
    ours, theirs = both(compiled.get_runtime_model(), tmp_path)
    assert records(ours) == records(theirs)
    assert "Input" in {layer.type for layer in ours.layers()}


def test_what_a_model_says_of_its_making(tmp_path: Path) -> None:
    package = openvino()
    data = package.opset13.parameter([2], numpy.float32)
    model = package.Model([package.opset13.relu(data)], [data], "m")
    model.set_rt_info("2.1 <dev>", ["nncf", "version of it"])
    model.set_rt_info(True, "whole")
    ours, _ = both(model, tmp_path)
    text = (tmp_path / "m.xml").read_bytes()
    assert _information(ours.source.data) == _information(text)


def _information(text: bytes) -> list[Any]:
    """What stands in the ``rt_info`` of a model."""
    from xml.etree import ElementTree

    [root] = ElementTree.fromstring(text).findall("rt_info")
    return [(each.tag, each.attrib) for each in root.iter()]


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
