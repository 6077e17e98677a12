"""Cases by their shapes, and random shapes and attributes around valid ones: some have one thing wrong."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from declared_oracle import Case, Operand, infer, write

ODD_TEXTS = (
    "",
    "abc",
    "-1",
    "0",
    "7.9",
    "-3",
    "nan",
    "99999999999",
    "9223372036854775808",
)
TYPES = ("f32", "f16", "f64", "bf16", "i32", "i64", "u8", "boolean", "dynamic")


def case_of(
    type: str,
    opset: int,
    shapes: str,
    outputs: int = 1,
    kind: str = "f32",
    **attributes: str,
) -> Case:
    """A layer with Parameters of these shapes, set apart by blanks; ``=5`` is a scalar Const."""
    operands = []
    for text in shapes.split():
        if text.startswith("="):
            values = [int(value) for value in text[1:].split(",")]
            operands.append(
                Operand("" if len(values) == 1 else str(len(values)), "i64", values)
            )
        else:
            shape, _, own_kind = text.partition(":")
            operands.append(
                Operand("" if shape == "scalar" else shape, own_kind or kind)
            )
    return Case(type, opset, operands, attributes, outputs)


def shapes_of(case: Case) -> str:
    """The shapes of the outputs as they are inferred."""
    return " ".join(shape for shape, _ in infer(*write(case))["outputs"])


def refusal_of(case: Case) -> str:
    """Why a case is refused."""
    error: str = infer(*write(case))["error"]
    return error


def shape_texts(
    rng: random.Random, *shapes: Sequence[int], wrong: float = 0.2
) -> list[str]:
    """The texts of shapes with some dims and ranks left open; in ``wrong`` of the cases one is another."""
    openness = rng.choice([0.0, 0.0, 0.15, 0.5])
    open_ranks = rng.choice([0.0, 0.0, 0.1, 0.3])
    spoilt = rng.randrange(len(shapes)) if rng.random() < wrong else -1
    texts = []
    for place, shape in enumerate(shapes):
        lengths = _spoilt(rng, shape) if place == spoilt else list(shape)
        dims = [_dim_text(rng, max(0, length), openness) for length in lengths]
        texts.append("..." if rng.random() < open_ranks else ",".join(dims))
    return texts


def _spoilt(rng: random.Random, shape: Sequence[int]) -> list[int]:
    lengths = list(shape)
    place = rng.randrange(len(lengths)) if lengths else 0
    if not lengths or rng.random() < 0.15:
        lengths.insert(place, rng.randint(1, 3))
    elif rng.random() < 0.15:
        lengths.pop(place)
    else:
        length = lengths[place]
        lengths[place] = rng.choice([0, 1, length + 1, length - 1, length * 2])
    return lengths


def _dim_text(rng: random.Random, length: int, openness: float) -> str:
    if rng.random() >= openness:
        return str(length)
    low, high = rng.randint(0, length), length + rng.randint(0, 4)
    return rng.choice(
        ["?", "?", f"{low}..{max(high, low + 1)}", f"..{max(high, 1)}", f"{low}.."]
    )


def type_names(rng: random.Random, *types: str, wrong: float = 0.1) -> list[str]:
    """The element types of inputs; in ``wrong`` of the cases one or all are others."""
    names = list(types)
    if names and rng.random() < wrong:
        names[rng.randrange(len(names))] = rng.choice(TYPES)
    if names and rng.random() < wrong / 2:
        first, other = names[0], rng.choice(TYPES)
        names = [other if name == first else name for name in names]
    return names


def attribute_texts(
    rng: random.Random,
    choices: Mapping[str, Sequence[str]],
    needed: Sequence[str] = (),
    wrong: float = 0.1,
) -> dict[str, str]:
    """Some of the attributes, all ``needed`` ones; in ``wrong`` of the cases one is odd or absent."""
    names = [name for name in choices if name in needed or rng.random() < 0.6]
    texts = {name: rng.choice(list(choices[name])) for name in names}
    if texts and rng.random() < wrong:
        name = rng.choice(list(texts))
        if rng.random() < 0.2:
            del texts[name]
        else:
            texts[name] = rng.choice(ODD_TEXTS)
    return texts
