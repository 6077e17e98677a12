"""Models beside themselves without further outputs: what is a fault of a fusion, and what is none."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from crosscheck_models import requires_openvino
from fresh_models import words_and_kinds
from paths import SHARED

from ovgather import crosscheck
from ovgather.comparison.graphs.random_graph import random_graph
from ovgather.layers.formats import read

pytestmark = requires_openvino


def records(seed: int, number: int) -> list[Any]:
    text, weights, _ = random_graph(seed, number)
    return list(crosscheck(read(text, weights), mode="in-place", seed=seed).records)


@pytest.mark.slow
def test_a_fusion_may_round_where_the_file_computes_in_f16() -> None:
    found = records(41, 27)
    assert {each.verdict for each in found} <= {"equal", "known", "skipped"}, found


@pytest.mark.slow
def test_rows_of_a_compressed_table_that_are_left_unwritten_are_known() -> None:
    found = {each.cause for each in records(41, 28) if each.verdict == "known"}
    assert "compressed-rows" in found


@pytest.mark.slow
def test_a_fusion_that_adds_in_f16_is_found() -> None:
    start = [sys.executable, str(SHARED / "fresh_openvino.py"), "sum_in_half"]
    found = crosscheck(words_and_kinds(), mode="in-place", start=start).records
    assert {each.cause for each in found} == {"fused"}


@pytest.mark.slow
def test_what_undefined_indices_in_a_body_lead_to_is_left_to_chance() -> None:
    answers = records(20261130, 88)  # GatherND of a branch reads foreign memory
    assert {each.verdict for each in answers} == {"equal", "skipped"}, answers
