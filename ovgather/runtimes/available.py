"""Which runtimes are installed, and which devices they have."""

from collections.abc import Sequence
from contextlib import suppress

from ovgather.errors import UnavailableError
from ovgather.processes import installing, is_installed

_MODULES = {
    "openvino": ("openvino",),
    "onnxruntime": ("onnx", "onnxruntime"),
    "onnx-reference": ("onnx",),
    "torch": ("torch",),
}


def require(runtime: str) -> None:
    """Raise UnavailableError, without loading it, for a runtime that is not installed."""
    for module in _MODULES.get(
        runtime, ()
    ):  # a runtime of another package says itself what it needs
        if not is_installed(module):
            raise UnavailableError(f"{module} is not installed: {pip_extra(runtime)}")


def pip_extra(runtime: str) -> str:
    """How to install a runtime."""
    return installing("onnx" if runtime.startswith("onnx") else runtime)


def has_device(device: str, available: Sequence[str]) -> bool:
    """Whether every device that ``device`` names is among those OpenVINO lists.

    >>> has_device("HETERO:GPU.1,CPU", ["CPU", "GPU.0", "GPU.1"]), has_device("AUTO", ["CPU"]), has_device("XPU", [])
    (True, True, False)
    """
    virtual, _, listed = device.rpartition(":")
    if virtual not in ("", "AUTO", "HETERO", "MULTI", "BATCH"):
        return False
    names = [name.partition("(")[0].strip() for name in listed.split(",")]
    devices = {
        *available,
        *(name.partition(".")[0] for name in available),
        *(f"{name}.0" for name in available),
    }
    return all(name in devices or (not virtual and name == "AUTO") for name in names)


def processor() -> str:
    """The name of the processor that devices named CPU run on."""
    import platform

    with (
        suppress(OSError, StopIteration),
        open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file,
    ):
        return next(
            line.partition(":")[2].strip()
            for line in file
            if line.startswith("model name")
        )
    return platform.processor() or platform.machine()
