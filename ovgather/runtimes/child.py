"""One worker process that may die: started, greeted, asked and ended."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO, Any, NamedTuple

from ovgather import processes as children
from ovgather.errors import ConfigurationError, UnavailableError, WorkerError
from ovgather.processes import death
from ovgather.runtimes import wire
from ovgather.runtimes.available import has_device, pip_extra
from ovgather.runtimes.outcome import END, Outcome

_START_SECONDS = 120.0
_END_SECONDS = 30.0
_REST_SECONDS = 2.0  # for what a worker that has died had still sent
_LOOK_SECONDS = 0.5
AT_END = "hang-at-end"
"""The cause of a worker that has answered, and does not end."""
_STARTS = 3  # of a worker that something else kills while it starts
KILLED = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT")
"""Signals that something else sends."""


class Failure(NamedTuple):
    """No answer that counts: ``verdict`` is ``crash`` or ``timeout``, ``cause`` the signal of a crash."""

    verdict: str
    reason: str
    cause: str = ""
    stage: str = ""

    @property
    def outcome(self) -> Outcome:
        cause = self.cause or self.verdict
        return Outcome(self.verdict, self.reason, cause=cause, stage=self.stage)


def started(start: Sequence[str], device: str) -> Worker:
    """A worker that has loaded its runtime; one that is killed before is started again. Errors as ``greet``."""
    for attempts_left in reversed(range(_STARTS)):
        worker = Worker(start)
        try:
            worker.greet(device)
            break
        except BaseException as error:
            worker.__exit__()
            if not isinstance(error, WorkerError) or not attempts_left:
                raise
    return worker


class Worker:
    """One child process, killed at the end of ``with``."""

    def __init__(self, start: Sequence[str]) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        with children.uninterrupted():
            # In a session of its own: what it starts ends with it.
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(
                start,
                stdin=pipe,
                stdout=pipe,
                stderr=self.errors,
                start_new_session=True,
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.requests: IO[bytes] = self.process.stdin
        self.answers: IO[bytes] = self.process.stdout
        self.stage = ""
        self.steps = 0
        self.version = ""
        self.title = "OpenVINO"
        self.killed = False
        self.threads: list[threading.Thread] = []
        """What uses the pipes, and never ends where a child of the worker keeps one of them open."""

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        children.kill(self.process)
        self.process.wait()
        for thread in self.threads:
            thread.join(_REST_SECONDS)
        if not any(thread.is_alive() for thread in self.threads):
            with contextlib.suppress(
                OSError
            ):  # what was still unsent has nobody to read it
                self.requests.close()
            self.answers.close()
        self.errors.close()

    def greet(self, device: str) -> None:
        """Wait until the runtime is loaded; WorkerError if something else killed it, UnavailableError if it fails."""
        hello = self._within(_START_SECONDS, lambda: wire.receive(self.answers))
        if isinstance(hello, Failure):
            raise UnavailableError(f"the worker did not start: {hello.reason}")
        if hello is None:
            cause = death(self._status())
            if cause in KILLED:
                memory = " (out of memory?)" if cause == "SIGKILL" else ""
                raise WorkerError(
                    f"the process that runs {self.title} was killed while it started: {cause}{memory}"
                )
            raise UnavailableError(
                f"the worker did not start: {self._last_words() or cause}"
            )
        header, _ = hello
        if "missing" in header:
            name = header["missing"]
            message = header["message"]
            how = ""  # a runtime of somebody else
            if ":" not in name:
                how = f": {pip_extra(name)}"
            raise UnavailableError(f"{name} cannot be imported ({message}){how}")
        if "unavailable" in header:
            raise UnavailableError(header["unavailable"])
        self.version, self.title = (
            str(header["version"]),
            str(header.get("title", self.title)),
        )
        if not has_device(device, header["devices"]):
            devices = ", ".join(header["devices"]) or "none"
            raise UnavailableError(
                f"device {device!r} is not available here; available: {devices}"
            )

    def ask(
        self, header: wire.Header, blobs: list[wire.Blob], timeout: float
    ) -> wire.Received | Failure:
        """The worker's answer; a ``Failure`` when it died, or took longer than ``timeout`` seconds for a step.

        ConfigurationError: the device does not take the properties that are asked for.
        """
        self.stage = "starting"
        reply: wire.Received | Failure | None = self._within(
            timeout, lambda: self._exchange(header, blobs)
        )
        if reply is not None:
            return reply
        return self._death(f"in {self.stage}", self.stage)

    def _exchange(
        self, header: wire.Header, blobs: list[wire.Blob]
    ) -> wire.Received | None:
        wire.send(self.requests, header, blobs)
        while (frame := wire.receive(self.answers)) is not None and frame[0].keys() == {
            "stage"
        }:
            self.stage = str(frame[0]["stage"])
            self.steps += 1
        if frame is not None and "misconfigured" in frame[0]:
            raise ConfigurationError(frame[0]["misconfigured"])
        if frame is not None:
            frame[0].update(version=self.version, title=self.title)
        return frame

    def end(self, patience: float | None = None) -> Failure | None:
        """Let the worker end by itself; a ``Failure`` when it does not end well."""
        seconds = patience or _END_SECONDS

        def leave() -> None:
            with contextlib.suppress(OSError, ValueError):
                self.requests.close()
                self.answers.read()  # what it still has to say must not keep it waiting

        self._run(leave)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return Failure(
                "timeout",
                f"the worker answered, but did not end within {seconds:g} s",
                AT_END,
                END,
            )
        if self.process.returncode:
            return self._death("at its end, after it had answered", END)
        return None

    def _run(self, talk: Callable[[], object]) -> threading.Thread:
        # Ctrl-C, or a pipe that a child of the worker keeps, may leave it behind: the program must not wait for it.
        thread = threading.Thread(target=talk, daemon=True)
        self.threads = [each for each in self.threads if each.is_alive()]
        self.threads.append(thread)
        thread.start()
        return thread

    def _within(self, seconds: float, talk: Callable[[], Any]) -> Any:
        """What ``talk`` gives; None when the worker died meanwhile, a ``Failure`` when time ran out."""
        replies: list[Any] = []

        def run() -> None:
            try:
                replies.append(talk())
            except ConfigurationError as error:
                replies.append(error)
            except (OSError, ValueError, wire.BrokenFrameError):
                replies.append(None)

        thread = self._run(run)
        end = time.monotonic() + seconds
        steps = self.steps
        while thread.is_alive() and (left := end - time.monotonic()) > 0:
            thread.join(min(left, _LOOK_SECONDS))
            if self.steps != steps:
                end = time.monotonic() + seconds
                steps = self.steps
            if thread.is_alive() and self._has_ended():
                thread.join(_REST_SECONDS)
                break
        reply = None
        if replies:
            reply = replies[0]
        if isinstance(reply, ConfigurationError):
            raise reply
        if reply is None and not self._has_ended() and time.monotonic() >= end:
            stage = self.stage or "starting"
            return Failure(
                "timeout", f"no answer within {seconds:g} s ({stage})", stage=stage
            )
        return reply

    def _has_ended(self) -> bool:
        try:
            self.process.wait(0)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _status(self) -> int:
        try:
            return self.process.wait(_END_SECONDS)
        except (
            subprocess.TimeoutExpired
        ):  # it closed its output or sent no frame, yet lives
            self.killed = True
            children.kill(self.process)
            return self.process.wait()

    def _death(self, where: str, stage: str) -> Failure:
        status = self._status()
        message = self._last_words()
        if self.killed:
            words = f"{self.title} gave no valid answer {where}; ovgather ended it after {_END_SECONDS:g} s"
            return Failure("crash", words, "no-answer", stage)
        detail = ""
        if message:
            detail = f" ({message})"
        cause = death(status)
        return Failure(
            "crash", f"{self.title} died {where}: {cause}{detail}", cause, stage
        )

    def _last_words(self) -> str:
        self.errors.seek(0)
        lines = self.errors.read()[-2000:].decode(errors="replace").strip().splitlines()
        if lines:
            return lines[-1].strip()[:300]
        return ""
