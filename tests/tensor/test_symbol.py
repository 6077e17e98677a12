"""Expressions of names: equal ones have equal texts, and they are right for every number."""

from __future__ import annotations

from random import Random

import pytest

from ovgather.tensor.symbol import combine


@pytest.mark.parametrize(
    ("left", "operator", "right", "text"),
    [
        ("n", "+", "0", "n"),
        ("n", "*", "1", "n"),
        ("n", "*", "0", "0"),
        ("n", "-", "n", "0"),
        ("n", "+", "n", "2*n"),
        ("b", "*", "a", "a*b"),
        ("a + b", "*", "a", "a*a + a*b"),
        ("a + 1", "*", "b + 1", "a*b + a + b + 1"),
        ("past", "+", "seq", "past + seq"),
        ("seq", "+", "past", "past + seq"),
        ("past + seq", "-", "seq", "past"),
        ("1", "-", "n", "-n + 1"),
        ("4*n", "//", "2", "2*n"),
        ("4*n + 2", "//", "2", "2*n + 1"),
        ("3*n", "//", "2", "(3*n)//2"),
        ("a*b", "//", "a", "b"),
        ("n", "//", "n", "1"),
        ("n", "//", "0", "n//0"),
        ("(n + 1)//2", "*", "2", "2*((n + 1)//2)"),
        ("batch size", "*", "2", "2*(batch size)"),
        ("längе", "+", "1", "längе + 1"),
    ],
)
def test_texts(left: str, operator: str, right: str, text: str) -> None:
    assert combine(left, operator, right) == text


def test_what_is_too_long_has_no_text() -> None:
    assert combine(" + ".join(f"n{place}" for place in range(8)), "+", "m") is None
    assert combine("n" * 150, "*", "m" * 150) is None


@pytest.mark.parametrize("text", ["(" * 40 + "n" + ")" * 40, "n +", "+", "n//", "1.5", "a b", "-", ")", "²"])
def test_what_is_no_expression_is_a_name(text: str) -> None:
    made = combine(text, "+", "1")
    assert made is not None
    assert combine(made, "-", "1") in (text, combine(text, "+", "0"), None) or text in made


@pytest.mark.parametrize("seed", range(200))
def test_random_expressions_are_worth_what_they_are_made_of(seed: int) -> None:
    chance = Random(seed)
    values = {"a": chance.randrange(1, 9), "b": chance.randrange(1, 9), "n": chance.randrange(1, 9)}

    def made(depth: int) -> tuple[str, int]:
        if depth == 0:
            name = chance.choice([*values, "2", "3"])
            return name, values.get(name) or int(name)
        (left, one), (right, other) = made(depth - 1), made(depth - 1)
        operator = chance.choice(["+", "-", "*", "//"])
        if operator == "//" and other <= 0:
            operator = "+"
        text = combine(left, operator, right)
        worth = {"+": one + other, "-": one - other, "*": one * other, "//": one // (other or 1)}[operator]
        return ("2", 2) if text is None else (text, worth)

    text, worth = made(chance.randrange(1, 4))
    assert eval(f"0 {text}" if text.startswith("-") else text, {}, values) == worth, text  # -2//3 is -(2//3)
    again = combine(text, "+", "0")
    assert again == text
