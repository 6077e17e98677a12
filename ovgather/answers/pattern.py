"""A message that a runtime prints, as a pattern with its meaning."""

from collections.abc import Sequence
from typing import NamedTuple


class Pattern(NamedTuple):
    """One message.

    Attributes:
        regex: what the message looks like; its groups have names, which the words below may use in braces.
        meaning: what it means in plain words, without a full stop at its end.
        remedy: what to do.
        rules: codes of the rules that find the place in a file.
        commands: what to run next; ``model.xml`` stands for the file.
        since: since which release it reads so, or between which ones.
        source: where the text stands.
        weight: how much it tells; of two that fit, the greater one is the answer.
    """

    regex: str
    meaning: str
    remedy: str
    rules: Sequence[str] = ()
    commands: Sequence[str] = ("ovgather validate model.xml",)
    since: str = ""
    source: str = ""
    weight: int = 2


KIND = 1
"""A weight up to this one says what kind of failure it is, or only that one is; 2 names the place, 3 the cause."""
