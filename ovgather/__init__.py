"""ovgather: validate, infer, run and cross-check the Gather layers of OpenVINO IR.

Every public name is loaded on first use, so that ``import ovgather`` costs next to nothing.

>>> import ovgather
>>> str(ovgather.infer_shape("GatherElements", [[3, -1, 5], ["?", "2..8", "?"]], version="opset6", axis=1))
'[3,2..8,5]'
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # not from typing, which takes as long to import as all else that a Ctrl-C meets here
__version__ = "0.3.0.dev0"

_WHERE = {
    name: f"ovgather.{module}"
    for module, names in {
        "comparison.conformance": "Conformance",
        "comparison.conformance_api": "conformance",
        "comparison.entry": "crosscheck",
        "comparison.reduce.entry": "reduce",
        "comparison.reduce.search": "NotReproducedError Reduction",
        "comparison.report": "FileReport Record Report",
        "errors": "ArgumentError ConfigurationError IndexOutOfRangeError InvalidModelError"
        " LostFilesError OvgatherError ShapeInferenceError UnavailableError"
        " UnreadableError WorkerError",
        "ir.model": "Model",
        "layers.formats": "read",
        "layers.reference": "LayerReference",
        "onnx_file.model": "OnnxModel",
        "ops.api_evaluate": "evaluate gather gather_elements gather_nd lower_gather_elements",
        "ops.api_infer": "infer_backward infer_output infer_shape",
        "ops.backward": "Backward",
        "ops.inference": "Inference",
        "report.show": "show",
        "runtimes.outcome": "Evidence First Outcome",
        "tensor.element_type": "ElementType",
        "tensor.shape": "Dimension PartialShape",
        "validation.api": "Findings fix fix_onnx validate",
        "validation.checked": "Checked",
        "validation.diagnostic": "Diagnostic Fix Related",
        "validation.file_verdict": "Verdict",
        "validation.fixes.fix": "Fixed",
        "validation.many.run": "validate_files",
        "validation.onnx.fixes": "FixedOnnx OnnxFix",
        "validation.rule_page": "Page",
        "verbs.convert": "convert",
        "verbs.diff.diff": "diff",
        "verbs.explain": "Topic rules",
        "verbs.explain_message": "Explained explain",
        "verbs.extract": "extract",
        "verbs.gather_views": "Gather GatherInput Producer gather_layers",
        "verbs.guard": "Guard GuardError guard",
        "verbs.infer": "infer",
        "verbs.infer.records": "Inferred InferredFile RefusedLayer TensorRecord Typed",
        "verbs.inspect": "inspect",
        "verbs.inspect.records": "Inspected",
        "verbs.lower": "lower",
        "verbs.shapes": "ShapeAndReason Shapes shapes",
        "verbs.survey": "SurveyedFile SurveyedLayer survey",
        "verbs.written_model": "LayerModel",
    }.items()
    for name in names.split()
}

# And once more for type checkers; tests/test_public_names.py compares.
__all__ = list(_WHERE)

if TYPE_CHECKING:
    from ovgather.comparison.conformance import Conformance as Conformance
    from ovgather.comparison.conformance_api import conformance as conformance
    from ovgather.comparison.entry import crosscheck as crosscheck
    from ovgather.comparison.reduce.entry import reduce as reduce
    from ovgather.comparison.reduce.search import (
        NotReproducedError as NotReproducedError,
    )
    from ovgather.comparison.reduce.search import Reduction as Reduction
    from ovgather.comparison.report import FileReport as FileReport
    from ovgather.comparison.report import Record as Record
    from ovgather.comparison.report import Report as Report
    from ovgather.errors import ArgumentError as ArgumentError
    from ovgather.errors import ConfigurationError as ConfigurationError
    from ovgather.errors import IndexOutOfRangeError as IndexOutOfRangeError
    from ovgather.errors import InvalidModelError as InvalidModelError
    from ovgather.errors import LostFilesError as LostFilesError
    from ovgather.errors import OvgatherError as OvgatherError
    from ovgather.errors import ShapeInferenceError as ShapeInferenceError
    from ovgather.errors import UnavailableError as UnavailableError
    from ovgather.errors import UnreadableError as UnreadableError
    from ovgather.errors import WorkerError as WorkerError
    from ovgather.ir.model import Model as Model
    from ovgather.layers.formats import read as read
    from ovgather.layers.reference import LayerReference as LayerReference
    from ovgather.onnx_file.model import OnnxModel as OnnxModel
    from ovgather.ops.api_evaluate import evaluate as evaluate
    from ovgather.ops.api_evaluate import gather as gather
    from ovgather.ops.api_evaluate import gather_elements as gather_elements
    from ovgather.ops.api_evaluate import gather_nd as gather_nd
    from ovgather.ops.api_evaluate import lower_gather_elements as lower_gather_elements
    from ovgather.ops.api_infer import infer_backward as infer_backward
    from ovgather.ops.api_infer import infer_output as infer_output
    from ovgather.ops.api_infer import infer_shape as infer_shape
    from ovgather.ops.backward import Backward as Backward
    from ovgather.ops.inference import Inference as Inference
    from ovgather.report.show import show as show
    from ovgather.runtimes.outcome import Evidence as Evidence
    from ovgather.runtimes.outcome import First as First
    from ovgather.runtimes.outcome import Outcome as Outcome
    from ovgather.tensor.element_type import ElementType as ElementType
    from ovgather.tensor.shape import Dimension as Dimension
    from ovgather.tensor.shape import PartialShape as PartialShape
    from ovgather.validation.api import Findings as Findings
    from ovgather.validation.api import fix as fix
    from ovgather.validation.api import fix_onnx as fix_onnx
    from ovgather.validation.api import validate as validate
    from ovgather.validation.checked import Checked as Checked
    from ovgather.validation.diagnostic import Diagnostic as Diagnostic
    from ovgather.validation.diagnostic import Fix as Fix
    from ovgather.validation.diagnostic import Related as Related
    from ovgather.validation.file_verdict import Verdict as Verdict
    from ovgather.validation.fixes.fix import Fixed as Fixed
    from ovgather.validation.many.run import validate_files as validate_files
    from ovgather.validation.onnx.fixes import FixedOnnx as FixedOnnx
    from ovgather.validation.onnx.fixes import OnnxFix as OnnxFix
    from ovgather.validation.rule_page import Page as Page
    from ovgather.verbs.convert import convert as convert
    from ovgather.verbs.diff.diff import diff as diff
    from ovgather.verbs.explain import Topic as Topic
    from ovgather.verbs.explain import rules as rules
    from ovgather.verbs.explain_message import Explained as Explained
    from ovgather.verbs.explain_message import explain as explain
    from ovgather.verbs.extract import extract as extract
    from ovgather.verbs.gather_views import Gather as Gather
    from ovgather.verbs.gather_views import GatherInput as GatherInput
    from ovgather.verbs.gather_views import Producer as Producer
    from ovgather.verbs.gather_views import gather_layers as gather_layers
    from ovgather.verbs.guard import Guard as Guard
    from ovgather.verbs.guard import GuardError as GuardError
    from ovgather.verbs.guard import guard as guard
    from ovgather.verbs.infer import infer as infer
    from ovgather.verbs.infer.records import Inferred as Inferred
    from ovgather.verbs.infer.records import InferredFile as InferredFile
    from ovgather.verbs.infer.records import RefusedLayer as RefusedLayer
    from ovgather.verbs.infer.records import TensorRecord as TensorRecord
    from ovgather.verbs.infer.records import Typed as Typed
    from ovgather.verbs.inspect import inspect as inspect
    from ovgather.verbs.inspect.records import Inspected as Inspected
    from ovgather.verbs.lower import lower as lower
    from ovgather.verbs.shapes import ShapeAndReason as ShapeAndReason
    from ovgather.verbs.shapes import Shapes as Shapes
    from ovgather.verbs.shapes import shapes as shapes
    from ovgather.verbs.survey import SurveyedFile as SurveyedFile
    from ovgather.verbs.survey import SurveyedLayer as SurveyedLayer
    from ovgather.verbs.survey import survey as survey
    from ovgather.verbs.written_model import LayerModel as LayerModel


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'ovgather' has no attribute {name!r}")
    value: object = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
