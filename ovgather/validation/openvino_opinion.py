"""What OpenVINO itself says of files, put under the finding that says OpenVINO rejects the file, and that stands at the
place or speaks of the layer or text that the message gives: an offset, a name or id, a node by its inputs, an
attribute. What belongs to none is a finding of its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from ovgather.errors import WorkerError
from ovgather.files.side import SideFileError, open_input, open_side_file
from ovgather.ir.edit.edits import Held
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.layers.reference import LayerReference, reference
from ovgather.onnx_file.source import is_onnx
from ovgather.runtimes.load import Complaint, Load, load
from ovgather.targets.answers.match import KIND, answers
from ovgather.text import well_formed
from ovgather.validation.checked import Checked
from ovgather.validation.context import File, Place
from ovgather.validation.diagnostic import NO_LINES, SEVERITIES, Diagnostic
from ovgather.validation.facts.edges import upstream
from ovgather.validation.file_verdict import Verdict
from ovgather.validation.plan import Plan
from ovgather.validation.rules.runtime import openvino_message

if TYPE_CHECKING:
    from ovgather.layers.onnx_node import GatherNode

_UNOPENED = "OVG001"
# files in a batch
_FIRST = 16
_LARGEST = 128
_FOREIGN = "OVG407"
_LONG_NUMBER = re.compile(r"-?\d{4,}")
_ONNX_NODE = re.compile(r"<Node\((?P<type>\w+)\): (?P<outputs>[^>]*)>")
_OFFSET = re.compile(r"\bat offset (\d{1,18})\b")
_LAYER_AND_ID = re.compile(r"\blayer (.+?) (?:with )?id: ?(\d+)")
_LAYERS = (
    r"\bin layer (.+)$",
    r"\bOperation name: (.+)$",
    r"\bnode with name '(.+?)'",
    r"\bname: '(.+?)'",
)
_NODE = re.compile(r"\bnode:? '?opset\d+::(\w+) (\S+) \((.*?)\) -> ")
_INPUT = re.compile(r"opset\d+::\w+ (.+?)\[\d+\]:")
_TYPE = re.compile(r"operation with type: (.+?)$|^Missing attribute '.*?' for (\w+)")
_TEXTS = (
    r"Cannot parse '(.*?)' (?:to|in)\b",
    r' = "(.*?)" which is not',
    r'"(.*?)" is not a member',
    r"operation with type: (.+?)$",
)
# Texts that answers take from messages.
_VALUES = (
    "text",
    "dim",
    "element_type",
    "attribute",
    "opset",
)


class Spot(NamedTuple):
    """A byte of the parsed text, the line it stands in, and the last layer that starts before it."""

    offset: int
    line: int
    layer: LayerReference | None


class Clues(NamedTuple):
    """What a message tells: a place that OpenVINO stopped at, the layers it may mean, texts it quotes, the codes of the
    rules that find its cause."""

    spot: Spot | None
    layers: tuple[Layer, ...]
    texts: tuple[str, ...]
    codes: frozenset[str]


def ask(
    results: Iterable[Checked], plan: Plan, until: str = "read"
) -> Iterator[Checked]:
    """``results`` with OpenVINO's message on each file, from ``until``: ``read`` or ``compile``.

    They come in batches, since each needs a process that loads OpenVINO.
    """
    results = iter(results)
    size = _FIRST
    end = None
    while end is None:
        batch: list[Checked] = []
        try:
            batch.extend(islice(results, size))
        except WorkerError as error:  # those that came before it stay
            end = error
        opened = [
            checked.path
            for checked in batch
            if (_UNOPENED, "error") not in checked.numbers
        ]
        complaints = dict(
            zip(
                opened, load([_case(path, plan, until) for path in opened]), strict=True
            )
        )
        for checked in batch:
            complaint = complaints.get(checked.path)
            if checked.path in complaints:
                checked = checked._replace(
                    verdict=_measured(checked.verdict, complaint, until)
                )
            yield checked if complaint is None else _tell(checked, complaint, plan)
        if len(batch) < size and end is None:
            return
        size = min(2 * size, _LARGEST)
    raise end


def _measured(verdict: Verdict, complaint: Complaint | None, until: str) -> Verdict:
    """What is known of the file now that OpenVINO was asked."""
    if complaint is not None and complaint.openvino == verdict.openvino:
        return verdict._replace(measured=True)
    if complaint is not None and complaint.openvino != "undefined":
        return verdict._replace(
            openvino=complaint.openvino,
            reason=complaint.message,
            layer="",
            line=0,
            measured=True,
        )
    if complaint is not None:
        return verdict
    if until == "compile":
        return Verdict("accepts", unchecked=verdict.unchecked, measured=True)
    reads = verdict.openvino in ("rejects", "crashes")
    if reads:
        return Verdict("unknown", "OpenVINO reads it", unchecked=verdict.unchecked)
    return verdict


def _case(path: str, plan: Plan, until: str) -> Load:
    if path == "-":
        return Load(None, plan.standard_input or b"", plan.weights, until)
    beside = os.path.splitext(path)[0] + ".bin"
    refused = False
    if plan.weights is None and not is_onnx(path):
        try:  # OpenVINO would follow any link, and wait for a pipe
            open_side_file(path, os.path.basename(beside), plan.follow_links).close()
        except SideFileError as error:
            refused = error.kind in ("link", "special")
    if (
        not refused and well_formed(path) == path
    ):  # OpenVINO takes only names that are UTF-8
        return Load(path, b"", plan.weights, until)
    with open_input(path) as file:
        weights = None
        if os.path.isfile(beside) and not refused:
            weights = beside
        return Load(None, file.read(), plan.weights or weights, until)


def _tell(checked: Checked, complaint: Complaint, plan: Plan) -> Checked:
    path = checked.path
    if is_onnx(path):
        checked = tell_onnx(path, checked, complaint)
    else:
        source = Held(plan.standard_input or b"", path) if path == "-" else path
        checked = tell(
            checked,
            complaint,
            read(source, plan.weights, follow_links=plan.follow_links),
        )
    code = openvino_message.RULE.code
    for finding in checked.diagnostics:
        if finding.code == code:
            finding.severity = (plan.severities or {}).get(code, finding.severity)  # type: ignore[assignment]
    if plan.reports(path, code):
        return checked
    return checked._replace(
        diagnostics=[each for each in checked.diagnostics if each.code != code]
    )


def tell(checked: Checked, complaint: Complaint, model: Model) -> Checked:
    """``checked`` with ``complaint`` under the finding it belongs to, or as a finding of its own."""
    hints = clues(complaint.message, model)
    finding = _belonging(checked.diagnostics, complaint, hints)
    if finding is not None:
        if complaint.verdict == "rejects":
            stage = f"{complaint.stage}: "
        else:
            stage = ""
        # Values of weights of another model are not shown.
        is_foreign = finding.code == _FOREIGN
        if is_foreign:
            message = _LONG_NUMBER.sub("…", complaint.message)
        else:
            message = complaint.message
        finding.openvino_message = f"{stage}{message}"
        return checked
    # A suppressed finding is known, and so is OpenVINO's message on it.
    if (
        _belonging([entry.diagnostic for entry in checked.suppressed], complaint, hints)
        is not None
    ):
        return checked
    file = File(model)
    layer = hints.layers[0] if hints.layers else None
    finding = openvino_message.finding(
        file, complaint, _span(file, layer, hints.spot), layer
    )
    if layer is not None and layer.id >= 0:
        finding.help = _cause(layer, checked.diagnostics)
    if (
        file.suppressions is not None
        and (entry := file.suppressions.suppressed(finding)) is not None
    ):
        return checked._replace(suppressed=[*checked.suppressed, entry])
    ordered = sorted(
        [*checked.diagnostics, finding], key=attrgetter("line", "column", "code")
    )
    return checked._replace(diagnostics=ordered)


def tell_onnx(path: str, checked: Checked, complaint: Complaint) -> Checked:
    """``checked`` with ``complaint`` under the first finding on the node it names, or as a finding of its own."""
    node = _node(path, complaint.message)
    message = complaint.message
    layer = node.reference if node is not None else None
    if layer is not None:
        for finding in checked.diagnostics:
            if finding.layer == layer and finding.severity == "error":
                finding.openvino_message = f"{complaint.stage}: {message}"
                return checked
    if complaint.verdict == "rejects":
        message = f"OpenVINO rejects the file in {complaint.stage}: {message}"
    code = openvino_message.RULE.code
    verdict = complaint.openvino
    finding = Diagnostic(
        code,
        "error",
        message,
        path=checked.path,
        position=NO_LINES,
        layer=layer,
        openvino=verdict,
    )
    return checked._replace(diagnostics=[*checked.diagnostics, finding])


def _node(path: str, message: str) -> GatherNode | None:
    """The node that the message names by its type and its outputs, when there is but one such."""
    from ovgather.layers.onnx_node import gather_nodes
    from ovgather.onnx_file.model import read

    if (match := _ONNX_NODE.search(message)) is None:
        return None
    outputs = [name.strip() for name in match["outputs"].split(",")]
    named = match["type"], outputs
    nodes = [
        node
        for node in gather_nodes(read(path))
        if (node.proto.op_type, [*node.proto.output]) == named
    ]
    if len(nodes) == 1:
        return nodes[0]
    return None


def _cause(layer: Layer, diagnostics: Sequence[Diagnostic]) -> str | None:
    """The first of the worst findings on ``layer`` and what flows into it: the complaint may follow from it."""
    behind = {reference(each): each for each in upstream(layer)}
    findings = [each for each in diagnostics if each.layer in behind]
    cause = min(
        findings,
        key=lambda each: (SEVERITIES.index(each.severity), each.line),
        default=None,
    )
    if cause is None or cause.layer is None:
        return None
    source = behind[cause.layer]
    if source is layer:
        who = ""
    else:
        who = f': layer {source.id} "{source.name}" flows into this one'
    return f"it may follow from {cause.code} in line {cause.line}{who}"


def _span(file: File, layer: Layer | None, spot: Spot | None) -> Place:
    if spot is not None:
        return spot.offset, spot.offset + 1
    if layer is not None:
        return file.place(layer, "type")
    start = file.model.source.data.find(b"<net") + 1
    if start:
        return (start, start + 3)
    return (0, 1)


def _belonging(
    findings: Sequence[Diagnostic], complaint: Complaint, hints: Clues
) -> Diagnostic | None:
    """The finding on the same defect; None when that is uncertain."""
    verdicts = (
        (complaint.openvino, "undefined")
        if complaint.verdict in ("rejects", "crashes")
        else ()
    )
    candidates = [each for each in findings if each.openvino in verdicts]
    scores = [
        max(_score(part, hints) for part in (each, *each.consequences))
        for each in candidates
    ]
    if (best := max(scores, default=0)) > 0:
        return candidates[scores.index(best)]
    certain = [each for each in candidates if each.openvino == complaint.openvino]
    if len(certain) == 1 and hints.spot is None and not hints.layers:
        return certain[0]
    return None


def _score(finding: Diagnostic, hints: Clues) -> int:
    """How much speaks for it that the message is about ``finding``; 0: nothing, or something speaks against it."""
    text = finding.excerpt()
    exact = finding.line == finding.end_line and (
        text[finding.column - 1 : finding.end_column - 1] in hints.texts
    )
    phrase = finding.code in hints.codes
    score = 5 * exact + 4 * phrase
    score += 2 * any(len(each) > 1 and each in text for each in hints.texts)
    if (spot := hints.spot) is not None:
        if finding.line <= spot.line <= max(finding.line, finding.end_line):
            score += 8
        elif finding.layer is not None and finding.layer == spot.layer:
            score += 4
        elif not exact and not phrase:
            return 0
    if hints.layers and finding.layer is not None:
        is_concerned = any(layer.offset in finding.subjects for layer in hints.layers)
        if not is_concerned and finding.layer not in map(reference, hints.layers):
            return 0
        score += 6
    return score


def clues(message: str, model: Model) -> Clues:
    """The clues in ``message`` to a position in ``model``."""
    offset = _OFFSET.search(message)
    known = [answer for answer in answers(message) if answer.pattern.weight > KIND]
    texts = [match[1] for pattern in _TEXTS for match in re.finditer(pattern, message)]
    texts += [
        answer.values[name]
        for answer in known
        for name in _VALUES
        if name in answer.values
    ]
    codes = frozenset(code for answer in known for code in answer.pattern.rules)
    spot = None
    if offset:
        spot = _spot(int(offset[1]), model)
    return Clues(spot, tuple(_layers(message, model)), tuple(texts), codes)


def _spot(offset: int, model: Model) -> Spot:
    source = model.source
    # Of UTF-16 and UTF-32 it counts in the UTF-8 that it makes of them, in which the mark takes up three bytes.
    if source.encoding in ("utf-16", "utf-32"):
        mark = 3
    else:
        mark = 0
    offset = max(0, min(offset - mark, len(source.original) - 1))
    parsed = offset + sum(
        len(edit.inserted) - edit.removed
        for edit in source.edits
        if edit.start < offset
    )
    before = [layer for layer in model.layers() if layer.offset <= parsed]
    around = max(before, key=attrgetter("offset"), default=None)
    return Spot(
        parsed,
        source.lines.position(offset)[0],
        reference(around) if around is not None else None,
    )


def _layers(message: str, model: Model) -> Iterable[Layer]:
    layers = list(model.layers())
    if match := _LAYER_AND_ID.search(message):
        return [
            layer
            for layer in layers
            if layer.name == match[1] and layer.id == int(match[2])
        ]
    if match := next(
        filter(None, (re.search(pattern, message) for pattern in _LAYERS)), None
    ):
        return [layer for layer in layers if layer.name == match[1]]
    if match := _NODE.search(message):
        # While it is built, a node has a made-up name, but its inputs have theirs.
        alike = [layer for layer in layers if layer.type.lower() == match[1].lower()]
        same_name = [layer for layer in alike if layer.name == match[2]]
        inputs = _INPUT.findall(match[3])
        feeding = [(layer, layer.graph.producers(layer)) for layer in alike]
        fed_alike = [
            layer
            for layer, sources in feeding
            if [source and source[0].name for source in sources] == inputs
        ]
        return same_name or fed_alike or alike
    if match := _TYPE.search(message):
        return [layer for layer in layers if layer.type == (match[1] or match[2])]
    return ()
