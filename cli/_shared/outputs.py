"""The outputs of a run, checked before any work, never one of its inputs, and written as a whole; its exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import click

from ovgather.report import pieces
from ovgather.text import presentable, printable

if TYPE_CHECKING:
    from ovgather.verbs.written_model import LayerModel

CLEAN, FINDINGS, USAGE, NO_FILE, UNREADABLE, MISSING, BUG, INTERRUPTED = (
    0,
    1,
    2,
    3,
    4,
    5,
    70,
    130,
)
"""The exit codes, the same for every verb and format."""
_READ = "ovgather.read"
_WRITTEN = click.core.ParameterSource.COMMANDLINE


def say(message: str) -> None:
    """Print a message beside the results."""
    tell(f"ovgather: {message}", err=True)


def tell(line: str, err: bool = False) -> None:
    """Print a line of the results, with names of a file in it."""
    click.echo(presentable(printable(line)), err=err)


def say_interrupted() -> int:
    """Say that results are missing; the exit code."""
    say("interrupted: this is what was known by then")
    return INTERRUPTED


class ReportOptions(NamedTuple):
    """Where the results of the verb ``what`` go: ``--format``, ``--output`` and ``--color``."""

    what: str
    format: str
    color: str
    output: str | None = None

    @property
    def is_painted(self) -> bool:
        """Whether there are colours; ``auto``: on a terminal or with FORCE_COLOR, unless NO_COLOR is set."""
        if self.color != "auto":
            return self.color == "always"
        wanted = sys.stdout.isatty() or os.environ.get("FORCE_COLOR")
        return self.output is None and bool(wanted) and not os.environ.get("NO_COLOR")

    def show(self, results: Iterable[object], **more: object) -> None:
        """``write_out`` the ``results``, a stream as they come. A page tells the command that made it."""
        if self.format == "html":
            more = {"command": command_line(), **more}
        texts = pieces(self.what, self.format, results, color=self.is_painted, **more)
        write_out(["".join(texts)] if isinstance(results, list) else texts, self.output)


def options_given() -> dict[str, list[str]]:
    """The options on the command line, by their long names, with their values; a flag has none."""
    context = click.get_current_context()
    options = dict[str, list[str]]()
    for parameter in context.command.params:
        name = parameter.name or ""
        if (
            isinstance(parameter, click.Argument)
            or context.get_parameter_source(name) is not _WRITTEN
        ):
            continue
        value = context.params[name]
        if isinstance(value, dict):
            value = [f"{key}={each}" for key, each in value.items()]
        is_flag = isinstance(parameter, click.Option) and parameter.is_flag
        if parameter.multiple:
            values = list(value)
        else:
            values = [str(value)][is_flag:]
        options[max(parameter.opts, key=len)] = values
    return options


def same_options(names: Iterable[str]) -> list[str]:
    """Those of the options ``names`` that stand on the command line, as words of another one."""
    given = options_given()
    return [
        word
        for name in names
        if name in given
        for value in given[name] or [""]
        for word in (name, value)
        if word
    ]


def command_line() -> list[str]:
    """The command that runs, with long options."""
    context = click.get_current_context()
    words = ["ovgather", context.info_name or ""]
    for parameter in context.command.params:
        if isinstance(parameter, click.Argument):
            value = context.params[parameter.name or ""]
            words += [value] if isinstance(value, str) else value or ()
    for option, values in options_given().items():
        words += (
            [option]
            if not values
            else [word for value in values for word in (option, value)]
        )
    return words


def reserve(
    outputs: Iterable[str | None],
    models: Iterable[str] = (),
    others: Iterable[str | None] = (),
) -> None:
    """Refuse outputs that cannot be written, or that are files which the run reads, before any work is done.

    Every verb that writes calls it first: without it nothing is written. ``models`` are read with the files of their
    weights. None stands for standard output, or for an option not given.
    """
    paths = [path for path in outputs if path is not None]
    if not paths:
        return
    from ovgather.files.whole import identity_of, require_distinct, require_writable

    read = files_read(models, others)
    require_distinct(paths, read)
    identities = {path: identity_of(path) for path in paths}
    click.get_current_context().meta[_READ] = read, identities
    for path in paths:
        with writing(path):
            require_writable(path)


class files_read:  # noqa: N801 - used as a function
    """The files that a run reads: ``models`` with those of their weights, found whenever they are asked for."""

    def __init__(self, models: Iterable[str], others: Iterable[str | None]) -> None:
        self.models = models
        self.others = list(filter(None, others))

    def __iter__(self) -> Iterator[str]:
        from ovgather.onnx_file.files import files_of

        yield from self.others
        yield from chain.from_iterable(map(files_of, self.models))


@contextmanager
def writing(path: str, several: bool = False) -> Iterator[None]:
    """Report errors of writing ``path`` as those of the command line; of ``several`` files, name the one concerned."""
    try:
        yield
    except OSError as error:
        if several and isinstance(error, FileExistsError):
            raise click.UsageError(
                f"{error.filename} is there already: --force overwrites it"
            ) from error
        name = path
        if several and error.filename:
            name = error.filename
        raise click.ClickException(
            f"cannot write {name}: {error.strerror or error}"
        ) from error


def write_model(model: LayerModel, path: str, force: bool) -> str:
    """Write a model and its weights, with a folder for them if need be; which files these are, in words."""
    from ovgather.files.whole import made

    with writing(path, several=True), made(os.path.dirname(path) or os.curdir):
        return f"written to {' and '.join(model.write(path, overwrite=force))}"


def write_lines(lines: Iterable[str], output: str | None = None) -> None:
    write_out(["".join(f"{presentable(printable(line))}\n" for line in lines)], output)


def write_out(texts: Iterable[str | bytes], output: str | None) -> None:
    """Print ``texts`` as they come, or put them into the file ``output``, whole or not at all."""
    data = (
        text.encode("utf-8", "replace") if isinstance(text, str) else text
        for text in texts
    )
    if output is not None:
        from ovgather.files.whole import identity_of, write_whole

        read, identities = click.get_current_context().meta[_READ]
        if identity_of(output) == identities[output]:
            read = ()  # the same file as before the work, which is none of them
        with writing(output):
            write_whole([(output, data)], read)
        return
    for piece in data:
        try:
            sys.stdout.flush()
            click.echo(piece, nl=False)
        except BrokenPipeError:
            # Whoever was to read it has gone (`| head`): the exit code still tells the result.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            raise click.ClickException(
                f"cannot write standard output: {error.strerror}"
            ) from error
