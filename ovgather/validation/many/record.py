"""Results as JSON and back. What comes back is checked: it may come from a damaged or hostile file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from ovgather.ir.text import FileText
from ovgather.layers.reference import LayerReference
from ovgather.validation.checked import Checked, Counted
from ovgather.validation.diagnostic import (
    Behaviour,
    Considered,
    Diagnostic,
    Position,
    Related,
    Remedy,
    RuntimeBehaviour,
    Severity,
    Stage,
    Suppressed,
)
from ovgather.validation.file_verdict import OnnxVerdict, Verdict

_PLAIN = {int, str, bool, float}
_OF_NEIGHBOURS = "exchanged_weights"
_LATER = ("hypothesis", "of_every_file", "considered", "remedies")
"""Fields of a finding that it gets after it was made."""


class FindingRecord(NamedTuple):
    """A ``Diagnostic`` without its path, the text of its file, and all of its fix but the edits."""

    code: str
    severity: Severity
    message: str
    position: Position
    layer: LayerReference | None
    openvino: Behaviour
    effect: str
    stage: Stage
    label: str
    help: str | None
    related: tuple[Related, ...]
    runtimes: tuple[RuntimeBehaviour, ...]
    hypothesis: str
    of_every_file: bool
    considered: tuple[Considered, ...]
    remedies: tuple[Remedy, ...] | None
    has_text: bool
    fixable: bool

    @classmethod
    def of(cls, finding: Diagnostic) -> FindingRecord:
        """The record of a finding."""
        values = [getattr(finding, name) for name in cls._fields[:-2]]
        return cls._make([*values, finding.source is not None, finding.fixable])

    def finding(self, path: str) -> Diagnostic:
        """The finding, of the file ``path``."""
        values = self._asdict()
        source = FileText(path) if values.pop("has_text") else None
        fix = Diagnostic.left_behind if values.pop("fixable") else None
        later = {name: values.pop(name) for name in _LATER}
        finding = Diagnostic(path=path, source=source, fix=fix, **values)
        for name, value in later.items():
            setattr(finding, name, value)
        return finding


class SuppressedRecord(NamedTuple):
    """A finding that is not reported, and why."""

    finding: FindingRecord
    by: Literal["comment", "baseline"]
    reason: str


class CheckedRecord(NamedTuple):
    """A ``Checked`` without its path, in its order."""

    ir_version: int | None
    layers: int
    gather_layers: int
    diagnostics: tuple[FindingRecord, ...]
    fatal: bool
    suppressed: tuple[SuppressedRecord, ...]
    more: tuple[tuple[str, Severity, int], ...]  # of Counted
    more_suppressed: int
    verdict: Verdict
    onnx: OnnxVerdict | None


def to_record(checked: Checked) -> list[Any] | None:
    """``checked`` as plain data, which JSON makes lists of: the values of a ``CheckedRecord``.

    None where a finding rests on files beside the model, whose changes a cache does not notice.
    """
    if any(each.hypothesis == _OF_NEIGHBOURS for each in checked.diagnostics):
        return None
    values = checked._asdict()
    del values["path"]
    values["diagnostics"] = [*map(FindingRecord.of, checked.diagnostics)]
    values["suppressed"] = [
        (FindingRecord.of(entry.diagnostic), entry.by, entry.reason)
        for entry in checked.suppressed
    ]
    return list(values.values())


def from_record(record: Any, path: str) -> Checked:
    """The result that ``to_record`` was given, for the file ``path``; LookupError, TypeError or ValueError if none."""
    known: CheckedRecord = decoded(CheckedRecord, record)
    values = known._asdict()
    values["diagnostics"] = [each.finding(path) for each in known.diagnostics]
    values["suppressed"] = [
        Suppressed(each.finding.finding(path), each.by, each.reason)
        for each in known.suppressed
    ]
    values["more"] = tuple(map(Counted._make, known.more))
    return Checked(path, **values)


def decoded(kind: Any, value: Any, least: int = 0) -> Any:
    """``value``, which was JSON, as ``kind``, an annotation: TypeError or ValueError if it is none. Numbers are
    ``least`` or more, and a tuple of names is a list in JSON."""
    return _decoder(kind, least)(value)


@cache
def _decoder(kind: Any, least: int) -> Callable[[Any], Any]:
    """What decodes values of an annotation: a type, or one or more of others, in a tuple, a list or a class."""
    made = get_origin(kind)
    parts = get_args(kind)
    if kind in _PLAIN:
        return partial(_checked, kind, least)
    if kind is Any:
        return _itself
    if made is Literal:
        return partial(_one_of, parts)
    if made is Mapping:
        names, values = (_decoder(part, least) for part in parts)
        return lambda value: {
            names(name): values(each) for name, each in dict(value).items()
        }
    if type(None) in parts:
        # Asked for when there is a value: evidence, which none has, holds arrays that are no JSON.
        return lambda value: None if value is None else _decoder(parts[0], least)(value)
    if made is None:
        decoders = [_decoder(part, least) for part in get_type_hints(kind).values()]
        return partial(_each, decoders, lambda values: kind(*values))
    if made is list or parts[-1:] == (...,):
        decode = _decoder(parts[0], least)
        return lambda value: made([decode(each) for each in _listed(value)])
    return partial(_each, [_decoder(part, least) for part in parts], tuple)


def _checked(kind: Any, least: int, value: Any) -> Any:
    if type(value) is not kind or (kind is int and value < least):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _itself(value: Any) -> Any:
    return value


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{type(value).__name__} for a list")
    return value


def _each(
    decoders: list[Callable[[Any], Any]],
    make: Callable[[list[Any]], Any],
    value: Any,
) -> Any:
    """``value``, a list with an item for each of the ``decoders``, as what ``make`` gives."""
    pairs = zip(decoders, _listed(value), strict=True)
    return make([decode(each) for decode, each in pairs])


def _one_of(values: tuple[str, ...], value: Any) -> str:
    if value not in values:
        raise ValueError(f"{value!r} is none of {values}")
    return str(value)
