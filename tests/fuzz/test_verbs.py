"""A few mutants of each format through every verb; ``make fuzz`` takes thousands."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("onnx.helper")

import verb_checks
from verbs import mutant, outcome, started, wrongs

MUTANTS = 6


@pytest.mark.slow
@pytest.mark.parametrize("format", ["ir", "onnx"])
def test_nothing_but_answers_refusals_and_messages(format: str) -> None:
    assert outcome(started(format, 1, 0, MUTANTS)) == ""


@pytest.mark.parametrize("format", ["ir", "onnx"])
def test_a_mutant_is_always_the_same(format: str) -> None:
    assert mutant(format, 1, 7) == mutant(format, 1, 7)
    assert len({str(mutant(format, 1, number)) for number in range(100)}) > 90


def test_what_is_wrong_is_told_with_the_command_that_makes_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raises(trial: verb_checks.Trial) -> None:
        raise KeyError("x")

    def leaves(trial: verb_checks.Trial) -> None:
        (trial.folder / "left").touch()

    def spoils(trial: verb_checks.Trial) -> None:
        Path(trial.path).write_bytes(b"")

    verbs = {"raises": raises, "leaves": leaves, "spoils": spoils}
    monkeypatch.setitem(verb_checks.VERBS, "ir", verbs)
    told = list(wrongs("ir", 1, [5], list(verbs), tmp_path))
    again = [
        f"--format ir --verb {verb} --seed 1 --start 5 --count 1 (" for verb in verbs
    ]
    assert [
        words[: len(start)] for words, start in zip(told, again, strict=True)
    ] == again
    assert [words.split("): ")[1][:15] for words in told] == [
        "KeyError: 'x' a",
        "['left'] are le",
        "m.xml is change",
    ]
