"""Findings beyond the limit: counted by code and severity, in every format, at next to no cost."""

from __future__ import annotations

import cProfile
import json
import pstats
from pathlib import Path
from typing import Any

import pytest

import ovgather
from ovgather import schemas
from ovgather.cli.main import main
from ovgather.report import formats, render
from ovgather.validation.check import check_file
from ovgather.validation.checked import Counted, limited

AMPERSANDS = b'<net name="%s" version="11"><layers/><edges/></net>'
PART = '<layer id="{0}" name="g{0}" type="GatherElements" version="opset6"><data axis="0" {1}="1"/>{2}</layer>'
PORTS = """<input><port id="0" precision="FP32"><dim>3</dim></port><port id="1" precision="I32"><dim>3</dim></port>
</input><output><port id="2" precision="FP32"><dim>{0}</dim></port></output>"""


def ampersands(count: int) -> bytes:
    return AMPERSANDS % (b"& " * count)


def attributes(names: list[str], comment: str = "", inside: str = "") -> bytes:
    """A layer for each name, with an attribute of that name: ``foo`` gives a warning, ``Axis`` an error."""
    layers = "".join(
        PART.format(number, name, inside + PORTS.format(3))
        for number, name in enumerate(names)
    )
    return f'<net name="m" version="11">{comment}<layers>{layers}</layers><edges/></net>'.encode()


def count(
    text: bytes, code: str = "OVG102", **options: Any
) -> tuple[int, tuple[Counted, ...], int, int]:
    checked = check_file(text, **options)
    kept = [finding for finding in checked.diagnostics if finding.code == code]
    more = tuple(entry for entry in checked.more if entry.code == code)
    return len(kept), more, len(checked.suppressed), checked.more_suppressed


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        raise SystemExit(main(list(arguments)))
    return int(caught.value.code or 0)


def test_the_first_of_a_code_are_worked_out_and_the_rest_is_counted() -> None:
    checked = check_file(ampersands(1000), most=100)
    kept = [finding for finding in checked.diagnostics if finding.code == "OVG002"]
    assert [finding.column for finding in kept] == list(range(12, 212, 2))
    assert checked.more == (Counted("OVG002", "error", 900),)
    assert (
        sum(
            number
            for (_, severity), number in checked.numbers.items()
            if severity == "error"
        )
        == 1000
    )
    assert limited(check_file(ampersands(1000)), 100).more == checked.more


def test_severities_of_the_rest_are_kept() -> None:
    # Three texts: three mistakes.
    mixed = attributes(["foo"] * 6 + ["Axis", "aXis", "axIs"])
    assert count(mixed, most=5) == (
        5,
        (Counted("OVG102", "error", 3), Counted("OVG102", "warning", 1)),
        0,
        0,
    )
    assert count(mixed, most=0)[:2] == (9, ())
    assert count(mixed, most=9)[:2] == (9, ())


@pytest.mark.parametrize(
    ("names", "options", "code"),
    [
        (["foo"] * 3 + ["Axis"], (), 1),
        (["foo"] * 4, (), 0),
        (["foo"] * 4, ("--strict",), 1),
        (["foo"] * 3 + ["Axis"], ("--exit-zero",), 0),
    ],
    ids=["an error beyond", "warnings", "strict", "exit zero"],
)
def test_the_exit_code_is_that_of_all(
    names: list[str], options: tuple[str, ...], code: int, tmp_path: Path
) -> None:
    path = tmp_path / "m.xml"
    path.write_bytes(attributes(names))
    for limit in ("2", "0"):
        assert (
            run(
                "validate",
                str(path),
                "--isolated",
                "--select",
                "OVG102",
                "--max-findings",
                limit,
                *options,
            )
            == code
        )


def test_every_format_tells_how_many_more() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    checked = check_file(attributes(["foo"] * 1500), most=2)._replace(path="m.xml")
    for format in formats("validate"):
        text = render("validate", format, [checked])
        if format not in ("json", "jsonl"):
            assert "and 1,498 more" in text, format
        assert text.count("unknown attribute `foo`") < 10, format
    document = json.loads(render("validate", "json", [checked]))
    assert document["files"][0]["more"]["OVG102"] == 1498
    assert document["summary"]["warnings"] >= 1500
    jsonschema.Draft202012Validator(schemas.load("validate")).validate(document)
    assert "1500  " in render("statistics", "text", [checked])
    whole = json.loads(render("validate", "json", [check_file(attributes(["foo"]))]))
    assert "more" not in whole["files"][0]


def test_how_many_more_is_no_new_finding_for_a_platform() -> None:
    marks = []
    for number in (300, 400):
        checked = check_file(attributes(["foo"] * number), most=2)._replace(
            path="m.xml"
        )
        issues = json.loads(render("validate", "gitlab", [checked]))
        marks.append(
            [
                issue["fingerprint"]
                for issue in issues
                if " more" in issue["description"]
            ]
        )
    assert marks[0] == marks[1] != []


def test_suppressed_findings_do_not_use_up_the_limit() -> None:
    text = attributes(["foo"] * 3, inside="<!-- ovgather: ignore OVG102 as it was -->")
    more = (
        attributes(["Axis"] * 4)
        .replace(b'id="', b'id="1')
        .replace(b'name="g', b'name="h')
        .replace(b'port id="1', b'port id="')
    )
    text = text.replace(
        b"</layers>",
        more[more.index(b"<layer ") : more.index(b"</layers>")] + b"</layers>",
    )
    assert count(text, most=2) == (2, (Counted("OVG102", "error", 2),), 2, 1)


