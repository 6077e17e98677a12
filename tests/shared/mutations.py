"""Real-looking IR documents and ways to spoil them, for the tests of the readers."""

from __future__ import annotations

import random
import re

from paths import ROOT

RICH = b"""<?xml version="1.0"?>
<!-- written by hand -->
<net name="rich" version="11">
  <layers>
    <layer id="0" name="data" type="Parameter" version="opset1">
      <data shape="2,?,3..8" element_type="f32"/>
      <output><port id="0" precision="FP32" names="a,b\\,c"><dim>2</dim><dim>-1</dim><dim>-1</dim></port></output>
    </layer>
    <layer id="3" name="indices" type="Const" version="opset1">
      <data element_type="i64" shape="2, 3, 4" offset="0" size="192"/>
      <rt_info>
        <attribute name="fused_names" version="0" value="x"/><attribute name="layout" version="0" layout="[N,C]"/>
      </rt_info>
      <output><port id="1" precision="I64"><dim>2</dim><dim>3</dim><dim>4</dim></port></output>
    </layer>
    <layer id="7" name="ge &amp; &lt;b&gt;" type="GatherElements" version="opset6" output_names="y">
      <data axis="1"/>
      <input>
        <port id="0" precision="FP32"><dim>2</dim><dim>-1</dim><dim><!-- c -->-1</dim></port>
        <port id="1" precision="I64"><dim>2</dim><dim>3</dim><dim><![CDATA[4]]></dim>
          <rt_info><attribute name="layout" version="0" layout="[?,?,?]"/><port/></rt_info></port>
      </input>
      <output><port id="2" precision="FP32" names="y"><dim>2</dim><dim>3</dim><dim>4</dim></port></output>
    </layer>
    <layer id="8" name="loop" type="Loop" version="opset5">
      <input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim><dim>4</dim></port></input>
      <output><port id="1" precision="FP32"><dim>2</dim><dim>3</dim><dim>4</dim></port></output>
      <port_map>
        <input external_port_id="0" internal_layer_id="0"/>
        <output external_port_id="1" internal_layer_id="3"/>
      </port_map>
      <back_edges><edge from-layer="3" to-layer="0"/></back_edges>
      <body>
        <layers>
          <layer id="0" name="p" type="Parameter" version="opset1">
            <data shape="2,3,4" element_type="f32"/>
            <output><port id="0" precision="FP32"><dim>2</dim><dim>3</dim><dim>4</dim></port></output>
          </layer>
          <layer id="1" name="axis" type="Const" version="opset1">
            <data element_type="i32" shape="" offset="192" size="4"/>
            <output><port id="0" precision="I32"/></output>
          </layer>
          <layer id="2" name="g" type="Gather" version="opset8">
            <data batch_dims="0"/>
            <input>
              <port id="0" precision="FP32"><dim>2</dim><dim>3</dim><dim>4</dim></port>
              <port id="1" precision="I64"/>
              <port id="2" precision="I32"/>
            </input>
            <output><port id="3" precision="FP32"><dim>2</dim><dim>3</dim></port></output>
          </layer>
          <layer id="3" name="r" type="Result" version="opset1">
            <input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></input>
          </layer>
        </layers>
        <edges>
          <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
          <edge from-layer="1" from-port="0" to-layer="2" to-port="2"/>
          <edge from-layer="2" from-port="3" to-layer="3" to-port="0"/>
        </edges>
      </body>
    </layer>
    <layer id="9" name="out" type="Result" version="opset1">
      <input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim><dim>4</dim></port></input>
    </layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="7" to-port="0"/>
    <edge from-layer="3" from-port="1" to-layer="7" to-port="1"/>
    <edge from-layer="7" from-port="2" to-layer="8" to-port="0"/>
    <edge from-layer="8" from-port="1" to-layer="9" to-port="0"/>
  </edges>
  <rt_info><MO_version value="x"/></rt_info>
</net>
"""

_REPEATED = b"""
    <layer id="%d" name="ge_%d" type="GatherElements" version="opset6">
      <data axis="1"/>
      <input>
        <port id="0" precision="FP32"><dim>2</dim><dim>-1</dim><dim>4</dim></port>
        <port id="1" precision="I64"><dim>2</dim><dim>3</dim><dim>4</dim></port>
      </input>
      <output><port id="2" precision="FP32" names="y%d"><dim>2</dim><dim>3</dim><dim>4</dim></port></output>
    </layer>"""

