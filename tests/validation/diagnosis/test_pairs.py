"""Two mistakes in one layer, and one behind text at which every parser stops: each of them is a finding."""

from __future__ import annotations

import pytest
from contradictions import findings
from small_models import layer, net, parameter, result

IMAGE, FILTERS, GIVEN = "FP32 1,3,6,6", "FP32 4,3,3,3", "FP32 1,4,4,4"
DATA = {
    "strides": "1,1",
    "dilations": "1,1",
    "pads_begin": "0,0",
    "pads_end": "0,0",
    "auto_pad": "explicit",
}


def convolution(
    given: str = GIVEN, type: str = "Convolution", version: str = "opset1", **data: str
) -> str:
    attributes = {**DATA, **data}
    return net(
        parameter(0, "1,3,6,6", "f32", IMAGE, "x"),
        parameter(1, "4,3,3,3", "f32", FILTERS, "w"),
        layer(
            2,
            type,
            version,
            " ".join(f'{name}="{text}"' for name, text in attributes.items()),
            (IMAGE, FILTERS),
            (given,),
            "conv",
        ),
        layer(3, "ReLU", "opset1", "", (GIVEN,), (GIVEN,), "relu"),
        result(4, GIVEN),
        edges="0:0-2:0 1:0-2:1 2:2-3:0 3:1-4:0",
    )


def said(text: str) -> list[tuple[str, str]]:
    """Code and beginning of each finding; there is no .bin."""
    return sorted(
        (each.code, each.message.partition(":")[0])
        for each in findings(text)
        if each.severity != "note" and each.code != "OVG008"
    )


UNREADABLE = "pads_begin is 'a,1', which is not a list of integers"
ZERO = "strides 1,0 has a zero; at least 1 is expected"
LONG = "dilations has 3 items, one is expected for each of 2 spatial dims"


def test_a_healthy_layer() -> None:
    assert said(convolution()) == []


@pytest.mark.parametrize(
    ("data", "messages"),
    [
        ({"pads_begin": "a,1"}, [UNREADABLE]),
        ({"strides": "1,0"}, [ZERO]),
        ({"pads_begin": "a,1", "strides": "1,0"}, [UNREADABLE, ZERO]),
        ({"pads_begin": "a,1", "dilations": "1,1,1"}, [LONG, UNREADABLE]),
        ({"strides": "1,0", "dilations": "1,1,1"}, [LONG, ZERO]),
        (
            {"pads_begin": "a,1", "auto_pad": "explict"},
            [
                "auto_pad is 'explict', which is not one of explicit, same_lower, same_upper, valid",
                UNREADABLE,
            ],
        ),
    ],
)
def test_attributes_of_one_layer(data: dict[str, str], messages: list[str]) -> None:
    assert said(convolution(**data)) == [("OVG113", each) for each in messages]


def test_an_attribute_and_the_precision_of_the_output() -> None:
    text = convolution("I64 1,4,4,4", pads_begin="a,1")
    codes = [code for code, _ in said(text)]
    assert ("OVG113", UNREADABLE) in said(text)
    assert codes == ["OVG113", "OVG215"]


def test_what_openvino_does_not_compile_beside_what_it_does_not_read() -> None:
    messages = ["strides 1,-8 has a negative number", UNREADABLE]
    assert said(convolution(pads_begin="a,1", strides="1,-8")) == [
        ("OVG113", each) for each in sorted(messages)
    ]


def test_a_layer_that_is_put_away_does_not_explain_its_attributes() -> None:
    """Nothing else explains what the layer behind says."""
    pool = {
        "kernel": "[2-2]",
        "strides": "2,2",
        "pads_begin": "0_0",
        "pads_end": "0,0",
        "rounding_type": "floor",
        "auto_pad": "explicit",
    }
    data = " ".join(f'{name}="{text}"' for name, text in pool.items())
    wrong = "FP32 1,3,3,7"
    text = net(
        parameter(0, "1,3,6,6", "f32", IMAGE, "x"),
        layer(1, "MaxPool", "opset1", data, (IMAGE,), ("FP32 1,3,3,3",), "pool"),
        layer(2, "ReLU", "opset1", "", ("FP32 1,3,3,3",), (wrong,), "relu"),
        result(3, wrong),
        edges="0:0-1:0 1:1-2:0 2:1-3:0",
    )
    messages = [message for _, message in said(text)]
    assert "kernel is '[2-2]', which is not a list of integers" in messages
    assert "pads_begin '0_0' is not a list of integers" in messages
    assert any(message.startswith("output 0 is declared") for message in messages)


