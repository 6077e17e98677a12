"""The fixes: each on its own, then what must hold of all of them for every sample."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from mended_texts import EDGE, GOOD, IN_INDICES, LAYER, OUTPUT, changed, codes, mend
from paths import SAMPLES

from ovgather.ir.edit.edits import Encoding
from ovgather.runtimes.load import Load, load
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.fixes.fix import Fixed, fix
from ovgather.validation.plan import Plan

EVERY = sorted(str(path.relative_to(SAMPLES)) for path in SAMPLES.rglob("*.xml"))
MENDED = {
    # The good text with one thing wrong, which comes back: the code of the finding, what is right, what is wrong.
    "integer with a fraction": ("OVG103", 'axis="1"', 'axis="1.9"'),
    "integer with letters": ("OVG103", 'axis="1"', 'axis="1abc"'),
    "integer with a blank": ("OVG103", 'axis="1"', 'axis=" 1"'),
    "integer with a plus sign": ("OVG103", 'axis="1"', 'axis="+1"'),
    "type in another case": (
        "OVG108",
        'type="GatherElements"',
        'type="gatherelements"',
    ),
    "layer id with blanks": ("OVG101", '<layer id="2"', '<layer id=" 2 "'),
    "layer id with a plus sign": ("OVG101", '<layer id="2"', '<layer id="+2"'),
    "port id with a blank": ("OVG209", OUTPUT, OUTPUT.replace('id="2"', 'id="2 "')),
    "edge with a blank": (
        "OVG301",
        EDGE,
        EDGE.replace('from-layer="0"', 'from-layer=" 0"'),
    ),
    "edge to a port with a blank": (
        "OVG301",
        EDGE,
        EDGE.replace('to-port="0"', 'to-port="0 "'),
    ),
    "misspelt edge": ("OVG301", EDGE, EDGE.replace("from-layer", "from_layer")),
    "precision of another vocabulary": (
        "OVG208",
        OUTPUT,
        OUTPUT.replace("FP32", "fp32"),
    ),
    "precision that is nonsense, of a known tensor": (
        "OVG208",
        OUTPUT,
        OUTPUT.replace("FP32", "bogus"),
    ),
    "misspelt precision": ("OVG208", OUTPUT, OUTPUT.replace("precision", "precison")),
    "no precision": ("OVG208", OUTPUT, OUTPUT.replace(' precision="FP32"', "")),
    "empty precision": ("OVG208", OUTPUT, OUTPUT.replace('"FP32"', '""')),
    "precision of an input": ("OVG208", IN_INDICES, IN_INDICES.replace("I64", "int64")),
    "element type": ("OVG211", 'element_type="i64"', 'element_type="int64"'),
    "dims of an input": ("OVG206", IN_INDICES, IN_INDICES.replace("10", "12")),
    "too few dims of an input": (
        "OVG206",
        IN_INDICES,
        IN_INDICES.replace("<dim>5</dim>", ""),
    ),
    "too few dims of an input, the last of them empty": (
        "OVG207",
        IN_INDICES,
        IN_INDICES.replace("<dim>10</dim><dim>5</dim>", "<dim/>"),
    ),
    "too many dims of an input": (
        "OVG206",
        IN_INDICES,
        IN_INDICES.replace("</port>", "<dim>1</dim><dim>1</dim></port>"),
    ),
    "precision of an input that differs": (
        "OVG206",
        IN_INDICES,
        IN_INDICES.replace("I64", "I32"),
    ),
    "dim with a fraction": ("OVG207", IN_INDICES, IN_INDICES.replace("10", "10.5")),
    "dim unknown, but known elsewhere": (
        "OVG207",
        IN_INDICES,
        IN_INDICES.replace("10", "?"),
    ),
    "dim empty, but known elsewhere": (
        "OVG207",
        IN_INDICES,
        IN_INDICES.replace("<dim>10</dim>", "<dim/>"),
    ),
    "dim negative, but known elsewhere": ("OVG207", OUTPUT, OUTPUT.replace("10", "-2")),
    "dim that is an interval, but known elsewhere": (
        "OVG203",
        OUTPUT,
        OUTPUT.replace("10", "1..10"),
    ),
    "attribute given twice": ("OVG002", 'axis="1"/>', 'axis="1" axis="0"/>'),
    "no quotes": ("OVG002", 'axis="1"/>', "axis=1/>"),
    "no quote at the end": ("OVG002", 'axis="1"/>', 'axis="1/>'),
    "no quote at the end, before another attribute": (
        "OVG002",
        LAYER,
        LAYER.replace('id="2"', 'id="2'),
    ),
    "no quote at the start": ("OVG002", 'axis="1"/>', 'axis=1"/>'),
    "no quote at the end of an edge": ("OVG002", EDGE, EDGE.replace('"/>', "/>")),
}


@pytest.mark.parametrize("name", MENDED)
def test_what_is_wrong_becomes_what_is_right(name: str) -> None:
    code, right, wrong = MENDED[name]
    fixed = mend(changed(right, wrong))
    assert fixed.data.decode() == GOOD
    assert code in codes(fixed)
    assert (fixed.left.diagnostics, fixed.unsafe, fixed.refused) == ([], 0, "")


ESCAPED = {
    "ampersand": ('name="gather_elements"', 'name="a & b"', 'name="a &amp; b"'),
    "less than": ('name="gather_elements"', 'name="a<b"', 'name="a&lt;b"'),
    "brackets": ("<layers>", "]]><layers>", "]]&gt;<layers>"),
}


@pytest.mark.parametrize("name", ESCAPED)
def test_what_xml_wants_escaped(name: str) -> None:
    old, wrong, right = ESCAPED[name]
    fixed = mend(changed(old, wrong))
    assert fixed.data.decode() == changed(old, right)
    assert (codes(fixed), fixed.left.diagnostics) == (["OVG002"], [])


def test_the_vocabulary_of_a_precision_stays() -> None:
    fixed = mend(changed(OUTPUT, OUTPUT.replace("FP32", "i32")))
    assert OUTPUT.replace("FP32", "f32") in fixed.data.decode()
    assert (codes(fixed), fixed.left.diagnostics) == (["OVG205"], [])


def test_output_dims_and_what_follows_them() -> None:
    wrong = changed(OUTPUT, OUTPUT.replace("10", "9"))
    fixed = mend(wrong)
    assert fixed.data.decode() == GOOD
    assert codes(fixed) == ["OVG203"]
    # The port that takes the output agrees with it: then something else may be wrong, and the dims stay.
    everywhere = re.sub(r"(?<=FP32\"><dim>3</dim><dim>)10", "9", GOOD)
    fixed = mend(everywhere)
    assert (fixed.data.decode(), codes(fixed)) == (everywhere, [])


def test_dims_that_are_not_static_become_minus_one() -> None:
    dynamic = changed('shape="3,10,5"', 'shape="3,2..8,5"').replace(
        "<dim>10</dim>", "<dim>-1</dim>"
    )
    port = IN_INDICES.replace('id="1"', 'id="0"').replace("10", "-1")
    output = OUTPUT.replace("10", "-1")
    assert port in dynamic
    assert output in dynamic
    for right, code in ((port, "OVG212"), (output, "OVG203")):
        fixed = mend(changed(right, right.replace("-1", "10"), dynamic))
        assert fixed.data.decode() == dynamic
        assert (codes(fixed), fixed.left.diagnostics) == ([code], [])
    # All ports agree, so the shape of the Parameter may be what is wrong.
    fixed = mend(changed('shape="3,10,5"', 'shape="3,2..8,5"'))
    assert codes(fixed) == []


def test_the_port_of_a_parameter_follows_its_data() -> None:
    port = '<port id="0" precision="FP32"><dim>3</dim><dim>7</dim><dim>5</dim></port>'
    for wrong in (port.replace("7", "4"), port.replace("FP32", "FP16")):
        assert GOOD.count(port) == 2
        fixed = mend(GOOD.replace(port, wrong, 1))
        assert (fixed.data.decode(), codes(fixed), fixed.left.diagnostics) == (
            GOOD,
            ["OVG212"],
            [],
        )


@pytest.mark.parametrize(
    "data", ['shape="3,4,5" element_type="f32"', 'shape="3,7,5" element_type="f16"']
)
def test_ports_that_agree_against_the_data_of_a_parameter_stay(data: str) -> None:
    wrong = changed('shape="3,7,5" element_type="f32"', data)
    assert mend(wrong).data.decode() == wrong
    assert mend(wrong, unsafe=True).data.decode() == GOOD


def test_ports_of_many_layers_that_agree_against_their_data_are_not_believed() -> None:
    """All precisions were replaced, or the types of several Parameters: nothing tells, and the ports do no harm."""
    port = '<port id="{}" precision="FP16"><dim>2</dim></port>'
    given = f"<output>{port.format(0)}</output>"
    layers = [
        f'<layer id="{number}" name="x{number}" type="Parameter" version="opset1">'
        f'<data shape="2" element_type="f32"/>{given}</layer>'
        for number in range(2)
    ]
    wrong = (
        f'<net name="m" version="11"><layers>{"".join(layers)}'
        '<layer id="2" name="sum" type="Add" version="opset1"><data auto_broadcast="numpy"/>'
        f"<input>{port.format(0)}{port.format(1)}</input><output>{port.format(2)}</output></layer>"
        f'<layer id="3" name="y" type="Result" version="opset1"><input>{port.format(0)}</input></layer></layers>'
        '<edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>'
        '<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>'
        '<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>'
    )
    assert mend(wrong, unsafe=True).data.decode() == wrong


def test_a_scalar_whose_port_has_dims() -> None:
    text = """<net name="m" version="11"><layers><layer id="0" name="x" type="Parameter" version="opset1">
