"""``ovgather server``: an IR checked and explained in an editor, by the Language Server Protocol."""

import os
import signal

import click

from ovgather.errors import UnavailableError
from ovgather.processes import ENDING, installing, is_installed


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

    for number in ENDING:  # a thread that waits for the editor keeps the interpreter from ending, and nothing is lost
        signal.signal(number, lambda number, frame: os._exit(128 + number))
    assistance.server.start_io()
    return 0
