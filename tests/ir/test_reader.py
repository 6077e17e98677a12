"""What the full reader makes of IR: layers, ports, edges, bodies, and its problems."""

from __future__ import annotations

from pathlib import Path

import pytest
from openvino_verdicts import requires_openvino, verdicts
from paths import SAMPLES
from reader_texts import layer, net, port, problems

import ovgather

GOOD = (SAMPLES / "specification/gather_elements_6_page_xml.xml").read_text()


# -- the parts -----------------------------------------------------------------------------------------------------


def test_a_whole_file() -> None:
    model = ovgather.read(GOOD.encode())
    assert (model.name, model.ir_version, model.snippet, model.fatal) == (
        "gather_elements_6_page_xml",
        11,
        False,
        False,
    )
    data, indices, gather, result = model.layers()
    assert (data.id, data.name, data.type, data.version) == (
        0,
        "data",
        "Parameter",
        "opset1",
    )
    assert data.data == {"shape": "3,7,5", "element_type": "f32"}
    assert [(item.id, item.precision, item.dims) for item in gather.inputs] == [
        (0, "FP32", (3, 7, 5)),
        (1, "I32", (3, 10, 5)),
    ]
    assert [(item.id, item.precision, item.dims) for item in gather.outputs] == [
        (2, "FP32", (3, 10, 5))
    ]
    assert [tuple(edge[:4]) for edge in model.graph.edges] == [
        (0, 0, 2, 0),
        (1, 0, 2, 1),
        (2, 2, 3, 0),
    ]
    assert gather.producer(1) == (indices, 0)
    assert result.producer(0) == (gather, 0)
    assert data.producer(0) is None
    assert model.tensor_names(data) == ("data",)
    assert [GOOD[item.offset :].startswith("<layer ") for item in model.layers()] == [
        True
    ] * 4
    assert [GOOD[edge.offset :].startswith("<edge ") for edge in model.graph.edges] == [
        True
    ] * 3


@pytest.mark.parametrize(
    ("text", "value", "subject"),
    [
        ("10", 10, None),
        ("11", 11, None),
        ("7", 7, "version"),
        ("", None, "version"),
        ("11.0", None, "version"),
    ],
)
def test_versions(text: str, value: int | None, subject: str | None) -> None:
    model = net(version=text)
    assert model.ir_version == value
    assert problems(model) == (
        [] if subject is None else [("ir-version", subject, text)]
    )


def test_a_version_with_leading_zeros() -> None:
    model = net(version="011")
    assert model.ir_version == 11
    assert problems(model) == [("ir-version-odd", "version", "011")]


@pytest.mark.parametrize(
    ("depth", "found"), [(100, []), (101, [("rt-info-depth", "rt_info", "100")])]
)
def test_runtime_information_nested_deep(
    depth: int, found: list[tuple[str, str, str]]
) -> None:
    nested = f"<rt_info>{'<a>' * depth}{'</a>' * depth}</rt_info>"
    text = f'<net version="11"><layers/><edges/>{nested}</net>'
    assert problems(ovgather.read(text.encode())) == found


def test_a_net_without_a_version() -> None:
    assert problems(ovgather.read(b"<net/>")) == [("ir-version", "", "")]
    assert problems(ovgather.read(b'<NET version="10"/>')) == [("root-case", "NET", "")]


@pytest.mark.parametrize("root", ["model", "ir:net", "nets"])
def test_other_roots(root: str) -> None:
    model = ovgather.read(f'<{root} xmlns:ir="x" version="11"/>'.encode())
    assert model.fatal
    assert problems(model) == [("root", "", root)]


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('name="a" type="T" version="v"', [("layer-attribute", "id", "")]),
        ('id="0" type="T" version="v"', [("layer-attribute", "name", "")]),
        (
            'id="0" name="a"',
            [("layer-attribute", "type", ""), ("layer-attribute", "version", "")],
        ),
        ('id="-1" name="a" type="T" version="v"', [("layer-id", "id", "-1")]),
        ('id=" 1" name="a" type="T" version="v"', [("layer-id-odd", "id", " 1")]),
        (
            'id="9223372036854775808" name="a" type="T" version="v"',
            [("layer-id", "id", "9223372036854775808")],
        ),
        ('id="007" name="" type="" version=""', [("layer-id-odd", "id", "007")]),
        (
            'id="0" name="a" type="T" version="v" axis="1"',
            [("layer-extra", "axis", "1")],
        ),
        ('id="0" name="a" type="T" version="v" output_names="x" precision="FP32"', []),
    ],
)
def test_attributes_of_a_layer(head: str, found: list[tuple[str, str, str]]) -> None:
    assert problems(net(layer(head=head))) == found


