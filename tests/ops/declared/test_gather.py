"""The Gather family beside OpenVINO."""

from __future__ import annotations

import random
from typing import Any

import pytest
from declared_oracle import (
    Case,
    Operand,
    check,
    infer,
    integers,
    near,
    random_dim,
    random_shape,
    scalar,
    write,
)

KINDS = ["f32", "f32", "i64", "boolean", "f16", "i8", "dynamic"]
INDEX_KINDS = ["i64", "i64", "i32", "i32", "i64", "u8"]
ODD_KINDS = ["f32", "boolean", "dynamic", "i4", "string"]


def _dims(shape: str) -> list[str]:
    return [] if shape in ("", "...") else shape.split(",")


def _kind(rng: random.Random) -> str:
    return rng.choice(INDEX_KINDS if rng.random() < 0.93 else ODD_KINDS)


def _joined(dims: list[str], rng: random.Random) -> str:
    return "..." if rng.random() < 0.04 else ",".join(dims)


def _random_gather(rng: random.Random) -> Case:
    opset = rng.choice([1, 6, 7, 7, 8, 8, 13, 16])
    data = random_shape(rng, rng.choice([1, 2, 3, 3, 4]))
    rank = len(_dims(data)) or rng.randint(1, 3)
    axis = rng.randrange(rank)
    batch = rng.randint(0, axis) if rng.random() < 0.6 else 0
    indices = _dims(data)[:batch] + [
        random_dim(rng) for _ in range(rng.choice([0, 1, 1, 2]))
    ]
    if rng.random() < 0.1:
        indices = _dims(near(rng, ",".join(indices)))
    if rng.random() < 0.3 and batch < len(indices):
        batch -= len(indices)
    if rng.random() < 0.05:
        batch = rng.randint(-len(indices), 5)
    axis = axis - rank if rng.random() < 0.3 else axis
    axis = axis if rng.random() < 0.95 else rng.randint(-rank - 2, rank + 1)
    place = scalar(
        axis, rng.choice(["i64", "i32", "f32"] if opset < 7 else ["i64", "i32"])
    )
    if rng.random() < 0.4:
        place = integers(axis)
    if rng.random() < 0.1:
        place = Operand(rng.choice(["", "", "1", "?", "...", "2", "1,1"]), _kind(rng))
    kind = rng.choice([*KINDS, "string"])
    operands = [Operand(data, kind), Operand(_joined(indices, rng), _kind(rng)), place]
    if rng.random() < 0.02:
        operands = rng.choice([operands[:2], [*operands, place]])
    attributes = {} if batch == 0 and rng.random() < 0.7 else {"batch_dims": str(batch)}
    return Case("Gather", opset, operands, attributes)


def _random_elements(rng: random.Random) -> Case:
    data = random_shape(rng, rng.choice([1, 2, 3, 3, 4]))
    dims = _dims(data)
    rank = len(dims) or 2
    axis = (
        rng.randint(-rank, rank - 1)
        if rng.random() < 0.95
        else rng.randint(-rank - 2, rank + 1)
    )
    indices = _dims(near(rng, ",".join(dims))) if rng.random() < 0.3 else list(dims)
    if indices and -len(indices) <= axis < len(indices):
        indices[axis] = random_dim(rng)
    attributes = {"axis": str(axis)}
    if rng.random() < 0.05:
        attributes = rng.choice([{}, {"axis": ""}, {"axis": "abc"}, {"axis": "1.9"}])
    operands = [
        Operand(data, rng.choice(KINDS)),
        Operand(_joined(indices, rng), _kind(rng)),
    ]
    if rng.random() < 0.02:
        operands = rng.choice([operands[:1], [*operands, scalar(0)]])
    return Case("GatherElements", rng.choice([6, 8, 16]), operands, attributes)


