"""Processes: children end with their parent, no Ctrl-C interrupts their start, and a file has a budget.

The budget is time and memory for the work on one file, whose author may want either to run out. A signal interrupts the
main thread, also in a regular expression; another thread is interrupted between two steps of Python. The memory is that
which a process may add: Linux refuses more to the main thread, and Python raises MemoryError. Elsewhere there is no
such limit.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf

TYPE_CHECKING = False  # not from typing, which takes long to import
if TYPE_CHECKING:
    import subprocess
    from types import FrameType

_PR_SET_PDEATHSIG = 1
ENDING = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
]
"""What ends the command in good order."""
SECONDS = 60.0
"""For a file of up to ``_SMALL`` bytes; others have more in proportion."""
_SMALL = 10_000_000
_WAITING = 5
# seconds until an interruption that got lost, as in a callback, is repeated
_AGAIN = 0.2
_MEMORY = 1 << 30
_MEMORY_PER_BYTE = 64
_PAGE = 4096
_STATM = "/proc/self/statm"


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


class OverTime(BaseException):
    """The time for a file is over; no ``except Exception`` on the way takes it."""


@contextmanager
def budget(path: str, seconds: float = SECONDS, mortal: bool = False) -> Iterator[None]:
    """Let the work on ``path`` take ``seconds`` (inf: no limits), and memory by its size; ``mortal``: it may end us.

    They are of the processor, whose other users are no fault of the file; by the clock it may take ``_WAITING`` times
    as long, or only as long at an address.

    Raises:
        OverTime: the time is over.
        MemoryError: there is no more memory, in the process or for this file.
    """
    size = 0
    with suppress(OSError, ValueError):
        size = os.stat(path).st_size
    seconds *= max(1.0, size / _SMALL)
    if (
        seconds == inf
        or not hasattr(signal, "setitimer")
        or isinstance(signal.getsignal(signal.SIGALRM), _Alarm)
    ):  # one around this one holds
        yield
        return
    try:
        alarm = _Alarm(seconds, seconds * (1 if "://" in path else _WAITING))
        before = signal.signal(signal.SIGALRM, alarm)
    except ValueError:  # only the main thread is interrupted
        with _deadline(seconds):
            yield
        return
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        if mortal:  # of what no signal interrupts the kernel ends the process
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)  # also if a caller had it
            signal.setitimer(signal.ITIMER_VIRTUAL, 2 * seconds + 1)
        with limited_memory(size):
            yield
    except OverTime:
        raise OverTime(_over_time(seconds)) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if mortal:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Raise OverTime in this thread, which no signal reaches, after ``seconds``: between two steps of Python."""
    import ctypes
    from threading import Event, Lock, Thread, get_ident

    interrupt = ctypes.pythonapi.PyThreadState_SetAsyncExc
    thread = ctypes.c_ulong(get_ident())
    over = Event()
    lock = Lock()
    sent = received = False

    def watch() -> None:
        nonlocal sent
        if over.wait(seconds):
            return
        with lock:
            if (
                not over.is_set()
            ):  # once only: it may arrive where this thread is about to leave
                sent = True
                interrupt(thread, ctypes.py_object(OverTime))

    Thread(target=watch, daemon=True).start()
    try:
        yield
    except OverTime:
        received = True
        raise OverTime(_over_time(seconds)) from None
    finally:
        with suppress(OverTime):
            with lock:
                over.set()
            # Taken back, it would leave Python 3.11 with a mark that holds a profiler or debugger for ever.
            for _ in range(1000 if sent and not received else 0):
                pass


def _over_time(seconds: float) -> str:
    return f"it takes more than {seconds:g} s (--timeout)"


class _Alarm:
    """Raises OverTime once ``seconds`` of the processor, or ``longest`` by the clock, are over."""

    def __init__(self, seconds: float, longest: float) -> None:
        self.computed = time.process_time() + seconds
        self.end = time.monotonic() + longest

    def __call__(self, number: int, frame: FrameType | None) -> None:
        left = min(self.computed - time.process_time(), self.end - time.monotonic())
        if left <= 0:
            raise OverTime
        signal.setitimer(signal.ITIMER_REAL, left, _AGAIN)


def _memory_for(size: int) -> int:
    """The bytes that the work on a file of ``size`` bytes may add."""
    return _MEMORY + _MEMORY_PER_BYTE * size


@contextmanager
def limited_memory(size: int) -> Iterator[None]:
    """Let this process add what a file of ``size`` bytes may take, where the system has such a limit.

    Raises:
        MemoryError: it would add more.
    """
    limits = _limit_memory(size)
    try:
        yield
    except MemoryError as error:
        if limits is None or str(error):
            raise
        raise MemoryError(
            f"a file of its size gets {_memory_for(size) >> 20} MiB"
        ) from None
    finally:
        if limits is not None:
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, limits)


def _limit_memory(size: int) -> tuple[int, int] | None:
    """The limits before, or None where there is no other limit now."""
    try:
        import resource

        with open(_STATM, "rb") as file:
            allowed = int(file.read().split()[5]) * _PAGE + _memory_for(size)
        limits = resource.getrlimit(resource.RLIMIT_DATA)
        if 0 <= limits[0] <= allowed:  # the user's own limit is tighter; -1 is none
            return None
        resource.setrlimit(resource.RLIMIT_DATA, (allowed, limits[1]))
        return limits
    except (ImportError, OSError, ValueError, IndexError):
        return None
