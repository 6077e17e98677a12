"""What OpenVINO makes of 257 files, most of them malformed (``tests/data/malformed.json.gz``), against our findings."""

from __future__ import annotations

import ast
import gzip
import json
from typing import Any

import pytest
from paths import DATA

from ovgather.validation.api import validate
from ovgather.validation.diagnostic import Diagnostic

with gzip.open(DATA / "malformed.json.gz", "rt", encoding="utf-8") as file:
    CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in json.load(file)}

# batch_dims 2 and axis -1 fit data of rank 3, and nobody says that data has another one: it is no error. What the CPU
# refuses is the dynamic rank, and the warning says that.
WELL_FORMED_AFTER_ALL = {"g8_bd_gt_axis_dyn"}
# OpenVINO reads the dim 2^63-1 as `?`, as our error says; it is what a run with such a dim makes of it that fails.
READ_ONLY = {"pr_i64max"}


def text_of(case: dict[str, Any]) -> bytes:
    xml: str = case["xml"]
    if xml.startswith("bytes:b"):
        literal: bytes = ast.literal_eval(xml.removeprefix("bytes:"))
        return literal
    return xml.encode("utf-8", "surrogateescape")


def findings(name: str, *severities: str) -> list[Diagnostic]:
    case = CASES[name]
    return [
        found
        for found in validate(text_of(case), bytes.fromhex(case["bin_hex"]))
        if found.severity in severities
    ]


def cases(well_formed: bool | str, *openvino: str) -> list[str]:
    return [
        name
        for name, case in CASES.items()
        if case["well_formed"] == well_formed and case["openvino"] in openvino
    ]


MALFORMED_REFUSED = cases(
    False,
    "rejects on reading",
    "rejects on compiling",
    "rejects on inference",
    "crashes",
)
MALFORMED_ACCEPTED = cases(False, "accepts")
WELL_FORMED = [name for name, case in CASES.items() if case["well_formed"] is True]


@pytest.mark.parametrize("name", MALFORMED_REFUSED)
def test_what_is_malformed_and_openvino_rejects_has_an_error(name: str) -> None:
    assert bool(findings(name, "error")) == (name not in WELL_FORMED_AFTER_ALL)


@pytest.mark.parametrize("name", cases(False, "rejects on reading"))
def test_that_error_says_that_openvino_rejects_it(name: str) -> None:
    assert {found.openvino for found in findings(name, "error")} & {
        "rejects",
        "undefined",
    }


@pytest.mark.parametrize(
    "name", cases(False, "rejects on compiling", "rejects on inference", "crashes")
)
def test_what_fails_after_reading_is_not_said_to_run(name: str) -> None:
    verdicts = {found.openvino for found in findings(name, "error", "warning")}
    assert bool(
        verdicts & {"rejects", "rejects_on_compile", "crashes", "undefined"}
    ) == (name not in READ_ONLY)


@pytest.mark.parametrize("name", cases(False, "rejects on compiling"))
def test_what_fails_on_compiling_is_not_said_to_be_rejected_on_reading(
    name: str,
) -> None:
    assert "rejects" not in {
        found.openvino for found in findings(name, "error", "warning")
    }


@pytest.mark.parametrize("name", MALFORMED_ACCEPTED)
def test_what_is_malformed_and_openvino_accepts_has_a_finding_that_says_so(
    name: str,
) -> None:
    assert {found.openvino for found in findings(name, "error", "warning")} == {
        "accepts"
    }


@pytest.mark.parametrize("name", WELL_FORMED)
def test_what_is_well_formed_has_no_error_and_warnings_of_hazards_and_ports_only(
    name: str,
) -> None:
    # The ports of some cases keep the precision or the dims of the case that they were made from.
    assert [
        str(found) for found in findings(name, "error") if found.code != "OVG203"
    ] == []
    ports = ("OVG7", "OVG203", "OVG205", "OVG206")
    assert [
        str(found)
        for found in findings(name, "warning")
        if not found.code.startswith(ports)
    ] == []


@pytest.mark.parametrize("name", cases(True, "accepts"))
def test_a_well_formed_file_that_openvino_accepts_is_said_to_be_accepted(
    name: str,
) -> None:
    assert {found.openvino for found in findings(name, "error", "warning", "note")} <= {
        "accepts",
        "crashes",
    }


@pytest.mark.parametrize("name", cases("debatable", "rejects on reading"))
def test_what_openvino_alone_rejects_has_an_error_that_says_so(name: str) -> None:
    assert "rejects" in {found.openvino for found in findings(name, "error")}


@pytest.mark.parametrize("name", cases("debatable", "accepts"))
def test_what_openvino_alone_takes_is_not_said_to_be_rejected(name: str) -> None:
    assert {found.openvino for found in findings(name, "error", "warning", "note")} <= {
        "accepts"
    }


def test_there_are_enough_of_each_kind() -> None:
    assert len(CASES) == 257
    assert (len(MALFORMED_REFUSED), len(MALFORMED_ACCEPTED), len(WELL_FORMED)) == (
        121,
        47,
        66,
    )
