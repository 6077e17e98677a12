"""The places of elements, attributes and text in a layer."""

from __future__ import annotations

import pytest

import ovgather
from ovgather.ir.positions import (
    Element,
    Span,
    element_at,
    element_of,
    split_names,
    tag_at,
)
from ovgather.ir.text import Source

LAYER = """<layer id="2" name="a>b" type='GatherElements' version = "opset6">
  <data
     axis="-1"
     empty=""/>
  <input>
    <port id="0" precision="FP32"><dim>12</dim><dim> 7
    </dim><dim/></port>
    <port id="1"/>
  </input>
  <output><port id="2"><rt_info><dim>9</dim></rt_info><dim><!-- c -->3</dim></port></output>
</layer>"""


@pytest.fixture
def layer() -> Element:
    return element_at(Source(f"<net>{LAYER}<more/></net>".encode()), 5)


def text_at(element: Element, span: Span) -> str:
    return element.data[slice(*span)].decode()


def test_tags_and_attributes(layer: Element) -> None:
    assert layer.name == "layer"
    assert text_at(layer, layer.name_span) == "layer"
    assert text_at(layer, layer.tag_span).endswith('version = "opset6">')
    assert text_at(layer, layer.attribute_span("name")) == "a>b"
    assert text_at(layer, layer.attribute_span("type")) == "GatherElements"
    assert (
        text_at(layer, layer.attribute_span("version", "both")) == 'version = "opset6"'
    )
    data = layer.first("data")
    assert data is not None
    assert text_at(data, data.attribute_span("axis")) == "-1"
    assert text_at(data, data.attribute_span("axis", "name")) == "axis"
    assert text_at(data, data.attribute_span("empty")) == '""'
    assert data.attribute_span("absent") == data.name_span


def test_text(layer: Element) -> None:
    first, second = layer.ports("input")
    assert [text_at(dim, dim.text_span) for dim in first.named("dim")[:2]] == [
        "12",
        "7",
    ]
    assert first.named("dim")[2].text == ""
    assert second.children == {}
    (output,) = layer.ports("output")
    assert [text_at(dim, dim.text_span) for dim in output.named("dim")] == ["3"]
    inner = output.first("rt_info")
    assert inner is not None
    assert [dim.text for dim in inner.named("dim")] == ["9"]
    assert layer.first("nothing") is None
    assert text_at(layer, (layer.end, layer.end + 8)) == "</layer>"


def test_only_the_first_input_has_ports() -> None:
    element = element_at(
        Source(
            b'<layer><input><port id="0"/></input><input><port id="1"/></input></layer>'
        ),
        0,
    )
    assert [port.attributes["id"] for port in element.ports("input")] == ["0"]
    assert element.ports("output") == []


def test_a_tag_alone() -> None:
    source = Source(b'<edges><edge from-layer="1" to-layer=">"/></edges>')
    tag = tag_at(source, 7)
    assert tag.name == "edge"
    assert text_at(tag, tag.tag_span) == '<edge from-layer="1" to-layer=">"/>'
    assert text_at(tag, tag.attribute_span("to-layer")) == ">"


def test_where_nothing_stands() -> None:
    source = Source(b"<net>")
    assert element_at(source, 5).name == ""
    assert tag_at(source, 5).name == ""
    assert element_at(Source(b'<a b="'), 0).tag_span == (0, 1)
    assert element_at(Source(b"<a><b></a>"), 0).name == "a"


def test_layer_of_a_mended_text() -> None:
    text = b'<net name="a&b" version="11"><layers><layer id=0 name="x" type="Result" version="opset1"/></layers></net>'
    model = ovgather.read(text)
    (layer,) = model.layers()
    element = element_of(model.source, layer)
    assert text_at(element, element.attribute_span("id")) == "0"
    line, column = model.source.position(element.attribute_span("id")[0])
    assert (line, column) == (1, text.index(b"id=0") + 4)


def test_names() -> None:
    assert split_names("") == ()
    assert split_names(r"a\,b,c d,") == ("a,b", "c d")


def test_many_places_in_one_element() -> None:
    many = (
        b'<layer id="0"><input>'
        + b'<port id="0"><dim>1</dim></port>' * 20_000
        + b"</input></layer>"
    )
    element = element_at(Source(many), 0)
    assert (
        sum(len(element.ports("input")[index].named("dim")) for index in range(20_000))
        == 20_000
    )
    attributes = (
        b"<data" + b"".join(b' a%d="1"' % number for number in range(20_000)) + b"/>"
    )
    tag = tag_at(Source(attributes), 0)
    assert len({tag.attribute_span(f"a{number}") for number in range(20_000)}) == 20_000
    element_at(Source(b'<a b="' + b"x" * 10_000_000 + b'"/>'), 0)
    assert (
        tag_at(Source(b"<a " + b" " * 10_000_000 + b'b="1"/>'), 0).attribute_span("b")[
            0
        ]
        > 10_000_000
    )
