"""What stands at a place of a text, and what is said of it; no editor and no extra is needed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from paths import ROOT

from ovgather.cli.server.completion import proposals
from ovgather.cli.server.document import Document

DEMO = ROOT / "samples_xml" / "demo"


@pytest.fixture(scope="module")
def good() -> Document:
    return Document(str(DEMO / "good.xml"), (DEMO / "good.xml").read_text(), 1)


def at(document: Document, text: str, after: str = "") -> int:
    """The byte where ``text`` begins, behind ``after``."""
    return document.data.index(text.encode(), document.data.index(after.encode()))


def tags(document: Document, spans: list[tuple[int, int]]) -> list[str]:
    return [document.data[begin:end].decode() for begin, end in spans]


def lines(document: Document, spans: list[tuple[int, int]]) -> list[int]:
    """Where the ports are: the span of a consumer begins with its layer."""
    return [document.source.position(end)[0] for _, end in spans]


def test_findings_are_those_of_validate_with_the_bin_beside_the_file() -> None:
    document = Document(str(DEMO / "broken.xml"), (DEMO / "broken.xml").read_text(), 1)
    codes = [finding.code for finding in document.findings]
    assert codes == ["OVG203", "OVG501", "OVG402", "OVG102", "OVG107", "OVG206"]


def test_other_xml_is_passed_over() -> None:
    assert Document("/tmp/pom.xml", "<project><name/></project>", 1).findings == []
    assert [each.code for each in Document("/tmp/m.xml", "<net", 1).findings] == [
        "OVG002"
    ]


def test_configuration_and_baseline_of_the_folder(tmp_path: Path) -> None:
    text = (DEMO / "broken.xml").read_text()
    (tmp_path / "ovgather.toml").write_text(
        'select = ["OVG2"]\nseverity = {OVG203 = "warning"}\n'
    )
    document = Document(str(tmp_path / "m.xml"), text, 1)
    assert [(each.code, each.severity) for each in document.findings] == [
        ("OVG203", "warning"),
        ("OVG206", "error"),
    ]


def test_explained(good: Document) -> None:
    assert "dim 0 = ?: indices dim 0 (the axis)" in good.explained_at(
        at(good, '<layer id="3"')
    )
    assert good.explained_at(at(good, '<layer id="1"')).splitlines() == [
        'Const (opset1) "word_table" (layer 1)',
        '└─▶ f32 [10,4] to input 0 of Gather-8 "word_embedding" (layer 3)',
    ]
    assert good.explained_at(3) == ""


def test_producer_and_consumers_of_a_port(good: Document) -> None:
    first_input = at(good, '<port id="0"', '<layer id="3"')
    assert lines(good, good.producers_at(first_input)) == [17]
    assert tags(good, good.producers_at(first_input)) == [
        '<port id="0" precision="FP32">'
    ]
    output = at(good, '<port id="0"', '<layer id="2"')
    inputs = lines(good, good.consumers_at(output))
    assert len(inputs) == good.data.count(b'from-layer="2"') > 1
    assert good.consumers_at(first_input) == [
        good.consumers_at(at(good, '<port id="0"', '<layer id="1"'))[0]
    ]


def test_producer_and_consumers_of_an_edge_and_of_a_layer(good: Document) -> None:
    edge = at(good, "to-layer", '<edge from-layer="1"')
    assert lines(good, good.producers_at(edge)) == [17]
    [consumer] = tags(good, good.consumers_at(edge))
    assert consumer.startswith('<layer id="3" name="word_embedding"')
    assert consumer.endswith('<port id="0" precision="FP32">')
    assert lines(good, good.producers_at(at(good, '<layer id="3"'))) == [17, 8, 26]


@pytest.fixture(scope="module")
def nested() -> Document:
    return Document(str(DEMO / "nested.xml"), (DEMO / "nested.xml").read_text(), 1)


@pytest.mark.parametrize(
    ("line", "producers", "consumers"),
    [
        (
            8,
            [8],
            [49, 75],
        ),  # an input of the model: the Loop takes it, and its body goes on with it
        (
            75,
            [49, 279],
            [134, 209, 154],
        ),  # state: from outside in the first round, from a Result in the others
        (81, [53], [138, 163]),  # a whole Parameter
        (59, [279], [302]),  # the output of the Loop
        (144, [250, 190], [279, 59, 75]),  # that of the If: of either branch
        (188, [182], [190, 144]),  # a whole Result
        (288, [75], [134, 209, 154]),  # an edge leads to where it starts
        (48, [32], [48]),  # a port behind one without content
    ],
)
def test_ways_across_bodies(
    nested: Document, line: int, producers: list[int], consumers: list[int]
) -> None:
    byte = nested.data.index(b"<", nested.source.lines.offset(line, 1)) + 1
    assert lines(nested, nested.producers_at(byte)) == producers
    assert lines(nested, nested.consumers_at(byte)) == consumers


def test_outline_has_layers_in_bodies(nested: Document) -> None:
    name, detail, _, _ = next(nested.outline())
    assert (name, detail) == (
        "pick",
        "GatherElements-6 [4,3], [4,3] -> [4,3] in three_times/body/choose/then_body",
    )
    for _, _, (begin, end), _ in nested.outline():
        assert nested.data[begin:end].startswith(b"<layer ")
        assert nested.data[begin:end].endswith(b"</layer>")


def test_places_behind_a_repair() -> None:
    text = (
        (DEMO / "good.xml")
        .read_text()
        .replace('id="0" name="token_ids"', 'id=0 name="token_ids"')
    )
    document = Document(str(DEMO / "good.xml"), text, 1)
    byte = document.parsed(document.data.index(b'<layer id="3"'))
    assert "word_embedding" in document.explained_at(byte)


def test_safe_fixes_together() -> None:
    document = Document(str(DEMO / "broken.xml"), (DEMO / "broken.xml").read_text(), 1)
    assert document.fixes()
    for region in document.fixes():
        assert document.data[region.start : region.end] != region.inserted


def test_where_a_dim_comes_from(good: Document) -> None:
    layer = good.data.index(b'<layer id="3"')
    end = good.data.index(b"</layer>", layer)
    dims = [
        match.end()
        for match in re.finditer(b"<dim>", good.data[:end])
        if match.start() > layer
    ]
    assert [good.dim_at(byte) for byte in dims] == [
        'dim 0 = 10, from Const (opset1) "word_table" (layer 1): computed from Parameters and Consts',
        'dim 1 = 4, from Const (opset1) "word_table" (layer 1): computed from Parameters and Consts',
        'dim 0 = ?, from Parameter (opset1) "token_ids" (layer 0): dim 0 of token_ids',
        'dim 1 = 6, from Parameter (opset1) "token_ids" (layer 0): computed from Parameters and Consts',
        "dim 0 = ?: indices dim 0 (the axis)",
        "dim 1 = 6: indices dim 1 (the axis)",
        "dim 2 = 4: data dim 1",
    ]
    assert good.dim_at(3) == ""


@pytest.mark.slow
def test_a_comment_ignores_a_finding() -> None:
    text = (DEMO / "broken.xml").read_text()
    document = Document(str(DEMO / "broken.xml"), text, 1)
    for finding in document.findings:
        byte, comment = document.ignoring(finding) or (0, "")
        changed = (
            document.data[:byte] + comment.encode() + document.data[byte:]
        ).decode()
        codes = [
            each.code
            for each in Document(str(DEMO / "broken.xml"), changed, 2).findings
        ]
        assert finding.code not in codes, finding
        assert len(codes) == len(document.findings) - 1
    assert (
        Document("/tmp/m.xml", "<net", 1).ignoring(
            Document("/tmp/m.xml", "<net", 1).findings[0]
        )
        is None
    )


def test_lenses_count_consumers(good: Document) -> None:
    found = {layer.name: number for layer, number, _ in good.lenses()}
    assert found["word_embedding"] == 1
    assert len(found) == 5


@pytest.mark.parametrize(
    ("before", "some"),
    [
        ('<layer id="', ["24"]),
        ('<layer id="30" name="n" type="', ["Gather", "GatherElements"]),
        ('<layer id="30" name="n" type="GatherND" version="', ["opset5", "opset8"]),
        (
            '<layer id="30" name="n" type="GatherElements" version="opset6"><data ',
            ['axis=""'],
        ),
        (
            '<layer id="30" name="n" type="TopK" version="opset11"><data mode="',
            ["max", "min"],
        ),
        (
            '<layer id="30" name="n" type="Gather" version="opset8"><input><port id="0" precision="',
            ["FP32", "I64"],
        ),
        ('<edge from-layer="', ["15"]),
        ('<edge from-layer="15" from-port="', ["3"]),
    ],
)
def test_what_may_be_typed(good: Document, before: str, some: list[str]) -> None:
    data = before.encode()
    found = [each.text for each in proposals(data + b'"/>', len(data), good.model)]
    assert [text for text in some if text not in found] == []


@pytest.mark.parametrize(
    "before",
    ["", "<layers>", '<layer id="3" ', '<data axis="1"', "</layer>", "<net>text "],
)
def test_nothing_is_proposed_elsewhere(good: Document, before: str) -> None:
    assert proposals(before.encode(), len(before), good.model) == []


def test_findings_come_before_what_explains_them() -> None:
    text = (
        (DEMO / "good.xml")
        .read_text()
        .replace('from-layer="15" from-port="4"', 'from-layer="15" from-port="3"')
    )
    final = [str(each) for each in Document("/tmp/m.xml", text, 1).findings]
    document = Document("/tmp/m.xml", text, 1, is_final=False)
    assert not document.is_final
    assert document.findings
    document.finish()
    assert [str(each) for each in document.findings] == final
