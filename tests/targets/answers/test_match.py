"""Which patterns a text has: their order, texts that overlap, long lines, and the nearest one."""

from __future__ import annotations

from itertools import pairwise

from ovgather.targets.answers.match import _shortened, answers, nearest

FIRST = "Cannot create X layer a/b id:8 from unsupported opset: opset14"
SECOND = "Incorrect weights in bin file"


def test_two_messages_of_a_log() -> None:
    both = answers(f"{FIRST}\n{SECOND}")
    assert {answer.text.strip() for answer in both} == {FIRST, SECOND}
    assert len(answers(f"{FIRST}\n{FIRST}")) == len(answers(FIRST)) == 1
    weights = [answer.pattern.weight for answer in both]
    assert weights == sorted(weights, reverse=True)


def test_no_part_of_a_text_is_two_messages() -> None:
    for text in (FIRST, SECOND):
        spans = sorted(
            (text.find(answer.text), text.find(answer.text) + len(answer.text))
            for answer in answers(text)
        )
        assert all(one[1] <= other[0] for one, other in pairwise(spans))


def test_long_lines_lose_their_middle() -> None:
    kept = "a" * 1000 + "b" * 1000
    assert _shortened(kept) == kept
    assert _shortened("a" * 1000 + "-" + "b" * 1000) == "a" * 1000 + " " + "b" * 1000
    assert answers("x" * 5000 + SECOND)


def test_the_nearest_shares_three_words() -> None:
    assert nearest("incorrect weights quux") is None
    found = nearest("incorrect weights bin quux")
    assert found is not None
    assert "weights" in found[1].regex
