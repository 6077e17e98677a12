"""A runtime's message -> its meaning; with a file beside it, the place in that file."""

import os
import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import islice
from types import NoneType
from typing import NamedTuple

from ovgather.errors import ArgumentError, short_repr
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel, gathers, read
from ovgather.layers.inputs import index_origin
from ovgather.layers.onnx_records import node_reference
from ovgather.layers.reference import LayerReference, called, reference
from ovgather.onnx_file.model import OnnxModel
from ovgather.targets.answers.match import Answer, answers, nearest
from ovgather.targets.needs import needs, readers
from ovgather.targets.onnx_operations import conversion_of
from ovgather.targets.purpose import parse_purpose
from ovgather.tensor.guard import guarded
from ovgather.text import count, first_few
from ovgather.validation.check import check_file
from ovgather.validation.diagnostic import SEVERITIES, Diagnostic
from ovgather.verbs.explain import Topic, find
from ovgather.verbs.inspect import origins, weights_of

_MOST = 5
_IN_ONNX = {
    "OVG001": "OVG801", "OVG008": "OVG802", "OVG107": "OVG803", "OVG102": "OVG804", "OVG201": "OVG805",
    "OVG204": "OVG806", "OVG104": "OVG807", "OVG105": "OVG807", "OVG202": "OVG808", "OVG203": "OVG809",
    "OVG501": "OVG810", "OVG103": "OVG805", "OVG861": "OVG863", "OVG862": "OVG864",
}  # fmt: skip
"""The rules for IR, each with that for ONNX files that looks for the same: a message may be about either file."""
_OF_DEVICES = frozenset({"OVG862", "OVG864"})
_NAME = re.compile(r"[^\s'\"`(),;<>\[\]{}]+")


class Place(NamedTuple):
    """What a file says to a message: findings of the rules that look for its cause, and other facts, in words.

    ``is_guess``: these rules find nothing, and the findings are those that a runtime stops at. ``fatal``: the file
    cannot be read at all.
    """

    path: str
    findings: tuple[Diagnostic, ...]
    facts: tuple[str, ...]
    others: int
    is_guess: bool = False
    fatal: bool = False


class Explained(NamedTuple):
    """A message with its answers, the most specific first; without any, the nearest known message."""

    text: str
    answers: tuple[Answer, ...]
    place: Place | None = None
    nearest: str = ""

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return (
            f"<Explained {short_repr(self.text)}: {count(len(self.answers), 'answer')}>"
        )


@guarded
def explain(
    subject: str,
    source: str | os.PathLike[str] | None = None,
    *,
    weights: str | os.PathLike[str] | None = None,
) -> Topic | Explained:
    """The page of a rule, hypothesis, operation or function by its name, or what a message of a runtime means.

    Args:
        subject: ``OVG203``, ``another_source``, ``Gather-8``, ``onnx:Gather``, ``torch.gather``; a message, or a log.
        source: for a message, a file that shows its cause.
        weights: its ``.bin``; see ``ovgather.read``.

    >>> explain("OVG203").title
    'declared output dims that differ from the inferred ones'
    >>> explain("Incorrect weights in bin file!").answers[0].pattern.rules
    ('OVG402', 'OVG008', 'OVG407')
    """
    if not isinstance(source, (str, os.PathLike, NoneType)):
        raise ArgumentError(f"source must be a path, not {short_repr(source)}")
    topic = None
    if source is None:
        topic = find(subject)
    if topic is not None:
        return topic
    return explain_message(
        subject, None if source is None else os.fspath(source), _text(weights)
    )


def _text(path: str | os.PathLike[str] | None) -> str | None:
    if path is None:
        return None
    return os.fspath(path)


def explain_message(
    text: str, path: str | None = None, weights: str | None = None
) -> Explained:
    """What ``text``, one message or a whole log, means; with the file at ``path``, where that shows its cause.

    Raises:
        UnavailableError: it is an ONNX file, and onnx is not installed.

    >>> explained = explain_message("Cannot create MaxPool layer p id:8 from unsupported opset: opset14")
    >>> explained.answers[0].values["opset_release"], explained.place
    ('2024.0', None)
    >>> explain_message("the moon is full").answers
    ()
    """
    is_onnx = "onnx" in (path or text).lower()
    replies = tuple([_in_format(each, is_onnx) for each in answers(text)])
    near = None
    if not replies:
        near = nearest(text)
    place = None
    if path is not None:
        place = _place(text, replies, path, weights)
    return Explained(
        text, replies, place, f"{near[0]}: {near[1].meaning}" if near else ""
    )


def _in_format(answer: Answer, is_onnx: bool) -> Answer:
    """The answer with the rules that look for its cause in files of one format."""
    counterparts = {counterpart: code for code, counterpart in _IN_ONNX.items()}
    if is_onnx:
        counterparts = _IN_ONNX
    rules = dict.fromkeys(counterparts.get(code, code) for code in answer.pattern.rules)
    return answer._replace(pattern=answer.pattern._replace(rules=tuple(rules)))


