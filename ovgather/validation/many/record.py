"""Results as JSON and back. What comes back is checked: it may come from a damaged or hostile file."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ovgather.ir.text import FileText
from ovgather.layers.reference import LayerReference
from ovgather.validation.checked import Checked, Counted
from ovgather.validation.diagnostic import (
    SEVERITIES,
    VERDICTS,
    Considered,
    Diagnostic,
    Position,
    Related,
    Remedy,
    RuntimeBehaviour,
    Suppressed,
)
from ovgather.validation.file_verdict import OnnxVerdict, Verdict

_PLAIN = {int, str, bool, float}
_TEXTS = ("code", "severity", "message", "openvino", "effect", "stage", "label")


def to_record(checked: Checked) -> dict[str, Any]:
    """``checked`` as plain data, without its path. The text of the file is left out, and all of a fix but its edits."""
    return {
        **checked._asdict(),
        "path": "",
        "diagnostics": [_finding_record(finding) for finding in checked.diagnostics],
        "suppressed": [
            [_finding_record(entry.diagnostic), entry.by, entry.reason]
            for entry in checked.suppressed
        ],
    }


def _finding_record(finding: Diagnostic) -> dict[str, Any]:
    record = {
        name: getattr(finding, name)
        for name in (*_TEXTS, "position", "help", "layer", "related")
    }
    record |= {
        "hypothesis": finding.hypothesis,
        "considered": finding.considered,
        "runtimes": finding.runtimes,
    }
    return {
        **record,
        "text": finding.source is not None,
        "fixable": finding.fixable,
        "remedies": finding.remedies,
    }


def from_record(record: Any, path: str) -> Checked:
    """The result that ``to_record`` was given, for the file ``path``; LookupError, TypeError or ValueError if none."""
    layers = decoded(int, record["layers"])
    gathers = decoded(int, record["gather_layers"])
    version = decoded(int | None, record["ir_version"])
    more = decoded(list[Counted], record["more"])
    diagnostics = [
        _finding(each, path) for each in decoded(list[Any], record["diagnostics"])
    ]
    suppressed = [
        Suppressed(
            _finding(each, path),
            _one_of(("comment", "baseline"), by),
            decoded(str, reason),
        )
        for each, by, reason in decoded(list[Any], record["suppressed"])
    ]
    for counted in more:
        _one_of(SEVERITIES, counted.severity)
    fatal = decoded(bool, record["fatal"])
    more_suppressed = decoded(int, record["more_suppressed"])
    findings = diagnostics, fatal, suppressed, tuple(more), more_suppressed
    verdict = decoded(Verdict, record["verdict"])
    onnx = decoded(OnnxVerdict | None, record["onnx"])
    return Checked(path, version, layers, gathers, *findings, verdict, onnx)


def _finding(record: Any, path: str) -> Diagnostic:
    diagnostic = Diagnostic(
        **{name: decoded(str, record[name]) for name in _TEXTS},
        path=path,
        position=decoded(Position, record["position"]),
        layer=decoded(LayerReference | None, record["layer"]),
        help=decoded(str | None, record["help"]),
        source=FileText(path) if decoded(bool, record["text"]) else None,
        related=decoded(tuple[Related, ...], record["related"]),
        fix=Diagnostic.left_behind if decoded(bool, record["fixable"]) else None,
    )
    _one_of(SEVERITIES, diagnostic.severity)
    _one_of(VERDICTS, diagnostic.openvino)
    diagnostic.hypothesis = decoded(str, record["hypothesis"])
    diagnostic.runtimes = decoded(tuple[RuntimeBehaviour, ...], record["runtimes"])
    diagnostic.considered = decoded(tuple[Considered, ...], record["considered"])
    diagnostic.remedies = decoded(tuple[Remedy, ...] | None, record["remedies"])
    return diagnostic


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
