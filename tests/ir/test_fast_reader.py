"""The quick reader takes files of many writers, and never reads one otherwise than the full reader does."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest
from documents import documents
from paths import ROOT
from reader_records import records

import ovgather
from ovgather.ir.bulk.reader import read_bulk
from ovgather.ir.model import Model
from ovgather.ir.reader.reader import Reader

MODELS = sorted((ROOT / "tests" / "data" / "models").glob("*.xml"))
PLAIN = sorted((ROOT / "samples_xml" / "specification").glob("*.xml"))
LAYER = """<layer id="%d" name="n%d" type="GatherElements" version="opset6"><data axis="1"/>
<input><port id="0" precision="FP32"><dim>2</dim><dim>-1</dim></port><port id="1" precision="I64"/></input>
<output><port id="2" precision="FP32" names="a%d"><dim>2</dim></port></output></layer>
"""


def full(model: Model, data: bytes) -> bool:
    Reader(model).parse(data)
    return True


def net(
    layers: str, head: str = 'name="m" version="11"', before: str = "", after: str = ""
) -> bytes:
    edges = '<edge from-layer="0" from-port="2" to-layer="1" to-port="0"/>'
    return f"{before}<net {head}><layers>{layers}</layers><edges>{edges}</edges>{after}</net>".encode()


@pytest.mark.parametrize("path", [*MODELS, *PLAIN], ids=lambda path: path.name)
def test_takes_plain_files(path: Path) -> None:
    data = path.read_bytes()
    quick = records(data, read_bulk)
    assert quick is not None
    assert quick == records(data, full)


MANY = "".join(LAYER % (number, number, number) for number in range(4))
FORMS = {
    "plain": net(MANY),
    "declaration": net(MANY, before='<?xml version="1.0" encoding="utf-8"?>\n'),
    "comments": net("<!-- a - b -->" + MANY + "<!-- -->", before="<!-- <net> -->\n"),
    "CRLF": net(MANY.replace("\n", "\r\n")),
    "version 10": net(MANY, 'version="10" name="é"'),
    "run-time information": net(MANY, after="<rt_info><a><b value='1'/></a></rt_info>"),
    "other order": net(MANY.replace('id="0" precision="FP32"', 'precision="FP32" id="0"')),
    "body": net(MANY.replace("</layer>", f"<body><layers>{MANY}</layers><edges/></body></layer>")),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_takes_files_of_other_forms(form: str) -> None:
    quick = records(FORMS[form], read_bulk)
    assert quick is not None
    assert quick == records(FORMS[form], full)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<net>",
        net(MANY).replace(b"</layers>", b""),
        net(MANY).replace(b"</edges>", b""),
        net(MANY, 'name="m" version="9"'),
        net(MANY, 'name="m" version="11" version="10"'),
        net(MANY).replace(b'name="m"', b'name="\xff"'),
        net(MANY).replace(b'name="m"', b'name="\xef\xbf\xbf"'),
        net(MANY, before="<!-- \x00 -->"),
        net("\x0b" + MANY),
        net(MANY, before="<!DOCTYPE net [<!ENTITY a 'b'>]>"),
        net(MANY).replace(b"</input>", b'</input names="x">'),
        net(MANY).replace(b'names="a3"', b'names="a3" names="b"'),
        net(MANY) + b"<net/>",
        net(MANY)[:-1],
    ],
    ids=range(15),
)
def test_leaves_to_the_full_reader(data: bytes) -> None:
    assert records(data, read_bulk) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('axis="1"', 'axis="&#49;"'),
        ('axis="1"', "axis='1'"),
        ('<data axis="1"/>', '<data axis="1"></data>'),
        ('<data axis="1"/>', '<data axis="1"/><data axis="2"/>'),
        ('<data axis="1"/>', "<data/>"),
        (
            '<data axis="1"/>',
            '<rt_info><attribute name="layout" version="0" layout="NN"/></rt_info>',
        ),
        ("<dim>-1</dim>", "<dim> -1 </dim>"),
        ("<dim>-1</dim>", "<dim>?</dim>"),
        ("<dim>-1</dim>", "<dim>-1</dim><!-- </layer> -->"),
        ("<dim>-1</dim>", "<dim>99999999999999999999</dim>"),
        ("<input>", "<input><![CDATA[</layer>]]>"),
        ("</input>", "</input ><input/>"),
        ('layer id="1"', 'layer id="1 1"'),
        ('layer id="1"', 'layer id="01"'),
        ('layer id="1"', 'layer id=""'),
        ('layer id="1"', 'layer id="9999999999999999999"'),
        ('name="n1"', 'name="n&lt;1"'),
        ('name="n1"', 'name="n\t1"'),
        ('id="1" precision', 'id="x" precision'),
        ('id="1" precision', 'id="99999999999999999999" precision'),
        ('<port id="1" precision="I64"/>', '<port id="1" precision="&lt;"/>'),
        ('<port id="1" precision="I64"/>', '<port id="1" names="x" precision="I64"/>'),
        (
            '<port id="1" precision="I64"/>',
            '<port id="1" precision="I64"><rt_info><port/></rt_info></port>',
        ),
        ('type="Gather', 'output_names="a,b" type="Gather'),
        ('type="Gather', 'axis="1" type="Gather'),
        ('version="opset6"', 'version="opset6"\n'),
        ('version="opset6"', ""),
        ('name="n', 'name="é→'),
        ('name="n', 'name="a&amp;'),
        ("</layer>", "<foo/></layer>"),
        ("</layer>", "</layer >"),
        ("</layer>", "</layer><foo/>"),
    ],
)
def test_unusual_layers_among_plain_ones(old: str, new: str) -> None:
    assert old in MANY
    for data in (
        net(MANY.replace(old, new)),
        net(MANY.replace(old, new, 1)),
        net(MANY[::-1].replace(old[::-1], new[::-1], 1)[::-1]),
    ):
        whole = records(data, full)
        assert whole is not None
        assert records(data, read_bulk) in (whole, None)


EDGE = b'<edge from-layer="0" from-port="2" to-layer="1" to-port="0"/>'


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(
    ("old", "new", "taken"),
    [
        (b"", b"", True),
        (b'"/>', b'"  />', True),
        (b"<edge", b"\r\n\t<edge", True),
        (b"<edge", b"<!-- 7 --><edge", True),
        (b'from-layer="0"', b'\tfrom-layer="999999"', True),
        (b'"2"', b'""', False),
        (b'"2"', b'"02"', False),
        (b'"2"', b'"2""', False),
        (b'"2"', b'"&#50;"', False),
        (b'"2"', b'"9999999999999999999"', False),
        (b'="2"', b'= 2"2"', False),
        (b'="2" ', b'="2" 7 ', False),
        (b'="2" ', b'="2"', False),
        (b"from-port", b"from-port2", False),
        (b"<edge", b"<edge7", False),
        (b"<edge", b"\x0b<edge", False),
        (b"/>", b"></edge>", False),
        (b"/>", b"/>7", False),
    ],
)
def test_unusual_edges_among_plain_ones(
    place: int, old: bytes, new: bytes, taken: bool
) -> None:
    edges = [EDGE] * 3
    edges[place] = EDGE.replace(old, new, 1)
    data = net(MANY).replace(EDGE, b"".join(edges))
    quick = records(data, read_bulk)
    assert (quick is not None) == taken
    assert quick is None or quick == records(data, full)


def test_attributes_in_any_order() -> None:
    chance = random.Random(8)
    tag = re.compile(rb'<(layer|port|edge|net|data)((?: [a-z_-]+="[^"]*")+)')

    def shuffled(found: re.Match[bytes]) -> bytes:
        attributes = re.findall(rb' [a-z_-]+="[^"]*"', found[2])
        chance.shuffle(attributes)
        return b"<" + found[1] + b"".join(attributes)

    for document in documents():
        data = tag.sub(shuffled, document)
        quick = records(data, read_bulk)
        assert quick is None or quick == records(data, full)


def test_large_files_are_read_the_quick_way(monkeypatch: pytest.MonkeyPatch) -> None:
    data = net("".join(LAYER % (number, number, number) for number in range(2_000)))
    assert len(data) > sys.modules["ovgather.ir.read"]._BULK_FROM

    def refuse(*_: object) -> None:
        raise AssertionError("the full reader was asked for the whole file")

    monkeypatch.setattr(Reader, "parse", refuse)
    assert len(ovgather.read(data).graph.layers) == 2_000


def test_large_files_that_are_not_plain_are_read_all_the_same() -> None:
    layers = "".join(LAYER % (number, number, number) for number in range(2_000))
    model = ovgather.read(net(layers.replace('name="n7"', 'name="a & b"')))
    assert (model.fatal, len(model.graph.layers), len(model.source.edits)) == (
        False,
        2_000,
        1,
    )


HOSTILE = {
    "ends with a blank": net(
        (LAYER % (1, 1, 1)).replace("</layer>", "</layer >") * 20_000
    ),
    "no ends": net('<layer id="0" name="a" type="T" version="opset1">' * 20_000),
    "empty": net('<layer id="0" name="a" type="T" version="opset1"/>' * 50_000),
    "long comment": net("<!-- " + "x y " * 2_000_000 + "-->"),
    "long comment, dashes": net("<!-- " + "- " * 2_000_000 + "-- -->"),
    "comments": net("<!-- - -->" * 300_000),
    "one long layer": net(
        (LAYER % (1, 1, 1)).replace("<dim>2</dim>", "<dim>2</dim>" * 200_000)
    ),
    "long name": net(LAYER.replace("n%d", "x" * 5_000_000 + "%d") % (1, 1, 1)),
    "spaces": net(
        "<layer" + " " * 3_000_000 + 'id="0" name="a" type="T" version="opset1"/>'
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_come_to_an_end(name: str) -> None:
    assert ovgather.read(HOSTILE[name]).path == "<bytes>"
