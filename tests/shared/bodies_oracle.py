"""Models with bodies beside OpenVINO: the tensor of every output of every layer, inside and outside of bodies.

    python tests/shared/bodies_oracle.py FILE.xml ...

prints what the forward pass and ``read_model`` say of files.
"""

from __future__ import annotations

import base64
import struct
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from declared_oracle import CODES, Child
from ir_text import (
    attributes_text,
    edge_text,
    graph_text,
    layer_text,
    net_text,
    port_text,
)

CHILD = r"""
import base64, json, os, sys
import openvino as ov
core = ov.Core()
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

def outputs_of(model, path):
    for node in model.get_ordered_ops():
        name = path + "/" + node.get_friendly_name()
        kind = node.get_type_name()
        if kind == "Result":
            continue
        yield name, [[str(port.get_partial_shape()).replace(" ", ""), port.get_element_type().get_type_name()]
                     for port in node.outputs()]
        if kind in ("If", "Loop", "TensorIterator"):
            for number in range(2 if kind == "If" else 1):
                body = node.get_function(number) if kind == "If" else node.get_function()
                yield from outputs_of(body, name + "/" + str(number))

for line in sys.stdin:
    xml, weights, path = json.loads(line)
    try:
        if path:
            model = core.read_model(path)
        else:
            data = base64.b64decode(weights)
            tensor = ov.Tensor(ov.Type.u8, ov.Shape([len(data)]))
            if data:
                tensor.data[:] = list(data)
            model = core.read_model(xml.encode(), tensor)
        answer = {"layers": dict(outputs_of(model, ""))}
    except Exception as error:
        answer = {"error": str(error)}
    out.write(json.dumps(answer) + "\n")
    out.flush()
"""


_child = Child(CHILD)


class Oracle:
    """OpenVINO in a child process; a crash is an answer."""

    def ask(self, xml: str, weights: bytes, path: str = "") -> dict[str, Any]:
        """The outputs of all layers by path, or the error."""
        data = base64.b64encode(weights).decode()
        return _child.ask([xml, data, path]) or {"crash": True}


_NUMBERS = {"body": "0", "then_body": "0", "else_body": "1"}


def infer(model: Any) -> dict[str, Any]:
    """What the forward pass says, in the form of ``Oracle.ask``."""
    from ovgather.forward.run import Forward

    forward = Forward(model)
    layers = {}
    for layer in model.layers():
        if layer.type != "Result":
            steps = [
                _NUMBERS[step] if place % 2 else step
                for place, step in enumerate(layer.body)
            ]
            tensors = forward.outputs.get(layer.offset, ())
            layers["/" + "/".join([*steps, layer.name])] = [
                [str(each.shape), each.element_type] for each in tensors
            ]
    answer: dict[str, Any] = {"layers": layers, "unchecked": dict(forward.unchecked)}
    refusals = [each for each in forward.refusals if each.error.stage == "read"]
    if refusals:
        answer["error"] = " | ".join(
            f"{each.layer.name}: {each.error}" for each in refusals
        )
    return answer


