"""ReadValue and Assign beside OpenVINO, which reads no Assign without the ReadValue of its variable."""

from __future__ import annotations

import random

import pytest
from declared_oracle import Case, Operand, check, infer, write
from spoiled_cases import opened, spoiled


def random_case(rng: random.Random) -> Case:
    lengths = [rng.randint(0, 4) for _ in range(rng.randint(0, 3))]
    kind = rng.choice(["f32", "i64"])
    attributes = {"variable_id": rng.choice(["a", "b.c", ""])}
    inputs = [Operand(opened(rng, lengths), kind)]
    opset = rng.choice([3, 5, 6, 16])
    if opset >= 6:
        attributes["variable_shape"] = opened(rng, lengths, 0.5)
        attributes["variable_type"] = rng.choice([kind] * 6 + ["dynamic", "f16"])
        inputs = inputs[: rng.choice([0, 1, 1, 1])]
    return spoiled(rng, Case("ReadValue", opset, inputs, attributes), kept=("variable_id",))


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def read_value(variable_shape: str, variable_type: str, *inputs: Operand) -> dict[str, object]:
    attributes = {
        "variable_id": "a",
        "variable_shape": variable_shape,
        "variable_type": variable_type,
    }
    return infer(*write(Case("ReadValue", 6, inputs, attributes)))


def test_the_variable_gives_shape_and_type() -> None:
    assert read_value("?,3", "f32", Operand("2,3"))["outputs"] == [["[?,3]", "f32"]]
    assert read_value("?,3", "f32")["outputs"] == [["[?,3]", "f32"]]
    assert read_value("...", "dynamic", Operand("2,3"))["outputs"] == [["[2,3]", "f32"]]


def test_the_initial_value_belongs_to_the_variable() -> None:
    message = "variable_shape is [2,3], init_value has shape [?,3]"
    assert str(read_value("2,3", "f32", Operand("?,3"))["error"]).startswith(message)
    message = "variable_type is f16, init_value is f32"
    assert str(read_value("2,3", "f16", Operand("2,3"))["error"]).startswith(message)


@pytest.mark.parametrize("opset", [3, 6])
def test_assign_passes_its_input_on(opset: int) -> None:
    case = Case("Assign", opset, [Operand("2,?")], {"variable_id": "a"})
    assert infer(*write(case))["outputs"] == [["[2,?]", "f32"]]
