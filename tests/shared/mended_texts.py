"""A good text, with one thing changed, and its fixes."""

from __future__ import annotations

from paths import SAMPLES

from ovgather.validation.fixes.fix import Fixed, fix
from ovgather.validation.plan import Plan

GOOD = (SAMPLES / "rules" / "OVG203" / "good.xml").read_text(encoding="utf-8")
"""Parameters data [3,7,5] and indices [3,10,5], GatherElements with axis 1, Result."""
IN_INDICES = '<port id="1" precision="I64"><dim>3</dim><dim>10</dim><dim>5</dim></port>'
OUTPUT = '<port id="2" precision="FP32"><dim>3</dim><dim>10</dim><dim>5</dim></port>'
EDGE = '<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>'
LAYER = '<layer id="2" name="pick" type="GatherElements" version="opset6">'


def mend(
    text: str | bytes,
    *,
    unsafe: bool = False,
    path: str = "m.xml",
    plan: Plan | None = None,
) -> Fixed:
    return fix(
        text.encode() if isinstance(text, str) else text,
        path,
        plan or Plan(),
        unsafe=unsafe,
    )


def changed(old: str, new: str, text: str = GOOD) -> str:
    assert text.count(old) == 1, (text.count(old), old)
    return text.replace(old, new)


def codes(fixed: Fixed) -> list[str]:
    return [one.finding.code for one in fixed.fixes]
