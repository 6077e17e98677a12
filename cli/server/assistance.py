"""The language server: what may be typed, and what one can do with a Gather layer; registered when it is imported."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, STDOUT

from lsprotocol import types

from ovgather.cli.server.completion import proposals
from ovgather.cli.server.service import last_readable, path_of, server, text_of
from ovgather.layers.reference import key_of
from ovgather.processes import command
from ovgather.text import count

__all__ = ["server"]


@server.feature(
    types.TEXT_DOCUMENT_COMPLETION,
    types.CompletionOptions(trigger_characters=['"', " "]),
)
async def completion(params: types.CompletionParams) -> list[types.CompletionItem]:
    """Types, versions, attributes, ids; those of layers from the last text that could be read."""
    if (text := text_of(params.text_document.uri)) is None or (
        places := await last_readable(text.uri)
    ) is None:
        return []
    line = params.position.line
    before = "".join(text.lines[:line])
    if line < len(text.lines):
        here = text.lines[line]
    else:
        here = ""
    units = params.position.character
    column = text.position_codec.position_from_client_units(
        [here[:units]], types.Position(0, units)
    ).character
    data = f"{before}{here}".encode("utf-8", "replace")
    byte = len(f"{before}{here[:column]}".encode("utf-8", "replace"))
    return [
        types.CompletionItem(
            each.text, detail=each.about or None, sort_text=f"{number:05}"
        )
        for number, each in enumerate(proposals(data, byte, places.document.model))
    ]


@server.feature(types.TEXT_DOCUMENT_CODE_LENS)
async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
    """Above each Gather layer: how many layers take its output, and its cross-check."""
    uri = params.text_document.uri
    if (places := await last_readable(uri)) is None:
        return []
    made = []
    for layer, number, tag in places.document.lenses():
        here = places.of(tag)
        name = key_of(layer)
        consumers = types.Command(
            count(number, "consumer"), "ovgather.consumers", arguments=[uri, here.start]
        )
        check = types.Command(
            "cross-check", "ovgather.crosscheck", arguments=[uri, name]
        )
        made += [types.CodeLens(here, consumers), types.CodeLens(here, check)]
    return made


@server.command("ovgather.crosscheck")
async def crosscheck(uri: str, layer: str) -> None:
    """Cross-check a layer of the saved file, and say what came of it."""
    words = [
        "crosscheck",
        path_of(uri),
        "--layer",
        layer,
        "--quick",
        "--color",
        "never",
    ]
    code = f"from ovgather.cli.main import main; main({words!r})"
    child = await asyncio.create_subprocess_exec(
        *command(code), stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
    )
    output, _ = await child.communicate()
    if child.returncode == 0:
        kind = types.MessageType.Info
    else:
        kind = types.MessageType.Warning
    said = output.decode("utf-8", "replace").strip().splitlines() or [
        "nothing was said"
    ]
    server.window_log_message(types.LogMessageParams(kind, "\n".join(said)))
    server.window_show_message(types.ShowMessageParams(kind, f"ovgather: {said[-1]}"))
