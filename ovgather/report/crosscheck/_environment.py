"""The environment of a report: versions, processor, system. Nothing of it names the machine or its user."""

import os
import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

_PACKAGES = ("openvino", "numpy", "ml_dtypes", "onnx", "onnxruntime", "torch")


def environment() -> dict[str, str]:
    """Names and values, in the order in which to print them."""
    from ovgather import __version__

    versions = {"ovgather": __version__, "Python": f"{platform.python_implementation()} {platform.python_version()}"}
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    processor = platform.processor() or platform.machine()
    with suppress(OSError, StopIteration), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        processor = next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    system = f"{platform.system()} {platform.release()} ({platform.machine()})"
    return {**versions, "CPU": f"{processor}, {os.cpu_count() or 1} cores", "OS": system}
