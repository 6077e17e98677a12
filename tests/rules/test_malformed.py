"""What OpenVINO makes of 257 files, most of them malformed (``tests/data/malformed.json.gz``), against our findings."""

from __future__ import annotations

import ast
import gzip
import json
import os
from typing import Any

import pytest

from ovgather.validate import validate

DATA = os.path.join(os.path.dirname(__file__), os.pardir, "data", "malformed.json.gz")
with gzip.open(DATA, "rt", encoding="utf-8") as file:
    CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in json.load(file)}

# Read as another shape, which then does not fit the indices: the finding speaks of the shape alone.
FOLLOWS = {"psh_neg2", "psh_over"}


def text_of(case: dict[str, Any]) -> bytes:
    xml: str = case["xml"]
    if xml.startswith("bytes:b"):
        literal: bytes = ast.literal_eval(xml.removeprefix("bytes:"))
        return literal
    return xml.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("name", CASES)
def test_malformed(name: str) -> None:
    case = CASES[name]
    errors = [found for found in validate(text_of(case), bytes.fromhex(case["bin_hex"])) if found.severity == "error"]
    if case["well_formed"] is True:
        assert [str(found) for found in errors] == []
    elif case["well_formed"] is False and case["openvino"] == "rejects on reading":
        assert errors
        assert name in FOLLOWS or {found.openvino for found in errors} & {"rejects", "undefined"}


def test_there_are_enough_of_each_kind() -> None:
    kinds = [(case["well_formed"], case["openvino"]) for case in CASES.values()]
    assert kinds.count((False, "rejects on reading")) == 113
    assert kinds.count((True, "accepts")) == 54
