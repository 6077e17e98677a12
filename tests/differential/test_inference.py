"""Shape inference against the installed OpenVINO: the same answer, or a listed place where it is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest
from inference_cases import Case, inference_case
from openvino_child import ask, requires_openvino

from ovgather.errors import ShapeInferenceError
from ovgather.ops import openvino as ops
from ovgather.tensor import element_type
from ovgather.tensor.shape import PartialShape

pytestmark = requires_openvino
COUNT = 16_000


def infer(case: Case) -> tuple[str, str]:
    """``("shape", text)``, or ``("error", kind)`` of the first problem."""
    operation = ops.find(case["type"], case["opset"])
    assert operation is not None
    shapes = [PartialShape.of(case["data"]), PartialShape.of(case["indices"])]
    if case["type"] == "Gather":
        shapes.append(PartialShape.of(case["axis_shape"]))
    try:
        return "shape", str(
            operation.infer(
                shapes, axis=case["axis"], batch_dims=case["batch_dims"]
            ).shape
        )
    except ShapeInferenceError as error:
        return "error", error.kind


class Layer(NamedTuple):
    """A case with its shapes read."""

    type: str
    data: PartialShape
    indices: PartialShape
    axis: int | None
    batch_dims: int

    @classmethod
    def of(cls, case: Case) -> Layer:
        data, indices = PartialShape.of(case["data"]), PartialShape.of(case["indices"])
        return cls(case["type"], data, indices, case["axis"], case["batch_dims"])

    @property
    def batch(self) -> int:
        """batch_dims counted from the front."""
        return (
            self.batch_dims
            if self.batch_dims >= 0
            else self.batch_dims + (self.indices.rank or 0)
        )


class Divergence(NamedTuple):
    """A kind of layer that OpenVINO accepts, though it cannot run whatever the tensors turn out to be."""

    reason: str
    applies: Callable[[Layer], bool]
    # type, opset, data, indices, axis, batch_dims
    example: tuple[str, str, str, str, int | None, int]
    openvino: str


def batch_dims_below_rank(layer: Layer) -> bool:
    return layer.type == "Gather" and layer.indices.rank is not None and layer.batch < 0


def scalar_data(layer: Layer) -> bool:
    return layer.type == "Gather" and layer.data.rank == 0


def no_axis_left(layer: Layer) -> bool:
    return (
        layer.type == "Gather"
        and layer.axis is None
        and layer.data.rank is not None
        and layer.batch >= layer.data.rank
    )


def axis_beyond_indices(layer: Layer) -> bool:
    rank = layer.indices.rank
    return (
        layer.type == "GatherElements"
        and layer.data.rank is None
        and rank is not None
        and layer.axis is not None
        and not -rank <= layer.axis < rank
    )


def tuple_certainly_too_long(layer: Layer) -> bool:
    if layer.type != "GatherND" or not layer.data.rank or not layer.indices.rank:
        return False
    last = layer.indices[-1]
    return last.is_dynamic and last.min + layer.batch > layer.data.rank


def negative_batch_dims(layer: Layer) -> bool:
    return layer.type == "GatherND" and layer.batch_dims < 0


def batch_differs_before_dynamic_tuple(layer: Layer) -> bool:
    if (
        layer.type != "GatherND"
        or not layer.data.rank
        or not layer.indices.rank
        or layer.indices[-1].is_static
    ):
        return False
    pairs = list(zip(layer.data, layer.indices, strict=False))[: layer.batch]
    return any(not mine.compatible(theirs) for mine, theirs in pairs)


DIVERGENCES = (
    Divergence(
        "batch_dims below -rank(indices) stays negative when normalized; OpenVINO slices the shapes with it",
        batch_dims_below_rank,
        ("Gather", "opset8", "[2,3,4]", "[2,3]", 2, -3),
        "[2,3,3,2,3]",
    ),
    Divergence(
        "a scalar has no axis; OpenVINO looks only when axis and the rank of indices are known",
        scalar_data,
        ("Gather", "opset8", "[]", "[2]", None, 0),
        "[]",
    ),
    Divergence(
        "batch_dims must not be above axis, so it is below rank(data); OpenVINO waits for a known axis",
        no_axis_left,
        ("Gather", "opset8", "[2]", "[...]", None, 1),
        "[...]",
    ),
    Divergence(
        "data has the rank of indices; OpenVINO checks the axis against data only, whose rank is dynamic",
        axis_beyond_indices,
        ("GatherElements", "opset6", "[...]", "[3,4]", 2, 0),
        "[3,4]",
    ),
    Divergence(
        "batch_dims is not to be negative; OpenVINO compares it with ranks only, and here both are dynamic",
        negative_batch_dims,
        ("GatherND", "opset8", "[...]", "[...]", None, -1),
        "[...]",
    ),
    Divergence(
        "the shortest index tuple is too long already; OpenVINO looks only at a static last dim",
        tuple_certainly_too_long,
        ("GatherND", "opset8", "[3,4]", "[2,3..5]", None, 0),
        "[...]",
    ),
    Divergence(
        "batch dims differ; OpenVINO compares them only when the last dim of indices is static",
        batch_differs_before_dynamic_tuple,
        ("GatherND", "opset8", "[3,4]", "[2,?]", None, 1),
        "[...]",
    ),
)

KINDS = {
    r"Axis -?\d+ out of the tensor rank range": "axis_range",
    r"Axis input must be scalar or have 1 element": "axis_shape",
    r"After normalization batch_dims must be <= axis": "batch_dims_axis",
    r"The batch_dims must be <= indices_rank": "batch_dims_range",
    r"Number of batch dimensions must not exceed": "batch_dims_range",
    r"are not consistent": "dims_mismatch",
    r"Batch dimensions of data and indices must be the same": "dims_mismatch",
    r"Length of a tuple with indices must not exceed": "dims_mismatch",
    r"[Dd]ata rank must be": "data_rank",
    r"[Ii]ndices rank must be": "indices_rank",
    r"data and indices rank must be equal": "rank_mismatch",
}


@pytest.fixture(scope="module")
def compared() -> list[tuple[Case, tuple[str, str], tuple[str, str]]]:
    """Cases, our answers, OpenVINO's."""
    rng = Random(20260417)
    cases = [inference_case(rng) for _ in range(COUNT)]
    return list(zip(cases, map(infer, cases), ask("infer", cases), strict=True))


