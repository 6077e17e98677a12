"""SARIF: valid against the published schema, whatever the names in the file."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from paths import DATA, SAMPLES
from report_cases import HOSTILE, checked, finding, hostile, mixed

from ovgather.layers.reference import LayerReference
from ovgather.report import formats, render
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.rules import every

SUCCESS = {"executionSuccessful": True, "toolExecutionNotifications": []}
SCHEMA = DATA / "sarif-2.1.0-rtm.5.json"


@cache
def validator() -> Any:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    return jsonschema.Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def run_of(*files: Checked) -> Any:
    text = render("validate", "sarif", files).encode("utf-8").decode("utf-8")
    log = json.loads(text)
    assert [error.message for error in validator().iter_errors(log)] == []
    (run,) = log["runs"]
    return run


def uris(run: Any) -> list[str]:
    return [artifact["location"]["uri"] for artifact in run["artifacts"]]


def test_it_is_a_format() -> None:
    assert "sarif" in formats("validate")


def test_files_of_every_kind() -> None:
    run = run_of(*mixed())
    assert len(run["artifacts"]) == 4  # what is given as bytes has one name
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    unread = [
        each["locations"][0]["physicalLocation"]
        for each in invocation["toolExecutionNotifications"]
    ]
    assert [place["artifactLocation"]["index"] for place in unread] == [2, 3, 3]
    by_file = [
        [r for r in run["results"] if artifact(r)["index"] == index]
        for index in range(4)
    ]
    assert [bool(found) for found in by_file] == [False, True, True, True]
    for result in run["results"]:
        assert (
            run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"]
            == result["ruleId"]
        )
        assert run["artifacts"][artifact(result)["index"]]["location"] == artifact(
            result
        )


def artifact(result: Any) -> Any:
    return result["locations"][0]["physicalLocation"]["artifactLocation"]


def test_a_clean_file() -> None:
    run = run_of(checked("m.xml"))
    assert (run["results"], uris(run), run["invocations"]) == ([], ["m.xml"], [SUCCESS])


def test_a_file_given_twice() -> None:
    run = run_of(checked("m.xml", finding()), checked("./m.xml", finding()))
    assert (uris(run), len(run["results"])) == (["m.xml"], 2)


def test_every_rule_is_described() -> None:
    described = run_of()["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in described] == [rule.RULE.code for rule in every()]
    assert len({rule["name"] for rule in described}) == len(described)
    for rule in described:
        texts = [
            rule["shortDescription"]["text"],
            rule["fullDescription"]["text"],
            *rule["help"].values(),
        ]
        assert all(texts), rule["id"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        assert "``" not in "".join(texts).replace("```", "")


def test_a_finding() -> None:
    layer = LayerReference("2", "ge_0", "GatherElements", "opset6", ("loop", "body"))
    found = finding(
        layer=layer,
        openvino="accepts",
        help="did you mean `axis`?",
        line=3,
        column=7,
        end_column=11,
    )
    (result,) = run_of(checked("m.xml", found))["results"]
    assert (result["ruleId"], result["level"]) == ("OVG102", "error")
    (place,) = result["locations"]
    assert place["physicalLocation"]["region"] == {
        "startLine": 3,
        "startColumn": 7,
        "endLine": 3,
        "endColumn": 11,
    }
    logical = {
        "name": "ge_0",
        "fullyQualifiedName": "loop/body/ge_0",
        "kind": "element",
    }
    assert place["logicalLocations"] == [logical]
    assert result["message"]["text"].splitlines() == [
        "unknown attribute `Axis`",
        "OpenVINO: accepts it without a word",
        "help: did you mean `axis`?",
    ]
    assert result["properties"] == {
        "openvino": "accepts",
        "help": "did you mean `axis`?",
    }


def test_a_finding_of_no_rule() -> None:
    (result,) = run_of(checked("m.xml", finding(code="OVG999")))["results"]
    assert result["ruleIndex"] == -1


def marks(*files: Checked) -> list[str]:
    return [
        result["partialFingerprints"]["ovgatherFinding/v1"]
        for result in run_of(*files)["results"]
    ]


def test_fingerprints_stay_when_lines_move() -> None:
    layer = LayerReference("2", "a", "Gather", "opset8", ())
    before = checked(
        "m.xml",
        finding(line=3, layer=layer),
        finding(line=9),
        finding(line=9, column=5),
    )
    after = checked(
        "other.xml", finding(line=30, layer=layer), finding(line=90), finding(line=91)
    )
    assert marks(before) == marks(after)
    assert len(set(marks(before))) == 3
    inner = checked(
        "m.xml", finding(line=3, layer=layer._replace(body=("loop", "body")))
    )
    assert marks(inner)[0] not in marks(before)
    parser = [
        checked(
            "m.xml",
            finding(f"malformed XML: tag of line {line} is not closed, column 4"),
        )
        for line in (3, 9)
    ]
    assert len(set(marks(*parser))) == 1


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_names(text: str) -> None:
    file = hostile(text)
    run = run_of(file)
    for result in run["results"]:
        message = result["message"]["text"]
        assert "](" not in message
        assert message.replace("{{", "").replace("}}", "").count("{") == 0
        assert message.isprintable() or set(message) - {"\n"} == set(
            message.replace("\n", "")
        )
    (uri,) = uris(run)
    assert uri.isascii()
    assert not urlsplit(uri).scheme
    if not re.search("[\ud800-\udbff]", text):  # no file system gives those
        assert unquote(uri, errors="surrogateescape") == os.path.normpath(file.path)


@pytest.mark.parametrize(
    ("path", "uri", "based"),
    [
        ("m.xml", "m.xml", True),
        ("./a/../m.xml", "m.xml", True),
        ("a b/m#1?.xml", "a%20b/m%231%3F.xml", True),
        ("c:m.xml", "c%3Am.xml", True),
        ("-", "-", True),
        (os.path.join(os.getcwd(), "m.xml"), "m.xml", True),
        ("/elsewhere/ü.xml", "file:///elsewhere/%C3%BC.xml", False),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")
def test_uris(path: str, uri: str, based: bool) -> None:
    location = run_of(checked(path))["artifacts"][0]["location"]
    assert (location["uri"], location.get("uriBaseId")) == (
        uri,
        "%SRCROOT%" if based else None,
    )


def test_a_mend_is_told() -> None:
    path = SAMPLES / "rules" / "OVG102" / "bad.xml"
    (result,) = [
        found for found in run_of(check_file(path))["results"] if "fixes" in found
    ]
    (fix,) = result["fixes"]
    assert (
        fix["description"]["text"]
        == "`Axis` is now `axis` (may change what the model computes)"
    )
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == artifact(result)
    (replacement,) = change["replacements"]
    assert replacement["insertedContent"] == {"text": "axis"}
    assert (
        replacement["deletedRegion"]
        == result["locations"][0]["physicalLocation"]["region"]
    )
