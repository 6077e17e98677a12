"""Attributes as OpenVINO reads them."""

from __future__ import annotations

import math

import pytest
from declared_oracle import Case, Operand, Oracle, infer, write

NUMBERS = [
    "1",
    " 1.5",
    "+1",
    "1.",
    ".5",
    "1e39",
    "1e-400",
    "0e400",
    "1.79e308",
    "1e5e6",
    "1.5abc",
    "0x10",
    "1inf",
    "2 e5",
]
NUMBERS += ["1", "2 e5", "inf", " inf ", "-inf", "nan"]
NO_NUMBERS = ["", "abc", "+ 1", ".e5", "1e", "1E+", "1ex", "1e 5", "1.e", "1e400", "-1e400", "1e309", "1.8e308x"]
NO_NUMBERS += ["1" + "0" * 400, "infinity", "Inf", "+inf", "-nan", "infx"]
SINGLES = ["1", "3.4028235e38", "-1e38", "1e-60", "inf"]
NO_SINGLES = ["1e39", "3.40282357e38", "-1e39", "1e", "1e400"]


def number(text: str) -> Case:
    return Case("Elu", 1, [Operand("2")], {"alpha": text})


def numbers(text: str) -> Case:
    inputs = [Operand(shape) for shape in ("2,3", "2,4", "4,3", "4,4", "4")]
    return Case("RNNCell", 3, inputs, {"hidden_size": "4", "clip": "0", "activations_alpha": f"1,{text}"})


READ = [*map(number, NUMBERS), *map(numbers, SINGLES)]
REFUSED = [*map(number, NO_NUMBERS), *map(numbers, NO_SINGLES)]


@pytest.mark.parametrize("case", READ)
def test_number(case: Case) -> None:
    assert "outputs" in infer(*write(case))


@pytest.mark.parametrize("case", REFUSED)
def test_no_number(case: Case) -> None:
    answer = infer(*write(case))
    assert answer["stage"] == "read"
    assert "which is not a number" in answer["error"]


def test_values() -> None:
    from ovgather.forward.attributes import read_attributes
    from ovgather.ops.declared import find

    declaration = find("Elu", "opset1")
    assert declaration is not None
    texts = ["1.5abc", " 2e1", "-inf", "1e-400"]
    assert [read_attributes(declaration, {"alpha": text})["alpha"] for text in texts] == [1.5, 20.0, -math.inf, 0.0]


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    oracle = Oracle()
    assert not [case for case in READ if "error" in oracle.ask(*write(case))]
    assert not [case for case in REFUSED if "error" not in oracle.ask(*write(case))]
    oracle.close()