<data shape="" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>3</dim> <dim>7</dim></port></output></layer>
<layer id="1" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32"/></input></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>"""
    assert mend(text).data.decode() == text
    assert mend(text, unsafe=True).data.decode() == text.replace(
        'shape=""', 'shape="3,7"'
    )


def test_space_around_dims_is_kept() -> None:
    spaced = OUTPUT.replace("><", ">\n\t\t<")
    assert mend(changed(OUTPUT, spaced.replace("10", " 9 "))).data.decode() == changed(
        OUTPUT, spaced.replace("10", " 10 ")
    )
    short = spaced.replace("\n\t\t<dim>5</dim>", "")
    assert mend(changed(OUTPUT, short)).data.decode() == changed(OUTPUT, spaced)
    # Where the first dim was, a blank line is left or nothing.
    for gone, left in (("\n\t\t<dim>3</dim>", ""), ("<dim>3</dim>", "\n\t\t")):
        fixed = mend(changed(OUTPUT, spaced.replace(gone, "")))
        assert fixed.data.decode() == changed(
            OUTPUT, spaced.replace("<dim>3</dim>", f"<dim>3</dim>{left}")
        )
    more = spaced.replace("<dim>10</dim>", "<dim>8</dim><dim>10</dim>")
    fixed = mend(changed(OUTPUT, more))
    assert fixed.data.decode() == changed(
        OUTPUT, spaced.replace("\n\t\t<dim>10</dim>", "<dim>10</dim>")
    )
    long = spaced.replace("<dim>5</dim>", "<dim>5</dim>\n\t\t<dim>8</dim>")
    assert mend(changed(OUTPUT, long)).data.decode() == changed(OUTPUT, spaced)


