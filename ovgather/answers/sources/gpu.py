"""What OpenVINO's GPU plugin prints."""

from ovgather.answers.pattern import EXACT, GENERAL, Pattern

WHO = "OpenVINO's GPU plugin"
DEVICE = "GPU"

PATTERNS = (
    Pattern(
        r"Operation: ?(?P<layer>\S+) of type (?P<type>\w+)\((?:op::v|opset)?(?P<version>\w+)\) is not supported",
        "the GPU plugin of this release does not have {type} (layer {layer}); GatherElements came with 2022.1",
        "update OpenVINO, or run the layer on the CPU (HETERO:GPU,CPU)",
        rules=("OVG862",),
        commands=("ovgather validate --device GPU --target 2021.4 model.xml",),
        since="2021.2 and later",
        source="src/plugins/intel_gpu/src/plugin/program_builder.cpp; intel.com, support article 000090718",
        weight=EXACT,
    ),
    Pattern(
        r"Unknown Layer Type: ?(?P<type>\w+)|Layer (?:type )?(?P<type2>\w+) is not supported|Unsupported layer type: ?"
        r"(?P<type3>\w+)",
        "the plugin of this release does not have the layer {type}",
        "update OpenVINO, or run the layer on the CPU (HETERO:GPU,CPU)",
        rules=("OVG862",),
        commands=("ovgather validate --device GPU --target 2021.4 model.xml",),
        since="2019 to 2021.1",
        source="inference-engine/src/cldnn_engine/cldnn_program.cpp",
    ),
    Pattern(
        r"(?:dynamic rank|has dynamic rank|Dynamic rank is not supported)[^\n]*(?:GPU)?",
        "the device takes no tensor of dynamic rank",
        "give the inputs shapes of known rank, or static ones",
        rules=("OVG862", "OVG708"),
        commands=("ovgather inspect model.xml", "ovgather validate --device GPU model.xml"),
        since="2022.1 and later",
        source="src/plugins/intel_gpu/src/plugin",
    ),
    Pattern(
        r"Can't choose implementation for|(?:Couldn't|Could not) find a suitable kernel for|Failed to select"
        r" implementation for|No layout format available for"
        r"(?: (?P<layer>\S+))?",
        "the GPU plugin has no kernel for the shapes or element types of a layer; dynamic dims are often the reason",
        "make the shapes static, update OpenVINO, or run the layer on the CPU (HETERO:GPU,CPU)",
        rules=("OVG862",),
        commands=(
            "ovgather inspect model.xml",
            "ovgather infer model.xml --input-shape NAME=[1,128] --write static.xml",
        ),
        source="src/plugins/intel_gpu/src/graph, kernel_selector",
        weight=EXACT,
    ),
    Pattern(
        r"CL_(?:OUT_OF_\w+|MEM_OBJECT_ALLOCATION_FAILURE|INVALID_\w+|BUILD_PROGRAM_FAILURE)|clWaitForEvents|"
        r"\[?clGetPlatformIDs\]?",
        "OpenCL refuses: too little memory of the GPU, or a driver that is missing or too old",
        "update the driver; try a smaller input or INFERENCE_PRECISION_HINT f16",
        source="src/plugins/intel_gpu/src/runtime",
    ),
    Pattern(
        r"(?:GPU )?[Pp]rogram(?:Builder)? build failed",
        "the GPU plugin could not build the model; the lines after it say which layer",
        "give the whole log, update the driver, or try the CPU to tell the file from the device",
        commands=("ovgather validate --device GPU model.xml",),
        source="src/plugins/intel_gpu/src/plugin/program_builder.cpp",
        weight=GENERAL,
    ),
    Pattern(
        r"[Ee]xceeded max size of memory|exceeds? (?:the )?max(?:imum)? (?:alloc|memory)[^\n]*",
        "a tensor is larger than what the GPU allocates at once",
        "make the input shapes smaller, or bound the dynamic dims",
        rules=("OVG709",),
        commands=("ovgather inspect model.xml",),
        source="src/plugins/intel_gpu/src/runtime/engine.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"(?:[Uu]nsupported|[Ii]ncorrect) gather axis:? ?(?P<axis>-?\d+)?",
        "the GPU plugin of this release does not take the axis of a Gather",
        "write the axis counted from the front, or update OpenVINO",
        rules=("OVG104", "OVG862"),
        commands=("ovgather validate --device GPU model.xml",),
        source="inference-engine/src/cldnn_engine/ops/gather.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Dynamic shape without upper bound tries to allocate|Can't allocate (?:memory|output) for dynamic layout|"
        r"Can't realloc mem for dynamic layout",
        "the GPU plugin needs an upper bound for a dynamic dim",
        "bound the dims (1..512) or make them static",
        rules=("OVG862",),
        commands=(
            "ovgather inspect model.xml",
            "ovgather infer model.xml --input-shape NAME=[1,128] --write static.xml",
        ),
        source="src/plugins/intel_gpu/src/graph/primitive_inst.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Couldn't execute (?P<type>\w+) primitive with id (?P<layer>\S+)",
        "the GPU plugin cannot compute {type} ({layer})",
        "try the CPU to tell the file from the device, and update the driver",
        rules=("OVG862",),
        commands=("ovgather validate --device GPU model.xml", "ovgather crosscheck model.xml --device GPU"),
        source="src/plugins/intel_gpu/src/graph",
    ),
    Pattern(
        r"\[GPU\]|intel_gpu|cldnn",
        "the GPU plugin refuses the model; what it says beyond that is not known here",
        "see whether the file is sound, and whether the CPU takes it, to tell the file from the device",
        commands=("ovgather validate --device GPU model.xml", "ovgather crosscheck model.xml"),
        source="src/plugins/intel_gpu",
        weight=GENERAL,
    ),
)
