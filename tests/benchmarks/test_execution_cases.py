"""What ``benchmarks/execution.py`` measures is one layer in all libraries, and its goals are computed right."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from execution import Results
from execution_cases import CASES, HOLD_OUT, Case
from execution_floor import bare_take, passes
from execution_peers import VARIANTS, ovgather, plain

SMALL = [
    case
    for case in CASES + HOLD_OUT
    if numpy.prod(case.data) < 100_000 and numpy.prod(case.shape) < 200_000
]


def test_the_table_is_large_enough() -> None:
    assert len(CASES) >= 24
    assert len({(case.type, case.name) for case in CASES}) == len(CASES)
    assert not set(CASES) & set(HOLD_OUT)
    assert {case.data_type for case in CASES} == {"f32", "f16", "i8", "i64"}
    assert {case.index_type for case in CASES} == {"i32", "i64"}
    assert {case.indices_are for case in CASES} == {"inside", "negative", "outside"}
    assert {case.batch_dims for case in CASES} == {0, 1, 2}


@pytest.mark.parametrize("case", SMALL, ids=lambda case: f"{case.type}: {case.name}")
def test_all_compute_the_same(case: Case) -> None:
    data, indices = case.arrays()
    again = case.arrays()
    assert (data == again[0]).all()
    assert (indices == again[1]).all()
    ours = ovgather(case, data, indices)
    assert {*ours} <= {*VARIANTS["ovgather"]}
    expected = plain(case, data, indices)["plain"]()
    assert expected.shape == case.shape
    for call in ours.values():
        assert (call() == expected).all()
    assert bare_take(case, data, indices)().tobytes() == expected.tobytes()
    passes(case, indices)()


def test_indices_outside_and_negative() -> None:
    outside = Case(
        "o", "Gather", (50,), (5000,), index_type="i32", indices_are="outside"
    ).arrays()[1]
    assert 10 < (outside == 50).sum() < 120
    negative = Case(
        "n", "GatherElements", (50, 3), (40, 3), indices_are="negative"
    ).arrays()[1]
    assert (negative < 0).mean() > 0.3
    assert negative.min() >= -50


def result(case: Case, **samples: list[float]) -> dict[str, Any]:
    name = f"{case.type}: {case.name}"
    spaced = {key.replace("_", " "): values for key, values in samples.items()}
    return {
        "set": "cases",
        "name": name,
        "samples": spaced,
        "skipped": {},
        "not equal": [],
    }


def test_goals() -> None:
    results = Results(
        [
            result(
                CASES[0],
                numpy_1=[1, 1, 9],
                openvino_1=[4, 4, 4],
                openvino_2=[2, 2, 2],
                plain=[2, 2, 2],
            ),
            result(CASES[1], numpy_1=[2, 2, 2], openvino_1=[1, 1, 1], copyto=[1, 1, 1]),
            result(CASES[11], numpy_1=[2, 2, 2], copyto=[1, 1, 1]),
        ]
    )
    assert results.ratios("numpy 1", ["openvino 1"]) == {
        "Gather: specification, 5 of 1-D": 0.25,
        "Gather: specification, batch_dims 2": 2.0,
    }
    assert [*results.ratios("numpy 1", ["copyto"], slices=True)] == [
        f"Gather: {CASES[11].name}"
    ]
    lines = results.goals().splitlines()
    assert lines[0].startswith(
        "missed: one thread against OpenVINO's one: geometric mean 0.71, goal 0.40"
    )
    assert lines[1:3] == [
        "missed: none above 1.60: worst 2.00 (Gather: specification, batch_dims 2)",
        "       Gather: specification, batch_dims 2 2.00",
    ]
    assert lines[3] == "two threads against OpenVINO's two: not measured"
    assert lines[4].startswith(
        "  met: slices against copyto: geometric mean 2.00, goal 3.00"
    )
    assert "Gather: embedding, f32" in str(results)


def test_a_ratio_is_the_median_of_those_within_rounds() -> None:
    case = CASES[0]
    # The machine is twice as slow in the second round; the ratio is not.
    results = Results(
        [
            result(
                case,
                numpy_1=[1.0, 2.0, 3.0],
                openvino_1=[2.0, 4.0, 4.0],
                plain=[4.0, 4.0, 4.0],
            )
        ]
    )
    name = f"{case.type}: {case.name}"
    assert results.ratios("numpy 1", ["openvino 1"]) == {name: 0.5}
    assert results.ratios("numpy 1", ["openvino 1", "plain"]) == {name: 0.5}
    assert results.ratios("numpy 1", ["openvino 1", "plain"], round=2) == {name: 0.75}
