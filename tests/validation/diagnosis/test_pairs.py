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
    """Code and beginning of each finding."""
    return sorted(
        (each.code, each.message.partition(":")[0])
        for each in findings(text)
        if each.severity != "note"
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
    assert codes == ["OVG113", "OVG206"]


def test_what_openvino_does_not_compile_beside_what_it_does_not_read() -> None:
    messages = ["strides 1,-8 has a negative number", UNREADABLE]
    assert said(convolution(pads_begin="a,1", strides="1,-8")) == [
        ("OVG113", each) for each in sorted(messages)
    ]


def test_a_layer_that_is_put_away_does_not_explain_its_attributes() -> None:
    """Nothing else explains what the layer behind says."""
    pool = {
        "kernel": "[2,2]",
        "strides": "2,2",
        "pads_begin": "0;0",
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
    assert "kernel is '[2,2]', which is not a list of integers" in messages
    assert "pads_begin '0;0' is not a list of integers" in messages
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
    assert "Convolution-1 without pads_begin" in messages
    assert any(message.startswith("dilations has 1 items") for message in messages)


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

    text = convolution(strides="1,0")
    cut = text[: text.index("<edges>")].encode()
    assert guesses(cut, len(cut), cut.index(b"<layers>")) == []
    assert [code for code, _ in said(cut.decode())] == ["OVG002"]
