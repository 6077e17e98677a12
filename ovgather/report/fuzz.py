"""A run of random layers or graphs: what failed, group by group, then what was run; and as JSON."""

from collections.abc import Iterable, Iterator
from textwrap import shorten

from ovgather.comparison.fuzz import Group, LayerCampaign, form_label
from ovgather.comparison.graphs.campaign import GraphCampaign, GraphGroup
from ovgather.comparison.reduce.search import plain
from ovgather.report.drawing.cells import attributes_text
from ovgather.report.json_text import JsonObject, fields
from ovgather.text import count, paint, printable, shape_text

_HEADINGS = ("runtime", "verdict", "cause", "operation", "cases", "first", "smallest")
_VALUES = 16  # that many are written out
_SAID = 300  # letters of an error


def lines(results: Iterable[LayerCampaign | GraphCampaign]) -> Iterator[str]:
    """The groups of each run, the most frequent first, and the counts of all verdicts."""
    for campaign in results:
        if isinstance(campaign, GraphCampaign):
            yield from _graph_lines(campaign)
        else:
            yield from _table([_row(group) for group in campaign.ranking])
            yield from _notes(campaign)


def _row(group: Group) -> tuple[str, ...]:
    trial = group.smallest
    sign = group.signature
    kinds = zip(trial.element_types, (trial.data, trial.indices), strict=True)
    shapes = ", ".join(f"{kind}{shape_text(array.shape)}" for kind, array in kinds)
    values = ""
    if trial.indices.size <= _VALUES:
        values = f"indices {trial.indices.tolist()}"
    words = ", ".join(filter(None, (shapes, attributes_text(trial.evidence()), values)))
    return (
        group.against,
        sign.verdict,
        sign.cause or "-",
        group.operation,
        str(group.count),
        str(group.numbers[0]),
        f"{form_label(trial)}: {words}",
    )


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(_HEADINGS, *rows, strict=True)]
    for number, row in enumerate([_HEADINGS, *rows] if rows else []):
        cells = [
            f"{printable(cell):<{size}}" for cell, size in zip(row, widths, strict=True)
        ]
        if number:
            cells[1] = paint(cells[1], "warning" if row[1] == "known" else "error")
        yield (
            "  ".join(cells).rstrip()
            if number
            else paint("  ".join(cells).rstrip(), "bold")
        )


def _notes(campaign: LayerCampaign) -> Iterator[str]:
    for group in campaign.ranking:
        if group.note or group.signature.verdict == "error":
            reason = printable(group.note or group.outcome.reason)
            yield f"{group.against}, {group.operation}, {group.signature}: {shorten(reason, _SAID)}"
    for against, verdicts in campaign.verdicts.items():
        words = (
            ", ".join(
                f"{number} {verdict}" for verdict, number in verdicts.most_common()
            )
            or "nothing run"
        )
        causes = [
            f"{cause} {number}"
            for (name, cause), number in campaign.known.most_common()
            if name == against
        ]
        known = ""
        if causes:
            known = f" (known: {', '.join(causes)})"
        yield f"{against}: {words}{known}"
    rate = ""
    if campaign.seconds:
        rate = f", {campaign.done / campaign.seconds:.0f} a second"
    stopped = ""
    if campaign.interrupted:
        stopped = f" of {campaign.limit}, interrupted"
    yield f"{count(campaign.done, 'layer')}{stopped}, seed {campaign.options.seed}{rate}"


def document(results: Iterable[LayerCampaign | GraphCampaign]) -> JsonObject:
    (campaign,) = results
    if isinstance(campaign, GraphCampaign):
        return _graph_document(campaign)
    return {
        "version": 1,
        "seed": campaign.options.seed,
        "layers": campaign.done,
        "interrupted": campaign.interrupted,
        "seconds": round(campaign.seconds, 3),
        "device": campaign.options.device,
        "runtimes": {
            against: {
                "verdicts": verdicts,
                "known": {
                    cause: number
                    for (name, cause), number in campaign.known.items()
                    if name == against
                },
            }
            for against, verdicts in campaign.verdicts.items()
        },
        "groups": [_group(group) for group in campaign.ranking],
    }


def _group(group: Group) -> JsonObject:
    trial = group.smallest
    tensors = zip(
        ("data", "indices"),
        trial.element_types,
        (trial.data, trial.indices),
        strict=True,
    )
    return {
        "against": group.against,
        **fields(group.signature, "verdict cause"),
        "operation": group.operation,
        "form": form_label(trial),
        **fields(group, "count numbers"),
        "reduced": group.reduction is not None,
        "reason": group.note or group.outcome.reason,
        "smallest": {
            **fields(trial, "version axis batch_dims"),
            **{
                name: {"type": kind.name, "shape": array.shape}
                for name, kind, array in tensors
            },
            "index_values": plain(trial.element_types[1], trial.indices)
            .ravel()
            .tolist(),
        },
    }


def _graph_lines(campaign: GraphCampaign) -> Iterator[str]:
    for group in campaign.ranking:
        yield from _group_lines(group)
    verdicts = campaign.verdicts.most_common()
    yield ", ".join(f"{number} {verdict}" for verdict, number in verdicts)
    known = campaign.known.most_common()
    if known:
        causes = ", ".join(f"{cause} {number}" for cause, number in known)
        yield f"known: {causes}"
    stopped = ""
    if campaign.interrupted:
        stopped = f" of {campaign.limit}, interrupted"
    seed = campaign.options.seed
    yield f"{count(campaign.done, 'graph')}{stopped}, seed {seed}"


def _group_lines(group: GraphGroup) -> Iterator[str]:
    numbers = ", ".join(map(str, group.numbers))
    layers = count(group.count, "layer")
    yield f"{paint(str(group.signature), 'error')}  {group.operation}: {layers}, first in graphs {numbers}"
    yield f"    {printable(shorten(group.record.reason, _SAID))}"
    if group.layers:
        yield f"    smallest: {count(group.layers, 'layer')} of the graph"
    if group.folder:
        yield f"    a reproducer in {group.folder}"
    if group.note:
        yield f"    no reproducer: {printable(shorten(group.note, _SAID))}"


def _graph_document(campaign: GraphCampaign) -> JsonObject:
    return {
        "version": 1,
        "seed": campaign.options.seed,
        "graphs": campaign.done,
        "interrupted": campaign.interrupted,
        "seconds": round(campaign.seconds, 3),
        "device": campaign.options.device,
        "verdicts": campaign.verdicts,
        "known": campaign.known,
        "groups": [
            {
                **fields(group.signature, "verdict cause"),
                "reason": group.record.reason,
                **fields(group, "operation count numbers layers folder note"),
            }
            for group in campaign.ranking
        ],
    }
