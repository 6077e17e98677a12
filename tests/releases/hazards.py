"""What is tried on each release of OpenVINO: the hazards that rules and findings tell of, with files that show them."""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / name)
    for name in ("shared", "validation/rules", "comparison", "verbs/convert")
)

from crosscheck_models import Ir, gather_model
from paths import ROOT
from small_models import layer, net, parameter, result
from test_bodies import TAKES, TEXTS
from test_hazards import CRASHES, REJECTS, text
from test_slice_before_gather_elements import model as sliced

SAMPLES = ROOT / "samples_xml" / "rules"
FINDINGS = ROOT / "docs" / "findings"
UNDEFINED = ROOT / "tests" / "releases" / "undefined"
"""Models whose output no page defines: what releases give is measured, and is no finding."""
OFTEN = 5
"""Runs of what depends on what lies in memory."""


class File(NamedTuple):
    """A model, by its path or as text and weights; ``want``: the values that should come, None where any will do."""

    path: Path | None = None
    text: str = ""
    weights: bytes = b""
    want: tuple[float, ...] | None = None


class Hazard(NamedTuple):
    """Something that goes wrong: its name, in words, the rule that tells of it, and what that says: ``dies``, say.

    ``files`` and ``folders`` show it, ``runs`` times each; a folder is a reproducer,
    run by ``docs/findings/reproduce.py``.
    """

    key: str
    title: str
    rule: str
    told: str
    files: tuple[File, ...] = ()
    folders: tuple[str, ...] = ()
    runs: int = 1


def sample(name: str, want: tuple[float, ...] | None = None) -> File:
    """A file of the rules' samples."""
    return File(path=SAMPLES / f"{name}.xml", want=want)


def gathers(code: str, *versions: str) -> Iterator[File]:
    """The cases of the tests for hazards, those of some versions of the operation only."""
    for given, case in [*CRASHES, *REJECTS]:
        if given == code and (not versions or case.get("opset", "opset8") in versions):
            axis = case["a"]
            weights = struct.pack("<q", axis) if isinstance(axis, int) else b""
            yield File(text=text(**case), weights=weights)  # type: ignore[arg-type]


def plain(type: str, opset: str, kind: str = "f32") -> File:
    """A layer of the family on Parameters, with data of an element type."""
    dims, axis = ([8, 1], None) if type == "GatherND" else ([8], 0)
    text, weights = gather_model(type, opset, (kind, [64]), ("i64", dims), axis)
    return File(text=text.decode(), weights=weights)


def typed(kind: str, *types: str) -> Iterator[File]:
    """The same, for some types of the family."""
    return (
        plain(type, "opset6" if type == "GatherElements" else "opset8", kind)
        for type in types
    )


def short_row() -> File:
    """Five zeros of i32, and 59 constant indices behind them: what comes, as f32, should be zeros, too."""
    ir = Ir()
    data, indices, axis = ("i32", [5]), ("i64", [59]), ("i64", [])
    gathered, real = ("i32", [59]), ("f32", [59])
    ir.parameter(0, "data", data)
    ir.const(1, "indices", indices, struct.pack("<59q", *range(5, 64)))
    ir.const(2, "axis", axis, struct.pack("<q", 0))
    ir.layer(3, "gather", "Gather", "opset8", "", [data, indices, axis], [gathered])
    ir.layer(
        4,
        "real",
        "Convert",
        "opset1",
        'destination_type="f32"',
        [gathered],
        [real],
    )
    ir.layer(5, "result", "Result", "opset1", "", [real], [])
    for number in range(3):
        ir.edge((number, 0), (3, number))
    ir.edge((3, 3), (4, 0))
    ir.edge((4, 1), (5, 0))
    text, weights = ir.files
    return File(text=text.decode(), weights=weights, want=(0.0,) * 59)


def spoilt(kind: str) -> File:
    """The sample for nf4, a million elements that are written, with another type."""
    path = SAMPLES / "OVG705" / "bad.xml"
    written = (
        path.read_text(encoding="utf-8")
        .replace("nf4", kind)
        .replace("NF4", kind.upper())
    )
    size = {"u2": 16}.get(kind, 32)
    written = written.replace('offset="0" size="32"', f'offset="0" size="{size}"')
    return File(text=written, weights=path.with_suffix(".bin").read_bytes())


def taken(old: str, new: str, of: str) -> File:
    """The file of a body with one thing changed."""
    assert old in TEXTS[of]
    weights = ROOT / "tests" / "data" / "bodies" / "loop.bin"
    return File(
        text=TEXTS[of].replace(old, new, 1),
        weights=weights.read_bytes() if of == "loop" else b"",
    )


