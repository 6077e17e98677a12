"""A folder of results, each under two names: that of the path is used while the files' states are the same, that of the
content while the hashes of what was read are, wherever the files are. Both belong to one configuration and ovgather; a
newer one removes them. A damaged entry is written again. Entries are JSON; nothing in them names a file to open.
"""

import json
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from ovgather.files.remote import RemoteFile, is_remote
from ovgather.files.side import SideFileError, open_regular, open_side_file
from ovgather.files.whole import require_creatable, temporary_name
from ovgather.ir.model import Model
from ovgather.ir.read import Unchecked
from ovgather.layers.formats import read
from ovgather.onnx_file.source import files_of, is_onnx
from ovgather.validation.checked import Checked
from ovgather.validation.many.record import from_record, to_record
from ovgather.validation.plan import Plan

_MOST_HASHED = 1 << 22  # bytes of the weights of an ONNX model: nobody knows which of them are read
_MOST_READ = 1 << 26  # bytes of the largest entry
_PIECE = 1 << 20
_HEAD = [0, 512]  # the range of weights that tells their kind: read also where they are not used
_GRAIN = 2_000_000_000  # nanoseconds: so soon after a change, another one may leave the times of a file as they are
_ENTRY = re.compile(r"(?:([0-9][^-]*)-)?[0-9a-f]{64}\.json")  # without a version up to 0.2.0
_START = re.compile(rb'[0-9a-f]{64}\n{"names": ')
_MOST_REMOVED = (
    10_000  # entries of older versions in a run: an entry takes 0.1 ms, on a network more
)
_DAMAGE = (
    OSError,
    SideFileError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RecursionError,
)
States = list[list[Any]]
Ranges = Iterable[Sequence[int]]


class Cache(NamedTuple):
    """The results in ``folder`` of checking files by ``plan``; ``maker`` tells one ovgather and plan from another."""

    folder: str
    plan: Plan
    maker: str
    version: str

    def check(self, path: str) -> Checked:
        """The result for the file ``path``: the known one while it holds, or else a new one, which is kept."""
        if path == "-" or isinstance(path, Unchecked):
            return self.plan.check(path)
        return self._known(path) or self._checked(path)

    def _checked(self, path: str) -> Checked:
        names = self._names(path)
        states = _states(names)
        settled = _settled(states)
        model = read(path, self.plan.weights, follow_links=self.plan.follow_links)
        checked = self.plan.check(path, model)
        if settled:
            ranges = None
            if isinstance(model, Model):
                ranges = [
                    _HEAD,
                    *map(list, sorted(model.weights.ranges if model.weights is not None else ())),
                ]
            with suppress(OSError, SideFileError):
                entry = {
                    "names": names,
                    "head": self._head(path),
                    "ranges": ranges,
                    "rest": self._rest(names, ranges),
                }
                self._write(path, {**entry, "result": to_record(checked)}, states)
        return checked

    def _known(self, path: str) -> Checked | None:
        names = [] if is_onnx(path) else self._names(path)  # an ONNX file is parsed for them
        with suppress(*_DAMAGE):
            entry = self._entry(path)
            if entry["names"][0] == path and (not names or entry["names"] == names):
                checked = from_record(entry["result"], path)
                if entry["states"] == _states(entry["names"]):
                    return checked
        with suppress(*_DAMAGE):
            names = names or self._names(path)
            states = _states(names)
            settled, head = _settled(states), self._head(path)
            entry = self._entry(head)
            checked = from_record(entry["result"], path)
            if (
                entry["head"] == head
                and entry["rest"] is not None
                and entry["rest"] == self._rest(names, entry["ranges"])
            ):
                if settled:
                    self._write(path, {**entry, "names": names}, states)
                return checked
        return None

    def _names(self, path: str) -> list[str]:
        """The files that a check reads."""
        if self.plan.weights is not None:
            return [path, self.plan.weights]
        return list(files_of(path))

    def _head(self, path: str) -> str:
        """A hash of the content of the model, and of what its path decides."""
        digest = sha256(
            repr((self.maker, os.path.basename(path), self.plan.selection_for(path))).encode()
        )
        if not is_remote(path):
            with open_regular(path) as file:
                _hash_range(digest, file, 0, sys.maxsize)
        return digest.hexdigest()

    def _rest(self, names: Sequence[str], ranges: Ranges | None) -> str | None:
        """A hash of the ``ranges`` of the weights, or of all of them, and of what is not opened; None where they are
        too many, or cannot be read."""
        digest, left = sha256(), _MOST_HASHED
        if any(map(is_remote, names)):  # their states say enough
            return None
        for name in names[1:]:
            if os.path.islink(name):
                leads = os.path.realpath(name)
            else:
                leads = ""
            digest.update(f"{os.path.lexists(name)} {leads!r} ".encode())
            try:
                file = self._open(names[0], name)
            except SideFileError as error:
                if error.kind == "unreadable":
                    return None
                digest.update(error.kind.encode())
                continue
            with file:
                size = os.fstat(file.fileno()).st_size
                left -= size if ranges is None else 0
                if left < 0:
                    return None
                is_text = name.endswith(
                    ".json"
                )  # beside an exported model; ranges are those of weights
                for offset, length in (
                    ranges if ranges is not None and not is_text else ((0, size),)
                ):
                    _hash_range(digest, file, offset, length)
            digest.update(f"{size} {ranges!r}".encode())
        return digest.hexdigest()

    def _open(self, model: str, name: str) -> BinaryIO:
        """Open a file beside ``model`` if a check opens it."""
        if self.plan.weights is not None:
            return open_regular(name)
        beside = os.path.relpath(name, os.path.dirname(model) or os.curdir)
        return open_side_file(model, beside, self.plan.follow_links)

    def _place(self, name: str) -> str:
        key = repr((name, os.path.abspath(name), self.maker)).encode()
        return os.path.join(self.folder, f"{self.version}-{sha256(key).hexdigest()}.json")

    def _entry(self, name: str) -> dict[str, Any]:
        with open_regular(self._place(name)) as file:
            seal, _, body = file.read(_MOST_READ).partition(b"\n")
        entry: dict[str, Any] = json.loads(body) if seal == _seal(body) else {}
        return entry

    def _write(self, path: str, entry: dict[str, Any], states: States) -> None:
        """Keep the ``entry``, if the files have still the ``states`` from before they were read."""
        if _states(entry["names"]) != states:
            return
        body = json.dumps({**entry, "states": states}).encode()
        name = temporary_name(self.folder)
        with suppress(OSError):  # a full disk costs the entry, not the result
            try:
                with open(name, "xb") as file:
                    file.write(_seal(body) + b"\n" + body)
                os.link(name, f"{name}.head")
                for temporary, final in ((f"{name}.head", entry["head"]), (name, path)):
                    os.replace(temporary, self._place(final))  # a link is replaced, not followed
            except BaseException:
                for temporary in (name, f"{name}.head"):
                    with suppress(OSError):
                        os.unlink(temporary)
                raise


