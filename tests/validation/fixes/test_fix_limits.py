"""What fixes leave alone: what has two remedies, what is not reported, and the bytes around."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from mended_texts import EDGE, GOOD, IN_INDICES, OUTPUT, changed, codes, mend
from paths import SAMPLES

from ovgather.ir.edit.edits import Patched
from ovgather.ir.text import Edit
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic, Fix
from ovgather.validation.fixes import fix as fixes
from ovgather.validation.fixes.fix import fix
from ovgather.validation.plan import Plan
from ovgather.validation.selection.codes import Choice, Selection

IN_DATA = '<port id="0" precision="FP32"><dim>3</dim><dim>7</dim><dim>5</dim></port>'
OF_ONE_TYPE = GOOD.replace("FP32", "I64").replace("f32", "i64")
UNTYPED = changed(IN_INDICES, IN_INDICES.replace(' precision="I64"', ""))
TILED = IN_DATA.replace('id="0"', 'id="1"')
BEHIND_TILE = changed(
    "  </layers>",
    f'<layer id="4" name="tile" type="Tile" version="opset1"><output>{TILED}</output></layer></layers>',
    changed(
        EDGE,
        EDGE.replace('from-layer="0" from-port="0"', 'from-layer="4" from-port="1"'),
    ),
)
"""Data flows from a layer whose output does not follow from its ports."""
OF_PICK = '<data axis="1"/>\n      <input>\n        <port id="0"'
SEEN = {
    "data that the indices do not fit": changed('shape="3,10,5"', 'shape="2,10,5"'),
    "indices of a type that is not taken": changed(
        'element_type="i64"', 'element_type="i8"'
    ),
    "layer id given twice": changed('<layer id="1"', '<layer id="0"'),
    "attribute that is not read, and other dims": changed(
        'axis="1"', 'axis="x"', changed(OUTPUT, OUTPUT.replace("10", "9"))
    ),
    "two inputs with one port id": GOOD.replace(
        IN_INDICES, IN_INDICES.replace('id="1"', 'id="0"')
    ),
    "id of another layer": changed('<layer id="2"', '<layer id=" 1 "'),
    "id of another port, with zeros": GOOD.replace(
        IN_INDICES, IN_INDICES.replace('id="1"', 'id="00"')
    ),
    "id of another layer, with zeros": changed('<layer id="2"', '<layer id="01"'),
    "input ports out of order": changed(
        f"{IN_DATA}\n        {IN_INDICES}", f"{IN_INDICES}\n        {IN_DATA}"
    ),
    "edge from another layer": changed(
        EDGE, EDGE.replace('from-layer="0"', 'from-layer="1"')
    ),
    "id that no edge names": changed('<layer id="2"', '<layer id=" 7 "'),
    "edge from no layer": changed(
        EDGE, EDGE.replace('from-layer="0"', 'from-layer="9 "')
    ),
    "word for a number": changed('axis="1"', 'axis="one"'),
    "element type that the port contradicts": changed(
        'element_type="f32"', 'element_type="int32"'
    ),
}
"""What only one repair brings into line with the rest of the file, which is the good text."""
UNCLEAR = {
    "dim that is an entity": changed(OUTPUT, OUTPUT.replace("10", "&ten;")),
    "element type that no port confirms": changed(
        'element_type="i64"', 'element_type="i32"', UNTYPED
    ),
    "dims of two ports that nothing confirms": changed(
        TILED, TILED.replace("7", "9"), BEHIND_TILE
    ),
    "precision of two ports that nothing confirms": changed(
        TILED, TILED.replace("FP32", "FP16"), BEHIND_TILE
    ),
    "precision of data that no other port confirms": changed(
        TILED,
        TILED.replace("FP32", "FP16"),
        changed(OF_PICK + ' precision="FP32"', OF_PICK, BEHIND_TILE),
    ),
    "dim with a comment in it": changed(
        OUTPUT, OUTPUT.replace("<dim>10<", "<dim>9<!-- was 8 -->0<")
    ),
    "quote missing in the middle of words": changed('name="pick"', 'name="pick me'),
    "unknown entity": changed('name="pick"', 'name="&pick;"'),
    "text after the root": GOOD + "text",
}


@pytest.mark.parametrize("name", SEEN)
def test_what_the_rest_of_the_file_tells_is_mended(name: str) -> None:
    fixed = mend(SEEN[name], unsafe=True)
    assert (fixed.data.decode(), fixed.left.diagnostics) == (GOOD, [])


def test_an_edge_from_another_layer_of_the_same_type() -> None:
    wrong = changed(EDGE, EDGE.replace("0", "1", 1), OF_ONE_TYPE)
    assert mend(wrong).data.decode() == wrong
    assert mend(wrong, unsafe=True).data.decode() == OF_ONE_TYPE


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_has_more_than_one_mend_is_left(name: str) -> None:
    fixed = mend(UNCLEAR[name], unsafe=True)
    assert (fixed.data.decode(), fixed.fixes, fixed.regions) == (UNCLEAR[name], [], [])
    assert fixed.left.diagnostics


def test_another_output_that_the_axis_of_gather_explains_is_left() -> None:
    for sample in ("bad-3.xml", "bad-4.xml"):
        path = SAMPLES / "rules" / "OVG203" / sample
        assert "OVG203" not in codes(fix(path.read_bytes(), str(path), Plan()))


RUNS = GOOD.replace("<dim>10</dim>", "<dim>7</dim>").replace("3,10,5", "3,7,5")
UNREAD = changed('axis="1"', 'Axis="5"', RUNS)
"""With the right name, the attribute would be out of range."""


def test_a_fix_that_would_bring_a_new_error_is_not_offered() -> None:
    fixed = mend(UNREAD, unsafe=True)
    assert (fixed.data.decode(), fixed.fixes, fixed.harmful, fixed.refused) == (
        UNREAD,
        [],
        (),
        "",
    )
    assert [found.code for found in fixed.left.diagnostics] == ["OVG102"]


def test_the_other_fixes_are_made() -> None:
    port = '<port id="1" precision="I64"><dim>3</dim><dim>7'
    wrong = UNREAD.replace(port, port.replace("7", "8")).replace(
        'type="GatherElements"', 'type="GATHERELEMENTS"'
    )
    fixed = mend(wrong, unsafe=True)
    assert codes(fixed) == ["OVG108", "OVG206"]
    assert fixed.data.decode() == UNREAD
    assert [found.code for found in fixed.left.diagnostics] == ["OVG102"]


class Letter(NamedTuple):
    """A finding about one byte of a text, whose fix makes a capital of it."""

    place: int
    code: str = "OVG108"
    severity: str = "error"
    layer: None = None
    line: int = 1
    column: int = 1
    message: str = "small"

    def fix(self) -> Fix:
        edit = Edit(self.place, 1, b"X", "")
        return Fix((edit,), f"letter {self.place}")


@pytest.mark.parametrize("harmful", [(), (0,), (99,), (3, 50), range(0, 100, 9)])
def test_harmful_fixes_are_found_by_halves(harmful: Sequence[int]) -> None:
    looks: list[bool] = []

    def check(text: bytes, explain: bool = True) -> Checked:
        looks.append(explain)
        small = [Letter(place) for place, byte in enumerate(text) if byte == ord("a")]
        worse = [place for place in harmful if text[place] == ord("X")]
        found = small + [Letter(place, f"OVG9{place:02}") for place in worse]
        return Checked("m.xml", 11, 0, 0, found, False, [])  # type: ignore[arg-type]

    def wanted(checked: Checked) -> list[Diagnostic]:
        return checked.diagnostics

    text = b"a" * 100
    fixer = fixes._Fixer(Patched(text), check(text), check, wanted, True, 200)
    fixer.run()
    assert [place for place in range(100) if fixer.patched.text[place] == ord("a")] == [
        *harmful
    ]
    assert len(fixer.harmful) == len(harmful)
    assert looks.count(True) == 2
    assert looks.count(False) <= 4 + 14 * len(harmful)


class TestWhatIsReported:
    BOTH = changed('axis="1"', 'axis="1.9"').replace(
        'type="GatherElements"', 'type="GATHERELEMENTS"'
    )

    def test_only_what_is_selected(self) -> None:
        plan = Plan(Selection((Choice(("OVG103",)),)))
        assert mend(self.BOTH, plan=plan).data.decode() == GOOD.replace(
            "GatherElements", "GATHERELEMENTS"
        )

    def test_not_what_a_comment_suppresses(self) -> None:
        text = self.BOTH.replace(
            "<data axis",
            "<!-- ovgather: ignore OVG108 an old tool wants it so --><data axis",
        )
        fixed = mend(text)
        assert codes(fixed) == ["OVG103"]
        assert 'type="GATHERELEMENTS"' in fixed.data.decode()

    def test_not_what_is_narrowed_out(self) -> None:
        def narrow(checked: Checked) -> Checked:
            return checked._replace(
                diagnostics=[
                    found for found in checked.diagnostics if found.code != "OVG103"
                ]
            )

        fixed = fix(self.BOTH.encode(), "m.xml", Plan(), narrow=narrow)
        assert codes(fixed) == ["OVG108"]
        assert "OVG103" in [found.code for found in fixed.left.diagnostics]


ENCODINGS = {
    "CRLF": GOOD.replace("\n", "\r\n").encode(),
    "one line": re.sub(r"\n\s*", "", GOOD).encode(),
    "UTF-8 with mark": GOOD.replace("pick", "wähl").encode("utf-8-sig"),
    "UTF-16": GOOD.replace("pick", "wähl€").encode("utf-16"),
    "UTF-16 big-endian": b"\xfe\xff"
    + GOOD.replace("pick", "wähl€").encode("utf-16-be"),
    "UTF-16 without mark": GOOD.encode("utf-16-le"),
    "UTF-32": GOOD.replace("pick", "wähl€").encode("utf-32"),
    "ISO-8859-1": GOOD.replace('"1.0"?', '"1.0" encoding="ISO-8859-1"?')
    .replace("pick", "wähl")
    .encode("latin-1"),
    "another encoding": GOOD.replace('"1.0"?', '"1.0" encoding="windows-1251"?')
    .replace("pick", "выбор")
    .encode("cp1251"),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_bytes_around_stay(name: str) -> None:
    good = ENCODINGS[name]
    wide = {
        "UTF-16": "utf-16-le",
        "UTF-16 big-endian": "utf-16-be",
        "UTF-16 without mark": "utf-16-le",
        "UTF-32": "utf-32-le",
    }
    codec = wide.get(name, "utf-8")

    def put(right: str, wrong: str, text: bytes) -> bytes:
        assert text.count(right.encode(codec)) == 1
        return text.replace(right.encode(codec), wrong.encode(codec))

    bad = put('axis="1"', 'axis="1.9"', put(OUTPUT, OUTPUT.replace("10", "1234"), good))
    fixed = mend(bad)
    assert fixed.data == good
    if name != "another encoding":
        assert fixed.left.diagnostics == []


def test_bytes_that_are_no_text_of_their_encoding() -> None:
    bad = changed('axis="1"', 'axis="1.9"').encode("utf-16") + b"\x00"
    fixed = mend(bad)
    assert (fixed.data, fixed.regions) == (bad, [])
    assert "utf-16" in fixed.refused
