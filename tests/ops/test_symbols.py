"""Symbols of dims through shape inference: names that meet become one, and what a shape relies on is said."""

from __future__ import annotations

import pickle
import re
from random import Random
from typing import NamedTuple

import pytest
from calls import OPERATIONS, random_call
from hypothesis import given, settings
from hypothesis import strategies as st

from ovgather.errors import ShapeInferenceError
from ovgather.ops.call import DimOrigin, DimSource
from ovgather.ops.inference import Inference
from ovgather.tensor.shape import Dimension, PartialShape


def infer(
    name: str,
    data: object,
    indices: object,
    axis: int | None = None,
    batch_dims: int = 0,
) -> Inference:
    shapes = [PartialShape.of(data), PartialShape.of(indices)]
    return OPERATIONS[name].infer(shapes, axis=axis, batch_dims=batch_dims)


@pytest.mark.parametrize(
    ("call", "output", "equalities", "constraints"),
    [
        (("Gather-8", "vocab,768", "batch,seq", 0), "[batch,seq,768]", [], []),
        (
            ("Gather-8", "batch,64,d", "n,seq:5..9", 1, 1),
            "[batch,seq:5..9,d]",
            ["batch == n"],
            [],
        ),
        (
            ("Gather-8", "batch,64,d", "4,seq", 1, 1),
            "[batch:4,seq,d]",
            [],
            ["batch == 4"],
        ),
        (
            ("Gather-8", "batch,64", "?,seq", 1, 1),
            "[batch,seq]",
            [],
            ["batch == indices dim 0"],
        ),
        (
            ("Gather-8", "?,64", "n:2..5,seq", 1, 1),
            "[n:2..5,seq]",
            [],
            ["data dim 0 == n"],
        ),
        (("Gather-8", "?,64", "3,seq", 1, 1), "[3,seq]", [], ["data dim 0 == 3"]),
        (("Gather-8", "n,64", "n,seq", 1, 1), "[n,seq]", [], []),
        (("Gather-8", "n,m", "n,seq", None, 1), "[n,?]", [], []),
        (("Gather-8", "n,4", "n:2..3,5", 0), "[n:2..3,5,4]", [], []),
        (
            ("Gather-8", "a,a,x", "b,7,a", 2, 2),
            "[a:7,a:7,a:7]",
            ["a == b"],
            ["a == 7", "b == 7"],
        ),
        (
            ("GatherElements-6", "batch,?,1..7", "n,k,5..10", 1),
            "[batch,k,5..7]",
            ["batch == n"],
            ["data dim 2 == indices dim 2", "5 <= data dim 2 <= 7"],
        ),
        (
            ("GatherElements-6", "seq,?", "5..9,k", 1),
            "[seq:5..9,k]",
            [],
            ["5 <= seq <= 9", "seq == indices dim 0"],
        ),
        (
            ("GatherElements-6", "seq,?", "5..,k", 1),
            "[seq:5..,k]",
            [],
            ["5 <= seq", "seq == indices dim 0"],
        ),
        (
            ("GatherElements-6", "seq,?", "..9,k", -1),
            "[seq:..9,k]",
            [],
            ["seq <= 9", "seq == indices dim 0"],
        ),
        (
            ("GatherElements-6", "a:2..6,?", "b:5..9,k", 1),
            "[a:5..6,k]",
            ["a == b"],
            ["5 <= a <= 6", "5 <= b <= 6"],
        ),
        (
            ("GatherElements-6", "a,b,3", "b,c,3", 2),
            "[a,a,3]",
            ["a == b", "b == c"],
            [],
        ),
        (("GatherElements-6", None, "n,k", 1), "[n,k]", [], ["rank(data) == 2"]),
        (("GatherElements-6", "n,k", None, 1), "[n,?]", [], ["rank(indices) == 2"]),
        (("GatherElements-6", "n,k", "m,k"), "[m,k]", [], []),
        (
            ("GatherND-8", "batch,5,d", "n,k,1", None, 1),
            "[batch,k,d]",
            ["batch == n"],
            [],
        ),
        (
            ("GatherND-5", "a,2..3,x", "b,2,k,1", None, 2),
            "[?,k]",
            ["a == b"],
            ["data dim 1 == 2"],
        ),
        (
            ("GatherND-5", "a,a,x", "2,b,k,1", None, 2),
            "[4,k]",
            ["a == b"],
            ["a == 2", "b == 2"],
        ),
        (("GatherND-8", "a,b", "n,?"), "[...]", [], []),
    ],
)
def test_symbols(
    call: tuple[object, ...], output: str, equalities: list[str], constraints: list[str]
) -> None:
    made = infer(*call)  # type: ignore[arg-type]
    assert made.shape.named == output
    assert [*made.equalities] == equalities
    assert [*made.constraints] == constraints


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            ("Gather-8", "a,a,x", "5,7", 2, 2),
            "a is 5 by indices dim 0, but 7 by indices dim 1: data [a,a,x], indices [5,7], axis 2, batch_dims 2",
        ),
        (
            ("GatherElements-6", "n:3,2", "?,n:4", 1),
            "n is 3 by data dim 0, but 4 by indices dim 1: data [n:3,2], indices [?,n:4], axis 1",
        ),
        (
            ("GatherElements-6", "a:2..3,a,2", "b,b:5..,2", 2),
            "dim 1 is a in data but b:5.. in indices",
        ),
    ],
)
def test_contradictions_that_no_single_dim_shows(
    call: tuple[object, ...], message: str
) -> None:
    with pytest.raises(ShapeInferenceError) as caught:
        infer(*call)  # type: ignore[arg-type]
    assert caught.value.kind == "dims_mismatch"
    if not message.startswith("dim"):
        assert str(caught.value) == message


