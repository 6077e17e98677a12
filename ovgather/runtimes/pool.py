"""Runs cases in worker processes that may die, and believes an answer only when its worker ended well.

A worker serves many cases, since starting one costs more than a small case. When it dies or hangs, the
case at hand may be innocent (an earlier one may have damaged the heap), and so may the earlier answers
be wrong: all of them are withdrawn and run again, the case at hand alone in a worker of its own. A
worker that dies only at its end is answered by halving the group until the culprit is alone.
"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import IO, Any, Generic, NamedTuple, Protocol, TypeVar

from ovgather import processes as children
from ovgather.errors import UnavailableError, WorkerError
from ovgather.processes import death
from ovgather.runtimes import wire

Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)

# How many cases one worker serves, at first, at most and at least: what a late death makes us run again.
_GROUP, _LARGEST, _SMALLEST = 128, 2048, 16
_PATIENCE = 5.0  # seconds that a worker may take to end after an interrupt
_START_SECONDS = 120.0
_END_SECONDS = 30.0
_STARTS = 3  # of a worker that something else kills while it starts
_KILLED = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT")


class Case(Protocol[Answer_co]):
    """One question to the worker, and what to make of its answer."""

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        """The frame to send."""

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> Answer_co:
        """What the frame that came back means; must not keep the case's worker waiting for long."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; ``known`` are the answers that count by then, by position."""

    def __init__(self, known: Mapping[int, Any]) -> None:
        super().__init__()
        self.known = known


class Failure(NamedTuple):
    """No answer that counts.

    ``verdict`` is ``crash`` or ``timeout``, ``reason`` says where, ``cause`` is the signal of a crash.
    """

    verdict: str
    reason: str
    cause: str = ""


def command(runtime: str = "openvino") -> list[str]:
    """The command line that starts a worker with that runtime."""
    return children.command("from ovgather.runtimes.worker import main; main(sys.argv[1])", runtime)


