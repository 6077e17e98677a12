"""Text that is malformed XML: what is mended, what is told of it, and whether OpenVINO sees it the same way."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest
from openvino_verdicts import requires_openvino, verdicts
from paths import SAMPLES

import ovgather

GOOD = (SAMPLES / "specification/gather_elements_6_page_xml.xml").read_bytes()
BODY = GOOD[GOOD.index(b"<net") :]
NAME = b'name="data" type'


class Case(NamedTuple):
    """What is put in place of what, and the findings that are to come of it: their words, and OpenVINO's verdict."""

    old: bytes
    new: bytes
    message: str
    openvino: str = "accepts"


MENDED = {
    "bare ampersand": Case(NAME, b'name="a & b" type', "bare `&`"),
    "ampersand at the end": Case(NAME, b'name="a&" type', "bare `&`"),
    "ampersands side by side": Case(NAME, b'name="a&&b" type', "bare `&`"),
    "ampersands close by": Case(NAME, b'name="&a&amp;" type', "bare `&`"),
    "undeclared entity": Case(
        NAME, b'name="&nbsp;" type', "entity `&nbsp;` is not declared"
    ),
    "number of no character": Case(
        NAME, b'name="&#0;" type', "`&#0;` is not an XML character"
    ),
    "number of half a character": Case(
        NAME, b'name="&#xD800;" type', "`&#xD800;` is not an XML character"
    ),
    "less-than": Case(NAME, b'name="<lambda>" type', "bare `<` in an attribute value"),
    "control character": Case(
        NAME, b'name="a\x01" type', "U+0001 is not an XML character"
    ),
    "no character": Case(
        NAME, b'name="\xef\xbf\xbe" type', "U+FFFE is not an XML character"
    ),
    "Latin letters": Case(NAME, b'name="caf\xe9\xe8" type', "not UTF-8: e9 e8"),
    "half a letter": Case(NAME, b'name="\xe2\x82" type', "not UTF-8: e2 82"),
    "attribute twice": Case(
        b'axis="1"', b'axis="1" axis="0"', "attribute `axis` is given twice"
    ),
    "dashes in a comment": Case(
        b"<layers>", b"<layers><!-- mo --model x -->", "`--` within a comment"
    ),
    "dash before the comment's end": Case(
        b"<layers>", b"<layers><!-- x --->", "`--` within a comment"
    ),
    "comment opened in a comment": Case(
        b"<layers>", b"<layers><!-- x <!-- y -->", "`--` within a comment"
    ),
    "comment opened in CDATA before": Case(
        b"<layers>", b"<layers><![CDATA[<!--]]><!-- x -- y -->", "`--` within a comment"
    ),
    "brackets": Case(b"<layers>", b"<layers>]]>", "bare `]]>`"),
    "text before": Case(b"<?xml", b"IR:\n<?xml", "text before the root element"),
    "space before": Case(b"<?xml", b"\n<?xml", "XML declaration not at the start"),
    "second declaration": Case(
        b"<layers>",
        b'<?xml version="1.0"?><layers>',
        "XML declaration not at the start",
    ),
    "declaration": Case(
        b'<?xml version="1.0"?>',
        b"<?xml version=1?>",
        "XML declaration with errors",
    ),
    "capital declaration": Case(b"<?xml", b"<?XML", "XML declaration with errors"),
    "no-break space": Case(
        b"<?xml ", "<?xml\u00a0".encode(), "XML declaration with errors"
    ),
    "zero before": Case(b"<net", b"\0<net", "text before the root element", "rejects"),
    "file twice": Case(b"</net>", b"</net>\n" + GOOD, "text after the root element"),
    "file and half of it": Case(
        b"</net>", b"</net>\n" + GOOD[:-20], "text after the root element", "rejects"
    ),
    "document type after": Case(
        b"</net>", b"</net><!DOCTYPE net><net/>", "text after the root element"
    ),
    "attribute twice after": Case(
        b"</net>", b'</net><a b="1" b="<"/>', "text after the root element"
    ),
    "odd bytes after": Case(
        b"</net>", b"</net>\xff\x01 ]]>", "text after the root element"
    ),
    "dashes after": Case(
        b"</net>", b"</net><!-- a -- b -->", "text after the root element"
    ),
    "odd instruction after": Case(
        b"</net>", b"</net><?xml>", "text after the root element", "rejects"
    ),
    "no quotes after": Case(
        b"</net>", b"</net><a b=1/>", "text after the root element", "rejects"
    ),
    "text after": Case(b"</net>", b"</net>text", "text after the root element"),
    "second root": Case(b"</net>", b"</net><net/>", "text after the root element"),
    "tag after": Case(b"</net>", b"</net><a", "text after the root element", "rejects"),
    "no quotes": Case(
        b'axis="1"', b"axis=1", "attribute value without quotes", "rejects"
    ),
    "typographic quotes around a space": Case(
        b'axis="1"',
        "axis=” 1”".encode(),
        "attribute value without quotes",
        "rejects",
    ),
    "typographic quotes": Case(
        b'axis="1"', "axis=“1”".encode(), "attribute value without quotes", "rejects"
    ),
}
FATAL = {
    "wrong end tag": Case(
        b"</port>",
        b"</pot>",
        "`</pot>` where `</port>` was expected: <port> was opened on line 8 and never closed"),
    "no end tag": Case(
        b"</port>",
        b"",
        "`</output>` where `</port>` was expected: <port> was opened on line 8 and never closed"),
    "cut off": Case(b"</net>", b"", "the text ends within <net>, which was opened on line 3: is it cut off?"),
    "cut off in a tag": Case(b"</net>\n", b"</n", "this tag has no end: is the text cut off?"),
    "cut off in a comment": Case(b"</net>", b"<!--", "the comment that starts here is never closed: `-->` is missing"),
    "no closing quote": Case(b'axis="1" />', b'axis="1 />', "`<` within a tag: is a quote or a `>` missing before it?"),
    "no space": Case(b'id="0" name', b'id="0"name', "a blank is missing before `name`"),
    "no value": Case(b'axis="1"', b"axis", "`axis` has no value"),
    "one quote and no sign": Case(b'axis="1"', b'axis 1"', "`=` is missing between `axis` and its value"),
    "layer closed by its start tag": Case(
        b'version="opset1">',
        b'version="opset1"/>',
        "layer 0 ends with `/>` here, but its content and `</layer>` follow"),
    "one end tag more": Case(
        b"</layer>", b"</layer></layer>", "`</layer>` closes nothing: layer 0 of line 5 is already closed"),
    "layer without an end": Case(
        b"</layer>", b"", "layer 1 begins before layer 0 of line 5 is closed"),
    "side without an end": Case(
        b"</input>", b"", "<output> begins before <input> of line 27 is closed"),
    "start tag twice": Case(b"<output>", b"<output><output>", "the tag of <output> is repeated"),
    "no greater-than": Case(b"<layers>", b"<layers", "`<` within a tag: is a quote or a `>` missing before it?"),
}  # fmt: skip


