"""OpenVINO's GPU plugin."""

from ovgather.targets.profile import READ, Device, Fact, Since
from ovgather.targets.release import Release

_ARTICLE = "intel.com, support article 000090718"

DEVICE = Device(
    name="GPU",
    aliases=("igpu", "dgpu", "cldnn"),
    what="OpenVINO's GPU plugin",
    static_rank=Fact("dynamic rank is not supported", "intel.com, support article 000095644"),
    out_of_range=Fact(
        "zeros for Gather, and no exception; GatherElements and GatherND read past the data",
        "src/plugins/intel_gpu, kernel_selector/cl_kernels: gather_ref.cl tests the range, the two others do not",
        READ,
    ),
    operations=(("GatherElements", Since(Release(2022, 1), Fact("GatherElements came with 2022.1", _ARTICLE))),),
)
