"""Options that several verbs take, and the layer of a file that some of them name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ovgather.cli._shared import completion
from ovgather.cli._shared.outputs import ReportOptions, say
from ovgather.report import formats

if TYPE_CHECKING:
    from ovgather.layers.formats import AnyModel

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
existing_file = click.Path(exists=True, dir_okay=False)


def option(
    words: str, help: str, complete: str | None = None, **more: Any
) -> Decorator:
    """An option with a value: ``words`` are its names and what stands for the value, ``-o --output FILE``. A shell
    completes names that are ``complete``: ``rules``, ``devices``, ..."""
    if complete:
        more["shell_complete"] = completion.names(complete)
    *names, metavar = words.split()
    return click.option(*names, metavar=metavar, help=help, **more)


class Sectioned(click.Command):
    """A command whose help lists the options in ``sections``: headings, and long options in their order."""

    def __init__(self, *arguments: Any, sections: dict[str, str], **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.sections = sections

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        parameters = [
            each for each in self.get_params(ctx) if isinstance(each, click.Option)
        ]
        rows = {
            max(each.opts, key=len)[2:]: each.get_help_record(ctx)
            for each in parameters
        }
        sections = {heading: names.split() for heading, names in self.sections.items()}
        named = [name for names in sections.values() for name in names]
        sections["More"] = [name for name in rows if name not in named]
        for heading, names in sections.items():
            if records := list(filter(None, map(rows.get, names))):
                with formatter.section(heading):
                    formatter.write_dl(records)


def all_of(*options: Decorator) -> Decorator:
    """The decorator that gives a command several options, in this order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def grouped(
    name: str, kind: type[Any], *options: Decorator, **constants: object
) -> Decorator:
    """Several options that reach the command as one argument ``name``: a ``kind`` of NamedTuple, by its fields."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def call(**values: Any) -> Any:
            fields = {
                field: values.pop(field) for field in kind._fields if field in values
            }
            return command(**{name: kind(**fields, **constants)}, **values)

        return all_of(*options)(call)

    return decorate


paths = click.argument(
    "paths", metavar="PATH...", nargs=-1, required=True, shell_complete=completion.files
)
path = click.argument("path", metavar="PATH", shell_complete=completion.files)
weights = option(
    "--weights FILE",
    "The .bin file, if it is not beside the .xml under the same name.",
    type=existing_file,
)
follow_links = click.option(
    "--follow-links",
    is_flag=True,
    help="Follow a link from the weights beside the model to another folder.",
)


layer = option(
    "--layer LAYER",
    "Name or id of a layer; of a nested one with its path: loop/body/pick.",
    shell_complete=completion.layers,
)
output = option(
    "-o --output FILE",
    "Write to FILE instead of standard output (-).",
    callback=lambda _, __, value: None if value == "-" else value,
    shell_complete=completion.files,
)
force = click.option(
    "--force", is_flag=True, help="Overwrite existing files, but never the inputs."
)
color = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Color the text.",
)
device = option(
    "--device NAME", "Device of OpenVINO.", "devices", default="CPU", show_default=True
)
dask = option(
    "--dask ADDRESS",
    "Work on the workers of this dask scheduler, which see the same files.",
)
cache = option(
    "--cache DIR", "Keep results in DIR, and use them while the files stay as they are."
)
after = option("--after FILE", "Skip the files up to FILE, as an interrupted run says.")
jobs = option(
    "--jobs N", "Number of processes.  [default: auto, by number and size of the files]"
)


def seed_of(what: str) -> Decorator:
    return click.option(
        "--seed",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help=f"Seed of {what}.",
    )


_LONGEST = 1e9
"""Seconds; a timer of the system takes no more than about ten times as many."""


class Duration(click.FloatRange):
    """A length of time above 0 that a timer takes; not ``nan``, which a range of floats lets pass."""

    name = "number"

    def __init__(self) -> None:
        super().__init__(0, min_open=True)

    def convert(
        self,
        value: Any,
        parameter: click.Parameter | None,
        context: click.Context | None,
    ) -> Any:
        number = super().convert(value, parameter, context)
        if not number <= _LONGEST:
            self.fail(f"{value} is no length of time.", parameter, context)
        return number


def timeout_of(seconds: float) -> Decorator:
    kind = Duration()
    help = "Time limit of one run."
    return option(
        "--timeout SECONDS", help, type=kind, default=seconds, show_default=True
    )


def report(what: str, to_file: bool = True, configured: bool = False) -> Decorator:
    """``--format``, ``--output`` and ``--color`` as ``ReportOptions``; ``configured``: a file may say which."""
    default = None if configured else "text"
    help = "Output format.  [default: text]"
    format = click.option(
        "--format", type=click.Choice(formats(what)), default=default, help=help
    )
    return grouped(
        "report", ReportOptions, format, *[output][: int(to_file)], color, what=what
    )


def _pair(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """``NAME=VALUE``, as often as it is given."""
    for value in values:
        if not value.partition("=")[0] or "=" not in value:
            raise click.BadParameter(f"{value!r} must be {parameter.metavar}")
    return dict(value.split("=", 1) for value in values)


config = option(
    "--config KEY=VALUE",
    "A property that OpenVINO compiles with; without a value, ovgather's own is left out.",
    multiple=True,
    callback=_pair,
)
plugins = option(
    "--plugin plugins NAME=LIBRARY",
    "An OpenVINO plugin to register before compiling, for --device NAME.",
    multiple=True,
    callback=_pair,
)


def _ways(_context: object, _parameter: object, text: str) -> list[str]:
    """The ways of an option, each once."""
    from ovgather.comparison.options import DEFAULT_WAYS
    from ovgather.runtimes.ways import WAYS

    groups: dict[str, Sequence[str]] = {
        "default": DEFAULT_WAYS,
        "all": list(WAYS),
        "none": (),
    }
    ways: list[str] = []
    for name in text.split(","):
        if name not in WAYS and name not in groups:
            choices = ", ".join([*groups, *WAYS])
            raise click.BadParameter(f"{name!r} is none of {choices}")
        ways += groups.get(name, (name,))
    return list(dict.fromkeys(ways))


ways = option(
    "--ways NAMES",
    "Ways to run the compiled model once more: default, all, none, or a list: requests (at once), outputs (the "
    "caller's tensors), inputs (written anew), streams, imported, queried.",
    default="default",
    show_default=True,
    callback=_ways,
)
tolerance = option(
    "--tolerance BOUNDS",
    "For devices that compute in f16 or bf16, how far values may be off: 0.001 (absolute), 0.1% (relative), 2ulp, "
    "or several with commas between them.",
)


many_files = all_of(jobs, cache, dask, after)
"""What the verbs of many files take."""


class OneLayer(NamedTuple):
    """A layer of a file, and the arrays to put into it: ``NAME=FILE.npy``, and those of the file ``inputs``."""

    path: str
    layer: str | None = None
    weights: str | None = None
    follow_links: bool = False
    arrays: tuple[str, ...] = ()
    inputs: str | None = None

    @property
    def others(self) -> list[str | None]:
        """The files that are read beside the model."""
        return [
            self.weights,
            self.inputs,
            *(item.partition("=")[2] for item in self.arrays if "=" in item),
        ]

    def read(self) -> Any:
        from ovgather.layers.formats import read
        from ovgather.onnx_file.source import is_onnx

        if self.weights is not None and is_onnx(self.path):
            raise click.UsageError(
                "--weights goes with an IR file, not with an ONNX file"
            )
        return read(self.path, self.weights, follow_links=self.follow_links)

    def model(self) -> AnyModel:
        """An IR without weights that do not belong to it, or an ONNX model; UnreadableError if it cannot be read."""
        from ovgather.validation.check import usable

        model: AnyModel = usable(self.read())
        tell_unused_weights(model)
        return model

    def arrays_by_name(self) -> dict[str, Any]:
        """The arrays of ``inputs``, then those of ``NAME=FILE.npy``; their elements are not read yet."""
        from ovgather.errors import InvalidModelError
        from ovgather.files.arrays import array_file, array_files

        arrays: dict[str, Any] = (
            dict(array_files(self.inputs)) if self.inputs is not None else {}
        )
        for item in self.arrays:
            name, sign, path = item.partition("=")
            if not sign:
                raise click.UsageError(f"{item!r} is not NAME=FILE.npy")
            try:
                arrays[name] = array_file(path)
            except InvalidModelError as error:
                raise click.UsageError(f"cannot read {error}") from error
        return arrays


one_layer = grouped(
    "source",
    OneLayer,
    path,
    click.argument(
        "arrays",
        metavar="[NAME=FILE.npy]...",
        nargs=-1,
        shell_complete=completion.arrays,
    ),
    layer,
    weights,
    follow_links,
    option("--inputs FILE.npz", "Inputs by name.", type=existing_file),
    click.option("--axis", type=int, help="The axis, if the file does not state it."),
)
"""What the verbs take that put arrays into one layer."""


def tell_unused_weights(model: AnyModel) -> None:
    if (why := getattr(model, "unused_weights", None)) is not None:
        say(f"{model.path}: no values are taken from the .bin: {why}")
