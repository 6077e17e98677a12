"""``ovgather rules`` and ``explain --format json``: all rules, for people and for programs."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest
from consequences import of_rules
from paths import SAMPLES

from ovgather.cli.main import run
from ovgather.validation.rules import every, rules

DECLARED = {rule.RULE.code: set(rule.RULE.fixes) for rule in every()}


def printed(capfdbinary: Any, *arguments: str) -> tuple[int, str, str]:
    code = run([*arguments])
    out, err = capfdbinary.readouterr()
    return code, out.decode(), err.decode()


def test_every_rule_is_listed(capfdbinary: Any) -> None:
    code, out, _ = printed(capfdbinary, "rules", "--format", "json")
    document = json.loads(out)
    assert (code, [rule["code"] for rule in document["rules"]]) == (
        0,
        [rule.RULE.code for rule in every()],
    )
    for record, rule in zip(document["rules"], every(), strict=True):
        assert (record["title"], record["severities"]) == (
            rule.RULE.title,
            list(rule.RULE.severities),
        )
    assert printed(capfdbinary, "explain", "--format", "json") == (0, out, "")


def test_a_line_for_each(capfdbinary: Any) -> None:
    code, out, _ = printed(capfdbinary, "rules", "ovg10")
    assert code == 0
    assert [line[:6] for line in out.splitlines()] == [
        rule.RULE.code for rule in every() if rule.RULE.code.startswith("OVG10")
    ]
    assert "OVG102  error, warning        [*]  unknown attribute\n" in out


def test_an_unknown_code(capfdbinary: Any) -> None:
    assert printed(capfdbinary, "rules", "OVG2033") == (
        2,
        "",
        "ovgather: CODE: no rule has the code `OVG2033`; did you mean `OVG203`?\n",
    )


def test_pages_for_programs(capfdbinary: Any) -> None:
    _, out, _ = printed(
        capfdbinary, "explain", "ovg106", "Gather-7", "--format", "json"
    )
    document = json.loads(out)
    assert [rule["code"] for rule in document["rules"]] == ["OVG106"]
    assert "What: a layer lacks an attribute" in document["rules"][0]["page"]
    assert [operation["name"] for operation in document["operations"]] == ["Gather-7"]


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.RULE.code)
def test_rules_declare_their_fixes(rule: Any) -> None:
    source = inspect.getsource(rule)
    reports_fixes = ("fix=", "report_odd_number", "odd_numbers(")
    assert bool(DECLARED[rule.RULE.code]) == any(
        each in source for each in reports_fixes
    )
    assert DECLARED[rule.RULE.code] <= {"safe", "unsafe"}


def test_the_fixes_of_samples_are_declared() -> None:
    seen: dict[str, set[str]] = {}
    for path in sorted((SAMPLES / "rules").rglob("*.xml")):
        for finding in of_rules(
            path
        ):  # the diagnosis may offer another fix for any of them
            if finding.fix_kind:
                seen.setdefault(finding.code, set()).add(finding.fix_kind)
    assert len(seen) > 10
    assert {
        code: kinds - DECLARED[code]
        for code, kinds in seen.items()
        if kinds - DECLARED[code]
    } == {}
