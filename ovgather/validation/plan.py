"""What is to be checked, and how: the rules asked for, by file; then all files, in one process or in several."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.selection.codes import Choice, Selection
from ovgather.validation.selection.configuration import AUTO, Configuration

if TYPE_CHECKING:
    from ovgather.ir.edit.text_file import Held

_SHARE = 1 << 21
"""A process is worth starting for so many bytes."""
_PER_FILE = 1 << 15
"""What a file costs whatever its size, in bytes of reading."""


class Plan(NamedTuple):
    """How files are checked.

    Attributes:
        selection: which codes are reported.
        per_file_ignores: patterns of paths, with the codes that are not reported there.
        folder: where those patterns are seen from.
        weights: the ``.bin``, when it is not beside the ``.xml``.
        suppressions: whether comments in a file may suppress findings.
        standard_input: what was read from there; None: it is read when it is checked.
        fixes: whether it is to be known which findings can be fixed.
        follow_links: files beside a model are taken wherever links lead.
        most: how many findings of one code are worked out in one file; 0: all.
    """

    selection: Selection = Selection()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    folder: str = ""
    weights: str | None = None
    suppressions: bool = True
    standard_input: bytes | None = None
    fixes: bool = False
    follow_links: bool = False
    most: int = 0

    def selection_for(self, path: str) -> Selection:
        """The codes that are reported of the file ``path``."""
        if not self.per_file_ignores:
            return self.selection
        from ovgather.validation.selection.patterns import matches, relative

        seen = relative(path, self.folder)
        ignored = [code for pattern, codes in self.per_file_ignores if matches(pattern, seen) for code in codes]
        return self.selection.without(ignored)

    def reports(self, path: str, code: str) -> bool:
        """Whether findings of ``code`` are reported of the file ``path``."""
        return self.selection_for(path).keeps(code)

    def check(self, path: str) -> Checked:
        """Check the file ``path``."""
        keeps = self.selection_for(path).keeps
        source: str | Held = path
        if path == "-" and self.standard_input is not None:
            from ovgather.ir.edit.text_file import Held

            source = Held(self.standard_input, path)
        checked = check_file(
            source,
            self.weights,
            keeps=keeps,
            suppressions=self.suppressions,
            follow_links=self.follow_links,
            most=self.most,
        )
        if self.fixes:
            for found in checked.diagnostics:
                _ = found.remedy  # made here, where the text is: findings that come from another process have it not
        return checked


def plan(
    configuration: Configuration,
    choice: Choice,
    weights: str | None = None,
    suppressions: bool = True,
    follow_links: bool = False,
) -> Plan:
    """What the ``configuration`` says, with the ``choice`` of the command line above it."""
    below = Choice(configuration.select, configuration.ignore)
    selection = Selection(tuple(made for made in (below, choice) if made != Choice()))
    ignores, folder = configuration.per_file_ignores, configuration.folder
    return Plan(selection, ignores, folder, weights, suppressions, follow_links=follow_links)


def excluded(configuration: Configuration, path: str) -> bool:
    """Whether a walk through folders passes over the file or folder ``path``."""
    if not configuration.exclude:
        return False
    from ovgather.validation.selection.patterns import matches, relative

    seen = relative(path, configuration.folder)
    return any(matches(pattern, seen) for pattern in configuration.exclude)


def check_files(paths: Sequence[str], plan: Plan, jobs: int = AUTO) -> Generator[Checked]:
    """Check the files ``paths``; the results come in their order, each as soon as it is there.

    Args:
        jobs: how many processes; ``AUTO``: as many as there are processors when that is quicker, else one.

    Raises:
        LostFilesError: processes died; the results of all files but those they had in hand are out by then.
    """
    jobs = min(jobs or _jobs_for(paths), len(paths))
    if jobs > 1:
        from ovgather.validation.rules import rules
        from ovgather.validation.workers import check_in_processes

        rules()  # loaded once, where processes are forked
        yield from check_in_processes(paths, plan.check, jobs)
    else:
        yield from map(plan.check, paths)


def _jobs_for(paths: Sequence[str]) -> int:
    if len(paths) < 2:
        return 1
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(processors, sum(map(_cost, paths)) // _SHARE))


def _cost(path: str) -> int:
    try:
        return _PER_FILE + os.stat(path).st_size
    except OSError:
        return _PER_FILE
