"""Workflow commands: one line each, which the runner reads as it was meant."""

from __future__ import annotations

import os
import re

import pytest
from report_cases import HOSTILE, checked, finding, hostile, mixed

from ovgather.report import formats, render
from ovgather.validation.checked import Checked

COMMAND = re.compile(r"::(error|warning|notice) ([^\r\n]*?)::([^\r\n]*)")


def unescaped(text: str, more: tuple[tuple[str, str], ...] = ()) -> str:
    # As the runner does: the per cent sign last.
    for escaped, plain in (*more, ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escaped, plain)
    return text


def commands_of(*files: Checked) -> list[tuple[str, dict[str, str], str]]:
    text = render("validate", "github", files).encode("utf-8").decode("utf-8")
    assert text == "" or text.endswith("\n")
    found = []
    for line in text.split("\n")[:-1]:
        command = COMMAND.fullmatch(line)
        assert command, line
        pairs = (pair.partition("=") for pair in command[2].split(","))
        properties = {
            name: unescaped(value, (("%3A", ":"), ("%2C", ",")))
            for name, _, value in pairs
        }
        found.append((command[1], properties, unescaped(command[3])))
    return found


def test_it_is_a_format() -> None:
    assert "github" in formats("validate")


def test_files_of_every_kind() -> None:
    files = mixed()
    commands = commands_of(*files)
    assert len(commands) == sum(len(file.diagnostics) for file in files)
    severities = {"error": "error", "warning": "warning", "note": "notice"}
    for (name, properties, message), found in zip(
        commands, (d for file in files for d in file.diagnostics), strict=True
    ):
        assert (name, properties["title"]) == (severities[found.severity], found.code)
        assert message.startswith(found.message)


def test_a_clean_file_says_nothing() -> None:
    assert render("validate", "github", [checked("m.xml")]) == ""


def test_a_finding() -> None:
    found = finding(
        "50% of `a:b`, c",
        "a,b:c%.xml",
        line=3,
        column=7,
        end_column=11,
        openvino="accepts",
        help="mend it",
    )
    assert render("validate", "github", [checked("a,b:c%.xml", found)]) == (
        "::error file=a%2Cb%3Ac%25.xml,line=3,col=7,endLine=3,endColumn=11,title=OVG102::50%25 of `a:b`, c"
        "%0AOpenVINO: accepts it without a word%0Ahelp: mend it\n"
    )


def test_columns_only_on_one_line() -> None:
    ((_, properties, _),) = commands_of(
        checked("m.xml", finding(line=3, column=7, end_line=5, end_column=2))
    )
    assert properties == {
        "file": "m.xml",
        "line": "3",
        "endLine": "5",
        "title": "OVG102",
    }


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_names(text: str) -> None:
    file = hostile(text)
    commands = commands_of(file)
    assert [name for name, _, _ in commands] == ["error", "warning"]
    for _, properties, message in commands:
        assert set(properties) <= {
            "file",
            "line",
            "col",
            "endLine",
            "endColumn",
            "title",
        }
        if all(char.isprintable() or char in "\n\r\t" for char in text):
            assert properties["file"] == os.path.normpath(file.path)
        assert all(line.isprintable() for line in message.split("\n"))
