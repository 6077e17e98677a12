"""The verbs, found by listing this package; errors become exit codes."""

import os
import sys
from importlib import import_module
from inspect import cleandoc
from io import StringIO
from pkgutil import iter_modules

import click

from ovgather import __version__, errors
from ovgather.cli import __path__ as _folder
from ovgather.cli._shared.outputs import (
    BUG,
    FINDINGS,
    INTERRUPTED,
    MISSING,
    UNREADABLE,
    USAGE,
)
from ovgather.text import closest, docstring, presentable

_VERBS = sorted(
    name
    for _, name, _ in iter_modules(_folder)
    if name != "main" and not name.startswith("_")
)
_ENDINGS = (".xml", ".onnx", ".bin")
_GROUPS = {
    "Find what is wrong": "validate crosscheck explain diff",
    "Look at a model": "infer show inspect run",
    "Make another model of it": "convert extract reduce",
    "Many models, devices, programs": "survey conformance rules server",
}
"""The verbs as the help lists them, everyday ones first."""


class Verbs(click.Group):
    """The verbs, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return _VERBS

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _VERBS:
            return None
        module = import_module(f"ovgather.cli.{name}")
        command: click.Command = module.command
        # Without one under -OO.
        command.help = command.help or cleandoc(docstring(module, "command"))
        return command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """The verbs in groups, each with the whole first sentence of its help."""
        groups = {heading: names.split() for heading, names in _GROUPS.items()}
        groups["Others"] = [
            name
            for name in _VERBS
            if not any(name in names for names in groups.values())
        ]
        for heading, names in groups.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            rows = [
                (name, command.get_short_help_str(limit=1000))
                for name, command in commands
                if command
            ]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(
                        [
                            (f"{name:<{max(map(len, _VERBS))}}", text)
                            for name, text in rows
                        ]
                    )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not ctx.resilient_parsing:  # as for completion
            _require_options(args)
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if args[0].endswith(_ENDINGS) or os.path.exists(args[0]):
                import shlex

                way = f"ovgather validate {shlex.join(args)}"
                raise click.UsageError(
                    f"'{args[0]}' is a file, not a command. To check it: {way}", ctx
                ) from error
            close = closest(args[0], self.list_commands(ctx))
            if close and "Did you mean" not in error.format_message():
                raise click.UsageError(
                    f"{error.message} Did you mean '{close}'?", ctx
                ) from error
            raise


def _require_options(args: list[str]) -> None:
    """Refuse the name of a file that would be read as an option: a hook, or a pattern of the shell, passes any."""
    for word in args[: args.index("--") if "--" in args else None]:
        if word.startswith("-") and word != "-" and os.path.lexists(word):
            raise click.UsageError(
                f"{word} is an option, and the name of a file here: ./{word} names the file; or rename it"
            )


_HELP = """Validate, infer, run and cross-check the Gather layers of OpenVINO IR.

Exit codes: 0 clean; 1 findings or a mismatch; 2 wrong usage; 3 no file matched; 4 a file could not be read at all;
5 the runtime or device asked for is missing; 70 a bug in ovgather, or a worker process that died; 130 Ctrl-C
(143 SIGTERM, 129 SIGHUP).
"""


@click.group(
    cls=Verbs,
    help=_HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="ovgather")
def ovgather() -> None:
    """All verbs."""


_CODES = (
    (errors.UnavailableError, MISSING),
    (errors.UnreadableError, UNREADABLE),
    ((errors.InvalidModelError, errors.ConfigurationError, OSError), USAGE),
    (errors.WorkerError, BUG),
    (errors.OvgatherError, FINDINGS),
)


def run(arguments: list[str] | None = None) -> int:
    _open_streams()
    try:
        code = ovgather.main(
            args=arguments, prog_name="ovgather", standalone_mode=False
        )
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        text = StringIO()
        error.show(text)
        click.echo(presentable(text.getvalue()), err=True, nl=False)
        return USAGE
    except (
        errors.ArgumentError
    ) as error:  # the verbs read what users write: one of ours passes a wrong argument
        return _bug(error)
    except errors.LostFilesError as error:
        return _say(
            f"{error}{_details(error.trace)}" if error.trace else str(error), BUG
        )
    except (errors.OvgatherError, OSError) as error:
        return _say(
            _words(error),
            next(code for kind, code in _CODES if isinstance(error, kind)),
        )
    except (
        MemoryError
    ) as error:  # wrong usage, since the input is the cause, and there is no finding
        return _say(
            f"there is too little memory for the data{f': {error}' if str(error) else ''}",
            USAGE,
        )
    except Exception as error:  # whatever it is, a user is not shown a traceback
        return _bug(error)
    return int(code or 0)


def _open_streams() -> None:
    """Where a standard stream is closed (``>&-``), nothing is read or written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open for as long as we run


def _say(message: str, code: int) -> int:
    click.echo(presentable(f"ovgather: {message}"), err=True)
    return code


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        if error.filename:
            return f"{error.filename}: {error.strerror}"
        return error.strerror
    return str(error)


def _bug(error: Exception) -> int:
    bug = errors.Bug.of(error)
    return _say(f"{bug}{_details(bug.trace)}", BUG)


def _details(trace: str) -> str:
    """Where the details of a bug are."""
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(
            "w",
            prefix="ovgather-",
            suffix=".log",
            delete=False,
            encoding="utf-8",
            errors="backslashreplace",
        ) as file:
            file.write(f"ovgather {__version__}, Python {sys.version}, {sys.argv}\n")
            file.write(trace)
        return f"\nThe details are in {file.name}: please report them."
    except OSError as failure:
        frames = [line for line in trace.splitlines() if line.startswith('  File "')]
        place, line, function = frames[-1].strip().rsplit(", ", 2)
        position = f"{function}, {line} of {place.removeprefix('File ')}"
        return f"\nIt is {position}: please report it. The details cannot be written: {failure.strerror}."