def test_a_comment_beyond_the_limit_suppresses() -> None:
    text = attributes(["foo"] * 5)
    last = text.rindex(b"<layer ")
    text = text[:last] + b"<!-- ovgather: ignore OVG102 an old export -->" + text[last:]
    assert count(text, most=2) == (2, (Counted("OVG102", "warning", 2),), 1, 0)
    assert "OVG012" not in {
        finding.code for finding in check_file(text, most=2).diagnostics
    }


def test_suppressed_in_the_whole_file() -> None:
    text = attributes(
        ["foo"] * 150, comment="<!-- ovgather: ignore-file OVG102 known -->"
    )
    assert count(text, most=100) == (0, (), 100, 50)
    assert "150 suppressed by comments" in render(
        "validate", "text", [check_file(text, most=100)]
    )


def test_a_baseline_knows_all(tmp_path: Path, capfd: Any) -> None:
    path, baseline = tmp_path / "m.xml", str(tmp_path / "baseline.json")
    path.write_bytes(attributes(["foo"] * 7))
    options = (
        "validate",
        str(path),
        "--isolated",
        "--max-findings",
        "3",
        "--baseline",
        baseline,
    )
    assert run(*options, "--write-baseline") == 0
    assert (
        sum(
            entry["count"]
            for entry in json.loads(Path(baseline).read_text())["findings"]
        )
        >= 7
    )
    path.write_bytes(attributes(["foo"] * 7 + ["bar"] * 5))
    capfd.readouterr()
    run(*options, "--select", "OVG102", "--format", "json")
    (file,) = json.loads(capfd.readouterr().out)["files"]
    assert len(file["diagnostics"]) == 3
    assert file["more"] == {"OVG102": 2}


def test_all_is_fixed(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_bytes(ampersands(250))
    assert (
        run(
            "validate",
            str(path),
            "--isolated",
            "--fix",
            "--select",
            "OVG002",
            "--max-findings",
            "3",
        )
        == 0
    )
    assert path.read_bytes().count(b"&amp;") == 250


def test_the_configuration_sets_it_and_the_command_line_wins(
    tmp_path: Path, capfd: Any
) -> None:
    path, settings = tmp_path / "m.xml", tmp_path / "ovgather.toml"
    path.write_bytes(attributes(["Axis", "aXis", "axIs", "axiS", "AXIS"]))
    settings.write_text(
        'max-findings = 2\nselect = ["OVG102"]\nformat = "json"\n', encoding="utf-8"
    )
    options = ("validate", str(path), "--config", str(settings))
    for more, number in (
        ((), 2),
        (("--max-findings", "3"), 3),
        (("--max-findings", "0"), 5),
    ):
        run(*options, *more)
        assert (
            len(json.loads(capfd.readouterr().out)["files"][0]["diagnostics"]) == number
        )
    for wrong in ("-1", "x", "1.5", "9" * 5000):
        assert run(*options, "--max-findings", wrong) == 2
        assert (
            "--max-findings: expected a whole number from 0 on"
            in capfd.readouterr().err
        )


def test_python_limits_and_counts() -> None:
    findings = ovgather.validate(ampersands(250))
    assert findings.more == {"OVG002": 150}
    assert isinstance(findings, list)
    assert len(ovgather.validate(ampersands(250), max_findings=0)) == 251


def test_nothing_else_is_told_of_another_ir_version() -> None:
    for version in (b'version="7"', b'version="12"', b'version="abc"', b""):
        text = attributes(["Axis"] * 3).replace(b'version="11"', version)
        assert [finding.code for finding in ovgather.validate(text)] == ["OVG004"]
        assert check_file(text, keeps=lambda code: code != "OVG004").diagnostics == []
    suppressed = attributes(
        ["Axis"], comment="<!-- ovgather: ignore-file OVG102 known -->"
    )
    assert [
        finding.code
        for finding in ovgather.validate(suppressed.replace(b'"11"', b'"7"'))
    ] == ["OVG004"]


def calls(text: bytes, most: int) -> int:
    profile = cProfile.Profile()
    profile.runcall(check_file, text, most=most)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        ampersands(2000),
        attributes(["Axis"] * 500),
        attributes(["foo"], comment="<!-- ovgather: ignore OVG998 known -->" * 500),
        attributes(
            ["foo"], comment="".join(f"<layerz{number}/>" for number in range(500))
        ),
    ],
    ids=["ampersands", "attributes", "suppressions", "elements"],
)
def test_what_is_only_counted_costs_little(text: bytes) -> None:
    calls(text, 10)  # what is done once is done by now
    counted, worked_out = calls(text, 10), calls(text, 0)
    assert counted < 0.7 * worked_out


def test_a_finding_beyond_the_limit_counts_for_the_verdict() -> None:
    """Two layers that lead to no Result lack their edges, and so does the Result after them."""
    port = '<port id="{}" precision="FP32"/>'
    inputs = f"<input>{port.format(0)}</input>"
    start = '<layer id="0" name="x" type="Parameter" version="opset1"><data shape="" element_type="f32"/>'
    layers = [f"{start}<output>{port.format(0)}</output></layer>"]
    for number in (1, 2, 3):
        layers.append(
            f'<layer id="{number}" name="r{number}" type="ReLU" version="opset1">{inputs}'
            f"<output>{port.format(1)}</output></layer>"
        )
    layers.append(
        f'<layer id="4" name="end" type="Result" version="opset1">{inputs}</layer>'
    )
    edge = '<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>'
    text = f'<net name="m" version="11"><layers>{"".join(layers)}</layers><edges>{edge}</edges></net>'
    for most in (1, 2, 100):
        checked = check_file(text.encode(), most=most, explain=False)
        assert checked.verdict.openvino == "rejects"
        assert checked.verdict.layer == 'Result (opset1) "end" (layer 4)'
