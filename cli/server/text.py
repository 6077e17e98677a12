"""Texts in an editor: a change is put into one of megabytes in milliseconds."""

from __future__ import annotations

import re
from typing import Any

from lsprotocol import types
from pygls.workspace import TextDocument

_LINE_END = re.compile(r"\r\n?|\n")


class EditedText(TextDocument):
    """A document that cuts its text at the ends of a change, where pygls writes all lines anew."""

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        if isinstance(change, types.TextDocumentContentChangePartial):
            source = self.source
            begin = self._offset(source, change.range.start)
            end = self._offset(source, change.range.end)
            self._source = source[:begin] + change.text + source[end:]
        else:
            super().apply_change(change)

    def _offset(self, source: str, position: types.Position) -> int:
        """The character at a position, whose column counts units of the client."""
        begin = 0
        if "\r" in source:
            ends = [
                end.end()
                for _, end in zip(
                    range(position.line), _LINE_END.finditer(source), strict=False
                )
            ]
            if len(ends) == position.line and ends:
                begin = ends[-1]
            else:
                begin = len(source) * (position.line > 0)
        else:
            for _ in range(position.line):
                begin = source.find("\n", begin) + 1
                if not begin:
                    return len(source)
        end = source.find("\n", begin)
        line = source[begin : len(source) if end < 0 else end].removesuffix("\r")
        column = position.character
        if not line.isascii():
            at = types.Position(0, column)
            column = self._position_codec.position_from_client_units(
                [line[:column]], at
            ).character
        return begin + min(column, len(line))


def take_changes(workspace: Any) -> None:
    """Make the documents of ``workspace`` such texts."""

    def create(
        uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> EditedText:
        return EditedText(
            uri,
            source=source,
            version=version,
            language_id=language_id,
            sync_kind=types.TextDocumentSyncKind.Incremental,
            position_codec=workspace.position_codec,
        )

    workspace._create_text_document = create
