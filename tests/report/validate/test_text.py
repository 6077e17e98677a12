"""Findings for people: what is printed, carets under the right characters, nothing that moves the terminal's cursor."""

from __future__ import annotations

import re
import unicodedata

import pytest
from ir_text import net_text
from paths import SAMPLES
from report_cases import HOSTILE, checked, finding, hostile, mixed

from ovgather.report import render
from ovgather.validation.check import check_file

CONTROL = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
LAYER = '<layer id="2" name="{name}" type="GatherElements" version="opset6">{space}<data Axis="1"/></layer>'


def net(layer: str, before: str = "", after: str = "") -> bytes:
    text = net_text([before, layer, after])
    return text.encode("utf-8", "surrogateescape")


def columns(text: str) -> int:
    """The columns of a terminal that ``text`` takes, counted another way than the renderer does."""
    total = 0
    for char in unicodedata.normalize("NFC", text):
        total += (
            2
            if unicodedata.east_asian_width(char) in "WF"
            else int(not unicodedata.combining(char))
        )
    return total


def marked(text: str, code: str = "OVG102") -> str:
    """What stands above the carets of the finding of ``code``."""
    block = next(
        part
        for part in text.split("\n\n")
        if part.split("\n")[0].split("[")[-1].startswith(code)
    )
    lines = block.split("\n")
    at = next(
        place
        for place, line in enumerate(lines)
        if "^" in line and not line.lstrip()[0].isdigit()
    )
    excerpt, carets = lines[at - 1].split("| ", 1)[1], lines[at].split("| ", 1)[1]
    start, stop = carets.index("^"), carets.rindex("^") + 1
    picked = [
        char
        for place, char in enumerate(excerpt)
        if start <= columns(excerpt[:place]) < stop
    ]
    return "".join(picked)


def test_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLES / "rules" / "OVG102")
    assert render("validate", "text", [check_file("bad.xml")]) == (
        "error[OVG102]: unknown attribute `Axis`\n"
        "   --> bad.xml:18:13\n"
        "    |\n"
        ' 18 | <data Axis="1"/>\n'
        "    |       ^^^^ not an attribute of GatherElements-6\n"
        "    |\n"
        '    = in: GatherElements-6 "pick" (layer 2)\n'
        "    = OpenVINO: ignores it silently and uses the default, axis 0\n"
        "    = help: did you mean `axis`?\n"
        "\n"
        "1 error in 1 file, 4 layers, 1 of the Gather family. OpenVINO reads and compiles it.\n"
        "1 fixable with --fix --unsafe-fixes, which may change what the model computes.\n"
    )


def test_what_can_be_mended() -> None:
    samples = SAMPLES / "rules"
    safe, unsafe = (
        check_file(str(samples / code / "bad.xml")) for code in ("OVG203", "OVG102")
    )
    text = render("validate", "text", [safe, unsafe])
    assert text.startswith(
        "error[OVG203]: output dim 1 is 9, but 10 is inferred from the inputs [*]\n"
    )
    risk = "which may change what the model computes"
    assert text.endswith(
        f"\n[*] 1 fixable with --fix, 1 more with --fix --unsafe-fixes, {risk}.\n"
    )
    assert render("validate", "text", [safe]).endswith("\n[*] 1 fixable with --fix.\n")
    assert "fixable" not in render("validate", "text", [safe, unsafe], fixes=False)
    neither = check_file(str(samples / "OVG202" / "bad.xml"))
    assert "fixable" not in render("validate", "text", [neither])


@pytest.mark.parametrize("line", [1, 9, 10, 99, 100, 12345])
def test_bars_stand_under_each_other(line: int) -> None:
    source = net(LAYER.format(name="a", space=""), before="\n" * (line - 1))
    text = render("validate", "text", [check_file(source)])
    block = next(part for part in text.split("\n\n") if "OVG102" in part).split("\n")
    assert block[3].startswith(f" {line} | ")
    assert {row.index("|") for row in block[2:6]} == {len(str(line)) + 2}
    assert block[1].index("-->") == len(str(line)) + 1
    assert {row.index("=") for row in block[6:]} == {len(str(line)) + 2}


