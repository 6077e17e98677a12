"""``explain MESSAGE model.onnx``: the finding that shows the cause of what OpenVINO says of an ONNX file."""

from __future__ import annotations

from pathlib import Path

import onnx_models as models
import pytest
from onnx_child import requires_onnx

from ovgather.verbs.explain_message import explain_message

pytestmark = requires_onnx
CASES = [
    (
        "(float[3,3] x) => (float y) { y = Det (x) }",
        "FrontEnd API failed with OpConversionFailure:\nModel wasn't fully converted.\nSummary:\n"
        "-- No conversion rule found for operations: Det-17",
        "OVG815",
    ),
    (
        "(float[2,3] a, float[2,3] b) => (float[2,6] y) { y = Concat <axis = 8> (a, b) }",
        "-- Concat-17 with a message:\nWhile validating ONNX node '<Node(Concat): y>':\nWhile validating node "
        "'opset1::Concat Concat_2' with friendly_name 'Concat_2':\nAxis 8 out of the tensor rank range [-2, 1].",
        "OVG816",
    ),
    (
        "(complex64[3] x) => (complex64[3] y) { y = Identity (x) }",
        "Check 'false' failed at src/frontends/common/src/frontend.cpp:47:\nLoading input model\nUnsupported type",
        "OVG817",
    ),
    (
        "(float[3] x) => (float[3] y) { y = Relu (xx) }",
        'Loading input model\nInput tensor isn\'t found for node "xx"',
        "OVG818",
    ),
]


@pytest.mark.parametrize(("text", "message", "code"), CASES)
def test_the_cause_comes_first(
    text: str, message: str, code: str, tmp_path: Path
) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(
        models.parsed(
            f'<ir_version: 8, opset_import: ["" : 17]>\nm {text}'
        ).SerializeToString()
    )
    place = explain_message(message, str(path)).place
    assert place is not None
    assert not place.is_guess
    assert place.findings[0].code == code
