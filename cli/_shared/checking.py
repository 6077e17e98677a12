"""What ``validate`` checks, what of it is reported, and what is fixed: options, configuration, baseline, fixes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from ovgather.cli._shared.files import read_bytes
from ovgather.cli._shared.options import (
    Duration,
    all_of,
    existing_file,
    many_files,
    option,
)
from ovgather.cli._shared.outputs import ReportOptions, say, tell, write_out
from ovgather.cli._shared.progress import show_line
from ovgather.errors import Bug, InvalidModelError, LostFilesError, OvgatherError
from ovgather.onnx_file.source import is_onnx
from ovgather.processes import SECONDS, OverTime, budget
from ovgather.report import formats
from ovgather.text import count, presentable
from ovgather.validation.checked import MOST, Checked, without_check
from ovgather.validation.plan import Plan, plan
from ovgather.validation.selection import configuration as configurations
from ovgather.validation.selection.codes import Choice, parse_codes, parse_options
from ovgather.validation.selection.configuration import Configuration, parse_number

if TYPE_CHECKING:
    from ovgather.validation.fixes.fix import Fixed
    from ovgather.validation.selection.baseline import Baseline

_of_codes = partial(option, multiple=True, complete="rules")

options = all_of(
    _of_codes(
        "--select CODES", "Report only these codes. OVG2 means OVG200 to OVG299."
    ),
    _of_codes("--ignore CODES", "Report all other codes. The longest prefix decides."),
    _of_codes(
        "--severity CODE=LEVEL",
        "Make findings of CODE an error, a warning or a note: OVG205=error.",
    ),
    click.option(
        "--strict/--no-strict", default=None, help="Exit with 1 also for warnings."
    ),
    click.option(
        "--exit-zero", is_flag=True, help="Exit with 0 even if there are findings."
    ),
    click.option(
        "--statistics", is_flag=True, help="Print only how often each code occurs."
    ),
    option(
        "--max-findings N",
        f"Show at most N findings of each code in a file and count the rest. 0 shows all.  [default: {MOST}]",
    ),
    click.option(
        "--no-suppressions",
        is_flag=True,
        help="Also report findings that comments suppress.",
    ),
    option("--baseline FILE", "Ignore the findings listed in FILE."),
    click.option(
        "--write-baseline",
        is_flag=True,
        help="Write all findings to the baseline and report none.",
    ),
    option(
        "--target RELEASE",
        "Also report what this release of OpenVINO does not read: 2021.4.",
        "releases",
    ),
    option(
        "--device NAME",
        "Also report what this device does not take: NPU, GPU, opencv, ...",
        "devices",
    ),
    option(
        "--timeout SECONDS",
        "Time limit of a file of up to 10 MB; larger ones get more in proportion.",
        type=Duration(),
        default=SECONDS,
        show_default=True,
    ),
    many_files,
    click.option(
        "--fail-fast",
        is_flag=True,
        help="Stop after the first file that makes the exit code 1 or 4.",
    ),
    click.option(
        "--progress",
        is_flag=True,
        help="Tell the progress on standard error, also where it is no terminal.",
    ),
    click.option(
        "--allow-none",
        is_flag=True,
        help="Exit with 0 also if no file matches, as in a hook.",
    ),
    option(
        "--config FILE",
        "Configuration file instead of the ovgather.toml or pyproject.toml of this folder or one above.",
        type=existing_file,
    ),
    click.option("--isolated", is_flag=True, help="Ignore configuration files."),
)

fix_options = all_of(
    click.option(
        "--fix", is_flag=True, help="Apply safe fixes to the files; report the rest."
    ),
    click.option(
        "--diff",
        is_flag=True,
        help="Print what --fix would change, as a diff; change nothing.",
    ),
    click.option(
        "--unsafe-fixes",
        is_flag=True,
        help="Also apply fixes that change what OpenVINO computes.",
    ),
)


class Arguments(SimpleNamespace):
    """The command line of ``validate``, by the names of its options."""

    @property
    def fixes(self) -> bool:
        return bool(self.fix or self.diff)


def settings(arguments: Arguments) -> tuple[Configuration, Plan, ReportOptions]:
    """The command line, completed by the configuration file: all values of both, what is checked, and the report."""
    if arguments.config is not None and arguments.isolated:
        raise click.UsageError("--config and --isolated do not go together")
    if arguments.config is None:
        load = configurations.find
    else:
        load = partial(configurations.load, arguments.config)
    if arguments.isolated:
        configuration = Configuration()
    else:
        configuration = load()
    configurations.check_format(configuration, formats("validate"))
    what = "validate"
    format = arguments.report.format or configuration.format or "text"
    if arguments.statistics:
        what = "statistics"
        format = arguments.report.format or "text"
        if format not in formats(what):
            raise click.UsageError(
                f"--statistics prints text or JSON: it does not go with --format {format}"
            )
    select = None
    if arguments.select:
        select = parse_codes(arguments.select, "--select")
    choice = Choice(
        select, parse_codes(arguments.ignore, "--ignore") if arguments.ignore else ()
    )
    severity = {
        **(configuration.severity or {}),
        **parse_options(arguments.severity, "--severity"),
    }
    options: dict[str, Any] = {
        name: getattr(arguments, name)
        for name in ("strict", "target", "device", "baseline")
    }
    for name, text in (
        ("max_findings", arguments.max_findings),
        ("jobs", arguments.jobs),
    ):
        if text is not None:
            options[name] = parse_number(text, name.replace("_", "-"))
    options = {
        name: value for name, value in options.items() if value not in (None, "")
    }
    configuration = configuration._replace(severity=severity, **options)
    suppressions = not arguments.no_suppressions
    base = Plan(
        weights=arguments.weights,
        suppressions=suppressions,
        follow_links=arguments.follow_links,
    )
    return (
        configuration,
        plan(configuration, choice, base),
        arguments.report._replace(what=what, format=format),
    )


def read_baseline(path: str | None, writing: bool) -> Baseline | None:
    """The baseline ``path``; an empty one if it is written for the first time."""
    if path is None:
        if writing:
            raise click.UsageError("--write-baseline needs --baseline FILE")
        return None
    from ovgather.validation.selection.baseline import Baseline, read

    if writing and not os.path.exists(path):
        return Baseline(path)
    return read(path)


def write_baseline(
    old: Baseline, results: Iterable[Checked], plan: Plan
) -> Iterator[Checked]:
    """Put the findings of all ``results`` into the file of the ``old`` baseline; the results without them."""
    results = list(results)
    new = old.rewritten(results, plan.reports)
    write_out([new.dump()], new.path)
    readable = [checked for checked in results if not checked.fatal]
    findings = count(sum(len(checked.diagnostics) for checked in readable), "finding")
    say(f"{findings} of {count(len(readable), 'file')} put into {new.path}")
    yield from apply_baseline(new, results, plan)


def apply_baseline(
    baseline: Baseline, results: Iterable[Checked], plan: Plan
) -> Iterator[Checked]:
    """``results`` without the findings of ``baseline``; says at the end how many of these no longer occur."""
    yield from baseline.apply(results, plan.reports)
    if baseline.gone:
        if baseline.gone == 1:
            occur = "occurs"
            them = "it"
        else:
            occur = "occur"
            them = "them"
        findings = f"{count(baseline.gone, 'finding')} of {baseline.path}"
        say(f"{findings} no longer {occur}; --write-baseline drops {them}")


# -- --fix and --diff --------------------------------------------------------------------------------------------------


def require_together(arguments: Arguments) -> None:
    if arguments.unsafe_fixes and not arguments.fixes:
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    beside = {
        "--fix": arguments.fix,
        "--format": arguments.report.format,
        "--statistics": arguments.statistics,
        "--write-baseline": arguments.write_baseline,
        "--with-openvino": arguments.until,
    }
    for other in filter(beside.get, beside if arguments.diff else ()):
        raise click.UsageError(f"--diff does not go with {other}")


class Fixes:
    """Fixes files, or shows how; ``fails``: the exit code is 1, since a fix is refused, or a diff shows one.

    ``texts`` belong on standard output: the diffs, or the fixed standard input.
    """

    def __init__(
        self,
        plan: Plan,
        arguments: Arguments,
        baseline: Baseline | None,
        output: str | None,
        stays: Callable[[str, str], bool],
    ) -> None:
        self.plan = plan
        self.arguments = arguments
        self.baseline = baseline
        self.output = output
        self.stays = stays
        self.fails = False
        self.unsafe = 0
        self.unfixed = 0
        self.unwritten: list[str] = []
        self.texts: list[bytes] = []

    def over(self, results: Iterable[Checked]) -> Iterator[Checked]:
        """The ``results`` after the fixes. Each file is fixed, and that is said, when its result is there; a file that
        cannot be fixed, or meets a bug, costs no other one."""
        lost: dict[str, str] = {}
        for checked in results:
            path = checked.path
            try:
                checked = self._fixed(checked)
            except (OSError, InvalidModelError) as error:
                self._cannot_write(path, error)
            except (OverTime, MemoryError) as error:
                why = str(error) or "there is too little memory"
                say(f"{path}: not fixed: {why}")
                self.fails = True
                checked = without_check(self.plan.check, path, why)
                if path == "-" and not self.arguments.diff:
                    self.texts.append(self.plan.standard_input or b"")
            except Exception as error:
                if isinstance(error, OvgatherError):
                    raise
                lost[path] = Bug.of(error)
            if self.arguments.diff and checked.fatal:  # a diff has no room for findings
                rejected = [
                    finding
                    for finding in checked.diagnostics
                    if finding.openvino == "rejects"
                ]
                say(str((rejected or checked.diagnostics)[0]))
            elif self.arguments.diff:
                self.unfixed += sum(
                    each.severity != "note" for each in checked.diagnostics
                )
            yield checked
        if self.unwritten:
            say(f"unchanged, since they cannot be written: {', '.join(self.unwritten)}")
        if self.unsafe and not self.arguments.unsafe_fixes:
            more = (
                f"{count(self.unsafe, 'more problem')} can be fixed with --unsafe-fixes"
            )
            say(f"{more}: that may change what the model computes")
        elif self.unfixed and not self.texts:
            say(f"{count(self.unfixed, 'problem')} without a fix: no --diff shows them")
        if lost:
            raise LostFilesError(lost)

    def _fixed(self, checked: Checked) -> Checked:
        """What is left of the findings of a file after its fixes."""
        path = checked.path
        if (
            is_onnx(path)
            and os.path.isfile(path)
            and not checked.fatal
            and not self.arguments.diff
        ):
            return self._fix_onnx(checked)
        if path != "-" and not any(finding.fixable for finding in checked.diagnostics):
            return checked
        fixed = self._fix(path)
        show_line("")  # where a bar may be
        _say(path, fixed, self.arguments)
        self.fails |= bool(
            fixed.refused or fixed.harmful or (self.arguments.diff and fixed.regions)
        )
        self.unsafe += fixed.unsafe
        if self.arguments.diff:
            from ovgather.validation.fixes.unified_diff import unified_diff

            diff = unified_diff(path, fixed.text, fixed.regions)
            self.texts.append(diff if self.output else self._for_terminal(diff))
        elif path == "-":
            self.texts.append(fixed.data)
        return fixed.left

    def _fix_onnx(self, checked: Checked) -> Checked:
        """Write the fixed model beside the file, if anything is fixed, and say so; the findings of the new file."""
        from ovgather.onnx_file.model import read
        from ovgather.validation.onnx.fixes import fixed_model, write_fixed

        path = checked.path
        with budget(path, self.arguments.timeout):
            fixed = fixed_model(read(path), self.plan)
        if not fixed.fixes:
            return checked
        target, opinions = write_fixed(path, fixed)
        show_line("")  # where a bar may be
        for fix in fixed.fixes:
            say(f"{path}: {fix.what}")
        say(f"{target} is written: {'; '.join(opinions)}")
        return self.plan.check(target)

    def _for_terminal(self, diff: bytes) -> bytes:
        """``diff`` for a terminal or the log of a CI; a file gets it exactly."""
        parts = (
            presentable(part, tab="\t")
            for part in diff.decode("utf-8", "surrogateescape").split("\r\n")
        )
        escaped = "\r\n".join(parts).encode("utf-8", "surrogateescape")
        if escaped != diff:
            say(
                "characters of the diff that cannot be shown are escaped; -o FILE writes it as it is"
            )
        return escaped

    def _narrow(self, checked: Checked) -> Checked:
        if self.baseline is None:
            return checked
        return next(iter(self.baseline.apply([checked], self.plan.reports)))

    def _fix(self, path: str) -> Fixed:
        from ovgather.ir.edit.edits import replace
        from ovgather.validation.fixes.fix import fix

        if path == "-":
            data = self.plan.standard_input or b""
        else:
            data = read_bytes(path)
        with budget(path, self.arguments.timeout):
            fixed = fix(
                data,
                path,
                self.plan,
                unsafe=self.arguments.unsafe_fixes,
                narrow=self._narrow,
            )
        if fixed.regions and self.arguments.fix and path != "-":
            try:
                replace(path, fixed.data, data, self.stays)
            except (OSError, InvalidModelError) as error:
                self._cannot_write(path, error)
                return fixed._replace(regions=[], fixes=[], left=self.plan.check(path))
        return fixed

    def _cannot_write(self, path: str, error: Exception) -> None:
        why = getattr(error, "strerror", None) or error
        say(f"{path}: not fixed: cannot be written: {why}")
        self.unwritten.append(path)


def _say(path: str, fixed: Fixed, arguments: Arguments) -> None:
    if fixed.refused:
        say(f"{path}: not fixed: {fixed.refused}")
    for (finding, change), why in fixed.harmful:
        say(
            f"{path}: not fixed: {finding.line}:{finding.column} {finding.code} {change}: {why}"
        )
    if fixed.fixes:
        verb = "fixed" if arguments.fix else "would fix"
        tell(f"{verb} {count(len(fixed.fixes), 'problem')} in {path}", err=True)
        for finding, change in fixed.fixes:
            tell(f"  {finding.line}:{finding.column} {finding.code} {change}", err=True)
