"""Repairs of several layers together, and the edits of a repair."""

from __future__ import annotations

from contradictions import diagnosed
from small_models import EMPTY

from ovgather.ir.text import Edit
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of, joint


def of_layer(start: int) -> Hypothesis:
    many = "axis of {count} layers is wrong"
    return Hypothesis(
        "axis is 0",
        None,
        None,
        (Edit(start, 1, b"1", ""),),
        "axis is 1",
        1.0,
        many=many,
    )


def test_several_repairs_are_one() -> None:
    one = joint([of_layer(start) for start in (3, 5, 9)])
    assert (one.message, one.what, one.reach, one.price) == (
        "axis of 3 layers is wrong",
        "axis is 1, and so on for 2 more",
        3,
        1.5,
    )
    assert [edit.start for edit in one.edits] == [3, 5, 9]
    assert one.many == ""


def test_an_edit_that_several_share_is_made_once() -> None:
    assert [
        edit.start for edit in joint([of_layer(3), of_layer(3), of_layer(5)]).edits
    ] == [3, 5]


def test_edits_of_text_and_of_bytes() -> None:
    source = diagnosed(EMPTY).source
    first, second = edits_of(source, [((0, 1), "<"), ((3, 4), b"t")])
    assert (first.start, first.inserted, second.inserted) == (0, b"<", b"t")
