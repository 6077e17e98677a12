"""Known deviations: each explains what it says, to the bit and not beyond; and OpenVINO still does each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from crosscheck_models import gather_model, requires_openvino

from ovgather import crosscheck
from ovgather.comparison.verdict.judge import judge
from ovgather.comparison.verdict.openvino_deviations import STAGES
from ovgather.ops import openvino as ops
from ovgather.runtimes.outcome import Evidence
from ovgather.validation.releases import FIRST, LAST

WIDE = np.array([0, 2**31, -(2**31) - 1, 2**32 + 5, 2**63 - 1, -(2**63), 5])
F64 = np.array([0.0, -0.0, 1.1, 1e300, -1e300, np.inf, np.nan, 5e-324, 1e-40])
F32 = np.array([0.0, -0.0, 1.1, 1e-40, 1e-38, np.nan], "f4")
F16 = np.array([0x7C01, 0xFC01, 0x3C00], "u2").view("f2")
TABLE = np.arange(1, 7, dtype="f4").reshape(3, 2)
ROW = np.arange(1, 7, dtype="f4")


def case(
    type: str,
    version: str,
    data: Any,
    indices: Any,
    axis: int | None = 0,
    *,
    constant: str = "",
    batch_dims: int = 0,
    static: bool = False,
) -> Any:
    """A model and its inputs; ``constant`` names what is a Const of it."""
    data, indices = np.asarray(data), np.asarray(indices)
    names = {"bool": "boolean", "float32": "f32", "float64": "f64", "float16": "f16"}
    arrays = {"data": data, "indices": indices}
    tensors = {}
    for key, array in arrays.items():
        kind = names.get(array.dtype.name) or array.dtype.name.replace(
            "uint", "u"
        ).replace("int", "i")
        is_static = static or key in constant
        dims = list(array.shape) if is_static else [-1] * array.ndim
        tensors[key] = (kind, dims)
    if type == "GatherND":
        tensors["indices"] = (tensors["indices"][0], list(indices.shape))
    model = gather_model(
        type,
        version,
        tensors["data"],
        tensors["indices"],
        axis,
        batch_dims,
        data_value=data.tobytes() if "data" in constant else None,
        indices_value=indices.tobytes() if "indices" in constant else None,
    )
    return model, {key: array for key, array in arrays.items() if key not in constant}


DEPARTING = {
    "low 32 bits": case("Gather", "opset8", WIDE, np.arange(7)),
    "integers of a Const are clamped": case(
        "Gather", "opset8", WIDE, np.arange(7), constant="data"
    ),
    "f64 is rounded": case("GatherElements", "opset6", F64, np.arange(9)),
    "subnormals": case("Gather", "opset8", F32, np.arange(6), constant="data"),
    "signalling NaN": case("Gather", "opset8", F16, np.arange(3)),
    "boolean bytes of a Const": case(
        "Gather",
        "opset8",
        np.array([0, 1, 2, 255], "u1").view("?"),
        np.arange(4),
        constant="data",
    ),
    "modulo 2^32": case("Gather", "opset8", TABLE, [2**32 + 1, 0, -(2**32)]),
    "boolean bytes other than 0": case(
        "GatherElements",
        "opset6",
        np.array([0, 1, 2, 255], "u1").view("?"),
        np.arange(4),
    ),
    "gives 0 at run time": case("Gather", "opset7", TABLE, [-1, 0]),
    "short one-dimensional": case("Gather", "opset7", ROW.astype("i4"), [-1, 0]),
    "GatherND index out of range": case("GatherND", "opset8", TABLE, [[3], [0]], None),
    "nothing to gather from": case("GatherElements", "opset6", ROW[:0], [0, 0]),
}
ALSO = {
    "u32 indices": case("Gather", "opset8", TABLE, np.array([2**32 - 1, 0], "u4")),
    "GatherElements, indices beyond 32 bits": case(
        "GatherElements", "opset6", ROW, [2**32 + 1, 0]
    ),
    "f64 Const": case("GatherElements", "opset6", F64, np.arange(9), constant="data"),
    "u32 Const": case(
        "Gather",
        "opset8",
        np.array([0, 2**31, 2**32 - 1], "u4"),
        np.arange(3),
        constant="data",
    ),
    "u64": case(
        "Gather",
        "opset8",
        np.array([0, 2**31, 2**64 - 1, 2**32 + 5], "u8"),
        np.arange(4),
    ),
    "Gather-1, negative": case("Gather", "opset1", TABLE, [-1, 0, 7]),
}


@pytest.mark.slow
@requires_openvino
@pytest.mark.parametrize("name", [*DEPARTING, *ALSO])
def test_openvino_departs_and_is_recognised(name: str) -> None:
    (text, weights), inputs = {**DEPARTING, **ALSO}[name]
    (record,) = crosscheck(
        text, weights=weights, inputs=inputs, mode="in-place"
    ).records
    assert record.verdict == "known", record
    if name in DEPARTING:
        assert name in record.reason


@requires_openvino
def test_an_index_of_a_batch_becomes_a_reshape() -> None:
    (text, weights), inputs = case(
        "Gather",
        "opset8",
        TABLE[:2, :1],
        [0, 1],
        1,
        constant="indices",
        batch_dims=1,
        static=True,
    )
    (record,) = crosscheck(
        text, weights=weights, inputs=inputs, mode="in-place"
    ).records
    assert (record.verdict, record.outcome.cause) == ("known", "index-eliminated")


def test_every_deviation_is_tried() -> None:
    # Compressed tables are those of whole models: see test_compressed.py.
    elsewhere = {"compressed-rows", "index-eliminated"}
    deviations = [
        each for stage in STAGES for each in stage if each.key not in elsewhere
    ]
    reasons = [each.reason for each in deviations if each.holds_for("2026.4.1")]
    assert [
        reason for reason in reasons if not any(name in reason for name in DEPARTING)
    ] == []


@requires_openvino
def test_index_of_a_constant_beyond_32_bits_is_clamped_which_does_not_show() -> None:
    (text, weights), inputs = case(
        "Gather", "opset8", TABLE, [2**32 + 1, 0], constant="indices"
    )
    (record,) = crosscheck(
        text, weights=weights, inputs=inputs, mode="in-place"
    ).records
    assert record.verdict == "equal"


def test_deviations_are_those_of_some_versions() -> None:
    deviation = STAGES[0][0]._replace(versions=(("2025.3", "2026.1"), ("2026.4", "")))
    held = [
        version
        for version in ("2025.2.0", "2025.3.0", "2026.0.1", "2026.1.0", "2026.4.1")
        if deviation.holds_for(version)
    ]
    assert held == ["2025.3.0", "2026.0.1", "2026.4.1"]


def evidence(name: str, **changes: Any) -> Evidence:
    operation = ops.find(
        name, "opset8" if name != "Gather" else changes.pop("opset", "opset8")
    )
    assert operation is not None
    given = {"axis": 0, "batch_dims": 0, "constant": frozenset(), **changes}
    return Evidence(operation, **{key: given[key] for key in Evidence._fields[1:7]})


def test_deviation_must_explain_every_bit() -> None:
    right = WIDE.astype("i4").astype("i8")
    assert (
        judge(
            evidence("Gather", data=WIDE, indices=np.arange(7), got=right), "CPU"
        ).verdict
        == "known"
    )
    wrong = right.copy()
    wrong[6] += 1
    outcome = judge(
        evidence("Gather", data=WIDE, indices=np.arange(7), got=wrong), "CPU"
    )
    assert (outcome.verdict, outcome.mismatches, outcome.elements) == (
        "different",
        6,
        7,
    )


def test_deviations_of_the_cpu_plugin_excuse_no_other_device() -> None:
    got = WIDE.astype("i4").astype("i8")
    assert (
        judge(
            evidence("Gather", data=WIDE, indices=np.arange(7), got=got), "GPU"
        ).verdict
        == "different"
    )


def test_left_to_chance_are_only_the_elements_of_bad_indices() -> None:
    data, indices = np.arange(6, dtype="i4"), np.array([9, 1])
    lucky = evidence("Gather", data=data, indices=indices, got=np.array([77, 1], "i4"))
    assert judge(lucky, "CPU").verdict == "known"
    assert (
        judge(lucky._replace(got=np.array([77, 2], "i4")), "CPU").verdict == "different"
    )


def test_left_to_chance_spreads_over_slices() -> None:
    data, indices = np.arange(12, dtype="f4").reshape(2, 2, 3), np.array([[0], [5]])
    got = np.stack([data[0], np.full((2, 3), 9, "f4")])
    found = evidence("GatherND", data=data, indices=indices, got=got)
    assert judge(found, "CPU").verdict == "known"
    assert judge(found._replace(got=got[::-1].copy()), "CPU").verdict == "different"


def test_constant_deviations_need_a_constant() -> None:
    clamped = np.clip(WIDE, -(2**31), 2**31 - 1)
    found = evidence("Gather", data=WIDE, indices=np.arange(7), got=clamped)
    assert judge(found, "CPU", version="2026.4.1").verdict == "different"
    assert judge(found._replace(constant=frozenset({"data"})), "CPU").verdict == "known"


def test_two_deviations_together() -> None:
    # A Const f64 is both flushed and rounded.
    got = np.array([0.0, 0.0, np.float32(1.1)], "f8")
    found = evidence(
        "Gather",
        data=np.array([-0.0, 1e-40, 1.1]),
        indices=np.arange(3),
        got=got,
        constant=frozenset({"data"}),
    )
    outcome = judge(found, "CPU")
    assert outcome.verdict == "known"
    assert outcome.reason.count("[") == 2


def test_every_deviation_says_why_and_where_it_is_from() -> None:
    for deviation in (deviation for stage in STAGES for deviation in stage):
        assert deviation.argument in ("data", "indices", "output")
        assert deviation.key.replace("-", "").isalnum()
        assert deviation.reason
        assert deviation.source


def test_older_versions_depart_otherwise() -> None:
    clamped = np.clip(WIDE, -(2**31), 2**31 - 1)
    found = evidence("Gather", data=WIDE, indices=np.arange(7), got=clamped)
    old, new = (
        judge(found, "CPU", version=version)
        for version in ("2025.3.0-19807", "2026.4.1-22982")
    )
    assert (old.verdict, old.cause) == ("known", "data-saturated")
    assert (new.verdict, new.cause) == ("different", "saturated")
    booleans = np.array([0, 1, 2, 255], "u1").view("?")
    cut = evidence(
        "Gather",
        data=booleans,
        indices=np.arange(4),
        got=np.array([0, 1, 2, 0], "u1").view("?"),
        constant=frozenset({"data"}),
    )
    assert judge(cut, "CPU", version="2025.4.1").cause == "const-booleans-cut"
    assert judge(cut, "CPU", version="2026.4.1").verdict == "different"


def test_before_2025_3_indices_from_the_end_read_foreign_memory() -> None:
    data, indices = np.arange(6, dtype="f4"), np.array([-1, 2])
    elements = evidence(
        "GatherElements", data=data, indices=indices, got=np.array([1e-40, 2], "f4")
    )
    tuples = evidence(
        "GatherND", data=data, indices=indices[:, None], got=np.array([1e-40, 2], "f4")
    )
    for found in (elements, tuples):
        old = judge(found, "CPU", version="2025.2.0-19140")
        assert (old.verdict, old.cause) == ("known", "index-overrun")
        assert (
            judge(
                found._replace(got=np.array([1e-40, 3], "f4")),
                "CPU",
                version="2025.2.0",
            ).verdict
            == "different"
        )
        assert judge(found, "CPU", version="2025.3.0").verdict == "different"


def test_on_a_release_that_was_not_measured() -> None:
    wide = evidence(
        "Gather", data=WIDE, indices=np.arange(7), got=WIDE.astype("i4").astype("i8")
    )
    words = judge(wide, "CPU", version="2099.1.0-1-abc").reason
    assert words.endswith(
        f"; measured on OpenVINO {FIRST} to {LAST}, but this is 2099.1.0"
    )
    assert "measured" not in judge(wide, "CPU", version="2026.4.1-22982").reason
    # What is left to chance tells nothing of whether another release still does it.
    empty = evidence(
        "GatherElements", data=ROW[:0], indices=np.array([0, 0]), got=ROW[:2]
    )
    verdicts = [
        judge(empty, "CPU", version=version).verdict
        for version in ("2026.4.1", "2099.1.0", "2022.3.0")
    ]
    assert verdicts == ["known", "different", "different"]
