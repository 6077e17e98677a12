"""ONNX Runtime's DirectML execution provider."""

from ovgather.targets.profile import Device, Fact

DEVICE = Device(
    name="DirectML",
    aliases=("dml", "dmlexecutionprovider"),
    what="ONNX Runtime's DirectML provider",
    runs=("onnx",),
    out_of_range=Fact(
        "other elements and no exception: reads are clamped to the memory of the tensor",
        "learn.microsoft.com: DML_GATHER_OPERATOR_DESC, IndicesTensor",
    ),
)