def test_an_attribute_of_a_layer_that_no_longer_leads_to_a_result() -> None:
    old = 'from-layer="3" from-port="1" to-layer="4"'
    assert old in convolution()
    text = convolution(strides="1,0").replace(old, old.replace('"3"', '"3x"'))
    assert [code for code, _ in said(text)] == ["OVG113", "OVG301"]
    assert ("OVG113", ZERO) in said(text)


def test_two_attributes_of_which_one_is_read_in_part() -> None:
    text = convolution(pads_begin="0", pads_end="0;0")
    assert [code for code, _ in said(text)] == ["OVG103", "OVG113"]


@pytest.mark.parametrize(
    "odd", [{"type": "Convolutions"}, {"version": "opsets1"}, {"version": ""}]
)
def test_an_attribute_of_a_layer_of_an_unknown_operation(odd: dict[str, str]) -> None:
    assert len(said(convolution(**odd))) == 1
    both = said(convolution(**odd, strides="1,0"))
    assert len(both) == 2
    assert ("OVG113", ZERO) in both


def test_an_attribute_of_no_name_and_an_empty_version() -> None:
    text = convolution(version="").replace("strides=", "stirdes=")
    codes = [code for code, _ in said(text)]
    assert codes[0] in ("OVG102", "OVG106")
    assert codes[-1] == "OVG107"


def test_a_type_and_a_version() -> None:
    assert said(convolution(type="Convolutions", version="opsets1")) == [
        ("OVG107", "opsets1 has no 'Convolutions'; no opset has it"),
        ("OVG107", "version 'opsets1' is not an OpenVINO opset"),
    ]


def test_an_id_and_an_attribute() -> None:
    text = convolution(strides="1,0").replace('<layer id="2"', '<layer id="2x"')
    assert ("OVG113", ZERO) in said(text)
    assert [code for code, _ in said(text)] == ["OVG101", "OVG113"]


def test_a_required_attribute_that_is_missing_beside_one_that_is_refused() -> None:
    text = convolution(dilations="1").replace(' pads_begin="0,0"', "")
    messages = [message for _, message in said(text)]
    lacks = 'layer 2 "conv" has no pads_begin, but its ports need pads_begin="0,0"'
    assert lacks in messages
    assert any(message.startswith("dilations has 1 item,") for message in messages)


def test_two_dims_of_one_port() -> None:
    whole = "".join(f"<dim>{dim}</dim>" for dim in (1, 4, 4, 4))
    odd = "".join(f"<dim>{dim}</dim>" for dim in (1, "N", 4, "x"))
    before, tag, after = convolution().partition('name="conv"')
    assert whole in after
    text = before + tag + after.replace(whole, odd, 1)
    messages = [message for code, message in said(text) if code == "OVG207"]
    assert messages == [
        "dim 'N' is not an integer of -1 or more",
        "dim 'x' is not an integer of -1 or more",
    ]


def test_what_two_rules_say_of_a_hidden_attribute_is_one_finding() -> None:
    text = net(
        parameter(0, "2,3", "f32", "FP32 2,3", "x"),
        layer(
            1,
            "Convert",
            "opset",
            'destination_type=""',
            ("FP32 2,3",),
            ("I64 2,3",),
            "c",
        ),
        result(2, "I64 2,3"),
        edges="0:0-1:0 1:1-2:0",
    )
    assert [code for code, _ in said(text)] == ["OVG107", "OVG211"]


