"""The reader of an IR: layers in bodies, nested elements, and files in bulk."""

from __future__ import annotations

import pytest
from reader_texts import layer, net, port, problems

import ovgather
from ovgather.ir.reader.reader import MAX_BODIES

THEN = f"<then_body><layers>{layer(port('<dim>2</dim>'))}</layers><edges/></then_body>"
ELSE = f"<else_body><edges/><layers>{layer()}</layers></else_body>"
IN_BODY = layer(THEN + ELSE, 'id="0" name="if" type="If" version="opset8"')
IN_BODY += layer("", 'id="1" name="x" type="T" version="opset1"')
EDGES = '<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>'
NESTED = layer(
    f'<body><layers>{IN_BODY}</layers>{EDGES}</body><input><port id="4"/></input>',
    'id="0" name="loop" type="Loop" version="opset5"',
)


def test_bodies() -> None:
    model = net(NESTED + layer("", 'id="1" name="end" type="T" version="opset1"'))
    assert problems(model) == []
    assert [(item.name, item.body) for item in model.layers()] == [
        ("loop", ()),
        ("end", ()),
        ("if", ("loop", "body")),
        ("x", ("loop", "body")),
        ("a", ("loop", "body", "if", "then_body")),
        ("a", ("loop", "body", "if", "else_body")),
    ]
    assert [graph.kind for graph in model.graph.graphs()] == [
        "net",
        "body",
        "then_body",
        "else_body",
    ]
    loop = next(model.layers())
    assert [item.id for item in loop.inputs] == [4]
    assert [len(graph.edges) for graph in model.graph.graphs()] == [0, 1, 0, 0]


def test_repeated_lists_around_a_body() -> None:
    text = f'<net version="11"><edges/><layers>{NESTED}</layers><edges/><layers/></net>'
    assert problems(ovgather.read(text.encode())) == [
        ("repeated", "edges", ""),
        ("repeated", "layers", ""),
    ]


def test_bodies_nested_too_deep() -> None:
    opening = '<layer id="0" name="l" type="Loop" version="opset5"><body><layers>'
    closing = "</layers></body></layer>"
    deep = net(opening * MAX_BODIES + closing * MAX_BODIES)
    assert (problems(deep), len(list(deep.layers()))) == ([], MAX_BODIES)
    deeper = net(opening * (MAX_BODIES + 9) + closing * (MAX_BODIES + 9))
    assert problems(deeper) == [("bodies-depth", "body", str(MAX_BODIES))]
    assert not deeper.fatal
    deepest = net(opening * 50_000 + closing * 50_000)
    assert [kind for kind, _, _ in problems(deepest)] == ["depth"]
    assert deepest.fatal


@pytest.mark.parametrize(
    "where",
    ["%s", "<a>%s</a>", layer("%s"), layer("<rt_info>%s</rt_info>"), layer(port("%s"))],
)
def test_elements_nested_too_deep(where: str) -> None:
    assert not net(where % ("<a>" * 9_000 + "</a>" * 9_000)).fatal
    deep = net(where % ("<a>" * 200_000 + "</a>" * 200_000))
    assert deep.fatal
    assert "depth" in [kind for kind, _, _ in problems(deep)]


def test_run_time_information() -> None:
    one = '<attribute name="layout" version="0" layout="%s"/>'
    info = f"<rt_info><other/>{one % 'NC'}{one % 'NN'}</rt_info>"
    model = net(layer(info + port(info)))
    assert problems(model) == [
        ("rt-info-repeated", "layout", ""),
        ("rt-info-layout", "layout", "NN"),
        ("rt-info-repeated", "layout", "port"),
        ("rt-info-layout", "layout", "NN"),
    ]
    place = (one % "NN").encode()
    assert all(
        model.source.data.startswith(place, problem.offset)
        for problem in model.problems
    )
    assert len({problem.offset for problem in model.problems}) == 2
    unread = f"<rt_info/>{info}"
    assert problems(net(layer(unread + port(unread)))) == []


def test_long_names_and_many_attributes() -> None:
    many = " ".join(f'a{number}="1"' for number in range(100_000))
    model = net(
        layer(
            f"<data {many}/>",
            f'id="0" name="{"x" * 10_000_000}" type="T" version="opset1"',
        )
    )
    (item,) = model.layers()
    assert (len(item.name), len(item.data)) == (10_000_000, 100_000)


def test_many_ports() -> None:
    ports = "".join(
        f'<port id="{number}" precision="FP32"><dim>{number % 7}</dim></port>'
        for number in range(100_000)
    )
    (item,) = net(layer(f"<input>{ports}</input>")).layers()
    assert len(item.inputs) == 100_000
    assert item.producer(99_999) is None
