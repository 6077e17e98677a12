"""Inferred dims written into a file: the right ones, and nothing else."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from lxml import etree
from nets import Net
from paths import SAMPLES

import ovgather
from ovgather.ir.edit.layer_text import dims_edits
from ovgather.ir.positions import element_at
from ovgather.ir.text import Source
from ovgather.runtimes.load import reshape
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.infer import infer
from ovgather.verbs.write_shapes import with_shapes

GOOD = SAMPLES / "demo" / "good.xml"
MISMATCH = SAMPLES / "rules" / "OVG203" / "bad.xml"
requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)


def edited(text: str, wanted: list[int]) -> str:
    """``text``, an ``<input>`` of one port, with other dims in it."""
    data = text.encode()
    start = data.index(b"<input")
    parent = element_at(Source(data), start)
    for (begin, end), inserted in sorted(
        dims_edits(parent, parent.named("port")[0], wanted), reverse=True
    ):
        data = data[:begin] + inserted + data[end:]
    etree.fromstring(data)
    return data.decode()


PRETTY = '<l>\n\t<input>\n\t\t<port id="0">\n\t\t\t<dim>2</dim>\n\t\t\t<dim>3</dim>\n\t\t</port>\n\t</input>\n</l>'


@pytest.mark.parametrize(
    ("text", "wanted", "result"),
    [
        (PRETTY, [2, 3], PRETTY),
        (PRETTY, [2, -1], PRETTY.replace("<dim>3", "<dim>-1")),
        (
            PRETTY,
            [7],
            PRETTY.replace("\n\t\t\t<dim>3</dim>", "").replace("<dim>2", "<dim>7"),
        ),
        (
            PRETTY,
            [],
            PRETTY.replace("\n\t\t\t<dim>3</dim>", "").replace(
                "\n\t\t\t<dim>2</dim>", ""
            ),
        ),
        (
            PRETTY,
            [2, 3, 4],
            PRETTY.replace("<dim>3</dim>", "<dim>3</dim>\n\t\t\t<dim>4</dim>"),
        ),
        (
            '<l>\n  <input>\n    <port id="0" precision="I64" />\n  </input>\n</l>',
            [5, -1],
            '<l>\n  <input>\n    <port id="0" precision="I64">\n      <dim>5</dim>\n      <dim>-1</dim>\n    </port>'
            "\n  </input>\n</l>",
        ),
        (
            '<l>\r\n  <input>\r\n    <port id="0"></port>\r\n  </input>\r\n</l>',
            [5],
            '<l>\r\n  <input>\r\n    <port id="0">\r\n      <dim>5</dim>\r\n    </port>\r\n  </input>\r\n</l>',
        ),
        (
            '<l>\n  <input>\n    <port id="0">\n      <rt_info/>\n    </port>\n  </input>\n</l>',
            [5],
            '<l>\n  <input>\n    <port id="0">\n      <dim>5</dim>\n      <rt_info/>\n    </port>\n  </input>\n</l>',
        ),
        (
            '<input><port id="0"/></input>',
            [5, 6],
            '<input><port id="0"><dim>5</dim><dim>6</dim></port></input>',
        ),
        (
            '<input><port id="0"><dim>5</dim></port></input>',
            [],
            '<input><port id="0"></port></input>',
        ),
        (
            '<input><port id="0"><dim> 5 </dim></port></input>',
            [6],
            '<input><port id="0"><dim> 6 </dim></port></input>',
        ),
        (
            '<input><port id="0"><dim> 5 </dim></port></input>',
            [5],
            '<input><port id="0"><dim> 5 </dim></port></input>',
        ),
        (
            '<input><port id="0"><dim>\xa05</dim></port></input>',
            [6],
            '<input><port id="0"><dim>6</dim></port></input>',
        ),
        (
            '<input><port id="0"><dim>\xa0</dim></port></input>',
            [6],
            '<input><port id="0"><dim>6</dim></port></input>',
        ),
        (
            '<input><port id="0"><dim/></port></input>',
            [5],
            '<input><port id="0"><dim>5</dim></port></input>',
        ),
        (
            '<input><port id="0"><dim><!-- 5 --></dim></port></input>',
            [5],
            '<input><port id="0"><dim>5</dim></port></input>',
        ),
    ],
)
def test_dims_in_the_way_the_file_is_laid_out(
    text: str, wanted: list[int], result: str
) -> None:
    assert edited(text, wanted) == result


def dims(data: bytes) -> list[tuple[str, str, list[str]]]:
    """Layer, port, dims of every port."""
    return [
        (
            port.getparent().getparent().get("name"),
            port.get("id"),
            [dim.text for dim in port.findall("dim")],
        )
        for port in etree.fromstring(data).iter("port")
    ]


def test_a_mismatch_is_put_right() -> None:
    made = with_shapes(MISMATCH)
    before = MISMATCH.read_bytes()
    assert infer(made).layers[0].status == "match"
    assert [
        found.code for found in ovgather.validate(made) if found.severity == "error"
    ] == []
    assert [
        old
        for old, new in zip(before.split(b"\n"), made.split(b"\n"), strict=True)
        if old != new
    ]
    assert re.sub(rb"<dim>-?\d+</dim>", b"", made) == re.sub(
        rb"<dim>-?\d+</dim>", b"", before
    )


def test_a_good_file_stays_as_it_is() -> None:
    assert with_shapes(GOOD) == GOOD.read_bytes()


def test_given_shapes() -> None:
    made = with_shapes(GOOD, input_shapes={"in0": PartialShape.of("5..9,6")})
    assert b'<data shape="5..9,6" element_type="i64" />' in made
    found = {(layer, port): shape for layer, port, shape in dims(made)}
    assert found["token_ids", "0"] == found["word_embedding", "1"] == ["-1", "6"]
    assert (
        found["word_embedding", "3"]
        == found["embedding", "0"]
        == found["embedding", "2"]
        == ["-1", "6", "4"]
    )
    assert re.sub(rb"<dim>-?\d+</dim>", b"", made).replace(b"5..9,6", b"?,6") == re.sub(
        rb"<dim>-?\d+</dim>", b"", GOOD.read_bytes()
    )


def test_every_port_is_written() -> None:
    made = with_shapes(GOOD, input_shapes={"token_ids": PartialShape.of("5,6")})
    assert not any("-1" in shape for _, _, shape in dims(made))
    assert [
        found.code for found in ovgather.validate(made, GOOD.parent / "good.bin")
    ] == []


def test_nothing_is_written_that_openvino_would_not_read() -> None:
    with pytest.raises(ovgather.InvalidModelError) as caught:
        with_shapes(GOOD, input_shapes={"in0": PartialShape.of("batch,9")})
    assert str(caught.value) == (
        f'{GOOD}: OpenVINO would not read it: Add (opset1) "embedding" (layer 7): shapes [?,9,4] and [6,4] cannot be'
        ' broadcast to each other: a [?,9,4], b [6,4], auto_broadcast numpy; Const 4 "position_table", Const 5'
        ' "position_ids" are frozen in the file; export the model anew with that length left open'
    )


def test_behind_a_type_that_is_not_checked_ports_stay(tmp_path: Path) -> None:
    net = Net()
    data, indices = net.parameter("f32", "5,7"), net.parameter("i64", "3")
    mine = net.add("Mine", "", data, version="extension", shape="5,7")
    out = net.add(
        "Gather",
        "",
        mine,
        indices,
        net.const("i64", [], [0]),
        version="opset8",
        shape="3,7",
    )
    net.add("Result", "", out)
    path = put(tmp_path, net.text)
    path.with_suffix(".bin").write_bytes(net.weights)
    made = with_shapes(path, input_shapes={"l0": PartialShape.of("9,8")})
    found = {(layer, port): shape for layer, port, shape in dims(made)}
    assert found["l0", "9"] == found["l2", "0"] == ["9", "8"]
    assert found["l2", "9"] == found["l4", "0"] == ["5", "7"]
    assert found["l4", "9"] == found["l5", "0"] == ["3", "7"]


@requires_openvino
def test_the_ports_are_those_that_openvino_writes() -> None:
    given = {"token_ids": PartialShape.of("5,6")}
    made = with_shapes(GOOD, input_shapes=given, with_openvino=True)
    assert made == with_shapes(GOOD, input_shapes=given)
    assert with_shapes(GOOD, with_openvino=True) == GOOD.read_bytes()
    model = ovgather.read(GOOD)
    told, error = reshape(model, {0: given["token_ids"]})
    assert told is not None, error
    written = {(layer, port): shape for layer, port, shape in dims(made)}
    for layer in model.layers():
        for index, port in enumerate(layer.outputs):
            theirs = [str(dim.length) for dim in told[(), layer.name][index]]
            assert written[layer.name, str(port.id)] == theirs, (layer.name, index)


@requires_openvino
def test_with_openvino_its_refusal_is_said(tmp_path: Path) -> None:
    path = put(tmp_path, GOOD.read_bytes())  # without its .bin
    with pytest.raises(
        ovgather.InvalidModelError, match="OpenVINO gives no shapes: read_model: "
    ):
        with_shapes(path, with_openvino=True)


def put(folder: Path, data: bytes) -> Path:
    path = folder / "m.xml"
    path.write_bytes(data)
    return path


def test_ranks_that_change(tmp_path: Path) -> None:
    net = Net()
    data, indices = net.parameter("f32", "5,7"), net.parameter("i64", "3")
    out = net.add(
        "Gather",
        "",
        data,
        indices,
        net.const("i64", [], [0]),
        version="opset8",
        shape="3,7",
    )
    net.add("Result", "", net.add("Relu", "", out, shape="3,7"))
    path = put(tmp_path, net.text)
    path.with_suffix(".bin").write_bytes(net.weights)
    for shape, expected in (
        ("2,3", ["2", "3", "7"]),
        ("", ["7"]),
        ("?", ["-1", "7"]),
        (None, ["3", "7"]),
    ):
        found = {(layer, port): dims for layer, port, dims in dims_of(path, shape)}
        assert (
            found["l3", "9"]
            == found["l4", "0"]
            == found["l4", "9"]
            == found["l5", "0"]
            == expected
        )


def dims_of(path: Path, shape: object) -> list[tuple[str, str, list[str]]]:
    made = with_shapes(path, input_shapes={"l1": PartialShape.of(shape)})
    model = ovgather.read(made)
    assert not model.problems
    text = {None: "...", "": "", "?": "?"}.get(shape, "2,3")  # type: ignore[call-overload]
    assert model.find("l1").data["shape"] == text
    return dims(made)


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "latin-1", "utf-8-sig"])
def test_the_encoding_stays(codec: str, tmp_path: Path) -> None:
    text = MISMATCH.read_text().replace('name="pick"', 'name="prüf"')
    if codec == "latin-1":
        text = re.sub(
            r"<\?xml.*?\?>", '<?xml version="1.0" encoding="iso-8859-1"?>', text
        )
    path = put(tmp_path, text.encode(codec))
    made = with_shapes(path)
    assert made != path.read_bytes()
    assert re.sub(r"<dim>\d+</dim>", "", made.decode(codec)) == re.sub(
        r"<dim>\d+</dim>", "", text
    )
    assert infer(made).layers[0].layer.name == "prüf"
    assert infer(made).layers[0].status == "match"


@pytest.mark.parametrize("sample", ["snippets/gather_8.txt", "rules/OVG002/bad.xml"])
def test_what_is_no_well_formed_ir_is_refused(sample: str) -> None:
    with pytest.raises(
        ovgather.InvalidModelError, match="no shapes can be written into it"
    ):
        with_shapes(SAMPLES / sample)


def test_no_file() -> None:
    with pytest.raises(
        ovgather.InvalidModelError, match=r"none\.xml: cannot be read: No such file"
    ):
        with_shapes("none.xml")


def test_an_unknown_axis_that_alone_gives_the_declared_output_gives_it_with_other_shapes_as_well() -> (
    None
):
    """Of data [?,4] and a scalar index, axis 1 may give [4] as well, but OpenVINO would have declared [?]."""
    text = (SAMPLES / "rules" / "OVG703" / "good.xml").read_text(encoding="utf-8")
    text = text.replace('shape="5,4"', 'shape="?,4"').replace(
        "<dim>5</dim>", "<dim>-1</dim>"
    )
    text = text.replace('shape="2,3"', 'shape=""').replace(
        "<dim>2</dim><dim>3</dim>", ""
    )
    (record,) = infer(
        text.encode(), input_shapes={"data": PartialShape.of("[n,4]")}
    ).layers
    assert record.axis is None
    assert record.output is not None
    assert record.output.shape == "[4]"
