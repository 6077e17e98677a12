"""OpenVINO's CPU plugin. The rules OVG5xx and OVG7xx tell what was measured on it."""

from ovgather.targets.profile import MEASURED, Device, Fact, Since
from ovgather.targets.release import Release

_EXTENSIONS = Fact(
    "Gather stood in a library of CPU extensions, which the application has to add (-l libcpu_extension)",
    "docs.openvino.ai/2019_R1: Inference Engine samples, option -l; openvinotoolkit/openvino issue 347",
)

DEVICE = Device(
    name="CPU",
    what="OpenVINO's CPU plugin",
    static_rank=Fact("no dynamic rank is taken", "docs.openvino.ai/2022.3: CPU Device, Dynamic Shapes"),
    out_of_range=Fact(
        "zeros for Gather, an exception for GatherElements (2025.3 and later), foreign memory for GatherND",
        "docs/releases.md",
        MEASURED,
    ),
    operations=(("Gather", Since(Release(2020, 1), _EXTENSIONS)),),
)
