"""Ports that contradict what flows into them: OpenVINO looks at no port, and neither does the inference."""

from __future__ import annotations

from pathlib import Path

import pytest
from consequences import of_rules
from openvino_verdicts import requires_openvino, verdicts
from small_models import gather_elements, layer, net, parameter, result

from ovgather.validation.api import validate
from ovgather.validation.diagnostic import Diagnostic


def behind(type: str, taken: str, given: str, picked: str, data: str = "3,7") -> str:
    """data -> a layer of ``type``, which takes and gives what these ports say -> GatherElements of ``picked``."""
    return net(
        parameter(0, data, "f32", f"FP32 {data}", "data"),
        parameter(1, "3,9", "i64", "I64 3,9", "indices"),
        layer(9, type, "opset1", "", (f"FP32 {taken}",), (f"FP32 {given}",), "before"),
        gather_elements(picked),
        result(3, "FP32 3,9"),
        edges="0:0-9:0 9:1-2:0 1:0-2:1 2:2-3:0",
    )


def beside(data: str, index: str) -> str:
    """data that contradicts the port of GatherElements, and the sum of indices that contradicts ``index``, or not."""
    return net(
        parameter(0, data, "f32", f"FP32 {data}", "data"),
        parameter(1, "3,9", "i64", "I64 3,9", "indices"),
        layer(
            9,
            "Add",
            "opset1",
            "",
            (f"I64 {index}", f"I64 {index}"),
            (f"I64 {index}",),
            "before",
        ),
        gather_elements("3,7"),
        result(3, "FP32 3,9"),
        edges="0:0-2:0 1:0-9:0 1:0-9:1 9:2-2:1 2:2-3:0",
    )


CASES = {
    "the output of a layer that keeps shapes is wrong": (
        behind("ReLU", "3,7", "4,7", "3,7"),
        None,
    ),
    "what it takes is wrong as well": (behind("ReLU", "4,7", "4,7", "4,7"), None),
    "another layer takes another shape": (behind("Exp", "4,7", "4,7", "4,7"), None),
    "what flows in is wrong": (behind("ReLU", "4,7", "4,7", "4,7", "4,7"), "rejects"),
    "only one input is wrong, and the other is not followed": (
        beside("4,7", "3,9"),
        "rejects",
    ),
    "an input whose ports contradict each other": (beside("3,7", "4,9"), None),
    "the rank of one input, whatever the other is": (beside("", "4,9"), "rejects"),
    "what flows in is wrong, and the ports are right": (
        behind("ReLU", "3,7", "3,7", "3,7", "4,7"),
        "rejects",
    ),
}


def unfit(text: str) -> list[Diagnostic]:
    return [found for found in of_rules(text.encode()) if found.code == "OVG202"]


@pytest.mark.parametrize("name", CASES)
def test_findings(name: str) -> None:
    text, verdict = CASES[name]
    assert [found.openvino for found in unfit(text)] == ([verdict] if verdict else [])


@pytest.mark.parametrize(
    "name",
    [
        "only one input is wrong, and the other is not followed",
        "the rank of one input, whatever the other is",
        "what flows in is wrong, and the ports are right",
    ],
)
def test_it_is_one_finding_at_the_parameter(name: str) -> None:
    [found] = [
        each for each in validate(CASES[name][0].encode()) if each.openvino == "rejects"
    ]
    assert (found.code, found.hypothesis) == ("OVG202", "source_shape")
    assert found.message.startswith('layer 0 "data" is a Parameter of [')


def test_words() -> None:
    [found] = unfit(CASES["what flows in is wrong"][0])
    assert found.message.startswith("dim 0 is 4 in data but 3 in indices")


@requires_openvino
def test_openvino(tmp_path: Path) -> None:
    paths = {name: str(tmp_path / f"{place}.xml") for place, name in enumerate(CASES)}
    for name, path in paths.items():
        Path(path).write_text(CASES[name][0], encoding="utf-8")
    measured = verdicts(list(paths.values()))
    for name, (_, verdict) in CASES.items():
        assert (measured[paths[name]].stage == "") == (verdict is None), name
