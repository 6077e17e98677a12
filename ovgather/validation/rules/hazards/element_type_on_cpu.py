"""What: ``data`` of a Gather layer is ``u2``, ``nf4`` or ``f4e2m1``; or ``u1``, ``u3``, ``u6`` or a dynamic type; or,
for GatherElements and GatherND, ``string``. Or the indices of a Gather-1 are not integers, those of a GatherND are
``u2``, or constant indices are ``u1``, ``u3`` or ``u6``. Or any Parameter of the model is ``u1``, ``u3``, ``u6`` or of
a dynamic type.
Why: the specification allows any element type, or names none, and OpenVINO reads the file.
OpenVINO: with ``u2``, ``nf4`` and ``f4e2m1`` the CPU writes past the end of the output: the values are wrong, and the
process dies at once or later. So it is with ``u1``, ``u3`` and ``u6`` data of a Const, and with ``u1`` indices of a
Gather, when it compiles. The other types are read, but the model does not compile for the CPU.
Bad::
    <data shape="8,4" element_type="nf4"/>
Good::
    <data shape="8,4" element_type="u4"/>
"""

from ovgather.ops.declaration import READABLE_REALS
from ovgather.tensor import element_type
from ovgather.validation.context import (
    Diagnostic,
    Effect,
    File,
    Findings,
    GatherLayer,
    Layer,
    Rule,
)
from ovgather.validation.facts.flow import may_wait

RULE = Rule(
    "OVG705",
    "element type that the CPU cannot gather",
    "warning",
    "rejects_on_compile crashes undefined",
)
_SPOILT = frozenset({"u2", "nf4", "f4e2m1"})
_REFUSED = frozenset({"u1", "u3", "u6"})
_CONCERNED = _SPOILT | _REFUSED | {"string", "dynamic"}
_NO_INTEGERS = frozenset(
    {
        "boolean",
        "bf16",
        "f16",
        "f32",
        "f64",
        "f8e4m3",
        "f8e5m2",
        "f8e8m0",
        "f4e2m1",
        "string",
    }
)
_EFFECTS = {
    "crashes": "compiles it, and writes past the end of the output when it runs: wrong values, or the process dies",
    "rejects_on_compile": "the CPU rejects it when compiling the model",
    "undefined": "the CPU rejects it, unless the type that flows into the body reaches the layer",
}
_WAITS = "the CPU rejects it, now or when the model runs"
_DIES = "converts them when it compiles the model, and writes past their end: the process dies, at once or later"


def check(file: File) -> Findings:
    sources: set[Layer] = set()
    for gathers in file.alike:
        yield from _indices(file, gathers)
        kind = gathers[0].output_type
        if kind is not None and kind.name in _CONCERNED:
            for gather in gathers:
                if (verdict := _verdict(gather, str(kind))) is not None:
                    if (source := gather.layer.producer(0)) is not None:
                        sources.add(source[0])
                    message = f"data is {kind}, which {gather.operation.name} cannot gather on the CPU"
                    is_measured = (verdict == "crashes") == (
                        str(kind) in _SPOILT
                    ) and verdict != "undefined"
                    outcome: str | Effect = _EFFECTS[verdict]
                    if is_measured:
                        outcome = Effect(_EFFECTS[verdict], f"type-{kind}")
                    yield _finding(file, gather, 0, message, verdict, outcome)
    if not file.model.snippet:
        for layer in file.layers_of(["Parameter"]):
            kind = element_type.find_data(layer.data.get("element_type", "-"))
            is_input = layer.graph.parent is None
            if (
                kind is not None
                and kind.name in _REFUSED | {"dynamic"}
                and layer not in sources
                and is_input
            ):
                message = (
                    f"a Parameter of element type {kind}, which the CPU does not take"
                )
                verdict, effect = "rejects_on_compile", _EFFECTS["rejects_on_compile"]
                if kind.name == "dynamic" and may_wait(file, layer):
                    verdict, effect = "undefined", _WAITS
                yield file.report(
                    RULE, message, "data/element_type", layer, verdict, effect
                )


def _indices(file: File, gathers: list[GatherLayer]) -> Findings:
    """Indices, and an axis, of a type that OpenVINO accepts when it reads the file."""
    first = gathers[0]
    operation = first.operation
    for index, kind in [*enumerate(map(str, first.element_types))][1:3]:
        source = first.layer.producer(index)
        is_const = source is not None and source[0].type == "Const"
        verdict = _verdict_of_indices(first, index, kind, is_const)
        if verdict is None:
            continue
        subject = "indices are" if index == 1 else "the axis is"
        if kind in _NO_INTEGERS:
            takes = "integers"
        else:
            takes = f"no {kind}"
        message = f"{subject} {kind}, {operation.name} takes {takes} on the CPU"
        for gather in gathers:
            effect = _EFFECTS[verdict]
            if verdict == "crashes":
                effect = _DIES
            yield file.report(
                RULE, message, f"input/{index}", gather.layer, verdict, effect
            )


def _verdict_of_indices(
    gather: GatherLayer, index: int, kind: str, is_const: bool
) -> str | None:
    operation = gather.operation
    if operation.indexes_by_tuples:
        is_refused = kind == "u2" or (is_const and kind in _REFUSED)
    elif operation.indices_replace_axis and index == 1 and is_const and kind == "u1":
        return "crashes"
    elif operation.indices_replace_axis and index == 1 and is_const:
        is_refused = kind in _REFUSED
    else:
        is_refused = False
    if operation.name == "Gather-1":
        # OVG204 reports a constant axis that OpenVINO does not read, and OVG113 one of a floating type.
        is_axis = index == 2 and (
            is_const or kind in READABLE_REALS or _is_folded(gather)
        )
        is_real = kind in _NO_INTEGERS and not is_axis
        is_refused |= is_real or (kind == "nf4" and is_const)
    return "rejects_on_compile" if is_refused else None


def _is_folded(gather: GatherLayer) -> bool:
    """Whether OpenVINO computes the layer before the CPU sees it; integers may be wanted as a shape, and it fails."""
    is_constant = all(
        [gather.is_constant(index) for index in range(len(gather.sources))]
    )
    return is_constant and str(gather.element_types[0]) in _NO_INTEGERS


def _finding(
    file: File,
    gather: GatherLayer,
    index: int,
    message: str,
    verdict: str,
    effect: str | Effect,
) -> Diagnostic:
    stage = "run" if verdict == "crashes" else None
    place = f"input/{index}"
    return file.report(RULE, message, place, gather.layer, verdict, effect, stage=stage)


def _verdict(gather: GatherLayer, kind: str) -> str | None:
    if kind in _SPOILT:
        return "crashes"
    source = gather.layer.producer(0)
    if kind in _REFUSED or (
        kind == "string" and not gather.operation.indices_replace_axis
    ):
        is_const = kind in _REFUSED and source is not None and source[0].type == "Const"
        return "crashes" if is_const else "rejects_on_compile"
    # A type that no <data> declares is unknown rather than dynamic; OVG211 reports an absent element type.
    if (
        source is None
        or source[0].type != "Parameter"
        or kind != "dynamic"
        or "element_type" not in source[0].data
    ):
        return None
    if source[0].graph.parent is None:
        return "rejects_on_compile"
    return "undefined"
