"""A run of random layers for people: what failed, a line for each group, then what was run."""

from collections.abc import Iterable, Iterator
from textwrap import shorten

from ovgather.crosscheck.fuzz import Campaign, Group, form_label
from ovgather.text import count, paint, printable

_HEADINGS = ("runtime", "verdict", "cause", "operation", "cases", "first", "smallest")
_VALUES = 16  # that many are written out
_SAID = 300  # letters of an error


def lines(results: Iterable[Campaign], color: bool = False) -> Iterator[str]:
    """The groups of each run, the most frequent first, and the counts of all verdicts."""
    for campaign in results:
        yield from _table([_row(group) for group in campaign.ranking], color)
        yield from _notes(campaign)


def _row(group: Group) -> tuple[str, ...]:
    trial, sign = group.smallest, group.signature
    kinds = zip(trial.element_types, (trial.data, trial.indices), strict=True)
    shapes = ", ".join(f"{kind}[{','.join(map(str, array.shape))}]" for kind, array in kinds)
    axis = f", axis {trial.axis}" if trial.axis is not None else ""
    batch_dims = f", batch_dims {trial.batch_dims}" if trial.batch_dims else ""
    values = f", indices {trial.indices.tolist()}" if trial.indices.size <= _VALUES else ""
    smallest = f"{form_label(trial)}: {shapes}{axis}{batch_dims}{values}"
    numbers = str(group.count), str(group.numbers[0])
    return (group.against, sign.verdict, sign.cause or "-", group.operation, *numbers, smallest)


def _table(rows: list[tuple[str, ...]], color: bool) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(_HEADINGS, *rows, strict=True)]
    for number, row in enumerate([_HEADINGS, *rows] if rows else []):
        cells = [f"{printable(cell):<{size}}" for cell, size in zip(row, widths, strict=True)]
        if number:
            cells[1] = paint(cells[1], "warning" if row[1] == "known" else "error", color)
        yield "  ".join(cells).rstrip() if number else paint("  ".join(cells).rstrip(), "bold", color)


def _notes(campaign: Campaign) -> Iterator[str]:
    for group in campaign.ranking:
        if group.note or group.signature.verdict == "error":
            reason = printable(group.note or group.outcome.reason)
            yield f"{group.against}, {group.operation}, {group.signature}: {shorten(reason, _SAID)}"
    for against, verdicts in campaign.verdicts.items():
        words = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common()) or "nothing run"
        causes = [f"{cause} {number}" for (name, cause), number in campaign.known.most_common() if name == against]
        known = f" (known: {', '.join(causes)})" if causes else ""
        yield f"{against}: {words}{known}"
    rate = f", {campaign.done / campaign.seconds:.0f} a second" if campaign.seconds else ""
    stopped = f" of {campaign.limit}, interrupted" if campaign.interrupted else ""
    yield f"{count(campaign.done, 'layer')}{stopped}, seed {campaign.options.seed}{rate}"
