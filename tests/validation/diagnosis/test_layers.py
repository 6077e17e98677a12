"""What hypotheses about layers say beyond their samples: of a Convert, of several readers, of types and port maps."""

from __future__ import annotations

import re

import pytest
from paths import SAMPLES
from small_models import constant, layer, net, parameter, result

from ovgather import validate
from ovgather.ir.text import Source
from ovgather.validation.check import check_file
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.fixes.fix import fix
from ovgather.validation.plan import Plan

F16, F32 = "FP16 2,3", "FP32 2,3"


def findings(text: str) -> list[Diagnostic]:
    return [
        each
        for each in check_file(text.encode()).diagnostics
        if each.severity != "note"
    ]


def said(text: str) -> list[tuple[str, str]]:
    return [(each.hypothesis, each.message) for each in findings(text)]


def fixed(text: str, finding: Diagnostic) -> str:
    """``text`` with the fix of ``finding``."""
    fix = finding.fix()
    assert fix is not None
    source = Source(text.encode())
    source.apply(fix.edits)
    return source.data.decode()


def without_convert(count: int) -> str:
    """A Parameter of f16, which ``count`` layers take for f32."""
    layers = [
        parameter(0, "2,3", "f16", F16, "half"),
        parameter(1, "2,3", "f32", F32, "y"),
    ]
    edges = ""
    for number in range(2, 2 + count):
        layers += [
            layer(number, "Add", "opset1", "", (F32, F32), (F32,), f"sum{number}"),
            result(number + 9, F32),
        ]
        edges += f" 0:0-{number}:0 1:0-{number}:1 {number}:2-{number + 9}:0"
    return net(*layers, edges=edges)


@pytest.mark.parametrize(
    ("count", "takers"),
    [
        (1, "its consumer declares FP32"),
        (3, "its 3 consumers declare FP32"),
    ],
)
def test_a_missing_convert(count: int, takers: str) -> None:
    [finding] = findings(without_convert(count))
    message = f'output 0 of layer 0 "half" is FP16, but {takers}: a Convert is probably missing'
    assert (finding.hypothesis, finding.message) == ("joined_layer", message)
    remedy = finding.fix()
    assert remedy is not None
    assert remedy.what == 'a Convert to f32 follows layer 0 "half"'


def test_a_layer_that_several_layers_lack() -> None:
    wide = "FP32 7,4,5"
    layers = [
        parameter(0, "4,6", "f32", "FP32 4,6", "x"),
        layer(1, "Sigmoid", "opset1", "", ("FP32 4,6",), ("FP32 4,6",)),
    ]
    edges = "0:0-1:0"
    for number in (2, 3, 4):
        layers += [
            layer(number, "Elu", "opset1", 'alpha="1"', (wide,), (wide,)),
            result(number + 9, wide),
        ]
        edges += f" 1:1-{number}:0 {number}:1-{number + 9}:0"
    message = (
        'a layer is probably missing between layer 1 "sigmoid" and layer 2 "elu": '
    )
    assert said(net(*layers, edges=edges)) == [
        (
            "joined_layer",
            message + "what flows into input 0 is not what it declares (and 2 more)",
        )
    ]


