"""What is known of a device: facts in words that rules apply to a file."""

from typing import NamedTuple

from ovgather.targets.release import Release

DOCUMENTED, MEASURED, READ = "documented", "measured", "read in the source"


class Fact(NamedTuple):
    """One fact of a device.

    Attributes:
        text: what holds, in a sentence without a full stop.
        source: the document or the source file that says so, or what was measured.
        basis: ``documented``, ``measured`` or ``read in the source``.
    """

    text: str
    source: str
    basis: str = DOCUMENTED


class Since(NamedTuple):
    """An operation that a device runs only from a release on; ``None``: in no release that is known."""

    release: Release | str | None
    fact: Fact


class Device(NamedTuple):
    """A device.

    Attributes:
        name: as ``--device`` takes it.
        aliases: other names, in lower case.
        what: what it is, in a few words.
        runs: the formats that it is given: ``ir``, ``onnx``, or both.
        last: the last release of OpenVINO that has it, and the fact; None: it is there to this day.
        static_shapes: it takes static shapes only.
        static_rank: it takes dynamic dims, but no dynamic rank.
        negative_axis: it does not take a negative axis.
        out_of_range: what it does with an index out of range; None: not known.
        operations: for a type, or ``type-version``, since when it runs it.
        one_index: Gather with more than one index is refused.
    """

    name: str
    what: str
    aliases: tuple[str, ...] = ()
    runs: tuple[str, ...] = ("ir", "onnx")
    last: tuple[Release, Fact] | None = None
    static_shapes: Fact | None = None
    static_rank: Fact | None = None
    negative_axis: Fact | None = None
    out_of_range: Fact | None = None
    operations: tuple[tuple[str, Since], ...] = ()
    one_index: Fact | None = None

    def lines(self) -> list[str]:
        """All facts in words, each with its basis and its source."""
        facts = [self.last[1]] if self.last is not None else []
        facts += [fact for fact in (self.static_shapes, self.static_rank, self.negative_axis, self.one_index) if fact]
        facts += [since.fact for _, since in self.operations]
        lines = [cited(fact) for fact in facts]
        if self.out_of_range is not None:
            lines.append(f"an index out of range gives {cited(self.out_of_range)}")
        return lines


def ended_before(device: Device, target: Release | None) -> tuple[Release, Fact] | None:
    """The last release with ``device``, where it is not in ``target`` (None: the newest)."""
    if device.last is None or (target is not None and target <= device.last[0]):
        return None
    return device.last


def cited(fact: Fact) -> str:
    """What holds, on what basis, and where that stands.

    >>> cited(Fact("it is blue", "its page"))
    'it is blue (documented: its page)'
    """
    return f"{fact.text} ({fact.basis}: {fact.source})"


def from_front(axis: int | None, rank: int | None) -> str | None:
    """A negative axis counted from the front, as one writes it; None: it is not negative, or not known.

    >>> from_front(-1, 3), from_front(-1, None), from_front(0, 3)
    ('2', 'rank - 1', None)
    """
    if axis is None or axis >= 0:
        return None
    return str(axis + rank) if rank is not None else f"rank - {-axis}"
