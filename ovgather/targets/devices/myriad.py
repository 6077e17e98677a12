"""The MYRIAD and HDDL plugins: Neural Compute Stick 2, Movidius."""

from ovgather.targets.profile import READ, Device, Fact
from ovgather.targets.release import Release

_ENDED = Fact(
    "2022.3 was the last release with the MYRIAD plugin",
    "docs.openvino.ai/2023.3/openvino_docs_OV_UG_supported_plugins_Supported_Devices.html",
)

DEVICE = Device(
    name="MYRIAD",
    aliases=("hddl", "ncs2", "ncs", "vpu"),
    what="OpenVINO's MYRIAD plugin (Neural Compute Stick 2)",
    last=(Release(2022, 3), _ENDED),
    static_shapes=Fact(
        "inputs have static shapes",
        "docs.openvino.ai/2022.3/openvino_docs_OV_UG_DynamicShapes.html: dynamic shapes on CPU, and on GPU the batch",
    ),
    negative_axis=Fact(
        "GatherElements takes no negative axis: axis must be in the range of [0, rank)",
        "src/plugins/intel_myriad/graph_transformer/src/stages/gather_elements.cpp",
        READ,
    ),
)
