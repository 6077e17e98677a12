"""The readers, the rules and inference on spoilt documents: nothing is raised, places are places, and the quick reader
agrees with the full one. ``python tests/ir/test_mutated_files.py 600 7`` looks on for 600 seconds from seed 7."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from documents import RICH, documents
from mutations import spoil
from reader_records import records

import ovgather
from ovgather.ir.bulk.reader import read_bulk
from ovgather.ir.reader.reader import Reader
from ovgather.validation.diagnostic import Diagnostic
from ovgather.verbs.infer import infer

WEIGHTS = bytes([1, 0, 0, 0, 0, 0, 0, 0]) * 40


def judge(data: bytes) -> bool:
    """Raises if anything about ``data`` is not as it should be; whether the quick reader took it."""
    model = ovgather.read(data, WEIGHTS)
    found = ovgather.validate(model)
    require_places(model.source.original, found)
    inferred = infer(model)
    if model.fatal:
        assert any(diagnostic.severity == "error" for diagnostic in found)
        assert inferred.error
        assert not inferred.layers
    quick = records(data, read_bulk)
    if quick is not None:
        assert quick == records(
            data, lambda model, data: Reader(model).parse(data) or True
        )
    return quick is not None


def require_places(text: bytes, found: Iterable[Diagnostic]) -> None:
    """Every finding stands in the text, and does not end before it starts."""
    lines = [
        len(line.decode("utf-8", "surrogateescape"))
        for line in text.split(newline_of(text))
    ]
    for diagnostic in found:
        for line, column in (
            (diagnostic.line, diagnostic.column),
            (diagnostic.end_line, diagnostic.end_column),
        ):
            assert 1 <= line <= len(lines), diagnostic
            assert 1 <= column <= lines[line - 1] + 1, diagnostic
        assert (diagnostic.line, diagnostic.column) <= (
            diagnostic.end_line,
            diagnostic.end_column,
        ), diagnostic


def newline_of(text: bytes) -> bytes:
    return b"\r" if b"\r" in text and b"\n" not in text else b"\n"


@pytest.mark.slow
def test_spoilt_documents() -> None:
    chance, bases = random.Random(1), documents()
    quick = sum(judge(spoil(chance.choice(bases), chance)) for _ in range(1_200))
    assert quick > 120


@pytest.mark.parametrize("start", [0, 18])
def test_truncated_documents(start: int) -> None:
    for end in range(start, len(RICH), 37):
        judge(RICH[:end])


def test_bytes_that_are_no_document() -> None:
    chance = random.Random(2)
    for length in (0, 1, 2, 3, 5, 50, 500):
        for _ in range(20):
            judge(chance.randbytes(length))
            judge(bytes(chance.choices(b"<>\"'&;!-?/=[] anetlyrportdim0", k=length)))
    for data in (
        b"<",
        b"<!",
        b"<!-",
        b"<!--",
        b"<![CDATA[",
        b"<?xml",
        b"<net",
        b"<net>",
        b"&",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"<\x00",
    ):
        judge(data)


if __name__ == "__main__":
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    chance, bases = random.Random(seed), documents()
    until, done = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        data = spoil(chance.choice(bases), chance)
        done += 1
        try:
            judge(data)
        except Exception as error:
            path = Path(f"spoilt-{seed}-{done}.xml")
            path.write_bytes(data)
            print(f"{path}: {type(error).__name__}: {str(error)[:300]}", flush=True)
    print(f"{done} documents")
