"""A run of random graphs: what failed, a line for each group, then what was run; and as JSON."""

from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import Any

from ovgather.crosscheck.graphs.campaign import GraphCampaign, GraphGroup
from ovgather.report.json_text import fields
from ovgather.text import count, paint, printable

_SAID = 300  # letters of a reason


def lines(results: Iterable[GraphCampaign]) -> Iterator[str]:
    """The groups of each run, the most frequent first, and the counts of all verdicts."""
    for campaign in results:
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


def document(results: Iterable[GraphCampaign]) -> dict[str, Any]:
    (campaign,) = results
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