def run(
    cases: Sequence[Case[Answer]],
    *,
    timeout: float,
    device: str,
    start: Sequence[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Answer | Failure]:
    """The answer to each case, in order, or the ``Failure`` that came instead.

    ``progress`` is called with the number of cases that have an answer now.

    Raises:
        UnavailableError: OpenVINO is not installed, or it has no such device.
        WorkerError: something kills every worker while it starts.
    """
    outcomes: dict[int, Answer | Failure] = {}
    waiting = [range(len(cases))]
    size = _GROUP
    count = progress or (lambda known: None)
    while waiting:
        group = waiting.pop()
        if len(group) > size:
            waiting.append(group[size:])
            group = group[:size]
        members = [cases[index] for index in group]
        session: _Session[Answer] = _Session(
            start or command(), device, timeout, lambda known: count(len(outcomes) + known)
        )
        try:
            failure = session.run(members) if members else None
        except KeyboardInterrupt:
            raise Interrupted({**outcomes, **dict(zip(group, session.answers, strict=False))}) from None
        size = min(_LARGEST, 2 * size) if failure is None else max(_SMALLEST, size // 2)
        if failure is None:
            outcomes.update(zip(group, session.answers, strict=True))
        elif len(group) == 1 or not session.answers:
            outcomes[group[0]] = failure
            waiting.append(group[1:])
        elif len(session.answers) < len(group):
            at = len(session.answers)
            waiting += [group[at + 1 :], group[at : at + 1], group[:at]]
        else:
            half = len(group) // 2
            waiting += [group[half:], group[:half]]
    return [outcomes[index] for index in range(len(cases))]


class _Session(Generic[Answer]):
    """The cases that one worker serves; ``answers`` to the first of them."""

    def __init__(self, start: Sequence[str], device: str, timeout: float, count: Callable[[int], None]) -> None:
        self.start = start
        self.device = device
        self.timeout = timeout
        self.count = count
        self.answers: list[Answer] = []

    def run(self, cases: Sequence[Case[Answer]]) -> Failure | None:
        """Ask all; the worker's failure at the case after the last answer or at the end."""
        with started(self.start, self.device) as worker:
            try:
                for case in cases:
                    reply = worker.ask(*case.request(), self.timeout)
                    if isinstance(reply, Failure):
                        return reply
                    self.answers.append(case.answered(*reply))
                    self.count(len(self.answers))
                return worker.end()
            except KeyboardInterrupt:
                if worker.end(_PATIENCE) is not None:
                    self.answers.clear()
                raise


def started(start: Sequence[str], device: str) -> Worker:
    """A worker that has loaded its runtime; one that is killed before is started again.

    Raises:
        UnavailableError: the runtime is not installed or cannot be loaded, or it has no such device.
        WorkerError: every worker is killed while it starts.
    """
    for attempt in range(_STARTS):
        worker = Worker(start)
        try:
            worker.greet(device)
            return worker
        except BaseException as error:
            worker.__exit__()
            if not isinstance(error, WorkerError) or attempt == _STARTS - 1:
                raise
    raise AssertionError


class Worker:
    """One child process, killed when it is left."""

    def __init__(self, start: Sequence[str]) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        with children.uninterrupted():
            self.process = subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.requests: IO[bytes] = self.process.stdin
        self.answers: IO[bytes] = self.process.stdout
        self.stage = ""
        self.version = ""
        self.title = "OpenVINO"

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._close_requests()
        self.answers.close()
        self.errors.close()

    def greet(self, device: str) -> None:
        """Wait until OpenVINO is loaded, and see that it has the device.

        Raises:
            UnavailableError: it is not installed or cannot be loaded, or it has no such device.
            WorkerError: something else killed the worker.
        """
        hello = self._within(_START_SECONDS, lambda: wire.receive(self.answers))
        if isinstance(hello, Failure):
            raise UnavailableError(f"the worker did not start: {hello.reason}")
        if hello is None:
            cause = death(self._status())
            if cause in _KILLED:
                memory = " (out of memory?)" if cause == "SIGKILL" else ""
                raise WorkerError(f"the process that runs {self.title} was killed while it started: {cause}{memory}")
            raise UnavailableError(f"the worker did not start: {self._last_words() or cause}")
        header, _ = hello
        if "missing" in header:
            missing = header["missing"]
            raise UnavailableError(f"{missing} cannot be imported ({header['message']}): pip install {_extra(missing)}")
        self.version, self.title = str(header["version"]), str(header.get("title", self.title))
        if not has_device(device, header["devices"]):
            listed = ", ".join(header["devices"]) or "none"
            raise UnavailableError(f"device {device!r} is not available here; available: {listed}")

    def ask(
        self, header: wire.Header, blobs: list[wire.Blob], timeout: float
    ) -> tuple[wire.Header, list[bytearray]] | Failure:
        """The worker's answer; a ``Failure`` when it died or took longer than ``timeout`` seconds."""
        self.stage = "starting"
        reply = self._within(timeout, lambda: self._exchange(header, blobs))
        return reply if reply is not None else self._death(f"in {self.stage}")

    def _exchange(self, header: wire.Header, blobs: list[wire.Blob]) -> tuple[wire.Header, list[bytearray]] | None:
        wire.send(self.requests, header, blobs)
        while (frame := wire.receive(self.answers)) is not None and frame[0].keys() == {"stage"}:
            self.stage = str(frame[0]["stage"])
        if frame is not None:
            frame[0].update(version=self.version, title=self.title)
        return frame

    def end(self, seconds: float = _END_SECONDS) -> Failure | None:
        """Let the worker end by itself; a ``Failure`` when it does not end well."""
        self._close_requests()
        # What it still has to say must not keep it waiting.
        drain = threading.Thread(target=self._drain, daemon=True)
        drain.start()
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return Failure("timeout", f"the worker answered, but did not end within {seconds:g} s")
        finally:
            drain.join()
        return self._death("at its end, after it had answered") if status else None

    def _drain(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while self.answers.read(1 << 20):
                pass

    def _within(self, seconds: float, talk: Callable[[], Any]) -> Any:
        """What ``talk`` gives; None when the worker died meanwhile, a ``Failure`` when time ran out."""
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            self.process.kill()

        timer = threading.Timer(seconds, expire)
        timer.start()
        try:
            reply = talk()
        except (OSError, wire.BrokenFrameError):
            reply = None
        finally:
            timer.cancel()
        if reply is None and expired.is_set():
            return Failure("timeout", f"no answer within {seconds:g} s ({self.stage or 'starting'})")
        return reply

    def _close_requests(self) -> None:
        with contextlib.suppress(OSError):  # what was still unsent has nobody to read it
            self.requests.close()

    def _status(self) -> int:
        try:
            return self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:  # it closed its output, yet lives
            self.process.kill()
            return self.process.wait()

    def _death(self, where: str) -> Failure:
        status = self._status()
        words = f" ({said})" if (said := self._last_words()) else ""
        return Failure("crash", f"{self.title} died {where}: {death(status)}{words}", death(status))

    def _last_words(self) -> str:
        self.errors.seek(0)
        lines = self.errors.read()[-2000:].decode(errors="replace").strip().splitlines()
        return lines[-1].strip()[:300] if lines else ""


def require_openvino() -> None:
    """See without loading it that OpenVINO is there; see ``require``."""
    require("openvino")


def require(runtime: str) -> None:
    """See without loading it that a runtime is there.

    Raises:
        UnavailableError: it is not installed.
    """
    for module in _MODULES[runtime]:
        try:
            found = find_spec(module) is not None
        except ValueError:  # something else goes by its name
            found = False
        if not found:
            raise UnavailableError(f"{module} is not installed: pip install {_extra(runtime)}")


_MODULES = {
    "openvino": ("openvino",),
    "onnxruntime": ("onnx", "onnxruntime"),
    "onnx-reference": ("onnx",),
    "torch": ("torch",),
}


def _extra(runtime: str) -> str:
    return f"ovgather[{'onnx' if runtime.startswith('onnx') else runtime}]"


def has_device(device: str, available: Sequence[str]) -> bool:
    """Whether every device that ``device`` names is among those OpenVINO lists.

    >>> has_device("HETERO:GPU.1,CPU", ["CPU", "GPU.0", "GPU.1"])
    True
    >>> has_device("AUTO", ["CPU"]), has_device("XPU", ["CPU"])
    (True, False)
    """
    virtual, _, listed = device.rpartition(":")
    if virtual not in ("", "AUTO", "HETERO", "MULTI", "BATCH"):
        return False
    names = [name.partition("(")[0].strip() for name in listed.split(",")]
    known = {*available, *(name.partition(".")[0] for name in available), *(f"{name}.0" for name in available)}
    return all(name in known or (not virtual and name == "AUTO") for name in names)
