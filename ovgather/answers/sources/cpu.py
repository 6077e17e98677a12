"""What OpenVINO's CPU plugin prints of the Gather family."""

from ovgather.answers.pattern import EXACT, GENERAL, Pattern

WHO = "OpenVINO's CPU plugin"
DEVICE = "CPU"

PATTERNS = (
    Pattern(
        r"indices values of GatherElements? exceed data size|indices contain values that points? to non-existing"
        r" (?:data|output) tensor element|[Ii]ndices? value that points to non-existing output tensor element",
        "an index is outside of the axis it counts along",
        "look at the values that are given as indices, and at the length of the axis",
        rules=("OVG501",),
        commands=("ovgather validate model.xml", "ovgather crosscheck model.xml --inputs inputs.npz"),
        since="2025.3 and later; before, GatherElements read past the data",
        source="src/plugins/intel_cpu/src/nodes/gather_elements.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"(?:CPU plug-?in )?doesn't support (?P<type>\w+) operation with dynamic rank",
        "the CPU plugin takes no tensor of dynamic rank, and {type} has one",
        "give the input a shape of known rank: dims may stay unknown",
        rules=("OVG708", "OVG862"),
        commands=("ovgather inspect model.xml", "ovgather validate --device CPU model.xml"),
        since="2021.4 and later",
        source="src/plugins/intel_cpu/src/node.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Not supported Gather operation version|axis value is not set|Only Constant operation on 'axis' input"
        r" is supported",
        "the axis of a Gather is computed, and the CPU plugin wants a constant one",
        "make the axis a Const",
        rules=("OVG703",),
        source="src/plugins/intel_cpu/src/nodes/gather.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"(?P<type>Gather\w*)[^\n]*? has (?:incorrect|unsupported|inconsistent) (?P<what>[^\n]+)|"
        r"has unsupported '(?P<input>\w+)' input precision: ?(?P<element_type>\w+)",
        "the CPU plugin refuses a layer: {what}",
        "look at the shapes and element types of its inputs",
        rules=("OVG202", "OVG204", "OVG705"),
        source="src/plugins/intel_cpu/src/nodes/gather*.cpp",
    ),
    Pattern(
        r"could not create a (?:primitive|memory|primitive descriptor)|could not execute a primitive",
        "oneDNN, the library under the plugin, has no kernel for a layer, or too little memory",
        "try other shapes or INFERENCE_PRECISION_HINT f32; update OpenVINO",
        rules=("OVG705", "OVG709"),
        source="oneDNN",
    ),
    Pattern(
        r"Can ?not create StaticMemory object|[Mm]emory desc(?:riptor)? is undefined|undefined memory descriptor|"
        r"Can't compute max mem size for DnnlMemoryDesc with dynamic shape|Count is called for dynamic shape",
        "a layer still has dynamic dims where the CPU plugin needs lengths, often an output whose shape depends"
        " on values",
        "see where dynamic dims begin, and give static input shapes",
        rules=("OVG708",),
        commands=("ovgather inspect model.xml",),
        source="src/plugins/intel_cpu/src/cpu_memory.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Exception from src.plugins.intel_cpu[^\n]*\n+Node (?P<layer>.+?) of type (?P<type>\w+)",
        "the CPU plugin refuses layer {layer!r} ({type}); the line after it says why",
        "look at the shapes, element types and values that reach the layer",
        rules=("OVG202", "OVG501", "OVG705"),
        commands=("ovgather validate model.xml", "ovgather crosscheck model.xml"),
        source="src/plugins/intel_cpu/src/graph.cpp",
    ),
    Pattern(
        r"intel_cpu|mkldnn_plugin",
        "the CPU plugin refuses the model; what it says beyond that is not known here",
        "see whether the file is sound, and whether the CPU takes it, to tell the file from the device",
        commands=("ovgather validate model.xml", "ovgather crosscheck model.xml"),
        source="src/plugins/intel_cpu",
        weight=GENERAL,
    ),
)