STOPS = {
    "conflict": (
        "<edges>",
        "<edges>\n<<<<<<< HEAD\n<!-- one -->\n=======\n<!-- another -->\n>>>>>>> other\n",
    ),
    "comment": ("<edges>", "<!-- the old edges\n<edges>"),
    "end tag": ("</layer>", ""),
    "end tag twice": ("</layer>", "</layer></layer>"),
    "end tag called otherwise": ("</output>", "</outputs>"),
    "start tag that is closed": (
        'name="relu" type="ReLU" version="opset1">',
        'name="relu" type="ReLU" version="opset1"/>',
    ),
    "start tag twice": ("<output>", "<output><output>"),
    "quote": ('name="relu"', 'name="relu'),
}


@pytest.mark.parametrize("name", STOPS)
def test_what_is_wrong_behind_malformed_text(name: str) -> None:
    old, new = STOPS[name]
    text = convolution(strides="1,0")
    assert old in text
    broken = text.replace(old, new, 1)
    assert [code for code, _ in said(broken)] == ["OVG002", "OVG113"]
    [only] = said(convolution().replace(old, new, 1))
    assert only[0] == "OVG002"


def test_of_a_text_that_is_cut_off_nothing_is_guessed() -> None:
    from ovgather.ir.repair.guess import guesses
    from ovgather.ir.text import Source

    text = convolution(strides="1,0")
    cut = text[: text.index("<edges>")].encode()
    assert guesses(Source(cut), len(cut)) == []
    assert [code for code, _ in said(cut.decode())] == ["OVG002"]


def edited(*edits: tuple[str, str], **data: str) -> str:
    """The text of the convolution with other texts in it."""
    text = convolution(**data)
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


NO_EDGE = ('from-layer="1" from-port="0"', 'from-layer="1" from-port="7"')
"""Layer 1 has no such output."""


def test_a_layer_without_an_id_hides_nothing_else() -> None:
    for tag in ('<layer id="2"', '<layer id=""', '<layer id="-1"'):
        text = edited(('<layer id="2"', tag.replace(' id="2"', "")), NO_EDGE)
        assert [code for code, _ in said(text)] == ["OVG101", "OVG302"]


def test_what_is_wrong_with_two_numbers_of_an_edge_are_two_mistakes() -> None:
    old = 'from-layer="2" from-port="2"'
    for new, codes in (
        ('from-layer="9" from-port="5"', ["OVG302", "OVG302"]),
        ('from-port="5"', ["OVG301", "OVG302"]),
        ('from-layer="x" from-port="5"', ["OVG301", "OVG302"]),
    ):
        assert [code for code, _ in said(edited((old, new)))] == codes
    old = 'to-layer="3" to-port="0"'
    for new in ('to-port="8"', 'to-layer="x" to-port="8"'):
        assert [code for code, _ in said(edited((old, new)))] == ["OVG301", "OVG302"]


def test_an_edge_without_a_number_and_the_port_that_it_feeds() -> None:
    whole = "".join(f"<dim>{dim}</dim>" for dim in (4, 3, 3, 3))
    before, tag, after = edited(
        ('from-layer="1" from-port="0"', 'from-port="0"')
    ).partition('name="conv"')
    assert whole in after
    text = before + tag + after.replace(whole, whole.replace("4", "44"), 1)
    assert [code for code, _ in said(text)] == ["OVG206", "OVG301"]


def test_two_edges_whose_numbers_were_equal_texts() -> None:
    """One names a port that is not there, the other its own layer."""
    sum = net(
        parameter(0, "1", "f32", "FP32 1", "x"),
        parameter(1, "1", "f32", "FP32 1", "y"),
        layer(2, "Add", "opset1", "", ("FP32 1", "FP32 1"), ("FP32 1",), "sum"),
        result(3, "FP32 1"),
        edges="0:2-2:0 2:2-2:1 2:2-3:0",
    )
    assert [code for code, _ in said(sum)] == ["OVG302", "OVG304"]


