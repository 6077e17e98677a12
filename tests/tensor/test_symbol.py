"""Expressions of names: equal ones have equal texts, and they are right for every number."""

from __future__ import annotations

from random import Random

import pytest

from ovgather.errors import ArgumentError
from ovgather.tensor.interval import Interval, add, multiply
from ovgather.tensor.shape import Dimension, PartialShape
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


@pytest.mark.parametrize(
    "text", ["(" * 40 + "n" + ")" * 40, "n +", "+", "n//", "1.5", "a b", "-", ")", "²"]
)
def test_what_is_no_expression_is_a_name(text: str) -> None:
    made = combine(text, "+", "1")
    assert made is not None
    assert (
        combine(made, "-", "1") in (text, combine(text, "+", "0"), None) or text in made
    )


@pytest.mark.parametrize("seed", range(200))
def test_random_expressions_are_worth_what_they_are_made_of(seed: int) -> None:
    chance = Random(seed)
    values = {
        "a": chance.randrange(1, 9),
        "b": chance.randrange(1, 9),
        "n": chance.randrange(1, 9),
    }

    def made(depth: int) -> tuple[str, int]:
        if depth == 0:
            name = chance.choice([*values, "2", "3"])
            return name, values.get(name) or int(name)
        (left, one), (right, other) = made(depth - 1), made(depth - 1)
        operator = chance.choice(["+", "-", "*", "//"])
        if operator == "//" and other <= 0:
            operator = "+"
        text = combine(left, operator, right)
        worth = {
            "+": one + other,
            "-": one - other,
            "*": one * other,
            "//": one // (other or 1),
        }[operator]
        return ("2", 2) if text is None else (text, worth)

    text, worth = made(chance.randrange(1, 4))
    # -2//3 is -(2//3).
    assert eval(f"0 {text}" if text.startswith("-") else text, {}, values) == worth, (
        text
    )
    again = combine(text, "+", "0")
    assert again == text


NAMES = [
    "past + 1",
    "s77//2",
    "2",
    "-1",
    "?",
    "...",
    "2..8",
    "a b",
    "a-b",
    "a,b",
    "[x]",
    "x:5",
    " n ",
    "Max(1,n)",
]
NAMES += ['a"b\\', "\n", "1 + 1", "n", "é", "n:", '"', ""]


@pytest.mark.parametrize("name", NAMES)
def test_texts_of_names_go_there_and_back(name: str) -> None:
    shape = PartialShape(
        [Dimension(0, None, symbol=name), Dimension(2, 5, symbol=name), 3]
    )
    again = PartialShape(shape.named)
    assert again == shape
    assert [dim.symbol for dim in again] == [name, name, None]
    assert again.named == shape.named
    assert "\n" not in shape.named
    assert Dimension.of(shape[1].named).symbol == name


def test_a_name_that_is_a_number_is_not_counted_with() -> None:
    one = Interval(0, None, "2")
    assert add(one, 1) == Interval(1, None, None)
    assert multiply(one, Interval(0, None, "n")) == Interval(0, None, None)


@pytest.mark.parametrize("text", ['"a', '"a" 2', '"a":', '"a"b'])
def test_what_is_wrong_about_quotes(text: str) -> None:
    with pytest.raises(ArgumentError, match="is not a dimension"):
        Dimension.of(text)
