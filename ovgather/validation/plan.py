"""What is to be checked, and how: the rules asked for, by file; then all files, in one process or in several."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ovgather.errors import ArgumentError, InvalidModelError, LostFilesError
from ovgather.processes import SECONDS
from ovgather.targets.purpose import ANY, Purpose, parse_purpose
from ovgather.validation.check import check_file
from ovgather.validation.checked import MOST, Checked, check_path, without_check
from ovgather.validation.selection.codes import Choice, Selection, Severities
from ovgather.validation.selection.configuration import (
    AUTO,
    Configuration,
    matches,
    relative,
)

if TYPE_CHECKING:
    from ovgather.ir.edit.edits import Held
    from ovgather.layers.formats import AnyModel

_SHARE = 1 << 21  # a process is worth starting for so many bytes
_PER_FILE = 1 << 15  # what a file costs whatever its size, in bytes of reading
Result = TypeVar("Result")


class Plan(NamedTuple):
    """How files are checked."""

    selection: Selection = Selection()
    # patterns of paths, with codes not reported there
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    folder: str = ""  # the patterns are relative to it
    weights: str | None = None
    suppressions: bool = True
    standard_input: bytes | None = None  # its content, when it is read already
    fixes: bool = False  # whether fixes are built while the text is at hand
    follow_links: bool = False
    most: int = 0  # findings of one code that are worked out in one file; 0: all
    severities: Severities | None = None  # that the user sets
    explain: bool = True  # whether the mistake behind several findings is searched for
    purpose: Purpose = ANY  # the release and the device that are to run the files

    def selection_for(self, path: str) -> Selection:
        """The codes that are reported of the file ``path``."""
        if not self.per_file_ignores:
            return self.selection
        seen = relative(path, self.folder)
        ignored = [
            code
            for pattern, codes in self.per_file_ignores
            if matches(pattern, seen)
            for code in codes
        ]
        return self.selection.without(ignored)

    def reports(self, path: str, code: str) -> bool:
        """Whether findings of ``code`` are reported of the file ``path``."""
        return self.selection_for(path).keeps(code)

    def check(self, path: str, model: AnyModel | None = None) -> Checked:
        """Check the file ``path``, of which there may be the ``model``."""
        source: str | Held | AnyModel = path if model is None else model
        if path == "-" and self.standard_input is not None:
            from ovgather.ir.edit.edits import Held

            source = Held(self.standard_input, path)
        try:
            checked = check_file(
                source,
                self.weights,
                keeps=self.selection_for(path).keeps,
                suppressions=self.suppressions,
                follow_links=self.follow_links,
                most=self.most,
                severities=self.severities,
                purpose=self.purpose,
                explain=self.explain,
            )
        except ArgumentError:  # of a call of ours
            raise
        except InvalidModelError as error:  # what is wrong with a file is a finding
            return without_check(self.check, path, str(error))
        if self.fixes:
            for finding in checked.diagnostics:
                _ = finding.remedy  # built in the process that has the text
        return checked


def plan(configuration: Configuration, choice: Choice, base: Plan) -> Plan:
    """``base`` with what the ``configuration`` says, and the ``choice`` of the command line above it."""
    choices = Choice(configuration.select, configuration.ignore), choice
    selection = Selection(tuple(each for each in choices if each != Choice()))
    if configuration.max_findings is None:
        most = MOST
    else:
        most = configuration.max_findings
    purpose = parse_purpose(configuration.target, configuration.device)
    severities = configuration.severity or {}
    base = base._replace(
        per_file_ignores=configuration.per_file_ignores, folder=configuration.folder
    )
    return base._replace(
        selection=selection, most=most, severities=severities, purpose=purpose
    )


def excluded(configuration: Configuration, path: str) -> bool:
    """Whether a walk through folders passes over the file or folder ``path``."""
    patterns = configuration.exclude
    folder = configuration.folder
    return bool(patterns) and any(
        matches(pattern, relative(path, folder)) for pattern in patterns
    )


def check_files(
    paths: Sequence[str],
    check: Callable[[str], Result],
    jobs: int = AUTO,
    seconds: float = SECONDS,
) -> Generator[Result]:
    """Check the files ``paths`` in ``jobs`` processes (``AUTO``: as many as pay off); the results come in their order,
    and after them a LostFilesError that names the files which met a bug, or whose process died."""
    lost: dict[str, str] = {}
    jobs = min(jobs or _jobs_for(paths), len(paths))
    if jobs > 1:
        from ovgather.validation.rules import rules
        from ovgather.validation.workers import check_in_processes

        rules()  # loaded once, where processes are forked
        yield from check_in_processes(paths, check, jobs, lost, seconds)
    else:
        yield from (check_path(check, path, lost, seconds) for path in paths)
    if lost:
        raise LostFilesError(lost)


def _jobs_for(paths: Sequence[str]) -> int:
    if len(paths) < 2:
        return 1
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    cost = len(paths) * _PER_FILE
    for path in paths:
        if cost >= processors * _SHARE:
            break
        with suppress(OSError):
            cost += os.stat(path).st_size
    return max(1, min(processors, cost // _SHARE))
