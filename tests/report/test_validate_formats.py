"""Every format, from the command line: the same exit code, text that is UTF-8, nothing on standard error."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from report_cases import DEMO

from ovgather.cli.main import run
from ovgather.report import formats

NAMES = (
    "]]&gt;",
    "&quot;&apos;&lt;b&gt;",
    "&#10;::error::x",
    "&#x85;&#x2028;&#x202e;&#xfeff;",
    "名 é 😀",
    "%0A,{0}](x)",
)
GATHER = """<layer id="{id}" name="{name}" type="Gather" version="opset8"><data batch_dim="0"/></layer>"""


def hostile_file(folder: Path) -> str:
    """A file whose layers have hostile names and are broken; its own name is none that UTF-8 has."""
    layers = "".join(GATHER.format(id=number, name=name) for number, name in enumerate(NAMES))
    path = os.path.join(os.fsencode(folder), b"a b,c%:\xff'.xml")
    try:
        with open(path, "wb") as file:
            file.write(f'<net name="m" version="11"><layers>{layers}</layers><edges/></net>'.encode())
    except OSError:
        pytest.skip("the file system takes no such name")
    return os.fsdecode(path)


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
        assert out.decode("utf-8") == out.decode("utf-8", "replace")
        target = tmp_path / "report"
        assert run(["validate", "--format", format, "-o", str(target), *files]) == code
        assert target.read_bytes() == out
        assert capfdbinary.readouterr() == (b"", b"")
