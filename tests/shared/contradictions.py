"""A chain of ReLU layers, mistakes in its ports, and what rules say of them."""

from __future__ import annotations

from small_models import layer, net, parameter, result

from ovgather.ir.model import Model
from ovgather.layers.formats import read
from ovgather.validation.check import check_file
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.rules import rules

DIMS = "<dim>2</dim><dim>3</dim>"


class Chain:
    """Layer 0 is a Parameter [2,3], ReLU layers l1, l2, ... follow, and a Result is the last one."""

    def __init__(self, length: int) -> None:
        self.layers = [parameter(0, "2,3", "f32", "FP32 2,3", "l0")]
        for number in range(1, length + 1):
            self.layers.append(
                layer(
                    number,
                    "ReLU",
                    "opset1",
                    "",
                    ("FP32 2,3",),
                    ("FP32 2,3",),
                    f"l{number}",
                )
            )
        self.layers.append(result(length + 1, "FP32 2,3"))
        self.edges = " ".join(
            f"{number}:{min(number, 1)}-{number + 1}:0" for number in range(length + 1)
        )

    def change(self, number: int, side: str, old: str, new: str) -> Chain:
        """Write ``new`` for ``old`` in the ports of one side of a layer."""
        before, tag, after = self.layers[number].partition(f"<{side}>")
        assert old in after
        self.layers[number] = before + tag + after.replace(old, new, 1)
        return self

    def dims(self, number: int, side: str, *dims: int) -> Chain:
        return self.change(
            number, side, DIMS, "".join(f"<dim>{dim}</dim>" for dim in dims)
        )

    def precision(self, number: int, precision: str) -> Chain:
        return self.change(number, "output", "FP32", precision)

    @property
    def text(self) -> str:
        return net(*self.layers, edges=self.edges)

    def findings(self) -> list[Diagnostic]:
        return findings(self.text)


def findings(text: str, weights: bytes | None = None) -> list[Diagnostic]:
    """The errors and warnings of a text."""
    return [
        each
        for each in check_file(text.encode(), weights).diagnostics
        if each.severity != "note"
    ]


def diagnosed(text: str) -> File:
    """The file of a text, whose rules can be asked."""
    model = read(text.encode())
    assert isinstance(model, Model)
    return File(model)


def contradictions(file: File) -> list[Diagnostic]:
    """What the rules on ports and layers say of it, without an explanation."""
    codes = ("OVG113", "OVG206", "OVG215")
    found = [
        each for rule in rules() if rule.RULE.code in codes for each in rule.check(file)
    ]
    return [each for each in found if isinstance(each, Diagnostic)]