def compare(ours: dict[str, Any], theirs: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """A verdict on the model, and the layers that are not equal.

    The verdict is ``crash``, ``refused``, ``missed`` (a refusal), ``false`` (refusal), else the worst of the layers.
    """
    if "crash" in theirs:
        return "crash", {}
    if "error" in theirs:
        return ("refused" if "error" in ours else "missed"), {}
    if "error" in ours:
        return "false", {}
    verdicts = {
        path: compare_outputs(ours["layers"].get(path), outputs)
        for path, outputs in theirs["layers"].items()
    }
    worst = next(
        (each for each in ("wrong", "wider", "tighter") if each in verdicts.values()),
        "equal",
    )
    return worst, verdicts


def compare_outputs(ours: list[list[str]] | None, theirs: list[list[str]]) -> str:
    """The verdict on the outputs of one layer; ``absent``: it is not ours."""
    if ours is None:
        return "absent"
    if len(ours) < len(theirs):
        return "wrong"
    verdicts = [_compare_output(*pair) for pair in zip(ours, theirs, strict=False)]
    return next(
        (each for each in ("wrong", "wider", "tighter") if each in verdicts), "equal"
    )


def _compare_output(ours: list[str], theirs: list[str]) -> str:
    from ovgather.tensor.shape import PartialShape

    if ours[1] != theirs[1]:
        return (
            "wider"
            if ours[1] == "dynamic"
            else "tighter"
            if theirs[1] == "dynamic"
            else "wrong"
        )
    try:
        mine, other = PartialShape.parse(ours[0]), PartialShape.parse(theirs[0])
    except ValueError:
        return "strange"  # OpenVINO has dims such as 1..0
    if not mine.compatible(other):
        return "wrong"
    if mine == other:
        return "equal"
    return "tighter" if (mine & other) == mine else "wider"


# Writing models -------------------------------------------------------------------------------------------------------


class Weights:
    """The contents of a ``.bin``."""

    def __init__(self) -> None:
        self.data = b""

    def add(self, values: Sequence[float], type: str) -> tuple[int, int]:
        offset, content = (
            len(self.data),
            struct.pack(f"<{len(values)}{CODES[type]}", *values),
        )
        self.data += content + b"\0" * (-len(content) % 8)
        return offset, len(content)


End = tuple[int, int]


class Net:
    """The layers of a net or of a body; an output is a layer's id and a port's."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = Weights() if weights is None else weights
        self.layers: list[str] = []
        self.edges: list[str] = []

    def add(
        self,
        type: str,
        inputs: Sequence[End] = (),
        attributes: Mapping[str, object] | None = None,
        outputs: int = 1,
        opset: int = 1,
        inside: str = "",
        name: str = "",
    ) -> End:
        """A layer; its first output."""
        id = len(self.layers)
        ports = [port_text(place) for place in range(len(inputs))]
        ends = [port_text(len(inputs) + place, "dynamic") for place in range(outputs)]
        self.layers.append(
            layer_text(
                id,
                type,
                f"opset{opset}",
                attributes_text(attributes or {}),
                ports,
                ends,
                name=name or type.lower() + str(id),
                inside=inside,
            )
        )
        self.edges += [edge_text(end, (id, place)) for place, end in enumerate(inputs)]
        return id, len(inputs)

    def parameter(self, shape: str, type: str = "f32") -> End:
        return self.add("Parameter", (), {"shape": shape, "element_type": type})

    def const(self, shape: str, type: str, values: Sequence[float]) -> End:
        offset, size = self.weights.add(values, type)
        return self.add(
            "Const",
            (),
            {"element_type": type, "shape": shape, "offset": offset, "size": size},
        )

    def result(self, end: End) -> int:
        return self.add("Result", [end], outputs=0)[0]

    def text(self) -> str:
        return graph_text(self.layers, self.edges)

    def document(self) -> str:
        return net_text(self.layers, self.edges, name="model")


def entry(name: str, external: int, internal: int, **attributes: object) -> str:
    """An entry of a port map."""
    more = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return (
        f'<{name} external_port_id="{external}" internal_layer_id="{internal}"{more}/>'
    )


def back_edge(source: int, target: int) -> str:
    return f'<edge from-layer="{source}" to-layer="{target}"/>'


def inside(body: Net, entries: Sequence[str], back_edges: Sequence[str] = ()) -> str:
    """What stands inside a Loop or a TensorIterator."""
    backs = f"<back_edges>{''.join(back_edges)}</back_edges>" if back_edges else ""
    return f"<port_map>{''.join(entries)}</port_map>{backs}<body>{body.text()}</body>"


def branches(
    then: Net, then_entries: Sequence[str], other: Net, other_entries: Sequence[str]
) -> str:
    """What stands inside an If."""
    return (
        f"<then_port_map>{''.join(then_entries)}</then_port_map>"
        f"<else_port_map>{''.join(other_entries)}</else_port_map>"
        f"<then_body>{then.text()}</then_body><else_body>{other.text()}</else_body>"
    )


def main() -> None:
    from ovgather.ir.read import read

    oracle, total = Oracle(), Counter[str]()
    for path in sys.argv[1:]:
        theirs, ours = oracle.ask("", b"", path), infer(read(path))
        verdict, layers = compare(ours, theirs)
        total[verdict] += 1
        total.update(f"layer {each}" for each in layers.values())
        print(
            verdict,
            path,
            theirs.get("error", "")[-200:],
            ours.get("error", "")[:200],
            ours["unchecked"],
        )
        for name, each in layers.items():
            if each not in ("equal", "absent"):
                print(
                    " ",
                    each,
                    name,
                    "ours",
                    ours["layers"][name],
                    "OpenVINO",
                    theirs["layers"][name],
                )
    print(dict(total))


def differing(
    models: Iterator[tuple[str, bytes]], oracle: Oracle
) -> Iterator[tuple[str, dict[str, str], str, dict[str, Any], dict[str, Any]]]:
    """For each model the verdict, the verdicts on layers, its text, our answer and OpenVINO's."""
    from ovgather.ir.read import read

    for xml, weights in models:
        theirs, ours = oracle.ask(xml, weights), infer(read(xml.encode(), weights))
        yield *compare(ours, theirs), xml, ours, theirs


if __name__ == "__main__":
    main()
