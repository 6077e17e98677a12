"""What a search and replace, or another program, leaves: other names of elements, lists, precisions and variables."""

from __future__ import annotations

import pytest
from small_models import layer, net, parameter, result

from ovgather.validation.check import check_file

F32 = "FP32 2,3"


def said(text: str) -> list[tuple[str, str]]:
    """The hypotheses and messages of the findings of a text."""
    findings = check_file(text.encode()).diagnostics
    return [(each.hypothesis, each.message) for each in findings]


def chain(count: int) -> str:
    """A Parameter, layers of ReLU and a Result, one behind the other."""
    layers = [parameter(0, "2,3", "f32", F32, "x")]
    edges = "0:0-1:0"
    for number in range(1, count + 1):
        layers.append(layer(number, "ReLU", "opset1", "", (F32,), (F32,)))
        edges += f" {number}:1-{number + 1}:0"
    return net(*layers, result(count + 1, F32), edges=edges)


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("input", "image", "6 elements are called <image>, not <input>"),
        ("output", "image", "6 elements are called <image>, not <output>"),
    ],
)
def test_sides_are_called_otherwise(name: str, wrong: str, message: str) -> None:
    text = chain(5).replace(f"<{name}>", f"<{wrong}>")
    assert said(text.replace(f"</{name}>", f"</{wrong}>")) == [
        ("element_name", message)
    ]


def test_input_and_output_are_swapped() -> None:
    text = chain(3)
    start = text.index("<input>", text.index('<layer id="2"'))
    end = text.index("</layer>", start)
    sides = text[start:end].replace("input>", "side>").replace("output>", "input>")
    swapped = text[:start] + sides.replace("side>", "output>") + text[end:]
    [(hypothesis, message)] = said(swapped)
    assert hypothesis == "port_order"
    assert message.startswith("<input> and <output> of layer 2 ")
    assert message.endswith(" are swapped: edges lead to the ports in <output>")


def test_an_unknown_precision_is_one_mistake_wherever_it_stands() -> None:
    [(_, message)] = said(chain(4).replace("FP32", "xFP32"))
    assert message == "precision 'xFP32' is not an element type (and 9 more like it)"


POOL = (
    'kernel="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0" rounding_type="floor"'
)


@pytest.mark.parametrize("written", ["2 2", "[2,2]", "2x2", "(2; 2)"])
def test_a_list_in_another_notation(written: str) -> None:
    image, half = "FP32 1,1,4,4", "FP32 1,1,2,2"
    data = POOL.replace('kernel="2,2"', f'kernel="{written}"')
    text = net(
        parameter(0, "1,1,4,4", "f32", image, "x"),
        layer(1, "MaxPool", "opset1", data, (image,), (half,)),
        result(2, half),
        edges="0:0-1:0 1:1-2:0",
    )
    message = f"kernel {written!r} is not a list with commas"
    assert said(text) == [("spelling", message)]


def variable(read: str, assign: str) -> str:
    """A variable of f32 [2,3]: what its ReadValue and its Assign say in ``<data>``; and another one."""
    assert "variable_id" in read + assign
    other = 'variable_id="other" variable_type="f32" variable_shape="2,3"'
    return net(
        parameter(0, "2,3", "f32", F32, "x"),
        layer(1, "ReadValue", "opset6", read, (F32,), (F32,), "read"),
        layer(2, "Add", "opset1", "", (F32, F32), (F32,), "sum"),
        layer(3, "Assign", "opset6", assign, (F32,), (F32,), "assign"),
        layer(4, "ReadValue", "opset6", other, (F32,), (F32,), "read other"),
        layer(5, "Assign", "opset6", 'variable_id="other"', (F32,), (F32,)),
        layer(6, "Add", "opset1", "", (F32, F32), (F32,)),
        result(7, F32),
        edges="0:0-1:0 0:0-2:0 1:1-2:1 2:2-3:0 0:0-4:0 4:1-5:0 4:1-6:0 2:2-6:1 6:2-7:0",
    )


READ = 'variable_id="state" variable_type="f32" variable_shape="2,3"'
ASSIGN = 'variable_id="state"'


@pytest.mark.parametrize(
    ("read", "assign", "message"),
    [
        (READ, ASSIGN, None),
        (
            READ.replace('"2,3"', '"2,13"'),
            ASSIGN,
            "variable_shape is [2,13], init_value has shape [2,3]: init_value [2,3],"
            " variable_id state, variable_shape [2,13], variable_type f32",
        ),
        (
            READ.replace('variable_id="state" ', ""),
            ASSIGN,
            'layer 1 "read" has no variable_id, but the rest of the file needs variable_id="state"',
        ),
        (
            READ.replace("state", "stat"),
            ASSIGN,
            "no ReadValue that leads to a Result reads the variable 'state'",
        ),
    ],
)
def test_a_variable(read: str, assign: str, message: str | None) -> None:
    expected = [] if message is None else [("attribute", message)]
    assert said(variable(read, assign)) == expected
