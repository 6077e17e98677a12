"""What OpenVINO itself says of files, put under the findings that it belongs to.

It belongs to a finding that says OpenVINO rejects the file, and that stands at the place or speaks of the layer or
the text that OpenVINO names. What belongs to none is a finding of its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ovgather.files.side import SideFileError, open_side_file
from ovgather.ir.edit.text_file import Held
from ovgather.ir.read import read
from ovgather.layers.reference import LayerReference, reference
from ovgather.onnx_file.source import is_onnx
from ovgather.runtimes.load import Complaint, Load, load
from ovgather.validation.checked import Checked
from ovgather.validation.context import File
from ovgather.validation.diagnostic import SEVERITIES, Diagnostic
from ovgather.validation.openvino_clues import Clues, clues
from ovgather.validation.rules.runtime import openvino_message

if TYPE_CHECKING:
    from ovgather.ir.graph import Layer
    from ovgather.ir.model import Model
    from ovgather.ir.positions import Span
    from ovgather.validation.plan import Plan

_UNOPENED = "OVG001"
_PHRASES = (
    ("Empty weights data", ("OVG008",)),
    ("Error parsing", ("OVG002",)),
    ("Start-end tags mismatch", ("OVG002",)),
    ("Unable to read the model", ("OVG002", "OVG003", "OVG004", "OVG005")),
    ("stoll", ("OVG004", "OVG101", "OVG110", "OVG209", "OVG301", "OVG401")),
    ("shape size are inconsistent", ("OVG403", "OVG401")),
    ("packed string", ("OVG404",)),
    ("out of the tensor rank range", ("OVG407",)),
    ("Incorrect weights", ("OVG402", "OVG407", "OVG008")),
    ("is inconsistent!", ("OVG303", "OVG209")),
    ("out of range", ("OVG303", "OVG201")),
    ("out-of-range dimension", ("OVG105", "OVG202")),
    ("Can not find", ("OVG209", "OVG302", "OVG201")),
    ("not in graph", ("OVG304", "OVG302")),
    ("Layout", ("OVG601",)),
    ("collisions with tensor names", ("OVG111",)),
    ("must be equal to 0 or 1", ("OVG310",)),
    ("specified in the Variable has to extend", ("OVG307",)),
    ("inputs", ("OVG303", "OVG201")),
)
"""What OpenVINO says without naming a place, and the rules that speak of the same."""
_FOREIGN, _LONG_NUMBER = "OVG407", re.compile(r"-?\d{4,}")
_QUOTED = re.compile(r'"([^"]{4,})"')


class Place(NamedTuple):
    """A byte of the parsed text, the line it stands in, and the last layer that starts before it."""

    offset: int
    line: int
    layer: LayerReference | None


def ask(paths: Sequence[str], results: Sequence[Checked], plan: Plan, until: str = "read") -> list[Checked]:
    """``results`` for ``paths``, with what OpenVINO says of each file that can be opened.

    Args:
        until: ``read``, or ``compile`` to compile the model for the CPU as well.

    Raises:
        UnavailableError: OpenVINO is not installed.
    """
    asked = [index for index, checked in enumerate(results) if not _unopened(checked)]
    complaints = load([_case(paths[index], plan, until) for index in asked])
    told = list(results)
    for index, complaint in zip(asked, complaints, strict=True):
        if complaint is not None:
            told[index] = _tell(paths[index], results[index], complaint, plan)
    return told


def _unopened(checked: Checked) -> bool:
    return checked.fatal and any(found.code == _UNOPENED for found in checked.diagnostics)


def _case(path: str, plan: Plan, until: str) -> Load:
    if path == "-":
        return Load(None, plan.standard_input or b"", plan.weights, until)
    beside = os.path.splitext(path)[0] + ".bin"
    refused = plan.weights is None and not is_onnx(path) and _is_refused(path, beside, plan.follow_links)
    try:
        path.encode("utf-8")
        is_named = not refused
    except UnicodeEncodeError:  # OpenVINO takes only names that are UTF-8
        is_named = False
    if is_named:
        return Load(path, b"", plan.weights, until)
    with open(path, "rb") as file:
        beside_or_none = beside if os.path.isfile(beside) and not refused else None
        return Load(None, file.read(), plan.weights or beside_or_none, until)


def _is_refused(path: str, beside: str, follow_links: bool) -> bool:
    """Whether a ``.bin`` beside the file is not to be opened: OpenVINO would follow any link, and wait for a pipe."""
    try:
        open_side_file(path, os.path.basename(beside), follow_links).close()
    except SideFileError as error:
        return error.kind in ("link", "special")
    return False


def _tell(path: str, checked: Checked, complaint: Complaint, plan: Plan) -> Checked:
    if is_onnx(path):
        from ovgather.validation.onnx.openvino_opinion import tell as tell_onnx

        told = tell_onnx(path, checked, complaint)
    else:
        source = Held(plan.standard_input or b"", path) if path == "-" else path
        model = read(source, plan.weights, follow_links=plan.follow_links)
        told = tell(checked, complaint, model)
    keeps, code = plan.selection_for(path).keeps, openvino_message.CODE
    for finding in told.diagnostics:
        if finding.code == code:
            finding.severity = (plan.severities or {}).get(code, finding.severity)
    return told._replace(diagnostics=[each for each in told.diagnostics if each.code != code or keeps(code)])


def tell(checked: Checked, complaint: Complaint, model: Model) -> Checked:
    """``checked`` with ``complaint`` under the finding it belongs to, or as a finding of its own."""
    known = clues(complaint.message, model)
    place = _place(known, model)
    found = _belonging(checked.diagnostics, complaint, known, place)
    if found is not None:
        stage = f"{complaint.stage}: " if complaint.verdict == "rejects" else ""
        message = complaint.message
        if found.code == _FOREIGN:  # what is in weights that are not those of the model is told nobody
            message = _LONG_NUMBER.sub("…", message)
        found.openvino_message = f"{stage}{message}"
        return checked
    # What a comment or a baseline suppresses is known, and so is what OpenVINO says of it.
    if _belonging([entry.diagnostic for entry in checked.suppressed], complaint, known, place) is not None:
        return checked
    file = File(model)
    layer = known.layers[0] if known.layers else None
    made = openvino_message.finding(file, complaint, _span(file, layer, place), layer)
    if layer is not None and layer.id >= 0:
        made.help = _cause(layer, checked.diagnostics)
    if file.suppressions is not None and (hits := file.suppressions.split([made])[1]):
        return checked._replace(suppressed=[*checked.suppressed, *hits])
    ordered = sorted([*checked.diagnostics, made], key=lambda found: (found.line, found.column, found.code))
    return checked._replace(diagnostics=ordered)


def _cause(layer: Layer, diagnostics: Sequence[Diagnostic]) -> str | None:
    """The first of the worst findings on ``layer`` and what flows into it: the complaint may follow from it."""
    behind = {reference(layer): layer}
    for current in (waiting := [layer]):
        sources = [current.producer(index) for index in range(len(current.inputs))]
        for source in [source[0] for source in sources if source is not None]:
            if reference(source) not in behind:
                behind[reference(source)] = source
                waiting.append(source)
    found = [found for found in diagnostics if found.layer in behind]
    cause = min(found, key=lambda found: (SEVERITIES.index(found.severity), found.line), default=None)
    if cause is None or cause.layer is None:
        return None
    source = behind[cause.layer]
    who = "" if source is layer else f': layer {source.id} "{source.name}" flows into this one'
    return f"it may follow from {cause.code} in line {cause.line}{who}"


def _place(known: Clues, model: Model) -> Place | None:
    """What OpenVINO's offset means."""
    if known.offset is None:
        return None
    source = model.source
    # Of UTF-16 and UTF-32 it counts in the UTF-8 that it makes of them, in which the mark takes up three bytes.
    mark = 3 if source.encoding in ("utf-16", "utf-32") else 0
    offset = max(0, min(known.offset - mark, len(source.original) - 1))
    parsed = offset + sum(len(edit.inserted) - edit.removed for edit in source.edits if edit.start < offset)
    around = max(
        (layer for layer in model.layers() if layer.offset <= parsed), key=lambda layer: layer.offset, default=None
    )
    return Place(parsed, source.original_position(offset)[0], reference(around) if around is not None else None)


