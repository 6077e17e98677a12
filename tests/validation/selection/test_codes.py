"""Which codes are reported: prefixes, the longest wins, layers of choice."""

from __future__ import annotations

import pytest

from ovgather.errors import ConfigurationError
from ovgather.validation.selection.codes import Choice, Selection, parse_codes

CODES = ("OVG102", "OVG203", "OVG206", "OVG501")


def kept(*choices: Choice) -> list[str]:
    selection = Selection(choices)
    return [code for code in CODES if selection.keeps(code)]


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ([], ["OVG102", "OVG203", "OVG206", "OVG501"]),
        ([Choice(("OVG2",))], ["OVG203", "OVG206"]),
        ([Choice(None, ("OVG2",))], ["OVG102", "OVG501"]),
        ([Choice(("OVG2",), ("OVG203",))], ["OVG206"]),
        ([Choice(("OVG203",), ("OVG2",))], ["OVG203"]),
        ([Choice(("OVG203",), ("OVG203",))], []),
        ([Choice(("OVG",), ("OVG2",))], ["OVG102", "OVG501"]),
        ([Choice(("OVG", "OVG203"), ("OVG2",))], ["OVG102", "OVG203", "OVG501"]),
    ],
)
def test_the_longest_prefix_decides_and_of_equals_ignore(
    choices: list[Choice], expected: list[str]
) -> None:
    assert kept(*choices) == expected


def test_a_layer_that_selects_starts_anew() -> None:
    assert kept(Choice(("OVG1",), ("OVG203",)), Choice(("OVG2",))) == [
        "OVG203",
        "OVG206",
    ]


def test_a_layer_that_ignores_takes_away() -> None:
    assert kept(Choice(("OVG2",)), Choice(None, ("OVG20",))) == []
    assert kept(Choice(None, ("OVG5",)), Choice(None, ("OVG1",))) == [
        "OVG203",
        "OVG206",
    ]


def test_without() -> None:
    selection = Selection((Choice(("OVG2",)),))
    assert not selection.without(("OVG203",)).keeps("OVG203")
    assert selection.without(()) is selection


def test_codes_are_read_from_comma_lists() -> None:
    assert parse_codes(["OVG2,OVG102", " ovg501 ,", "OVG2"], "--select") == (
        "OVG2",
        "OVG102",
        "OVG501",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("OVG2033", "--select: no rule has the code `OVG2033`; did you mean `OVG203`?"),
        ("0VG203", "--select: no rule has the code `0VG203`; did you mean `OVG203`?"),
        ("OVG203,Axis", "--select: no rule has the code `Axis`"),
        ("", "--select: expected codes, such as OVG2 or OVG203, got none"),
        (" , ", "--select: expected codes, such as OVG2 or OVG203, got none"),
    ],
)
def test_what_is_no_code(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_codes([text], "--select")
    assert str(caught.value) == message


def test_a_long_list_takes_no_time() -> None:
    assert parse_codes(["OVG2"] * 100_000, "select") == ("OVG2",)
