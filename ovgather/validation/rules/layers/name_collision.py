"""What: in an IR v10, two inputs or outputs of the model have the same name: the name of the Parameter, of the layer
before the Result, or a tensor name (``names``) of its port. Or one port with tensor names is several of them.
Why: in IR v10, layer names identify inputs and outputs, so one name would identify two of them.
OpenVINO: rejects it: names "have collisions". Names inside the model, and in IR v11, may repeat; of two equal tensor
names, it renames one (OVG213).
Bad::
    <layer id="0" name="x" type="Parameter" …> <layer id="1" name="x" type="Parameter" …>
Good::
    <layer id="0" name="x" type="Parameter" …> <layer id="1" name="y" type="Parameter" …>
"""

from collections import Counter

from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG111", "name collision in an IR v10", "error", "rejects", of_snippets=False
)


def check(file: File) -> Findings:
    if file.model.ir_version != 10:
        return
    layers = [
        layer
        for layer in file.layers_of(("Parameter", "Result"))
        if layer.graph.parent is None
    ]
    ends = [(layer, 0) for layer in layers if layer.type == "Parameter"]
    ends += [
        source
        for layer in layers
        if layer.type == "Result" and (source := layer.producer(0)) is not None
    ]
    times = Counter((layer.offset, index) for layer, index in ends)
    # It parses a layer.
    tensor_names = (
        file.model.tensor_names if b"names" in file.source.data else lambda *end: ()
    )
    named = {
        (layer.offset, index): (layer, tensor_names(layer, index))
        for layer, index in ends
    }
    keeps = {name: end for end, (_, names) in reversed(named.items()) for name in names}
    owners: dict[str, tuple[int, int]] = {}
    for end, (layer, names) in named.items():
        if names and times[end] > 1:
            message = f"output {end[1]} has tensor names and is an input or output of the model {times[end]} times"
            yield file.report(RULE, message, f"output/{end[1]}/names", layer)
            continue
        # of the operation, which may have more than ports are declared
        if len(file.forward.outputs.get(layer.offset, layer.outputs)) > 1:
            own_name = f"{layer.name}.{end[1]}"
        else:
            own_name = layer.name
        for name in (own_name, *(name for name in names if keeps[name] == end)):
            if (owner := owners.setdefault(name, end)) != end:
                message = (
                    f'name "{name}" is taken: layer {named[owner][0].id} has it too'
                )
                message += ", and both are inputs or outputs of the model"
                yield file.report(RULE, message, "name", layer)
                break