def text_of(case: Case) -> bytes:
    assert case.old in GOOD
    return GOOD.replace(case.old, case.new, 1)


@pytest.mark.parametrize("name", MENDED)
def test_mended(name: str) -> None:
    case = MENDED[name]
    text = text_of(case)
    model = ovgather.read(text)
    assert not model.fatal
    assert len(list(model.layers())) == 4
    (found,) = [found for found in ovgather.validate(model) if found.code == "OVG002"]
    assert (found.message, found.openvino, found.severity) == (
        f"malformed XML: {case.message}",
        case.openvino,
        "error",
    )


@pytest.mark.parametrize("name", FATAL)
def test_what_cannot_be_mended(name: str) -> None:
    case = FATAL[name]
    model = ovgather.read(text_of(case))
    assert model.fatal
    (found,) = ovgather.validate(model)
    assert (found.code, found.message, found.openvino) == (
        "OVG002",
        f"malformed XML: {case.message}",
        "rejects",
    )


@pytest.mark.slow
@requires_openvino
def test_openvino_agrees(tmp_path: Path) -> None:
    cases = {**MENDED, **FATAL}
    paths = {name: tmp_path / f"{number}.xml" for number, name in enumerate(cases)}
    for name, path in paths.items():
        path.write_bytes(text_of(cases[name]))
    judged = verdicts([str(path) for path in paths.values()])
    accepted = {name for name, path in paths.items() if judged[str(path)].read}
    assert accepted == {
        name
        for name, case in cases.items()
        if name not in FATAL and case.openvino == "accepts"
    }


