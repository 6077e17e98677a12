"""Real-looking IR documents, for the tests of the readers."""

from __future__ import annotations

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
_COMMENT = re.compile(rb"<!--.*?-->\s*")


def documents() -> list[bytes]:
    """The documents to begin with."""
    folders = (
        "samples_xml/specification",
        "samples_xml/demo",
        "samples_xml/snippets",
        "tests/data/schemas",
    )
    paths = [
        path
        for folder in folders
        for path in sorted((ROOT / folder).glob("*.*"))
        if path.suffix in (".xml", ".txt")
    ]
    found = [RICH, *(path.read_bytes() for path in paths)]
    plain = [_COMMENT.sub(b"", data, count=1) for data in found]
    many = b"".join(_REPEATED % (number, number, number) for number in range(20, 26))
    return [
        *found,
        *plain,
        *(data.replace(b"<layers>", b"<layers>" + many, 1) for data in plain),
    ]
