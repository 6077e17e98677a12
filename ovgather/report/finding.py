"""A finding in words, and its fingerprint: what the renderers of findings share."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import chain, islice

from ovgather.layers.reference import called
from ovgather.text import count, first_few, printable
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import NO_LINES, Diagnostic

_ALL = "--max-findings 0 shows all"
_VERDICTS = {
    "rejects": "rejects it",
    "rejects_on_compile": "reads it, but compiling for the CPU fails",
    "rejects_on_run": "compiles it, and fails when it runs",
    "accepts": "accepts it without a word",
    "crashes": "crashes",
}
_OTHER_VERDICTS = {
    "rejects": "does not load the model",
    "rejects_on_run": "loads the model, and fails when it runs",
    "accepts": "accepts it without a word",
    "undefined": "not known",
}


def listed(checked: Checked) -> list[Diagnostic]:
    """The findings of a file, then one without a place for each code and severity that is only counted."""
    counted = [
        Diagnostic(
            code,
            severity,
            f"and {number:,} more",
            path=checked.path,
            position=NO_LINES,
            help=_ALL,
        )
        for code, severity, number in checked.more
    ]
    return [*checked.diagnostics, *counted]


class MissingWeights:
    """Findings that say the same of every file, that a ``.bin`` is missing: one line at the end is enough."""

    def __init__(self) -> None:
        self.first: Diagnostic | None = None
        self.number = 0

    def held_back(
        self, results: Iterable[Checked]
    ) -> Iterator[tuple[Checked, list[Diagnostic]]]:
        """The files of ``results`` with their findings but these. The finding of a file that is alone stays."""
        later = iter(results)
        is_first = True
        while (checked := next(later, None)) is not None:
            findings = listed(checked)
            missing = [
                each
                for each in findings
                if each.of_every_file and not each.openvino_message
            ]
            if missing and is_first:
                following = list(islice(later, 1))
                later = chain(following, later)
                if not following:
                    missing = []
            is_first = False
            if missing:
                self.first = self.first or missing[0]
                self.number += len(missing)
                findings = [each for each in findings if each not in missing]
            yield checked, findings


def notes(finding: Diagnostic) -> Iterator[tuple[str, str]]:
    """The texts besides the message, each with its label: ``in``, ``OpenVINO``, ``help`` and the like."""
    if finding.layer is not None:
        yield "in", called(finding.layer)
    if finding.effect or finding.openvino != "undefined":
        yield "OpenVINO", finding.effect or _VERDICTS.get(finding.openvino, "undefined")
    for behaviour in finding.runtimes:
        yield behaviour.runtime, behaviour.effect or _OTHER_VERDICTS[behaviour.verdict]
    if finding.openvino_message:
        yield "OpenVINO says", finding.openvino_message
    if finding.help:
        yield "help", finding.help


_REFUSALS = {
    "rejects": "OpenVINO refuses it",
    "rejects_on_compile": "OpenVINO reads it, but does not compile it for the CPU",
    "crashes": "OpenVINO crashes",
}
_MOST_TYPES = 5


def onnx_words(checked: Checked) -> str | None:
    """What is known of an ONNX file beside what OpenVINO does with it, in a line; None of other files."""
    onnx = checked.onnx
    if onnx is None:
        return None
    if onnx.is_valid:
        valid = "it is valid ONNX"
    else:
        valid = f"it is no valid ONNX: {printable(onnx.invalid)}"
    ends = {"rejects": "does not load it", "rejects_on_run": "fails when it runs it"}
    runtime = "no finding says that ONNX Runtime refuses it"
    if onnx.onnxruntime == "accepts":
        runtime = "ONNX Runtime loads it"
    if onnx.onnxruntime in ends:
        runtime = f"ONNX Runtime {ends[onnx.onnxruntime]}: {printable(onnx.onnxruntime_reason)}"
    differences = ""
    if onnx.differences:
        differences = f"; OpenVINO and ONNX Runtime differ in {count(onnx.differences, 'finding')}"
    return f"{valid}; {runtime}{differences}"


def verdict_words(checked: Checked, messages: Container[str] = ()) -> str | None:
    """What OpenVINO does with the file, in a line; None where it reads and compiles it, or nothing can be said. Of the
    reason nothing is said if it is among the messages that are ``messages``."""
    verdict = checked.verdict
    if verdict.openvino in _REFUSALS:
        place = ""
        if verdict.layer:
            place = f" because of {verdict.layer}"
        line = ""
        if verdict.line:
            line = f" (line {verdict.line})"
        words = f"{_REFUSALS[verdict.openvino]}{place}{line}"
        if verdict.reason in messages:
            return words
        return f"{words}: {printable(verdict.reason)}"
    if verdict.openvino != "unknown" or checked.fatal:
        return None
    if not verdict.unchecked:
        if verdict.reason:
            return f"not known whether OpenVINO takes it: {printable(verdict.reason)}"
        return None
    names = first_few([*map(printable, verdict.unchecked)], _MOST_TYPES)
    number = sum(verdict.unchecked.values())
    layers = f"{number} of {count(checked.layers, 'layer')} {'is' if number == 1 else 'are'} of types"
    return (
        f"not known whether OpenVINO takes it: {layers} that are not checked ({names})"
    )


def texts(
    finding: Diagnostic, without: Container[str] = (), related: bool = True
) -> list[str]:
    """The message and its notes, but those ``without``, fit to print; ``related``: also what other places say."""
    others = [
        f"related: line {each.line}: {printable(each.message)}"
        for each in finding.related
    ]
    labelled = [
        f"{label}: {printable(text)}"
        for label, text in notes(finding)
        if label not in without
    ]
    return [printable(finding.message), *labelled, *(others if related else ())]


def marked(checked: Checked, scope: str = "") -> Iterator[tuple[Diagnostic, str]]:
    """Each finding that is ``listed``, with a hash of code, layer, message and number that outlives other lines."""
    import re
    from hashlib import sha256

    seen: Counter[str] = Counter()
    for finding in listed(checked):
        layer = finding.layer
        if layer is not None:
            who = (*layer.body, layer.type, layer.name or layer.id)
        else:
            who = ()
        # The XML parser names lines in some messages; the number of further findings may change with every line.
        message = re.sub(
            r"\b(line|column) \d+|^(and) [\d,]+(?= more$)", r"\1\2", finding.message
        )
        key = repr((scope, finding.code, who, message))
        yield finding, sha256(f"{key}{seen[key]}".encode()).hexdigest()[:32]
        seen[key] += 1
