"""A cross-check that goes on: other random inputs, more inferences of one compiled model, all ways to run it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.report import FAILING, Record, Report, Stopped
from ovgather.runtimes.outcome import with_notes
from ovgather.runtimes.ways import WAYS
from ovgather.text import count

_FAR = 1000
"""Between the seeds of two passes: each inference of a pass has a seed of its own."""
_MOST = 320
"""Inferences of one compiled model."""


def going_on(
    options: CrosscheckOptions, check: Callable[[CrosscheckOptions], Report]
) -> Report:
    """The report of ``check``, which is repeated for ``minutes`` while nothing fails. Raises what it raises."""
    end = time.monotonic() + 60 * options.minutes
    report = check(options)
    repeat = options.repeat
    passes = 0
    while time.monotonic() < end and report.ok:
        passes += 1
        repeat = min(_MOST, 2 * repeat)
        how = options._replace(
            seed=options.seed + _FAR * passes,
            repeat=repeat,
            ways=tuple(WAYS),
            minutes=0.0,
        )
        try:
            report = _merged(report, check(how))
        except Stopped as stop:
            raise Stopped(_merged(report, stop.report)) from None
    if not passes:
        return report
    return _noted(
        report, f"{count(passes, 'further run')} over {options.minutes:g} min"
    )


def _merged(first: Report, further: Report) -> Report:
    """The first report, with what failed in the further one in the place of what did not."""
    failed = {
        _key(record): record for record in further.records if record.verdict in FAILING
    }
    return _mapped(first, lambda record: failed.get(_key(record), record))


def _noted(report: Report, words: str) -> Report:
    return _mapped(
        report,
        lambda record: (
            record._replace(outcome=with_notes(record.outcome, words))
            if record.verdict == "equal"
            else record
        ),
    )


def _mapped(report: Report, change: Callable[[Record], Record]) -> Report:
    files = [replace(file, layers=tuple(map(change, file.layers))) for file in report]
    return Report(files, report.strict)


def _key(record: Record) -> tuple[object, ...]:
    return record.layer, record.variant, record.against
