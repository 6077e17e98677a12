"""Evaluation against ONNX Runtime, bit for bit, and against onnx's ReferenceEvaluator as a witness."""

from __future__ import annotations

import math
from importlib.metadata import version
from importlib.util import find_spec
from random import Random
from typing import Any

import numpy
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from onnx_child import Answer, ask, requires_onnx
from onnx_layers import Case, execution_case

import ovgather

seeds = st.integers(0, 2**32).map(lambda seed: execution_case(Random(seed)))


def evaluate(case: Case) -> Answer:
    """What ovgather gives: ``("output", array)`` or ``("error", error)``."""
    named: dict[str, Any] = {
        "version": case["opset"],
        "dialect": "onnx",
        **case["attributes"],
    }
    try:
        return "output", ovgather.evaluate(case["type"], case["arrays"], **named)
    except (ovgather.ShapeInferenceError, ovgather.IndexOutOfRangeError) as error:
        return "error", error


def same(mine: numpy.ndarray, theirs: numpy.ndarray) -> bool:
    """Shape, dtype and bits."""
    if mine.shape != theirs.shape or mine.dtype != theirs.dtype:
        return False
    if mine.dtype == object:
        return mine.tolist() == theirs.tolist()
    return mine.tobytes() == theirs.tobytes()


def slices_are_empty(case: Case) -> bool:
    """ONNX Runtime does not look at the indices of a GatherND that has nothing to copy."""
    data, indices = case["arrays"]
    taken = (
        case["attributes"].get("batch_dims", 0) + indices.shape[-1]
        if case["type"] == "GatherND"
        else 0
    )
    return case["type"] == "GatherND" and 0 in data.shape[taken:]


def batches_divide(case: Case) -> bool:
    """ONNX Runtime wants no equal batch dims of a GatherND, but a whole number of index tuples for each batch."""
    data, indices = case["arrays"]
    batch = case["attributes"].get("batch_dims", 0)
    if case["type"] != "GatherND" or data.shape[:batch] == indices.shape[:batch]:
        return False
    batches, tuples = math.prod(data.shape[:batch]), math.prod(indices.shape[:-1])
    return tuples == 0 or (batches != 0 and tuples % batches == 0)


_ROWS = [[0, 1], [2, 3]]
DIFFERENCES = {
    slices_are_empty: ("GatherND", [[]] * 3, [[7]], {}, [[]]),
    batches_divide: (
        "GatherND",
        _ROWS,
        [[0], [1], [0], [1]],
        {"batch_dims": 1},
        [0, 1, 2, 3],
    ),
}
"""Where ONNX Runtime answers what the document calls an error, each with an example."""


def as_onnxruntime_copies_text(case: Case, output: numpy.ndarray) -> numpy.ndarray:
    """Of each slice of a Gather of text ONNX Runtime copies the first element only."""
    data, _ = case["arrays"]
    after = data.ndim - case["attributes"].get("axis", 0) % data.ndim - 1
    made = numpy.full_like(output, "")
    first = (..., *[slice(0, 1)] * after)
    made[first] = output[first]
    return made


@requires_onnx
@pytest.mark.skipif(
    find_spec("onnxruntime") is not None and version("onnxruntime").startswith("1.23."),
    reason="ONNX Runtime 1.23, the last for Python 3.10, reads foreign memory for wrong indices and batch dims",
)
@settings(max_examples=200, deadline=None)
@given(seeds)
def test_onnxruntime_agrees(case: Case) -> None:
    outcome, mine = evaluate(case)
    theirs = ask("execute", case)
    if outcome == "error" and theirs[0] == "output":
        assert any(applies(case) for applies in DIFFERENCES), (case, mine, theirs)
        return
    assert outcome == theirs[0], (case, mine, theirs)
    if (
        case["type"] == "Gather"
        and case["data_type"] == "string"
        and outcome == "output"
    ):
        mine = as_onnxruntime_copies_text(case, mine)
    assert outcome == "error" or same(mine, theirs[1]), (case, mine, theirs)