class TestUnsafe:
    AXIS = changed('axis="1"', 'Axis="1"')

    def test_an_attribute_that_would_take_effect(self) -> None:
        # By the default, axis 0, the inputs do not fit together: nothing runs that the fix would change.
        assert mend(self.AXIS).data.decode() == GOOD
        runs = self.AXIS.replace("<dim>10</dim>", "<dim>7</dim>").replace(
            "3,10,5", "3,7,5"
        )
        left = mend(runs)
        assert (left.regions, left.unsafe) == ([], 1)
        made = mend(runs, unsafe=True)
        assert made.data.decode() == runs.replace("Axis", "axis")
        assert made.unsafe == 0

    def test_the_default_changes_nothing(self) -> None:
        sample = SAMPLES / "rules" / "OVG102" / "bad-6.xml"
        assert b'batchDims="0"' in sample.read_bytes()
        fixed = fix(sample.read_bytes(), str(sample), Plan())
        assert (codes(fixed), fixed.left.diagnostics) == (["OVG102"], [])

    def test_the_right_name_is_there(self) -> None:
        assert mend(changed('axis="1"', 'Axis="0" axis="1"'), unsafe=True).regions == []

    def test_what_does_harm_beside_another_mistake(self) -> None:
        """Without its third input the layer has a wrong output, until that is mended as well."""
        sample = (SAMPLES / "rules" / "OVG201" / "bad-2.xml").read_text()
        begin = sample.index("<output>", sample.index('id="2"'))
        text = sample[:begin] + sample[begin:].replace("<dim>5<", "<dim>255<", 1)
        text = text.replace('shape="3,7,5"', 'shape="wrong"')
        once = mend(text, unsafe=True)
        assert (once.harmful, once.left.diagnostics) == ((), [])
        assert mend(once.data.decode(), unsafe=True).regions == []

    def test_two_names_for_one(self) -> None:
        """The text could not be read with both."""
        fixed = mend(changed('axis="1"', 'Axis="1" AXIS="1"'), unsafe=True)
        assert b'<data axis="1" AXIS="1"/>' in fixed.data
        [(harmful, why)] = fixed.harmful
        assert harmful.what == "`AXIS` is now `axis`"
        assert "attribute `axis` is given twice" in why
        assert codes(fixed) == ["OVG102"]


