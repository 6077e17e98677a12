"""Attributes as OpenVINO reads them."""

from __future__ import annotations

import math

import pytest
from declared_oracle import Case, Operand, Oracle, infer, integers, write

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
NO_NUMBERS = [
    "",
    "abc",
    "+ 1",
    ".e5",
    "1e",
    "1E+",
    "1ex",
    "1e 5",
    "1.e",
    "1e400",
    "-1e400",
    "1e309",
    "1.8e308x",
]
NO_NUMBERS += ["1" + "0" * 400, "infinity", "Inf", "+inf", "-nan", "infx"]
SINGLES = ["1", "3.4028235e38", "-1e38", "1e-60", "inf"]
NO_SINGLES = ["1e39", "3.40282357e38", "-1e39", "1e", "1e400"]


def number(text: str) -> Case:
    return Case("Elu", 1, [Operand("2")], {"alpha": text})


def numbers(text: str) -> Case:
    inputs = [Operand(shape) for shape in ("2,3", "2,4", "4,3", "4,4", "4")]
    return Case(
        "RNNCell",
        3,
        inputs,
        {"hidden_size": "4", "clip": "0", "activations_alpha": f"1,{text}"},
    )


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
    assert [
        read_attributes(declaration, {"alpha": text})["alpha"] for text in texts
    ] == [
        1.5,
        20.0,
        -math.inf,
        0.0,
    ]


@pytest.mark.parametrize(
    ("kind", "text", "is_whole"),
    [
        ("number", "0.75", True),
        ("number", "-1e-5", True),
        ("number", "inf", True),
        ("number", "0,75", False),
        ("number", "1.5f", False),
        ("integer", "-3", True),
        ("integer", "3.0", False),
        ("integers", "1, 2,3", True),
        ("integers", "", True),
        ("integers", "1,2.5", False),
        ("numbers", "0.5,1e2", True),
        ("numbers", "0.5;1", False),
        ("boolean", "True", True),
        ("boolean", "yes", False),
        ("enum", "anything", True),
    ],
)
def test_a_text_that_is_read_whole(kind: str, text: str, is_whole: bool) -> None:
    from ovgather.forward.attributes import is_read_whole
    from ovgather.ops.declaration import Attribute

    assert is_read_whole(text, Attribute("a", kind)) is is_whole


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    oracle = Oracle()
    assert not [case for case in READ if "error" in oracle.ask(*write(case))]
    assert not [case for case in REFUSED if "error" not in oracle.ask(*write(case))]


def resized(pads: str) -> Case:
    operands = [Operand("1,1,8,8"), integers(8, 8), integers(2, 3)]
    attributes = {"mode": "nearest", "shape_calculation_mode": "sizes"}
    return Case("Interpolate", 11, operands, {**attributes, "pads_begin": pads})


def windows(strides: str) -> Case:
    attributes = {"kernel": "2,2", "pads_begin": "0,0", "pads_end": "0,0"}
    return Case("MaxPool", 1, [Operand("1,1,8,8")], {**attributes, "strides": strides})


LISTS = [windows("1,1,"), resized("1,"), resized(""), resized("1x")]
NO_LISTS = [windows("1,,1"), windows(" "), resized(" "), resized(",")]
NO_LISTS += [resized(text) for text in ("-0", "-0.5", "0,-1", "+1")]


@pytest.mark.parametrize("case", LISTS)
def test_list(case: Case) -> None:
    assert "outputs" in infer(*write(case))


@pytest.mark.parametrize("case", NO_LISTS)
def test_no_list(case: Case) -> None:
    assert "not a list of integers" in infer(*write(case))["error"]


@pytest.mark.runtime
def test_lists_agree_with_openvino() -> None:
    oracle = Oracle()
    assert not [case for case in LISTS if "error" in oracle.ask(*write(case))]
    assert not [case for case in NO_LISTS if "error" not in oracle.ask(*write(case))]
