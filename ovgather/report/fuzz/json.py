"""A run of random layers for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable
from typing import Any

from ovgather.crosscheck.fuzz import Campaign, Group, form_label
from ovgather.crosscheck.reduce.search import plain
from ovgather.report.validate.json import dumps


def render(results: Iterable[Campaign], color: bool = False) -> str:
    """The run as one JSON document."""
    (campaign,) = results
    options = campaign.options
    document = {
        "version": 1,
        "seed": options.seed,
        "layers": campaign.done,
        "interrupted": campaign.interrupted,
        "seconds": round(campaign.seconds, 3),
        "device": options.device,
        "runtimes": {
            against: {
                "verdicts": dict(verdicts),
                "known": {cause: number for (name, cause), number in campaign.known.items() if name == against},
            }
            for against, verdicts in campaign.verdicts.items()
        },
        "groups": [_group(group) for group in campaign.ranking],
    }
    return dumps(document)


def _group(group: Group) -> dict[str, Any]:
    trial = group.smallest
    tensors = zip(("data", "indices"), trial.element_types, (trial.data, trial.indices), strict=True)
    return {
        "against": group.against,
        "verdict": group.signature.verdict,
        "cause": group.signature.cause,
        "operation": group.operation,
        "form": form_label(trial),
        "count": group.count,
        "numbers": group.numbers,
        "reduced": group.reduction is not None,
        "reason": group.note or group.outcome.reason,
        "smallest": {
            "version": trial.version,
            "axis": trial.axis,
            "batch_dims": trial.batch_dims,
            **{name: {"type": kind.name, "shape": list(array.shape)} for name, kind, array in tensors},
            "index_values": plain(trial.element_types[1], trial.indices).ravel().tolist(),
        },
    }
