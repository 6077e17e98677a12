"""The wording of OVG105, with severity, verdict and help."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from openvino_verdicts import requires_openvino, verdicts
from rule_messages import messages_of
from small_models import gather_8, i64

CASES = [
    (
        gather_8(attributes='batch_dims="2"', data="2,3,4", indices="2,3"),
        i64(1),
        [
            (
                "error, rejects: batch_dims 2 must not be above axis, which is 1: data [2,3,4], indices [2,3], axis "
                "1, batch_dims 2"
            )
        ],
    ),
    (
        gather_8(attributes='batch_dims="-3"', data="...", indices="2,3").replace(
            "<dim>...</dim>", ""
        ),
        i64(1),
        [
            (
                "error, accepts: batch_dims -3 is below -rank(indices), which is -2: data [...], indices [2,3], "
                "axis 1, batch_dims -3"
            )
        ],
    ),
    (
        gather_8(attributes='batch_dims="-3"'),
        i64(0),
        [
            (
                "error, rejects_on_compile: batch_dims -3 is below -rank(indices), which is -2: data [5,4], indices "
                "[2,3], axis 0, batch_dims -3"
            )
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG105", text, weights) == messages


@requires_openvino
def test_the_cpu_counts_from_the_end_twice(tmp_path: Path) -> None:
    """Of a value that is still negative: a layer compiles if the result is not above the axis."""
    expected = {}
    for indices, axis, below in product(("2", "2,3", "2,3,4"), (0, 1, -1), (1, 2)):
        batch = -len(indices.split(",")) - below
        text = gather_8(indices, attributes=f'batch_dims="{batch}"')
        path = tmp_path / f"{len(expected)}.xml"
        path.write_text(text)
        path.with_suffix(".bin").write_bytes(i64(axis))
        (message,) = messages_of("OVG105", text, i64(axis))
        expected[str(path)] = message.split(":")[0].split()[1]
    stages = {"read": "rejects", "compile": "rejects_on_compile", "": "accepts"}
    judged = verdicts([*expected], last="compile")
    assert {path: stages[each.stage] for path, each in judged.items()} == expected
