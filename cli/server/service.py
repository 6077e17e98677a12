"""The language server: an editor's questions, answered by the document as it stands."""

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from urllib.parse import unquote

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from ovgather import __version__
from ovgather.cli.server.document import Document
from ovgather.cli.server.protocol import Protocol
from ovgather.cli.server.text import take_changes
from ovgather.errors import ConfigurationError
from ovgather.ir.positions import Span
from ovgather.processes import OverTime, budget
from ovgather.report.finding import texts
from ovgather.validation.diagnostic import Diagnostic, Remedy
from ovgather.verbs.explain import find as find_page

_PAUSE = 0.02
"""Seconds without another change until a text is checked."""
_SECONDS = 20.0
"""What a text may take until it is given up, so that others have their turn."""
_REST = 0.4
_LARGE = 1 << 20
"""Of texts from this length on, findings are shown at once, and what explains them after a rest of so many seconds."""
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}

server = LanguageServer(
    "ovgather",
    __version__,
    text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
    protocol_cls=Protocol,
)
documents: dict[str, Document] = {}
_readable: dict[str, Document] = {}
"""The newest text of each file that is an IR: what is typed is none until its last tag is closed."""
_settings = {"rules": ""}
"""``rules``: the address of ``rules.md`` on a site, to which codes of findings lead."""
_one_at_a_time = ThreadPoolExecutor(1)


class Places:
    """Lines and columns of ovgather, from 1 and in characters, as positions of the editor, and back.

    ``typed``: the text in the editor, where ``document`` is an older one that could be read.
    """

    def __init__(self, document: Document, typed: Document | None = None) -> None:
        self.document = document
        self.source = (typed or document).source
        self.units = server.workspace.position_codec.client_num_units

    def position(self, line: int, column: int) -> types.Position:
        """The position of a line and column; a finding without a line is shown in the first."""
        if self.source.original.isascii():
            text = ""
        else:
            text = self.source.line(max(1, line), max(0, column - 1))
        return types.Position(
            max(0, line - 1), max(0, column - 1) if text.isascii() else self.units(text)
        )

    def range(
        self, line: int, column: int, end_line: int, end_column: int
    ) -> types.Range:
        return types.Range(
            self.position(line, column), self.position(end_line, end_column)
        )

    def of(self, span: Span) -> types.Range:
        first, added = self._change
        bytes_ = map(self.document.source.to_original, span)
        return self.of_original(
            *(byte if byte <= first else max(first, byte + added) for byte in bytes_)
        )

    def of_finding(self, finding: Diagnostic) -> types.Range:
        return self.range(
            finding.line, finding.column, finding.end_line, finding.end_column
        )

    def of_original(self, begin: int, end: int) -> types.Range:
        """The range of bytes of the text as it stands in the editor."""
        return self.range(
            *self.source.lines.position(begin), *self.source.lines.position(end)
        )

    def byte(self, position: types.Position) -> int:
        column = position.character
        if not self.source.original.isascii():
            text = self.source.line(position.line + 1, column)
            column = bisect_left(
                range(len(text)), column, key=lambda end: self.units(text[:end])
            )
        byte = self.source.lines.offset(position.line + 1, column + 1)
        first, added = self._change
        return self.document.parsed(byte if byte <= first else max(first, byte - added))

    @cached_property
    def _change(self) -> tuple[int, int]:
        """The first byte that was typed since the document could be read, and by how many the text became longer."""
        old = self.document.source.original
        new = self.source.original
        if old is new:
            return len(old), 0
        first = bisect_left(
            range(min(len(old), len(new))),
            True,
            key=lambda end: old[: end + 1] != new[: end + 1],
        )
        return first, len(new) - len(old)


@server.feature(types.INITIALIZE)
def initialized(params: types.InitializeParams) -> None:
    """Take changes of texts, and the address of the rules' pages, if the editor has one."""
    take_changes(server.workspace)
    options = params.initialization_options
    if isinstance(options, dict):
        _settings["rules"] = options.get("rules", "")
    else:
        _settings["rules"] = ""


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
async def changed(
    params: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams,
) -> None:
    """Check the text after a pause; only the findings of the newest text are shown."""
    uri = params.text_document.uri
    version = params.text_document.version
    await asyncio.sleep(_PAUSE)
    text = text_of(uri)
    for is_final in (False, True):
        if text is None or text.version != version:
            return
        places = await _newest(uri, is_final)
        if places is None or text.version != version:
            return
        _publish(uri, places)
        if places.document.is_final:
            return
        await asyncio.sleep(_REST)