def lone(type: str, opset: str, attributes: str = "") -> File:
    """A layer without inputs, and so without what it cannot do without."""
    made = layer(0, type, opset, attributes, (), ("FP32",))
    return File(text=net(made, result(1, "FP32"), edges="0:0-1:0"))


def state(type: str, opset: str) -> File:
    """A ReadValue or an Assign without ``variable_id``."""
    made = layer(
        1,
        type,
        opset,
        'variable_type="f32" variable_shape="3"',
        ("FP32 3",),
        ("FP32 3",),
    )
    return File(
        text=net(
            parameter(0, "3", "f32", "FP32 3"),
            made,
            result(2, "FP32 3"),
            edges="0:0-1:0 1:1-2:0",
        )
    )


def states(*opsets: str) -> tuple[File, ...]:
    """Both, in some opsets."""
    return tuple(
        state(type, opset) for type in ("ReadValue", "Assign") for opset in opsets
    )


ALL = ("Gather", "GatherElements", "GatherND")
ONES = (1.0,) * 8
HAZARDS = (
    Hazard(
        "number-words",
        "`+1`, or a word, for a number",
        "OVG103",
        "refused",
        (sample("OVG103/bad-2"), sample("OVG103/bad-4")),
    ),
    Hazard(
        "batch-dims-below",
        "below 0 even when counted from the end",
        "OVG105",
        "runs",
        (sample("OVG105/bad"),),
    ),
    Hazard(
        "weights-words",
        "`offset` that is no number",
        "OVG110",
        "refused",
        (sample("OVG110/bad"),),
    ),
    Hazard(
        "weights-type",
        "`F32` as the element type",
        "OVG110",
        "refused",
        (sample("OVG110/bad-2"),),
    ),
    Hazard(
        "negative-dim",
        "a negative dim, which becomes 0",
        "OVG210",
        "runs",
        (sample("OVG210/bad"),),
    ),
    Hazard(
        "tensor-names",
        "`names` that end with a backslash",
        "OVG213",
        "dies",
        (sample("OVG213/bad-3"),),
    ),
    Hazard(
        "part-size",
        "`part_size` 0 of a TensorIterator",
        "OVG306",
        "dies",
        (sample("OVG306/bad-8"),),
    ),
    Hazard(
        "stride",
        "`stride` 0 of a Loop",
        "OVG306",
        "dies",
        (taken(TAKES, TAKES.replace(" />", ' axis="0" stride="0" />'), "loop"),),
    ),
    Hazard(
        "state-unkept",
        "a ReadValue without Assign",
        "OVG307",
        "refused",
        (sample("OVG307/bad-2"),),
    ),
    Hazard(
        "size-wraps",
        "a Const whose size wraps round 64 bits",
        "OVG403",
        "dies",
        (sample("OVG403/bad-3"),),
    ),
    Hazard(
        "strings-short",
        "packed strings, fewer than the shape says",
        "OVG404",
        "dies",
        (sample("OVG404/bad"),),
        runs=OFTEN,
    ),
    Hazard(
        "strings-past",
        "packed strings, an offset past the end",
        "OVG404",
        "dies",
        (sample("OVG404/bad-3"),),
        runs=OFTEN,
    ),
    Hazard(
        "elements-outside",
        "GatherElements, an index outside",
        "OVG501",
        "runs",
        (sample("OVG501/bad"),),
    ),
    Hazard(
        "elements-negative",
        "GatherElements, a negative index",
        "OVG501",
        "wrong",
        (sample("OVG501/good", (1, 10, 9, 2)),),
    ),
    Hazard(
        "tuple-negative",
        "GatherND, a negative index",
        "OVG501",
        "wrong",
        (sample("OVG501/bad-5", (4, 17)),),
    ),
    Hazard(
        "tuple-outside",
        "GatherND, an index outside",
        "OVG501",
        "wrong",
        (),
        ("tuple-outside",),
        runs=2,
    ),
    Hazard(
        "old-negative",
        "Gather-1 and Gather-7, a negative index",
        "OVG501",
        "wrong",
        (),
        (str(UNDEFINED / "negative-index"),),
    ),
    Hazard(
        "empty-axis",
        "an axis of length 0",
        "OVG502",
        "wrong",
        (),
        ("empty-axis",),
        runs=3,
    ),
    Hazard(
        "batch-of-one",
        "batch_dims over a batch of one",
        "OVG701",
        "dies",
        (sample("OVG701/bad", ONES), sample("OVG701/bad-2"), *gathers("OVG701")),
        ("batch-of-one",),
        runs=2,
    ),
    Hazard(
        "batch-of-one-constants",
        "the same, data and indices constant",
        "OVG701",
        "dies",
        (),
        ("batch-of-one-constants",),
        runs=OFTEN,
    ),
    Hazard(
        "empty-dim",
        "static, a dim of length 0",
        "OVG702",
        "dies",
        (sample("OVG702/bad"), sample("OVG702/bad-2"), *gathers("OVG702")),
        ("empty-dim",),
    ),
    Hazard(
        "empty-constant",
        "dynamic, a Const with a dim of length 0",
        "OVG702",
        "dies",
        (),
        ("empty-constant",),
    ),
    Hazard(
        "axis-of-gather-1",
        "Gather-1, an axis that is computed",
        "OVG703",
        "dies",
        tuple(gathers("OVG703", "opset1")),
    ),
    Hazard(
        "axis-computed",
        "Gather-7 and Gather-8, an axis that is computed",
        "OVG703",
        "refused",
        tuple(gathers("OVG703", "opset7", "opset8")),
    ),
    Hazard(
        "short-row",
        "few integers, an index outside",
        "OVG704",
        "wrong",
        (short_row(),),
        ("short-row",),
        runs=3,
    ),
    Hazard(
        "short-row-far",
        "few integers, an index far outside",
        "OVG704",
        "dies",
        (sample("OVG704/bad-2"),),
        runs=3,
    ),
    *(
        Hazard(
            f"type-{kind}", f"data of type {kind}", "OVG705", told, files, folders, runs
        )
        for kind, told, files, folders, runs in (
            ("u2", "dies", (spoilt("u2"),), (), 2),
            ("nf4", "dies", (spoilt("nf4"),), ("nf4",), 2),
            ("f4e2m1", "dies", (spoilt("f4e2m1"),), ("f4e2m1",), 2),
            ("u1", "refused", (*typed("u1", *ALL),), (), 1),
            ("u3", "refused", (*typed("u3", *ALL),), (), 1),
            ("u6", "refused", (*typed("u6", *ALL),), (), 1),
            ("dynamic", "refused", (*typed("dynamic", *ALL),), (), 1),
        )
    ),
    Hazard(
        "type-string",
        "strings, GatherElements and GatherND",
        "OVG705",
        "refused",
        tuple(typed("string", "GatherElements", "GatherND")),
        ("string-gatherelements", "string-gathernd"),
    ),
    Hazard(
        "string-narrow-indices",
        "strings, indices of 8 or 16 bits",
        "",
        "refused",
        (),
        ("string-narrow-indices",),
    ),
    Hazard("f64", "f64", "OVG706", "wrong", (), ("f64",)),
    Hazard("i64", "i64 and u64 beyond 32 bits", "OVG706", "wrong", (), ("narrow-i64",)),
    Hazard(
        "constant-u32",
        "u32 beyond i32, as a Const",
        "OVG706",
        "wrong",
        (),
        ("constant-u32",),
    ),
    Hazard(
        "constant-subnormal",
        "subnormal f32, as a Const",
        "",
        "wrong",
        (),
        ("constant-subnormal",),
    ),
    Hazard(
        "index-modulo",
        "an index outside that is inside modulo 2^32",
        "",
        "wrong",
        (),
        ("index-modulo",),
    ),
    Hazard(
        "broadcast",
        "Broadcast of opset1 and opset2 without inputs",
        "OVG707",
        "dies",
        (lone("Broadcast", "opset1"),),
    ),
    Hazard(
        "maxpool",
        "MaxPool of opset1 to opset7 without input",
        "OVG707",
        "dies",
        tuple(lone("MaxPool", f"opset{n}", 'kernel="1" strides="1"') for n in (1, 7)),
    ),
    Hazard(
        "state",
        "ReadValue and Assign without variable_id",
        "OVG707",
        "dies",
        states("opset6", "opset13"),
    ),
    Hazard(
        "rank",
        "more than 32 dims, or a dynamic rank",
        "OVG708",
        "refused",
        (sample("OVG708/bad"), *gathers("OVG708")),
    ),
    Hazard(
        "unsqueezed",
        "a Gather of constants behind an Unsqueeze",
        "OVG713",
        "wrong",
        (sample("OVG713/bad", (1.0, 1.0, 1.0)),),
    ),
    Hazard(
        "joined",
        "Gathers with `batch_dims` in a Concat",
        "OVG714",
        "wrong",
        (sample("OVG714/bad", (1.0, 8.0, 15.0, 22.0) * 2),),
    ),
    Hazard(
        "slice",
        "a Slice before a GatherElements",
        "",
        "refused",
        (File(text=sliced("Slice")[0].decode(), weights=sliced("Slice")[1]),),
    ),
    Hazard(
        "empty-strings",
        "`Tensor.bytes_data` of empty strings",
        "",
        "wrong",
        (),
        ("empty-strings",),
    ),
)
