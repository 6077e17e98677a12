"""Shape inference against that of the installed onnx and ONNX Runtime: equal, save the differences listed here."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx_child import Answer, ask, requires_onnx
from onnx_layers import Case, inference_case

import ovgather
from ovgather.ops.inference import Inference
from ovgather.tensor.shape import Dimension, PartialShape

seeds = st.integers(0, 2**32).map(lambda seed: inference_case(Random(seed)))


def shape(dims: list[int | str | None] | None) -> PartialShape:
    """The shape that a model declares so."""
    if dims is None:
        return PartialShape.of(None)
    named = [
        Dimension(0, None, symbol=dim) if isinstance(dim, str) else dim for dim in dims
    ]
    return PartialShape.of(["?" if dim is None else dim for dim in named])


def infer(case: Case) -> Inference | ovgather.ShapeInferenceError:
    """What ovgather says."""
    shapes = [shape(case["data"]), shape(case["indices"])]
    try:
        return ovgather.infer_output(
            case["type"],
            shapes,
            version=case["opset"],
            dialect="onnx",
            **case["attributes"],
        )
    except ovgather.ShapeInferenceError as error:
        return error


class Difference(NamedTuple):
    """Nodes that are wrong by the document, and that onnx's shape inference lets through."""

    reason: str
    applies: Callable[[Case], bool]
    example: tuple[str, Any, Any, dict[str, int]]
    onnx: Any


def _rank(case: Case, name: str) -> int | None:
    return None if case[name] is None else len(case[name])


def unchecked_elements(case: Case) -> bool:
    return bool(case["type"] == "GatherElements")


def unranked_indices(case: Case) -> bool:
    return case["type"] == "Gather" and _rank(case, "indices") is None


def unknown_tuple(case: Case) -> bool:
    if case["type"] != "GatherND":
        return False
    unranked = case["data"] is None or case["indices"] is None
    return unranked or (
        bool(case["indices"]) and not isinstance(case["indices"][-1], int)
    )


def negative_batch_dims(case: Case) -> bool:
    return case["type"] == "GatherND" and case["attributes"].get("batch_dims", 0) < 0


def batch_dims_of_all_indices(case: Case) -> bool:
    batch, rank = case["attributes"].get("batch_dims", 0), _rank(case, "indices")
    return case["type"] == "GatherND" and rank is not None and batch >= rank


def batch_dims_of_all_data(case: Case) -> bool:
    batch, rank = case["attributes"].get("batch_dims", 0), _rank(case, "data")
    return (
        case["type"] == "GatherND"
        and batch == rank
        and bool(case["indices"])
        and case["indices"][-1] == 0
    )


def empty_tuples(case: Case) -> bool:
    return (
        case["type"] == "GatherND"
        and bool(case["indices"])
        and case["indices"][-1] == 0
    )


def batches_differ(case: Case) -> bool:
    batch = case["attributes"].get("batch_dims", 0)
    pairs = zip(
        (case["data"] or [])[:batch], (case["indices"] or [])[:batch], strict=False
    )
    return case["type"] == "GatherND" and any(
        mine != theirs
        for mine, theirs in pairs
        if isinstance(mine, int) and isinstance(theirs, int)
    )


def names_of_two_lengths(case: Case) -> bool:
    return any(
        isinstance(dim, str)
        for dim in [*(case["data"] or []), *(case["indices"] or [])]
    )


DIFFERENCES = (
    Difference(
        "no axis is checked",
        unchecked_elements,
        ("GatherElements", [3, 4], [2, 4], {"axis": 5}),
        [2, 4],
    ),
    Difference(
        "no ranks are checked",
        unchecked_elements,
        ("GatherElements", [3, 4], [2], {}),
        [2],
    ),
    Difference(
        "scalars are not refused",
        unchecked_elements,
        ("GatherElements", [], [], {}),
        [],
    ),
    Difference(
        "longer off the axis",
        unchecked_elements,
        ("GatherElements", [3, 4], [3, 9], {}),
        [3, 9],
    ),
    Difference(
        "the axis is not looked at",
        unranked_indices,
        ("Gather", [3, 4], None, {"axis": 5}),
        None,
    ),
    Difference(
        "nor is the rank of data", unranked_indices, ("Gather", [], None, {}), None
    ),
    Difference(
        "nothing is checked",
        unknown_tuple,
        ("GatherND", [3], [4, None], {"batch_dims": 2}),
        None,
    ),
    Difference(
        "batch_dims -1",
        negative_batch_dims,
        ("GatherND", [3, 4], [3, 1], {"batch_dims": -1}),
        [3, 3, 4],
    ),
    Difference(
        "b < q",
        batch_dims_of_all_indices,
        ("GatherND", [3, 1, 5], [3, 1], {"batch_dims": 2}),
        [3],
    ),
    Difference(
        "b < r",
        batch_dims_of_all_data,
        ("GatherND", [3], [3, 0], {"batch_dims": 1}),
        [3],
    ),
    Difference(
        "tuples of 0", empty_tuples, ("GatherND", [3, 4], [2, 0], {}), [2, 3, 4]
    ),
    Difference(
        "batches that differ",
        batches_differ,
        ("GatherND", [3, 4], [2, 1], {"batch_dims": 1}),
        [2],
    ),
    Difference(
        "one name",
        names_of_two_lengths,
        ("GatherND", ["a", "a", 5], [2, 3, 1], {"batch_dims": 2}),
        [2, 3],
    ),
)