def _span(file: File, layer: Layer | None, place: Place | None) -> Span:
    if place is not None:
        return place.offset, place.offset + 1
    if layer is not None:
        return file.layer_span(layer, "type")
    start = file.model.source.data.find(b"<net") + 1
    return (start, start + 3) if start else (0, 1)


def _belonging(
    found: Sequence[Diagnostic], complaint: Complaint, known: Clues, place: Place | None
) -> Diagnostic | None:
    """The finding that speaks of the same; None when none does for certain."""
    verdicts = (complaint.openvino, "undefined") if complaint.verdict in ("rejects", "crashes") else ()
    candidates = [each for each in found if each.openvino in verdicts]
    scores = [_score(each, complaint.message, known, place) for each in candidates]
    best = max(scores, default=0)
    if best > 0:
        return candidates[scores.index(best)]
    certain = [each for each in candidates if each.openvino == complaint.openvino]
    pointed = place is not None or bool(known.layers)
    return certain[0] if len(certain) == 1 and not pointed else None


def _score(found: Diagnostic, message: str, known: Clues, place: Place | None) -> int:
    """How much speaks for it that ``message`` is about ``found``; 0: nothing, or something speaks against it."""
    quotes = [f"{quote}{text}{quote}" for text in known.texts for quote in "'`\""]
    exact = sum(quoted in found.message for quoted in quotes)
    phrase = any(words in message and found.code in codes for words, codes in _PHRASES)
    score = 5 * exact + 4 * phrase
    score += 2 * any(len(text) > 1 and text in found.message for text in known.texts)
    if place is not None:
        if found.line <= place.line <= max(found.line, found.end_line):
            score += 8
        elif found.layer is not None and found.layer == place.layer:
            score += 4
        elif not exact and not phrase:
            return 0
    if known.layers and found.layer is not None:
        named = any(f'layer {layer.id} "{layer.name}"' in found.effect for layer in known.layers)
        if not named and found.layer not in [reference(layer) for layer in known.layers]:
            return 0
        score += 6
    said = " ".join(message.split())
    return score + 5 * any(quoted in said for quoted in _QUOTED.findall(found.effect))