def _random_tuples(rng: random.Random) -> Case:
    data = random_shape(rng, rng.choice([1, 2, 3, 3, 4]))
    dims = _dims(data)
    batch = rng.randint(0, max(len(dims) - 1, 0)) if rng.random() < 0.7 else 0
    indices = dims[:batch] + [random_dim(rng) for _ in range(rng.choice([0, 1, 2]))]
    if rng.random() < 0.1:
        indices = _dims(near(rng, ",".join(indices)))
    most = max(len(dims) - batch, 0)
    indices.append(
        str(rng.randint(0, most)) if rng.random() < 0.85 else random_dim(rng)
    )
    if rng.random() < 0.05:
        batch = rng.randint(-1, 5)
    attributes = {} if batch == 0 and rng.random() < 0.7 else {"batch_dims": str(batch)}
    operands = [
        Operand(data, rng.choice(KINDS)),
        Operand(_joined(indices, rng), _kind(rng)),
    ]
    if rng.random() < 0.02:
        operands = rng.choice([operands[:1], [*operands, scalar(0)]])
    return Case("GatherND", rng.choice([5, 6, 7, 8, 16]), operands, attributes)


def _random_tree(rng: random.Random) -> Case:
    steps = random_shape(rng, 3)
    dims = _dims(steps)
    lengths = dims[1] if len(dims) > 1 and rng.random() < 0.9 else random_dim(rng)
    kind = rng.choice(["i32", "f32", "i64", "f16", "dynamic", "boolean"])
    shapes = [steps, near(rng, steps) if rng.random() < 0.3 else steps, lengths, ""]
    if rng.random() < 0.15:
        shapes[rng.randrange(4)] = random_shape(rng)
    operands = [
        Operand(shape, kind if rng.random() < 0.97 else "i32") for shape in shapes
    ]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:3], [*operands, operands[3]]])
    return Case("GatherTree", rng.choice([1, 8, 16]), operands)


def _random_value(rng: random.Random) -> Case:
    """Elements that pass through a layer on their way to a shape."""
    values = [rng.randint(0, 5) for _ in range(rng.randint(1, 4))]
    count = rng.randint(1, 3)
    indices = [rng.randrange(len(values)) for _ in range(count)]
    kind = rng.random()
    if kind < 0.5:
        opset = rng.choice([1, 7, 8])
        if opset == 8:
            indices = [rng.randint(-len(values), len(values)) for _ in indices]
        return Case(
            "Gather",
            opset,
            [integers(*values), integers(*indices), scalar(0)],
            probe=True,
        )
    if kind < 0.75:
        return Case(
            "GatherElements",
            6,
            [integers(*values), integers(*indices)],
            {"axis": "0"},
            probe=True,
        )
    return Case(
        "GatherND",
        8,
        [integers(*values), Operand(f"{count},1", "i64", indices)],
        probe=True,
    )


def random_case(rng: random.Random) -> Case:
    kinds = [
        _random_gather,
        _random_gather,
        _random_elements,
        _random_tuples,
        _random_tree,
        _random_value,
    ]
    return rng.choice(kinds)(rng)


def _infer(
    type: str, opset: int, *operands: Operand, probe: bool = False, **attributes: str
) -> dict[str, Any]:
    return infer(*write(Case(type, opset, operands, attributes, probe=probe)))


@pytest.mark.parametrize(
    ("opset", "data", "indices", "axis", "batch", "output"),
    [
        (1, "2,3,4", "5,?", scalar(1), "1", "[2,5,?,4]"),  # Gather-1 has no batch_dims
        (7, "2,3,4", "2..4,5", integers(-1), "1", "[2,3,5]"),
        (8, "2,3,4", "2,5", scalar(1), "-1", "[2,5,4]"),
        (8, "2,3,4", "2,5", Operand("", "i64"), "1", "[2,?,?]"),
        (8, "...", "2,5", scalar(1), "0", "[...]"),
        (8, "", "2", Operand("", "i64"), "0", "[...]"),  # the core's own shape is wrong
        (8, "2,3,4", "2,5", scalar(2), "-3", "[...]"),
    ],
)
def test_gather(
    opset: int, data: str, indices: str, axis: Operand, batch: str, output: str
) -> None:
    operands = [Operand(data), Operand(indices, "i64"), axis]
    assert _infer("Gather", opset, *operands, batch_dims=batch)["outputs"] == [
        [output, "f32"]
    ]


@pytest.mark.parametrize(
    ("type", "data", "indices", "attributes", "output"),
    [
        ("GatherElements", "2,1..7,3", "2,5..9,?", {"axis": "2"}, "[2,5..7,?]"),
        ("GatherElements", "...", "2,3", {"axis": "9"}, "[2,3]"),
        ("GatherND", "2,3,4", "2,5,1", {"batch_dims": "1"}, "[2,5,4]"),
        ("GatherND", "2,3,4", "3,5,?", {"batch_dims": "1"}, "[...]"),
    ],
)
def test_gather_by_elements_and_tuples(
    type: str, data: str, indices: str, attributes: dict[str, str], output: str
) -> None:
    answer = _infer(type, 8, Operand(data), Operand(indices, "i64"), **attributes)
    assert answer["outputs"] == [[output, "f32"]]


