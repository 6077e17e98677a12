"""OVG306: slices of a TensorIterator of which OpenVINO makes a sequence."""

from __future__ import annotations

import pytest
from bodies_oracle import Net
from body_models import of_cell

from ovgather.validation.check import check_file


@pytest.mark.parametrize(
    ("net", "verdict"),
    [(of_cell(), "accepts"), (of_cell(relu="data"), "rejects_on_compile")],
)
def test_verdicts(net: Net, verdict: str) -> None:
    checked = check_file(net.document().encode(), net.weights.data)
    assert checked.verdict.openvino == verdict
    findings = [
        each for each in checked.diagnostics if each.message.startswith("with stride 0")
    ]
    assert [each.openvino for each in findings] == [verdict]
