"""Random attributes and shapes of windows, for the tests of convolutions and poolings."""

from __future__ import annotations

import random


def loosened(rng: random.Random, lengths: list[int], chance: float = 0.3) -> str:
    """The text of a shape that has these lengths, some of them as intervals."""
    if rng.random() < 0.05:
        return "..."
    dims = []
    for length in lengths:
        low = max(0, length - rng.randint(0, 3))
        loose = rng.choice(
            [
                "?",
                "?",
                f"{low}..{length + rng.randint(1, 9)}",
                f"..{length + 1}",
                f"{low}..",
            ]
        )
        dims.append(loose if rng.random() < chance else str(length))
    return ",".join(dims)


def random_length(rng: random.Random) -> int:
    return (
        rng.choice([7, 8, 9, 12, 16, 27])
        if rng.random() < 0.95
        else rng.choice([0, 1, 2])
    )


def random_list(rng: random.Random, count: int, numbers: list[int]) -> str:
    """The text of a list of ``count`` numbers; seldom something else."""
    if rng.random() < 0.02:
        return rng.choice(
            [
                "",
                "abc",
                "1",
                "1,1",
                "1,1,1",
                "0,0",
                "-1,1",
                "2,-2",
                "2,,2",
                "9223372036854775808,1",
            ]
        )
    return ",".join(str(rng.choice(numbers)) for _ in range(count))


def window_attributes(rng: random.Random, count: int) -> dict[str, str]:
    attributes = {
        "strides": random_list(rng, count, [1, 1, 2, 2, 3]),
        "dilations": random_list(rng, count, [1, 1, 1, 2, 3]),
        "pads_begin": random_list(rng, count, [0, 0, 1, 2]),
        "pads_end": random_list(rng, count, [0, 0, 1, 3]),
    }
    if rng.random() < 0.6:
        attributes["auto_pad"] = rng.choice(
            ["explicit", "explicit", "valid", "same_upper", "same_lower", "SAME_UPPER"]
        )
    for name in list(attributes):
        if rng.random() < 0.05:
            del attributes[name]
    if rng.random() < 0.03:
        attributes["auto_pad"] = rng.choice(["", "abc", "notset"])
    return attributes


def random_type(rng: random.Random) -> list[str]:
    types = [rng.choice(["f32", "f32", "f32", "f16", "i8", "dynamic"])] * 4
    if rng.random() < 0.05:
        types = [rng.choice(["boolean", "string", "f64"])] * 4
    if rng.random() < 0.05:
        types[rng.randrange(2)] = rng.choice(["f16", "dynamic", "u1"])
    return types
