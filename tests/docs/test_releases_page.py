"""docs/releases.md and ovgather/validation/releases.py match the measurements; findings and pages name those ranges."""

from __future__ import annotations

import re
import runpy
from typing import Any

import pytest
from paths import ROOT

from ovgather.comparison.verdict.openvino_deviations import STAGES
from ovgather.validation.check import check_file
from ovgather.validation.releases import FIRST, LAST, SEEN
from ovgather.validation.rule_page import page
from ovgather.validation.rules import rules

GENERATOR = runpy.run_path(str(ROOT / "tools" / "generate_releases.py"))
TABLE: dict[str, Any] = GENERATOR["load"]()
RANGE = re.compile(
    r"\b20\d\d\.\d(?:\.\d)?(?: to 20\d\d\.\d(?:\.\d)?)?(?: and 20\d\d\.\d(?:\.\d)?(?: to [\d.]+\d)?)*"
)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("docs/releases.md", "page"),
        ("ovgather/validation/releases.py", "module"),
        ("ovgather/targets/onnx_operations.json", "operations"),
    ],
)
def test_it_is_up_to_date(name: str, make: str) -> None:
    made = GENERATOR[make](TABLE)
    assert (ROOT / name).read_text(encoding="utf-8") == made, "run `make docs`"


def test_all_that_is_tried_was_measured() -> None:
    from hazards import HAZARDS
    from test_crosscheck_known import ALSO, DEPARTING

    tried = {hazard.key: (hazard.rule, hazard.title, hazard.told) for hazard in HAZARDS}
    assert {
        key: (row["rule"], row["what"], row["told"])
        for key, row in TABLE["hazards"].items()
    } == tried
    assert set(TABLE["deviations"]) == {*DEPARTING, *ALSO}


def test_every_release_was_asked_everything() -> None:
    rows = [row["seen"] for row in TABLE["hazards"].values()]
    rows += [
        row
        for section in ("deviations", "opsets", "ir_versions", "element_types")
        for row in TABLE[section].values()
    ]
    assert "not measured" not in {outcome for row in rows for outcome, _, _ in row}
    assert {(row[0][1], row[-1][2]) for row in rows} == {
        (TABLE["releases"][0], TABLE["releases"][-1])
    }


@pytest.mark.slow
def test_findings_name_the_ranges_of_their_hazards() -> None:
    """The range of a finding is one that was measured of its rule, or that of a deviation that lasts."""
    lasting = {
        f"{since or FIRST} to {LAST}"
        for stage in STAGES
        for deviation in stage
        for since, before in deviation.versions
        if not before
    }
    named = set()
    for path in sorted((ROOT / "samples_xml" / "rules").glob("*/bad*.xml")):
        for found in check_file(str(path)).diagnostics:
            ranges = set(RANGE.findall(found.effect))
            measured = {seen.on for seen in SEEN.values() if seen.rule == found.code}
            assert ranges <= measured | lasting, found
            named |= {found.code} if ranges else set()
    assert named >= {
        row["rule"] for row in TABLE["hazards"].values() if row["told"] == "dies"
    }


def test_pages_name_the_ranges_of_their_hazards() -> None:
    for rule in rules():
        seen = [each for each in SEEN.values() if each.rule == rule.RULE.code]
        text = page(rule).text
        assert ("Releases: seen on" in text) == bool(seen)
        assert all(
            part in " ".join(text.split())
            for each in seen
            for part in (each.on, each.what, each.otherwise)
        )


def test_deviations_hold_where_they_were_measured() -> None:
    """What the cross-check calls known on a release is what its list of deviations says of that release."""
    named = {deviation.key: deviation for stage in STAGES for deviation in stage}
    for name, ranges in TABLE["deviations"].items():
        for outcome, first, last in ranges:
            verdict, _, cause = outcome.partition(" ")
            assert verdict in ("known", "equal", "crash", "error"), (name, outcome)
            for key in cause.split("+") if verdict == "known" else ():
                assert named[key].holds_for(first), (name, key, first)
                assert named[key].holds_for(last), (name, key, last)


def test_the_newest_release_is_that_of_the_other_pages() -> None:
    from ovgather.verbs.portability import MEASURED

    assert MEASURED.endswith(f"OpenVINO {LAST}")
    assert TABLE["releases"][0].startswith(FIRST)


def test_merging_makes_ranges() -> None:
    from measure_releases import lines_of, merge

    lines = [
        {
            "openvino": release,
            "section": "opsets",
            "name": "Gather opset1",
            "outcome": outcome,
            "how": {},
        }
        for release, outcome in (
            ("2025.10.0", "read"),
            ("2025.2.0", "read"),
            ("2024.6.0", "not read"),
        )
    ]
    from hazards import HAZARDS

    lines += [
        {
            "openvino": "2025.2.0",
            "section": "hazards",
            "name": hazard.key,
            "outcome": "runs",
            "how": {},
        }
        for hazard in HAZARDS
    ]
    merged = merge(lines)
    assert merged["releases"] == ["2024.6.0", "2025.2.0", "2025.10.0"]
    assert merged["opsets"] == {
        "Gather opset1": [
            ["not read", "2024.6.0", "2024.6.0"],
            ["read", "2025.2.0", "2025.10.0"],
        ]
    }
    assert [row[0] for row in merged["hazards"]["state"]["seen"]] == [
        "not measured",
        "runs",
        "not measured",
    ]
    assert merge(lines_of(merged)) == merged
    assert merge(lines_of(TABLE)) == TABLE
    known = {
        "told": "dies",
        "seen": [
            ["runs", "a.0", "a.0"],
            ["dies in read", "b.0", "b.0"],
            ["wrong", "c.1", "c.1"],
        ],
    }
    assert GENERATOR["seen_on"](known, ["a.0", "b.0", "c.1"]) == ("b to c.1", "a: runs")