def test_the_type_of_another_operation() -> None:
    text = net(
        parameter(0, "2,3", "f32", F32, "x"),
        parameter(1, "2", "i64", "I64 2", "pattern"),
        layer(
            2,
            "Gather",
            "opset1",
            'special_zero="true"',
            (F32, "I64 2"),
            ("FP32 -1,-1",),
            "flat",
        ),
        result(3, "FP32 -1,-1"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )
    assert said(text) == [
        (
            "version",
            'layer 2 "flat" says Gather, but its attributes and ports are those of Reshape-1',
        )
    ]


def test_exchanged_ids_of_layers_with_equal_ports() -> None:
    text = net(
        parameter(1, "2,3", "f32", F32, "x"),
        parameter(0, "5", "f32", "FP32 5", "y"),
        layer(2, "Sigmoid", "opset1", "", (F32,), (F32,)),
        layer(3, "Sigmoid", "opset1", "", ("FP32 5",), ("FP32 5",), "other"),
        result(4, F32),
        result(5, "FP32 5"),
        edges="0:0-2:0 1:0-3:0 2:1-4:0 3:1-5:0",
    )
    assert said(text) == [
        ("exchanged_ids", 'the ids of layer 0 "y" and layer 1 "x" are swapped')
    ]


BODY = (
    '<layer id="{id}" name="{name}" type="{type}" version="opset1">{data}<{side}><port id="0" precision="FP32">'
    "{dims}</port></{side}></layer>"
)


def loop_entry(entry: str) -> str:
    """A TensorIterator over rows of [4,2], whose output entry is ``entry``."""
    row, column = "<dim>1</dim><dim>2</dim>", "<dim>4</dim><dim>2</dim>"
    inside = BODY.format(
        id=3,
        name="row",
        type="Parameter",
        data='<data shape="1,2" element_type="f32"/>',
        side="output",
        dims=row,
    )
    inside += (
        f'<layer id="5" name="curve" type="Sigmoid" version="opset1"><input><port id="0" precision="FP32">{row}</port>'
        f'</input><output><port id="1" precision="FP32">{row}</port></output></layer>'
    )
    inside += BODY.format(
        id=7, name="out", type="Result", data="", side="input", dims=row
    )
    edges = '<edge from-layer="3" from-port="0" to-layer="5" to-port="0"/>'
    edges += '<edge from-layer="5" from-port="1" to-layer="7" to-port="0"/>'
    port_map = (
        '<input axis="0" external_port_id="0" internal_layer_id="3" part_size="1" '
        'stride="1" start="0" end="-1"/>'
    )
    iterator = (
        '<layer id="1" name="rows" type="TensorIterator" version="opset1">'
        f'<input><port id="0" precision="FP32">{column}</port></input>'
        f'<output><port id="1" precision="FP32">{column}</port></output>'
        f"<port_map>{port_map}{entry}</port_map><back_edges/>"
        f"<body><layers>{inside}</layers><edges>{edges}</edges></body></layer>"
    )
    ends = parameter(0, "4,2", "f32", "FP32 4,2", "x"), iterator, result(2, "FP32 4,2")
    return net(*ends, edges="0:0-1:0 1:1-2:0")


SLICES = 'part_size="1" stride="1" start="0" end="-1"'


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            f'<output axis="0" external_port_id="1" internal_layer_id="7" {SLICES}/>',
            None,
        ),
        (
            f'<output axis="0" external_port_id="7" internal_layer_id="1" {SLICES}/>',
            'external_port_id and internal_layer_id of an entry of the port map of layer 1 "rows" are swapped',
        ),
        (
            f'<output axis="1" external_port_id="1" internal_layer_id="7" {SLICES}/>',
            'axis of an entry of the port map of layer 1 "rows" is 1',
        ),
        (
            '<output axis="0" external_port_id="1" internal_layer_id="7"'
            ' part_size="2" stride="1" start="0" end="-1"/>',
            'part_size of an entry of the port map of layer 1 "rows" is 2',
        ),
    ],
)
def test_an_entry_of_a_port_map(entry: str, message: str | None) -> None:
    assert said(loop_entry(entry)) == ([] if message is None else [("entry", message)])


def test_a_back_edge_that_leads_from_a_parameter() -> None:
    text = loop_entry(
        f'<output axis="0" external_port_id="1" internal_layer_id="7" {SLICES}/>'
    )
    edge = '<edge from-layer="{}" to-layer="{}"/>'
    number = re.findall(r'<input [^>]*internal_layer_id="(\d)"', text)[0]
    assert not said(
        text.replace(
            "<back_edges/>", f"<back_edges>{edge.format(7, number)}</back_edges>"
        )
    )
    backwards = f"<back_edges>{edge.format(number, 7)}</back_edges>"
    [finding] = findings(text.replace("<back_edges/>", backwards))
    assert (finding.hypothesis, finding.message, finding.help) == (
        "entry_direction",
        'a back edge of layer 1 "rows" leads from a Parameter to a Result',
        "swap from-layer and to-layer",
    )


def test_a_result_of_a_body_that_is_gone() -> None:
    text = loop_entry(
        f'<output axis="0" external_port_id="1" internal_layer_id="7" {SLICES}/>'
    )
    begin = text.index('<layer id="7"')
    text = text[:begin] + text[text.index("</layer>", begin) + len("</layer>") :]
    text = text.replace(
        '<edge from-layer="5" from-port="1" to-layer="7" to-port="0"/>', ""
    )
    message = "<body> has no layer 7, which the port map names as an output, and the output of "
    assert said(text) == [("entry", message + 'layer 5 "curve" is unused')]


