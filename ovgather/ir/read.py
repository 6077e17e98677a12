"""path | bytes | file -> Model. A file that cannot be read is a Model with ``fatal`` set, not an exception."""

import copyreg
import errno
import gc
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from typing import IO, ParamSpec, TypeVar
from xml.parsers import expat

from ovgather.files.remote import RemoteFile, is_remote
from ovgather.files.side import SideFileError, open_input, open_regular, open_side_file
from ovgather.ir import encoding
from ovgather.ir.constants import Weights, constant
from ovgather.ir.graph import Problem
from ovgather.ir.model import Model
from ovgather.ir.reader.reader import Reader
from ovgather.ir.reader.state import Stop
from ovgather.ir.text import Edit, Source
from ovgather.processes import limited_memory
from ovgather.tensor.guard import guarded
from ovgather.text import pattern

MAX_BYTES = 1 << 31
"""The largest text that is read: 2 GiB."""
_TOO_LARGE = "the text has more than 2 GiB, which is not read"
_MOST_GUESSED = 4
_MOST_PARSED = 1 << 29  # bytes, over all passes of a file that needs repairs
_LEAST_PARSED = 1 << 22
_HEAD = 512  # bytes that tell the kind of a file
_MOST_FETCHED = 1 << 20  # bytes of a constant that is read in advance
# Blocks of memory, about 40 MB: so many may be added between two full collections.
_UNWALKED = 1 << 19
# Loading the quick reader takes more time than it saves for smaller files.
_BULK_FROM = 1 << 14
# Problems that the parser does not find.
_NOT_PARSED = ("weights-", "encoding")
_STATE = (
    "fatal",
    "has_lines",
    "symbols",
    "weights",
    "weights_path",
    "weights_are_given",
)
_WHOLE = pattern(
    rb"(?:<|&lt;)/?(?:(?:[\w.-]+:)?net|layers|edges)(?:[\s>/]|&gt;)", re.IGNORECASE
)

_blocks = {"most": 0}  # after which there is a full collection
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
PathOrData = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]
WeightsOrData = str | os.PathLike[str] | bytes | bytearray | memoryview


class Unchecked(str):
    """The path of a file that is not to be read, and the reason."""

    why: str


def unchecked(path: str, why: str) -> Unchecked:
    """``path``, and why its content cannot be checked."""
    source = Unchecked(path)
    source.why = f"cannot be checked: {why}"
    return source


@guarded
def read(
    source: PathOrData,
    weights: WeightsOrData | None = None,
    *,
    follow_links: bool = False,
) -> Model:
    """Read an IR file, or a lone ``<layer>`` as printed on a specification page.

    ``source`` is a path (``-`` for standard input), the bytes themselves, or an open binary file; for ``weights`` and
    ``follow_links`` see ``ovgather.read``. Defects are ``problems`` of the model; one that is unreadable is ``fatal``.
    """
    path = path_of(source)
    if isinstance(source, Unchecked):
        return unreadable(path, source.why, "unchecked")
    try:
        data = _bytes_of(source, path)
    except (OSError, ValueError) as error:
        number = getattr(error, "errno", None)
        is_too_large = number == errno.EFBIG and not is_remote(path)
        words = getattr(error, "strerror", None) or str(error)
        return unreadable(path, words, "unchecked" if is_too_large else "unreadable")
    if len(data) > MAX_BYTES:
        return unreadable(path, _TOO_LARGE, "unchecked")
    model = _parse(path, data)
    if not model.fatal:
        _find_weights(model, weights, follow_links)
    return model


def read_on(
    model: Model, weights: WeightsOrData | None = None, follow_links: bool = False
) -> Iterator[Model]:
    """The models of a text that is no XML, with what was most likely meant in place of that: one for each place at
    which a parser stops, up to that of the whole text, if it is the last one."""
    from ovgather.ir.repair.guess import guesses

    edits = [*model.source.edits]
    for _ in range(_MOST_GUESSED):
        source = model.source
        problem = next((each for each in model.problems if each.kind == "xml"), None)
        if problem is None:
            return
        more = guesses(source, problem.offset)
        if not more:
            return
        edits += map(source.edit_of_original, more)
        source = Source(source.original, source.encoding)
        source.apply(edits)
        model = parse_source(model.path, source)
        if not model.fatal:
            _find_weights(model, weights, follow_links)
        yield model


def read_held(text: PathOrData, weights: Weights) -> Model:
    """The model of a text that somebody holds, with weights that lie in memory."""
    model = _parse(path_of(text), _bytes_of(text, ""))
    if not model.fatal:
        model.weights = weights
    return model


