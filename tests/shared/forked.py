"""Child processes from a server that has the runtimes loaded: ``Popen`` and ``run`` as ``subprocess`` has them.

A runtime takes half a second of computing to load, and most tests with a runtime start several. Each still has a
process of its own, forked. Where there is no fork to rely on, and ``starting_anew``, a process starts from nothing.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from subprocess import PIPE, CompletedProcess, TimeoutExpired
from typing import IO, Any

from fork_server import ALSO, LOADED, Request
from paths import SHARED

__all__ = [
    "PIPE",
    "CompletedProcess",
    "Popen",
    "TimeoutExpired",
    "ovgather",
    "run",
    "shell",
    "starting_anew",
]

Command = Sequence["str | os.PathLike[str]"]
MAIN = "from ovgather.cli.main import main; main()"
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


def Popen(  # noqa: N802
    command: Command,
    stdin: Any = None,
    stdout: Any = None,
    stderr: Any = None,
    cwd: Any = None,
    start_new_session: bool = False,
) -> Any:
    """A child process; with ``stdin`` and ``stdout`` as pipes or files, and ``stderr`` as a file."""
    arguments = [os.fspath(each) for each in command]
    kind: Any = (
        subprocess.Popen if _anew[0] or arguments[0] != sys.executable else Forked
    )
    streams = {"stdin": stdin, "stdout": stdout, "stderr": stderr}
    return kind(arguments, **streams, cwd=cwd, start_new_session=start_new_session)


def ovgather(
    *arguments: str | os.PathLike[str], cwd: str | os.PathLike[str] | None = None
) -> CompletedProcess[str]:
    """The command line in a process of its own, to its end; nothing comes in."""
    command = [sys.executable, "-c", MAIN, *arguments]
    with (
        open(os.devnull, "rb") as nothing,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        process = Popen(command, nothing, out, err, cwd)
        code = process.wait(100)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
        return CompletedProcess(command, code, *texts)


def shell(line: str, cwd: str | os.PathLike[str]) -> CompletedProcess[str]:
    """A line of a page as a shell runs it."""
    if not set(line) & set("|<>&;*$`"):
        program, *arguments = shlex.split(line)
        if program == "ovgather":
            return ovgather(*arguments, cwd=cwd)
    path = f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", line],
        cwd=cwd,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
    )


def run(
    command: Command,
    input: bytes,
    timeout: float,
    capture_output: bool = True,
    check: bool = False,
) -> CompletedProcess[bytes]:
    """A child process that is given ``input``, to its end."""
    assert capture_output
    assert not check
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
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

    def __init__(
        self,
        arguments: Sequence[str],
        stdin: Any,
        stdout: Any,
        stderr: Any,
        cwd: Any,
        start_new_session: bool,
    ) -> None:
        self.args = arguments
        self.returncode: int | None = None
        theirs, self.stdin = _reading(stdin)
        mine, self.stdout = _writing(stdout)
        self._end, end = os.pipe()
        files = [theirs, mine, stderr.fileno() if stderr is not None else 2, end]
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        folder = os.path.join(os.getcwd(), cwd or "")
        request = Request(
            list(arguments), folder, dict(os.environ), blocked, start_new_session
        )
        words = " ".join(arguments[1:4])
        word = next((ALSO[name] for name in ALSO if name in words), "") or next(
            word for word in LOADED if word in words
        )
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
        command = [
            sys.executable,
            str(SHARED / "fork_server.py"),
            str(theirs.fileno()),
            word,
            *sys.path,
        ]
        nothing = subprocess.DEVNULL
        server = subprocess.Popen(
            command, stdin=nothing, stdout=nothing, pass_fds=[theirs.fileno()]
        )
        theirs.close()
        _servers[word] = server, ours
    return _servers[word][1]
