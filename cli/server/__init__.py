"""``ovgather server``: an IR checked and explained in an editor, by the Language Server Protocol."""

import logging
import os
import signal
from traceback import extract_tb

import click

from ovgather.cli._shared.outputs import say
from ovgather.errors import UnavailableError
from ovgather.processes import ENDING, installing, is_installed

_LONGEST = 300


class _Lines(logging.Handler):
    """Says in a line what pygls logs, such as of a message that is none: an editor shows it to its user."""

    def emit(self, record: logging.LogRecord) -> None:
        lines = record.getMessage().splitlines() or [""]
        text = lines[0][:_LONGEST]
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            place = extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__}: {error}"[:_LONGEST]
            text = f"{text}: {what} ({place.filename}:{place.lineno})"
        say(text)


def _is_told(record: logging.LogRecord) -> bool:
    """Whether a record is more than a check that ends because the editor is gone."""
    from asyncio import CancelledError  # 40 ms, which no other command needs

    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, CancelledError)


@click.command()
def command() -> int:
    """Serve an editor: the Language Server Protocol on standard input and output.

    The editor shows the findings of an IR while you type, with fixes, the inferred shape of a Gather layer and the
    reason of each dim, an outline of the Gather layers, and the way from a port or an edge to producers and consumers.
    It completes types, versions, attributes and ids.
    The docs page "editor" has the settings of VS Code, Neovim and Helix. Needs the extra ovgather[lsp].

    \b
    pip install ".[lsp]"
    ovgather server        # an editor starts it
    """
    if not is_installed("pygls"):
        raise UnavailableError(
            f"pygls is not installed, and the server needs it: {installing('lsp')}"
        )
    from ovgather.cli.server import assistance

    logging.getLogger("pygls").addHandler(_Lines(logging.WARNING))
    logging.getLogger("asyncio").addFilter(_is_told)
    for number in ENDING:  # a thread that waits for the editor keeps the interpreter from ending, and nothing is lost
        signal.signal(number, lambda number, frame: os._exit(128 + number))
    assistance.server.start_io()
    os._exit(0)  # the editor is gone: nobody waits for the text in hand
