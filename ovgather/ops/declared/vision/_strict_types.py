"""Element types of inputs for which OpenVINO does not take ``dynamic``."""

from __future__ import annotations

from ovgather.ops.declaration import INTEGERS, Node, type_words

_DYNAMIC = frozenset({"dynamic"})
INTEGER_LIKE = INTEGERS | _DYNAMIC
"""What OpenVINO counts among the integers."""


def require_type(node: Node, index: int, types: frozenset[str]) -> None:
    """Refuse an input of another element type, of ``dynamic`` too where it is not among ``types``."""
    element_type = node.type(index)
    if element_type not in types:
        name = node.input_name(index)
        node.refuse(
            name,
            f"{name} must be {type_words(types - _DYNAMIC)}, not {element_type}",
        )