@pytest.mark.parametrize(
    ("inside", "dims", "found"),
    [
        ("", (), []),
        ("<dim>3</dim><dim>-1</dim>", (3, -1), []),
        ("<dim> 3\n</dim>", (3,), []),
        (
            "<dim>&#51;</dim><dim><!-- c -->4</dim><dim><![CDATA[5]]></dim>",
            (3, 4, 5),
            [],
        ),
        (
            "<dim>2.5</dim><dim>?</dim><dim/>",
            (2, -1, -1),
            [("dim", "dim", "2.5"), ("dim", "dim", "?"), ("dim", "dim", "")],
        ),
        (
            "<dim>1..10</dim><dim>-2</dim>",
            (1, -1),
            [("dim", "dim", "1..10"), ("dim", "dim", "-2")],
        ),
        (
            "<dim>9223372036854775808</dim>",
            (-1,),
            [("dim", "dim", "9223372036854775808")],
        ),
        ("<dims>3</dims><dim>4</dim>", (4,), [("unknown-element", "dims", "port")]),
        (
            "<dim>3</dim><port/><dim>4</dim>",
            (3, 4),
            [("unknown-element", "port", "port")],
        ),
        (
            "<dim>3</dim><port></port><dim>4</dim>",
            (3, 4),
            [("unknown-element", "port", "port")],
        ),
        (
            "<rt_info><port/><dim>9</dim><port><output/></port></rt_info><dim>4</dim>",
            (4,),
            [],
        ),
        ("<dim>3<dim>4</dim>5</dim>", (3,), [("dim", "dim", "3<…>5")]),
        (
            "<dim>-1<!-- c -->7</dim><dim> <?a b?>7<![CDATA[8]]></dim>",
            (-1, 7),
            [("dim", "dim", "-1<…>7"), ("dim", "dim", "7<…>8")],
        ),
        ("<dim><!-- c -->-7</dim>", (-1,), [("dim", "dim", "-7")]),
    ],
)
def test_dims(
    inside: str, dims: tuple[int, ...], found: list[tuple[str, str, str]]
) -> None:
    model = net(layer(port(inside)) + layer(port(inside)))
    assert [item.outputs[0].dims for item in model.layers()] == [dims, dims]
    assert [len(item.outputs) for item in model.layers()] == [1, 1]
    assert problems(model) == found * 2


@pytest.mark.parametrize(
    ("head", "number", "precision", "found"),
    [
        ('id="5"', 5, None, []),
        ('precision="" id="0"', 0, "", []),
        ('names="a>b" precision="I64" id="1"', 1, "I64", []),
        ('precision="I64"', -1, "I64", [("port-id", "", "")]),
        ('id="x"', -1, None, [("port-id", "id", "x")]),
        ('id="-1"', -1, None, [("port-id", "id", "-1")]),
        ('id="+1"', 1, None, [("port-id-odd", "id", "+1")]),
    ],
)
def test_attributes_of_a_port(
    head: str, number: int, precision: str | None, found: list[tuple[str, str, str]]
) -> None:
    model = net(layer(port("<dim>3</dim>", head)))
    (item,) = next(model.layers()).outputs
    assert (item.id, item.precision, item.dims) == (number, precision, (3,))
    assert problems(model) == found


@pytest.mark.parametrize(
    ("edge", "ends", "found"),
    [
        ('from-layer="0" from-port="1" to-layer="2" to-port="3"', (0, 1, 2, 3), []),
        ('to-port="3" to-layer="2" from-port="01" from-layer="0"', (0, 1, 2, 3), [
            ("edge-attribute-odd", "from-port", "01")]),
        ('from-layer="0" from-port="1" to-layer="2"', (0, 1, 2, -1), [("edge-attribute", "to-port", "")]),
        ('from-layer="a" from-port="-1" to-layer="2" to-port="3"', (-1, -1, 2, 3), [
            ("edge-attribute", "from-layer", "a"), ("edge-attribute", "from-port", "-1")]),
    ],
)  # fmt: skip
def test_edges(
    edge: str, ends: tuple[int, ...], found: list[tuple[str, str, str]]
) -> None:
    model = net("", f"<edge {edge}/>")
    assert [tuple(item[:4]) for item in model.graph.edges] == [ends]
    assert problems(model) == found


def test_text_of_attributes() -> None:
    (item,) = net(
        layer(
            '<data a="&lt;&#65;&amp;" b=" x\n\ty "/>',
            'id="0" name="&quot;é→" type="T" version="v"',
        )
    ).layers()
    assert (item.name, item.data) == ('"é→', {"a": "<A&", "b": " x  y "})


# -- what is passed over -------------------------------------------------------------------------------------------


