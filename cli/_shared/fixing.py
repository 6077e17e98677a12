"""``validate --fix`` and ``--diff``: the options, and what is said of the fixes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from ovgather.cli._shared.exits import say
from ovgather.cli._shared.files import read_bytes
from ovgather.cli._shared.options import all_of
from ovgather.cli._shared.outputs import write_raw
from ovgather.text import count, printable
from ovgather.validation.checked import Checked
from ovgather.validation.plan import Plan

if TYPE_CHECKING:
    from ovgather.cli._shared.checking import Arguments
    from ovgather.validation.fixes.fix import Fixed
    from ovgather.validation.selection.baseline import Baseline

options = all_of(
    click.option("--fix", is_flag=True, help="Apply safe fixes to the files; report the rest."),
    click.option("--diff", is_flag=True, help="Print what --fix would change, as a diff; change nothing."),
    click.option("--unsafe-fixes", is_flag=True, help="Also apply fixes that change what OpenVINO computes."),
)


def check(arguments: Arguments) -> None:
    """Raise UsageError for options that do not go together."""
    if arguments.unsafe_fixes and not arguments.fixes:
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    beside = {
        "--fix": arguments.fix,
        "--format": arguments.report.format,
        "--statistics": arguments.statistics,
        "--write-baseline": arguments.write_baseline,
        "--with-openvino": arguments.until,
    }
    for option in filter(beside.get, beside if arguments.diff else ()):
        raise click.UsageError(f"--diff does not go with {option}")


class Outcome(NamedTuple):
    """The findings ``left`` after the fixes, and whether the exit code is 1: a fix is refused, or a diff shows one.

    ``texts`` belong on standard output: the diffs, or the fixed standard input.
    """

    left: list[Checked]
    fails: bool
    texts: list[bytes]


def fix_files(results: Sequence[Checked], plan: Plan, arguments: Arguments, baseline: Baseline | None) -> Outcome:
    """Fix the files of ``results`` that have something which may be fixed, and say so."""
    left: list[Checked] = []
    texts: list[bytes] = []
    fails, unsafe = False, 0
    for checked in results:
        path = checked.path
        if not arguments.fixes or (path != "-" and not any(finding.fixable for finding in checked.diagnostics)):
            left.append(checked)
            continue
        fixed = _fix(path, plan, arguments, baseline)
        left.append(fixed.left)
        _say(path, fixed, arguments)
        fails |= bool(fixed.refused or fixed.harmful or (arguments.diff and fixed.regions))
        unsafe += fixed.unsafe
        if arguments.diff:
            from ovgather.validation.fixes.unified_diff import unified_diff

            texts.append(unified_diff(path, fixed.text, fixed.regions))
        elif path == "-":
            texts.append(fixed.data)
    for checked in left if arguments.diff else ():  # a diff has no room for findings
        if checked.fatal:
            rejected = [finding for finding in checked.diagnostics if finding.openvino == "rejects"]
            say(str((rejected or checked.diagnostics)[0]))
    if unsafe and not arguments.unsafe_fixes:
        more = f"{count(unsafe, 'more problem')} can be fixed with --unsafe-fixes"
        say(f"{more}: that changes what OpenVINO computes")
    return Outcome(left, fails, texts)


def _fix(path: str, plan: Plan, arguments: Arguments, baseline: Baseline | None) -> Fixed:
    from ovgather.errors import InvalidModelError
    from ovgather.ir.edit.edits import replace
    from ovgather.validation.fixes.fix import fix

    def narrow(checked: Checked) -> Checked:
        return checked if baseline is None else next(iter(baseline.apply([checked], plan.reports)))

    data = plan.standard_input or b"" if path == "-" else read_bytes(path)
    fixed = fix(data, path, plan, unsafe=arguments.unsafe_fixes, narrow=narrow)
    if fixed.regions and arguments.fix and path != "-":
        try:
            replace(path, fixed.data, data)
        except (OSError, InvalidModelError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            return fixed._replace(regions=[], fixes=[], left=plan.check(path), refused=f"cannot be written: {reason}")
    return fixed


def _say(path: str, fixed: Fixed, arguments: Arguments) -> None:
    if fixed.refused:
        say(f"{path}: not fixed: {fixed.refused}")
    for (finding, change), why in fixed.harmful:
        say(f"{path}: not fixed: {finding.line}:{finding.column} {finding.code} {change}: {why}")
    if fixed.fixes:
        verb = "fixed" if arguments.fix else "would fix"
        click.echo(f"{verb} {count(len(fixed.fixes), 'problem')} in {printable(path)}", err=True)
        for finding, change in fixed.fixes:
            click.echo(f"  {finding.line}:{finding.column} {finding.code} {printable(change)}", err=True)


def print_texts(fixed: Outcome, arguments: Arguments) -> bool:
    """Print the diffs, or the fixed standard input; whether findings still go to standard output, or to a file."""
    if arguments.diff or fixed.texts:
        write_raw(b"".join(fixed.texts), arguments.report.output if arguments.diff else None)
    return not arguments.diff and (not fixed.texts or arguments.report.output is not None)