def test_batch_dims_of_version_5_become_one() -> None:
    operands = [Operand("2,3,4"), Operand("2,3,1", "i64")]
    assert _infer("GatherND", 5, *operands, batch_dims="2")["outputs"] == [
        ["[6]", "f32"]
    ]
    assert _infer("GatherND", 8, *operands, batch_dims="2")["outputs"] == [
        ["[2,3]", "f32"]
    ]


def test_gather_tree() -> None:
    operands = [Operand("2,?,4"), Operand("2,?,4"), Operand("5"), Operand("")]
    assert _infer("GatherTree", 1, *operands)["outputs"] == [["[2,5,4]", "f32"]]
    operands[2] = Operand("5,5")
    assert str(_infer("GatherTree", 1, *operands)["error"]).startswith(
        "max_seq_len must be of rank 1, not of rank 2:"
    )


def test_elements() -> None:
    shape = integers(2, 3, 4)
    outputs = _infer("Gather", 8, shape, integers(-1, 0), scalar(0), probe=True)[
        "outputs"
    ]
    assert outputs == [["[2]", "i64"], ["[4,2]", "u8"]]
    answer = _infer("GatherElements", 6, shape, integers(2, 0), probe=True, axis="0")
    # OpenVINO's core does not compute these, and the CPU plugin does not compile what they shape.
    assert answer["stage"] == "compile"
    assert answer["inferred"] == [["[2]", "i64"], ["[?,?]", "u8"]]


@pytest.mark.parametrize(
    ("type", "operands", "attributes", "message"),
    [
        (
            "Gather",
            ["2,3", "4"],
            {"batch_dims": "2"},
            "batch_dims 2 must not be above axis, which is 1",
        ),
        (
            "Gather",
            ["2,3", "3,4"],
            {"batch_dims": "1"},
            "batch dim 0 is 2 in data but 3 in indices",
        ),
        (
            "GatherElements",
            ["2,3", "2,3,4"],
            {"axis": "0"},
            "data and indices must have the same rank, not 2 and 3",
        ),
        (
            "GatherElements",
            ["2,3", "2,3"],
            {"axis": "2"},
            "axis 2 is out of range [-2, 1] for data of rank 2",
        ),
        (
            "GatherND",
            ["2,3", "2,3"],
            {},
            "the last dim of indices is 3, above rank(data) - batch_dims, which is 2",
        ),
    ],
)
def test_refusals(
    type: str, operands: list[str], attributes: dict[str, str], message: str
) -> None:
    inputs = [Operand(operands[0]), Operand(operands[1], "i64"), scalar(1)][
        : 3 if type == "Gather" else 2
    ]
    assert str(_infer(type, 8, *inputs, **attributes)["error"]).startswith(
        f"{message}: data [2,3], indices ["
    )


def test_indices_of_a_wrong_type() -> None:
    error = _infer("GatherElements", 8, Operand("2"), Operand("2", "u8"), axis="0")[
        "error"
    ]
    assert str(error).startswith(
        "indices must be i32 or i64, not u8: data [2], indices [2]"
    )


@pytest.mark.parametrize(
    ("type", "opset", "data", "indices", "message"),
    [
        ("Gather", 1, "f32", "f32", "indices must be of an integer type, not f32"),
        (
            "GatherElements",
            6,
            "string",
            "i64",
            "data is string, the CPU plugin takes none in GatherElements",
        ),
        (
            "GatherND",
            8,
            "string",
            "i64",
            "data is string, the CPU plugin takes none in GatherND",
        ),
    ],
)
def test_what_is_read_and_not_compiled(
    type: str, opset: int, data: str, indices: str, message: str
) -> None:
    inputs = [Operand("2", data), Operand("1", indices), scalar(0)][
        : 3 if type == "Gather" else 2
    ]
    answer = _infer(type, opset, *inputs)
    assert answer["stage"] == "compile"
    assert str(answer["error"]).startswith(f"{message}: data [2], indices [1]")


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)
