"""What OpenVINO's NPU plugin and its compiler print."""

from ovgather.answers.pattern import EXACT, GENERAL, Pattern

WHO = "OpenVINO's NPU plugin"
DEVICE = "NPU"
_STATIC = (
    "ovgather inspect model.xml",
    "ovgather validate --device NPU model.xml",
    "ovgather infer model.xml --input-shape NAME=[1,128] --write static.xml",
)

PATTERNS = (
    Pattern(
        r"(?:Missing upper bound for one or more nodes|[Uu]pper bounds? (?:were|was|is|are) not (?:specified|set|"
        r"known)|"
        r"Dynamic rank is not supported for NPU|dynamic (?:shapes?|dimensions?) (?:is|are)? ?not supported)",
        "the NPU compiler wants static shapes, or dims with an upper bound, and the model has dims without one",
        "make the shapes static",
        rules=("OVG862",),
        commands=_STATIC,
        since="2024.0 and later",
        source="the NPU compiler (openvinotoolkit/npu_compiler); NPU Device page of docs.openvino.ai",
        weight=EXACT,
    ),
    Pattern(
        r"ZE_RESULT_ERROR_\w+|L0 pfn\w+ result|Level0 pfn\w+ result|zeGraph\w+|vclAllocated\w+ result|LEVEL0 failed",
        "the driver's compiler refuses the model, or the driver is too old for it: the compiler comes with the driver,"
        " not with OpenVINO",
        "read the lines before it; update the NPU driver; make the shapes static",
        rules=("OVG862",),
        commands=_STATIC,
        source="src/plugins/intel_npu/src/compiler_adapter",
    ),
    Pattern(
        r"Incompatibility between NPU plugin and driver|NPU_VCL|Failed to compile Model\d* for all devices|"
        r"compiler version mismatch",
        "the NPU driver does not match this OpenVINO",
        "update the NPU driver",
        commands=_STATIC,
        source="src/plugins/intel_npu",
        weight=GENERAL,
    ),
    Pattern(
        r"Upper bounds are not specified for node '(?P<layer>[^'\n]+)' \(type '(?P<type>\w+)'\)",
        "layer {layer!r} ({type}) has dims without an upper bound, and the NPU compiler wants static shapes",
        "make the shapes static",
        rules=("OVG862",),
        commands=_STATIC,
        since="2025.0 and later",
        source="the NPU compiler (openvinotoolkit/npu_compiler)",
        weight=EXACT,
    ),
    Pattern(
        r"Got Diagnostic at loc|failed to legalize operation|LLVM ERROR|unresolved materialization",
        "the NPU compiler fails on a layer; often because of dynamic shapes, else a mistake of the compiler",
        "make the shapes static; update the driver; run it on the CPU or GPU meanwhile",
        rules=("OVG862",),
        commands=_STATIC,
        source="the NPU compiler (openvinotoolkit/npu_compiler)",
    ),
    Pattern(
        r"\[NPU\w*\]|intel_npu|vpux",
        "the NPU plugin, or the compiler in its driver, refuses the model; what it says beyond that is not known here",
        "see whether the file is sound, and whether the CPU takes it, to tell the file from the device",
        commands=_STATIC,
        source="src/plugins/intel_npu",
        weight=GENERAL,
    ),
)
