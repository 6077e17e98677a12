"""ONNX Runtime's CPU execution provider."""

from ovgather.targets.profile import MEASURED, Device, Fact

DEVICE = Device(
    name="onnxruntime",
    aliases=("ort", "cpuexecutionprovider"),
    what="ONNX Runtime's CPU provider",
    runs=("onnx",),
    out_of_range=Fact(
        "an exception: indices element out of data bounds, idx=... must be within the inclusive range [...]",
        "ONNX Runtime 1.32",
        MEASURED,
    ),
)
