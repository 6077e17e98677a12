"""Positions in long lines: the editor's units are counted in front of a position, not to the end of the line."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from paths import ROOT

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.workspace import PositionCodec

from ovgather.cli.server import assistance
from ovgather.cli.server.document import Document
from ovgather.cli.server.text import EditedText

GOOD = (ROOT / "samples_xml" / "demo" / "good.xml").read_text()


class Counting(PositionCodec):
    """Counts the characters that it looks at."""

    looked_at = 0

    def position_from_client_units(self, lines: Any, position: types.Position) -> Any:
        self.looked_at += len(lines[position.line])
        return super().position_from_client_units(lines, position)


def test_a_change_in_a_long_line() -> None:
    codec = Counting()
    text = EditedText("file:///m.xml", "😀" + "x" * 10_000, position_codec=codec)
    at = types.Position(0, 5)
    text.apply_change(
        types.TextDocumentContentChangePartial(types.Range(at, at), "here")
    )
    assert text.source.startswith("😀xxxherex")
    assert codec.looked_at <= 2 * 5


def test_completion_in_a_long_line(monkeypatch: pytest.MonkeyPatch) -> None:
    codec = Counting()
    line = GOOD.replace("\n", " ").replace("word_table", "😀")
    text = EditedText("file:///m.xml", line, position_codec=codec)

    async def last_readable(uri: str) -> Any:
        return SimpleNamespace(document=Document("m.xml", line, 1))

    monkeypatch.setattr(assistance, "text_of", lambda uri: text)
    monkeypatch.setattr(assistance, "last_readable", last_readable)
    start = line.index('type="Gather"') + len('type="')
    place = types.CompletionParams(
        types.TextDocumentIdentifier(text.uri), types.Position(0, start + 1)
    )
    proposed = asyncio.run(assistance.completion(place))
    assert "GatherElements" in [each.label for each in proposed]
    assert codec.looked_at == start + 1
