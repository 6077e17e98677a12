"""Lines and columns, before and after repair."""

from __future__ import annotations

import random

import pytest

from ovgather.ir.text import Edit, Lines, Source, decode

PIECES = [
    b"a",
    b"<dim>",
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\t",
    "é".encode(),
    "→".encode(),
    "😀".encode(),
    b"\xff",
    b"\xe2\x82",
]


def slow_position(text: bytes, offset: int) -> tuple[int, int]:
    newline = b"\r" if b"\r" in text and b"\n" not in text else b"\n"
    before = (
        text[:offset].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    )
    lines = before.split(newline.decode())
    return len(lines), len(lines[-1]) + 1


@pytest.mark.parametrize("longest", [50, 20_000])
def test_positions_and_back(longest: int) -> None:
    chance = random.Random(4)
    for _ in range(60):
        pieces = chance.sample(PIECES, chance.randrange(1, len(PIECES)))
        text = b"".join(chance.choices(pieces, k=chance.randrange(longest)))
        lines = Lines(text)
        for _ in range(20):
            offset = chance.randrange(len(text) + 1)
            while offset < len(text) and 0x80 <= text[offset] < 0xC0:
                offset += 1  # not within a character
            line, column = lines.position(offset)
            assert (line, column) == slow_position(text, offset)
            assert lines.offset(line, column) == offset


def test_byte_order_mark_is_no_character() -> None:
    source = Source(b"\xef\xbb\xbf<net>\n<a/>")
    assert source.position(3) == (1, 1)
    assert source.position(0) == (1, 1)
    assert source.position(4) == (1, 2)
    assert source.line(1) == "<net>"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_ends_of_lines(newline: str) -> None:
    source = Source(newline.join(("<net>", "  <a/>", "", "</net>")).encode())
    assert source.position(source.data.index(b"<a/>")) == (2, 3)
    assert [source.line(number) for number in range(1, 6)] == [
        "<net>",
        "  <a/>",
        "",
        "</net>",
        "",
    ]


def test_part_of_a_line() -> None:
    source = Source(("é" * 9_000 + "xyz\nlast").encode())
    assert source.line(1, 2, 9_001) == "xy"
    assert source.line(1, 100, 8_999) == "ééxyz"
    assert source.line(2, 2) == "la"


def test_bytes_that_are_no_text() -> None:
    source = Source(b'<a name="caf\xe9"/> <b/>\n')
    assert source.position(source.data.index(b"<b/>")) == (1, 18)
    assert (
        source.line(1)[source.position(source.data.index(b"<b/>"))[1] - 1 :] == "<b/>"
    )
    assert decode(b"\xff\xfe\n") == "\ufffd\ufffd\n"


def test_places_beyond_the_end() -> None:
    source = Source(b"ab\nc")
    assert source.position(99) == (2, 2)
    assert source.position(-1) == (1, 1)
    assert source.line(9) == ""


def test_edits() -> None:
    source = Source(b"<a b=1 c=2>&</a>")
    source.apply(
        [
            Edit(11, 1, b"&amp;", "&"),
            Edit(5, 1, b'"1"', "quotes"),
            Edit(9, 1, b'"2"', "quotes"),
        ]
    )
    assert source.data == b'<a b="1" c="2">&amp;</a>'
    assert [edit.start for edit in source.edits] == [5, 9, 11]
    assert source.position(source.data.index(b"</a>")) == (1, 13)
    assert source.position(source.data.index(b"c=")) == (1, 8)


def test_edits_that_overlap() -> None:
    source = Source(b"0123456789")
    source.apply(
        [
            Edit(4, 1, b"x", ""),
            Edit(2, 5, b"", ""),
            Edit(2, 1, b"y", ""),
            Edit(7, 1, b"z", ""),
        ]
    )
    assert source.data == b"01z89"
    assert len(source.edits) == 2


def test_edits_at_random() -> None:
    chance = random.Random(5)
    for _ in range(500):
        text = bytes(chance.choices(range(97, 123), k=chance.randrange(30)))
        edits = []
        for _ in range(chance.randrange(5)):
            start = chance.randrange(len(text) + 1)
            removed = min(chance.randrange(4), len(text) - start)
            edits.append(Edit(start, removed, b"#" * chance.randrange(4), ""))
        source = Source(text)
        source.apply(edits)
        previous = 0
        for offset in range(len(source.data) + 1):
            original = source.to_original(offset)
            assert previous <= original <= len(text)
            previous = original
            if offset < len(source.data) and source.data[offset] != ord("#"):
                assert text[original] == source.data[offset]


@pytest.mark.slow
def test_many_places_in_one_long_line() -> None:
    source = Source(("é<dim>7</dim>" * 100_000).encode())
    assert source.position(len(source.data)) == (1, 1_300_001)
    assert [source.line(1, 6, column) for column in range(2, 1_300_001, 13)].count(
        "<dim>7"
    ) == 100_000
