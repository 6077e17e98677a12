"""Attributes of Gather layers that their operation does not have, and what was probably meant by them."""

from ovgather.layers.gather_layer import GatherLayer
from ovgather.text import closest

_RUNTIME = frozenset({"PrimitivesPriority", "offset", "size", "element_type", "auto_broadcast", "alt_width"})
"""Attributes that OpenVINO writes or reads on any layer."""
_LONGEST = 20  # no longer word resembles an attribute of the family
FAMILY = frozenset({"axis", "batch_dims"})


def unknown_attributes(gather: GatherLayer) -> list[str]:
    """The attributes of ``<data>`` that neither the operation nor OpenVINO reads."""
    names = [attribute.name for attribute in gather.operation.attributes]
    return [name for name in gather.layer.data if name not in names and name not in _RUNTIME]


def intended_attribute(name: str, gather: GatherLayer) -> str | None:
    """The attribute of the operation that ``name`` is probably a misspelling of."""
    letters = name.lower().replace("_", "").replace("-", "")
    if len(letters) > _LONGEST:
        return None
    plain = {attribute.name.replace("_", ""): attribute.name for attribute in gather.operation.attributes}
    close = closest(letters, plain, cutoff=0.7)
    return plain[close] if close else None


def is_harmless(gather: GatherLayer, name: str, close: str | None) -> bool:
    """Whether an unknown attribute, ``close`` to one of the operation's or to none, asks for nothing."""
    if close is not None:
        return False
    return name.lower() not in FAMILY or (name in FAMILY and gather.layer.data[name] == "0")