def test_exchanged_inputs_beside_another_wrong_edge() -> None:
    edges = "0:0-2:1 1:0-2:0 2:4-3:0 3:1-4:0"
    text = convolution()
    begin = text.index("<edges>")
    other = net(edges=edges)
    text = text[:begin] + other[other.index("<edges>") :]
    codes = [code for code, _ in said(text)]
    assert len(codes) == 2
    assert "OVG302" in codes


def test_a_missing_type_hides_no_attribute() -> None:
    names = [
        message
        for _, message in said(edited((' type="Convolution"', ""), strides="1,0"))
    ]
    assert names == ["<layer> has no type", ZERO]


@pytest.mark.parametrize("version", ["opest1", "ops1", ""])
def test_a_misspelt_version_hides_no_attribute(version: str) -> None:
    both = said(convolution(version=version, strides="1,0"))
    assert ("OVG113", ZERO) in both
    assert [code for code, _ in both] == ["OVG107", "OVG113"]


def test_the_precision_of_the_output_hides_no_attribute() -> None:
    before, tag, after = convolution(strides="1,0").partition('name="conv"')
    begin = after.index("<output>")
    after = after[:begin] + after[begin:].replace('precision="FP32"', "", 1)
    assert [code for code, _ in said(before + tag + after)] == ["OVG113", "OVG208"]


CONST = '<data element_type="f32" shape="4,3,3,3" offset="0" size="432"/>'


def constant(data: str, precision: str = "FP32", dims: str = "4,3,3,3") -> str:
    ports = (f"{precision} {dims}",)
    text = net(
        parameter(0, "1,3,6,6", "f32", IMAGE, "x"),
        layer(1, "Const", "opset1", "", (), ports, "w"),
        layer(
            2,
            "Convolution",
            "opset1",
            " ".join(f'{name}="{text}"' for name, text in DATA.items()),
            (IMAGE, FILTERS),
            (GIVEN,),
            "conv",
        ),
        result(3, GIVEN),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )
    head = text.index('name="w"')
    at = text.index(">", head) + 1
    end = text.index("<output>", head)
    return text[:at] + data + text[end:]


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ('offset="0" size="432"', 'offset="0.5" size="4"', ["OVG401", "OVG403"]),
        ('offset="0" size="432"', 'size="4"', ["OVG401", "OVG403"]),
        ('offset="0" size="432"', 'Size="432"', ["OVG401", "OVG401"]),
        ('element_type="f32"', 'element_type="fp64"', ["OVG211"]),
    ],
)
def test_two_attributes_of_a_constant(old: str, new: str, codes: list[str]) -> None:
    assert said(constant(CONST)) == []
    found = [code for code, _ in said(constant(CONST.replace(old, new)))]
    assert found == codes


def test_a_type_and_a_precision_that_cannot_be_read() -> None:
    text = constant(CONST.replace('"f32"', '"fp64"'), precision="float")
    assert [code for code, _ in said(text)] == ["OVG208", "OVG211"]


def test_an_offset_that_cannot_be_read_and_a_port() -> None:
    text = constant(CONST.replace('offset="0"', 'offset="0x"'), dims="1,4,3,3,3")
    assert [code for code, _ in said(text)] == ["OVG212", "OVG401"]


def test_two_ids_of_ports_of_which_one_cannot_be_read() -> None:
    before, tag, after = convolution().partition('name="relu"')
    after = after.replace('<port id="0"', '<port id="10"', 1)
    after = after.replace('<port id="1"', "<port", 1)
    assert len(said(before + tag + after)) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (('name="relu"', 'name="relu'), ('name="conv"', 'name="conv')),
        (
            ('name="conv"', 'name="conv'),
            ("<edges>", "<edges>\n<<<<<<< HEAD\n=======\n>>>>>>> b\n"),
        ),
    ],
)
def test_two_places_at_which_every_parser_stops(
    first: tuple[str, str], second: tuple[str, str]
) -> None:
    found = said(edited(first, second))
    assert [code for code, _ in found] == ["OVG002", "OVG002"]