def open_cache(folder: str, plan: Plan) -> Cache:
    """The cache in ``folder``, which is made; OSError if that fails."""
    import ovgather

    require_creatable(folder)
    os.makedirs(folder, exist_ok=True)
    _remove_older(folder, ovgather.__version__)
    package = os.path.dirname(ovgather.__file__)
    modules = [os.path.join(place, name) for place, _, names in os.walk(package) for name in names]
    changed = max(os.stat(module).st_mtime_ns for module in modules if module.endswith(".py"))
    versions = [ovgather.__version__, package, changed, sys.version]
    maker = repr([*versions, plan._replace(standard_input=None)])
    return Cache(os.path.abspath(folder), plan, maker, ovgather.__version__)


def _remove_older(folder: str, version: str) -> None:
    """Remove some entries of versions before ``version``; one that an older ovgather misses is written again."""
    here = _release(version)
    with suppress(OSError):
        others = (
            match
            for match in map(_ENTRY.fullmatch, os.listdir(folder))
            if match and match[1] != version
        )
        older = (match[0] for match in others if _release(match[1] or "") < here)
        for name in islice(older, _MOST_REMOVED):
            with suppress(OSError, SideFileError):
                with open_regular(os.path.join(folder, name)) as file:
                    is_entry = _START.match(file.read(128))
                if is_entry:
                    os.unlink(os.path.join(folder, name))


def _release(version: str) -> list[int]:
    return [int(number) for number in re.split("[^0-9.]", version)[0].split(".") if number]


def _states(names: Sequence[str]) -> States:
    """What changes with a file, of each of ``names``; nothing of one that is missing."""
    states: States = []
    for name in names:
        try:
            if is_remote(name):
                states.append(RemoteFile(name).state)
                continue
            status = os.lstat(name)
            leads = ""
            if stat.S_ISLNK(status.st_mode):
                status, leads = os.stat(name), os.path.realpath(name)
            times = [status.st_mtime_ns, status.st_ctime_ns]
            states.append(
                [status.st_size, *times, status.st_mode, status.st_dev, status.st_ino, leads]
            )
        except OSError as error:
            if is_remote(name) and not isinstance(error, FileNotFoundError):
                raise
            states.append([])
    return states


def _settled(states: States) -> bool:
    """Whether each change of the files from now on will show in their ``states``."""
    latest = time.time_ns() - _GRAIN
    return all(max(state[1:3], default=0) < latest for state in states)


def _hash_range(digest: Any, file: BinaryIO, offset: int, length: int) -> None:
    file.seek(offset)
    while length > 0 and (piece := file.read(min(length, _PIECE))):
        digest.update(piece)
        length -= len(piece)


def _seal(body: bytes) -> bytes:
    return sha256(body).hexdigest().encode()
