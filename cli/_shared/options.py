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
    help="The .bin, if it is not beside the .xml under the same name.",
)
follow_links = click.option(
    "--follow-links", is_flag=True, help="Take weights beside the model also where a link leads elsewhere."
)
layer = click.option(
    "--layer", metavar="LAYER", help="Name or id of a layer; before it the path of bodies to a nested one."
)
output = click.option("-o", "--output", metavar="FILE", help="Write there, not to standard output.")
color = click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Paint the text.")


def format_of(what: str, configured: bool = False) -> Decorator:
    """``--format``, with the formats that there are renderers for; ``configured``: a file may say which, too."""
    default = None if configured else "text"
    help = "How to print.  [default: text]"
    return click.option("--format", type=click.Choice(formats(what)), default=default, help=help)
