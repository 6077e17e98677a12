"""A database of results, each stored under two keys.

The key of the path is valid while size and times of the files stay the same. The key of the content is valid while the
hashes of the bytes that were read stay the same, wherever the files are. Both keys include the options of the check and
the version of ovgather; a newer version removes the database of an older one. A damaged entry or database is written
again. Entries are JSON, and nothing in them names a file to open.
"""

import errno
import json
import os
import re
import sqlite3
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from threading import get_ident
from typing import Any, BinaryIO, Generic, TypeVar

from ovgather.files.remote import RemoteFile, is_remote
from ovgather.files.side import SideFileError, open_regular, open_side_file
from ovgather.files.whole import made, require_creatable
from ovgather.ir.model import Model
from ovgather.ir.read import Unchecked
from ovgather.layers.formats import read
from ovgather.onnx_file.files import files_of
from ovgather.onnx_file.source import is_onnx

# bytes of weights where the ranges that a check reads are unknown
_MOST_HASHED = 1 << 22
_MOST_READ = 1 << 26  # bytes of the largest entry
_PIECE = 1 << 20
# The range of weights that tells their kind: read also where they are not used.
_HEAD = [
    0,
    512,
]
_GRAIN = 2_000_000_000  # nanoseconds: so soon after a change, another one may leave the times of a file as they are
_DATABASE = re.compile(r"ovgather-([0-9].*)\.sqlite")
_JOURNAL = "-journal"
_LOGS = ("-wal", "-shm")
_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""Of SQLite: a journal that names others ends in it."""
_TABLE = "CREATE TABLE entries (key BLOB PRIMARY KEY, seal BLOB, body BLOB)"
_PATIENCE = 10.0  # seconds that a process waits for another one that writes
_DAMAGE = (
    OSError,
    SideFileError,
    sqlite3.Error,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RecursionError,
)
States = list[list[Any]]
Ranges = Iterable[Sequence[int]]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Kept(Generic[Result]):
    """A way to check files whose results are kept.

    Attributes:
        check: gives the result for a path, and takes the model, if there is one, after it.
        to_record: the result as JSON; None: it is not kept.
        from_record: the result for a path from what was JSON, whoever wrote it.
        how: tells this way from another one.
        about: what else decides the result for one path.
        reads_all: the result depends on all weights, not on those that were read here.
    """

    check: Callable[..., Result]
    to_record: Callable[[Result], Any]
    from_record: Callable[[Any, str], Result]
    how: str
    about: Callable[[str], object] = str
    weights: str | None = None
    follow_links: bool = False
    reads_all: bool = False


@dataclass(frozen=True)
class Cache(Generic[Result]):
    """The results of ``kept`` in the database ``file``; ``maker`` tells one ovgather and way to check from another."""

    file: str
    kept: Kept[Result]
    maker: str

    def __call__(self, path: str) -> Result:
        """The result for the file ``path``: the known one while it holds, or else a new one, which is kept."""
        if path == "-" or isinstance(path, Unchecked):
            return self.kept.check(path)
        known = self._known(path)
        if known is None:
            return self._checked(path)
        return known

    def recall(self, path: str) -> Result | None:
        """The result for the file ``path`` if it, and what else was read, is as it was; no file is opened."""
        with suppress(*_DAMAGE):
            entry = self._entry(path)
            # What an ONNX file refers to, it tells when it is parsed.
            names = entry["names"] if is_onnx(path) else self._names(path)
            if names[0] == path and entry["names"] == names:
                result = self.kept.from_record(entry["result"], path)
                if entry["states"] == _states(names):
                    return result
        return None

    def _checked(self, path: str) -> Result:
        names = self._names(path)
        states = _states(names)
        settled = _settled(states)
        model = read(path, self.kept.weights, follow_links=self.kept.follow_links)
        result = self.kept.check(path, model)
        if settled and (record := self.kept.to_record(result)) is not None:
            ranges = None
            if isinstance(model, Model) and not self.kept.reads_all:
                used = model.weights.ranges if model.weights is not None else ()
                ranges = [_HEAD, *map(list, sorted(used))]
            with suppress(OSError, SideFileError):
                entry = {
                    "names": names,
                    "head": self._head(path),
                    "ranges": ranges,
                    "rest": self._rest(names, ranges),
                }
                self._write(path, {**entry, "result": record}, states)
        return result

    def _known(self, path: str) -> Result | None:
        """The result for a file of the same content, which may have been elsewhere."""
        with suppress(*_DAMAGE):
            names = self._names(path)
            states = _states(names)
            settled = _settled(states)
            head = self._head(path)
            entry = self._entry(head)
            result = self.kept.from_record(entry["result"], path)
            if (
                entry["head"] == head
                and entry["rest"] is not None
                and entry["rest"] == self._rest(names, entry["ranges"])
            ):
                if settled:
                    self._write(path, {**entry, "names": names}, states)
                return result
        return None

    def _names(self, path: str) -> list[str]:
        """The files that a check reads."""
        if self.kept.weights is not None:
            return [path, self.kept.weights]
        return list(files_of(path))

    def _head(self, path: str) -> str:
        """A hash of the content of the model, and of what its path decides."""
        digest = sha256(
            repr((self.maker, os.path.basename(path), self.kept.about(path))).encode()
        )
        if not is_remote(path):
            with open_regular(path) as file:
                _hash_range(digest, file, 0, sys.maxsize)
        return digest.hexdigest()

    def _rest(self, names: Sequence[str], ranges: Ranges | None) -> str | None:
        """A hash of the ``ranges`` of the weights, or of all of them, and of what is not opened; None where they are
        too many, or cannot be read."""
        digest = sha256()
        left = _MOST_HASHED
        if any(map(is_remote, names)):  # their states say enough
            return None
        for position, name in enumerate(names[1:]):
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
                parts: Ranges = ((0, size),)
                if ranges is None:
                    left -= size
                elif (
                    position == 0
                ):  # the weights; what is beside an exported model is read whole
                    parts = ranges
                if left < 0:
                    return None
                for offset, length in parts:
                    _hash_range(digest, file, offset, length)
            digest.update(f"{size} {ranges!r}".encode())
        return digest.hexdigest()

    def _open(self, model: str, name: str) -> BinaryIO:
        """Open a file beside ``model`` if a check opens it."""
        if self.kept.weights is not None:
            return open_regular(name)
        beside = os.path.relpath(name, os.path.dirname(model) or os.curdir)
        return open_side_file(model, beside, self.kept.follow_links)

    def _key(self, name: str) -> bytes:
        return sha256(repr((name, os.path.abspath(name), self.maker)).encode()).digest()

    def _entry(self, name: str) -> dict[str, Any]:
        asked = "SELECT seal, body FROM entries WHERE key = ? AND length(body) < ?"
        with self._database() as database:
            rows = database.execute(asked, (self._key(name), _MOST_READ))
            seal, body = rows.fetchone()
        entry: dict[str, Any] = json.loads(body) if seal == _seal(body) else {}
        return entry

    def _write(self, path: str, entry: dict[str, Any], states: States) -> None:
        """Keep the ``entry``, if the files have still the ``states`` from before they were read."""
        if _states(entry["names"]) != states:
            return
        body = json.dumps({**entry, "states": states}).encode()
        rows = [(self._key(name), _seal(body), body) for name in (entry["head"], path)]
        # A full disk costs the entry, not the result.
        with (
            suppress(sqlite3.Error, UnicodeDecodeError),
            self._database() as database,
            database,
        ):
            database.executemany(
                "INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", rows
            )

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        database = _connection(self.file, os.getpid(), get_ident())
        with _waiting_once(database):
            yield database


def open_cache(folder: str, kept: Kept[Result]) -> Cache[Result]:
    """The cache in ``folder``, which is made; OSError if that fails."""
    import ovgather

    require_creatable(folder)
    _remove_older(folder, ovgather.__version__)
    package = os.path.dirname(ovgather.__file__)
    modules = [
        os.path.join(place, name)
        for place, _, names in os.walk(package)
        for name in names
    ]
    changed = max(
        os.stat(module).st_mtime_ns for module in modules if module.endswith(".py")
    )
    maker = repr([ovgather.__version__, package, changed, sys.version, kept.how])
    file = os.path.join(
        os.path.abspath(folder), f"ovgather-{ovgather.__version__}.sqlite"
    )
    _connection.cache_clear()  # the database may be another one by now
    with made(folder):
        _prepare(file)
    return Cache(file, kept, maker)


def _prepare(file: str) -> None:
    """Make the database ``file``, in the place of what is none, or not ours."""
    _remove_foreign(file)
    is_new = not os.path.exists(file)
    for _ in range(2):
        try:
            with closing(_connect(file)) as database, database:
                database.execute(_TABLE.replace("TABLE", "TABLE IF NOT EXISTS", 1))
                # A view or a trigger makes of a statement of ours what it likes.
                [made] = database.execute(
                    "SELECT sql FROM sqlite_master WHERE sql NOT NULL"
                )
                if made == (_TABLE,):
                    return
            os.unlink(file)
        except sqlite3.OperationalError as error:
            if is_new:  # on a full disk
                for name in (file, file + _JOURNAL):
                    with suppress(FileNotFoundError):
                        os.unlink(name)
            raise OSError(
                errno.EIO, f"the cache cannot be used: {error}", file
            ) from error
        except (sqlite3.DatabaseError, ValueError):  # also of what it says of a name
            os.unlink(file)


def _remove_foreign(file: str) -> None:
    """Remove what SQLite would take for the database ``file`` or a part of it, and we never write: links, a log, and
    a journal of several databases, which names another file that SQLite would delete."""
    for name in (file, file + _JOURNAL, *(file + log for log in _LOGS)):
        with suppress(FileNotFoundError):
            status = os.lstat(name)
            if (
                name.endswith(_LOGS)
                or not stat.S_ISREG(status.st_mode)
                or status.st_nlink > 1
                or _end(name) == _MAGIC
            ):
                os.unlink(name)


def _end(name: str) -> bytes:
    with open(name, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - len(_MAGIC)))
        return file.read(len(_MAGIC))


def _connect(file: str) -> sqlite3.Connection:
    database = sqlite3.connect(file, timeout=_PATIENCE)
    # What a loss of power spoils is written again.
    database.execute("PRAGMA synchronous = OFF")
    with suppress(sqlite3.OperationalError), _waiting_once(database):
        database.execute("PRAGMA journal_mode = TRUNCATE")
    return database


@contextmanager
def _waiting_once(database: sqlite3.Connection) -> Iterator[None]:
    """Once another process does not let ``database`` in, it waits for none again."""
    try:
        yield
    except sqlite3.OperationalError:
        database.execute("PRAGMA busy_timeout = 0")
        raise


@lru_cache(maxsize=64)
def _connection(file: str, process: int, thread: int) -> sqlite3.Connection:
    """The connection of a thread: none is passed on to another one, or to a process that is forked."""
    return _connect(file)


def _remove_older(folder: str, version: str) -> None:
    """Remove the databases of versions before ``version``; one that an older ovgather misses is written again."""
    here = _release(version)
    with suppress(OSError):
        for match in filter(None, map(_DATABASE.fullmatch, os.listdir(folder))):
            if _release(match[1]) < here:
                with suppress(OSError):
                    os.unlink(os.path.join(folder, match[0]))


def _release(version: str) -> list[int]:
    return [
        int(number) for number in re.split("[^0-9.]", version)[0].split(".") if number
    ]


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
                status = os.stat(name)
                leads = os.path.realpath(name)
            times = [status.st_mtime_ns, status.st_ctime_ns]
            states.append(
                [
                    status.st_size,
                    *times,
                    status.st_mode,
                    status.st_dev,
                    status.st_ino,
                    leads,
                ]
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
