"""Every format, from the command line: the same exit code, text that is UTF-8, nothing on standard error."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes
from xml.etree import ElementTree

import pytest
from html_check import records
from ir_text import net_text
from paths import ROOT
from report_cases import DEMO

from ovgather.cli.main import run
from ovgather.report import formats

NAMES = (
    "]]&gt;",
    "&quot;&apos;&lt;b&gt;",
    "&#10;::error::x",
    "&#x7f;&#x85;&#x9b;&#x2028;&#x202e;&#x2066;&#xfeff;",
    "名 é 😀",
    "%0A,{0}](x)",
)
GATHER = """<layer id="{id}" name="{name}" type="Gather" version="opset8"><data batch_dim="0"/></layer>"""


def hostile_file(folder: Path) -> str:
    """A file whose layers have hostile names and are broken; its own name is none that UTF-8 has."""
    layers = "".join(
        GATHER.format(id=number, name=name) for number, name in enumerate(NAMES)
    )
    path = os.path.join(
        os.fsencode(folder), b"a b,c%:\x1b\xc2\x9b\xe2\x80\xae\xff'.xml"
    )
    try:
        with open(path, "wb") as file:
            file.write(net_text(layers).encode())
    except OSError:
        pytest.skip("the file system takes no such name")
    return os.fsdecode(path)


def test_the_page_lists_every_format() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`\w+`.*?) \|", page, re.M)
    assert {*formats("validate")} <= {*re.findall(r"`(\w+)`", " ".join(rows))}


@pytest.mark.slow
@pytest.mark.parametrize("format", formats("validate"))
def test_every_format(format: str, tmp_path: Path, capfdbinary: Any) -> None:
    clean, broken = str(DEMO / "good.xml"), str(DEMO / "broken.xml")
    for files, code in (
        ([clean], 0),
        ([clean, broken], 1),
        ([hostile_file(tmp_path)], 1),
        ([clean, str(tmp_path / "none.xml")], 4),
    ):
        assert run(["validate", "--format", format, *files]) == code
        out, err = capfdbinary.readouterr()
        assert err == b""
        assert all(char.isprintable() or char == "\n" for char in out.decode("utf-8"))
        target = tmp_path / "report"
        assert run(["validate", "--format", format, "-o", str(target), *files]) == code
        if format == "html":  # it names the command
            assert records(target.read_text()) == records(out.decode())
        else:
            assert target.read_bytes() == out
        assert capfdbinary.readouterr() == (b"", b"")


def named_in(format: str, text: str) -> str:
    """The path of the first file, as a report in that format names it."""
    if format in ("text", "concise"):
        return str(re.findall(r"(?:--> |^)(\S+\.xml):1:", text, re.M)[0])
    if format == "github":
        return unquote(re.findall(r"file=([^,]*),", text)[0])
    if format == "junit":
        return str(ElementTree.fromstring(text)[0].get("name"))
    if format == "html":
        return str(records(text)[0]["cells"]["File"])
    if format == "jsonl":
        return str(json.loads(text.splitlines()[0])["path"])
    assert format in ("json", "gitlab", "sarif"), f"say where {format} names a file"
    document = json.loads(text)
    if format == "gitlab":
        return str(document[0]["location"]["path"])
    if format == "sarif":
        return str(document["runs"][0]["artifacts"][0]["location"]["uri"])
    return str(document["files"][0]["path"])


def name_of(format: str, named: str) -> bytes:
    """The file that is meant, as docs/ci.md says."""
    if format == "sarif":
        return unquote_to_bytes(named)
    if format in ("json", "jsonl"):
        return os.fsencode(named)
    return os.fsencode(
        re.sub(r"\\u(dc[89a-f][0-9a-f])", lambda match: chr(int(match[1], 16)), named)
    )


@pytest.mark.parametrize("format", formats("validate"))
def test_a_name_that_is_not_utf_8_can_be_mapped_back(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    name = b"n\xff\xfe\xc3\xa9.xml"
    try:
        with open(name, "wb") as file:
            file.write(b'<net name="m" version="9"><layers/><edges/></net>')
    except OSError:
        pytest.skip("the file system takes no such name")
    run(["validate", "--isolated", "--format", format, os.fsdecode(name)])
    assert name_of(format, named_in(format, capfd.readouterr().out)) == name
