"""The server and a real client, over standard input and output."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from paths import ROOT

pytest_lsp = pytest.importorskip("pytest_lsp")
pytest.importorskip("pygls")

from lsprotocol import types  # noqa: E402
from pytest_lsp import ClientServerConfig, LanguageClient  # noqa: E402

pytestmark = pytest.mark.runtime
DEMO = ROOT / "samples_xml" / "demo"
BROKEN, GOOD = (f"file://{DEMO / name}" for name in ("broken.xml", "good.xml"))
COMMAND = [sys.executable, "-c", "from ovgather.cli.main import main; main()", "server"]


@pytest_lsp.fixture(scope="module", config=ClientServerConfig(server_command=COMMAND))
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    general = types.GeneralClientCapabilities(
        position_encodings=[types.PositionEncodingKind.Utf16]
    )
    capabilities = types.ClientCapabilities(general=general)
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=capabilities)
    )
    for uri in (BROKEN, GOOD):
        await opened(lsp_client, uri, (DEMO / Path(uri).name).read_text())
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, uri: str, text: str) -> list[types.Diagnostic]:
    document = types.TextDocumentItem(uri, "xml", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[uri])


def where(uri: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(uri)


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="module")
async def test_findings(client: LanguageClient) -> None:
    found = client.diagnostics[BROKEN]
    assert [each.code for each in found] == [
        "OVG203",
        "OVG501",
        "OVG402",
        "OVG102",
        "OVG107",
        "OVG206",
    ]
    unknown = found[3]
    assert (
        unknown.range.start.line,
        unknown.range.start.character,
        unknown.range.end.character,
    ) == (205, 9, 13)
    assert unknown.message.splitlines()[0] == "unknown attribute `Axis`"
    assert unknown.message.splitlines()[-1] == "help: did you mean `axis`?"
    assert unknown.severity == types.DiagnosticSeverity.Error
    assert not client.diagnostics[GOOD]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", ["a%20b", "m%C3%A9", "a%2525b", "c%3A"])
async def test_a_path_may_have_escapes(client: LanguageClient, name: str) -> None:
    assert (
        len(
            await opened(
                client, f"file:///nowhere/{name}.xml", (DEMO / "broken.xml").read_text()
            )
        )
        == 6
    )


@pytest.mark.asyncio(loop_scope="module")
async def test_a_fix_is_made_and_the_finding_goes(client: LanguageClient) -> None:
    finding = client.diagnostics[BROKEN][3]
    context = types.CodeActionContext([finding])
    line_start = types.Position(finding.range.start.line, 0)
    [action, _] = await client.text_document_code_action_async(
        types.CodeActionParams(
            where(BROKEN), types.Range(line_start, line_start), context
        )
    )
    title = "Fix OVG102: `Axis` is now `axis` (may change what the model computes)"
    assert (action.kind, action.title) == ("quickfix", title)
    assert action.is_preferred is False
    [edit] = action.edit.changes[BROKEN]
    lines = (DEMO / "broken.xml").read_text().splitlines(keepends=True)
    start, end = edit.range.start, edit.range.end
    line = lines[start.line]
    lines[start.line] = line[: start.character] + edit.new_text + line[end.character :]
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=2, uri=BROKEN),
            [types.TextDocumentContentChangeWholeDocument("".join(lines))],
        )
    )
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert "OVG102" not in [each.code for each in client.diagnostics[BROKEN]]


@pytest.mark.asyncio(loop_scope="module")
async def test_all_safe_fixes(client: LanguageClient) -> None:
    everywhere = types.Range(types.Position(0, 0), types.Position(0, 0))
    context = types.CodeActionContext([], only=[types.CodeActionKind.SourceFixAll])
    [action] = await client.text_document_code_action_async(
        types.CodeActionParams(where(BROKEN), everywhere, context)
    )
    assert (action.kind, action.title) == ("source.fixAll", "Make all safe fixes")
    assert action.edit.changes[BROKEN]


@pytest.mark.asyncio(loop_scope="module")
async def test_hover_definition_references_and_outline(client: LanguageClient) -> None:
    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(where(GOOD))
    )
    assert [each.name for each in symbols][:2] == [
        "word_embedding",
        "position_embedding",
    ]
    assert symbols[0].detail == "Gather-8 [10,4], [?,6] -> [?,6,4]"
    inside = symbols[0].selection_range.start
    hover = await client.text_document_hover_async(
        types.HoverParams(where(GOOD), inside)
    )
    assert "dim 1 = 6: indices dim 1 (the axis)" in hover.contents.value
    producers = await client.text_document_definition_async(
        types.DefinitionParams(where(GOOD), inside)
    )
    assert [each.range.start.line for each in producers] == [13, 4, 22]
    context = types.ReferenceContext(include_declaration=False)
    consumers = await client.text_document_references_async(
        types.ReferenceParams(context, where(GOOD), inside)
    )
    assert len(consumers) == 1


@pytest.mark.asyncio(loop_scope="module")
async def test_columns_count_utf16_and_the_last_version_wins(
    client: LanguageClient,
) -> None:
    uri = "untitled:one"
    text = '<net name="m" version="11"><layers/><edges/>\n<!-- \U0001f600 --><a b=1 c="&"/></net>'
    found = await opened(client, uri, text)
    assert {
        each.range.start.character for each in found if each.range.start.line == 1
    } >= {text.index("1 c") - 44}
    for version in range(2, 6):
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=version, uri=uri),
                [
                    types.TextDocumentContentChangeWholeDocument(
                        text if version < 5 else "<project/>"
                    )
                ],
            )
        )
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not client.diagnostics[uri]


@pytest.mark.asyncio(loop_scope="module")
async def test_unusable_configuration_is_said(
    client: LanguageClient, tmp_path: Path
) -> None:
    (tmp_path / "ovgather.toml").write_text("wrong = 1\n")
    document = types.TextDocumentItem(f"file://{tmp_path}/m.xml", "xml", 1, "<net/>")
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    await client.wait_for_notification(types.WINDOW_SHOW_MESSAGE)
    assert client.messages[-1].message.endswith("ovgather.toml: unknown key `wrong`")
    assert client.messages[-1].message.startswith("ovgather: ")


@pytest.mark.asyncio(loop_scope="module")
async def test_outline_hover_and_ways_stay_while_a_tag_is_typed(
    client: LanguageClient,
) -> None:
    uri = "untitled:typed"
    text = (DEMO / "good.xml").read_text()
    await opened(client, uri, text)
    half = text.replace("<input>", "<input>\n\n<port id=", 1)
    starts = [
        text.count("\n", 0, text.index(f'<layer id="{number}"')) for number in (1, 3)
    ]
    for version, typed, number in ((2, half, 5), (3, "<project/>", 0)):
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=version, uri=uri),
                [types.TextDocumentContentChangeWholeDocument(typed)],
            )
        )
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        symbols = await client.text_document_document_symbol_async(
            types.DocumentSymbolParams(where(uri))
        )
        assert len(symbols or ()) == number
        below = types.Position(starts[1] + 3 + half.count("\n") - text.count("\n"), 8)
        hover = await client.text_document_hover_async(
            types.HoverParams(where(uri), below)
        )
        assert ("word_embedding" in hover.contents.value) if number else hover is None
        producers = await client.text_document_definition_async(
            types.DefinitionParams(where(uri), below)
        )
        assert [each.range.start.line for each in producers or ()] == (
            [starts[0] + 3] if number else []
        )


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("end", ["\n", "\r\n"])
async def test_changes_of_parts(client: LanguageClient, end: str) -> None:
    uri = f"untitled:parts{len(end)}"
    text = (
        (DEMO / "good.xml")
        .read_text()
        .replace("\n", end)
        .replace("word_embedding", "word_\U0001f600", 1)
    )
    await opened(client, uri, text)
    lines = text.split(end)
    line = next(number for number, each in enumerate(lines) if "\U0001f600" in each)
    # The emoji stands before it, and has two units.
    column = lines[line].index("type=") + 1
    at = types.Position(line, column)
    change = types.TextDocumentContentChangePartial(
        types.Range(at, types.Position(line, column + 4)), "kind"
    )
    later = types.TextDocumentContentChangePartial(
        types.Range(at, types.Position(line, column + 4)), "Type"
    )
    document = types.VersionedTextDocumentIdentifier(version=2, uri=uri)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(document, [change, later])
    )
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    found = [each for each in client.diagnostics[uri] if each.code == "OVG101"]
    assert [
        (each.message.splitlines()[0], each.range.start.line) for each in found
    ] == [("<layer> has no type", line)]


@pytest.mark.asyncio(loop_scope="module")
async def test_completion_lenses_and_ignoring(client: LanguageClient) -> None:
    lines = (DEMO / "good.xml").read_text().splitlines()
    line = next(number for number, each in enumerate(lines) if 'type="TopK"' in each)
    inside = types.Position(line, lines[line].index("TopK"))
    found = await client.text_document_completion_async(
        types.CompletionParams(where(GOOD), inside)
    )
    assert "GatherElements" in [each.label for each in found]
    lenses = await client.text_document_code_lens_async(
        types.CodeLensParams(where(GOOD))
    )
    assert [each.command.title for each in lenses[:2]] == ["1 consumer", "cross-check"]
    assert [*lenses[1].command.arguments] == [GOOD, "#3"]
    finding = client.diagnostics[BROKEN][0]
    context = types.CodeActionContext([finding])
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(where(BROKEN), finding.range, context)
    )
    [ignore] = [each for each in actions if each.title.startswith("Ignore")]
    [edit] = ignore.edit.changes[BROKEN]
    assert edit.new_text.startswith(
        "<!-- ovgather: ignore OVG203 accepted: say why -->"
    )
    hover = await client.text_document_hover_async(
        types.HoverParams(where(BROKEN), finding.range.start)
    )
    assert (
        "**OVG203: declared output dims that differ from the inferred ones**"
        in hover.contents.value
    )
