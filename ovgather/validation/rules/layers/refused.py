"""What: a layer whose inputs or attributes its operation does not take: element types, ranks, dims, values, or the
number of inputs. This holds for every type of OpenVINO's opsets; rules of their own report what is wrong with Gather
layers.
Why: OpenVINO computes shapes from Parameters and Consts when it reads a file, and checks each layer with them.
OpenVINO: rejects the file.
Bad::
    data [30] -> Reshape, pattern (4,6)
Good::
    data [24] -> Reshape, pattern (4,6)
"""

from ovgather.forward.run import Refusal
from ovgather.ops.declaration import READABLE_REALS
from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG113",
    "inputs or attributes that the operation refuses",
    "error note",
    "rejects rejects_on_compile rejects_on_run undefined",
    needs="forward.refusals",
)
_OPEN = "rejects the layer if the shapes that it computes are those of the ports"
_SOMETIMES = "compiles the layer on some processors or in some runs, and not in others"


def check(file: File) -> Findings:
    for refusal in file.forward.refusals:
        layer = refusal.layer
        if _is_reported(file, refusal):
            continue
        effect = _OPEN if refusal.basis else ""
        severity = None
        if refusal.error.stage == "sometimes":
            effect, severity = _SOMETIMES, "note"
        stage = None
        if refusal.error.stage == "run":
            stage = "run"
        about = file.deviations.roots_of(layer)
        yield file.report(
            RULE,
            str(refusal.error),
            _place(refusal),
            layer,
            refusal.verdict,
            effect,
            severity=severity,
            about=about,
            stage=stage,
        )


def _is_reported(file: File, refusal: Refusal) -> bool:
    """Whether another rule reports the refusal: those of Gather layers, and of entities, whose meaning is unknown."""
    layer = refusal.layer
    if _is_entity(layer.data.get(refusal.error.argument, "")):
        return True
    gather = file.gathers.get(layer.offset)
    if gather is None:
        return False
    if refusal.error.stage != "read":
        # OVG705 reports other types that the CPU does not compile.
        return (
            refusal.input_index != 2
            or refusal.inputs[2].element_type not in READABLE_REALS
        )
    types = gather.element_types
    return bool(
        gather.operation.check(
            gather.shapes,
            axis=gather.axis,
            batch_dims=gather.batch_dims,
            element_types=types,
        )
    )


def _is_entity(text: str) -> bool:
    return text.startswith("&") and text.endswith(";")


def _place(refusal: Refusal) -> str:
    """The attribute, the input or the type of the layer."""
    layer = refusal.layer
    argument = refusal.error.argument
    if argument in layer.data:
        return f"data/{argument}"
    index = refusal.input_index
    if index is None:
        return "type"
    return f"input/{index}"