@cache
def fixed(sample: str, unsafe: bool) -> Fixed:
    path = SAMPLES / sample
    return fix(path.read_bytes(), str(path), Plan(), unsafe=unsafe)


@pytest.mark.parametrize("sample", EVERY)
def test_every_sample(sample: str) -> None:
    before = check_file(str(SAMPLES / sample))
    for unsafe in True, False:
        done = fixed(sample, unsafe)
        require_no_harm(before, done)
        if not done.fixes:  # where all fixes are none, the safe ones are
            break
        again = fix(done.data, before.path, Plan(), unsafe=unsafe)
        assert (again.data, again.fixes) == (done.data, []), "twice is as once"


def require_no_harm(before: Checked, done: Fixed) -> None:
    """No more is wrong than before, and nothing but the fixes differs."""
    after = done.left
    assert not done.refused
    if not before.fatal:
        assert errors(after) <= errors(before)
    changed = done.data != Path(before.path).read_bytes()
    assert bool(done.fixes) is bool(done.regions) is changed
    assert len(after.diagnostics) <= len(before.diagnostics)
    # Nothing but the edits differs: comments, and what is left when all values are taken out.
    text = Encoding(done.data).text
    comments = re.compile(rb"<!--.*?-->", re.DOTALL)
    assert comments.findall(text) == comments.findall(done.text)
    position = 0
    made = b""
    for region in done.regions:
        made += done.text[position : region.start] + region.inserted
        position = region.end
    assert made + done.text[position:] == text


def errors(checked: Checked) -> Counter[str]:
    found = checked.diagnostics
    return Counter([each.code for each in found if each.severity == "error"])


@pytest.mark.slow
@pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
def test_openvino_loads_what_is_mended() -> None:
    cases = {}
    for sample in EVERY:
        done = fixed(sample, unsafe=True)
        weights = (SAMPLES / sample).with_suffix(".bin")
        if done.regions and not done.left.diagnostics:
            cases[sample] = Load(
                None, done.data, str(weights) if weights.exists() else None
            )
    assert len(cases) > 25
    complaints = dict(zip(cases, load(list(cases.values())), strict=True))
    assert {
        sample: said for sample, said in complaints.items() if said is not None
    } == {}


def test_a_dim_left_open_is_closed() -> None:
    assert mend(changed(OUTPUT, OUTPUT.replace("10", "-1"))).data.decode() == GOOD