Compared = list[tuple[Case, tuple[str, str], tuple[str, str]]]


@pytest.mark.slow
def test_the_answers_agree(compared: Compared) -> None:
    unexplained = [
        (case, ours, theirs)
        for case, ours, theirs in compared
        if ours[0] != theirs[0] or (ours[0] == "shape" and ours != theirs)
        if not (
            ours[0] == "error"
            and any(entry.applies(Layer.of(case)) for entry in DIVERGENCES)
        )
    ]
    assert not unexplained, (
        f"{len(unexplained)} of {len(compared)}, first {unexplained[:3]}"
    )


@pytest.mark.slow
def test_the_first_problem_is_the_one_that_openvino_names(compared: Compared) -> None:
    others = []
    for case, ours, theirs in compared:
        if (ours[0], theirs[0]) != ("error", "error"):
            continue
        named = {
            kind for pattern, kind in KINDS.items() if re.search(pattern, theirs[1])
        }
        layer = Layer.of(case)
        # Ours come first, they are certain before any axis.
        earlier = scalar_data(layer) or no_axis_left(layer)
        if named and ours[1] not in named and not earlier:
            others.append((case, ours, theirs[1][-200:]))
    assert not others, f"{len(others)}, first {others[:3]}"


def test_the_cases_are_a_good_mixture(compared: Compared) -> None:
    for kind in ("Gather", "GatherElements", "GatherND"):
        answers = [theirs for case, _, theirs in compared if case["type"] == kind]
        shapes = [text for outcome, text in answers if outcome == "shape"]
        assert len(shapes) > 0.6 * len(answers)
        assert len(answers) - len(shapes) > 0.1 * len(answers)
        assert sum("?" in text or ".." in text for text in shapes) > 0.3 * len(shapes)
    assert sum(case["type"] != "GatherND" for case, _, _ in compared) > 10_000
    for entry in DIVERGENCES:
        assert any(entry.applies(Layer.of(case)) for case, _, _ in compared), (
            entry.reason
        )


@pytest.mark.parametrize("entry", DIVERGENCES, ids=lambda entry: entry.applies.__name__)
def test_openvino_is_still_wrong(entry: Divergence) -> None:
    names = ("type", "opset", "data", "indices", "axis", "batch_dims")
    case = {**dict(zip(names, entry.example, strict=True)), "axis_shape": "[]"}
    assert entry.applies(Layer.of(case))
    assert ask("infer", [case]) == [("shape", entry.openvino)]
    assert infer(case)[0] == "error"


def test_normalization_rule_beats_the_stated_range_of_batch_dims() -> None:
    # -3 is below -min(rank(data), rank(indices)) = -2, but 4 - 3 = 1 is a legal number of batch dims.
    case = {
        "type": "Gather",
        "opset": "opset8",
        "data": "[2,5]",
        "indices": "[2,1,1,3]",
        "axis": 1,
        "batch_dims": -3,
    }
    case["axis_shape"] = "[]"
    assert infer(case) == ask("infer", [case])[0] == ("shape", "[2,1,1,3]")


def test_element_types_agree() -> None:
    layers = [
        ("Gather", "opset1"),
        ("Gather", "opset7"),
        ("Gather", "opset8"),
        ("GatherElements", "opset6"),
        ("GatherND", "opset5"),
        ("GatherND", "opset8"),
    ]
    shared = {"data": "[3,4]", "indices": "[3,2]", "axis_shape": "[]", "batch_dims": 0}
    cases = [
        {
            **shared,
            "type": kind,
            "opset": opset,
            "axis": 1 if kind == "GatherElements" else None,
            argument: item.name,
        }
        for kind, opset in layers
        for argument in ("data_type", "indices_type", "axis_shape_type")
        for item in element_type.ALL
        if argument != "axis_shape_type" or kind == "Gather"
    ]
    for case, (theirs, message) in zip(cases, ask("infer", cases), strict=True):
        operation = ops.find(case["type"], case["opset"])
        assert operation is not None
        types = [
            case.get("data_type", "f32"),
            case.get("indices_type", "i64"),
            case.get("axis_shape_type", "i64"),
        ]
        shapes = [PartialShape.of(case["data"]), PartialShape.of(case["indices"])]
        ours = operation.check(shapes, axis=case["axis"], element_types=types)
        hole = operation.name not in ("Gather-1", "GatherElements-6") and {
            "string",
            "nf4",
        } & {*types[1:]}
        assert (theirs == "error") == bool(ours and not hole), (case, message)
        if hole:
            assert theirs == "shape"
            assert [problem.kind for problem in ours] == ["element_type"]
