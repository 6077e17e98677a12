"""What one mistake hides of another: what a repair shows, and what it may hide itself."""

from __future__ import annotations

from ovgather.validation.diagnosis.trial import GENERAL, TriedRepair
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.file_verdict import REFUSALS

OF_ITSELF = ("type", "version")
"""What a layer says of itself: it decides how all else in it is read."""


def hides(outcome: TriedRepair) -> bool:
    """Whether a repair deletes something that is not there twice, or the constants: what is deleted says nothing."""
    hypothesis = outcome.hypothesis
    return hypothesis.drops_weights or not (
        hypothesis.safe or all(edit.inserted for edit in hypothesis.edits)
    )


def may_uncover(outcome: TriedRepair) -> bool:
    """Whether what a repair brings may have been hidden: it repairs what OpenVINO refuses, and deletes nothing."""
    return not hides(outcome) and bool(refused(outcome))


def refused(outcome: TriedRepair) -> list[Diagnostic]:
    """What OpenVINO refuses of what a repair explains."""
    return [finding for finding in outcome.gone if finding.openvino in REFUSALS]


def is_own(finding: Diagnostic, outcome: TriedRepair) -> bool:
    """Whether a finding that only a repaired file shows is about another part of the repaired layer itself: of a layer
    that is refused the pass looks at all."""
    part = finding.part
    if part.startswith("data/"):
        is_another = part not in {each.part for each in outcome.gone}
    else:
        is_another = is_of_itself(finding)
    is_looked_at = any(each.code in GENERAL for each in outcome.gone)
    places = {place_of(each) for each in outcome.gone}
    return is_another and not is_looked_at and places == {place_of(finding)}


def is_of_itself(finding: Diagnostic) -> bool:
    """Whether a rule says it of what the layer calls itself."""
    return finding.part in OF_ITSELF and finding.code not in GENERAL


def place_of(finding: Diagnostic) -> tuple[object, ...]:
    layer = finding.layer
    return (layer.body, layer.name) if layer is not None else ()


def subject_of(finding: Diagnostic) -> object:
    return place_of(finding), finding.part