@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
async def saved(params: types.DidSaveTextDocumentParams) -> None:
    """Check again: the weights or the configuration may be others by now."""
    documents.pop(params.text_document.uri, None)
    if (places := await _newest(params.text_document.uri)) is not None:
        _publish(params.text_document.uri, places)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def closed(params: types.DidCloseTextDocumentParams) -> None:
    """Withdraw the findings."""
    documents.pop(params.text_document.uri, None)
    _readable.pop(params.text_document.uri, None)
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(params.text_document.uri, [])
    )


async def _newest(uri: str, is_final: bool = True) -> Places | None:
    """The places of the newest text; None when it is closed, or the configuration is unusable, which is said."""
    try:
        return await asyncio.get_running_loop().run_in_executor(
            _one_at_a_time, _checked, uri, is_final
        )
    except ConfigurationError as error:
        server.window_show_message(
            types.ShowMessageParams(types.MessageType.Error, f"ovgather: {error}")
        )
        return None


def text_of(uri: str) -> TextDocument | None:
    """The open text; newer versions of pygls keep it by the URI without escapes."""
    documents_by_uri: Mapping[str, TextDocument] = server.workspace.text_documents
    return documents_by_uri.get(uri) or documents_by_uri.get(unquote(uri))


def path_of(uri: str) -> str:
    """The path of a text. What an editor has from elsewhere is no address that the user gave: nothing is fetched."""
    return to_fs_path(uri) or uri.replace("://", ":")


def _checked(uri: str, is_final: bool = True) -> Places | None:
    text = text_of(uri)
    if text is None:
        return None
    path = path_of(uri)
    try:
        with budget(path, _SECONDS):
            document = documents.get(uri)
            if document is None or document.version != text.version:
                is_final = is_final or len(text.source) < _LARGE
                document = Document(path, text.source, text.version, is_final)
            if is_final:
                document.finish()
    except OverTime:
        document = Document(
            path, text.source, text.version, why="it takes too much time"
        )
    except MemoryError:
        document = Document(
            path, text.source, text.version, why="there is too little memory"
        )
    documents[uri] = document
    if not (document.model.fatal and document.findings):
        _readable[uri] = document
    return Places(document)


async def last_readable(uri: str) -> Places | None:
    """The places of the newest text; while a tag is half typed, those of the text before, as they are in the newest."""
    newest = await _newest(uri)
    return newest and Places(_readable.get(uri, newest.document), newest.document)


def _publish(uri: str, places: Places) -> None:
    diagnostics = [
        _diagnostic(uri, finding, places) for finding in places.document.findings
    ]
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri, diagnostics, places.document.version)
    )


def _diagnostic(uri: str, finding: Diagnostic, places: Places) -> types.Diagnostic:
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(uri, places.range(*each[1:])), each.message
        )
        for each in finding.related
    ]
    return types.Diagnostic(
        range=places.of_finding(finding),
        message="\n".join(texts(finding, related=False)),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        source="ovgather",
        code_description=_page(finding.code),
        related_information=related or None,
    )


def _page(code: str) -> types.CodeDescription | None:
    if not _settings["rules"]:
        return None
    return types.CodeDescription(f"{_settings['rules']}#{code.lower()}")


@server.feature(types.TEXT_DOCUMENT_HOVER)
async def hover(params: types.HoverParams) -> types.Hover | None:
    """Where the dim comes from; what is inferred of the layer, and why; the page of the rule of a finding."""
    if (places := await last_readable(params.text_document.uri)) is None:
        return None
    byte = places.byte(params.position)
    facts = filter(
        None, [places.document.dim_at(byte), places.document.explained_at(byte)]
    )
    texts = [f"```text\n{text}\n```" for text in facts]
    for finding in places.document.findings:
        here = places.of_finding(finding)
        if (
            here.start <= params.position <= here.end
            and (topic := find_page(finding.code)) is not None
        ):
            texts.append(
                f"**{topic.name}: {topic.title}**\n\n```text\n{topic.text.strip()}\n```"
            )
    if texts:
        return types.Hover(
            types.MarkupContent(
                types.MarkupKind.Markdown, "\n\n".join(dict.fromkeys(texts))
            )
        )
    return None


