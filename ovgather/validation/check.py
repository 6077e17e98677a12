"""Bytes -> model -> facts -> rules -> findings: every problem of a file, in the order of the text."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ovgather.errors import UnreadableError
from ovgather.forward.run import forward_of
from ovgather.ir.model import Model
from ovgather.ir.read import read_on, uncollected
from ovgather.ir.read import unreadable as unreadable_model
from ovgather.layers.formats import AnyModel, AnySource, read
from ovgather.layers.gather_layer import is_family_type
from ovgather.targets.purpose import ANY, Purpose
from ovgather.validation.checked import MOST, Checked, Counted, Tally, first
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.file_verdict import REFUSALS
from ovgather.validation.foreign_weights import (
    SomeModel,
    foreign_weights,
    with_own_values,
    without_weights,
)
from ovgather.validation.rules import codes_of, onnx_rules, rules_for
from ovgather.validation.selection.codes import Severities, is_usual, with_severities
from ovgather.validation.verdict import verdict_of

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.validation.diagnosis.explanation import Explanation

Keeps = Callable[[str], bool]  # whether the rule with a code is selected

_CONTRADICTIONS = frozenset(
    {
        "constants",
        "graph",
        "indices",
        "layers",
        "no_result",
        "ports",
        "rt_info",
        "structure",
    }
)
"""The folders and modules of rules on what a file says of itself."""
_HAZARDS = frozenset({"hazards"})
"""Of those on what OpenVINO does with it, which may follow from a contradiction."""
_CHECKER = "OVG814"
"""The rule of onnx's checker, which repeats what other rules of ONNX files find."""
_MOST_IN_TRIAL = 1_000
"""Findings of one code that a trial looks at."""
_OTHER_VERSION, _OTHER_VERSION_CODES = "ir-version", ("OVG004", "OVG861", "OVG862")
"""The problem of a file whose IR version OpenVINO does not read, and its rules."""


@uncollected
def check_file(
    source: AnySource,
    weights: str | os.PathLike[str] | bytes | None = None,
    *,
    keeps: Keeps = is_usual,
    suppressions: bool = True,
    follow_links: bool = False,
    most: int = 0,
    severities: Severities | None = None,
    purpose: Purpose = ANY,
    explain: bool = True,
) -> Checked:
    """Check a file by the rules that ``keeps`` selects; ``most`` findings of a code are worked out (0: all).

    ``explain``: search for the mistake behind several contradictions; else all of them are reported.
    """
    model = read(source, weights, follow_links=follow_links)
    if not isinstance(model, Model):
        return _check_onnx(model, keeps, most, severities, purpose)
    how = keeps, suppressions, most, severities, purpose, explain
    try:
        tally = _judge(model, *how)
    except UnreadableError as error:  # weights at an address, while rules read them
        model = unreadable_model(model.path, str(error))
        tally = _judge(model, *how)
    if model.fatal and explain:
        _read_on(model, weights, follow_links, tally, lambda other: _judge(other, *how))
    layers = gathers = 0
    for graph in model.graph.graphs():
        layers += len(graph.ids)
        for form, number in Counter(graph.signatures).items():
            if is_family_type(form.type):
                gathers += number
    reported = (
        tally.kept,
        model.fatal,
        tally.suppressed,
        tally.more,
        tally.more_suppressed,
        tally.verdict,
    )
    return Checked(model.path, model.ir_version, layers, gathers, *reported)


def _read_on(
    model: Model,
    weights: str | os.PathLike[str] | bytes | None,
    follow_links: bool,
    tally: Tally,
    judge: Callable[[Model], Tally],
) -> None:
    """Report what else is wrong with a file at which every parser stops."""
    known = {(each.code, each.position) for each in tally.kept}
    models = [*read_on(model, weights, follow_links)]
    if models and any(
        each.subject for each in models[-1].problems if each.kind == "xml"
    ):
        return  # a guess was wrong: it leaves an element open
    for other in models:
        for each in judge(other).kept:
            if each.severity != "note" and (each.code, each.position) not in known:
                known.add((each.code, each.position))
                tally.kept.append(each)
    tally.kept.sort(key=attrgetter("line", "column", "code"))


def check(model: Model) -> list[Diagnostic]:
    """The diagnostics of all rules for ``model``, but for what a comment suppresses; at most ``MOST`` of one code."""
    return _judge(model, is_usual, True, MOST, None, ANY).kept


