"""When OpenVINO compares what a variable is given with what it holds."""

from __future__ import annotations

from ovgather.ir.graph import Layer

_ENDS = frozenset({"Assign", "Result"})


def is_compared_on_read(layer: Layer) -> bool:
    """Whether the ReadValue of an Assign is built before it.

    OpenVINO builds one Result or Assign after the other, in the order of the text, each behind the layers that feed it.
    An Assign that comes before its ReadValue does not know the variable yet: it is compared later, when the model is
    reshaped or compiled.
    """
    graph, variable = layer.graph, layer.data.get("variable_id")
    rows = range(graph.rows[layer.id] + 1)
    ends = [graph.ids[row] for row in rows if graph.signatures[row].type in _ENDS]
    built = graph.feeding(ends)
    return any(
        [
            signature.type == "ReadValue"
            and signature.data.get("variable_id") == variable
            and id in built
            for id, signature in zip(graph.ids, graph.signatures, strict=True)
        ]
    )
