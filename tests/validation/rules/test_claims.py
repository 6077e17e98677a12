"""What is said of OpenVINO, word by word: the messages that pages quote, the shapes it reads, the values it gives."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from openvino_verdicts import Verdict, requires_openvino, verdicts
from small_models import gather_elements, layer, net, parameter, result, whole
from test_samples import path_of

from ovgather.validation.api import validate
from ovgather.validation.rules.ports import parameter_shape

# What the pages quote.
MESSAGES = {
    "OVG003/bad-2.xml": "Unable to read the model",
    "OVG004/bad.xml": "Unable to read the model",
    "OVG004/bad-3.xml": "stoll",
    "OVG008/bad.xml": "Empty weights data in bin file or bin file cannot be found!",
    "OVG110/bad.xml": "stoll",
    "OVG110/bad-2.xml": "Unsupported element type",
    "OVG201/bad.xml": "index '1' out of range",
    "OVG201/bad-2.xml": "node index is out of range",
    "OVG302/bad.xml": "Cannot create  layer  id:0 from unsupported opset: ",
    "OVG303/bad.xml": "index '1' out of range",
    "OVG303/bad-2.xml": "has incorrect input with index 2!",
    "OVG304/bad.xml": "that not in graph.",
    "OVG402/bad.xml": "Incorrect weights in bin file!",
    "OVG601/bad.xml": "multiple rt_info attributes are detected",
}
# The values that come out; the data are 1, 2, 3 and so on.
VALUES = {
    "OVG102/bad.xml": [1, 2, 3, 4, 5] * 3,  # the default, axis 0: the first row thrice
    "OVG501/bad-2.xml": [1, 2, 0, 0, 3, 4],  # Gather-8, indices 0 7 1
    "OVG501/bad-3.xml": [1, 2, 0, 0, 3, 4],  # Gather-7, indices 0 -1 1
    "OVG501/bad-5.xml": [4, 17],  # GatherND-5, indices [0,3] and [-1,0]
    "OVG009/bad-4.xml": [1, 2, 3, 4, 5] * 3,  # the first <data>, which is empty: axis 0
    "OVG401/bad.xml": [],
}
SHAPES = [
    "3,-2,5", "3,5..1,5", "3,9223372036854775808,5", "3,9223372036854775807,5", "3,1..-4,5", "3,-3..4,5",
    "3,0..99999999999999999999,5", "3,-,5", "3,-0,5", "3,1..9223372036854775808,5", "-9", "[ 2 , -3 ]",
]  # fmt: skip


def data_first(attributes: str) -> str:
    """A file that is sound along axis 0 only."""
    return whole(gather_elements("7,3", "9,3", attributes), "7,3", "9,3", "9,3")


class Taken(NamedTuple):
    """A text that OpenVINO takes, and the shape of its output."""

    text: str
    shape: str


TAKEN = {
    "axis 1.9 is 1": Taken(whole(gather_elements(attributes='axis="1.9"')), "[3,9]"),
    "axis 1abc is 1": Taken(whole(gather_elements(attributes='axis="1abc"')), "[3,9]"),
    "axis 1,2 is 1": Taken(whole(gather_elements(attributes='axis="1,2"')), "[3,9]"),
    "axis 0x1 is 0": Taken(data_first('axis="0x1"'), "[9,3]"),
    "no axis is 0": Taken(data_first(""), "[9,3]"),
    "Axis is no axis": Taken(data_first('Axis="1"'), "[9,3]"),
    "the first of two attributes": Taken(data_first('axis="0" axis="1"'), "[9,3]"),
    "dim 7.5": Taken(
        whole(gather_elements().replace("<dim>7</dim>", "<dim>7.5</dim>")), "[3,9]"
    ),
    "no shape is a scalar": Taken(
        net(
            layer(0, "Parameter", "opset1", 'element_type="f32"', (), ("FP32",)),
            result(1, "FP32"),
            edges="0:0-1:0",
        ),
        "[]",
    ),
    "the last of two layers": Taken(
        net(
            parameter(0, "3", "f32", "FP32 3"),
            parameter(0, "4", "f32", "FP32 4"),
            result(1, "FP32 4"),
            edges="0:0-1:0",
        ),
        "[4]",
    ),
}


def shape_file(text: str) -> str:
    return net(parameter(0, text, "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0")


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    folder: Path = tmp_path_factory.mktemp("claims")
    unfed = whole(gather_elements()).replace(
        '<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>', ""
    )
    texts = {
        **{text: shape_file(text) for text in SHAPES},
        **{name: item.text for name, item in TAKEN.items()},
    }
    paths = {sample: path_of(sample) for sample in (*MESSAGES, *VALUES)}
    for place, (name, text) in enumerate({**texts, "no first input": unfed}.items()):
        paths[name] = str(folder / f"{place}.xml")
        Path(paths[name]).write_text(text, encoding="utf-8")
    found = verdicts(list(paths.values()))
    return {name: found[path] for name, path in paths.items()}


@requires_openvino
@pytest.mark.parametrize("sample", MESSAGES)
def test_messages(sample: str, runtime: dict[str, Verdict]) -> None:
    assert MESSAGES[sample] in runtime[sample].error


@requires_openvino
def test_a_first_input_that_is_not_fed(runtime: dict[str, Verdict]) -> None:
    assert runtime["no first input"].error.rstrip().endswith("is inconsistent!")


@requires_openvino
@pytest.mark.parametrize("sample", VALUES)
def test_values(sample: str, runtime: dict[str, Verdict]) -> None:
    assert list(runtime[sample].values) == VALUES[sample]


@requires_openvino
@pytest.mark.parametrize("text", SHAPES)
def test_shapes_of_parameters(text: str, runtime: dict[str, Verdict]) -> None:
    [found] = [
        found
        for found in validate(shape_file(text).encode())
        if found.code == parameter_shape.RULE.code
    ]
    said = found.effect.removeprefix("reads it as ").partition(", where")[0]
    # Such an interval fits some layers and not others.
    is_empty = "no length fits" in found.effect
    assert (found.openvino, [said]) == (
        "undefined" if is_empty else "accepts",
        list(runtime[text].shapes),
    )


@requires_openvino
@pytest.mark.parametrize("name", TAKEN)
def test_what_is_taken(name: str, runtime: dict[str, Verdict]) -> None:
    assert runtime[name].shapes == (TAKEN[name].shape,)
