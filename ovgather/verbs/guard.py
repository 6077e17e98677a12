"""A guard around a pass: what it changes in the Gather layers of a model, and an error where the model gets worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, NamedTuple

from ovgather.errors import OvgatherError
from ovgather.layers.formats import AnySource, read
from ovgather.tensor.arrays import Array
from ovgather.validation.api import Findings, validate
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.file_verdict import REFUSALS
from ovgather.verbs.gather_views import Gather, gather_layers

_MOST = 5
_Key = tuple[str, ...]


class GuardError(OvgatherError):
    """A pass that made a model worse.

    Attributes:
        findings: the errors that were not there before.
        changes: what else it changed.
    """

    def __init__(
        self, message: str, findings: tuple[Diagnostic, ...], changes: tuple[str, ...]
    ) -> None:
        super().__init__(message)
        self.findings = findings
        self.changes = changes


class Guard:
    """What a pass did, once the block has ended.

    Attributes:
        changes: a line for each Gather layer that is new, is gone, or has other shapes, axes or constants.
        findings: what is reported of the model now, and was not before.
        gone: what was reported before, and is not now.
    """

    def __init__(self) -> None:
        self.changes: tuple[str, ...] = ()
        self.findings: tuple[Diagnostic, ...] = ()
        self.gone: tuple[Diagnostic, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<Guard: {len(self.changes)} changes, {len(self.findings)} new findings>"
        )


class _State(NamedTuple):
    """What there is to say of a model, in values that a pass cannot change."""

    layers: dict[_Key, dict[str, str]]
    findings: Findings
    is_refused: bool


@contextmanager
def guard(model: AnySource) -> Iterator[Guard]:
    """Compare a model before and after the block, in which a pass changes it.

    Args:
        model: an ``openvino.Model``, an ``onnx.ModelProto`` or an ``onnx_ir.Model`` that the pass changes in place, or
            the path of a file that it writes again.

    Raises:
        GuardError: when the block ends, and the model has an error that it did not have, or OpenVINO refuses it now.

    >>> with guard("samples_xml/demo/good.xml") as guarded:
    ...     pass
    >>> guarded.changes, guarded.findings
    ((), ())
    """
    before = _state(model)
    guarded = Guard()
    yield guarded
    after = _state(model)
    guarded.changes = tuple(_changes(before.layers, after.layers))
    guarded.findings = tuple(_only_in(after.findings, before.findings))
    guarded.gone = tuple(_only_in(before.findings, after.findings))
    errors = tuple(
        [finding for finding in guarded.findings if finding.severity == "error"]
    )
    if errors or (after.is_refused and not before.is_refused):
        listed = [str(finding) for finding in errors[:_MOST]] or [
            after.findings.verdict.reason
        ]
        if len(errors) > _MOST:
            more = [f"and {len(errors) - _MOST} more"]
        else:
            more = []
        changed = [f"changed: {change}" for change in guarded.changes[:_MOST]]
        text = "\n  ".join(["the pass made the model worse", *listed, *more, *changed])
        raise GuardError(text, errors, guarded.changes)


def _state(model: AnySource) -> _State:
    source = read(model)
    layers: dict[_Key, dict[str, str]] = {}
    for gather in gather_layers(source):
        key: _Key = (*gather.body, gather.name)
        while key in layers:
            key = (*key, "again")
        layers[key] = dict(_facts(gather))
    findings = validate(source)
    return _State(layers, findings, findings.verdict.openvino in REFUSALS)


def _facts(gather: Gather) -> Iterator[tuple[str, str]]:
    yield "operation", gather.operation
    yield "axis", str(gather.axis)
    yield "batch_dims", str(gather.batch_dims)
    yield (
        "output",
        gather.error or (gather.output.named if gather.output is not None else "?"),
    )
    for each in gather.inputs:
        yield each.name, f"{each.element_type or '?'} {each.shape.named}"
        try:
            values = each.constant
        except OvgatherError as error:
            yield f"values of {each.name}", str(error)
        else:
            yield (
                f"values of {each.name}",
                "computed" if values is None else _words(values),
            )


def _words(values: Array) -> str:
    """Constants in a few words; large ones by a number that is another for other values."""
    if values.size <= 8:
        return str(values.tolist())
    content: Any = values.reshape(-1)
    if values.dtype.hasobject:
        content = repr(content.tolist()).encode()
    else:
        content = content.view("u1")
    return f"#{blake2b(content, digest_size=6).hexdigest()}"


def _changes(
    before: dict[_Key, dict[str, str]], after: dict[_Key, dict[str, str]]
) -> Iterator[str]:
    for key in [*before, *(key for key in after if key not in before)]:
        name = "/".join(key)
        if key not in after:
            yield f"{name} is gone"
        elif key not in before:
            yield f"{name} is new: {after[key]['operation']}, output {after[key]['output']}"
        else:
            old = before[key]
            new = after[key]
            facts = [fact for fact in {**old, **new} if old.get(fact) != new.get(fact)]
            if facts:
                yield f"{name}: {', '.join(f'{fact} {old.get(fact)} -> {new.get(fact)}' for fact in facts)}"


def _only_in(findings: Findings, others: Findings) -> Iterator[Diagnostic]:
    """The findings that have no counterpart of the same code, layer and severity among the ``others``."""
    left = Counter(map(_key, others))
    for finding in findings:
        if left[_key(finding)]:
            left[_key(finding)] -= 1
        else:
            yield finding


def _key(finding: Diagnostic) -> tuple[object, ...]:
    layer = finding.layer
    return (
        finding.code,
        finding.severity,
        None if layer is None else (*layer.body, layer.name),
    )
