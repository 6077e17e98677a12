"""ONNX Runtime's CUDA execution provider."""

from ovgather.targets.profile import READ, Device, Fact

DEVICE = Device(
    name="CUDA",
    aliases=("cudaexecutionprovider",),
    what="ONNX Runtime's CUDA provider",
    runs=("onnx",),
    out_of_range=Fact(
        "zeros for Gather and no exception, where the CPU provider raises one",
        "onnxruntime/core/providers/cuda/tensor/gather_impl.cu",
        READ,
    ),
)
