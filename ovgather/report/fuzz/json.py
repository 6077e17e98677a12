"""A run of random layers for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable
from typing import Any

from ovgather.crosscheck.fuzz import Campaign, Group, form_label
from ovgather.crosscheck.reduce.search import plain
from ovgather.report.json_text import fields


def document(results: Iterable[Campaign]) -> dict[str, Any]:
    """The one run."""
    (campaign,) = results
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
                "known": {cause: number for (name, cause), number in campaign.known.items() if name == against},
            }
            for against, verdicts in campaign.verdicts.items()
        },
        "groups": [_group(group) for group in campaign.ranking],
    }


def _group(group: Group) -> dict[str, Any]:
    trial = group.smallest
    tensors = zip(("data", "indices"), trial.element_types, (trial.data, trial.indices), strict=True)
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
            **{name: {"type": kind.name, "shape": array.shape} for name, kind, array in tensors},
            "index_values": plain(trial.element_types[1], trial.indices).ravel().tolist(),
        },
    }