def reason(model: Model) -> Diagnostic:
    """The finding that says why a ``fatal`` model could not be read."""
    findings = check(model)
    # The parser repairs some errors on the way to the one that stops it.
    return next(
        (finding for finding in findings if finding.openvino == "rejects"), findings[0]
    )


def problem_of(model: AnyModel) -> str | None:
    """Why ``model`` could not be read; None: it could."""
    if isinstance(model, Model):
        if model.fatal:
            return reason(model).message
        return None
    if model.problem is None:
        return None
    return f"no ONNX model can be read: {model.problem}"


def usable(model: SomeModel) -> SomeModel:
    """``model`` with its own values; UnreadableError if it could not be read."""
    if isinstance(model, Model) and model.fatal:
        raise UnreadableError(str(reason(model)))
    if (problem := problem_of(model)) is not None:
        raise UnreadableError(f"{model.path}: {problem}")
    require_weights(model)
    return with_own_values(model)


def require_weights(model: AnyModel) -> None:
    """Raise UnreadableError if there are no weights where the caller says."""
    problems = (
        model.problems if isinstance(model, Model) and model.weights_are_given else ()
    )
    for problem in problems:
        if problem.kind == "weights-unreadable":
            raise UnreadableError(f"{model.path}: {problem.value}")


@uncollected
def _judge(
    model: Model,
    keeps: Keeps,
    suppressions: bool,
    most: int,
    severities: Severities | None,
    purpose: Purpose,
    explain: bool = True,
) -> Tally:
    """Model -> facts -> rules -> findings: those to be reported, in the order of the text, and the suppressed ones."""
    file = File(model, purpose)
    if (problem := foreign_weights(file)) is not None:
        file = File(without_weights(model, problem), purpose)
    comments = file.suppressions if suppressions else None
    tally = Tally(most, comments)

    def take(findings: Iterable[Diagnostic | Counted]) -> None:
        for finding in (
            with_severities(findings, severities) if severities else findings
        ):
            file.counted = tally.add(finding)
        file.counted = ()  # the next rule starts anew; fixes need spans

    # of rules that are not selected: they count for the verdict
    silent: list[Diagnostic] = []
    concerns = _concerns(file)
    for rule in rules_for(
        file,
        lambda code: concerns(code) and (model.fatal or is_usual(code) or keeps(code)),
    ):
        if model.fatal or keeps(rule.RULE.code):
            take(rule.check(file))
        else:
            findings = islice(rule.check(file), MOST)
            silent += [
                finding for finding in findings if isinstance(finding, Diagnostic)
            ]
    if comments is not None and _OTHER_VERSION not in file.problems:
        from ovgather.validation.rules.document import suppression

        # an unused comment cannot suppress the finding about itself
        tally.suppressions = None
        take(suppression.unused(file, keeps) if keeps(suppression.RULE.code) else ())
        tally.suppressions = comments
    silent += [entry.diagnostic for entry in tally.suppressed]
    if explain:
        uncovered = _explain(file, tally, silent)
        take(each for each in uncovered if keeps(each.code))
    tally.kept.sort(key=attrgetter("line", "column", "code"))
    tally.verdict = verdict_of(file, [*tally.kept, *silent, *tally.beyond])
    if not model.has_lines:
        for reported in tally.kept:
            reported.forget_lines()
    return tally


def _take_as_it_is(findings: Iterable[Diagnostic]) -> None:
    """Findings of a file that OpenVINO takes: what a repair of it would be refused for is not what OpenVINO does."""
    for finding in findings:
        if finding.openvino in REFUSALS and finding.stage == "load":
            finding.openvino = "accepts"
            finding.effect = ""


