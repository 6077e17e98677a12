"""Findings to render: a file that is clean, one that is broken, one that cannot be read, one with hostile names."""

from __future__ import annotations

from functools import cache

from paths import SAMPLES

from ovgather.layers.reference import LayerReference
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic

DEMO = SAMPLES / "demo"
HOSTILE = (
    "plain",
    "",
    "]]>",
    "]]]]><![CDATA[>",
    "--><!--",
    "&amp;<b attr='\">",
    "\x00\x01\x1b[2J\x7f\x9f",
    "a\nb\rc\r\nd\te",
    "\u0085\u2028\u2029\u202e\ufeff\ufffe\uffff",
    "::error::pwned%0A%25,title=x",
    "[click](javascript:alert(1)) {0} {{1}} }{",
    "名前 é 😀",
    "\ud800 alone \udcff",
    "\ud83d\ude00",
    "x" * 5000,
)


def checked(path: str, *diagnostics: Diagnostic, fatal: bool = False) -> Checked:
    """A file with these findings."""
    return check_file(b"")._replace(
        path=path, diagnostics=list(diagnostics), fatal=fatal
    )


def finding(
    message: str = "unknown attribute `Axis`", path: str = "m.xml", **given: object
) -> Diagnostic:
    """A finding of OVG102, where nothing else is said."""
    code, severity = (
        str(given.pop("code", "OVG102")),
        str(given.pop("severity", "error")),
    )
    line, column = given.pop("line", 1), given.pop("column", 1)
    position = (
        line,
        column,
        given.pop("end_line", line),
        given.pop("end_column", column),
    )
    return Diagnostic(code, severity, message, path=path, position=position, **given)  # type: ignore[arg-type]


def hostile(text: str) -> Checked:
    """``text`` wherever a file can put text."""
    layer = LayerReference("2", text, text or "Gather", text, ("loop", text))
    message, path = f"layer {text!s} is odd", f"dir/{text.replace(chr(0), '')}.xml"
    found = finding(
        message,
        path,
        layer=layer,
        label=text,
        effect=text,
        help=text,
        line=3,
        column=7,
        end_column=9,
    )
    return checked(
        path,
        found,
        finding(message, path, severity="warning", layer=layer, line=4, end_line=6),
    )


@cache
def mixed() -> tuple[Checked, ...]:
    """Several real files: clean, broken, missing, not XML, not IR."""
    good, broken = (check_file(str(DEMO / name)) for name in ("good.xml", "broken.xml"))
    rest = (
        check_file(source)
        for source in ("missing/m.xml", b"<net", b"<html><body/></html>")
    )
    return (good, broken, *rest)
