"""The reference evaluator of onnx as a runtime."""

import subprocess
import sys

from onnx_child import requires_onnx

PROGRAM = """
import sys
from ovgather.runtimes.adapters.onnx_reference import RUNTIME
RUNTIME(lambda step: None)
before = set(sys.modules)
import onnx
onnx.reference.ReferenceEvaluator(onnx.helper.make_node("Gather", ["x", "i"], ["y"]))
print(sorted(set(sys.modules) - before))
"""


@requires_onnx
def test_the_operators_are_loaded_before_the_first_layer_is_timed() -> None:
    """Else the first of several layers is called slow beside the others."""
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "[]\n"