def test_what_is_behind_malformed_text_is_explained() -> None:
    """One finding for one mistake, of which several rules say something."""
    quote = ('name="relu"', 'name="relu')
    assert len(said(edited(quote, ('from-layer="1"', 'from-layer="3"')))) == 2
    assert len(said(edited(quote, ('<layer id="2"', '<layer id="3"')))) == 2


def test_what_is_missing_of_a_head_beside_what_no_opset_has() -> None:
    head = 'name="relu" type="ReLU" version="opset1"'
    for new, codes in (
        ('name="relu" type="ReLLU"', ["OVG101", "OVG107"]),
        ('name="relu" version="opsets"', ["OVG101", "OVG107"]),
        ('name="relu" version="opset1"', ["OVG101"]),
    ):
        assert [code for code, _ in said(edited((head, new)))] == codes


def test_ids_of_an_input_and_an_output_that_no_one_rule_changed() -> None:
    before, tag, after = convolution().partition('name="relu"')
    ports = after.replace('<port id="0"', '<port id="9"', 1)
    alike = ports.replace('<port id="1"', '<port id="10"', 1)
    assert len(said(before + tag + alike)) == 1
    unlike = ports.replace('<port id="1"', '<port id="7"', 1)
    assert len(said(before + tag + unlike)) == 2


def test_an_edge_without_a_port_and_the_precision_of_its_end() -> None:
    before, tag, after = edited(
        ('from-layer="2" from-port="2"', 'from-layer="2"')
    ).partition('name="relu"')
    text = before + tag + after.replace("FP32", "FP16", 1)
    assert [code for code, _ in said(text)] == ["OVG206", "OVG301"]


def test_two_attributes_that_one_edge_lacks() -> None:
    text = edited(
        ('from-layer="2" from-port="2" to-layer="3"', 'from_layer="2" to-layer="3"')
    )
    assert [code for code, _ in said(text)] == ["OVG301", "OVG301"]


def test_the_id_of_a_layer_and_of_its_port() -> None:
    text = edited(('<layer id="2"', '<layer id="20"'), ('<port id="2"', '<port id="7"'))
    assert len(said(text)) == 2


def test_an_edge_into_its_own_layer_and_a_port() -> None:
    """No rule changed both edges, though the text that is replaced is the same."""
    loop = ('from-layer="1" from-port="0"', 'from-layer="2" from-port="2"')
    before, tag, after = edited(loop).partition('name="conv"')
    text = before + tag + after.replace('<port id="2"', '<port id="9"', 1)
    assert sorted(code for code, _ in said(text)) == ["OVG302", "OVG304"]


def test_an_id_that_cannot_be_read_and_a_port_too_many() -> None:
    before, tag, after = edited(('<layer id="2"', '<layer id="#2"')).partition(
        'name="relu"'
    )
    begin = before.rindex("</input>")
    port = before[before.rindex("<port", 0, begin) : begin]
    extra = port.replace('id="1"', 'id="3"')
    assert extra != port
    text = before[:begin] + extra + before[begin:] + tag + after
    codes = [code for code, _ in said(text)]
    assert codes[0] == "OVG101"
    assert len(codes) == 2


def test_dims_as_an_attribute_of_a_port() -> None:
    dims = '<port id="2" precision="FP32">' + "".join(
        f"<dim>{each}</dim>" for each in GIVEN.split()[1].split(",")
    )
    assert convolution().count(dims) == 1, convolution()
    text = convolution().replace(dims, '<port id="2" precision="FP32" dims="1,4,4,4">')
    assert said(text) == [
        ("OVG009", "`dims` is an attribute of <port>, not <dim> elements in it")
    ]


def test_an_attribute_on_the_layer_is_one_mistake() -> None:
    shape = 'shape="1,3,6,6"'
    assert shape in convolution()
    text = convolution().replace(shape, "", 1).replace("<layer ", f"<layer {shape} ", 1)
    assert said(text) == [("OVG102", "attribute `shape` is on <layer>, not on <data>")]
