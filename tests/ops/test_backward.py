"""Backward inference: never wrong, and as much as the output tells."""

from __future__ import annotations

from random import Random

import pytest
from calls import OPERATIONS, random_call, widen
from hypothesis import given, settings
from hypothesis import strategies as st

import ovgather
from ovgather.ops.backward import Backward, infer_backward
from ovgather.tensor.shape import PartialShape


def backward(
    name: str,
    output: object,
    data: object,
    indices: object,
    axis: int | None = None,
    batch_dims: int = 0,
) -> Backward:
    shapes = [PartialShape.of(data), PartialShape.of(indices)]
    return infer_backward(
        OPERATIONS[name], PartialShape.of(output), shapes, axis, batch_dims
    )


@pytest.mark.parametrize(
    ("call", "data", "indices", "axes"),
    [
        (("GatherElements-6", "3,10,5", "3,7,5", None, 1), "[3,7,5]", "[3,10,5]", (1,)),
        (("GatherElements-6", "3,10,5", None, None, 1), "[3,?,5]", "[3,10,5]", (1,)),
        (("GatherElements-6", "3,10,5", None, None, -2), "[3,?,5]", "[3,10,5]", (1,)),
        (("GatherElements-6", "3,10,5", "3,7,5", None), "[3,7,5]", "[3,10,5]", (1,)),
        (
            ("GatherElements-6", "3,10,5", "3,?,5", None),
            "[3,?,5]",
            "[3,10,5]",
            (0, 1, 2),
        ),
        (
            ("GatherElements-6", "3,2..8", "1..5,9", "2..4,?", 1),
            "[3,9]",
            "[3,2..8]",
            (1,),
        ),
        (("GatherElements-6", None, "3,7", None, 1), "[3,7]", "[...]", None),
        (("Gather-8", "2,3,128", None, "2,3", 0), "[?,128]", "[2,3]", (0,)),
        (("Gather-8", "2,3,128", "1000,128", None, 0), "[1000,128]", "[2,3]", (0,)),
        (
            ("Gather-8", "2,3,128", "2,1000,128", None, 1, 1),
            "[2,1000,128]",
            "[2,3]",
            (1,),
        ),
        (
            ("Gather-8", "2,3,128", "2,1000,128", None, -2, -1),
            "[2,1000,128]",
            "[...]",
            (1,),
        ),
        (("Gather-8", "2,3,128", None, "?,3", 1, 1), "[2,?,128]", "[2,3]", (1,)),
        (("Gather-8", "2,3,128", "1000,128", None), "[1000,128]", "[2,3]", (0,)),
        (("Gather-8", "2,3,128", "2,128", None), "[2,128]", "[2..3,3..128]", (0, 1)),
        (("Gather-8", "4", "4,7", None), "[4,7]", "[]", (1,)),
        (("Gather-8", "2,3,128", None, None, 0), "[...]", "[...]", None),
        (("GatherND-8", "2,3,128", "9,128", None), "[9,128]", "[...]", None),
        (("GatherND-8", "2,3,128", None, "2,3,1"), "[?,128]", "[2,3,1]", None),
        (("GatherND-8", "2,3,128", "9,128", "?,?,?"), "[9,128]", "[2,3,1]", None),
        (
            ("GatherND-8", "2,3,128", "2,9,128", "?,?,?", None, 1),
            "[2,9,128]",
            "[2,3,1]",
            None,
        ),
        (("GatherND-8", "2,3", "2,3", None), "[2,3]", "[...]", None),
        (
            ("GatherND-5", "6,7,5", "2,?,4,5", "?,3,7,1", None, 2),
            "[2,3,4,5]",
            "[2,3,7,1]",
            None,
        ),
        (
            ("GatherND-5", "6,7,5", "2,?,4,5", "?,?,7,1", None, 2),
            "[2,3,4,5]",
            "[2,3,7,1]",
            None,
        ),
        (
            ("Gather-8", "batch,3,128", "n:2..4,1000,128", None, 1, 1),
            "[n:2..4,1000,128]",
            "[n:2..4,3]",
            (1,),
        ),
    ],
)
def test_backward(
    call: tuple[object, ...], data: str, indices: str, axes: tuple[int, ...] | None
) -> None:
    found = backward(*call)  # type: ignore[arg-type]
    assert (found.data.named, found.indices.named) == (data, indices)
    assert found.axes == axes


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            ("GatherElements-6", "9,4", "3,4", "2,4", 0),
            "output dim 0 is 9, but indices dim 0 is 2: data [3,4], indices [2,4], axis 0",
        ),
        (
            ("GatherElements-6", "2,9", "3,4", "2,4", 0),
            "output dim 1 is 9, but data dim 1 is 4: data [3,4], indices [2,4], axis 0",
        ),
        (
            ("Gather-8", "2,3", "3,4", "2,4", 0),
            "the output is [2,3], but the inputs make it [2,4,4]: data [3,4], indices [2,4], axis 0",
        ),
        (
            ("Gather-8", "2,3,128", "9,128,128", "2", None),
            "no axis makes the output [2,3,128]: data [9,128,128], indices [2], axis not known",
        ),
        (
            ("Gather-8", "7", "3,4,5", None, 0),
            "no indices can make the output [7]: data [3,4,5], indices [...], axis 0",
        ),
        (
            ("Gather-8", "7", None, "2,3,4", 0),
            "no data can make the output [7]: data [...], indices [2,3,4], axis 0",
        ),
        (("GatherElements-6", "2,9", "3,4", "2,4", 7), "axis 7 is out of range"),
        (
            ("GatherND-5", "7,5", "2,?,4", "?,?,5,1", None, 2),
            "output dim 0 is 7, but the product of the batch dims is ?",
        ),
    ],
)
def test_what_cannot_be(call: tuple[object, ...], message: str) -> None:
    with pytest.raises(ovgather.ShapeInferenceError) as caught:
        backward(*call)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_reasons() -> None:
    assert backward("Gather-8", "2,3,128", "2,?,128", None, 1, 1).reasons == (
        "data dim 0 = 2: output dim 0",
        "data dim 1 = ?: the output does not tell",
        "data dim 2 = 128: output dim 2",
        "indices dim 0 = 2: output dim 0",
        "indices dim 1 = 3: output dim 1",
    )
    reasons = backward("GatherND-5", "6,7", "2,3,9", "2,3,7,1", None, 2).reasons
    assert reasons[1] == "data dim 1 = 3: output dim 0 is a product with it"