_TOKENS = [
    *(
        b"<",
        b">",
        b'"',
        b"'",
        b"&",
        b"=",
        b"/",
        b" ",
        b"\n",
        b"\r\n",
        b"\t",
        b"\x00",
        b"\x01",
        b"\xff",
        b"\xc3\xa9",
        b"\xe9",
    ),
    *(
        b"<!--",
        b"-->",
        b"--",
        b"<![CDATA[",
        b"]]>",
        b"<?x ",
        b"?>",
        b"<?xml version='1.0'?>",
        b"&amp;",
        b"&lt;",
        b"&#49;",
        b"&e;",
    ),
    *(
        b'<!DOCTYPE net [<!ENTITY e "1">]>',
        b'<!DOCTYPE net SYSTEM "x">',
        b"<layer>",
        b"</layer>",
        b"<layers>",
        b"</layers>",
    ),
    *(
        b"<edges>",
        b"</edges>",
        b"<input>",
        b"</input>",
        b"<input/>",
        b"<output>",
        b"</output>",
        b"<port/>",
        b"<port>",
        b"</port>",
    ),
    *(
        b'<port id="0">',
        b"<dim>",
        b"</dim>",
        b"<dim>4</dim>",
        b"<dim/>",
        b"<rt_info>",
        b"</rt_info>",
        b"<rt_info/>",
        b"<body>",
    ),
    *(b"</body>", b"<data/>", b'<data axis="0"/>', b'<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>'),
    *(
        b"-1",
        b"0",
        b"99999999999999999999",
        b"9223372036854775807",
        b"-9223372036854775808",
        b"1e3",
        b"..",
        b"?",
        b"abc",
    ),
    *(
        b' names="a"',
        b' axis="0"',
        b' id="1"',
        b" x=1",
        b"opset8",
        b"GatherND",
        b"Gather",
        b"Const",
        b"Convert",
        b"\xef\xbb\xbf",
    ),
    # Where the quick reader cuts a text, and what would pass for such a place.
    *(
        b"\x0b",
        b"\x0c",
        b"\x7f",
        b'""',
        b'"0"',
        b"7",
        b"07",
        b"port",
        b"<port",
        b"<port ",
        b"</port",
        b"/>",
        b"></port>",
    ),
    *(b"names=", b'names="', b' names=""', b' names="<"', b'" "', b"</layer", b"<layer", b'<layer id="', b"<edge"),
    *(b"<!-- </layer> -->", b"<![CDATA[</layer>]]>", b'"</layer>"', b"<>", b"><", b"input>", b"</input><output>"),
]
_VALUES = [
    b"",
    b"-1",
    b"0",
    b"1",
    b"2",
    b"7",
    b"abc",
    b"1.5",
    b"+1",
    b" 1",
    b"99999999999999999999",
    b"9223372036854775807",
]
_VALUES += [
    b"-9223372036854775808",
    b"9" * 5000,
    b"opset1",
    b"opset8",
    b"opset17",
    b"Gather",
    b"GatherElements",
    b"GatherND",
]
_VALUES += [
    b"Const",
    b"Parameter",
    b"If",
    b"f32",
    b"i64",
    b"string",
    b"u1",
    b"FP32",
    b"?",
    b"...",
    b"[...]",
    b"1..2",
    b"2,3",
]
_VALUES += [b",", b"3,,4", b"-2", b"1," * 200 + b"1", b"&lt;", b"a\\,b"]
_TAG = re.compile(rb"<[^<>]*>")
_ELEMENT = re.compile(rb"<(layer|port|edge|input|output|dim|data)\b[^<>]*?(?:/>|>.*?</\1>)", re.DOTALL)
_ATTRIBUTE = re.compile(rb'="([^"]*)"')
_COMMENT = re.compile(rb"<!--.*?-->\s*")
_DIM = re.compile(rb">(-?[0-9]+)<")


def documents() -> list[bytes]:
    """The documents to begin with."""
    folders = ("samples_xml/specification", "samples_xml/demo", "samples_xml/snippets", "tests/data/schemas")
    paths = [
        path for folder in folders for path in sorted((ROOT / folder).glob("*.*")) if path.suffix in (".xml", ".txt")
    ]
    found = [RICH, *(path.read_bytes() for path in paths)]
    plain = [_COMMENT.sub(b"", data, count=1) for data in found]
    many = b"".join(_REPEATED % (number, number, number) for number in range(20, 26))
    return [*found, *plain, *(data.replace(b"<layers>", b"<layers>" + many, 1) for data in plain)]


def spoil(data: bytes, chance: random.Random) -> bytes:
    """``data`` with one to four random changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(_WAYS)(data, chance)
    return data


def _place(data: bytes, chance: random.Random) -> int:
    return chance.randrange(len(data) + 1)


def _flip(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def _drop(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + data[at + chance.choice((1, 2, 5, 20, 200)) :]


def _insert(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + chance.choice(_TOKENS) + data[at:]


def _insert_between_tags(data: bytes, chance: random.Random) -> bytes:
    tags = list(_TAG.finditer(data))
    at = chance.choice(tags).end() if tags else 0
    return data[:at] + chance.choice(_TOKENS) + data[at:]


def _repeat(data: bytes, chance: random.Random) -> bytes:
    parts = list(_ELEMENT.finditer(data)) or list(re.finditer(rb".", data, re.DOTALL))
    if not parts:
        return data
    part = chance.choice(parts)
    at = part.end() if chance.random() < 0.7 else _place(data, chance)
    return data[:at] + part[0] + data[at:]


def _remove(data: bytes, chance: random.Random) -> bytes:
    parts = list(_ELEMENT.finditer(data)) if chance.random() < 0.5 else list(_TAG.finditer(data))
    if not parts:
        return data
    part = chance.choice(parts)
    return data[: part.start()] + data[part.end() :]


def _swap(data: bytes, chance: random.Random) -> bytes:
    tags = list(_TAG.finditer(data))
    if len(tags) < 2:
        return data
    first, second = sorted(chance.sample(tags, 2), key=lambda tag: tag.start())
    between = data[first.end() : second.start()]
    return data[: first.start()] + second[0] + between + first[0] + data[second.end() :]


def _value(data: bytes, chance: random.Random) -> bytes:
    places = list(_ATTRIBUTE.finditer(data))
    if not places:
        return data
    place = chance.choice(places)
    return data[: place.start(1)] + chance.choice(_VALUES) + data[place.end(1) :]


def _dim(data: bytes, chance: random.Random) -> bytes:
    places = list(_DIM.finditer(data))
    if not places:
        return data
    place = chance.choice(places)
    return data[: place.start(1)] + chance.choice(_VALUES) + data[place.end(1) :]


_WAYS = (_flip, _drop, _insert, _insert_between_tags, _repeat, _remove, _swap, _value, _value, _dim)