@pytest.mark.parametrize(
    "name",
    [
        "plain",
        "élan",
        "e\u0301lan",
        "軸",
        "ＡＢ",
        "名前 é",
        "سلام",
        "&quot;&#x41;",
        "тест",
        "\u200b",
        "a\tb",
    ],
)
@pytest.mark.parametrize("space", ["", " ", "\t\t", "\r\n\t", "\n \t ", " " * 90])
def test_carets_stand_under_the_place(name: str, space: str) -> None:
    text = render(
        "validate", "text", [check_file(net(LAYER.format(name=name, space=space)))]
    )
    assert marked(text) == "Axis"


@pytest.mark.parametrize("before", [0, 30, 60, 200, 5_000])
@pytest.mark.parametrize("after", [0, 30, 60, 200, 5_000])
def test_a_long_line_is_cut_on_both_sides(before: int, after: int) -> None:
    layer = LAYER.format(name="a", space="")
    source = net(layer, before=f"<!--{'<' * before}-->", after=f"<!--{'>' * after}-->")
    text = render("validate", "text", [check_file(source)])
    assert marked(text) == "Axis"
    excerpt = next(line for line in text.split("\n") if "Axis=" in line).split("| ", 1)[
        1
    ]
    assert len(excerpt) <= 122
    assert excerpt.startswith("… ") == (
        len(source) > 120 and source.index(b"Axis") > 50
    )


def test_a_long_line_of_wide_characters() -> None:
    layer = LAYER.format(name="a", space="")
    source = net(layer, before=f"<!--{'軸' * 3000}-->", after=f"<!--{'軸' * 3000}-->")
    assert marked(render("validate", "text", [check_file(source)])) == "Axis"


def test_carets_stop_at_the_end_of_the_line() -> None:
    file = check_file(
        b'<net name="m" version="11"><layers/><edges/></net>\n<net>\n</net>\n'
    )
    text = render("validate", "text", [file])
    assert marked(text, "OVG002") == "<net>"


def test_a_place_of_no_width_gets_a_caret() -> None:
    file = check_file(b'<net name="m" version="11">')
    text = render("validate", "text", [file])
    assert (
        '\n 1 | <net name="m" version="11">\n   |                            ^\n'
        in text
    )


def test_no_excerpt_where_there_is_no_text() -> None:
    text = render("validate", "text", [checked("m.xml", finding(line=3))])
    assert text.startswith(
        "error[OVG102]: unknown attribute `Axis`\n  --> m.xml:3:1\n\nm.xml: OpenVINO refuses it"
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_moves_the_cursor(text: str) -> None:
    for format in ("text", "concise"):
        shown = render("validate", format, [hostile(text)])
        assert CONTROL.search(shown) is None, format


def test_control_characters_in_a_file() -> None:
    source = net(LAYER.format(name="a&#27;[2J&#13;b\x1b[31m", space="\x1b]0;x\x07"))
    shown = render("validate", "text", [check_file(source)])
    assert CONTROL.search(shown) is None
    assert "(layer 2)" in shown


def test_colours() -> None:
    file = check_file(net(LAYER.format(name="a", space="")))
    plain, painted = (
        render("validate", "text", [file], color=color) for color in (False, True)
    )
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain
    assert (
        "\x1b[31;1merror[OVG102]\x1b[0m\x1b[1m: unknown attribute `Axis`\x1b[0m\n"
        in painted
    )


@pytest.mark.parametrize(
    ("severities", "summary"),
    [
        ("", "No problems in 1 file."),
        ("error", "1 error in 1 file."),
        (
            "note error note warning",
            "1 error, 1 warning, 2 notes in 1 file.",
        ),
    ],
)
def test_summary(severities: str, summary: str) -> None:
    found = [finding(severity=severity) for severity in severities.split()]
    assert (
        render("validate", "text", [checked("m.xml", *found)]).split("\n")[-2]
        == summary
    )


def test_files_of_every_kind() -> None:
    shown = render("validate", "text", mixed())
    assert shown.count("\n") > 40
    assert (
        "error[OVG001]: cannot be read: No such file or directory\n  --> missing/m.xml:1:1\n"
        "   = OpenVINO: rejects it\n\n" in shown
    )


def test_concise() -> None:
    file = checked(
        "m.xml", finding(line=3, column=7), finding("odd\nname", severity="note")
    )
    assert render("validate", "concise", [file]) == (
        "m.xml:3:7 OVG102 error: unknown attribute `Axis`\nm.xml:1:1 OVG102 note: odd\\nname\n"
    )
    assert render("validate", "concise", [checked("m.xml")]) == ""
