"""What: in an IR v10, two inputs or outputs of the model have the same name: the name of the Parameter, of the layer
before the Result, or one of the tensor names (``names``) of its port.
Why: in IR v10, layer names identify inputs and outputs, so one name would identify two of them.
OpenVINO: rejects it: "Model operation names have collisions with tensor names". Names inside the model, and in IR v11,
may repeat.
Bad::
    <layer id="0" name="x" type="Parameter" …> <layer id="1" name="x" type="Parameter" …>
Good::
    <layer id="0" name="x" type="Parameter" …> <layer id="1" name="y" type="Parameter" …>
"""

from ovgather.validation.context import File, Findings, Layer, Rule

RULE = Rule("OVG111", "name collision in an IR v10", "error", "rejects")


def check(file: File) -> Findings:
    if file.model.ir_version != 10 or file.model.snippet:
        return
    layers = [layer for layer in file.layers_of(("Parameter", "Result")) if layer.graph.parent is None]
    ends = [(layer, 0) for layer in layers if layer.type == "Parameter"]
    ends += [source for layer in layers if layer.type == "Result" and (source := layer.producer(0)) is not None]
    owners: dict[str, tuple[Layer, int]] = {}
    has_names = b"names" in file.source.data  # each look-up parses a layer
    for layer, index in ends:
        own_name = f"{layer.name}.{index}" if len(layer.outputs) > 1 else layer.name
        names = file.model.tensor_names(layer, index) if has_names else ()
        for name in dict.fromkeys((own_name, *names)):
            owner, output = owners.setdefault(name, (layer, index))
            if (owner.offset, output) != (layer.offset, index):
                message = f'name "{name}" is taken: layer {owner.id} has it too'
                message += ", and both are inputs or outputs of the model"
                yield file.report(RULE, message, "name", layer)
                break
