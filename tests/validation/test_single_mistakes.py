"""One mistake in a real model is one finding, at its position, and a fix changes no line that the mistake did not."""

from __future__ import annotations

import difflib
import random
from itertools import takewhile
from pathlib import Path

import pytest
from paths import DATA
from single_mistakes import KINDS, ModelText

from ovgather.validation.check import check_file
from ovgather.validation.fixes.fix import fix
from ovgather.validation.plan import Plan

BERT = DATA / "bert" / "bert.xml"
TRIALS, FIX_TRIALS = 4, 8
SILENT = {
    # Other lengths fit, too: nothing in the file contradicts them.
    "axis_attribute_changed",
    "parameter_shape_changed",
    # A port without dims is a scalar, or has a dynamic rank: the file does not say.
    "dim_deleted",
}
"""Kinds of which some mistakes leave no trace."""
TWO_ENDS = {"edge_from_other_layer"}
"""Kinds that two layers show: one that takes the wrong tensor, and one whose tensor nobody takes."""


def mistakes(kind: str, count: int, seed: int = 1) -> list[tuple[ModelText, set[int]]]:
    """Models with one mistake each, and the lines that it touches."""
    lines, weights = (
        BERT.read_text(encoding="utf-8").split("\n"),
        BERT.with_suffix(".bin").read_bytes(),
    )
    chance = random.Random(f"{kind} {seed}")
    models = []
    for _ in range(count):
        model = ModelText(list(lines), bytearray(weights))
        touched = KINDS[kind](model, chance)
        if touched is not None:
            models.append((model, touched))
    return models


def written(model: ModelText, folder: Path) -> Path:
    path = folder / "model.xml"
    path.write_text("\n".join(model.lines), encoding="utf-8")
    path.with_suffix(".bin").write_bytes(bytes(model.weights))
    return path


def equal_lines(before: list[str], after: list[str]) -> int:
    """How many lines are equal at the start of both."""
    return sum(
        1
        for _ in takewhile(
            lambda pair: pair[0] == pair[1], zip(before, after, strict=False)
        )
    )


def changed_lines(before: list[str], after: list[str]) -> set[int]:
    """The lines of ``before`` that are not in ``after``, or before which others come."""
    start = equal_lines(before, after)
    before, after = before[start:], after[start:]
    end = equal_lines(before[::-1], after[::-1])
    before, after = before[: len(before) - end], after[: len(after) - end]
    changed: set[int] = set()
    for tag, first, last, *_ in difflib.SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            changed.update(range(start + first, start + max(last, first + 1)))
    return changed


def test_changed_lines() -> None:
    assert changed_lines(list("abcde"), list("abcde")) == set()
    assert changed_lines(list("abcde"), list("axcye")) == {1, 3}
    assert changed_lines(list("aab"), list("aaab")) == {2}


def test_the_model_has_no_findings() -> None:
    assert check_file(str(BERT)).diagnostics == []


@pytest.mark.parametrize("kind", KINDS)
def test_one_mistake_is_one_finding(kind: str, tmp_path: Path) -> None:
    require_one_finding(kind, mistakes(kind, 1), tmp_path)


@pytest.mark.slow
def test_every_mistake_is_one_finding(tmp_path: Path) -> None:
    for kind in KINDS:
        require_one_finding(kind, mistakes(kind, TRIALS)[1:], tmp_path)


def require_one_finding(
    kind: str, models: list[tuple[ModelText, set[int]]], tmp_path: Path
) -> None:
    for model, touched in models:
        findings = [
            finding
            for finding in check_file(str(written(model, tmp_path))).diagnostics
            if finding.severity != "note"
        ]
        assert (
            len(findings) == 1 or (not findings and kind in SILENT) or kind in TWO_ENDS
        ), (
            touched,
            findings,
        )
        if findings and touched and kind not in TWO_ENDS:
            lines = {
                findings[0].line,
                *(related.line for related in findings[0].related),
            }
            around = {
                number + 1 + shift for number in touched for shift in range(-30, 31)
            }
            shown = " ".join((findings[0].message, findings[0].help or ""))
            assert (
                lines & around
                or "there is no layer" in shown
                or "which does not exist" in shown
                or "no edge feeds" in shown
            ), (touched, findings)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_fix_changes_no_line_that_the_mistake_did_not(
    kind: str, tmp_path: Path
) -> None:
    good = BERT.read_text(encoding="utf-8").split()
    for model, touched in mistakes(kind, FIX_TRIALS, seed=2):
        path = written(model, tmp_path)
        fixed = fix(path.read_bytes(), str(path), Plan(), unsafe=True)
        before, after = (
            "\n".join(model.lines).split("\n"),
            fixed.data.decode().split("\n"),
        )
        near = {number + shift for number in touched for shift in (-1, 0, 1)}
        changed = changed_lines(before, after)
        # Of equal dims, any may be the one that was deleted, and an edge may stand anywhere.
        is_good = sorted(fixed.data.decode().replace("/>", " />").split()) == sorted(
            good
        )
        assert changed <= near or is_good, (touched, changed, fixed.fixes)