def test_layers_that_are_lost_together() -> None:
    layers = [parameter(0, "2,3", "f32", F32, "x"), result(3, F32)]
    text = net(*layers, edges="0:0-1:0 1:1-2:0 2:1-3:0")
    [finding] = findings(text)
    message = "there are no layers 1, 2, but edges name them"
    assert (finding.hypothesis, finding.message) == ("missing_layer", message)
    assert (
        finding.considered[0].brings == 0
    )  # of the layers in their place nothing is said
    assert finding.openvino == "rejects"


def test_a_version_that_many_layers_have() -> None:
    layers, edges = [parameter(0, "2,3", "f32", F32, "x")], []
    for number in range(1, 5):
        layers.append(
            layer(number, "Add", "opset83", "", (F32, F32), (F32,), f"sum{number}")
        )
        edges += [f"{number - 1}:{2 * (number > 1)}-{number}:0", f"0:0-{number}:1"]
    [finding] = findings(
        net(*layers, result(9, F32), edges=" ".join([*edges, "4:2-9:0"]))
    )
    assert finding.hypothesis == "version"
    assert (
        finding.message == "4 layers have the version of another operation, or of none"
    )


def test_an_attribute_that_many_layers_lack() -> None:
    layers = [parameter(number, "2,3", "f32", F32, f"x{number}") for number in range(4)]
    layers = [each.replace('shape="2,3" ', "", 1) for each in layers]
    ends = [result(number + 9, F32) for number in range(4)]
    edges = " ".join(f"{number}:0-{number + 9}:0" for number in range(4))
    [finding] = findings(net(*layers, *ends, edges=edges))
    assert finding.hypothesis == "attribute"
    assert finding.message == "4 layers have no shape"


def relu() -> str:
    """A ReLU between a Parameter and a Result."""
    layers = [
        parameter(0, "2,3", "f32", F32, "a"),
        layer(1, "ReLU", "opset1", "", (F32,), (F32,)),
        result(2, F32),
    ]
    return net(*layers, edges="0:0-1:0 1:1-2:0")


def test_a_layer_among_the_edges() -> None:
    layers = [
        parameter(0, "2,3", "f32", F32, "a"),
        layer(1, "ReLU", "opset1", "", (F32,), (F32,)),
    ]
    text = net(*layers, edges="0:0-1:0 1:1-2:0")
    stray = text.replace("</edges>", f"{result(2, F32)}</edges>")
    assert said(stray) == [
        ("misplaced", 'layer "result" stands in <edges>, not in <layers>')
    ]


def test_layers_in_a_second_list() -> None:
    text = relu()
    at = text.index('<layer id="2"')
    [finding] = findings(f"{text[:at]}</layers><layers>{text[at:]}")
    assert (finding.hypothesis, finding.message) == (
        "misplaced",
        "there is a second <layers>: OpenVINO reads the first one alone",
    )
    assert finding.help == "leave out </layers> and <layers> between the two"


def test_dims_beside_their_port() -> None:
    text = relu()
    at = text.index("<port", text.index('type="ReLU"'))
    begin, end = text.index(">", at), text.index("</port>", at)
    moved = f"{text[:begin]}/{text[begin:end]}{text[end + len('</port>') :]}"
    [finding] = findings(moved)
    assert (finding.hypothesis, finding.message, finding.help) == (
        "misplaced",
        "<dim> stands beside <port>, not in it",
        "move it into <port>",
    )


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("edges", "edge"), ("edges", "Edges"), ("output", "Output"), ("layers", "layer")],
)
def test_an_element_that_is_called_otherwise(name: str, wrong: str) -> None:
    text = relu()
    at = text.index(f"<{name}>", text.index("ReLU") if name == "output" else 0)
    renamed = text[at:].replace(f"<{name}>", f"<{wrong}>", 1)
    renamed = renamed.replace(f"</{name}>", f"</{wrong}>", 1)
    [finding] = findings(text[:at] + renamed)
    assert finding.help == f"did you mean <{name}>?"


