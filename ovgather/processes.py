"""Child processes: they end with their parent, and no Ctrl-C interrupts their start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_PR_SET_PDEATHSIG = 1
ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
"""What ends the command in good order."""


def end_with(parent: int) -> None:
    """Let the kernel kill this process when ``parent`` ends; only Linux can, elsewhere the closed pipe ends it."""
    if sys.platform != "linux":
        return
    with suppress(
        ImportError, OSError, AttributeError
    ):  # a Python without ctypes, a C library without prctl
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before this call
        os._exit(1)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C and the like while a child process starts, and keep it from the child: it ends with its parent."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a child that has a session of its own, and the children that it left in there."""
    process.kill()
    with suppress(
        AttributeError, ProcessLookupError, PermissionError
    ):  # on Windows; nobody is left
        os.killpg(process.pid, signal.SIGKILL)


def death(code: int | None) -> str:
    """The signal or exit status that ended a process."""
    if code is None or code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def command(code: str, *arguments: str) -> list[str]:
    """The command line of a Python process that runs ``code`` with this import path, and ends when this one does.

    ``-m`` would put the current folder, with any files, first.
    """
    path = f"import sys; sys.path[:] = sys.argv[{1 + len(arguments)}:]"
    parent = f"from ovgather.processes import end_with; end_with({os.getpid()})"
    return [sys.executable, "-c", f"{path}; {parent}; {code}", *arguments, *sys.path]


def installing(extra: str) -> str:
    """How to install an extra, in quotes that every shell knows; from the checkout until there is a release.

    >>> installing("onnx")
    'pip install ".[onnx]" in the checkout of ovgather'
    """
    from ovgather import __version__

    if ".dev" in __version__:
        return f'pip install ".[{extra}]" in the checkout of ovgather'
    return f'pip install "ovgather[{extra}]"'


def is_installed(module: str) -> bool:
    """Whether a module can be imported; a folder of that name on the import path cannot."""
    from importlib.util import find_spec

    try:
        spec = find_spec(module)
    except ValueError:  # a module without a specification, as tests install one
        return False
    return spec is not None and spec.origin is not None
