"""Places of findings are looked up when they are asked for, and once."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from small_models import gather_elements, layer, net, parameter, result, whole

import ovgather
from ovgather.validation import context


def test_a_place_is_looked_up_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_up: list[int] = []
    element_at = context.element_at

    def counted(source: Any, offset: int) -> Any:
        looked_up.append(offset)
        return element_at(source, offset)

    monkeypatch.setattr(context, "element_at", counted)
    (finding,) = ovgather.validate(
        whole(gather_elements(output="3,8"), output="3,8").encode()
    )
    assert finding.code == "OVG203"
    looked_up.clear()  # the diagnosis has looked at places
    line, column, end_line, end_column = finding.position
    assert (end_line, end_column) == (line, column + 1)
    assert len(looked_up) <= 1
    assert (
        finding.line,
        finding.column,
        finding.end_line,
        finding.end_column,
    ) == finding.position
    assert pickle.loads(pickle.dumps(finding)).position == finding.position
    assert len(looked_up) <= 1


def test_a_convert_that_gives_another_type_than_its_ports() -> None:
    ports = ("FP32 3,9",), ("I64 3,9",)
    text = net(
        parameter(0, "3,7", "f32", "FP32 3,7", "data"),
        parameter(4, "3,9", "f32", "FP32 3,9", "number"),
        layer(1, "Convert", "opset1", 'destination_type="f32"', *ports, "converted"),
        gather_elements(),
        result(3, "FP32 3,9"),
        edges="4:0-1:0 0:0-2:0 1:1-2:1 2:2-3:0",
    )
    (finding,) = ovgather.validate(text.encode())
    message = "destination_type is f32, but the declared output I64 needs i64"
    assert (finding.message, finding.openvino) == (message, "rejects")
    ((related,),) = [
        each.related for each in finding.consequences if each.code == "OVG204"
    ]
    assert related.message == 'layer 1 "converted" converts to f32'
    assert text[related.column - 1 : related.end_column - 1] == "f32"
