"""``validate --with-openvino``: the option, whose value may be left out."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ovgather.validation.checked import Checked
from ovgather.validation.plan import Plan

_NAME = "--with-openvino"

option = click.option(
    _NAME,
    "until",
    metavar="[=compile]",
    type=click.Choice(["read", "compile"]),
    help="Load the files in OpenVINO, too, and report its verdict. =compile also compiles them for the CPU.",
)


class Command(click.Command):
    """A command whose ``--with-openvino`` takes a value only after ``=``: what follows a blank is a path."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        given = [f"{_NAME}=read" if argument == _NAME else argument for argument in args[:end]]
        return super().parse_args(ctx, [*given, *args[end:]])


def require() -> None:
    """See that OpenVINO is there, before anything takes time.

    Raises:
        UnavailableError: it is not installed.
    """
    from ovgather.runtimes.available import require

    require("openvino")


def ask(paths: Sequence[str], results: Sequence[Checked], plan: Plan, until: str) -> list[Checked]:
    """``results`` with what OpenVINO says of each file."""
    from ovgather.validation.openvino_opinion import ask

    return ask(paths, results, plan, until)
