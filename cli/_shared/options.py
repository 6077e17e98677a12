"""Options that several verbs take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ovgather.report import formats

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

paths = click.argument("paths", metavar="PATH...", nargs=-1, required=True)
path = click.argument("path", metavar="PATH")
weights = click.option(
    "--weights",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="The .bin file, if it is not beside the .xml under the same name.",
)
follow_links = click.option(
    "--follow-links", is_flag=True, help="Follow a link from the weights beside the model to another folder."
)
layer = click.option(
    "--layer", metavar="LAYER", help="Name or id of a layer; of a nested one with its path: loop/body/pick."
)
output = click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output.")
color = click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Color the text.")


def format_of(what: str, configured: bool = False) -> Decorator:
    """``--format``, with the formats that there are renderers for; ``configured``: a file may say which, too."""
    default = None if configured else "text"
    help = "Output format.  [default: text]"
    return click.option("--format", type=click.Choice(formats(what)), default=default, help=help)