def test_unknown_elements() -> None:
    model = net(
        "<foo><layer/></foo>" + layer("<bar/><data><baz/></data><input><qux/></input>"),
        "<corge/>",
        "<grault/>",
    )
    assert problems(model) == [
        ("unknown-element", "foo", "layers"),
        ("unknown-element", "bar", "layer"),
        ("unknown-element", "baz", "data"),
        ("unknown-element", "qux", "input or output"),
        ("unknown-element", "corge", "edges"),
        ("unknown-element", "grault", "net"),
    ]
    assert len(list(model.layers())) == 1


def test_known_elements_that_are_not_read() -> None:
    inside = "<port_map><input/></port_map><back_edges><edge/></back_edges><weights/><rt_info><layer/></rt_info>"
    model = net(
        layer(inside),
        "",
        "<rt_info><layers/></rt_info><meta_data/><quantization_parameters/><statistics/>",
    )
    assert problems(model) == []
    assert len(list(model.layers())) == 1


def test_what_is_repeated_is_passed_over() -> None:
    text = f"""<net version="11"><layers>{layer('<data/><data axis="1"/>')}</layers><edges/>
        <layers>{layer()}</layers><edges><edge/></edges></net>"""
    model = ovgather.read(text.encode())
    assert problems(model) == [
        ("repeated", "data", ""),
        ("repeated", "layers", ""),
        ("repeated", "edges", ""),
    ]
    (item,) = model.layers()
    assert item.data == {}


def test_repeated_sides() -> None:
    sides = '<input><port id="0"/></input><input><port id="1"/></input>'
    sides += '<output><port id="2"/></output><output><port id="3"/></output>'
    model = net(layer(sides) + layer("<input/>" + sides))
    first, second = model.layers()
    assert [item.id for item in (*first.inputs, *first.outputs)] == [0, 2]
    assert [item.id for item in (*second.inputs, *second.outputs)] == [2]
    assert problems(model) == [
        ("repeated", name, "")
        for name in ("input", "output", "input", "input", "output")
    ]


def test_nothing_within_an_edge_is_an_edge() -> None:
    model = net(
        layer(),
        '<edge from-layer="0" from-port="0" to-layer="1" to-port="1"><edge/><layers/></edge><edge/>',
    )
    assert len(model.graph.edges) == 2
    assert problems(model)[0] == ("unknown-element", "edge", "edge")


def test_edges_may_come_first() -> None:
    model = ovgather.read(
        f'<net version="11"><edges><edge/></edges><layers>{layer()}</layers></net>'.encode()
    )
    assert (len(model.graph.edges), len(model.graph.layers)) == (1, 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            '<input><port id="0"><rt_info><input/></rt_info></port></input>',
            '<input><port id="0"><rt_info><input/></rt_info></port></input>',
        ),
        (
            '<input><?x </input> ?><port id="0"/></input>',
            "<input><?x </input> ?></input>",
        ),
        (
            '<input><!-- </input> --><port id="0"/></input>',
            "<input><!-- </input> --></input>",
        ),
        ("<input/>", '<input><port id="0"/></input>'),
        ('<input><port id="0"/></input >', "<input></input >"),
    ],
)
def test_inputs_that_only_begin_alike(first: str, second: str) -> None:
    both = [len(item.inputs) for item in net(layer(first) + layer(second)).layers()]
    alone = [len(next(net(layer(text)).layers()).inputs) for text in (first, second)]
    assert both == alone


@requires_openvino
def test_openvino_reads_the_first_as_well(tmp_path: Path) -> None:
    second = '<input><port id="7" precision="FP32"><dim>1</dim></port></input>'
    inner = '<edge from-layer="9" from-port="0" to-layer="2" to-port="9" />'
    texts = {
        "second data": (GOOD.replace("</data>", "").replace('axis="1" />', 'axis="1" /><data axis="7" />'), True),
        "empty data first": (GOOD.replace('<data axis="1"', '<data /><data axis="1"'), False),
        "second input": (GOOD.replace("</input>", "</input>" + second, 1), True),
        "edge in edge": (GOOD.replace('to-port="1" />', f'to-port="1">{inner}</edge>'), True),
        "nested port": (GOOD.replace("<dim>10</dim>", "<dim>10</dim><port/>"), True),
    }  # fmt: skip
    paths = {name: tmp_path / f"{number}.xml" for number, name in enumerate(texts)}
    for name, path in paths.items():
        path.write_text(texts[name][0])
    judged = verdicts([str(path) for path in paths.values()])
    assert {name: judged[str(path)].read for name, path in paths.items()} == {
        name: taken for name, (_, taken) in texts.items()
    }
