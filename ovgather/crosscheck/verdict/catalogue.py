"""All known deviations of all runtimes, by key."""

from __future__ import annotations

from ovgather.crosscheck.onnx.divergence import KNOWN
from ovgather.crosscheck.verdict.onnx_reference_errors import WEAKNESSES
from ovgather.crosscheck.verdict.openvino_deviations import STAGES


def by_key() -> dict[str, str]:
    """What is known of each runtime, in words, by its key."""
    known = {each.key: f"{each.reason} [{each.source}]" for stage in STAGES for each in stage}
    return KNOWN | known | {each.key: f"{each.reason} [{each.source}]" for each in WEAKNESSES}
