"""The wording of OVG712, with severity and verdict; and that OpenVINO does what it says."""

from __future__ import annotations

import sys

import forked
import pytest
from crosscheck_models import requires_openvino
from rule_messages import messages_of
from small_models import layer, net, parameter, result


def text(kind: str = "f32", port: str = "FP32", *between: str) -> str:
    """A state that is given a Parameter, by way of layers ``between``."""
    shape = f"{port} 3"
    state = 'variable_id="kept"'
    read = f'{state} variable_type="{kind}" variable_shape="3"'
    chain = [
        layer(10 + number, type, "opset1", "", (shape,), (shape,))
        for number, type in enumerate(between)
    ]
    ids = ["0:0", *(f"{10 + number}:1" for number in range(len(between)))]
    ends = [*(f"{10 + number}:0" for number in range(len(between))), "2:0"]
    edges = " ".join(map("-".join, zip(ids, ends, strict=True)))
    return net(
        parameter(0, "3", kind, shape, "data"),
        layer(1, "ReadValue", "opset6", read, (), (shape,)),
        layer(2, "Assign", "opset6", state, (shape,)),
        *chain,
        result(3, shape),
        edges=f"{edges} 1:0-3:0",
    )


WORDS = "warning, accepts: the variable 'kept' is given the Parameter 'data' as it is"
CASES = [
    (text(), None, [WORDS]),
    (text("i32", "I32"), None, [WORDS]),
    # Its own type is f32 on the CPU, or it is refused.
    (text("f16", "FP16"), None, []),
    (text("i64", "I64"), None, []),
    (text("f32", "FP32", "ReLU"), None, []),
    # OVG307 says that nobody reads the variable.
    (text().replace("ReadValue", "Abs"), None, []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG712", text, weights) == messages


KEPT = """
import sys
import numpy as np, openvino as ov
from openvino import opset13 as ops

kind, shaping = sys.argv[1:]
data = ops.parameter([2, 3], getattr(ov.Type, kind), name="data")
given = {
    "none": lambda: data,
    "reshape": lambda: ops.reshape(data, ops.constant([3, 2]), False),
    "unsqueeze": lambda: ops.unsqueeze(data, ops.constant([0])),
    "relu": lambda: ops.relu(data),
}[shaping]()
shape = given.get_output_partial_shape(0)
first = ops.constant(np.zeros(shape.to_shape()), data.get_element_type())
read = ops.read_value(first, "kept", data.get_element_type(), shape)
model = ov.Model([ops.result(read)], [ops.assign(given, "kept")], [data], "m")
precision = {"INFERENCE_PRECISION_HINT": "f32"}  # some processors take bf16, and copy what they convert
request = ov.Core().compile_model(model, "CPU", precision).create_infer_request()
kept = []
for value in (10, 20, 30):
    tensor = ov.Tensor(np.full((2, 3), value).astype(data.get_element_type().to_dtype()))
    kept.append(tensor)
    request.set_input_tensor(0, tensor)
    request.infer()
    print(int(request.get_output_tensor(0).data.ravel()[0]), end=" ")
"""


@requires_openvino
@pytest.mark.parametrize(
    ("kind", "shaping", "given"),
    [
        ("f32", "none", "0 20 30"),
        ("i32", "none", "0 20 30"),
        ("f32", "reshape", "0 20 30"),
        ("f32", "unsqueeze", "0 20 30"),
        ("f32", "relu", "0 10 20"),
        ("f16", "none", "0 10 20"),
    ],
)
def test_the_cpu_keeps_no_copy(kind: str, shaping: str, given: str) -> None:
    command = [sys.executable, "-c", KEPT, kind, shaping]
    ended = forked.run(command, b"", 120)
    assert ended.stdout.decode().split() == given.split(), ended.stderr