@pytest.mark.slow
def test_every_place_of_a_kind_is_mended_and_told() -> None:
    names = [b"a&b", b"<c>", b"caf\xe9", b"\x02", b"&x;", b"&#1;"]
    layer = b'<layer id="%d" name="%s" type="Parameter" version=opset1 id="%d"><data shape="" element_type=f32 />'
    layers = b"".join(
        (layer + b"</layer>\n") % (number, names[number % len(names)], number)
        for number in range(120)
    )
    text = (
        b'<net name="m" version="11">\n<layers>\n'
        + layers
        + b"</layers>\n<edges/>\n</net>"
    )
    model = ovgather.read(text)
    assert not model.fatal
    assert [layer.name for layer in model.layers()][:6] == [
        "a&b",
        "<c>",
        "caf_",
        "?",
        "&x;",
        "&#1;",
    ]
    found = [
        item
        for item in ovgather.validate(model, max_findings=0)
        if item.code == "OVG002"
    ]
    assert len(found) == 4 * 120
    assert {item.line for item in found} == set(range(3, 123))


def test_nothing_is_mended_where_nothing_is_wrong() -> None:
    passages = b"<layers><!-- a & b <c d=1> --><![CDATA[ & <x> ]]><?x & d=1 ?>"
    text = GOOD.replace(b"<layers>", passages, 1).replace(NAME, b'name="a & b" type', 1)
    messages = [
        found.message for found in ovgather.validate(text) if found.code == "OVG002"
    ]
    assert messages == ["malformed XML: bare `&`"]


# -- document types and entities -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "doctype",
    [
        b"<!DOCTYPE net>",
        b'<!DOCTYPE net SYSTEM "net.dtd">',
        b'<!DOCTYPE net [<!ENTITY e "1">]>',
        b'<!DOCTYPE net [<!-- ]> --> <!ENTITY e "]>"> <?x "?> ]>',
        b'<!DOCTYPE net [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p; ]>',
        b'<!DOCTYPE net [<!ENTITY e "1">]><!DOCTYPE net [<!ENTITY e "2">]>',
    ],
)
def test_document_types_are_passed_over(doctype: bytes) -> None:
    model = ovgather.read(doctype + BODY)
    assert not model.fatal
    assert model.ir_version == 11
    assert {found.code for found in ovgather.validate(model)} == {"OVG006"}


def test_entities_stay_as_they_are() -> None:
    doctype = b'<!DOCTYPE net [<!ENTITY in "data"><!ENTITY out SYSTEM "file:///etc/hostname">]>'
    text = doctype + BODY.replace(NAME, b'name="&in;&out;&amp;" type', 1)
    model = ovgather.read(text)
    assert next(model.layers()).name == "&in;&out;&"
    found = [item for item in ovgather.validate(model) if item.code == "OVG006"]
    assert [item.severity == "error" for item in found] == [False, False, True]
    assert {item.openvino for item in found} == {"accepts"}


