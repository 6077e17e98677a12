"""What the verbs print as JSON is what the schemas say, for every verb and every sample."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from paths import SAMPLES

from ovgather import report, schemas
from ovgather.cli._shared.group import ovgather
from ovgather.cli.main import run

WITHOUT_FILES = ("conformance", "diff", "explain", "rules")
VERBS = sorted(
    verb
    for verb in ovgather.list_commands(None)  # type: ignore[arg-type]
    if "json" in report.formats(verb) and verb not in WITHOUT_FILES
)
FOLDERS = sorted(
    folder.name for folder in SAMPLES.iterdir() if any(folder.rglob("*.xml"))
)
NEEDS_OPENVINO = ("crosscheck",)


@cache
def validator(name: str) -> Any:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    return jsonschema.Draft202012Validator(schemas.load(name))


def printed(capfdbinary: Any, *arguments: str) -> Any:
    code = run([*arguments])
    out, _ = capfdbinary.readouterr()
    assert code in (0, 1, 4)
    return json.loads(out)


def test_there_are_such_verbs() -> None:
    assert {"validate", "infer", "crosscheck"} <= set(VERBS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "verb",
    [
        pytest.param(verb, marks=pytest.mark.runtime)
        if verb in NEEDS_OPENVINO
        else verb
        for verb in VERBS
    ],
)
@pytest.mark.parametrize("folder", FOLDERS)
def test_samples(verb: str, folder: str, capfdbinary: Any) -> None:
    if verb in NEEDS_OPENVINO and find_spec("openvino") is None:
        pytest.skip("openvino is not installed")
    if verb in NEEDS_OPENVINO and folder != "demo":
        pytest.skip("a child process for each of many files takes long")
    few = ("--variants", "static,constants") if verb == "crosscheck" else ()
    document = printed(
        capfdbinary, verb, "--format", "json", *few, str(SAMPLES / folder)
    )
    assert document["files"]
    assert [error.message for error in validator(verb).iter_errors(document)] == []


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_that_cannot_be_read(
    verb: str, tmp_path: Path, capfdbinary: Any
) -> None:
    if verb in NEEDS_OPENVINO and find_spec("openvino") is None:
        pytest.skip("openvino is not installed")
    document = printed(
        capfdbinary, verb, "--format", "json", str(tmp_path / "none.xml")
    )
    assert [error.message for error in validator(verb).iter_errors(document)] == []


def test_infer_with_reasons(capfdbinary: Any) -> None:
    document = printed(
        capfdbinary, "infer", "--format", "json", "--why", str(SAMPLES / "demo")
    )
    assert [error.message for error in validator("infer").iter_errors(document)] == []


@pytest.mark.parametrize(
    "more",
    [
        ("--all",),
        ("--input-shape", "in0=[3,128]"),
        ("--input-shape", "in0=[n,?]", "--all"),
    ],
)
def test_infer_of_all_tensors_and_other_shapes(
    more: tuple[str, ...], capfdbinary: Any
) -> None:
    document = printed(
        capfdbinary,
        "infer",
        "--format",
        "json",
        *more,
        str(SAMPLES / "demo" / "good.xml"),
    )
    assert [error.message for error in validator("infer").iter_errors(document)] == []
    assert ("tensors" in document["files"][0]) == ("--all" in more)
    assert ("refused" in document["files"][0]) == ("in0=[3,128]" in more)


@pytest.mark.slow
def test_code_quality(capfdbinary: Any) -> None:
    document = printed(capfdbinary, "validate", "--format", "gitlab", str(SAMPLES))
    assert document
    assert [
        error.message for error in validator("validate-gitlab").iter_errors(document)
    ] == []


@pytest.mark.parametrize(
    "arguments",
    [("rules",), ("rules", "OVG2"), ("explain",), ("explain", "OVG102", "Gather-8")],
)
def test_rules(arguments: tuple[str, ...], capfdbinary: Any) -> None:
    document = printed(capfdbinary, *arguments, "--format", "json")
    assert document["rules"]
    assert [error.message for error in validator("rules").iter_errors(document)] == []


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_statistics(folder: str, capfdbinary: Any) -> None:
    document = printed(
        capfdbinary,
        "validate",
        "--statistics",
        "--format",
        "json",
        str(SAMPLES / folder),
    )
    assert [
        error.message for error in validator("statistics").iter_errors(document)
    ] == []
    summary = printed(
        capfdbinary, "validate", "--format", "json", str(SAMPLES / folder)
    )["summary"]
    assert document["summary"] == summary
    for severity in ("errors", "warnings", "notes"):
        assert (
            sum(code[severity] for code in document["statistics"]) == summary[severity]
        )
