"""onnx's schemas."""

from __future__ import annotations

import pytest

from ovgather.onnx_file.schemas import schema_of

pytest.importorskip("onnx.defs")


def test_a_schema() -> None:
    assert schema_of("Gather", 13).since_version == 13
    assert schema_of("Gather", 13).max_input == 2


@pytest.mark.parametrize("opset", [1 << 31, -(1 << 40), 1 << 62])
def test_an_opset_that_is_no_number_of_onnx(opset: int) -> None:
    assert schema_of("Gather", opset) is None


def test_an_operation_that_onnx_does_not_have() -> None:
    assert schema_of("Gathers", 13) is None
    assert schema_of("GatherND", 10) is None
