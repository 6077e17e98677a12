"""Results as JSON and back. What comes back is checked: it may come from a damaged or hostile file."""

from __future__ import annotations

from typing import Any

from ovgather.ir.text import FileText
from ovgather.layers.reference import LayerReference
from ovgather.validation.checked import Checked, Counted
from ovgather.validation.diagnostic import (
    SEVERITIES,
    VERDICTS,
    Diagnostic,
    Related,
    Remedy,
    Replacement,
    Suppressed,
)

_TEXTS = ("code", "severity", "message", "openvino", "effect", "label")


def to_record(checked: Checked) -> dict[str, Any]:
    """``checked`` as plain data, without its path. The text of the file is left out, and all of a fix but its edits."""
    return {
        **checked._asdict(),
        "path": "",
        "diagnostics": [_finding_record(finding) for finding in checked.diagnostics],
        "suppressed": [[_finding_record(entry.diagnostic), entry.by, entry.reason] for entry in checked.suppressed],
    }


def _finding_record(finding: Diagnostic) -> dict[str, Any]:
    record = {name: getattr(finding, name) for name in (*_TEXTS, "position", "help", "layer", "related")}
    return {**record, "text": finding.source is not None, "fixable": finding.fixable, "remedies": finding.remedies}


def from_record(record: Any, path: str) -> Checked:
    """The result that ``to_record`` was given, for the file ``path``.

    Raises:
        LookupError, TypeError, ValueError: ``record`` is none.
    """
    version = record["ir_version"]
    return Checked(
        path,
        None if version is None else _number(version),
        _number(record["layers"]),
        _number(record["gather_layers"]),
        [_finding(each, path) for each in _list(record["diagnostics"])],
        _flag(record["fatal"]),
        [
            Suppressed(_finding(each, path), _one_of(("comment", "baseline"), by), _text(reason))
            for each, by, reason in _list(record["suppressed"])
        ],
        tuple(Counted(_text(code), _one_of(SEVERITIES, severity), _number(number)) for code, severity, number in
              _list(record["more"])),
        _number(record["more_suppressed"]),
    )  # fmt: skip


def _finding(record: Any, path: str) -> Diagnostic:
    values: dict[str, Any] = {name: _text(record[name]) for name in _TEXTS}
    line, column, end_line, end_column = map(_number, record["position"])
    layer, help = record["layer"], record["help"]
    diagnostic = Diagnostic(
        **values,
        path=path,
        position=(line, column, end_line, end_column),
        layer=None if layer is None else _layer(layer),
        help=None if help is None else _text(help),
        source=FileText(path) if _flag(record["text"]) else None,
        related=tuple(Related(_text(text), *map(_number, place)) for text, *place in _list(record["related"])),
    )
    _one_of(SEVERITIES, diagnostic.severity)
    _one_of(VERDICTS, diagnostic.openvino)
    remedies = record["remedies"]
    diagnostic.restore_fix(_flag(record["fixable"]), None if remedies is None else tuple(map(_remedy, _list(remedies))))
    return diagnostic


def _layer(record: Any) -> LayerReference:
    id, name, type, version, body = record
    return LayerReference(_text(id), _text(name), _text(type), _text(version), tuple(map(_text, _list(body))))


def _remedy(record: Any) -> Remedy:
    what, safe, replacements = record
    return Remedy(_text(what), _flag(safe), tuple(map(_replacement, _list(replacements))))


def _replacement(record: Any) -> Replacement:
    *place, text = record
    line, column, end_line, end_column = map(_number, place)
    return Replacement(line, column, end_line, end_column, _text(text))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} for a text")
    return value


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError(f"{type(value).__name__} for a number")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{type(value).__name__} for a flag")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{type(value).__name__} for a list")
    return value


def _one_of(values: tuple[str, ...], value: Any) -> str:
    if value not in values:
        raise ValueError(f"{value!r} is none of {values}")
    return str(value)
