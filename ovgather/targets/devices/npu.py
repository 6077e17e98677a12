"""OpenVINO's NPU plugin; its compiler is in the driver, which may be older than OpenVINO."""

from ovgather.targets.profile import Device, Fact

DEVICE = Device(
    name="NPU",
    aliases=("vpux", "intel_npu"),
    what="OpenVINO's NPU plugin",
    static_shapes=Fact(
        "only models with static shapes are supported",
        "docs.openvino.ai/2024/openvino-workflow/running-inference/inference-devices-and-modes/npu-device.html",
    ),
)