def test_no_file_and_no_network_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins
    import os
    import socket

    text = b'<!DOCTYPE net PUBLIC "p" "http://127.0.0.1/x" [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;'
    text += b'<!ENTITY e SYSTEM "file:///etc/hostname">]>' + BODY.replace(
        NAME, b'name="&e;" type', 1
    )
    ovgather.validate(text)  # whatever is imported late is imported now

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError(arguments)

    monkeypatch.setattr(builtins, "open", refuse)
    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(socket, "socket", refuse)
    model = ovgather.read(text)
    ovgather.validate(model)
    assert next(model.layers()).name == "&e;"


def test_billion_laughs() -> None:
    entities = b"".join(
        b'<!ENTITY e%d "%s">' % (number, b"&e%d;" % (number - 1) * 10)
        for number in range(1, 30)
    )
    for use in (
        BODY.replace(NAME, b'name="&e29;" type', 1),
        BODY.replace(b"<layers>", b"<layers>&e29;", 1),
    ):
        model = ovgather.read(
            b'<!DOCTYPE net [<!ENTITY e0 "ha">' + entities + b"]>" + use
        )
        assert not model.fatal
        assert ovgather.validate(model)


# -- hostile text --------------------------------------------------------------------------------------------------

HOSTILE = {
    "less-than": b"<" * 500_000,
    "ampersands": b'<net name="' + b"&" * 200_000 + b'" version="11"/>',
    "quotes": b"<net " + b'"' * 500_000,
    "open comments": b"<!DOCTYPE net [" + b"<!-- " * 200_000,
    "open comments in a layer": b'<layer type="Gather">'
    + b"<!-- " * 200_000
    + b"</layer>",
    "open CDATA": b"<net version=11>" + b"<![CDATA[" * 100_000,
    "open layers": b"<layer type=" * 100_000,
    "open dots": b"<... type=" * 100_000,
    "open references": b'<net a="' + b"&a" * 100_000,
    "attributes": b"<net " + b"a='' " * 30_000 + b"/>",
    "unquoted": b"<net " + b"a=b " * 30_000 + b"/>",
    "bytes": b"<net name='" + b"\xff" * 500_000 + b"'/>",
    "every other byte": b"<net name='" + b"\xffa" * 60_000 + b"'/>",
    "zeros": b"\x00" * 500_000,
    "brackets": b"<net>" + b"]]>" * 60_000 + b"</net>",
    "dashes": b"<net>" + b"<!-- -- -->" * 30_000 + b"</net>",
    "elements": b"<a>" * 300_000,
    "declarations": b"<net>" + b'<?xml version="1.0"?>' * 30_000 + b"</net>",
    "escapes": b"&lt;layer type=1 &gt;"
    + b"&lt;a b=c &gt;" * 30_000
    + b"&lt;/layer&gt;",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_comes_to_an_end(name: str) -> None:
    model = ovgather.read(HOSTILE[name])
    assert model.problems or model.source.edits


def test_mends_of_random_text_end() -> None:
    parts = [
        b"<",
        b">",
        b"&",
        b"&a;",
        b"&#1;",
        b'"',
        b"'",
        b"=",
        b" a=1",
        b' a="1"',
        b"<net>",
        b"</net>",
        b"<!--",
        b"-->",
        b"--",
    ]
    parts += [
        b"<![CDATA[",
        b"]]>",
        b"<?xml ",
        b"?>",
        b"<!DOCTYPE a [",
        b"]>",
        b"\xff",
        b"\x01",
        b"x",
        b"\n",
        b"<layer ",
        b"...",
    ]
    chance = random.Random(6)
    for _ in range(1_000):
        model = ovgather.read(
            b"".join(chance.choices(parts, k=chance.randrange(1, 25)))
        )
        ovgather.validate(model)
        ends = [0, *(edit.start + edit.removed for edit in model.source.edits)]
        assert all(
            edit.start >= end
            for edit, end in zip(model.source.edits, ends, strict=False)
        )
