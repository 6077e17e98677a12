"""Child processes from a server that has the runtimes loaded: ``Popen`` and ``run`` as ``subprocess`` has them.

A runtime takes half a second of computing to load, and most tests with a runtime start several. Each still has a
process of its own, forked. Where there is no fork to rely on, and ``starting_anew``, a process starts from nothing.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from subprocess import PIPE, CompletedProcess, TimeoutExpired
from typing import IO, Any

from fork_server import LOADED, Request
from paths import SHARED

__all__ = ["PIPE", "CompletedProcess", "Popen", "TimeoutExpired", "run", "starting_anew"]

Command = Sequence["str | os.PathLike[str]"]
_servers: dict[str, tuple[subprocess.Popen[bytes], socket.socket]] = {}
_anew = [sys.platform != "linux"]


@contextlib.contextmanager
def starting_anew() -> Any:
    """Processes start from nothing, as for a user."""
    before = _anew[0]
    _anew[0] = True
    try:
        yield
    finally:
        _anew[0] = before


def Popen(command: Command, stdin: Any = None, stdout: Any = None, stderr: Any = None) -> Any:  # noqa: N802
    """A child process; with ``stdin`` and ``stdout`` as pipes or files, and ``stderr`` as a file."""
    arguments = [os.fspath(each) for each in command]
    kind: Any = subprocess.Popen if _anew[0] or arguments[0] != sys.executable else Forked
    return kind(arguments, stdin=stdin, stdout=stdout, stderr=stderr)


def run(
    command: Command, input: bytes, timeout: float, capture_output: bool = True, check: bool = False
) -> CompletedProcess[bytes]:
    """A child process that is given ``input``, to its end."""
    assert capture_output
    assert not check
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(input)
        given.seek(0)
        process = Popen(command, stdin=given, stdout=out, stderr=err)
        try:
            code = process.wait(timeout)
        except TimeoutExpired:
            process.kill()
            process.wait()
            raise
        out.seek(0)
        err.seek(0)
        return CompletedProcess(command, code, out.read(), err.read())


class Forked:
    """A child of the server, as a ``subprocess.Popen``."""

    def __init__(self, arguments: Sequence[str | os.PathLike[str]], stdin: Any, stdout: Any, stderr: Any) -> None:
        self.args = arguments
        self.returncode: int | None = None
        theirs, self.stdin = _reading(stdin)
        mine, self.stdout = _writing(stdout)
        self._end, end = os.pipe()
        files = [theirs, mine, stderr.fileno() if stderr is not None else 2, end]
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        request = Request(list(arguments), os.getcwd(), dict(os.environ), blocked)
        word = next(word for word in LOADED if word in " ".join(arguments[1:4]))
        socket.send_fds(_server(word), [pickle.dumps(request)], files)
        for pipe, file in ((stdin, theirs), (stdout, mine)):
            if pipe == PIPE:
                os.close(file)
        os.close(end)
        self._said = b""
        self._read(1, None)
        self.pid = int(self._said.splitlines()[0])

    def wait(self, timeout: float | None = None) -> int:
        """The exit code."""
        if self.returncode is None:
            if not self._read(2, timeout):
                assert timeout is not None
                raise TimeoutExpired(self.args, timeout)
            self.returncode = int(self._said.splitlines()[1])
            os.close(self._end)
        return self.returncode

    def kill(self) -> None:
        """End it."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _read(self, lines: int, timeout: float | None) -> bool:
        """Read what the server says, up to so many lines of it; False: not within ``timeout``."""
        while self._said.count(b"\n") < lines:
            if not select.select([self._end], [], [], timeout)[0]:
                return False
            data = os.read(self._end, 100)
            assert data, "the server of child processes ended"
            self._said += data
        return True


def _reading(stdin: Any) -> tuple[int, IO[bytes] | None]:
    """What a child reads from, and our end of it."""
    if stdin != PIPE:
        return (stdin.fileno() if stdin is not None else 0), None
    read, write = os.pipe()
    return read, os.fdopen(write, "wb")


def _writing(stdout: Any) -> tuple[int, IO[bytes] | None]:
    """What a child writes to, and our end of it."""
    if stdout != PIPE:
        return (stdout.fileno() if stdout is not None else 1), None
    read, write = os.pipe()
    return write, os.fdopen(read, "rb")


def _server(word: str) -> socket.socket:
    """What takes requests for children that need what a word loads; it is started with the first."""
    if word not in _servers:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, str(SHARED / "fork_server.py"), str(theirs.fileno()), word, *sys.path]
        nothing = subprocess.DEVNULL
        server = subprocess.Popen(command, stdin=nothing, stdout=nothing, pass_fds=[theirs.fileno()])
        theirs.close()
        _servers[word] = server, ours
    return _servers[word][1]