def _compare(
    case: Case, ours: Inference | ovgather.ShapeInferenceError, theirs: Answer
) -> None:
    outcome, dims = theirs
    if isinstance(ours, ovgather.ShapeInferenceError):
        assert outcome == "error" or any(
            entry.applies(case) for entry in DIFFERENCES
        ), (
            case,
            theirs,
            ours,
        )
        return
    assert outcome == "shape", (case, theirs, ours)
    known = shape(dims)
    assert ours.shape & known == ours.shape, (case, theirs, ours)
    assert ours.shape.rank in (known.rank, 0) or case["type"] == "GatherElements", (
        case,
        theirs,
        ours,
    )
    merged = case["type"] == "GatherND" and case["attributes"].get("batch_dims", 0)
    for mine, their in zip(ours.shape.dims or (), known.dims or (), strict=False):
        assert mine == their or case["type"] == "GatherElements" or merged, (
            case,
            theirs,
            ours,
        )
        assert mine.symbol == their.symbol or merged or mine.is_static, (
            case,
            theirs,
            ours,
        )


@requires_onnx
@settings(max_examples=200, deadline=None)
@given(seeds)
def test_onnx_agrees(case: Case) -> None:
    _compare(case, infer(case), ask("infer", case))


@requires_onnx
@settings(max_examples=200, deadline=None)
@given(seeds)
def test_onnxruntime_agrees(case: Case) -> None:
    outcome, dims = ask("load", case)
    # It gives [] for a dynamic rank as well as for a scalar.
    _compare(case, infer(case), (outcome, None if dims == [] else dims))


@pytest.mark.slow
def test_the_cases_are_a_good_mixture() -> None:
    made = [
        (case["type"], infer(case))
        for case in map(inference_case, map(Random, range(3000)))
    ]
    for kind in ("Gather", "GatherElements", "GatherND"):
        answers = [answer for of, answer in made if of == kind]
        shapes = [answer.shape for answer in answers if isinstance(answer, Inference)]
        assert 0.5 < len(shapes) / len(answers) < 0.98
        assert sum(
            found.rank is not None and not found.is_static for found in shapes
        ) > 0.3 * len(shapes)
        assert sum(found.symbolic for found in shapes) > 0.2 * len(shapes)
    cases = [inference_case(Random(seed)) for seed in range(3000)]
    for entry in DIFFERENCES:
        assert any(map(entry.applies, cases)), entry.reason


@requires_onnx
def test_onnx_gives_no_shape_where_the_output_of_gathernd_is_a_scalar() -> None:
    case = {
        "type": "GatherND",
        "opset": 13,
        "data": [3],
        "indices": [1],
        "attributes": {},
    }
    case |= {"data_type": "float", "indices_type": "int64"}
    assert str(getattr(infer(case), "shape", "")) == "[]"
    assert ask("infer", case) == ("shape", None)


@requires_onnx
@pytest.mark.parametrize("entry", DIFFERENCES, ids=lambda entry: entry.reason)
def test_onnx_is_still_so(entry: Difference) -> None:
    names = ("type", "data", "indices", "attributes")
    types = {"opset": 13, "data_type": "float", "indices_type": "int64"}
    case = {**dict(zip(names, entry.example, strict=True)), **types}
    assert entry.applies(case)
    assert isinstance(infer(case), ovgather.ShapeInferenceError)
    assert ask("infer", case) == ("shape", entry.onnx)


@requires_onnx
def test_onnx_still_crashes() -> None:
    """In onnx's shape inference, hence in its checker, and when ONNX Runtime loads the model: it reads before an array.

    So it can with -2 as well, but that depends on what lies there.
    """
    case = {
        "type": "GatherND",
        "opset": 13,
        "data": [3, 4],
        "indices": [3, 1],
        "attributes": {"batch_dims": -1_000_000},
        "data_type": "float",
        "indices_type": "int64",
    }
    assert str(infer(case)).startswith(
        "batch_dims -1000000 is negative, and GatherND does not count from the end: "
    )
    for task in ("infer", "load"):
        assert ask(task, case)[0] == "crash"
