"""Names in a converted model: each used once, and those of added layers to be known by."""

_ADDED = "/ovgather/"


class Names:
    """The names in the model made of one ``layer``."""

    def __init__(self, layer: str) -> None:
        self.layer = layer
        self.taken = {layer}

    def own(self, name: str) -> str:
        """``name``, with a number where it is taken."""
        return unused(name, self.taken, "_")

    def added(self, argument: str, what: str) -> str:
        return self.own(f"{self.layer}{_ADDED}{argument}/{what}")


def unused(name: str, used: set[str], separator: str) -> str:
    """``name``, with a number where it is empty or ``used``; it is taken from now on."""
    result, number = name, 1
    while not result or result in used:
        number += 1
        result = f"{name}{separator}{number}"
    used.add(result)
    return result


def is_added(name: str, layer: str) -> bool:
    """Whether ``name`` is that of something added for ``layer``."""
    return name.startswith(f"{layer}{_ADDED}")
