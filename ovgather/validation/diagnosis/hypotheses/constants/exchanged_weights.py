"""What: the ``.bin`` of this file and that of another one in its folder are exchanged.
Why: the two have one size, both files contradict their own bytes, and none the other's. Where all constants of a file
are only multiplied and added, any bytes do: then nothing tells.
Bad::
    a.xml and b.xml beside each other's .bin
Good::
    a.xml and b.xml beside their own .bin
"""

import os
from collections.abc import Iterator

from ovgather.errors import OvgatherError
from ovgather.files.side import SideFileError, open_side_file, read_at_most
from ovgather.forward.run import forward_of
from ovgather.ir.constants import Weights
from ovgather.ir.model import Model
from ovgather.ir.read import read_held
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 5
_LARGEST = 1 << 26
_MOST_NEIGHBOURS = 4
_HEAD = 1 << 12


def propose(case: Case) -> Iterator[Hypothesis]:
    model = case.file.model
    weights = model.weights
    if weights is None or not os.path.isfile(weights.path or "") or not case.findings:
        return
    if model.weights_are_given or not 0 < weights.size <= _LARGEST:
        return
    if not any(layer.type == "Const" for layer in case.nearby):
        return
    own = os.path.basename(weights.path or "")
    for name in _neighbours(model.path, own, weights.size):
        try:
            with open_side_file(model.path, name) as file:
                head = file.read(_HEAD)
                if bytes(weights.read(0, len(head)) or b"") == head:
                    continue  # most files of one size are copies
                other = Weights(head + file.read(weights.size - len(head)))
            with open_side_file(model.path, f"{name.removesuffix('.bin')}.xml") as file:
                text = read_at_most(file, _LARGEST)
            neighbour = read_held(text, weights)
        except (OSError, SideFileError, OvgatherError):
            continue
        if neighbour.fatal or _contradicts(neighbour):
            continue
        neighbour.weights = other  # its own, as they are now
        if not _contradicts(neighbour):
            continue
        yield Hypothesis(
            f"{own} and {name} are probably exchanged: with the bytes of the other one nothing contradicts",
            None,
            (0, 1),
            price=0.5,
            reach=len(case.findings),
            weights=other,
            help=f"give {own} and {name} each other's name",
        )


def _contradicts(model: Model) -> bool:
    forward = forward_of(model)
    return bool(forward.refusals or forward.deviating)


def _neighbours(path: str, own: str, size: int) -> list[str]:
    """The first ``.bin`` files of this size beside a model."""
    with os.scandir(os.path.dirname(path) or os.curdir) as entries:
        names = [
            entry.name
            for entry in entries
            if entry.name.endswith(".bin") and entry.name != own
            if entry.is_file() and entry.stat().st_size == size
        ]
    return sorted(names)[:_MOST_NEIGHBOURS]
