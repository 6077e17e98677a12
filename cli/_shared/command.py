"""The command line that is being obeyed, spelt out again."""

from __future__ import annotations

import click
from click.core import ParameterSource


def given_options(context: click.Context) -> dict[str, str]:
    """The options that were given, by their long names; that of a flag is empty."""
    found: dict[str, str] = {}
    for parameter in context.command.params:
        name = parameter.name or ""
        if isinstance(parameter, click.Option) and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            found[max(parameter.opts, key=len)] = "" if parameter.is_flag else str(context.params[name])
    return found


def spelt(context: click.Context) -> list[str]:
    """The whole command: the verb, its arguments, then its options.

    >>> verb = click.Command("show", params=[click.Argument(["path"]), click.Option(["-o", "--output"])])
    >>> with verb.make_context("show", ["-o", "x", "m.xml"]) as context:
    ...     spelt(context)
    ['ovgather', 'show', 'm.xml', '--output', 'x']
    """
    words = ["ovgather", context.info_name or ""]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter, click.Argument) and value is not None:
            words += [value] if isinstance(value, str) else value
    for option, value in given_options(context).items():
        words += [option, value] if value else [option]
    return words
