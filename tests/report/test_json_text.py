"""JSON as text: the same as that of the standard library, without circles of functions."""

from __future__ import annotations

import gc
import json
from typing import Any

import pytest

from ovgather.report.json_text import Members, by_line, stream

VALUES: list[Any] = [
    {},
    [],
    {"a": []},
    [{}, [[1, 2.5, None, True]], "é\n"],
    {"a": {"b": {"c": ["x", {"d": -1e-7}]}}, "e": '"\\'},
]


@pytest.mark.parametrize("value", VALUES)
def test_it_is_that_of_the_standard_library(value: Any) -> None:
    assert "".join(stream(value)) == json.dumps(value, indent=2, ensure_ascii=False)


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        list(stream({"a": [float("nan")]}))


@pytest.mark.slow
def test_it_leaves_nothing_for_the_collector() -> None:
    gc.collect()
    before = gc.isenabled()
    gc.disable()
    try:
        for value in VALUES * 10:
            list(stream(value))
        assert gc.collect() == 0
    finally:
        if before:
            gc.enable()


def test_lines() -> None:
    document = Members(
        version=1, files=iter([{"a": 1}, {"b": "\x7f"}]), summary=lambda: {"n": 2}
    )
    assert list(by_line(document)) == [
        '{"a": 1}\n',
        '{"b": "\\u007f"}\n',
        '{"version": 1, "summary": {"n": 2}}\n',
    ]
