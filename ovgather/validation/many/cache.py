"""A folder of results, so that a file that is checked again in the same way costs hardly more than a look at its state.

An entry belongs to one path, one configuration and one ovgather. It holds the state of the files that were read (size,
times, inode) and, where they are small, a hash of their content. An entry whose files changed in neither is used. An
entry that is damaged in any way is ignored and written again. Entries are JSON; nothing in them names a file to open.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, NamedTuple

from ovgather.errors import LostFilesError
from ovgather.files.side import SideFileError, open_regular
from ovgather.files.whole import PREFIX, require_creatable
from ovgather.onnx_file.files_read import files_of
from ovgather.onnx_file.source import is_onnx
from ovgather.validation.checked import Checked
from ovgather.validation.many.record import from_record, to_record
from ovgather.validation.plan import Checker, Plan

_MOST_HASHED = 1 << 22  # bytes of a model that are hashed; a larger one whose state differs is checked again
_MOST_READ = 1 << 26  # bytes of the largest entry
_MOST_HELD = 20_000  # findings that wait in memory for their turn
_GRAIN = 2_000_000_000  # nanoseconds: so soon after a change, another one may leave the times of a file as they are
States = list[list[Any]]
CheckMany = Callable[[Sequence[str], Checker[Checked]], Generator[Checked]]


class Cache(NamedTuple):
    """The results in ``folder`` of checking files by ``plan``; ``maker`` tells one ovgather and plan from another."""

    folder: str
    plan: Plan
    maker: str

    def check(self, path: str) -> Checked:
        """Check the file ``path``, and keep the result."""
        if path == "-":
            return self.plan.check(path)
        names = self._names(path)
        latest, states = time.time_ns() - _GRAIN, _states(names)
        checked = self.plan.check(path)
        entry = {"names": names, "states": states, "hash": _digest(names), "result": to_record(checked)}
        if _states(names) == states and all(max(state[1:3], default=0) < latest for state in states):
            self._write(path, entry)
        return checked

    def find(self, path: str) -> Checked | None:
        """The result for the file ``path``, if it is known and still holds."""
        if path == "-":
            return None
        try:
            with open_regular(self._place(path)) as file:
                seal, _, body = file.read(_MOST_READ).partition(b"\n")
            entry = json.loads(body) if seal == _seal(body) else {}
            names: list[str] = entry["names"]
            if names[0] != path or not (is_onnx(path) or names == self._names(path)):
                return None
            found = from_record(entry["result"], path)
            states = _states(names)
            if states != entry["states"]:
                if entry["hash"] is None or entry["hash"] != _digest(names) or _states(names) != states:
                    return None
                self._write(path, {**entry, "states": states})
            return found
        except (OSError, SideFileError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return None

    def _names(self, path: str) -> list[str]:
        """The files that a check reads."""
        return [path, self.plan.weights] if self.plan.weights is not None else list(files_of(path))

    def _place(self, path: str) -> str:
        key = repr((path, os.path.abspath(path), self.maker)).encode()
        return os.path.join(self.folder, f"{sha256(key).hexdigest()}.json")

    def _write(self, path: str, entry: dict[str, Any]) -> None:
        body = json.dumps(entry).encode()
        name = os.path.join(self.folder, f"{PREFIX}{os.urandom(8).hex()}")
        with suppress(OSError):  # a full disk costs the entry, not the result
            try:
                with open(name, "xb") as file:
                    file.write(_seal(body) + b"\n" + body)
                os.replace(name, self._place(path))  # a link is replaced, not followed
            except BaseException:
                os.unlink(name)
                raise


def open_cache(folder: str, plan: Plan) -> Cache:
    """The cache in ``folder``, which is made.

    Raises:
        OSError: it cannot be made or written.
    """
    import lxml.etree

    import ovgather

    require_creatable(folder)
    os.makedirs(folder, exist_ok=True)
    package = os.path.dirname(ovgather.__file__)
    changed = max(
        os.stat(os.path.join(place, name)).st_mtime_ns
        for place, _, names in os.walk(package)
        for name in names
        if name.endswith(".py")
    )
    versions = [ovgather.__version__, package, changed, sys.version, lxml.etree.LXML_VERSION, lxml.etree.LIBXML_VERSION]
    return Cache(os.path.abspath(folder), plan, repr([*versions, plan._replace(standard_input=None)]))


def check_cached(paths: Sequence[str], cache: Cache, check: CheckMany) -> Generator[Checked]:
    """The results for ``paths`` in their order, those that are not known by ``check``."""
    known: dict[int, Checked | None] = {}
    held = 0
    for index, path in enumerate(paths):
        found = cache.find(path)
        if found is not None:
            findings = len(found.diagnostics) + len(found.suppressed)
            held += findings
            known[index] = found if not findings or held <= _MOST_HELD else None  # to be read again in its turn
    results = check([path for index, path in enumerate(paths) if index not in known], cache)
    lost: LostFilesError | None = None
    next_result: Checked | None = None
    try:
        for index, path in enumerate(paths):
            if index in known:
                yield known.pop(index) or cache.find(path) or cache.check(path)
                continue
            try:
                next_result = next_result or next(results, None)
            except LostFilesError as error:
                lost = error
            if next_result is not None and next_result.path == path:  # else its process died
                yield next_result
                next_result = None
        if lost is None:
            next(results, None)  # says what is lost at the end
    finally:
        results.close()
    if lost is not None:
        raise lost


def _states(names: Sequence[str]) -> States:
    """What changes with a file, of each of ``names``; nothing of one that is missing."""
    states: States = []
    for name in names:
        try:
            status = os.lstat(name)
            leads = ""
            if stat.S_ISLNK(status.st_mode):
                status, leads = os.stat(name), os.path.realpath(name)
            times = [status.st_mtime_ns, status.st_ctime_ns]
            states.append([status.st_size, *times, status.st_mode, status.st_dev, status.st_ino, leads])
        except OSError:
            states.append([])
    return states


def _digest(names: Sequence[str]) -> str | None:
    """A hash of the content of small files; None of large ones, and of what is no file."""
    digest, left = sha256(), _MOST_HASHED
    for name in names:
        try:
            with open_regular(name) as file:
                content = file.read(left + 1)
        except SideFileError as error:
            if error.kind != "missing":
                return None
            content = b""
        left -= len(content)
        if left < 0:
            return None
        digest.update(f"{os.path.lexists(name)} {os.path.islink(name)} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _seal(body: bytes) -> bytes:
    return sha256(body).hexdigest().encode()
