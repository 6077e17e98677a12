"""What ``validate`` checks and what of it is reported: the options, the configuration, the baseline."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ovgather.cli._shared import files as _files
from ovgather.report import formats
from ovgather.targets.purpose import parse_purpose
from ovgather.text import count, printable
from ovgather.validation.checked import Checked
from ovgather.validation.limit import MOST
from ovgather.validation.plan import Plan, plan
from ovgather.validation.selection import configuration as configurations
from ovgather.validation.selection.codes import Choice, parse_codes
from ovgather.validation.selection.configuration import AUTO, Configuration, parse_jobs, parse_number

if TYPE_CHECKING:
    from ovgather.validation.selection.baseline import Baseline

_OPTIONS = (
    click.option(
        "--select", metavar="CODES", multiple=True, help="Report only these codes. OVG2 means OVG200 to OVG299."
    ),
    click.option(
        "--ignore", metavar="CODES", multiple=True, help="Report all other codes. The longest prefix decides."
    ),
    click.option("--strict/--no-strict", default=None, help="Exit with 1 also for warnings."),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings."),
    click.option("--statistics", is_flag=True, help="Print only how often each code occurs."),
    click.option(
        "--max-findings",
        metavar="N",
        help=f"Show at most N findings of each code in a file and count the rest. 0 shows all.  [default: {MOST}]",
    ),
    click.option("--no-suppressions", is_flag=True, help="Also report findings that comments suppress."),
    click.option("--baseline", metavar="FILE", help="Ignore the findings listed in FILE."),
    click.option("--write-baseline", is_flag=True, help="Write all findings to the baseline and report none."),
    click.option(
        "--target", metavar="RELEASE", help="Also report what this release of OpenVINO does not read: 2021.4."
    ),
    click.option("--device", metavar="NAME", help="Also report what this device does not take: NPU, GPU, opencv, ..."),
    click.option("--jobs", metavar="N", help="Number of processes.  [default: auto, by number and size of the files]"),
    click.option(
        "--config",
        metavar="FILE",
        type=click.Path(exists=True, dir_okay=False),
        help="Configuration file instead of the ovgather.toml or pyproject.toml of this folder or one above.",
    ),
    click.option("--isolated", is_flag=True, help="Ignore configuration files."),
)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """All of them, for a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class Arguments(NamedTuple):
    """What stands on the command line of ``validate``; the names are those of the options."""

    paths: tuple[str, ...]
    weights: str | None
    follow_links: bool
    format: str | None
    output: str | None
    color: str
    fix: bool
    diff: bool
    unsafe_fixes: bool
    until: str | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    strict: bool | None
    exit_zero: bool
    statistics: bool
    max_findings: str | None
    no_suppressions: bool
    baseline: str | None
    write_baseline: bool
    target: str | None
    device: str | None
    jobs: str | None
    config: str | None
    isolated: bool


class Settings(NamedTuple):
    """What holds for a run: the command line, and what it leaves open as the configuration file says."""

    configuration: Configuration
    plan: Plan
    format: str
    strict: bool
    jobs: int
    baseline: str | None
    max_findings: int


def settings(arguments: Arguments) -> Settings:
    """What holds, of ``arguments`` and the configuration file that they name or that is found."""
    configuration = _read_configuration(arguments)
    configurations.check_format(configuration, formats("validate"))
    if arguments.statistics and arguments.format not in (None, "text"):
        raise click.UsageError(f"--statistics prints text: it does not go with --format {arguments.format}")
    choice = Choice(
        parse_codes(arguments.select, "--select") if arguments.select else None,
        parse_codes(arguments.ignore, "--ignore") if arguments.ignore else (),
    )
    purpose = parse_purpose(arguments.target or configuration.target, arguments.device or configuration.device)
    chosen = plan(configuration, choice, arguments.weights, not arguments.no_suppressions, arguments.follow_links)
    return Settings(
        configuration,
        chosen._replace(purpose=purpose),
        "text" if arguments.statistics else arguments.format or configuration.format or "text",
        bool(configuration.strict if arguments.strict is None else arguments.strict),
        parse_jobs(arguments.jobs) if arguments.jobs is not None else configuration.jobs or AUTO,
        arguments.baseline or configuration.baseline,
        _max_findings(arguments, configuration),
    )


def _max_findings(arguments: Arguments, configuration: Configuration) -> int:
    if arguments.max_findings is not None:
        return parse_number(arguments.max_findings, "--max-findings")
    return MOST if configuration.max_findings is None else configuration.max_findings


def _read_configuration(arguments: Arguments) -> Configuration:
    if arguments.config is not None and arguments.isolated:
        raise click.UsageError("--config and --isolated do not go together")
    if arguments.isolated:
        return Configuration()
    return configurations.load(arguments.config) if arguments.config is not None else configurations.find()


def read_baseline(path: str | None, writing: bool) -> Baseline | None:
    """The baseline ``path``, an empty one if it is to be written and is not there yet."""
    if path is None:
        if writing:
            raise click.UsageError("--write-baseline needs --baseline FILE")
        return None
    from ovgather.validation.selection.baseline import Baseline, read

    return Baseline(path) if writing and not os.path.exists(path) else read(path)


def write_baseline(old: Baseline, results: Sequence[Checked], plan: Plan) -> Baseline:
    """Put the findings of ``results`` into the file of the ``old`` baseline; the new one."""
    new = old.rewritten(results, plan.reports)
    _files.write_bytes(new.dump(), new.path)
    readable = [checked for checked in results if not checked.fatal]
    found = count(sum(len(checked.diagnostics) for checked in readable), "finding")
    click.echo(f"ovgather: {found} of {count(len(readable), 'file')} put into {printable(new.path)}", err=True)
    return new


def apply_baseline(baseline: Baseline, results: Sequence[Checked], plan: Plan) -> list[Checked]:
    """``results`` less what ``baseline`` knows; says how much of that no longer occurs."""
    applied = baseline.apply(results, plan.reports)
    if applied.gone:
        occur, them = ("occurs", "it") if applied.gone == 1 else ("occur", "them")
        gone = f"{count(applied.gone, 'finding')} of {baseline.path} no longer {occur}"
        click.echo(f"ovgather: {gone}; --write-baseline drops {them}", err=True)
    return applied.results
