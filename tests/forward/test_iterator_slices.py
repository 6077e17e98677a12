"""Slices of a TensorIterator or a Loop that cannot be cut: what the CPU plugin refuses, and what it never looks at."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import declared_oracle
import pytest
from bodies_oracle import Net
from body_models import add, iterator, loop, of_cell, same

from ovgather.forward.run import Forward
from ovgather.ir.read import read


def cut(net: Any, make: Any = same, axis: int = 0, **slices: int) -> Net:
    """A model whose input and output are cut alike."""
    rule = {"axis": axis, **slices}
    return net("6,4", make, into=rule, out=rule)  # type: ignore[no-any-return]


ACCEPTED = {
    "GRUCell": of_cell(),
    "GRUCell, axis 0": of_cell(axis=0, data="6,2,3"),
    "GRUCell, reshaped": of_cell(is_reshape=True),
    "GRUCell, weights are computed": of_cell(relu="weights"),
    "GRUCell, declared with another length": of_cell(declared="2,1,13"),
    "LSTMCell": of_cell("LSTMCell", 4),
    "RNNCell": of_cell("RNNCell", 1),
    "dynamic": of_cell(relu="data", data="2,?,3"),
    "Loop, stride of an input": loop("6,4", into={"axis": 0, "stride": 2}),
    "Loop, part_size of an input": loop("6,4", into={"axis": 0, "part_size": 2}),
    "stride": iterator("6,4", add, into={"axis": 0, "stride": 2}),
    "stride, Parameter is joined": cut(iterator, stride=2),
    "part_size, Parameter is joined": cut(iterator, part_size=2),
    "backwards": cut(iterator, add, start=-1, end=0, stride=-1),
}
REFUSED = {
    "LSTMCell of opset1": of_cell("LSTMCell", 1),
    "ReLU in front of the cell": of_cell(relu="data"),
    "ReLU of the output": of_cell(relu="output"),
    "output is not joined": of_cell(joined=False),
    "Loop, stride of an output": loop("6,4", into={"axis": 0}, out={"axis": 0, "stride": 2}),
    "stride": iterator("6,4", add, into={"axis": 0, "stride": 2}, out={"axis": 0}),
    "stride, computed is joined": cut(iterator, add, stride=2),
    "length is no multiple": cut(iterator, add, stride=4, part_size=4),
    "end in front of start": cut(iterator, add, start=-1),
    "end above the length": cut(iterator, add, end=7),
    "unequal": iterator("6,4", add, into={"axis": 0, "end": 3}, out={"axis": 0}),
}  # fmt: skip


def refusals(net: Net) -> list[str]:
    forward = Forward(read(net.document().encode(), net.weights.data))
    return [each.error.stage for each in forward.refusals]


def test_what_is_accepted() -> None:
    assert not {
        name: found for name, net in ACCEPTED.items() if (found := refusals(net))
    }


def test_what_is_refused() -> None:
    found = {name: refusals(net) for name, net in REFUSED.items()}
    assert found == {name: ["compile"] for name in REFUSED}


def test_a_sequence_takes_all_of_the_input() -> None:
    for net, is_resized in ((of_cell(stride=2), False), (of_cell(end=3), True)):
        forward = Forward(read(net.document().encode(), net.weights.data))
        (layer,) = forward.subgraphs.values()
        assert (layer.is_sequence, layer.is_resized) == (True, is_resized)


@pytest.mark.runtime
@pytest.mark.parametrize(
    ("nets", "stage"), [(ACCEPTED.items(), None), (REFUSED.items(), "compile")]
)
def test_openvino(nets: Iterable[tuple[str, Net]], stage: str | None) -> None:
    oracle = declared_oracle.Oracle(compiled=True)
    for name, net in nets:
        answer = oracle.ask(net.document(), net.weights.data)
        assert answer.get("stage") == stage, (name, answer)
