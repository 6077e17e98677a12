"""The elements of an IR: which stand in which, and the bodies of layers by type."""

BODIES = {
    "If": ("then_body", "else_body"),
    "Loop": ("body",),
    "TensorIterator": ("body",),
}
"""The bodies of layers, by type."""
_BODIES_OF = {type.lower(): bodies for type, bodies in BODIES.items()}
PORT_MAPS = {
    "body": "port_map",
    "then_body": "then_port_map",
    "else_body": "else_port_map",
}
"""The element that connects a body to the ports around it, by that of the body."""
INNER_TYPES = {"input": "Parameter", "output": "Result"}
"""The type of the layer of a body that an entry of a port map names."""
WHOLE_SLICES = {"start": "0", "end": "-1", "stride": "1", "part_size": "1"}
"""The attributes of an entry with an axis, and their defaults: all slices of length 1, from the first to the last."""
BACK_EDGES = "back_edges"

_GRAPH = ("layers", "edges", "rt_info")
_CHILDREN: dict[str, tuple[str, ...]] = {
    "net": _GRAPH,
    "layers": ("layer",),
    "edges": ("edge",),
    "layer": ("data", "input", "output", "rt_info"),
    "input": ("port",),
    "output": ("port",),
    "port": ("dim", "rt_info"),
    BACK_EDGES: ("edge",),
    **dict.fromkeys(PORT_MAPS, _GRAPH),
    **dict.fromkeys(PORT_MAPS.values(), ("input", "output")),
}
NAMES = frozenset().union(*_CHILDREN.values())
"""The elements that stand in others, but for those around bodies."""


def bodies_of(type: str) -> tuple[str, ...]:
    """The bodies of a layer; OpenVINO takes a type in any case.

    >>> bodies_of("if"), bodies_of("Relu")
    (('then_body', 'else_body'), ())
    """
    return _BODIES_OF.get(type.lower(), ())


def children(parent: str, type: str = "") -> tuple[str, ...]:
    """The elements that are read in ``parent``; in a layer, those that a layer of ``type`` has.

    >>> children("edges"), children("layer", "Loop")
    (('edge',), ('data', 'input', 'output', 'rt_info', 'body', 'port_map', 'back_edges'))
    """
    names = _CHILDREN.get(parent, ())
    bodies = bodies_of(type) if parent == "layer" else ()
    maps = tuple(PORT_MAPS[body] for body in bodies)
    rounds = (BACK_EDGES,) if bodies == ("body",) else ()
    return (*names, *bodies, *maps, *rounds)


def parents(name: str) -> tuple[str, ...]:
    """The elements in which ``name`` is read.

    >>> parents("port")
    ('input', 'output')
    """
    return tuple(parent for parent, names in _CHILDREN.items() if name in names)
