"""ovgather: validate, infer, run and cross-check the Gather layers of OpenVINO IR.

Every public name is loaded on first use, so that ``import ovgather`` costs next to nothing.

>>> import ovgather
>>> str(ovgather.infer_shape("GatherElements", [[3, -1, 5], ["?", "2..8", "?"]], version="opset6", axis=1))
'[3,2..8,5]'
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False  # not from typing, which takes as long to import as all else that a Ctrl-C meets here
__version__ = "0.2.0"

_WHERE = {
    name: f"ovgather.{module}"
    for module, names in {
        "crosscheck.entry": "crosscheck",
        "errors": "ArgumentError IndexOutOfRangeError InvalidModelError OvgatherError ShapeInferenceError"
        " UnavailableError",
        "ir.model": "Model",
        "layers.formats": "read",
        "ops.api_evaluate": "evaluate gather gather_elements gather_nd lower_gather_elements",
        "ops.api_infer": "infer_backward infer_output infer_shape",
        "report.show": "show",
        "tensor.shape": "Dimension PartialShape",
        "validation.check": "validate",
        "validation.diagnostic": "Diagnostic",
        "validation.many.run": "validate_files",
        "verbs.convert": "convert",
        "verbs.diff.diff": "diff",
        "verbs.extract": "extract",
        "verbs.gather_views": "Gather GatherInput Producer gather_layers",
        "verbs.infer": "infer",
        "verbs.lower": "lower",
        "verbs.shapes": "shapes",
    }.items()
    for name in names.split()
}

__all__ = list(_WHERE)  # and once more for type checkers; tests/test_public_names.py compares

if TYPE_CHECKING:
    from ovgather.crosscheck.entry import crosscheck as crosscheck
    from ovgather.errors import ArgumentError as ArgumentError
    from ovgather.errors import IndexOutOfRangeError as IndexOutOfRangeError
    from ovgather.errors import InvalidModelError as InvalidModelError
    from ovgather.errors import OvgatherError as OvgatherError
    from ovgather.errors import ShapeInferenceError as ShapeInferenceError
    from ovgather.errors import UnavailableError as UnavailableError
    from ovgather.ir.model import Model as Model
    from ovgather.layers.formats import read as read
    from ovgather.ops.api_evaluate import evaluate as evaluate
    from ovgather.ops.api_evaluate import gather as gather
    from ovgather.ops.api_evaluate import gather_elements as gather_elements
    from ovgather.ops.api_evaluate import gather_nd as gather_nd
    from ovgather.ops.api_evaluate import lower_gather_elements as lower_gather_elements
    from ovgather.ops.api_infer import infer_backward as infer_backward
    from ovgather.ops.api_infer import infer_output as infer_output
    from ovgather.ops.api_infer import infer_shape as infer_shape
    from ovgather.report.show import show as show
    from ovgather.tensor.shape import Dimension as Dimension
    from ovgather.tensor.shape import PartialShape as PartialShape
    from ovgather.validation.check import validate as validate
    from ovgather.validation.diagnostic import Diagnostic as Diagnostic
    from ovgather.validation.many.run import validate_files as validate_files
    from ovgather.verbs.convert import convert as convert
    from ovgather.verbs.diff.diff import diff as diff
    from ovgather.verbs.extract import extract as extract
    from ovgather.verbs.gather_views import Gather as Gather
    from ovgather.verbs.gather_views import GatherInput as GatherInput
    from ovgather.verbs.gather_views import Producer as Producer
    from ovgather.verbs.gather_views import gather_layers as gather_layers
    from ovgather.verbs.infer import infer as infer
    from ovgather.verbs.lower import lower as lower
    from ovgather.verbs.shapes import shapes as shapes


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'ovgather' has no attribute {name!r}")
    value: object = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


class _Package(ModuleType):
    """Keeps the room ``ovgather.crosscheck`` from hiding the function of that name when it is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name != "crosscheck" or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted(__all__)
