"""Names in a converted model: each used once, and those of added layers to be known by."""

from __future__ import annotations


class Names:
    """The names that are taken.

    >>> names = Names("pick")
    >>> names.own("x"), names.own("x"), names.added("indices", "Add"), is_added("pick/ovgather/indices/Add", "pick")
    ('x', 'x_2', 'pick/ovgather/indices/Add', True)
    """

    def __init__(self, layer: str) -> None:
        self.layer = layer
        self.taken = {layer}

    def own(self, name: str) -> str:
        """``name``, with a number where it is taken."""
        found, number = name, 1
        while not found or found in self.taken:
            number += 1
            found = f"{name}_{number}"
        self.taken.add(found)
        return found

    def added(self, argument: str, what: str) -> str:
        """A name for something that a conversion adds."""
        return self.own(f"{_prefix(self.layer)}{argument}/{what}")


def is_added(name: str, layer: str) -> bool:
    """Whether ``name`` is that of something added for ``layer``."""
    return name.startswith(_prefix(layer))


def _prefix(layer: str) -> str:
    return f"{layer}/ovgather/"
