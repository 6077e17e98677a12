"""Options that several verbs take."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ovgather.cli._shared.outputs import Report
from ovgather.report import formats

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
existing_file = click.Path(exists=True, dir_okay=False)


def all_of(*options: Decorator) -> Decorator:
    """The decorator that gives a command several options, in this order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def grouped(name: str, kind: type[Any], *options: Decorator, **constants: object) -> Decorator:
    """Several options that reach the command as one argument ``name``: a ``kind`` of NamedTuple, by its fields."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def call(**values: Any) -> Any:
            fields = {field: values.pop(field) for field in kind._fields if field in values}
            return command(**{name: kind(**fields, **constants)}, **values)

        return all_of(*options)(call)

    return decorate


paths = click.argument("paths", metavar="PATH...", nargs=-1, required=True)
path = click.argument("path", metavar="PATH")
weights = click.option(
    "--weights",
    metavar="FILE",
    type=existing_file,
    help="The .bin file, if it is not beside the .xml under the same name.",
)
follow_links = click.option(
    "--follow-links", is_flag=True, help="Follow a link from the weights beside the model to another folder."
)


def _layers(context: click.Context, parameter: click.Parameter, beginning: str) -> list[str]:
    """The Gather layers of the model on the command line, for the completion of a shell."""
    from ovgather.errors import OvgatherError
    from ovgather.layers.formats import gathers, read

    path = context.params.get("path") or next(iter(context.params.get("paths") or context.args), None)
    try:
        references = [gather.reference for gather in gathers(read(path))] if path else []
    except OvgatherError:
        return []
    names = ("/".join((*each.body, each.name or f"#{each.id}")) for each in references)
    return [name for name in names if name.startswith(beginning)]


layer = click.option(
    "--layer",
    metavar="LAYER",
    shell_complete=_layers,
    help="Name or id of a layer; of a nested one with its path: loop/body/pick.",
)
model_inputs = click.option(
    "--inputs",
    metavar="FILE.npz",
    type=existing_file,
    help="The model's inputs, by name or as in0, in1, ... in Parameter order, instead of random ones.",
)
output = click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output.")
force = click.option("--force", is_flag=True, help="Overwrite existing files, but never the inputs.")
color = click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Color the text.")
dask = click.option(
    "--dask", metavar="ADDRESS", help="Work on the workers of this dask scheduler, which see the same files."
)


def seed_of(what: str) -> Decorator:
    """``--seed``."""
    return click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help=f"Seed of {what}.")


def timeout_of(seconds: float) -> Decorator:
    """``--timeout``, ``seconds`` where it is not given."""
    kind = click.FloatRange(0, min_open=True)
    help = "Time limit of one run."
    return click.option("--timeout", metavar="SECONDS", type=kind, default=seconds, show_default=True, help=help)


def report(what: str, to_file: bool = True, configured: bool = False) -> Decorator:
    """``--format``, ``--output`` and ``--color`` as the ``Report`` of a verb; ``configured``: a file may say which."""
    default = None if configured else "text"
    help = "Output format.  [default: text]"
    format = click.option("--format", type=click.Choice(formats(what)), default=default, help=help)
    return grouped("report", Report, format, *[output][: int(to_file)], color, what=what)


def _pair(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """``NAME=VALUE``, as often as it is given."""
    for value in values:
        if not value.partition("=")[0] or "=" not in value:
            raise click.BadParameter(f"{value!r} must be {parameter.metavar}")
    return dict(value.split("=", 1) for value in values)


config = click.option(
    "--config",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_pair,
    help="A property that OpenVINO compiles with; without a value, ovgather's own is left out.",
)
plugins = click.option(
    "--plugin",
    "plugins",
    metavar="NAME=LIBRARY",
    multiple=True,
    callback=_pair,
    help="An OpenVINO plugin to register before compiling, for --device NAME.",
)
tolerance = click.option(
    "--tolerance",
    metavar="BOUNDS",
    help="For devices that compute in f16 or bf16, how far values may be off: 0.001 (absolute), 0.1% (relative), 2ulp, "
    "or several with commas between them.",
)
