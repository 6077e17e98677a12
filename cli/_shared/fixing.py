"""``validate --fix`` and ``--diff``: the options, and what is said of the fixes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared.options import all_of
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


class Fixing(NamedTuple):
    """The task: to ``write`` the fixes, or to show them as a ``diff``; the ``unsafe`` ones, too."""

    write: bool
    diff: bool
    unsafe: bool

    @property
    def wanted(self) -> bool:
        """Whether there is anything to do."""
        return self.write or self.diff


def parse(arguments: Arguments) -> Fixing:
    """What the command line asks for."""
    if arguments.unsafe_fixes and not (arguments.fix or arguments.diff):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    beside = {
        "--fix": arguments.fix,
        "--format": arguments.format is not None,
        "--statistics": arguments.statistics,
        "--write-baseline": arguments.write_baseline,
        "--with-openvino": arguments.until is not None,
    }
    clashing = next((option for option, given in beside.items() if given), None)
    if arguments.diff and clashing:
        raise click.UsageError(f"--diff does not go with {clashing}")
    return Fixing(arguments.fix, arguments.diff, arguments.unsafe_fixes)


class Outcome(NamedTuple):
    """The findings ``left`` after the fixes; how many files are ``changed``, and how many ``refused`` their fixes.

    ``texts`` belong on standard output: the diffs, or the fixed standard input.
    """

    left: list[Checked]
    changed: int
    refused: int
    texts: list[bytes]

    def fails(self, fixing: Fixing) -> bool:
        """Whether the exit code is 1 whatever is left: a fix was refused, or a diff is not empty."""
        return bool(self.refused or (fixing.diff and self.changed))


def fix_files(results: Sequence[Checked], plan: Plan, fixing: Fixing, baseline: Baseline | None) -> Outcome:
    """Fix the files of ``results`` that have something which may be fixed, and say so."""
    if not fixing.wanted:
        return Outcome(list(results), 0, 0, [])
    left: list[Checked] = []
    texts: list[bytes] = []
    changed = refused = unsafe = 0
    for checked in results:
        path = checked.path
        if path != "-" and not any(found.fixable for found in checked.diagnostics):
            left.append(checked)
            continue
        fixed = _fix(path, plan, fixing, baseline)
        left.append(fixed.left)
        _say(path, fixed, fixing)
        changed += bool(fixed.regions)
        refused += bool(fixed.refused or fixed.left_out)
        unsafe += fixed.unsafe
        if fixing.diff:
            from ovgather.validation.fixes.unified_diff import unified_diff

            texts.append(unified_diff(path, fixed.text, fixed.regions))
        elif path == "-":
            texts.append(fixed.data)
    if fixing.diff:
        _say_unreadable(left)
    if unsafe and not fixing.unsafe:
        more = f"{count(unsafe, 'more problem')} can be fixed with --unsafe-fixes"
        click.echo(f"ovgather: {more}: that changes what OpenVINO computes", err=True)
    return Outcome(left, changed, refused, texts)


def _fix(path: str, plan: Plan, fixing: Fixing, baseline: Baseline | None) -> Fixed:
    from ovgather.errors import InvalidModelError
    from ovgather.ir.edit.text_file import replace
    from ovgather.validation.fixes.fix import fix

    def narrow(checked: Checked) -> Checked:
        return checked if baseline is None else baseline.apply([checked], plan.reports).results[0]

    data = plan.standard_input or b"" if path == "-" else _files.read_bytes(path)
    fixed = fix(data, path, plan, unsafe=fixing.unsafe, narrow=narrow)
    if fixed.regions and fixing.write and path != "-":
        try:
            replace(path, fixed.data, data)
        except (OSError, InvalidModelError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            return fixed._replace(regions=[], made=[], left=plan.check(path), refused=f"cannot be written: {reason}")
    return fixed


def _say_unreadable(left: Sequence[Checked]) -> None:
    """A diff has no place for findings, but which files could not be read must be told."""
    for checked in left:
        if checked.fatal:
            rejected = [found for found in checked.diagnostics if found.openvino == "rejects"]
            click.echo(f"ovgather: {printable(str((rejected or checked.diagnostics)[0]))}", err=True)


def _say(path: str, fixed: Fixed, fixing: Fixing) -> None:
    name = printable(path)
    if fixed.refused:
        click.echo(f"ovgather: {name}: not fixed: {printable(fixed.refused)}", err=True)
    for left in fixed.left_out:
        found = left.made.found
        what = f"{found.line}:{found.column} {found.code} {left.made.what}: {left.why}"
        click.echo(f"ovgather: {name}: not fixed: {printable(what)}", err=True)
    if fixed.made:
        done = "fixed" if fixing.write else "would fix"
        click.echo(f"{done} {count(len(fixed.made), 'problem')} in {name}", err=True)
        for found, what in fixed.made:
            click.echo(f"  {found.line}:{found.column} {found.code} {printable(what)}", err=True)


def print_texts(fixed: Outcome, fixing: Fixing, output: str | None) -> bool:
    """Print the diffs, or the fixed standard input; whether findings still go to standard output, or to a file."""
    data = b"".join(fixed.texts)
    if fixing.diff:
        _files.write_raw(data, output)
    elif fixed.texts:
        _files.write_raw(data, None)
    return not fixing.diff and (not fixed.texts or output is not None)