def test_attributes_of_edges_as_elements() -> None:
    layers = [
        parameter(0, "2,3", "f32", F32, "a"),
        layer(1, "ReLU", "opset1", "", (F32,), (F32,)),
        layer(2, "ReLU", "opset1", "", (F32,), (F32,)),
        result(3, F32),
    ]
    text = re.sub(
        r'<edge from-layer="(\d)" from-port="(\d)"([^/]*)/>',
        r"<edge\3><from-layer>\1</from-layer><from-port>\2</from-port></edge>",
        net(*layers, edges="0:0-1:0 1:1-2:0 2:1-3:0"),
    )
    [finding] = findings(text)
    assert (finding.hypothesis, finding.message) == (
        "misplaced",
        "<edge> has from-layer, from-port as elements in it, not as attributes, and so on in 3 places",
    )
    assert finding.help == 'write <edge from-layer="0" .../> (and so on)'


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        (
            r'from-layer="\1" from-port="\2" to-layer="\4" to-port="\3"',
            "to-layer and to-port are swapped in 3 edges",
        ),
        (
            r'from-layer="\1" from-port="\2" to-layer="8\3" to-port="\4"',
            "to-layer of 3 edges is shifted by +80 against the ids of layers, from 2 on",
        ),
    ],
)
def test_one_rule_for_all_edges(ends: str, message: str) -> None:
    layers = [
        parameter(0, "2,3", "f32", F32, "a"),
        layer(1, "ReLU", "opset1", "", (F32,), (F32,)),
        layer(2, "ReLU", "opset1", "", (F32,), (F32,)),
        result(3, F32),
    ]
    text = re.sub(
        r'<edge from-layer="(\d)" from-port="(\d)" to-layer="(\d)" to-port="(\d)"',
        f"<edge {ends}",
        net(*layers, edges="0:0-1:0 1:1-2:0 2:1-3:0"),
    )
    assert said(text) == [("edge_numbers", message)]


def test_the_targets_of_edges_are_shifted_among_constants() -> None:
    """Nothing leads to a Parameter: that no edge names it is no gap."""
    layers, edges = [], []
    for number in range(0, 12, 2):
        layers.append(parameter(number, "2,3", "f32", F32, f"x{number}"))
        layers.append(
            layer(number + 1, "Add", "opset1", "", (F32, F32), (F32,), f"s{number}")
        )
        before = f"{number - 1}:2" if number else "0:0"
        shift = number >= 6
        edges += [
            f"{before}-{number + 1 + shift}:0",
            f"{number}:0-{number + 1 + shift}:1",
        ]
    layers.append(result(12, F32))
    text = net(*layers, edges=" ".join([*edges, "11:2-13:0"]))
    message = (
        "to-layer of 7 edges is shifted by +1 against the ids of layers, from 8 on"
    )
    assert said(text) == [("edge_numbers", message)]


@pytest.mark.parametrize(
    ("edge", "words"),
    [("3:0-2:1", "source and target"), ("1:2-3:0", "from-layer and from-port")],
)
def test_the_numbers_of_one_edge_are_exchanged(edge: str, words: str) -> None:
    layers = [
        parameter(0, "2,3", "f32", F32, "a"),
        layer(1, "ReLU", "opset1", "", (F32,), (F32,)),
        layer(2, "ReLU", "opset1", "", (F32,), (F32,), "last"),
        result(3, F32),
    ]
    text = net(*layers, edges=f"0:0-1:0 1:1-2:0 {edge}")
    message = f'{words} are swapped in the edge into layer 3 "result"'
    assert said(text) == [("edge_numbers", message)]


def test_a_port_on_the_other_side() -> None:
    layers = [
        parameter(0, "2,3", "f32", F32, "a"),
        layer(1, "Add", "opset1", "", (F32, F32), (F32,), "sum"),
        result(2, F32),
    ]
    text = net(*layers, edges="0:0-1:0 0:0-1:1 1:2-2:0")
    begin = text.index('<port id="1"')
    end = text.index("</input>", begin)
    port = text[begin:end]
    moved = text.replace(f"{port}</input><output>", f"</input><output>{port}")
    assert moved != text
    message = '<output> of layer 1 "sum" holds a port that is an input for the edges'
    [finding] = findings(moved)
    assert (finding.hypothesis, finding.message) == ("port_order", message)
    assert fixed(moved, finding) == text


def test_the_only_output_port_stands_among_the_inputs() -> None:
    layers = [
        parameter(0, "2,3", "f32", F32, "a"),
        layer(1, "ReLU", "opset1", "", (F32,), (F32,), "r"),
        result(2, F32),
    ]
    text = net(*layers, edges="0:0-1:0 1:1-2:0")
    begin = text.index('<port id="1"')
    end = text.index("</output>", begin)
    port = text[begin:end]
    moved = text.replace(f"</input><output>{port}", f"{port}</input><output>")
    assert moved != text
    message = '<input> of layer 1 "r" holds a port that is an output for the edges'
    [finding] = findings(moved)
    assert (finding.hypothesis, finding.message) == ("port_order", message)
    assert fixed(moved, finding) == text


