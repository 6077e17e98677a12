"""The text of an IR, piece by piece: what all builders of small models put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import quoteattr

End = tuple[object, object]  # a layer and a port of it


def attributes_text(attributes: Mapping[str, object]) -> str:
    return " ".join(
        f"{name}={quoteattr(str(value))}" for name, value in attributes.items()
    )


def port_text(number: int, precision: str = "", dims: Iterable[object] = ()) -> str:
    """A port; without ``precision`` it says none."""
    inside = "".join(f"<dim>{dim}</dim>" for dim in dims)
    kind = f' precision="{precision}"' if precision else ""
    return f'<port id="{number}"{kind}>{inside}</port>'


def layer_text(
    number: int,
    type: str,
    version: str,
    data: str = "",
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    *,
    name: str,
    inside: str = "",
) -> str:
    """A layer; ``data``: the text of its attributes; ``inputs``, ``outputs``: ports; ``inside``: what follows."""
    text = f'<layer id="{number}" name="{name}" type="{type}" version="{version}">'
    text += f"<data {data}/>" if data else ""
    text += f"<input>{''.join(inputs)}</input>" if inputs else ""
    text += f"<output>{''.join(outputs)}</output>" if outputs else ""
    return f"{text}{inside}</layer>"


def edge_text(start: End, end: End) -> str:
    return (
        f'<edge from-layer="{start[0]}" from-port="{start[1]}"'
        f' to-layer="{end[0]}" to-port="{end[1]}"/>'
    )


def graph_text(layers: Iterable[str] | str, edges: Iterable[str] | str = ()) -> str:
    return f"<layers>{''.join(layers)}</layers><edges>{''.join(edges)}</edges>"


def net_text(
    layers: Iterable[str] | str = (),
    edges: Iterable[str] | str = (),
    rest: str = "",
    *,
    name: str = "m",
    version: str = "11",
) -> str:
    """A whole file; ``rest``: what stands behind the edges."""
    graph = graph_text(layers, edges)
    return f'<net name="{name}" version="{version}">{graph}{rest}</net>'
