"""The wording of OVG715, and which decompressions to f16 OpenVINO compiles, beside OpenVINO."""

from __future__ import annotations

from pathlib import Path

import pytest
from nets import Net
from rule_messages import messages_of

MARK = '<rt_info><attribute name="decompression" version="{}"/></rt_info>'
WINDOW = 'strides="1,1" dilations="1,1" pads_begin="0,0" pads_end="0,0"'
MESSAGE = 'error, rejects_on_compile: the constant is f16 already, and {} layer 3 "l3" takes it'
TRANSPOSED = 'transpose_a="false" transpose_b="true"'


def product(
    type: str = "MatMul",
    data: str = "?,4",
    weights: tuple[int, ...] = (4, 4),
    attributes: str = TRANSPOSED,
    kind: str = "f16",
    mark: str = MARK.format(0),
    reader: str = "Result",
) -> Net:
    """A layer of data and of weights that are stored as f16 and decompressed to ``kind``."""
    net = Net()
    count = 1
    for length in weights:
        count *= length
    stored = net.const("f16", weights, [0.5] * count)
    target = f'destination_type="{kind}"'
    restored = net.add("Convert", target, stored, inside=mark)
    output = net.add(type, attributes, net.parameter(kind, data), restored)
    if reader != "Result":
        output = net.add(reader, "", output)
    net.add("Result", "", output)
    return net


IMAGE = {"data": "1,4,8,8", "attributes": WINDOW}
REFUSED = {
    "MatMul": product(),
    "MatMul of which an open shape is read": product(reader="ShapeOf"),
    "Convolution": product("Convolution", weights=(2, 4, 3, 3), **IMAGE),
    "GroupConvolution": product("GroupConvolution", weights=(2, 1, 2, 3, 3), **IMAGE),
    "ConvolutionBackpropData": product(
        "ConvolutionBackpropData", weights=(4, 2, 3, 3), **IMAGE
    ),
    "GroupConvolutionBackpropData": product(
        "GroupConvolutionBackpropData", weights=(2, 2, 1, 3, 3), **IMAGE
    ),
}
COMPILED = {
    "to f32": product(kind="f32"),
    "without the mark": product(mark=""),
    "of another version of the mark": product(mark=MARK.format(1)),
    "of another layer": product("Add", attributes=""),
    "of which only the shape is read": product(data="2,4", reader="ShapeOf"),
}


@pytest.mark.parametrize("name", [*REFUSED, *COMPILED])
def test_messages(name: str) -> None:
    net = REFUSED.get(name) or COMPILED[name]
    type = name.partition(" ")[0]
    expected = [MESSAGE.format(type)] if name in REFUSED else []
    assert messages_of("OVG715", net.text.decode(), net.weights) == expected


@pytest.mark.runtime
def test_openvino_says_the_same(tmp_path: Path) -> None:
    pytest.importorskip("openvino", reason="openvino is not installed")
    # Here, since a module that has it starts a runtime in all of its tests.
    from openvino_verdicts import verdicts

    paths = {}
    for number, (name, net) in enumerate((REFUSED | COMPILED).items()):
        paths[name] = path = tmp_path / f"{number}.xml"
        path.write_bytes(net.text)
        path.with_suffix(".bin").write_bytes(net.weights)
    answers = verdicts([*map(str, paths.values())], last="compile")
    stages = {name: answers[str(path)].stage for name, path in paths.items()}
    assert {name for name, stage in stages.items() if stage == "compile"} == {*REFUSED}