class _Cause(IntEnum):
    """Why a finding may be what a message is about, the best reason first."""

    NAMED = 0  # the message names its layer
    EXPECTED = 1  # the message is one of those that its rule explains
    REFUSED = 2  # a runtime stops at it
    DEVICE = 3  # what prints the message does not run what is right elsewhere


def _place(
    text: str, replies: Sequence[Answer], path: str, weights: str | None
) -> Place:
    device = next(
        (
            answer.source.device
            for answer in replies
            if answer.source.device is not None
        ),
        None,
    )
    checked = check_file(path, weights, purpose=parse_purpose(None, device))
    model = read(path, weights)
    rules = {code for answer in replies for code in answer.pattern.rules}
    names = _names(text, replies)
    outputs = _outputs(model)
    causes = []
    for finding in checked.diagnostics:
        layer = finding.layer
        is_named = layer is not None and not names.isdisjoint(
            (layer.id, layer.name, *layer.body, *outputs.get(layer, ()))
        )
        is_expected = finding.code in rules or checked.fatal
        cause = _cause(finding, is_expected, is_named)
        if cause is not None:
            order = (cause, SEVERITIES.index(finding.severity), not is_expected)
            causes.append((order, finding))
    causes.sort(key=lambda pair: pair[0])
    best = causes[0][0][0] if causes else None
    is_found = best in (_Cause.NAMED, _Cause.EXPECTED)
    if is_found:
        causes = [pair for pair in causes if pair[0][0] is not _Cause.REFUSED]
    others = sum(
        number
        for (_, severity), number in checked.numbers.items()
        if severity != "note"
    )
    others -= sum(finding.severity != "note" for _, finding in causes)
    return Place(
        path,
        tuple([finding for _, finding in causes[:_MOST]]),
        tuple(_facts(replies, rules, model)),
        max(others, 0),
        best is _Cause.REFUSED,
        checked.fatal,
    )


def _cause(finding: Diagnostic, is_expected: bool, is_named: bool) -> _Cause | None:
    if finding.code in _OF_DEVICES:
        if is_expected:
            return _Cause.DEVICE
        return None
    if is_named and (is_expected or finding.severity == "error"):
        return _Cause.NAMED
    if is_expected:
        return _Cause.EXPECTED
    verdicts = {finding.openvino, *(each.verdict for each in finding.runtimes)}
    if finding.severity == "error" and verdicts != {"accepts"}:
        return _Cause.REFUSED
    return None


def _names(text: str, replies: Sequence[Answer]) -> set[str]:
    """The words of a message that may name a layer, and the numbers that do."""
    captured = {
        answer.values.get(name, "")
        for answer in replies
        for name in ("layer", "id", "node")
    }
    words = {word for word in _NAME.findall(text) if not word.isdigit()}
    return captured - {""} | words


def _outputs(model: AnyModel) -> dict[LayerReference, Sequence[str]]:
    """The names of the outputs of nodes: OpenVINO calls a node by them."""
    if not isinstance(model, OnnxModel):
        return {}
    return {
        node_reference(graph, place, node): [name for name in node.output if name]
        for graph in model.graphs
        for place, node in enumerate(graph.proto.node)
    }


def _facts(
    replies: Sequence[Answer], rules: set[str], model: AnyModel
) -> Iterator[str]:
    """What the file says of releases, of its weights and of an axis, where the message is about these."""
    values = {
        name: value for answer in replies for name, value in answer.values.items()
    }
    for name in re.split(r"[\s,]+", values.get("types", "")):
        domain, _, type = name.rpartition(".")
        conversion = conversion_of(domain, type)
        if isinstance(model, OnnxModel) and conversion is not None:
            yield f"{name} is converted by OpenVINO {conversion.span} ({conversion.source})"
    if isinstance(model, Model) and not model.fatal:
        if rules & {"OVG861", "OVG004"}:
            yield from _releases(model, values.get("opset", ""))
        if rules & {"OVG008", "OVG402"}:
            yield weights_of(model).words
        if "OVG862" in rules:
            for begin in islice(origins(model), _MOST):
                yield f"dynamic dims begin in {called(begin.layer)}: {begin.shape}"
    size = values.get("size", "")
    if size.isdigit():
        for gather in gathers(model):
            data = gather.shapes[0] if gather.shapes else None
            axis = gather.axis
            if (
                data is None
                or data.rank is None
                or axis is None
                or not -data.rank <= axis < data.rank
            ):
                continue
            if str(data[axis]) == size:
                origin = index_origin(gather)
                source = ""
                if origin:
                    source = f"; its indices come from the input {origin!r}"
                yield f"{called(gather.reference, gather.title)} takes data {data} on axis {axis}{source}"


def _releases(model: Model, opset: str) -> Iterator[str]:
    reading = readers(model)
    if reading is None:
        return
    yield f"{os.path.basename(model.path)} is read by OpenVINO {reading.span}"
    for need in needs(model):
        if need.reading.name == (opset or reading.highest) and need.layers:
            layers = [called(reference(layer)) for layer in need.layers]
            asks = "ask" if len(layers) > 1 else "asks"
            yield f"{first_few(layers, 1)} {asks} for {need.reading.name}: {need.reading.span}"
