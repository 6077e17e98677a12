"""What a file is by its first bytes, and its text as UTF-8."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

import ovgather
from ovgather.ir.encoding import describe, to_utf8

IR = '<?xml version="1.0"?><net name="é→😀" version="11"><layers/><edges/></net>'


@pytest.mark.parametrize("mark", [True, False], ids=["marked", "unmarked"])
@pytest.mark.parametrize(
    "name", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
)
def test_unicode(name: str, mark: bool) -> None:
    marks = {
        "utf-8": codecs.BOM_UTF8,
        "utf-16-le": codecs.BOM_UTF16_LE,
        "utf-16-be": codecs.BOM_UTF16_BE,
        "utf-32-le": codecs.BOM_UTF32_LE,
        "utf-32-be": codecs.BOM_UTF32_BE,
    }
    model = ovgather.read((marks[name] if mark else b"") + IR.encode(name))
    assert (model.name, model.ir_version, model.problems) == ("é→😀", 11, [])


@pytest.mark.parametrize("name", ["ISO-8859-1", "latin1"])
def test_latin(name: str) -> None:
    text = f'<?xml version="1.0" encoding="{name}"?><net name="é" version="11"><layers/><edges/></net>'
    model = ovgather.read(text.encode("latin-1"))
    assert (model.name, model.problems) == ("é", [])


@pytest.mark.parametrize("name", ["windows-1251", "utf-16", "nonsense"])
def test_encodings_that_openvino_does_not_know(name: str) -> None:
    text = f'<?xml version="1.0" encoding="{name}"?><net name="é" version="11"><layers/><edges/></net>'
    model = ovgather.read(text.encode())
    assert model.name == "é"
    assert [(problem.kind, problem.value) for problem in model.problems] == [
        ("encoding", name)
    ]


def test_broken_utf_16() -> None:
    assert to_utf8(b"\xff\xfe<\x00a\x00\x00\xd8") == (b"<a\xef\xbf\xbd", "utf-16", "")
    assert to_utf8(b"\xff\xfe<") == (b"\xef\xbf\xbd", "utf-16", "")
    assert to_utf8(b"") == (b"", "utf-8", "")


@pytest.mark.parametrize(
    ("head", "word"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git-lfs"),
        (b"PK\x03\x04rest", "ZIP"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"\x08\x07\x12\x07pytorch", "ONNX"),
        (b"\x7fELF", "program"),
        (b'{"a": 1}', "JSON"),
        (b"\n<!DOCTYPE html><html>&nbsp;", "HTML"),
        (b"%PDF-1.7", "PDF"),
        (b"\x00\x01\x02", "binary"),
    ],
)
def test_files_that_are_something_else(head: bytes, word: str, tmp_path: Path) -> None:
    assert word in (describe(head) or "")
    (tmp_path / "model.xml").write_bytes(head)
    (found,) = ovgather.validate(tmp_path / "model.xml")
    assert found.code == "OVG003"
    assert word in found.message


def test_a_zero_byte_in_xml_is_no_binary_file() -> None:
    (found,) = ovgather.validate(IR.encode().replace(b"name=", b"na\x00e="))
    assert (found.code, found.line, found.column) == ("OVG002", 1, 29)


def test_path_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.xml", "a\x00b", "x" * 5_000):
        model = ovgather.read(path)
        assert model.fatal
        assert [problem.kind for problem in model.problems] == ["unreadable"]
