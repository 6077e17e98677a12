"""What hypotheses look at: the layers that findings concern, and what flows into them."""

from __future__ import annotations

from contradictions import Chain, contradictions, diagnosed

from ovgather.ir.graph import Port
from ovgather.validation.diagnosis.case import Case, called, same


def case_of(chain: Chain) -> Case:
    file = diagnosed(chain.text)
    return Case(file, contradictions(file))


def test_the_layers_that_most_findings_concern_come_first() -> None:
    case = case_of(Chain(5).dims(3, "output", 2, 9))
    assert [layer.name for layer in case.subjects] == ["l3", "l4"]
    assert {layer.name for layer in case.nearby} == {"l2", "l3", "l4"}
    assert {layer.offset for layer in case.subjects} <= case.by_offset.keys()


def test_a_layer_that_computes_something_else_is_wrong() -> None:
    case = case_of(Chain(5).dims(3, "output", 2, 9))
    assert [layer.name for layer in case.file.layers if case.is_wrong(layer)] == ["l3"]


def test_what_agrees_with_the_ports_of_a_layer() -> None:
    case = case_of(Chain(5).dims(3, "output", 2, 9))
    third, fourth = case.subjects
    assert not case.agrees(third, case.inputs_of(third))
    assert case.agrees(fourth, case.inputs_of(fourth))
    assert str(case.inputs_of(fourth)[0].shape) == "[2,3]"


def test_outputs_and_their_edges() -> None:
    case = case_of(Chain(2).dims(1, "output", 2, 9))
    parameter, first, second, end = case.file.layers
    assert case.is_used((second, 0))
    assert case.outputs_by_port[first.graph, (2, 9), "FP32"] == [(first, 0)]
    edge = case.edge_into(end, 0)
    assert edge is not None
    [edit] = case.edge_edits(edge, from_layer=7, from_port=edge.from_port)
    assert edit.inserted == b"7"
    assert (called(parameter), case.rows[end.offset]) == ('layer 0 "l0"', 3)


def test_ports_that_declare_one_tensor() -> None:
    first, second, third = case_of(Chain(3).dims(1, "output", 2, 9)).file.layers[1:4]
    assert same(first.inputs[0], second.outputs[0])
    assert not same(first.outputs[0], second.inputs[0])
    assert same(second.outputs[0], Port(0, None, third.inputs[0].dims))
