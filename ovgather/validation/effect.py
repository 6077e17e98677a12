"""What OpenVINO does with a hazard, by its releases."""

from typing import NamedTuple

from ovgather.validation.releases import SEEN


class Effect(NamedTuple):
    """What OpenVINO does with a hazard, in words.

    Attributes:
        words: what releases do on which the hazard was seen, or what others do where these do ``then``.
        seen: the key of the hazard in ``SEEN``.
        then: what those releases do, in words; empty: what ``words`` say.
        verdict: the same as the ``openvino`` of a diagnostic; empty: that of the finding.

    >>> str(Effect("keeps it", "tensor-names", "dies", "crashes"))
    'keeps it (2023.3 to 2025.0: dies)'
    """

    words: str
    seen: str
    then: str = ""
    verdict: str = ""

    def __str__(self) -> str:
        return (
            f"{self.words} ({': '.join(filter(None, (SEEN[self.seen].on, self.then)))})"
        )