@requires_onnx
@pytest.mark.parametrize("applies", DIFFERENCES, ids=lambda applies: applies.__name__)
def test_onnxruntime_is_still_so(applies: Any) -> None:
    kind, data, indices, attributes, output = DIFFERENCES[applies]
    case = {
        "type": kind,
        "opset": 13,
        "data_type": "float",
        "indices_type": "int64",
        "attributes": attributes,
    }
    case["arrays"] = numpy.array(data, "f4"), numpy.array(indices)
    case |= {
        name: [None] * array.ndim
        for name, array in zip(("data", "indices"), case["arrays"], strict=True)
    }
    assert applies(case)
    assert evaluate(case)[0] == "error"
    outcome, got = ask("execute", case)
    assert outcome == "output"
    assert same(got, numpy.array(output, "f4"))


@requires_onnx
def test_onnxruntime_still_copies_only_the_first_text() -> None:
    case = {
        "type": "Gather",
        "opset": 13,
        "data_type": "string",
        "indices_type": "int64",
        "attributes": {},
    }
    words = numpy.array([["a", "b"], ["c", "d"]], dtype=object)
    case |= {"data": [2, 2], "indices": [1], "arrays": (words, numpy.array([1]))}
    assert evaluate(case)[1].tolist() == [["c", "d"]]
    assert ask("execute", case)[1].tolist() == [["c", ""]]


@requires_onnx
@settings(max_examples=200, deadline=None)
@given(seeds)
def test_the_reference_evaluator_agrees_where_it_answers_rightly(case: Case) -> None:
    """A witness only: it refuses much, wraps round what GatherElements must refuse, and looks not at all indices."""
    outcome, mine = evaluate(case)
    # Of what is far outside it takes away the length of the axis until it is inside: 2^62 keeps it busy for good.
    assume(
        case["type"] != "GatherElements" or abs(case["arrays"][1]).max(initial=0) < 1000
    )
    theirs = ask("evaluate", case)
    if outcome == "error":
        looked = case["type"] == "Gather" and case["arrays"][0].size > 0
        assert theirs[0] == "error" or not looked, (case, mine, theirs)
    elif theirs[0] == "output":
        assert same(mine, numpy.asarray(theirs[1]).astype(mine.dtype)), (
            case,
            mine,
            theirs,
        )


@requires_onnx
@pytest.mark.parametrize(
    ("size", "indices", "answer"),
    [
        (3, [3, -4], ("output", [0.0, 2.0])),
        (
            70,
            [69],
            ("error", "ValueError: Need at least 0 and at most 64 array objects."),
        ),
    ],
    ids=["outside", "long"],
)
def test_the_reference_evaluator_is_still_so(
    size: int, indices: list[int], answer: Answer
) -> None:
    case = {
        "type": "GatherElements",
        "opset": 13,
        "data_type": "float",
        "indices_type": "int64",
        "attributes": {},
    }
    case |= {"data": [size], "indices": [len(indices)]}
    outcome, got = ask(
        "evaluate",
        {**case, "arrays": (numpy.arange(size, dtype="f4"), numpy.array(indices))},
    )
    assert (outcome, got if outcome == "error" else got.tolist()) == answer


def test_the_cases_are_a_good_mixture() -> None:
    cases = [execution_case(Random(seed)) for seed in range(3000)]
    for kind in ("Gather", "GatherElements", "GatherND"):
        answers = [evaluate(case) for case in cases if case["type"] == kind]
        outputs = [output for outcome, output in answers if outcome == "output"]
        assert 0.5 < len(outputs) / len(answers) < 0.95
        assert sum(output.size > 0 for output in outputs) > 0.4 * len(outputs)
        errors = {type(error) for outcome, error in answers if outcome == "error"}
        assert errors >= {ovgather.IndexOutOfRangeError}
    for applies in DIFFERENCES:
        assert any(map(applies, cases)), applies.__name__
