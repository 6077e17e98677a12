"""JUnit XML: valid against the schema that Jenkins reads it by, whatever the names in the file."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree
from paths import DATA
from report_cases import HOSTILE, checked, finding, hostile, mixed

from ovgather.layers.reference import LayerReference
from ovgather.report import formats, render
from ovgather.validation.checked import Checked

SCHEMA = DATA / "junit-10.xsd"


def suites_of(*files: Checked) -> Any:
    root = etree.fromstring(render("validate", "junit", files).encode("utf-8"))
    etree.XMLSchema(etree.parse(str(SCHEMA))).assertValid(root)
    for suite in (root, *root):
        cases = list(suite.iter("testcase"))
        assert int(suite.get("tests")) == len(cases)
        for kind, counted in (
            ("failure", "failures"),
            ("error", "errors"),
            ("skipped", "skipped"),
        ):
            if suite is not root or kind != "skipped":
                assert int(suite.get(counted)) == sum(
                    case.find(kind) is not None for case in cases
                )
    names = [
        (case.get("classname"), case.get("name")) for case in root.iter("testcase")
    ]
    assert len(set(names)) == len(names)
    return root


def test_it_is_a_format() -> None:
    assert "junit" in formats("validate")


def test_files_of_every_kind() -> None:
    files = mixed()[:4]
    suites = suites_of(*files)
    assert [suite.get("name").rpartition("/")[2] for suite in suites] == [
        "good.xml",
        "broken.xml",
        "m.xml",
        "<bytes>",
    ]
    assert [bool(int(suite.get("failures"))) for suite in suites] == [
        False,
        True,
        False,
        False,
    ]
    assert [bool(int(suite.get("errors"))) for suite in suites] == [
        False,
        False,
        True,
        True,
    ]


def test_a_clean_file_is_one_case_that_passes() -> None:
    (suite,) = suites_of(checked("m.xml"))
    (case,) = suite
    assert (case.get("classname"), case.get("name"), len(case)) == (
        "m.xml",
        "validate",
        0,
    )


def test_no_file() -> None:
    assert len(suites_of()) == 0


def test_what_a_case_says() -> None:
    layer = LayerReference("2", "ge_0", "GatherElements", "opset6", ("loop",))
    given = {
        "openvino": "accepts",
        "help": "did you mean `axis`?",
        "line": 3,
        "column": 7,
    }
    files = [
        checked(
            "a/m.xml",
            finding(layer=layer, **given),
            finding(severity="warning"),
            finding(severity="note"),
        )
    ]
    (suite,) = suites_of(*files)
    assert [case[0].tag for case in suite] == ["failure", "skipped", "skipped"]
    assert suite[0].get("name") == 'OVG102 unknown attribute `Axis`, layer "ge_0"'
    failure = suite[0][0]
    assert (failure.get("type"), failure.get("message")) == (
        "error OVG102",
        "unknown attribute `Axis`",
    )
    assert failure.text.splitlines() == [
        "a/m.xml:3:7: unknown attribute `Axis`",
        'in: GatherElements-6 "ge_0" (layer 2 in loop)',
        "OpenVINO: accepts it without a word",
        "help: did you mean `axis`?",
    ]


def test_equal_findings_are_numbered() -> None:
    (suite,) = suites_of(checked("m.xml", finding(line=3), finding(line=9)))
    assert [case.get("name") for case in suite] == [
        "OVG102 unknown attribute `Axis`",
        "OVG102 unknown attribute `Axis` (2)",
    ]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_names(text: str) -> None:
    (suite,) = suites_of(hostile(text))
    assert len(suite) == 2
    assert all(
        value.isprintable()
        for case in suite
        for value in (*case.attrib.values(), *case[0].attrib.values())
    )
