"""The operations named CTC beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import Case, Operand, check
from named_shapes import (
    attribute_texts,
    case_of,
    refusal_of,
    shape_texts,
    shapes_of,
    type_names,
)

FLAG = ("true", "false")
SEQUENCE = {
    "merge_repeated": FLAG,
    "classes_index_type": ("i32", "i64", "i64", "f32"),
    "sequence_length_type": ("i32", "i64", "i64", "u8"),
}
LOSS = {
    "preprocess_collapse_repeated": FLAG,
    "ctc_merge_repeated": FLAG,
    "unique": FLAG,
}


def random_case(rng: random.Random) -> Case:
    batch, times, classes = rng.randint(0, 3), rng.randint(0, 5), rng.randint(1, 4)
    type = rng.choice(["CTCGreedyDecoder", "CTCGreedyDecoderSeqLen", "CTCLoss"])
    shapes: list[tuple[int, ...]]
    if type == "CTCGreedyDecoder":
        shapes, names = [(times, batch, classes), (times, batch)], ["f32", "f32"]
        case = Case(
            type,
            rng.choice([1, 8, 16]),
            [],
            attribute_texts(rng, {"ctc_merge_repeated": FLAG}),
        )
    elif type == "CTCGreedyDecoderSeqLen":
        shapes, names = [(batch, times, classes), (batch,)], ["f16", "i32"]
        case = Case(type, rng.choice([6, 16]), [], attribute_texts(rng, SEQUENCE), 2)
        blank: list[tuple[int, ...]] = [(), (1,)]
    else:
        shapes, names = (
            [(batch, times, classes), (batch,), (batch, times), (batch,)],
            ["f32", "i32", "i64", "i32"],
        )
        case = Case(type, rng.choice([4, 16]), [], attribute_texts(rng, LOSS))
        blank = [()]
    if type != "CTCGreedyDecoder" and rng.random() < 0.6:
        shapes, names = [*shapes, rng.choice(blank)], [*names, "i64"]
    if rng.random() < 0.05:
        more = [*shapes, (1,), (1,)], [*names, "i32", "i32"]
        shapes, names = rng.choice([(shapes[:-1], names[:-1]), more])
    pairs = zip(shape_texts(rng, *shapes), type_names(rng, *names), strict=True)
    return case._replace(inputs=[Operand(text, name) for text, name in pairs])


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SHAPES = [
    (case_of("CTCGreedyDecoder", 1, "7,2,5 ?,2"), "[2,7,1,1]"),
    (case_of("CTCGreedyDecoderSeqLen", 6, "2,7,5 2:i32 1:i32", 2), "[2,7] [2]"),
    (case_of("CTCLoss", 4, "?,7,5 2:i32 2,7:i32 2:i32"), "[2]"),
]
REFUSALS = [
    (
        case_of("CTCGreedyDecoder", 1, "7,2,5 7,3"),
        "the batch size is 2, dim 1 of sequence_mask is 3",
    ),
    (
        case_of("CTCGreedyDecoder", 1, "7,2,5 7,2", kind="i32"),
        "logits must be bf16, f16, f32 or f64 for the CPU plugin",
    ),
    (
        case_of("CTCGreedyDecoderSeqLen", 6, "2,7,5 2:i32 3:i32", 2),
        "dim 0 of blank_index is 3, but must be 1",
    ),
    (
        case_of("CTCLoss", 4, "2,7,5 2:i32 2,8:i32 2:i32"),
        "dim 1 of logits is 7, dim 1 of labels is 8",
    ),
    (
        case_of("CTCLoss", 4, "2,7,5 2:f32 2,7:i32 2:i32"),
        "logit_length must be of an integer type, not f32",
    ),
]


@pytest.mark.parametrize(("case", "shapes"), SHAPES)
def test_shapes(case: Case, shapes: str) -> None:
    assert shapes_of(case) == shapes


@pytest.mark.parametrize(("case", "message"), REFUSALS)
def test_refusals(case: Case, message: str) -> None:
    assert refusal_of(case).startswith(message)