def _explain(file: File, tally: Tally, silent: list[Diagnostic]) -> list[Diagnostic]:
    """Put the explanations of contradictions in the place of what they explain.

    Returns:
        The findings that only the repaired file shows: nobody has selected or suppressed them yet.
    """
    codes = codes_of(_CONTRADICTIONS)
    hazards = codes_of(_HAZARDS)
    most = min(tally.most, _MOST_IN_TRIAL)
    tried = _first_of_each([*tally.kept, *silent], codes | hazards, most)
    if not any(each.severity != "note" and each.code in codes for each in tried):
        return []
    from ovgather.validation.diagnosis.engine import diagnose

    def check(model: Model, is_contradiction: bool = True) -> list[Diagnostic]:
        other = File(model, file.purpose)
        if is_contradiction and model.weights is file.model.weights:
            forward_of(model, before=file.forward)
        concerns = _concerns(other)
        looked_at = codes if is_contradiction else hazards
        rules = rules_for(other, lambda code: code in looked_at and concerns(code))
        findings = [each for rule in rules for each in islice(rule.check(other), most)]
        return [each for each in findings if isinstance(each, Diagnostic)]

    before = [*tally.kept, *silent, *tally.beyond]
    is_accepted = verdict_of(file, before).openvino == "accepts"
    uncovered = _put_in_place(diagnose(file, tried, codes, check), tally, {*tried})
    if is_accepted:
        known = set(map(id, before))
        new = [each for each in tally.kept if id(each) not in known]
        _take_as_it_is([*new, *uncovered])
    return uncovered


def _first_of_each(
    findings: list[Diagnostic], codes: frozenset[str], most: int
) -> list[Diagnostic]:
    """The first ``most`` findings of each of the ``codes``, in the order of the text."""
    counts = Counter[str]()
    first = []
    for each in sorted(findings, key=attrgetter("position")):
        counts[each.code] += 1
        if each.code in codes and counts[each.code] <= most:
            first.append(each)
    return first


def _put_in_place(
    explanations: list[Explanation], tally: Tally, tried: set[Diagnostic]
) -> list[Diagnostic]:
    """Report ``explanations`` of the findings that were ``tried`` in their place; those that nobody has seen yet are
    returned."""
    from ovgather.validation.diagnosis.trial import GENERAL

    kept = {*tally.kept}
    explained = {each for one in explanations for each in (*one.evidence, one.head)}
    gone = {
        each.code
        for one in explanations
        if one.is_tried
        for each in (*one.evidence, one.head)
    }
    gone -= {each.code for each in tried - explained}
    tally.forget_rest(gone)
    folded = {one.head.code for one in explanations if one.is_folded}
    reported = []
    uncovered = []
    for each in tally.kept:
        if each not in tried and each.code in folded:
            tally.count(each)
        elif each not in explained and (each in tried or each.code not in gone):
            reported.append(each)
    for explanation in explanations:
        if explanation.head in kept:
            reported.append(explanation.finding)
        elif explanation.head not in tried:
            uncovered.append(explanation.finding)
        else:  # somebody knows of it; what says the same of other layers is reported by itself
            reported += [
                each
                for each in explanation.evidence
                if each in kept and each.code not in GENERAL
            ][:1]
    tally.kept = reported
    return uncovered


def _concerns(file: File) -> Keeps:
    """Which rules look at ``file``: only some when OpenVINO does not read its IR version."""
    if _OTHER_VERSION in file.problems and not file.model.fatal:
        return _OTHER_VERSION_CODES.__contains__
    return bool


def _check_onnx(
    model: OnnxModel,
    keeps: Keeps,
    most: int,
    severities: Severities | None,
    purpose: Purpose,
) -> Checked:
    """The findings of the file, before those of its nodes in their order."""
    from ovgather.validation.onnx.context import OnnxFile
    from ovgather.validation.onnx.verdict import onnx_verdict, verdict_of

    file = OnnxFile(model, purpose)
    fatal = model.problem is not None
    all_findings = [
        each
        for rule in onnx_rules()
        for each in rule.check(file)
        if isinstance(each, Diagnostic)
    ]
    if any(each.severity != "note" and each.code != _CHECKER for each in all_findings):
        all_findings = [each for each in all_findings if each.code != _CHECKER]
    findings: list[Any] = [each for each in all_findings if fatal or keeps(each.code)]
    order = {where: index for index, where in enumerate(file.references)}
    findings.sort(key=lambda item: (order.get(item.layer, -1), item.code))
    kept, more = first(with_severities(findings, severities or {}), most)
    nodes = sum(len(graph.proto.node) for graph in model.graphs)
    verdict = verdict_of(file, all_findings)
    onnx = onnx_verdict(file, all_findings)
    return Checked(
        model.path,
        None,
        nodes,
        len(file.nodes),
        kept,
        fatal,
        [],
        more,
        0,
        verdict,
        onnx,
    )
