"""Layers of one text have one signature; what is unusual has none."""

from __future__ import annotations

import pytest

from ovgather.ir.bulk.layer_signature import Signatures
from ovgather.ir.graph import LayerSignature

TAG = b' type="T" version="opset1">'
DATA = b'<data axis="1"/>'
INFO = b'<rt_info><attribute name="a" version="0"/><attribute name="b" version="0"/></rt_info>'
PORTS = b'<input><port id="0"><dim>2</dim></port></input><output><port id="1" precision="I64" names=""/></output>'


def signature(text: bytes) -> LayerSignature | None:
    return Signatures().parse(text)


def test_what_a_form_holds() -> None:
    found = signature(TAG + DATA + INFO + PORTS)
    assert found is not None
    assert (found.type, found.version, found.data) == ("T", "opset1", {"axis": "1"})
    assert [(port.id, port.precision, port.dims) for port in found.inputs] == [
        (0, None, (2,))
    ]
    assert [(port.id, port.precision, port.dims) for port in found.outputs] == [
        (1, "I64", ())
    ]


def test_forms_are_shared_whatever_is_passed_over() -> None:
    signatures = Signatures()
    assert signatures.parse(TAG + DATA + PORTS) is signatures.parse(
        TAG + DATA + INFO + PORTS
    )
    assert signatures.parse(TAG + DATA) is not signatures.parse(TAG)


def test_equal_constants_are_one_object() -> None:
    """So their Gathers are twins, and a table that they share is looked through once."""
    signatures = Signatures()
    texts = [
        TAG + b'<data offset="8"/>' + info + PORTS
        for info in (b"", INFO, INFO.replace(b"0", b"1"), b"\n")
    ]
    assert len({id(signatures.parse(text)) for text in texts}) == 1


@pytest.mark.parametrize(
    "data",
    [
        'a="1" offset="{}"/>',
        'offset="{}" a="1"/>',
        'a="1"/><rt_info><attribute name="n" offset="{}"/>',
    ],
)
def test_an_offset_changes_nothing_else(data: str) -> None:
    signatures = Signatures()
    for offset in ("8", "", "9", "x", "\x01"):
        text = TAG + b"<data " + data.format(offset).encode()
        text += b"</rt_info>" * (b"<rt_info>" in text) + PORTS
        found, alone = signatures.parse(text), signature(text)
        assert (found is None) == (alone is None), text
        if found is not None and alone is not None:
            assert found.data == alone.data
            assert [port.dims for port in (*found.inputs, *found.outputs)] == [(2,), ()]


def test_pieces_that_are_known_are_taken_in_their_places_alone() -> None:
    signatures = Signatures()
    assert signatures.parse(TAG + PORTS) is not None
    for text in (
        TAG + PORTS + b'port id="0"><dim>2</dim></',
        TAG
        + PORTS.replace(
            b'id="1" precision="I64" names=""/>',
            b'id="1" precision="I64" names=""></port',
        ),
        TAG + PORTS.replace(b"<dim>2</dim></port>", b"<dim>2</dim/></port>"),
        TAG + PORTS.replace(b"</port></input>", b"</portinput><></input>"),
        TAG + PORTS.replace(b"<port ", b"<port  ", 1),
        TAG + PORTS.replace(b"</port>", b"</port>port", 1),
        TAG + PORTS.replace(b'names=""/>', b'names=""/></port>'),
    ):
        assert signatures.parse(text) is None, text


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b' type="T">',
        TAG.replace(b">", b' names="">'),
        TAG.replace(b">", b' type="U">'),
        TAG + b'<data axis="1" axis="2"/>',
        TAG + b'<data names=""/>',
        TAG + INFO.replace(b'"b"', b'"a"'),
        TAG + INFO.replace(b'"b"', b'"layout"'),
        TAG + b"<input/>",
        TAG + b"<input>",
        TAG + b"</input><input>",
        TAG + b"<output></output><input></input>",
        TAG + PORTS[: -len(b"</output>")],
        TAG + PORTS.replace(b"</input><output>", b"</input>"),
        TAG + PORTS + PORTS,
        TAG + PORTS.replace(b'id="1"', b'id="01"'),
        TAG + PORTS.replace(b"<dim>2", b"<dim> 2"),
        TAG + PORTS.replace(b'names=""', b'names="" names=""'),
    ],
    ids=range(18),
)
def test_what_is_unusual_has_no_form(text: bytes) -> None:
    signatures = Signatures()
    assert signatures.parse(text) is None
    assert signatures.parse(text) is None
