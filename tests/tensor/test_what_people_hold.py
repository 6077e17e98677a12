"""Objects of other packages as arguments: element types, arrays, shapes, nodes."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import ovgather

SHAPES = [[3, 4], [2, 5]]
DATA, INDICES = numpy.array([[1.0, 2.0], [3.0, 4.0]], "f4"), numpy.array([1, 0])


def infer(*types: Any) -> str:
    return str(ovgather.infer_shape("Gather", SHAPES, axis=0, element_types=types))


@pytest.mark.parametrize(
    "types",
    [(numpy.float32, numpy.dtype("i8")), ("f32", "i64"), (1, 7), (None, numpy.int32)],
)
def test_element_types(types: tuple[Any, ...]) -> None:
    assert infer(*types) == "[2,5,4]"


def test_element_types_of_openvino() -> None:
    openvino = pytest.importorskip("openvino", reason="openvino is not installed")
    assert infer(openvino.Type.f32, openvino.Type.i64) == "[2,5,4]"
    with pytest.raises(
        ovgather.ShapeInferenceError,
        match="indices must be of an integer type, not f32",
    ):
        infer(openvino.Type.f32, openvino.Type.f32)


@pytest.mark.slow
def test_element_types_of_onnx() -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    onnx_ir = pytest.importorskip("onnx_ir", reason="onnx_ir is not installed")
    assert infer(onnx.TensorProto.FLOAT, onnx.TensorProto.INT64) == "[2,5,4]"
    assert infer(onnx_ir.DataType.FLOAT, onnx_ir.DataType.INT32) == "[2,5,4]"


@pytest.mark.parametrize("type", [object(), 99, 1.5, "f33", True])
def test_what_is_no_element_type(type: Any) -> None:
    with pytest.raises(ovgather.OvgatherError, match="element type"):
        infer(type, "i64")


class Capsule:
    """An array that only dlpack gives."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **how: Any) -> Any:
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()  # type: ignore[no-any-return]


def arrays() -> dict[str, Any]:
    makers: dict[str, Any] = {"dlpack": Capsule}
    try:
        import openvino

        makers["openvino"] = openvino.Tensor
    except ImportError:
        pass
    try:
        import onnx_ir
        from onnx import numpy_helper

        makers |= {"onnx": numpy_helper.from_array, "onnx_ir": onnx_ir.Tensor}
    except ImportError:
        pass
    try:
        import torch

        makers["torch"] = torch.from_numpy
    except ImportError:
        pass
    return makers


@pytest.mark.parametrize("name", ["dlpack", "openvino", "onnx", "onnx_ir", "torch"])
def test_arrays(name: str) -> None:
    if name not in arrays():
        pytest.skip(f"{name} is not installed")
    make = arrays()[name]
    assert ovgather.gather(make(DATA), make(INDICES), 0).tolist() == [[3, 4], [1, 2]]
    assert ovgather.gather(DATA, make(INDICES), make(numpy.array(0))).tolist() == [
        [3, 4],
        [1, 2],
    ]
    assert ovgather.gather_nd(make(DATA), make(INDICES)).tolist() == 3.0
    assert ovgather.evaluate(
        "GatherElements", [make(DATA), make(INDICES[None])], axis=0
    ).tolist() == [[3, 2]]


def test_shapes_and_nodes_of_onnx() -> None:
    onnx = pytest.importorskip("onnx.helper", reason="onnx is not installed")
    from onnx import TensorProto, helper

    value = helper.make_tensor_value_info(
        "x", TensorProto.FLOAT, ["batch", 4, None, "2", "past+1"]
    )
    shape = ovgather.PartialShape(value.type.tensor_type.shape)
    assert shape.named == '[batch,4,?,"2",past + 1]'
    node = helper.make_node("GatherElements", ["x", "i"], ["y"], axis=1)
    assert ovgather.infer_shape(node, [[3, 4], [3, 7]]) == [3, 7]
    assert (
        ovgather.infer_output(node, [[3, 4], [3, 7]]).reasons[1]
        == "dim 1 = 7: indices dim 1 (the axis)"
    )
    assert onnx is not None


def test_shapes_and_nodes_of_onnx_ir() -> None:
    onnx_ir = pytest.importorskip("onnx_ir", reason="onnx_ir is not installed")
    assert (
        ovgather.PartialShape(onnx_ir.Shape(["batch", 4, None])).named == "[batch,4,?]"
    )
    node = onnx_ir.Node("", "Gather", [], [onnx_ir.AttrInt64("axis", 1)])
    assert ovgather.infer_shape(node, [[3, 4], [2]]) == [3, 2]


def test_products_of_dims() -> None:
    two = ovgather.Dimension(2)
    assert (two * 3, 3 * two, two * numpy.int64(3)) == (6, 6, 6)
    with pytest.raises(TypeError, match="unsupported operand"):
        two * 1.5  # type: ignore[operator]
