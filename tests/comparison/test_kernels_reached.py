"""What a layer became in the graph that OpenVINO executes, and which kernels the cases of a device reach."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from crosscheck_models import requires_openvino
from reduce_trials import trial

from ovgather import crosscheck
from ovgather.comparison.alone.run import run_trials
from ovgather.comparison.conformance import (
    Result,
    generated,
    kernels_reached,
)
from ovgather.comparison.expected import require_known
from ovgather.comparison.options import CrosscheckOptions
from ovgather.errors import ConfigurationError
from ovgather.layers import compression
from ovgather.report import render
from ovgather.runtimes.outcome import Kernel, kernels_of
from ovgather.runtimes.trial import Placement


def embedding(kind: str, table: Any) -> Any:
    """A table that open indices look up; the data are of the type ``kind``."""
    import openvino
    from openvino import opset13 as ops

    words = ops.parameter([-1], openvino.Type.i64, name="words")
    data = ops.convert(ops.constant(table), kind)
    row = ops.gather(data, words, ops.constant(0), name="emb")
    return openvino.Model([ops.result(row)], [words], "m")


@requires_openvino
@pytest.mark.parametrize(
    ("kind", "stored", "ending"), [("f32", "f2", "_f16"), ("i64", "i2", "_i32")]
)
def test_kernels_stand_in_records(kind: str, stored: str, ending: str) -> None:
    model = embedding(kind, np.arange(12).reshape(6, 2).astype(stored))
    report = crosscheck(model, variants=["none"])
    kernels = [record.outcome.kernel for record in report.records]
    assert report.ok
    assert all(kernel is not None and kernel.type == "Gather" for kernel in kernels)
    assert kernels[-1] is not None
    assert kernels[-1].name.endswith(ending)
    text = render("crosscheck", "json", report.files)
    assert f'"name": "{kernels[-1].name}"' in text


@requires_openvino
def test_a_table_that_is_too_large_is_said_to_be_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ovgather.comparison.alone import compressed

    monkeypatch.setattr(compressed, "MOST_RESTORED", compression.MOST_RESTORED >> 26)
    model = embedding("f32", np.ones((6, 2), "f2"))
    alone = crosscheck(model, mode="alone", variants=["compressed"]).records
    assert [record.variant for record in alone] == ["alone"]
    assert "its table [6,2] is too large to be restored" in alone[0].reason


@requires_openvino
@pytest.mark.parametrize(
    ("kind", "placement", "name"),
    [
        ("boolean", Placement(), "Gather ref_any_I8"),
        ("f16", Placement(), "Gather ref_any_f32"),
        ("f32", Placement(constants=frozenset({"data", "indices"})), "Const folded_"),
        ("f32", Placement(True, frozenset({"indices"})), "Gather in_place_f32"),
    ],
)
def test_each_kernel_has_a_name(kind: str, placement: Placement, name: str) -> None:
    """A Gather between conversions is told by its own kernel; in place, or folded, it runs none."""
    some = trial("Gather", "opset8", (kind, "i32"), [[1, 0], [1, 1]], 1)
    (outcome,) = run_trials([some._replace(placement=placement)], CrosscheckOptions())
    assert outcome.kernel is not None
    assert f"{outcome.kernel.type} {outcome.kernel.name}".startswith(name)


def test_the_fields_of_a_kernel() -> None:
    header = {"kernels": {"emb": ["Gather", "ref_any_f16", "f32", "ab", ["scale"]]}}
    assert kernels_of(header) == {
        "emb": Kernel("Gather", "ref_any_f16", "f32", "ab", ("scale",))
    }
    assert (
        str(kernels_of(header)["emb"])
        == "Gather ref_any_f16, layout ab, fused with scale"
    )
    assert kernels_of({}) == {}


def test_kernels_that_no_case_of_an_operation_reaches_count_0() -> None:
    results = [
        Result("a", "Gather-8", "f32", "equal", kernel="Gather jit"),
        Result("b", "Gather-8", "f32", "equal", kernel="Gather jit"),
        Result("c", "Gather-8", "f32", "equal"),
        Result("d", "Gather-7", "f32", "equal", kernel="Gather ref"),
    ]
    assert kernels_reached(results) == {
        "Gather-7": {"Gather jit": 0, "Gather ref": 1},
        "Gather-8": {"Gather jit": 2, "Gather ref": 0},
    }


def test_an_expected_failure_that_is_no_case_is_an_error() -> None:
    cases = list(generated())
    names = {case.name for case in cases}
    require_known(["Gather-8/f32/*", cases[0].name], names, "case")
    with pytest.raises(
        ConfigurationError, match="no case is called 'Gather-8/f3', which is exp"
    ):
        require_known(["Gather-8/f32/*", "Gather-8/f3"], names, "case")