def test_large_ranks_are_left_alone() -> None:
    found = backward("Gather-8", [1] * 40, None, "2,3", 0)
    assert (str(found.data), str(found.indices), found.axes) == ("[...]", "[2,3]", None)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_inferred_backward_holds_what_runs(seed: int) -> None:
    rng = Random(seed)
    name, data, indices, axis, batch_dims = random_call(rng)
    operation = OPERATIONS[name]
    exact = [PartialShape.of(data), PartialShape.of(indices)]
    output = operation.infer(exact, axis=axis, batch_dims=batch_dims).shape
    lengths = tuple(dim.length for dim in output)
    partial = [widen(rng, data), widen(rng, indices)]
    for known in {axis, None}:
        found = infer_backward(
            operation, widen(rng, lengths), partial, known, batch_dims
        )
        for shape, given_shape, right in zip(
            (found.data, found.indices), partial, exact, strict=True
        ):
            assert shape & right == right
            assert shape & given_shape == shape
        if axis is not None and found.axes is not None:
            assert axis % len(data) in found.axes


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_the_output_and_one_input_tell_the_other(seed: int) -> None:
    """All dims of the other input are found but those that the output does not show."""
    rng = Random(seed)
    name, data, indices, axis, batch_dims = random_call(rng)
    operation = OPERATIONS[name]
    exact = [PartialShape.of(data), PartialShape.of(indices)]
    output = operation.infer(exact, axis=axis, batch_dims=batch_dims).shape
    unknown = PartialShape.of(None)
    # The output does not tell how long tuples are, nor from which of its dims a negative batch_dims is counted.
    if not name.startswith("GatherND") and batch_dims >= 0:
        assert (
            infer_backward(
                operation, output, [exact[0], unknown], axis, batch_dims
            ).indices
            == exact[1]
        )
    if name == "GatherND-5" and batch_dims > 1:
        return
    found = infer_backward(
        operation, output, [unknown, exact[1]], axis, batch_dims
    ).data
    assert axis is None or batch_dims < 0 or found.rank == len(data)
    shown = {
        source.dim
        for origin in operation.infer(exact, axis=axis, batch_dims=batch_dims).origins
        for source in origin.sources
        if source.argument == "data"
    }
    if found.rank is not None:
        assert [place for place, dim in enumerate(found) if dim.is_static] == sorted(
            shown
        )


def test_the_function() -> None:
    found = ovgather.infer_backward(
        "Gather", ["batch", "seq", 768], [[30522, 768], None], axis=0
    )
    assert found.indices.named == "[batch,seq]"
    assert (
        str(ovgather.infer_backward("GatherElements", [3, 4], axis=0).data) == "[?,4]"
    )
    with pytest.raises(ovgather.InvalidModelError, match="data and indices"):
        ovgather.infer_backward("Gather", [3], [[3]], axis=0)
    with pytest.raises(ovgather.InvalidModelError, match="GatherND-8 has no axis"):
        ovgather.infer_backward("GatherND", [3], axis=0)