def test_the_attributes_of_two_constants_are_exchanged() -> None:
    sizes = [("2,3", 0, 24), ("4", 24, 16)]
    data = [
        f'element_type="f32" shape="{shape}" offset="{offset}" size="{size}"'
        for shape, offset, size in sizes
    ]
    layers, edges = [], []
    for number, dims in enumerate(("FP32 2,3", "FP32 4")):
        layers += [
            layer(
                number, "Const", "opset1", data[1 - number], (), (dims,), f"c{number}"
            ),
            result(number + 2, dims),
        ]
        edges.append(f"{number}:0-{number + 2}:0")
    message = 'the attributes of layer 0 "c0" and layer 1 "c1" are swapped'
    assert ("exchanged_data", message) in said(net(*layers, edges=" ".join(edges)))


def joined(ports: tuple[int, ...]) -> str:
    """A Concat of three Parameters, whose edges lead to ``ports``."""
    ids = range(3)
    layers = [parameter(at, "2,3", "f32", F32, f"p{at}") for at in ids]
    wide = "FP32 2,9"
    layers += [
        layer(3, "Concat", "opset1", 'axis="1"', (F32, F32, F32), (wide,), "all"),
        result(4, wide),
    ]
    edges = [f"{at}:0-3:{port}" for at, port in zip(ids, ports, strict=True)]
    return net(*layers, edges=" ".join([*edges, "3:3-4:0"]))


def test_ports_that_are_shifted_together_are_named_together() -> None:
    [finding] = findings(joined((1, 2, 3)))
    remedy = finding.fix()
    assert remedy is not None
    text = Source(joined((1, 2, 3)).encode())
    text.apply(list(remedy.edits))
    assert text.data == joined((0, 1, 2)).encode()
    assert finding.message == (
        'the edges into layer 3 "all" lead to ports that it does not have, or twice to one port'
    )
    assert finding.help == "its input ports are 0, 1, 2"


def test_edges_that_call_layers_by_name() -> None:
    layers = [
        parameter(0, "2,3", "f32", F32, "a"),
        layer(1, "ReLU", "opset1", "", (F32,), (F32,), "b"),
        result(2, F32),
    ]
    text = net(*layers, edges="0:0-1:0 1:1-2:0").replace(
        'from-layer="0"', 'from-layer="a"'
    )
    text = text.replace('from-layer="1"', 'from-layer="b"').replace(
        'to-layer="1"', 'to-layer="b"'
    )
    [finding] = findings(text)
    assert (finding.hypothesis, finding.message, finding.help) == (
        "spelling",
        "3 ends of edges refer to layers by name, not by id",
        "write the ids of the layers",
    )


def test_edges_of_another_model() -> None:
    layers = [parameter(0, "2,3", "f32", F32, "a")]
    layers += [layer(at, "ReLU", "opset1", "", (F32,), (F32,)) for at in range(1, 7)]
    text = net(
        *layers,
        result(7, F32),
        edges="9:0-8:1 8:2-12:0 3:0-4:1 4:2-13:0 13:1-14:0 14:1-15:0",
    )
    [finding] = findings(text)
    assert (finding.hypothesis, finding.message) == (
        "cut_short",
        "6 of 6 edges do not fit the layers: <edges> is probably that of another model",
    )
    assert finding.fix() is None


ROWS = (SAMPLES / "hypotheses/missing_axis/good.xml").read_text("utf-8")
JOINED = '<output external_port_id="1" internal_layer_id="2" axis="0"/>'
OWN = (
    "OVG215",
    "output 0 is declared [5,2], but the layer computes [1,2]",
)
"""The port of the last layer of the body says what the whole output is, as some converters write it."""


def with_own_error(text: str) -> str:
    old = '<port id="1" precision="FP32"><dim>1</dim>'
    text = text.replace(old, old.replace("<dim>1</dim>", "<dim>5</dim>"))
    head, last = text.split('name="last"')
    return f'{head}name="last"{last.replace("<dim>1</dim>", "<dim>5</dim>", 1)}'


@pytest.mark.parametrize(
    ("entry", "code", "help"),
    [
        (JOINED.replace(' axis="0"', ""), "OVG215", 'add axis="0"'),
        (JOINED.replace('port_id="1"', 'port_id="4"'), "OVG306", None),
        (JOINED.replace('layer_id="2"', 'layer_id="1"'), "OVG306", None),
    ],
)
def test_an_error_in_a_body_follows_from_no_error_of_the_port_map(
    entry: str, code: str, help: str | None
) -> None:
    found = findings(with_own_error(ROWS.replace(JOINED, entry)))
    assert [each.code for each in found] == [code, "OVG215"]
    assert (found[1].code, found[1].message) == OWN
    if help is not None:
        assert found[0].help == help
    remedy = found[0].fix()
    assert remedy is not None
    assert not remedy.safe


