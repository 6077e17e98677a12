"""The devices that are to run a file: a JSON file in ``devices`` each."""

from collections.abc import Collection, Mapping
from functools import cache
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from ovgather.errors import ConfigurationError
from ovgather.targets.release import Release, parse
from ovgather.tensor.shape import PartialShape


class Fact(NamedTuple):
    """One fact of a device, in a sentence without a full stop."""

    text: str
    source: str  # the document or the source file that says so, or what was measured
    basis: str = "documented"  # or "measured", or "read in the source"


class Since(NamedTuple):
    """An operation that a device runs only from a release on; ``None``: in no release that is known."""

    release: Release | str | None
    fact: Fact


class BehaviourFact(NamedTuple):
    """What a runtime of ONNX files does with a finding: ``verdict`` as of a ``RuntimeBehaviour``, and a fact."""

    verdict: str
    text: str
    source: str = ""
    basis: str = "documented"

    @property
    def effect(self) -> str:
        if not self.source:
            return self.text
        return cited(Fact(*self[1:]))


class Unsupported(NamedTuple):
    """Types of nodes that a device does not run, with the document that says so."""

    types: frozenset[str] = frozenset()
    source: str = ""


class Defect(NamedTuple):
    """What a device gets wrong up to a release, as the change that mends it says.

    ``last`` is the newest release from before that change was proposed, which cannot have it: of later ones it is not
    known. ``when`` has for a fact of a layer the values with which the defect occurs; empty: the change does not say.
    """

    type: str
    text: str  # without a full stop
    source: str
    opened: str  # the day of the proposal
    last: Release
    when: Mapping[str, Collection[object]] = MappingProxyType({})

    def concerns(self, type: str, facts: Mapping[str, object]) -> bool:
        """Whether a layer with these ``facts`` has the defect."""
        if type != self.type or not self.when:
            return False
        return all(facts.get(name) in values for name, values in self.when.items())


class Device(NamedTuple):
    """A device; a fact that is None is not known, or does not hold."""

    name: str  # as --device takes it
    what: str  # what it is, in a few words
    aliases: tuple[str, ...] = ()  # other names, in lower case
    last: tuple[Release, Fact] | None = None  # the last release of OpenVINO that has it
    static_shapes: Fact | None = None  # it takes static shapes only
    bounded_shapes: Fact | None = None  # it takes dynamic dims that have an upper bound
    static_rank: Fact | None = None  # it takes dynamic dims, but no dynamic rank
    negative_axis: Fact | None = None  # it takes no negative axis
    negative_tuples: Fact | None = None  # it takes no negative index in GatherND
    out_of_range: Fact | None = None  # what it does with an index out of range
    # for a type, or type-version, since when it runs it
    operations: tuple[tuple[str, Since], ...] = ()
    unsupported: Unsupported = Unsupported()  # what it does not run
    runtime: str = ""  # the name of the runtime in findings of ONNX files
    behaviour: Mapping[str, BehaviourFact] = MappingProxyType({})  # by subject
    one_index: Fact | None = None  # it takes no Gather with more than one index
    defects: tuple[Defect, ...] = ()  # in the order of their proposals

    def refuses(self, shape: PartialShape) -> tuple[Fact, str] | None:
        """Why the device does not take an input of this shape, and what it takes in words; None: it does."""
        if shape.is_static:
            return None
        if self.static_shapes is not None:
            return self.static_shapes, "takes static shapes only"
        is_bounded = shape.dims is not None and all(
            dim.max is not None for dim in shape.dims
        )
        if self.bounded_shapes is not None and not is_bounded:
            return self.bounded_shapes, "takes no dim without an upper bound"
        if self.static_rank is not None and shape.dims is None:
            return self.static_rank, "takes no dynamic rank"
        return None

    def behaviour_of(self, subject: str, type: str) -> BehaviourFact | None:
        """What it does with a finding on ``subject``, or with any node of ``type``; None: that is not known."""
        if subject in self.behaviour:
            return self.behaviour[subject]
        if type in self.unsupported.types:
            text = f"does not support {type}"
            return BehaviourFact("rejects", text, self.unsupported.source)
        since = dict(self.operations).get(type)
        if since is not None and since.release is None:
            return BehaviourFact("rejects", *since.fact)
        return None

    def lines(self) -> list[str]:
        """All facts in words, each with its basis and its source."""
        facts = [
            self.static_shapes,
            self.bounded_shapes,
            self.static_rank,
            self.negative_axis,
        ]
        facts += [self.negative_tuples, self.one_index]
        facts = [
            self.last and self.last[1],
            *facts,
            *(since.fact for _, since in self.operations),
        ]
        outside = []
        if self.out_of_range is not None:
            outside = [f"an index out of range gives {cited(self.out_of_range)}"]
        if self.unsupported.types:
            names = ", ".join(sorted(self.unsupported.types))
            facts.append(Fact(f"it does not run {names}", self.unsupported.source))
        known = [
            f"{subject}: {each.effect}"
            for subject, each in self.behaviour.items()
            if each.source and not subject.startswith("OVG")
        ]
        return [*(cited(fact) for fact in facts if fact is not None), *outside, *known]


@cache
def devices() -> tuple[Device, ...]:
    """All devices, in the order of their files.

    >>> [device.name for device in devices()][:3]
    ['CPU', 'CUDA', 'DirectML']
    """
    from pathlib import Path

    paths = sorted(Path(__file__).with_name("devices").glob("*.json"))
    return tuple(_device(path.read_text(encoding="utf-8")) for path in paths)


@cache
def onnx_runtimes() -> tuple[Device, ...]:
    """The devices that are runtimes of ONNX files.

    >>> [device.runtime for device in onnx_runtimes()]
    ['ONNX Runtime', 'OpenCV', 'TensorRT']
    """
    return tuple(device for device in devices() if device.runtime)


def _fact(value: dict[str, Any]) -> Any:
    if value.keys() <= {*Fact._fields} and "text" in value:
        return Fact(**value)
    if "verdict" in value:
        return BehaviourFact(**value)
    return value


def _device(text: str) -> Device:
    import json

    fields = json.loads(text, object_hook=_fact)
    if "last" in fields:
        release, fact = fields["last"]
        fields["last"] = parse(release), fact
    fields["aliases"] = tuple(fields.get("aliases", ()))
    fields["operations"] = tuple(
        (
            type,
            Since(
                parse(since) if since is not None and since[0].isdigit() else since,
                fact,
            ),
        )
        for type, (since, fact) in fields.get("operations", {}).items()
    )
    unsupported = fields.get("unsupported", {"types": ()})
    fields["unsupported"] = Unsupported(
        frozenset(unsupported["types"]), unsupported.get("source", "")
    )
    fields["defects"] = tuple(
        Defect(**{**defect, "last": parse(defect["last"])})
        for defect in sorted(fields.get("defects", ()), key=itemgetter("opened"))
    )
    return Device(**fields)


def find_device(name: str, where: str = "--device") -> Device:
    """The device called ``name``, in any case, with or without a number (``GPU.1``).

    Raises:
        ConfigurationError: there is none of that name; the message begins with ``where``.

    >>> find_device("gpu.1").name, find_device("ncs2").name
    ('GPU', 'MYRIAD')
    """
    lower = name.strip().lower().partition(".")[0]
    for device in devices():
        if lower in (device.name.lower(), *device.aliases):
            return device
    names = ", ".join(device.name for device in devices())
    raise ConfigurationError(
        f"{where}: no device is called {name!r}; known are {names}"
    )


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
    if rank is not None:
        return str(axis + rank)
    return f"rank - {-axis}"
