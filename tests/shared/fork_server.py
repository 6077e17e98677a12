"""A process that has the runtimes loaded, and forks a child for each command line; ``forked.py`` talks to it.

A child does what a new Python would do with that command line: it has its own folder, environment, standard streams
and signals. What it saves is to load the runtimes, and to take apart, at its end, the modules that it shares with this
process, which takes as long as what it does. All else of an end happens: what it made is freed, threads are joined,
``atexit`` and the destructors of libraries run.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import os
import pickle
import runpy
import select
import signal
import socket
import sys
import threading
import warnings
from importlib import import_module
from importlib.util import find_spec
from pkgutil import walk_packages
from typing import Any, NamedTuple

LOADED = {
    "torch": ("torch",),
    "onnx": (
        "onnx",
        "onnx.reference",
        "onnxruntime",
        "ovgather.runtimes.adapters._onnx",
        "ovgather.runtimes.adapters.onnxruntime",
        "ovgather.onnx_file.shapes",
    ),
    "openvino": (
        "openvino",
        "ovgather.ops.evaluation",
        "ovgather.runtimes.adapters.openvino",
    ),
    "cli": ("ovgather.cli", "ovgather.report", "ovgather.validation", "ovgather.verbs"),
    "": (),
}
"""What is imported for children whose command line has that word; of the package, all modules."""
PLUGINS = ("intel_cpu", "intel_npu")
"""Libraries that OpenVINO loads in every child: to run a model, and to list the devices."""
ALSO = {"verdict_child": "openvino", "converted_child": "openvino"}
"""Children that need what a word loads, and do not say so."""
MOST = 1 << 17
"""Bytes of a request: a command line, a folder and an environment."""


class Request(NamedTuple):
    """What a child is to do; its streams and the pipe of its exit code come along as files."""

    arguments: list[str]
    folder: str
    environment: dict[str, str]
    blocked: set[signal.Signals]
    own_session: bool


def load(word: str) -> None:
    """Import what the children need."""
    for name in (
        "numpy",
        "ml_dtypes",
        "ovgather.runtimes.worker",
        "ovgather.onnx_file.shapes",
        *LOADED[word],
    ):
        if find_spec(name.partition(".")[0]) is not None:
            import_module(name)
    for room in LOADED["cli"] if word == "cli" else ():
        for entry in walk_packages(import_module(room).__path__, f"{room}."):
            with contextlib.suppress(ImportError):  # without an extra
                import_module(entry.name)
    if openvino := sys.modules.get("openvino"):
        for name in PLUGINS:
            with contextlib.suppress(OSError):
                ctypes.CDLL(f"{openvino.__path__[0]}/libs/libopenvino_{name}_plugin.so")
    gc.collect()
    gc.freeze()  # a child need not look through it all at its end
    processes = import_module("ovgather.processes")
    end_with = processes.end_with
    # The parent of a child is this process, which ends with its own.
    processes.end_with = lambda parent: end_with(os.getppid())


class Server:
    """Forks children, and says how they end."""

    def __init__(self, requests: socket.socket) -> None:
        self.requests = requests
        self.ends: dict[int, int] = {}  # the pipe to write the exit code to, by process
        self.wakes, self.waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.waker)

    def serve(self) -> Request:
        """Returns in each child, with what it is to do; this process ends with the last request."""
        while True:
            ready, _, _ = select.select([self.requests, self.wakes], [], [])
            if self.wakes in ready:
                os.read(self.wakes, 1 << 10)
                self._reap()
            if self.requests in ready:
                data, files, _, _ = socket.recv_fds(self.requests, MOST, 4)
                if not data:
                    os._exit(0)
                if self._fork(files):
                    return pickle.loads(data)  # type: ignore[no-any-return]

    def _fork(self, files: list[int]) -> bool:
        """Whether this is the child."""
        number = os.fork()
        if number:
            end = files.pop()
            os.write(end, f"{number}\n".encode())
            self.ends[number] = end
            for file in files:
                os.close(file)
            return False
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self.requests.close()
        for stream, file in enumerate(files[:3]):
            os.dup2(file, stream)
        for file in [*files, *self.ends.values(), self.wakes, self.waker]:
            os.close(file)
        return True

    def _reap(self) -> None:
        while self.ends:
            number, status = os.waitpid(-1, os.WNOHANG)
            if not number:
                return
            if (end := self.ends.pop(number, None)) is None:
                continue  # a process that a runtime started while it was loaded
            with contextlib.suppress(BrokenPipeError):  # who asked for it is dead
                os.write(end, f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os.close(end)


def run(request: Request) -> None:
    """What the command line says, in this process."""
    if request.own_session:
        os.setsid()
    os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, request.blocked)
    _, first, *others = request.arguments
    if first == "-c":
        code, *others = others
        sys.argv = ["-c", *others]
        sys.path.insert(0, "")
        names: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
        exec(compile(code, "<string>", "exec"), names)
    else:
        sys.argv = [first, *others]
        sys.path.insert(0, os.path.dirname(first))
        runpy.run_path(first, run_name="__main__")


def end(code: object) -> None:
    """As ``sys.exit``; for codes that are no numbers, and where streams are closed, in the ordinary way."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    gc.collect()
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        sys.stderr.flush()
        if code is None or isinstance(code, int):
            ctypes.PyDLL(None).exit(code or 0)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Libraries have threads that a fork ends.
    warnings.filterwarnings("ignore", "This process", DeprecationWarning)
    _, file, word, *sys.path[:] = sys.argv
    load(word)
    request = Server(socket.socket(fileno=int(file))).serve()
    status = None
    try:
        run(request)
    except SystemExit as leaving:
        status = leaving.code
    end(status)
    sys.exit(status)
