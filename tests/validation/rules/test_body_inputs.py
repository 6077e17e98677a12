"""Parameters of bodies that contradict what the port map brings them: the verdicts, and that no fix trusts them."""

from __future__ import annotations

from pathlib import Path

import pytest
from openvino_verdicts import requires_openvino, verdicts
from paths import SAMPLES
from small_models import layer, net, parameter, result

from ovgather.validation.api import validate
from ovgather.validation.fixes.fix import fix
from ovgather.validation.plan import Plan

SLICES, NESTED = (
    (SAMPLES / "demo" / name).read_text("utf-8")
    for name in ("tensor_iterator.xml", "nested.xml")
)
ENTRIES = [
    f'<input external_port_id="{outer}" internal_layer_id="{inner}" />'
    for outer, inner in ("10", "21", "11", "20")
]


def batched(data: str) -> str:
    """GatherND of a Parameter, which is to be of [3,4] and is of ``data``, and of [1,2], in a body."""
    body = net(
        parameter(0, data, "f32", f"FP32 {data}"),
        parameter(1, "1,2", "i64", "I64 1,2"),
        layer(
            2,
            "GatherND",
            "opset8",
            'batch_dims="0"',
            (f"FP32 {data}", "I64 1,2"),
            ("FP32 1",),
        ),
        result(3, "FP32 1"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )
    body = "<body>" + body.removeprefix('<net name="m" version="11">').replace(
        "</net>", "</body>"
    )
    entries = "".join(
        f'<input external_port_id="{at}" internal_layer_id="{at}"/>' for at in (0, 1)
    )
    entries = f'<port_map>{entries}<output external_port_id="2" internal_layer_id="3"/></port_map>'
    return net(
        parameter(0, "3,4", "f32", "FP32 3,4"),
        parameter(1, "1,2", "i64", "I64 1,2"),
        layer(
            2,
            "TensorIterator",
            "opset1",
            "",
            ("FP32 3,4", "I64 1,2"),
            ("FP32 1",),
            more=entries + body,
        ),
        result(3, "FP32 1"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )


def changed(text: str, old: str, new: str) -> str:
    """``text`` with the last ``old`` replaced."""
    before, found, after = text.rpartition(old)
    assert found
    return before + new + after


def parameter_of(text: str, name: str, *changes: tuple[str, str]) -> str:
    """``text`` with the last Parameter ``name`` changed."""
    start = text.rindex(f'name="{name}" type="Parameter"')
    end = text.index("</layer>", start)
    part = text[start:end]
    for old, new in changes:
        assert old in part
        part = part.replace(old, new, 1)
    return text[:start] + part + text[end:]


F16 = parameter_of(
    NESTED[: NESTED.index("<else_body>")], "data", ("f32", "f16"), ("FP32", "FP16")
)
F16 += NESTED[NESTED.index("<else_body>") :]
CASES = {
    "slices of another axis do not fit a layer": (
        SLICES.replace(
            'axis="0" external_port_id="1"', 'axis="1" external_port_id="1"'
        ),
        {"rejects"},
    ),
    "slices of two": (
        parameter_of(SLICES, "row", ("1,4", "2,4"), ("<dim>1<", "<dim>2<")),
        {"accepts"},
    ),
    "a TensorIterator keeps the type": (
        parameter_of(SLICES, "row", ("i64", "i32"), ("I64", "I32")),
        {"accepts"},
    ),
    "the inputs of an If are swapped": (
        changed(changed(NESTED, ENTRIES[0], ENTRIES[2]), ENTRIES[1], ENTRIES[3]),
        {"rejects"},
    ),
    "the type of data in an If": (F16, {"undefined"}),
}


@pytest.mark.parametrize("name", CASES)
def test_verdicts(name: str) -> None:
    text, expected = CASES[name]
    findings = validate(text.encode())
    about = [
        found
        for found in findings
        if "OVG309" in (found.code, *[each.code for each in found.consequences])
    ]
    assert {found.openvino for found in about} == expected


def test_swapped_inputs_of_an_if_are_one_finding() -> None:
    [found] = [
        each
        for each in validate(CASES["the inputs of an If are swapped"][0].encode())
        if each.code != "OVG008"
    ]
    assert (found.hypothesis, found.openvino, found.fixable) == (
        "entry",
        "rejects",
        True,
    )
    assert (
        found.message
        == 'external_port_id 1 and 2 of two entries of the port map of layer 7 "choose" are swapped'
    )


@requires_openvino
def test_openvino(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{place}.xml") for place in range(len(CASES))]
    for path, (text, _) in zip(paths, CASES.values(), strict=True):
        Path(path).write_text(text, encoding="utf-8")
        Path(path).with_suffix(".bin").write_bytes(
            (SAMPLES / "demo" / "nested.bin").read_bytes()
        )
    measured = verdicts(paths)
    stages = [measured[path].stage for path in paths]
    assert stages == [
        {"rejects": "read"}.get(*verdict, "") for _, verdict in CASES.values()
    ]


def test_the_fix_is_at_the_parameter() -> None:
    """Not at the port behind it, which says what is computed from what flows into the body."""
    fixed = fix(F16.encode(), "m.xml", Plan(), unsafe=True)
    assert [made.what for made in fixed.fixes] == [
        "output port 0 is FP32; element_type is f32"
    ]
    assert {found.code for found in fixed.left.diagnostics} == {"OVG008"}


def test_a_wrong_parameter_is_one_finding_with_and_without_a_bin(
    tmp_path: Path,
) -> None:
    path = tmp_path / "m.xml"
    path.write_text(F16, encoding="utf-8")
    path.with_suffix(".bin").write_bytes((SAMPLES / "demo" / "nested.bin").read_bytes())
    [found] = validate(str(path))
    [other] = [each for each in validate(F16.encode()) if each.code != "OVG008"]
    assert str(found).partition("error")[2] == str(other).partition("error")[2]
    assert (
        found.message
        == 'layer 0 "data" is a Parameter of FP16, but its consumer declares FP32'
    )


def test_nor_does_batch_dims() -> None:
    fixed = fix(batched("1,3,4").encode(), "m.xml", Plan(), unsafe=True)
    assert (fixed.fixes, {found.code for found in fixed.left.diagnostics}) == (
        [],
        {"OVG309"},
    )
