"""What single releases get wrong with files that are right: not read, or read as something else."""

from typing import NamedTuple

from ovgather.targets.release import Release


class Quirk(NamedTuple):
    """A mistake of some releases.

    Attributes:
        name: what a rule tests for: ``negative-axis`` or ``merged-batch-dims``.
        operations: the operations concerned, such as ``Gather-1``.
        since, until: the releases that have it.
        text: what they do, without a full stop.
        remedy: what to do.
        source: where this is known from.
    """

    name: str
    operations: tuple[str, ...]
    since: Release
    until: Release
    text: str
    remedy: str
    source: str

    def holds(self, release: Release) -> bool:
        """Whether ``release`` has it."""
        return self.since <= release <= self.until


QUIRKS = (
    Quirk(
        "negative-axis",
        ("Gather-1",),
        Release(2020, 1),
        Release(2020, 1),
        "reads a negative axis as an unsigned number and refuses it: The axis must => 0 and <= input_rank"
        " (axis: 4294967295)",
        "write the axis counted from the front",
        "ngraph/src/ngraph/op/gather.cpp; NervanaSystems/ngraph, issue 4342",
    ),
    Quirk(
        "merged-batch-dims",
        ("GatherND-11", "GatherND-12", "GatherND-13"),
        Release(2021, 2),
        Release(2021, 4),
        "converts it to GatherND-5, which merges the batch dims of the output into one",
        "use 2022.1 or later, or put a Reshape behind it",
        "openvinotoolkit/openvino, issue 7379; specification of GatherND-5",
    ),
)
"""All that are known."""
