"""Bytes -> model -> facts -> rules -> findings: every problem of a file, in the order of the text."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from ovgather.ir.model import Model
from ovgather.ir.read import PathOrData, read
from ovgather.layers.gather_layer import is_family
from ovgather.onnx_file.source import is_onnx
from ovgather.targets.purpose import ANY, Purpose, parse_purpose
from ovgather.tensor.guard import guarded, require
from ovgather.validation.checked import Checked, Counted, by_code
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.foreign_weights import foreign_weights, without_weights
from ovgather.validation.limit import MOST, Tally
from ovgather.validation.rules import Rule, rules
from ovgather.validation.selection.codes import is_usual

Keeps = Callable[[str], bool]
"""Whether the rule with a code is asked for."""


_OTHER_VERSION = "ir-version"
"""The problem of a file whose IR version OpenVINO does not read, and the rules that tell it."""
_OTHER_VERSION_CODES = ("OVG004", "OVG861", "OVG862")


class Findings(list[Diagnostic]):
    """Diagnostics in the order of the text.

    Attributes:
        more: for each code of which not all findings are worked out, the number of the others.
    """

    def __init__(self, findings: Iterable[Diagnostic] = (), more: Iterable[Counted] = ()) -> None:
        super().__init__(findings)
        self.more = by_code(more)


everything: Keeps = is_usual
"""Every rule is asked for, but those that have to be named."""


def check_file(
    source: PathOrData,
    weights: str | os.PathLike[str] | bytes | None = None,
    *,
    keeps: Keeps = everything,
    suppressions: bool = True,
    follow_links: bool = False,
    most: int = 0,
    purpose: Purpose = ANY,
) -> Checked:
    """Read and check one file by the rules that ``keeps`` asks for; comments in it may suppress findings.

    ``most`` findings of one code are worked out (0: all), the rest is counted. ``purpose``: what is to run it.
    """
    if is_onnx(source):
        from ovgather.validation.onnx.check import check_file as check_onnx

        return check_onnx(source, keeps, follow_links, most, purpose)
    model = read(source, weights, follow_links=follow_links)
    layers = list(model.layers())
    gathers = sum(is_family(layer) for layer in layers)
    tally = _judge(model, keeps, suppressions, most, purpose)
    return Checked(
        model.path,
        model.ir_version,
        len(layers),
        gathers,
        tally.findings(),
        model.fatal,
        tally.suppressed,
        tally.more,
        tally.more_suppressed,
    )


@guarded
def validate(
    source: PathOrData | Model,
    weights: str | os.PathLike[str] | bytes | None = None,
    *,
    max_findings: int = MOST,
    follow_links: bool = False,
    target: str | None = None,
    device: str | None = None,
) -> Findings:
    """Everything that is wrong with an IR file, but for what a comment in it suppresses, or with an ONNX file.

    Args:
        source: a path (of an ONNX file one that ends with ``.onnx``), the bytes, an open file, or a model that
            ``ovgather.read`` made.
        weights: the ``.bin``, as a path or as bytes; left out, the file beside the ``.xml`` is taken if there is one.
        max_findings: how many findings of one code are worked out; 0: all. The others are counted: see ``more`` of
            the result.
        follow_links: take a file beside the model also where it is a link to a place of its own; see ``ovgather.read``.

        target: a release of OpenVINO, such as ``2021.4``: what it does not read is found as well.
        device: a device, such as ``NPU``: what it does not take is found as well.

    Returns:
        The diagnostics in the order of the text, a list whose ``more`` has the number of further findings of each
        code. A file that cannot be read gives an error, not an exception.

    >>> print(validate(b'<net name="m" version="9"><layers/><edges/></net>')[-1])
    <bytes>:1:24: error[OVG004]: IR version 9 is not read by OpenVINO: it reads 10 and 11
    >>> findings = validate(b'<net name="& & & & &" version="11"><layers/><edges/></net>', max_findings=2)
    >>> [finding.code for finding in findings], findings.more
    (['OVG010', 'OVG002', 'OVG002'], {'OVG002': 3})
    """
    require(max_findings=max_findings)
    purpose = parse_purpose(target, device)
    if not isinstance(source, Model):
        if is_onnx(source):
            checked = check_file(source, most=max_findings, follow_links=follow_links, purpose=purpose)
            return Findings(checked.diagnostics, checked.more)
        source = read(source, weights, follow_links=follow_links)
    return check(source, max_findings, purpose)


def check(model: Model, most: int = MOST, purpose: Purpose = ANY) -> Findings:
    """The diagnostics of all rules for ``model``, but for what a comment suppresses; ``most`` of one code."""
    tally = _judge(model, everything, suppressions=True, most=most, purpose=purpose)
    return Findings(tally.findings(), tally.more)


def why_unreadable(model: Model) -> str:
    """What a file that could not be read at all suffers from."""
    return check(model)[0].message


def _judge(model: Model, keeps: Keeps, suppressions: bool, most: int, purpose: Purpose) -> Tally:
    """Model -> facts -> rules -> findings: those to be reported, and those that comments suppress."""
    with _collector_paused():
        file = File(model, purpose)
        if (problem := foreign_weights(file)) is not None:
            file = File(without_weights(model, problem), purpose)
        comments = file.suppressions if suppressions else None
        tally = Tally(most, comments)
        for rule in _asked(file, keeps):
            _take(rule.check(file), tally, file)
        if comments is not None and _OTHER_VERSION not in file.problems:
            from ovgather.validation.rules.document import suppression

            tally.suppressions = None  # what is unused cannot excuse itself
            _take(suppression.unused(file, keeps) if keeps(suppression.CODE) else (), tally, file)
        if len(tally.kept) > 1:
            from ovgather.validation.causes import merged

            tally.kept = merged(tally.kept, file)
    return tally


def _take(findings: Iterable[Diagnostic | Counted], tally: Tally, file: File) -> None:
    for finding in findings:
        file.counting = tally.add(finding)
    file.counting = False  # the next rule starts anew; fixes are made later, and want places


@contextmanager
def _collector_paused() -> Iterator[None]:
    """A model is many objects without circles."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _asked(file: File, keeps: Keeps) -> list[Rule]:
    """The rules that judge ``file``.

    Why a file cannot be read at all is told whatever is asked for. Of a file whose version OpenVINO does not read
    nothing else is told: it was written for another reader.
    """
    asked = [rule for rule in rules() if file.model.fatal or keeps(rule.CODE)]
    if _OTHER_VERSION in file.problems and not file.model.fatal:
        return [rule for rule in asked if rule.CODE in _OTHER_VERSION_CODES]
    return asked
