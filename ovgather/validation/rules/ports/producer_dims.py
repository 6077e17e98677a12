"""What: the dims or the precision of an input port differ from those of the output port that feeds it. This holds for
all layers.
Why: both ports describe one tensor, so the file contradicts itself. Nothing depends on the precision: this is a
warning, as is a dim that only one of them leaves dynamic. It is an error if another output of the same layer is
declared as the input is: the edge then takes the wrong tensor, such as the values of a TopK in place of its indices. If
all inputs that take an output contradict it, the finding is at the output.
OpenVINO: ignores ports, and infers shapes and types anew.
Bad::
    output port <dim>3</dim> -> input port <dim>9</dim>
Good::
    output port <dim>3</dim> -> input port <dim>3</dim>
"""

from ovgather.layers.tensors import dims_shape
from ovgather.validation.context import Diagnostic, File, Findings, Layer, Port, Rule
from ovgather.validation.facts.edges import differ_in_dims, types_that_differ
from ovgather.validation.facts.flow import IGNORES_PORTS

RULE = Rule(
    "OVG206",
    "input port that contradicts its producer",
    "error warning",
    "accepts",
    needs="links.contradictory",
)
_End = tuple[Layer, Port, Layer, int, Port]
"""An output, and the input that contradicts it with the index of its port."""


def check(file: File) -> Findings:
    outputs: dict[tuple[int, int], list[_End]] = {}
    for _, source, output, target, input_port in file.links.contradictory:
        if (
            output is not None
            and input_port is not None
            and source is not None
            and target is not None
        ):
            end = source, output, target, target.inputs.index(input_port), input_port
            outputs.setdefault((source.offset, output.id), []).append(end)
    for ends in outputs.values():
        if (
            len(ends) > 1
            and len({(port.dims, port.precision) for *_, port in ends}) == 1
        ):
            yield _producer(file, ends)
        else:
            yield from [_compare(file, *end) for end in ends]


def _producer(file: File, ends: list[_End]) -> Diagnostic:
    """One finding at the output that several inputs contradict in the same way."""
    source, output, _, _, input_port = ends[0]
    number, (severity, attribute, here, there) = (
        source.outputs.index(output),
        _difference(output, input_port),
    )
    message = f"{_noun(attribute)}output {number} is declared {here}, but its {len(ends)} consumers declare {there}"
    related = [
        (
            f'input {index} of layer {target.id} "{target.name}"',
            file.place(target, f"input/{index}{attribute}"),
        )
        for _, _, target, index, _ in ends
    ]
    place = f"output/{number}{attribute}"
    return file.report(
        RULE,
        message,
        place,
        source,
        effect=IGNORES_PORTS,
        severity=severity,
        related=related,
    )


def _noun(attribute: str) -> str:
    """What is wrong, if it is no dim."""
    return "wrong element type: " if attribute == "/precision" else ""


def _difference(output: Port, input_port: Port) -> tuple[str, str, str, str]:
    """The severity, the attribute, and what output and input say; dims before the precision."""
    types = types_that_differ(output, input_port)
    if types is not None and not differ_in_dims(output, input_port):
        return "warning", "/precision", types[0].port, types[1].port
    shapes = dims_shape(output.dims), dims_shape(input_port.dims)
    # A warning where only one of the ports leaves a dim open.
    return (
        "warning" if shapes[0].compatible(shapes[1]) else "error",
        "",
        str(shapes[0]),
        str(shapes[1]),
    )


def _compare(
    file: File, source: Layer, output: Port, target: Layer, index: int, input_port: Port
) -> Diagnostic:
    severity, attribute, output_says, input_says = _difference(output, input_port)
    kind = _noun(attribute)
    number = source.outputs.index(output)
    declared = input_port.dims, input_port.precision
    if any((each.dims, each.precision) == declared for each in source.outputs):
        severity = "error"
    origin = f'layer {source.id} "{source.name}"'
    if not attribute and len(output.dims) == len(input_port.dims):
        pairs = [
            pair
            for pair in enumerate(zip(output.dims, input_port.dims, strict=True))
            if len({*pair[1]}) > 1
        ]
        # A contradiction, else the first that differs.
        dim = max(pairs, key=lambda pair: min(pair[1]) >= 0)[0]
        attribute = f"/dim/{dim}"
    message = f"{kind}input {index} is declared {input_says}, but {origin} produces {output_says}"
    place = f"input/{index}{attribute}"
    related = [
        (
            f"output {number} of {origin}",
            file.place(source, f"output/{number}{attribute}"),
        )
    ]
    return file.report(
        RULE,
        message,
        place,
        target,
        effect=IGNORES_PORTS,
        severity=severity,
        related=related,
        about=[source],
    )
