"""What OpenVINO does with an index out of range, by the type of the node: measured, see ``docs/releases.md``."""

from __future__ import annotations

from typing import NamedTuple

from ovgather.validation.releases import SEEN


class Outside(NamedTuple):
    """What OpenVINO does: ``openvino`` and ``effect`` as of a ``Diagnostic``."""

    openvino: str
    effect: str


_SCATTERED = Outside(
    "crashes",
    "becomes an update that writes memory that is not its own, or dies (2026.4.1)",
)
OUTSIDE = {
    **dict.fromkeys(("Scatter", "ScatterElements", "ScatterND"), _SCATTERED),
    "Gather": Outside(
        "accepts",
        "becomes Gather-8, which gives zeros without a word; of few integers it may give other values "
        f"({SEEN['short-row'].on})",
    ),
    "GatherElements": Outside(
        "rejects_on_run",
        f"becomes GatherElements-6: raises an exception when it runs, from 2025.3 on; {SEEN['elements-outside'].on}: "
        "reads memory that is not its own",
    ),
    "GatherND": Outside(
        "crashes",
        f"becomes GatherND-8, which reads memory that is not its own, or dies ({SEEN['tuple-outside'].on})",
    ),
}
