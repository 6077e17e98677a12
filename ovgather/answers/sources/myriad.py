"""What OpenVINO's MYRIAD plugin printed (Neural Compute Stick 2)."""

from ovgather.answers.pattern import EXACT, GENERAL, Pattern

WHO = "OpenVINO's MYRIAD plugin (up to 2022.3)"
DEVICE = "MYRIAD"
_DEVICE = ("ovgather validate --device MYRIAD model.xml",)

PATTERNS = (
    Pattern(
        r"axis must be in the range of \[0, ?(?P<length>\d+)\) ?, actually (?P<axis>-?\d+)",
        "the MYRIAD plugin takes no negative axis: {axis} is outside of 0 to {last}",
        "write the axis counted from the front: {axis} + {length}",
        rules=("OVG862",),
        commands=_DEVICE,
        since="2021.3 to 2022.3",
        source="src/plugins/intel_myriad/graph_transformer/src/stages/gather_elements.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Can ?not (?:convert|parse|find)[^\n]*?(?:unsupported layer type|layer type) \"?(?P<type>\w+)\"?|"
        r"unsupported layer type \"?(?P<type2>\w+)\"?",
        "the MYRIAD plugin does not have the layer",
        "run it on the CPU (HETERO:MYRIAD,CPU), or change the model",
        rules=("OVG862",),
        commands=_DEVICE,
        source="src/plugins/intel_myriad/graph_transformer/src/frontend/frontend.cpp",
    ),
    Pattern(
        r"AssertionFailed: \S+|Can not init Myriad device|NC_ERROR|X_?LINK_\w+|dynamic_to_static_shape|"
        r"DynamicToStaticShape",
        "the stick is not found, or its compiler fails on the model, often on dynamic shapes; the plugin ended"
        " with 2022.3",
        "use OpenVINO 2022.3, and make the shapes static",
        rules=("OVG862",),
        commands=_DEVICE,
        source="src/plugins/intel_myriad",
    ),
    Pattern(
        r"Failed to compile layer \"?(?P<layer>[^\"\n]+)\"?",
        "the MYRIAD plugin refuses layer {layer!r}; the text after it says why",
        "give the whole message",
        rules=("OVG862",),
        commands=_DEVICE,
        source="src/plugins/intel_myriad/graph_transformer/src/frontend/frontend.cpp",
        weight=GENERAL,
    ),
    Pattern(
        r"intel_myriad|vpu.graph_transformer|myriad",
        "the MYRIAD plugin refuses the model; it ended with 2022.3; what it says beyond that is not known here",
        "see whether the file is sound, and whether the CPU takes it, to tell the file from the device",
        commands=_DEVICE,
        source="src/plugins/intel_myriad",
        weight=GENERAL,
    ),
)