def test_dims_that_a_port_map_makes_are_not_rewritten() -> None:
    text = ROWS.replace(JOINED, JOINED.replace(' axis="0"', ""))
    assert fix(with_own_error(text).encode(), "m.xml", Plan()).fixes == []


def test_a_warning_that_a_repair_uncovers_leaves_its_fix() -> None:
    wide = "FP32 4,3"
    text = net(
        parameter(0, "2,3", "f32", F32, "x"),
        parameter(1, "2,3", "f32", F32, "y"),
        layer(2, "Concat", "opset1", 'axis="7"', (F32, F32), (wide,), "joined"),
        layer(3, "Abs", "opset1", "", (wide,), ("FP16 4,3",), "size"),
        result(4, "FP16 4,3"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0 3:1-4:0",
    )
    assert [(each.code, each.fixable) for each in findings(text)] == [
        ("OVG113", True),
        ("OVG215", False),
    ]
    fixed = fix(text.encode(), "m.xml", Plan(), unsafe=True)
    assert [each.what for each in fixed.fixes][:1] == ["axis is 0"]
    assert all(each.severity == "warning" for each in fixed.left.diagnostics)


def test_a_refused_layer_that_suits_another_type() -> None:
    image, filters, half = "FP32 1,4,8,8", "FP32 4,1,1,3,3", "FP32 1,4,4,4"
    attributes = (
        'strides="2,2" dilations="1,1" pads_begin="1,1" pads_end="1,1" '
        'auto_pad="explicit"'
    )
    text = net(
        parameter(0, "1,4,8,8", "f32", image, "image"),
        parameter(1, "4,1,1,3,3", "f32", filters, "filters"),
        layer(2, "Convolution", "opset1", attributes, (image, filters), (half,), "c"),
        result(3, half),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )
    [finding] = findings(text)
    assert finding.message == (
        'layer 2 "c" says Convolution, but its attributes and ports are those of GroupConvolution-1'
    )
    assert finding.help == 'set type="GroupConvolution"'


def test_all_numbers_of_a_list_are_wrong() -> None:
    """Swapped with the dilations of a kernel of one they would fit as well, which is a larger repair."""
    data, filters = "FP32 1,3,8,8", "FP32 3,3,1,1"
    attributes = 'strides="2,2" dilations="1,1" pads_begin="0,0" pads_end="0,0"'
    text = net(
        parameter(0, "1,3,8,8", "f32", data, "x"),
        parameter(1, "3,3,1,1", "f32", filters, "filters"),
        layer(2, "Convolution", "opset1", attributes, (data, filters), (data,), "conv"),
        layer(3, "Add", "opset1", "", (data, data), (data,), "sum"),
        result(4, data),
        edges="0:0-2:0 1:0-2:1 2:2-3:0 0:0-3:1 3:2-4:0",
    )
    message = "strides is 2,2, but the declared output [1,3,8,8] needs 1,1"
    assert said(text) == [("attribute", message)]


def test_openvino_takes_a_file_whose_repair_it_would_refuse() -> None:
    """The ports of two Consts are swapped, which OpenVINO ignores; with their attributes swapped it would refuse it."""
    data, indices, updates = "FP32 4,5", "I64 2,1", "FP32 2,5"
    text = net(
        parameter(0, "4,5", "f32", data, "x"),
        layer(
            1,
            "Const",
            "opset1",
            'element_type="i64" shape="2,1" offset="0" size="16"',
            (),
            (updates,),
            "i",
        ),
        layer(
            2,
            "Const",
            "opset1",
            'element_type="f32" shape="2,5" offset="16" size="40"',
            (),
            (indices,),
            "u",
        ),
        layer(
            3,
            "ScatterNDUpdate",
            "opset4",
            "",
            (data, indices, updates),
            (data,),
            "scatter",
        ),
        result(4, data),
        edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0",
    )
    checked = check_file(text.encode(), weights=bytes(56))
    assert checked.verdict.openvino == "accepts"
    assert {each.openvino for each in checked.diagnostics} == {"accepts"}


def test_a_list_that_is_missing_has_as_many_numbers_as_the_others() -> None:
    data, less = "FP32 1,3,8,8", "FP32 1,3,7,7"
    attributes = 'strides="1,1" pads_begin="0,0" pads_end="0,0" rounding_type="floor"'
    text = net(
        parameter(0, "1,3,8,8", "f32", data, "x"),
        layer(1, "MaxPool", "opset1", attributes, (data,), (less,), "pool"),
        result(2, less),
        edges="0:0-1:0 1:1-2:0",
    )
    message = 'layer 1 "pool" has no kernel, but its ports need kernel="2,2"'
    assert said(text) == [("attribute", message)]


def test_two_dims_of_a_port_are_swapped() -> None:
    """Inputs of a FakeQuantize that change places explain nothing."""
    data, limit = "FP32 1,3,8,8", "FP32"
    text = net(
        parameter(0, "1,3,8,8", "f32", data, "x"),
        *[parameter(number, "", "f32", limit, f"limit{number}") for number in (1, 2)],
        layer(
            3,
            "FakeQuantize",
            "opset1",
            'levels="256"',
            (data, *[limit] * 4),
            ("FP32 3,1,8,8",),
            "quantize",
        ),
        layer(4, "ReLU", "opset1", "", (data,), (data,), "relu"),
        result(5, data),
        edges="0:0-3:0 1:0-3:1 2:0-3:2 1:0-3:3 2:0-3:4 3:5-4:0 4:1-5:0",
    )
    message = "output 0 is declared [3,1,8,8], but the layer computes [1,3,8,8]"
    assert [each.message for each in findings(text)] == [message]


HALF = "FP32 2,3"
SPLIT_ENDS = [
    (
        "",
        'layer 2 "parts" has no output ports 2, 3, but edges leave them',
    ),
    (
        "<output/>",
        'layer 2 "parts" has no output ports 2, 3, but edges leave them',
    ),
    (
        "<output></output>",
        'layer 2 "parts" has no output ports 2, 3, but edges leave them',
    ),
    (
        '<output><port id="2" precision="FP32"><dim>2</dim><dim>3</dim></port></output>',
        'layer 2 "parts" has no output port 3, but an edge leaves it',
    ),
]


@pytest.mark.parametrize(("outputs", "message"), SPLIT_ENDS)
def test_output_ports_that_are_gone(outputs: str, message: str) -> None:
    split = layer(
        2, "Split", "opset1", 'num_splits="2"', ("FP32 2,6", "I64"), (), "parts"
    )
    text = net(
        parameter(0, "2,6", "f32", "FP32 2,6", "x"),
        layer(
            1,
            "Const",
            "opset1",
            'element_type="i64" shape="" offset="0" size="8"',
            (),
            ("I64",),
            "axis",
        ),
        split.replace("</input>", f"</input>{outputs}"),
        result(4, HALF),
        result(5, HALF),
        edges="0:0-2:0 1:0-2:1 2:2-4:0 2:3-5:0",
    )
    weights = (1).to_bytes(8, "little")
    [finding] = [
        each
        for each in check_file(text.encode(), weights).diagnostics
        if each.severity != "note"
    ]
    assert (finding.hypothesis, finding.message) == ("port_missing", message)
    source = Source(text.encode())
    fix = finding.fix()
    assert fix is not None
    source.apply(fix.edits)
    assert check_file(source.data, weights).diagnostics == []


def sum_of_two() -> str:
    return net(
        parameter(0, "2,3", "f32", F32, "x"),
        parameter(1, "2,3", "f32", F32, "y"),
        layer(2, "Add", "opset1", "", (F32, F32), (F32,), "sum"),
        result(3, F32),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )


def test_a_port_without_an_id() -> None:
    text = sum_of_two().replace('<port id="1"', "<port", 1)
    [finding] = findings(text)
    message = 'layer 2 "sum" has a port without an id'
    assert (finding.hypothesis, finding.message) == ("port_ids", message)
    assert finding.help == 'add id="1"'
    assert '<port id="1"' in fixed(text, finding)


def test_a_result_of_another_type() -> None:
    text = sum_of_two().replace('type="Result"', 'type="Parameter"')
    [finding] = findings(text)
    words = "says Parameter, but its attributes and ports are those of Result-1"
    assert (finding.hypothesis, words in finding.message) == ("version", True)


def test_a_parameter_that_is_called_a_constant() -> None:
    layers = [
        parameter(0, "2,?", "f32", "FP32 2,-1", "a"),
        layer(1, "ReLU", "opset1", "", ("FP32 2,-1",), ("FP32 2,-1",)),
        result(2, "FP32 2,-1"),
    ]
    text = net(*layers, edges="0:0-1:0 1:1-2:0").replace(
        'type="Parameter"', 'type="Const"'
    )
    message = (
        'layer 0 "a" says Const, but its attributes and ports are those of Parameter-1'
    )
    assert said(text) == [("version", message)]


def test_a_number_that_is_too_large_is_not_that_of_another_attribute() -> None:
    data = 'pooled_h="1" pooled_w="1" spatial_scale="1e400" method="max"'
    ports = "FP32 1,2,4,4", "FP32 3,5"
    layers = [
        parameter(0, "1,2,4,4", "f32", ports[0], "a"),
        parameter(1, "3,5", "f32", ports[1], "rois"),
        layer(2, "ROIPooling", "opset2", data, ports, ("FP32 3,2,1,1",)),
        result(3, "FP32 3,2,1,1"),
    ]
    text = net(*layers, edges="0:0-2:0 1:0-2:1 2:2-3:0")
    message = "spatial_scale is '1e400', which is not a number"
    [finding] = findings(text)
    assert (finding.hypothesis, finding.message.startswith(message)) == ("", True)


def test_the_attribute_that_is_refused_is_blamed() -> None:
    data = 'kernel="3,3" strides="1,1" pads_begin="-9,0" pads_end="0,0" rounding_type="floor"'
    ports = "FP32 1,2,6,6", "FP32 1,2,4,4"
    layers = [
        parameter(0, "1,2,6,6", "f32", ports[0], "a"),
        layer(
            1, "MaxPool", "opset1", data + ' auto_pad="explicit"', ports[:1], ports[1:]
        ),
        result(2, ports[1]),
    ]
    [finding] = findings(net(*layers, edges="0:0-1:0 1:1-2:0"))
    assert finding.help == 'set pads_begin="0,0"'


@pytest.mark.parametrize(
    ("wrong", "help"),
    [
        ('strides="1;1"', 'set strides="1,1"'),
        ('strides="1,1,1"', 'set strides="1,1"'),
        ('auto_pad="SAME-UPPER"', 'set auto_pad="same_upper"'),
    ],
)
def test_the_usual_form_of_a_value(wrong: str, help: str) -> None:
    texts = {"kernel": "3,3", "strides": "1,1", "pads_begin": "1,1", "pads_end": "1,1"}
    texts |= {"rounding_type": "floor", "auto_pad": "explicit"}
    data = " ".join([f'{name}="{text}"' for name, text in texts.items()])
    name = wrong.partition("=")[0]
    data = re.sub(f'{name}="[^"]*"', wrong, data)
    layers = [
        parameter(0, "1,2,6,6", "f32", "FP32 1,2,6,6", "a"),
        layer(1, "MaxPool", "opset1", data, ("FP32 1,2,6,6",), ("FP32 1,2,6,6",)),
        result(2, "FP32 1,2,6,6"),
    ]
    [finding] = findings(net(*layers, edges="0:0-1:0 1:1-2:0"))
    assert finding.help == help


def test_a_result_without_type() -> None:
    [finding] = findings(relu().replace('type="Result" ', ""))
    assert (finding.code, finding.help) == ("OVG101", 'set type="Result"')


def test_ids_that_are_written_alike() -> None:
    text = relu()
    odd = re.sub(r'<layer id="(\d)"', r'<layer id="00\1"', text)
    [finding] = findings(odd)
    message = "layer id '000' and 2 others are written with leading zeros"
    assert (finding.message, finding.help) == (message, "write plain numbers")
    assert len(finding.related) == 2


def test_an_axis_that_no_port_contradicts() -> None:
    """OpenVINO writes the dims that it computes: neither dim of [2,?,?] beside [?,?,16] is what it would write."""
    ports = "FP32 2,16", "I64 -1,-1", "I64 "
    text = net(
        parameter(0, "2,16", "f32", ports[0], "data"),
        parameter(1, "?,?", "i64", ports[1], "indices"),
        constant(2, "", "i64", 0, 8, ports[2]),
        layer(3, "Gather", "opset8", 'batch_dims="0"', ports, ("FP32 -1,-1,16",), "g"),
        result(4, "FP32 -1,-1,16"),
        edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0",
    )
    [finding] = validate(text.encode(), weights=(1).to_bytes(8, "little"))
    assert finding.hypothesis == "constant_value"
    assert finding.message.endswith("is 1, but its declared output [?,?,16] needs 0")