def path_of(source: object) -> str:
    """What messages call ``source``, ``-`` for standard input."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "<bytes>"
    if isinstance(source, (str, os.PathLike)):
        return str(os.fspath(source))
    name = getattr(source, "name", None)
    if name in ("<stdin>", 0):
        return "-"
    if isinstance(name, str):
        return name
    return "<file>"


def _bytes_of(source: PathOrData, path: str) -> bytes:
    """The text, or more than ``MAX_BYTES``; OSError of a file whose size says so."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    if not isinstance(source, (str, os.PathLike)):
        return read_all(source)
    if path == "-":
        with limited_memory(0):  # it may have no end
            return read_all(sys.stdin.buffer)
    if is_remote(path):
        return RemoteFile(path).whole()
    with open_input(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_BYTES:
            raise OSError(errno.EFBIG, _TOO_LARGE, path)
        return read_all(file, size + 1)


def read_all(file: IO[bytes], size: int = 1 << 20) -> bytes:
    """The rest of ``file``, of about ``size`` bytes, but not much more than ``MAX_BYTES``."""
    parts: list[bytes] = []
    total = 0
    while total <= MAX_BYTES:
        # Python allocates all requested bytes, so do not request far more than there are.
        part: bytes | str = file.read(min(size, MAX_BYTES + 1))
        if not part:
            break
        parts.append(part.encode("utf-8", "replace") if isinstance(part, str) else part)
        total += len(part)
        # A file of the expected size ends here; others are read in growing pieces.
        if total == size - 1:
            size = 1
        else:
            size = max(total, 1 << 20)
    if len(parts) == 1:
        return parts[0]
    return b"".join(parts)


def unreadable(path: str, value: str, kind: str = "unreadable") -> Model:
    """A model of which nothing can be read; ``value`` says why."""
    model = Model(path, Source(b""))
    model.fatal = True
    model.problems.append(Problem(kind, 0, "", value))
    return model


def uncollected(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """``function`` without the cyclic collector, which doubles the time to make records and finds next to no garbage.

    The records count as old when it ends: to walk over all of them takes a quarter of the time of a large file.
    """

    @wraps(function)
    def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            if (
                not gc.get_freeze_count()
            ):  # the process around may have frozen objects of its own
                gc.freeze()
                gc.unfreeze()  # into the oldest generation
            gc.enable()

    return call


@uncollected
def _parse(path: str, data: bytes) -> Model:
    if (blocks := sys.getallocatedblocks()) > _blocks["most"]:
        if _blocks[
            "most"
        ]:  # a file whose layers have bodies is a cycle, and some findings are
            gc.collect()  # before there are new records, which it would walk over as well
            blocks = sys.getallocatedblocks()
        # A process with many objects of its own pays for their walk, too: less often.
        _blocks["most"] = blocks + max(_UNWALKED, blocks // 2)
    text, name, unknown = encoding.to_utf8(data)
    source = Source(text, name)
    model = parse_source(path, source)
    if unknown:
        model.problems.append(Problem("encoding", 0, "encoding", unknown))
    return model


def _pickled(model: Model) -> tuple[object, ...]:
    """The text, which the other process parses again, and what reading found out beside that."""
    others = [each for each in model.problems if each.kind.startswith(_NOT_PARSED)]
    if model.fatal:
        others = model.problems
    state = {name: getattr(model, name) for name in _STATE}
    return _unpickled, (
        model.path,
        model.source.original,
        model.source.encoding,
        others,
        state,
    )


def _unpickled(
    path: str,
    text: bytes,
    encoding: str,
    others: list[Problem],
    state: dict[str, object],
) -> Model:
    source = Source(text, encoding)
    if state["fatal"]:
        model = Model(path, source)
    else:
        model = parse_source(path, source)
    model.problems += others
    vars(model).update(state)
    return model


copyreg.pickle(Model, _pickled)  # type: ignore[arg-type]


def parse_source(path: str, source: Source, before: Model | None = None) -> Model:
    """The model of a text, to which edits may have been applied; ``before``: the model of the text without them."""
    if len(source.data) >= _BULK_FROM:
        from ovgather.ir.bulk.reader import read_bulk

        model = Model(path, source)
        if read_bulk(
            model, source.data, before.signatures if before is not None else None
        ):
            return model
    edits = list(source.edits)
    parsed = 0
    while True:
        model = Model(path, source)
        reader = Reader(model)
        try:
            reader.parse(source.data)
        except Stop as stop:
            more = _edits_after_stop(source, edits, stop)
            problem = Problem(stop.kind, stop.offset, "", stop.value)
        except expat.ExpatError as error:
            offset = max(0, reader.stop)
            more = _edits_after_error(source, edits, error.code, offset)
            problem = Problem("xml", offset, str(error.code))
        else:
            return model
        parsed += max(problem.offset, _LEAST_PARSED)
        if not more or parsed > _MOST_PARSED:
            return _give_up(model, problem)
        edits += more
        source.apply(edits)


def _edits_after_stop(source: Source, edits: list[Edit], stop: Stop) -> list[Edit]:
    if stop.kind == "doctype":
        from ovgather.ir.repair.repair import doctype_edits

        return doctype_edits(source.original, source.to_original(stop.offset))
    if stop.kind == "root":
        return _snippet(source, edits)
    return []


def _edits_after_error(
    source: Source, edits: list[Edit], code: int, offset: int
) -> list[Edit]:
    if more := _snippet(source, edits):
        return more
    from ovgather.ir.repair.repair import repairs

    more = [*map(source.edit_of_original, repairs(source.data, code, offset))]
    if more:
        earlier = {hash(edit[:3]) for edit in edits}
    else:
        earlier = set()
    if any(hash(edit[:3]) not in earlier for edit in more):
        return more
    return []


def _snippet(source: Source, edits: list[Edit]) -> list[Edit]:
    from ovgather.ir.repair.snippet import snippet_edits

    is_repaired = any(edit.kind != "trial" for edit in edits)
    if is_repaired or _WHOLE.search(source.original):
        return []
    return snippet_edits(source.original) or []


def _give_up(model: Model, problem: Problem) -> Model:
    empty = Model(model.path, model.source)
    empty.fatal = True
    kind = encoding.describe(model.source.original)
    if kind is not None:
        model.source.apply([])  # repairs are pointless for a file of another kind
        problem = Problem("not-ir", 0, "", kind)
    elif problem.kind == "xml":
        from ovgather.ir.repair.explain import explain

        code = int(problem.subject)
        text, place, other = explain(model.source, code, problem.offset)
        subject = "" if other is None else str(other)
        problem = Problem("xml", place, subject, text)
    empty.problems.append(problem)
    return empty


def _find_weights(
    model: Model, weights: WeightsOrData | None, follow_links: bool
) -> None:
    if isinstance(weights, (bytes, bytearray, memoryview)):
        _take_weights(model, Weights(bytes(weights)))
        return
    model.weights_are_given = weights is not None
    if weights is None:
        path = os.path.splitext(model.path)[0] + ".bin"
    else:
        path = os.fspath(weights)
    if is_remote(path):
        _take_remote(model, path, weights is None)
        return
    is_path = model.path not in ("-", "<bytes>", "<file>") and path != model.path
    if weights is None and not (is_path and os.path.lexists(path)):
        return
    model.weights_path = path
    is_implied = weights is None
    try:
        if is_implied:
            file = open_side_file(model.path, os.path.basename(path), follow_links)
        else:
            file = open_regular(path)
        _take_weights(model, Weights.of(file, path))
    except SideFileError as error:
        if is_implied and error.kind != "unreadable":
            model.problems.append(
                Problem("weights-refused", 0, error.kind, str(error), help=error.help)
            )
        else:
            model.problems.append(
                Problem(
                    "weights-unreadable", 0, path, f"cannot read the weights {error}"
                )
            )


def _take_remote(model: Model, address: str, is_implied: bool) -> None:
    """Take weights at an address, and read at once what is needed of them: the integers, such as axes and indices."""
    try:
        weights = Weights.at(address)
        constants = filter(None, (constant(layer, weights) for layer in model.layers()))
        integers = (
            each for each in constants if each.element_type.name in ("i32", "i64")
        )
        weights.fetch(
            {
                (0, _HEAD),
                *(
                    (each.offset, each.size)
                    for each in integers
                    if each.size <= _MOST_FETCHED
                ),
            }
        )
        model.weights_path = address
        _take_weights(model, weights)
    except OSError as error:
        if not (is_implied and isinstance(error, FileNotFoundError)):
            text = f"cannot read the weights {address}: {error.strerror}"
            model.problems.append(Problem("weights-unreadable", 0, address, text))


def _take_weights(model: Model, weights: Weights) -> None:
    kind = encoding.describe_weights(
        bytes(weights.read(0, min(weights.size, _HEAD)) or b"")
    )
    if kind is None:
        model.weights = weights
    else:
        model.problems.append(Problem("weights-other", 0, str(weights.size), kind))