@server.feature(types.TEXT_DOCUMENT_DEFINITION)
async def definition(params: types.DefinitionParams) -> list[types.Location]:
    """The producer of the tensor at an edge or a port."""
    return await _locations(
        params.text_document.uri, params.position, Document.producers_at
    )


@server.feature(types.TEXT_DOCUMENT_REFERENCES)
async def references(params: types.ReferenceParams) -> list[types.Location]:
    """The consumers of the tensor at an edge or a port."""
    return await _locations(
        params.text_document.uri, params.position, Document.consumers_at
    )


async def _locations(
    uri: str,
    position: types.Position,
    ports_at: Callable[[Document, int], Iterable[Span]],
) -> list[types.Location]:
    if (places := await last_readable(uri)) is None:
        return []
    return [
        types.Location(uri, places.of(span))
        for span in ports_at(places.document, places.byte(position))
    ]


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
async def outline(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """The Gather layers, with their shapes, of the newest text that can be read."""
    if (places := await last_readable(params.text_document.uri)) is None:
        return []
    return [
        types.DocumentSymbol(
            name, types.SymbolKind.Function, places.of(whole), places.of(tag), detail
        )
        for name, detail, whole, tag in places.document.outline()
    ]


_KINDS = [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]


@server.feature(
    types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=_KINDS)
)
async def fixes(params: types.CodeActionParams) -> list[types.CodeAction]:
    """The fixes of the findings in the lines of a range, the safe ones preferred, and all safe fixes of the file."""
    uri = params.text_document.uri
    if (places := await _newest(uri)) is None:
        return []
    kinds = params.context.only
    actions = []
    for finding in places.document.findings:
        here = places.of_finding(finding)
        is_near = (
            here.start.line <= params.range.end.line
            and params.range.start.line <= here.end.line
        )
        if (
            is_near
            and (kinds is None or types.CodeActionKind.QuickFix in kinds)
            and finding.remedy is not None
        ):
            actions.append(_action(uri, finding, finding.remedy, places))
        if is_near and (kinds is None or types.CodeActionKind.QuickFix in kinds):
            actions += _ignoring(uri, finding, places)
    if any(kind.startswith("source") for kind in kinds or ()):
        edits = [
            types.TextEdit(
                places.of_original(region.start, region.end),
                region.inserted.decode("utf-8", "replace"),
            )
            for region in places.document.fixes()
        ]
        kind = types.CodeActionKind.SourceFixAll
        edit = types.WorkspaceEdit({uri: edits})
        if edits:
            actions += [types.CodeAction("Make all safe fixes", kind, edit=edit)]
    return actions


def _action(
    uri: str, finding: Diagnostic, remedy: Remedy, places: Places
) -> types.CodeAction:
    edits = [
        types.TextEdit(places.range(*each[:4]), each.text)
        for each in remedy.replacements
    ]
    risk = "" if remedy.safe else " (may change what the model computes)"
    return types.CodeAction(
        f"Fix {finding.code}: {remedy.what}{risk}",
        types.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(uri, finding, places)],
        is_preferred=remedy.safe,
        edit=types.WorkspaceEdit({uri: edits}),
    )


def _ignoring(uri: str, finding: Diagnostic, places: Places) -> list[types.CodeAction]:
    """The action that puts a comment before the layer, or the edge, or the whole model."""
    if (comment := places.document.ignoring(finding)) is None:
        return []
    byte, text = comment
    edits = types.WorkspaceEdit(
        {uri: [types.TextEdit(places.of_original(byte, byte), text)]}
    )
    title = f"Ignore this finding ({finding.code})"
    about = [_diagnostic(uri, finding, places)]
    return [
        types.CodeAction(
            title, types.CodeActionKind.QuickFix, diagnostics=about, edit=edits
        )
    ]
