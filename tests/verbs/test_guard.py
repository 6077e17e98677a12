"""A guard around passes: changes of the Gather layers, and an error where the model gets worse."""

from __future__ import annotations

import pickle
from typing import Any

import numpy
import pytest

import ovgather


def openvino_model() -> Any:
    package = pytest.importorskip("openvino", reason="openvino is not installed")
    opset = package.opset13
    data = opset.parameter([3, 4], numpy.float32, name="data")
    gather = opset.gather_elements(
        data, opset.constant(numpy.array([[0, 1, 2, 0], [1, 1, 1, 1]])), 0
    )
    gather.set_friendly_name("pick")
    return package.Model([opset.result(gather)], [data], "m")


def replace_indices(model: Any, indices: list[list[int]]) -> None:
    import openvino

    [pick] = [
        node for node in model.get_ordered_ops() if node.get_friendly_name() == "pick"
    ]
    pick.input(1).replace_source_output(
        openvino.opset13.constant(numpy.array(indices)).output(0)
    )
    model.validate_nodes_and_infer_types()


@pytest.mark.runtime
def test_a_pass_over_an_openvino_model() -> None:
    model = openvino_model()
    with ovgather.guard(model) as guard:
        pass
    assert (guard.changes, guard.findings, guard.gone) == ((), (), ())
    with ovgather.guard(model) as guard:
        replace_indices(model, [[1, 1, 1, 1]])
    assert guard.changes == (
        "pick: output [2,4] -> [1,4], indices i64 [2,4] -> i64 [1,4],"
        " values of indices [[0, 1, 2, 0], [1, 1, 1, 1]] -> [[1, 1, 1, 1]]",
    )


@pytest.mark.runtime
def test_a_pass_that_makes_it_worse() -> None:
    model = openvino_model()
    with pytest.raises(ovgather.GuardError) as raised, ovgather.guard(model) as guard:
        replace_indices(model, [[9, 1, 1, 1]])
    [finding] = raised.value.findings
    assert (finding.code, guard.findings) == ("OVG501", (finding,))
    assert str(raised.value).startswith(
        'the pass made the model worse\n  <openvino.Model>: GatherElements-6 "pick" (layer 2): error[OVG501]: 1 of 4'
    )
    assert pickle.loads(pickle.dumps(raised.value)) == raised.value


def test_an_error_of_the_pass_is_its_own() -> None:
    with pytest.raises(ZeroDivisionError), ovgather.guard("samples_xml/demo/good.xml"):
        _ = 1 / 0


def test_a_rewrite_of_an_onnx_model() -> None:
    pytest.importorskip("onnx.helper", reason="onnx is not installed")
    from onnx_models import one_node

    model = one_node("GatherElements", [3, 4], [2, 4], [2, 4], axis=0)
    with ovgather.guard(model) as guard:
        model.graph.node[0].attribute[0].i = 1
        model.graph.input[1].type.tensor_type.shape.dim[0].dim_value = 3
        model.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 3
    assert guard.changes == (
        "pick: axis 0 -> 1, output [2,4] -> [3,4], indices int64 [2,4] -> int64 [3,4]",
    )
    with pytest.raises(ovgather.GuardError, match="OVG809"), ovgather.guard(model):
        model.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 7


def test_a_rewrite_of_an_onnx_ir_model() -> None:
    onnx_ir = pytest.importorskip("onnx_ir", reason="onnx_ir is not installed")
    from onnx_models import one_node

    model = onnx_ir.from_proto(
        one_node("GatherElements", [3, 4], [2, 4], [2, 4], axis=0)
    )
    with ovgather.guard(model) as guard:
        model.graph[0].name = "picked"
    assert guard.changes == (
        "pick is gone",
        "picked is new: GatherElements-13, output [2,4]",
    )


@pytest.mark.runtime
def test_a_matcher_pass() -> None:
    model = openvino_model()
    from openvino.passes import Manager, Matcher, MatcherPass, WrapType

    class FirstRows(MatcherPass):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.register_matcher(
                Matcher(WrapType("opset6.GatherElements"), "FirstRows"), self.replace
            )

        def replace(self, matcher: Any) -> bool:
            import openvino

            rows = openvino.opset13.constant(numpy.array([[1, 1, 1, 1]]))
            matcher.get_match_root().input(1).replace_source_output(rows.output(0))
            return True

    manager = Manager()
    manager.register_pass(FirstRows())
    with ovgather.guard(model) as guard:
        manager.run_passes(model)
    [change] = guard.changes
    assert change.endswith(
        "values of indices [[0, 1, 2, 0], [1, 1, 1, 1]] -> [[1, 1, 1, 1]]"
    )
