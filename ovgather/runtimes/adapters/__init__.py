"""The runtimes that trials can be run in, one file each: ``<name>.py`` serves ``--against <name>``.

Each holds a class ``Runtime`` that a worker process makes. It has a ``title``, a ``version``, the ``devices`` that it
can run on, and ``answer``, which gets a request and gives the answer's header and blobs.
"""

from __future__ import annotations

from pkgutil import iter_modules


def names() -> list[str]:
    """The runtimes there are, found by listing this package.

    >>> "openvino" in names()
    True
    """
    return sorted(name.replace("_", "-") for _, name, _ in iter_modules(__path__) if not name.startswith("_"))


def module(name: str) -> str:
    """Where the runtime is.

    >>> module("onnx-reference")
    'ovgather.runtimes.adapters.onnx_reference'
    """
    return f"{__name__}.{name.replace('-', '_')}"
