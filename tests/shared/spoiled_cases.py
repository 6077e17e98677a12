"""A case of which one thing is spoilt: an input's shape or type, the number of inputs, an attribute."""

from __future__ import annotations

import random
from collections.abc import Sequence

from declared_oracle import Case, Operand, near, random_shape

TYPES = ("f32", "f16", "i64", "i32", "u8", "boolean", "dynamic")
TEXTS = ("", "abc", "-1", "0", "1", "2", "7", "-9", "i32", "f16")


def spoiled(
    rng: random.Random, case: Case, share: float = 0.3, kept: Sequence[str] = ()
) -> Case:
    """``case``, of which one thing is spoilt in a ``share`` of the cases; attributes in ``kept`` stay as they are."""
    if rng.random() >= share:
        return case
    way = rng.choice(
        [
            "shape",
            "shape",
            "near",
            "type",
            "type",
            "unknown",
            "count",
            "attribute",
            "absent",
        ]
    )
    if way in ("attribute", "absent"):
        return _with_attribute(rng, case, way == "absent", kept)
    inputs = list(case.inputs)
    if way == "count":
        if rng.random() < 0.5 and inputs:
            inputs.pop()
        else:
            inputs.append(Operand("1", "i64"))
        return case._replace(inputs=inputs)
    if inputs:
        place = rng.randrange(len(inputs))
        inputs[place] = _spoiled_operand(rng, inputs[place], way)
    return case._replace(inputs=inputs)


def _spoiled_operand(rng: random.Random, operand: Operand, way: str) -> Operand:
    if way == "unknown":
        return Operand(operand.shape, operand.type)
    if way == "type":
        return Operand(operand.shape, rng.choice(TYPES))
    if way == "near":
        return Operand(near(rng, operand.shape), operand.type)
    return Operand(random_shape(rng, dynamic=0.2), operand.type)


def _with_attribute(
    rng: random.Random, case: Case, is_absent: bool, kept: Sequence[str]
) -> Case:
    names = [name for name in case.attributes if name not in kept]
    if not names:
        return case
    name = rng.choice(names)
    attributes = {key: text for key, text in case.attributes.items() if key != name}
    if not is_absent:
        attributes[name] = rng.choice(TEXTS)
    return case._replace(attributes=attributes)


def opened(
    rng: random.Random,
    lengths: Sequence[int],
    share: float = 0.25,
    half_open: bool = True,
) -> str:
    """The text of a shape to which ``lengths`` belong, some of them open."""
    if rng.random() < 0.04:
        return "..."
    return ",".join(
        _opened(rng, length, half_open) if rng.random() < share else str(length)
        for length in lengths
    )


def _opened(rng: random.Random, length: int, half_open: bool) -> str:
    low = max(0, length - rng.randint(0, 2))
    choices = [
        "?",
        "?",
        f"{low}..{length + rng.randint(1, 3)}",
        f"..{length + rng.randint(0, 1)}",
    ]
    return rng.choice([*choices, f"{low}.."] if half_open else choices)