def test_origins_are_the_reasons_as_data() -> None:
    made = infer("Gather-8", "batch,64,d", "n,seq", 1, 1)
    assert made.origins == (
        DimOrigin(
            "merge", (DimSource("data", 0), DimSource("indices", 0)), "batch dim"
        ),
        DimOrigin("copy", (DimSource("indices", 1),), "the axis"),
        DimOrigin("copy", (DimSource("data", 2),)),
    )
    assert made.reasons == (
        "dim 0 = batch: batch dim, data dim 0 ∩ indices dim 0",
        "dim 1 = seq: indices dim 1 (the axis)",
        "dim 2 = d: data dim 2",
    )
    joined = infer("GatherND-5", "2,3,9", "2,3,1", None, 2).origins[0]
    assert (joined.kind, [str(source) for source in joined.sources]) == (
        "product",
        ["data dim 0", "indices dim 0", "data dim 1", "indices dim 1"],
    )
    assert infer("Gather-8", None, "3", 0).origins == ()
    assert [origin.kind for origin in infer("Gather-8", "3,4", "3").origins] == [
        "unknown",
        "unknown",
    ]


# -- what it relies on is enough, and no more ----------------------------------------------------------------------


class Example(NamedTuple):
    """A right call with names for some dims, and lengths that may break it."""

    name: str
    shapes: list[PartialShape]
    axis: int | None
    batch_dims: int
    lengths: list[list[int]]


def example(rng: Random) -> Example:
    name, *right, axis, batch_dims = random_call(rng)
    names: dict[str, int] = {}
    shapes, others = [], []
    lengths = {letter: rng.randint(0, 3) for letter in "abcdef"}
    for place, shape in enumerate(right):
        dims, other = [], []
        for position, length in enumerate(shape):  # type: ignore[arg-type]
            tuple_length = (
                name.startswith("GatherND")
                and place == 1
                and position == len(shape) - 1
            )  # type: ignore[arg-type]
            letter = rng.choice("abcdef")
            low, high = (
                rng.randint(0, length),
                rng.choice([None, length + rng.randint(0, 2)]),
            )
            if tuple_length or rng.random() < 0.2:
                low = high = length
            fits = names.setdefault(letter, length) == length and not tuple_length
            symbol = letter if fits and rng.random() < 0.6 else None
            dims.append(Dimension(low, high, symbol=symbol))
            other.append(
                length
                if low == high
                else lengths[letter]
                if symbol
                else rng.randint(0, 3)
            )
        shapes.append(PartialShape.of(dims))
        others.append(other)
    return Example(name, shapes, axis, batch_dims, others)


def holds(text: str, lengths: dict[str, int]) -> bool:
    """Whether ``text`` is true when every name and every dim has its length."""
    plain = re.sub(r"(data|indices) dim (\d+)", r"\1_\2", text)
    return bool(eval(plain, {"__builtins__": {}}, lengths))


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32))
def test_what_a_shape_relies_on_is_what_must_hold(seed: int) -> None:
    given_call = example(Random(seed))
    operation = OPERATIONS[given_call.name]
    options = {"axis": given_call.axis, "batch_dims": given_call.batch_dims}
    made = operation.infer(given_call.shapes, **options)
    known: dict[str, int] = {}
    for argument, shape, lengths in zip(
        ("data", "indices"), given_call.shapes, given_call.lengths, strict=True
    ):
        for place, (dim, length) in enumerate(zip(shape, lengths, strict=True)):
            if not dim.compatible(Dimension(length)) or (
                dim.symbol and known.get(dim.symbol, length) != length
            ):
                return  # not what the shapes say
            known[f"{argument}_{place}"] = length
            if dim.symbol:
                known[dim.symbol] = length
    static = [PartialShape.of(lengths) for lengths in given_call.lengths]
    relied = [*made.equalities, *made.constraints]
    assert all(holds(text, known) for text in relied) == (
        not operation.check(static, **options)
    ), relied
    if all(holds(text, known) for text in relied):
        exact = operation.infer(static, **options).shape
        for dim, length in zip(made.shape, exact, strict=True):
            assert dim.compatible(length)
            assert dim.symbol is None or known[dim.symbol] == length.length


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(st.integers(0, 2**32))
def test_symbols_change_no_interval_that_they_need_not(seed: int) -> None:
    """Without its symbols a call gives the same intervals, or wider ones."""
    given_call = example(Random(seed))
    operation = OPERATIONS[given_call.name]
    options = {"axis": given_call.axis, "batch_dims": given_call.batch_dims}
    plain = [
        PartialShape.of([Dimension(dim.min, dim.max) for dim in shape])
        for shape in given_call.shapes
    ]
    named, unnamed = (
        operation.infer(given_call.shapes, **options).shape,
        operation.infer(plain, **options).shape,
    )
    assert named & unnamed == named
    if (
        len({dim.symbol for shape in given_call.shapes for dim in shape if dim.symbol})
        < 2
    ):
        once = [
            dim.symbol for shape in given_call.shapes for dim in shape if dim.symbol
        ]
        assert len(once) > 1 or named == unnamed


@pytest.mark.parametrize(
    "call",
    [
        ("Gather-8", "batch,64,d", "n,seq:5..9", 1, 1),
        ("Gather-8", "...", "4"),
        ("GatherElements-6", "...", "3"),
    ],
)
def test_an_inference_reaches_another_process_with_its_reasons(
    call: tuple[str, str, str, int, int],
) -> None:
    inference = infer(*call) if len(call) == 5 else infer(*call, axis=0)
    copy = pickle.loads(pickle.dumps(inference))
    for name in ("shape", "reasons", "equalities", "constraints"):
        assert getattr(copy, name) == getattr(inference, name)
