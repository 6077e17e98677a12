"""Files in, text out: what the verbs share."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import click

from ovgather.cli._shared.exits import NO_FILE, UNREADABLE
from ovgather.files import remote
from ovgather.files.remote import is_remote
from ovgather.report import render
from ovgather.text import printable

OnError = Callable[[OSError], None]


class Matches(NamedTuple):
    """The files that PATH... names; ``incomplete``: folders that cannot be read may hide more."""

    paths: list[str]
    incomplete: bool

    def exit_code(self, code: int) -> int:
        """The exit code of a verb that would end with ``code`` if all folders could be read."""
        return UNREADABLE if self.incomplete and code < UNREADABLE else code


def find(
    paths: Sequence[str],
    weights: str | None = None,
    excluded: Callable[[str], bool] | None = None,
    excluding: str | None = None,
    onnx: bool = False,
) -> Matches:
    """The files that ``paths`` name, or the end of the program with a message; see ``find_files``.

    ``weights`` go with one file only. ``excluding`` is the configuration file that ``excluded`` comes from.
    """
    unread: list[str] = []

    def name(error: OSError) -> None:
        folder = printable(os.fsdecode(error.filename or ""))
        if folder not in unread:
            click.echo(f"ovgather: {folder}: the folder cannot be read: {error.strerror}", err=True)
            unread.append(folder)

    files = find_files(paths, excluded, onnx, name)
    if not files and unread:
        raise click.exceptions.Exit(UNREADABLE)
    if not files:
        but = f" that {excluding} does not exclude" if excluding else ""
        kinds = ".xml or .onnx" if onnx else ".xml"
        click.echo(f"ovgather: no {kinds} file in {printable(', '.join(paths))}{but}", err=True)
        raise click.exceptions.Exit(NO_FILE)
    if weights is not None and len(files) > 1:
        raise click.UsageError(f"--weights goes with one file, not with {len(files)}")
    return Matches(files, bool(unread))


def find_files(
    paths: Iterable[str],
    excluded: Callable[[str], bool] | None = None,
    onnx: bool = False,
    onerror: OnError | None = None,
) -> list[str]:
    """The files that ``paths`` name: folders are searched for ``*.xml``, patterns matched, ``-`` is standard input.

    A search skips ``excluded`` files and links to folders, and takes ``*.onnx``, too, with ``onnx`` and its extra.
    """
    endings = (".xml", ".onnx") if onnx else (".xml",)
    files: list[str] = []
    for path in paths:
        if is_remote(path):
            files += _remote(path, excluded, endings, onerror)
            continue
        matches = sorted(set(_matching(path, onerror))) if _is_pattern(path) and not os.path.exists(path) else [path]
        for match in matches:
            if match != "-" and os.path.isdir(match):
                walked = list(_walk(match, excluded or (lambda path: False), endings, onerror))
                files += _readable(walked) if onnx else walked
            else:
                files.append(match)
    return list(dict.fromkeys(files))


def _remote(
    address: str, excluded: Callable[[str], bool] | None, endings: tuple[str, ...], onerror: OnError | None
) -> list[str]:
    """The files that an address names: one, those of a pattern, or those of a folder."""
    try:
        return [path for path in remote.find(address, endings) if excluded is None or not excluded(path)]
    except OSError as error:
        if onerror is None:
            raise
        onerror(error)
        return []


def _readable(files: list[str]) -> list[str]:
    """``files``, less those of ONNX where the extra is not there; says so."""
    from ovgather.onnx_file.source import available, is_onnx

    models = [path for path in files if is_onnx(path)]
    if not models or available():
        return files
    subject = "1 .onnx file is" if len(models) == 1 else f"{len(models)} .onnx files are"
    click.echo(f"ovgather: {subject} passed over: onnx is not installed (pip install 'ovgather[onnx]')", err=True)
    return [path for path in files if not is_onnx(path)]


def _matching(pattern: str, onerror: OnError | None) -> Iterator[str]:
    """The files that match ``pattern``. Those of ``glob`` follow links through ``**``, for ever where one leads up."""
    import re
    from glob import escape, glob

    slash = r"[\\/]" if os.sep == "\\" else "/"
    parts = re.split(rf"(?:(?<={slash})|^)\*\*(?:{slash}+|$)", pattern, maxsplit=1)
    if len(parts) == 1:
        yield from glob(pattern)
        folder, name = os.path.split(pattern)
        if onerror is not None and _is_pattern(name):
            _try_folders(glob(folder), onerror)
        return
    for top in glob(parts[0]) if parts[0] else [""]:
        for folder, folders, names in os.walk(top or os.curdir, onerror=onerror):
            folders[:] = [name for name in folders if not name.startswith(".")]
            prefix = os.path.relpath(folder) if not top else folder
            prefix = "" if prefix == os.curdir else prefix
            if parts[1]:
                matching = _matching(os.path.join(escape(prefix), parts[1]), None)
                yield from (path for path in matching if not os.path.isdir(path))
            else:
                yield from (os.path.join(prefix, name) for name in names if not name.startswith("."))


def _is_pattern(path: str) -> bool:
    return any(mark in path for mark in "*?[")


def _try_folders(folders: list[str], onerror: OnError) -> None:
    """Report those that cannot be read: ``glob`` skips them without a message."""
    for folder in filter(os.path.isdir, folders):
        try:
            os.scandir(folder).close()
        except OSError as error:
            onerror(error)


def _walk(
    top: str, excluded: Callable[[str], bool], endings: tuple[str, ...], onerror: OnError | None
) -> Iterator[str]:
    from ovgather.files.whole import PREFIX  # of folders that a run left which was killed while it wrote

    for folder, folders, names in os.walk(top, onerror=onerror):
        folders[:] = [
            name for name in sorted(folders) if not (name.startswith(PREFIX) or excluded(os.path.join(folder, name)))
        ]
        for name in sorted(names):
            path = os.path.join(folder, name)
            # Of what is no file, a pipe would never end; a link to nothing is passed on, to be told of.
            if name.endswith(endings) and not excluded(path) and (os.path.isfile(path) or not os.path.exists(path)):
                yield path


def read_bytes(path: str) -> bytes:
    """All of the file ``path``, or of standard input (``-``)."""
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def show(what: str, format: str, results: Sequence[object], color: str, output: str | None, **more: object) -> None:
    """Print ``results`` of the verb ``what`` in ``format``, or put them into the file ``output``."""
    write_text(render(what, format, results, color=wants_color(color, output), **more), output)


def wants_color(choice: str, output: str | None) -> bool:
    """Whether to paint; ``auto``: on a terminal or with FORCE_COLOR, unless NO_COLOR is set."""
    if choice != "auto":
        return choice == "always"
    wanted = sys.stdout.isatty() or os.environ.get("FORCE_COLOR")
    return output is None and bool(wanted) and not os.environ.get("NO_COLOR")


def write_text(text: str, output: str | None) -> None:
    """Print ``text``, or put it into the file ``output``."""
    write_raw(text.encode("utf-8", "replace"), output)


def write_pieces(pieces: Iterable[str], output: str | None) -> None:
    """Print each of ``pieces`` as it comes, or put all into the file ``output``, whole or not at all."""
    if output is not None:
        _write_whole((piece.encode("utf-8", "replace") for piece in pieces), output)
    else:
        for piece in pieces:
            write_raw(piece.encode("utf-8", "replace"), None)


def write_raw(data: bytes, output: str | None) -> None:
    """Print ``data`` as it is, or put it into the file ``output``."""
    if output is None:
        try:
            sys.stdout.flush()
            click.echo(data, nl=False)
        except BrokenPipeError:
            # Whoever was to read it has gone (`| head`): the exit code still tells what was found.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            raise click.ClickException(f"cannot write standard output: {error.strerror}") from error
    else:
        write_bytes(data, output)


def write_bytes(data: bytes, output: str) -> None:
    """Put ``data`` into the file ``output``, whole or not at all, unless it is one that the run reads."""
    _write_whole((data,), output)


def _write_whole(pieces: Iterable[bytes], output: str) -> None:
    from ovgather.cli._shared.outputs import inputs, writing
    from ovgather.files.whole import write_whole

    with writing(output):
        write_whole(output, pieces, inputs())
