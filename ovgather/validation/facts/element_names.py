"""The element that somebody called otherwise: by what is in it, else by a name that is close."""

from ovgather.ir.elements import NAMES, children
from ovgather.ir.graph import Layer, Problem
from ovgather.ir.positions import Element
from ovgather.text import closest
from ovgather.validation.context import File


def meant_name(file: File, problem: Problem) -> str | None:
    """The name that the unknown element of ``problem`` should have; None if nothing tells."""
    element = file.element_at(problem.offset)
    layer = problem.layer
    parent = problem.value.partition(" ")[0]  # <input> and <output> hold the same
    if parent == "layer" and layer is not None:
        if not layer.data and element.attributes and not element.children:
            return "data"  # whatever it is called, it holds the attributes of the layer
        if (side := _side(layer, element)) is not None:
            return side
    is_plain = element.attributes or element.end <= element.tag_span[1]
    if problem.subject in NAMES and is_plain:
        return None  # a layer or an edge, not the list of them
    type = layer.type if layer is not None else ""
    return closest(problem.subject.lower(), children(parent, type))


def _side(layer: Layer, element: Element) -> str | None:
    """The side of ``layer`` whose ports ``element`` holds: the one that the layer lacks."""
    if element.children.keys() != {"port"}:
        return None
    if layer.outputs or layer.type == "Result":
        return "input"
    is_source = layer.inputs or layer.type in ("Const", "Parameter")
    return "output" if is_source else None
