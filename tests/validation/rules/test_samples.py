"""A good and a bad file for each rule: the good one gives no finding, the bad one this one, and OpenVINO does with it
what the finding says.

The files are found by listing ``samples_xml/rules``. In a bad file a comment ``<!-- OVG102: ... -->`` stands above the
line that the finding must point at, wherever a comment can stand there.
"""

from __future__ import annotations

import os
import re

import pytest
from forked import starting_anew
from openvino_verdicts import Verdict, requires_openvino, verdicts
from paths import SAMPLES as SAMPLES_FOLDER

from ovgather.validation.api import validate
from ovgather.validation.check import check_file
from ovgather.validation.diagnostic import VERDICTS, Diagnostic
from ovgather.validation.rules import rules
from ovgather.validation.selection.codes import Choice, Selection

FOLDER = str(SAMPLES_FOLDER / "rules")
CODES = [rule.RULE.code for rule in rules()]
SAMPLES = sorted(
    os.path.join(code, name)
    for code in os.listdir(FOLDER)
    for name in os.listdir(os.path.join(FOLDER, code))
    if name.endswith(".xml")
)
GOOD = [sample for sample in SAMPLES if os.path.basename(sample).startswith("good")]
BAD = [sample for sample in SAMPLES if os.path.basename(sample).startswith("bad")]
MARK = re.compile(r"<!--\s*(OVG\d{3}): (?:(?!-->)[\s\S])*-->[^\n]*\n")


def path_of(sample: str) -> str:
    return os.path.join(FOLDER, sample)


def text_of(sample: str) -> str:
    with open(path_of(sample), encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def findings_in(sample: str) -> list[Diagnostic]:
    """What is found in it by the usual rules and by its own."""
    choice = Choice(("OVG", os.path.dirname(sample)))
    return check_file(path_of(sample), keeps=Selection((choice,)).keeps).diagnostics


def marked_lines(sample: str) -> list[int]:
    text = text_of(sample)
    code = os.path.dirname(sample)
    return [
        text.count("\n", 0, found.end()) + 1
        for found in MARK.finditer(text)
        if found[1] == code
    ]


def test_every_rule_has_its_folder_and_every_folder_its_rule() -> None:
    assert sorted(os.listdir(FOLDER)) == CODES


def test_every_file_is_a_good_or_a_bad_one() -> None:
    assert set(GOOD) | set(BAD) == set(SAMPLES)
    for code in CODES:
        assert os.path.join(code, "good.xml") in GOOD
        # What cannot be shown by a file is told in words.
        assert os.path.join(code, "bad.xml") in BAD or "README.txt" in os.listdir(
            path_of(code)
        )


def test_a_bin_belongs_to_an_xml() -> None:
    for folder, _, names in os.walk(FOLDER):
        for name in names:
            assert not name.endswith(".bin") or f"{name[:-4]}.xml" in names, (
                os.path.join(folder, name)
            )


@pytest.mark.parametrize("sample", GOOD)
def test_good(sample: str) -> None:
    assert [str(found) for found in findings_in(sample)] == []


@pytest.mark.parametrize("sample", BAD)
def test_bad(sample: str) -> None:
    code = os.path.dirname(sample)
    lines = {found.line for found in findings_in(sample) if found.code == code}
    assert lines
    assert lines.issuperset(marked_lines(sample))


def test_a_missing_file() -> None:
    [found] = validate(path_of("OVG001/missing.xml"))
    assert (found.code, found.severity, found.openvino) == (
        "OVG001",
        "error",
        "rejects",
    )


@pytest.fixture(scope="module")
def runtime() -> dict[str, Verdict]:
    return verdicts([path_of(sample) for sample in SAMPLES])


@requires_openvino
@pytest.mark.parametrize("sample", GOOD)
def test_openvino_runs_the_good_one(sample: str, runtime: dict[str, Verdict]) -> None:
    found = runtime[path_of(sample)]
    assert (found.stage, found.error, found.crash) == ("", "", False)


@requires_openvino
@pytest.mark.parametrize("sample", BAD)
def test_openvino_does_with_the_bad_one_what_the_finding_says(
    sample: str, runtime: dict[str, Verdict]
) -> None:
    code, verdict = os.path.dirname(sample), runtime[path_of(sample)]
    every = validate(path_of(sample))
    claims = {found.openvino for found in every if found.code == code}
    assert claims <= set(VERDICTS)
    if "crashes" in claims:
        # Whether a spoilt address is met, or a spoilt heap looked at, is now and then a matter of luck.
        with starting_anew():
            tries = (verdicts([path_of(sample)])[path_of(sample)] for _ in range(5))
            crashed = verdict.crash or any(again.crash for again in tries)
        if code == "OVG701" and not crashed:
            pytest.skip(
                "foreign memory can be read here; test_hazards has smaller layers that crash"
            )
        assert crashed, verdict
    elif "rejects" in claims:
        assert verdict.stage == "read", verdict
    elif "rejects_on_compile" in claims:
        assert verdict.stage == "compile", verdict
    elif "rejects_on_run" in claims:
        assert verdict.stage == "infer", verdict
    elif claims == {"accepts"} == {found.openvino for found in every}:
        assert verdict.read, verdict
