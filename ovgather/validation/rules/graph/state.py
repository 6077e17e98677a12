"""What: no ReadValue that leads to a Result has the ``variable_id`` of an Assign; or no Assign has the ``variable_id``
of a ReadValue; or an Assign up to opset5 does not depend on its ReadValue. OVG113 reports an initial value that does
not fit the variable.
Why: an Assign and a ReadValue form a variable together: the Assign stores the value that the next run reads.
OpenVINO: rejects an Assign without its ReadValue (``map::at``, or "Can't find variable with id"). It reads and compiles
a ReadValue without its Assign, but fails when it runs on the CPU: a warning. (No ``variable_id``: OVG707.)
Bad::
    <layer … type="ReadValue" …><data variable_id="a" …/> <layer … type="Assign" …><data variable_id="b" …/>
Good::
    <layer … type="ReadValue" …><data variable_id="a" …/> <layer … type="Assign" …><data variable_id="a" …/>
"""

from ovgather.validation.context import (
    Effect,
    File,
    Findings,
    Layer,
    LayerSignature,
    Rule,
)
from ovgather.validation.facts.edges import upstream
from ovgather.validation.facts.hazards import STATE

RULE = Rule(
    "OVG307",
    "state that is stored but never read, or read but never stored",
    "error warning",
    "rejects rejects_on_compile rejects_on_run",
    of_snippets=False,
)
_OLD = frozenset({"opset3", "opset4", "opset5"})
_MOST_READERS = 8
_FAILS = Effect(
    'the CPU fails when it runs it: "doesn\'t have sibling output"', "state-unkept"
)


def check(file: File) -> Findings:
    types = [type for type in file.types if type.lower() in STATE]
    states = file.layers_where(_is_complete, types)
    if not states:
        return
    assigns = [layer for layer in states if layer.type.lower() == "assign"]
    stored = set(map(_name, assigns))
    unstored = [
        layer
        for layer in states
        if layer.type.lower() == "readvalue" and _name(layer) not in stored
    ]
    readers = [
        layer
        for layer in states
        if layer.type.lower() == "readvalue" and file.is_built(layer)
    ]
    names = set(map(_name, readers))
    old_names = {_name(layer) for layer in readers if layer.version in _OLD}
    # An Assign of an old opset reads only variables of old ReadValues.
    unread = [
        layer
        for layer in assigns
        if _name(layer) not in (old_names if layer.version in _OLD else names)
    ]
    unconnected = [
        layer
        for layer in assigns
        if layer.version in _OLD and layer not in unread and not _is_behind(layer)
    ]
    for layer in unread:
        name = _name(layer)
        message = f"no ReadValue that leads to a Result reads the variable {name!r}"
        help = None
        if len(unstored) == 1:
            help = f"did you mean {_name(unstored[0])!r}?"
        if name in names:
            message = f"the ReadValue of the variable {name!r} is newer than this Assign of {layer.version}"
            help = None
        readers_of_others = unstored or [
            reader for reader in readers if _is_second(reader, readers)
        ]
        related = [
            (
                f"this one reads the variable {_name(reader)!r}",
                file.place(reader, "data/variable_id"),
            )
            for reader in readers_of_others[:_MOST_READERS]
        ]
        yield file.report(
            RULE, message, "data/variable_id", layer, help=help, related=related
        )
    for layer in unconnected:
        message = f"the ReadValue of the variable {_name(layer)!r} does not lead to this Assign of {layer.version}"
        yield file.report(RULE, message, "data/variable_id", layer)
    for layer in readers:
        name = _name(layer)
        consumers = [each for each, _ in layer.consumers(0)]
        if (
            layer.version not in _OLD
            and consumers
            and all(
                [each.type == "Assign" and _name(each) == name for each in consumers]
            )
        ):
            message = f"only its own Assign reads the variable {name!r}"
            yield file.report(
                RULE,
                message,
                "data/variable_id",
                layer,
                "rejects_on_compile",
                help="leave both out: nothing depends on the variable",
            )
    if not unread:
        for layer in unstored:
            message = f"no Assign keeps the variable {_name(layer)!r}"
            yield file.report(
                RULE,
                message,
                "data/variable_id",
                layer,
                "rejects_on_run",
                effect=_FAILS,
                severity="warning",
                stage="run",
            )


def _is_second(reader: Layer, readers: list[Layer]) -> bool:
    """Whether another one reads the same variable."""
    return sum(_name(reader) == _name(other) for other in readers) > 1


def _is_behind(assign: Layer) -> bool:
    """Whether what ``assign`` stores depends on its variable: OpenVINO looks for the ReadValue of an old one there."""
    name = _name(assign)
    return any(
        each.type.lower() == "readvalue" and each.data.get("variable_id") == name
        for each in upstream(assign)
    )


def _is_complete(signature: LayerSignature) -> bool:
    """Whether it says its variable. A ReadValue that does not crashes OpenVINO; the variable of an Assign is ''."""
    return "variable_id" in signature.data or signature.type.lower() == "assign"


def _name(layer: Layer) -> str:
    return layer.data.get("variable_id", "")
