"""A runtime's message -> its meaning; with a file beside it, the place in that file."""

import os
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from ovgather.errors import shown
from ovgather.ir.model import Model
from ovgather.layers.formats import gathers, read
from ovgather.layers.inputs import index_origin
from ovgather.layers.reference import called, reference
from ovgather.targets.answers.match import Answer, answers, nearest
from ovgather.targets.needs import needs, readers
from ovgather.targets.purpose import parse_purpose
from ovgather.tensor.guard import guarded
from ovgather.text import count
from ovgather.validation.check import check_file
from ovgather.validation.diagnostic import Diagnostic
from ovgather.verbs.explain import Topic, find
from ovgather.verbs.inspect import origins, weights_of

_MOST = 5
_IN_ONNX = {
    "OVG001": "OVG801", "OVG008": "OVG802", "OVG107": "OVG803", "OVG102": "OVG804", "OVG201": "OVG805",
    "OVG204": "OVG806", "OVG104": "OVG807", "OVG105": "OVG807", "OVG202": "OVG808", "OVG203": "OVG809",
    "OVG501": "OVG810", "OVG861": "OVG863", "OVG862": "OVG864",
}  # fmt: skip
"""The rules for IR, each with that for ONNX files that looks for the same: a message may be about either file."""


class Place(NamedTuple):
    """What a file says to a message: findings of the rules that look for its cause, and other facts, in words.

    ``is_guess``: these rules find nothing, and the findings are those that a runtime stops at.
    """

    path: str
    findings: tuple[Diagnostic, ...]
    facts: tuple[str, ...]
    others: int
    is_guess: bool = False


class Explained(NamedTuple):
    """A message with its answers, the most specific first; without any, the nearest known message."""

    text: str
    answers: tuple[Answer, ...]
    place: Place | None = None
    nearest: str = ""

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<Explained {shown(self.text)}: {count(len(self.answers), 'answer')}>"


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
    ['OVG402', 'OVG008', 'OVG407']
    """
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
    replies = tuple(answers(text))
    near = None
    if not replies:
        near = nearest(text)
    if path is None:
        place = None
    else:
        place = _place(replies, path, weights)
    return Explained(
        text, replies, place, f"{near[0]}: {near[1].meaning}" if near else ""
    )


def _place(replies: tuple[Answer, ...], path: str, weights: str | None) -> Place:
    device = next(
        (
            answer.source.device
            for answer in replies
            if answer.source.device is not None
        ),
        None,
    )
    checked = check_file(path, weights, purpose=parse_purpose(None, device))
    rules = {code for answer in replies for code in answer.pattern.rules}
    codes = rules | {
        twin for pair in _IN_ONNX.items() for twin in pair if rules & {*pair}
    }
    clues = {
        answer.values.get(name, "")
        for answer in replies
        for name in ("layer", "id", "node")
    } - {""}
    fitting = [
        finding
        for finding in checked.diagnostics
        if finding.code in codes or checked.fatal
    ]
    is_guess = not fitting
    if is_guess:
        fitting = [
            each
            for each in checked.diagnostics
            if each.severity == "error" and each.openvino != "accepts"
        ]
    about = [
        each
        for each in fitting
        if each.layer is not None and clues & {each.layer.id, each.layer.name}
    ]
    fitting.sort(
        key=lambda finding: (finding not in about, finding.openvino == "accepts")
    )
    others = sum(
        number
        for (_, severity), number in checked.numbers.items()
        if severity != "note"
    )
    others -= sum(finding.severity != "note" for finding in fitting)
    return Place(
        path,
        tuple(fitting[:_MOST]),
        tuple(_facts(replies, rules, path, weights)),
        max(others, 0),
        is_guess,
    )


def _facts(
    replies: tuple[Answer, ...], rules: set[str], path: str, weights: str | None
) -> Iterator[str]:
    """What the file says of releases, of its weights and of an axis, where the message is about these."""
    model = read(path, weights)
    values = {
        name: value for answer in replies for name, value in answer.values.items()
    }
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
            layer = need.layers[0]
            more = ""
            if len(need.layers) > 1:
                more = f" and {len(need.layers) - 1} more"
            asks = "asks"
            if more:
                asks = "ask"
            yield f"{called(reference(layer))}{more} {asks} for {need.reading.name}: {need.reading.span}"
