"""The files that a run reads."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import click

from ovgather.cli._shared.outputs import CLEAN, NO_FILE, UNREADABLE, say
from ovgather.files import remote
from ovgather.files.paths import Paths
from ovgather.files.side import is_inside, leads_out, open_input
from ovgather.processes import SECONDS, limited_memory
from ovgather.text import count, first_few

OnError = Callable[[OSError], None]
Excluded = Callable[[str], bool]


class Matches(NamedTuple):
    """The files that PATH... names; ``least``: the least exit code, as folders cannot be read, or a PATH names nothing;
    ``stays``: whether a path that was found in a folder leads to a file that is still there; by now it may be a link.
    """

    paths: Sequence[str]
    least: int
    stays: Callable[[str, str], bool] = lambda path, target: True

    def exit_code(self, code: int) -> int:
        """The exit code of a verb that would end with ``code`` if each PATH named files that can be read."""
        return max(code, self.least)


def find(
    paths: Sequence[str],
    weights: str | None = None,
    excluded: Excluded = lambda path: False,
    excluding: str | None = None,
    onnx: bool = False,
    allow_none: bool = False,
    follow_links: bool = False,
) -> Matches:
    """The files that ``paths`` name, or the end of the program with a message.

    Folders are searched for ``*.xml``, and with ``onnx`` and its extra for ``*.onnx``; ``-`` is standard input.
    A ``.bin`` stands for the ``.xml`` beside it. ``weights`` go with one file only. ``excluding`` is the configuration
    file that ``excluded`` comes from. ``allow_none``: the exit code is 0 where no file matches.
    """
    endings = (".xml", ".onnx") if onnx else (".xml",)
    unread: list[str] = []

    def name(error: OSError) -> None:
        folder = os.fsdecode(error.filename or "")
        if folder not in unread:
            say(f"{folder}: the folder cannot be read: {error.strerror}")
            unread.append(folder)

    links: list[str] = []
    passed_over = None if follow_links else links
    empty: list[str] = []
    exclusions = 0

    def is_excluded(path: str) -> bool:
        nonlocal exclusions
        is_out = excluded(path)
        exclusions += is_out
        return is_out

    def matches_of(path: str) -> Iterator[str]:
        # why it names nothing, of which a message tells; so does one of a .bin
        reasons = exclusions, len(unread), len(links)
        is_empty = True
        for each in _named(path, is_excluded, endings, name, passed_over):
            is_empty = False
            yield each
        has_reason = reasons != (exclusions, len(unread), len(links))
        if is_empty and not has_reason and not path.endswith(".bin"):
            empty.append(path)

    named = (each for path in paths for each in matches_of(path))
    # One alone names no file twice.
    files = Paths(named if len(paths) == 1 else dict.fromkeys(named))
    if links:
        passed = first_few(links, 1)
        say(f"passed over, a link out of the folder: {passed}; --follow-links takes it")
    if not files and unread:
        raise click.exceptions.Exit(UNREADABLE)
    if not files:
        but = ""
        if excluding:
            but = f" that {excluding} does not exclude"
        say(f"no {' or '.join(endings)} file in {', '.join(paths)}{but}")
        raise click.exceptions.Exit(CLEAN if allow_none else NO_FILE)
    if weights is not None and len(files) > 1:
        raise click.UsageError(f"--weights goes with one file, not with {len(files)}")
    least = UNREADABLE if unread else CLEAN
    if empty and not allow_none:
        say(f"no {' or '.join(endings)} file in {', '.join(empty)}")
        least = max(least, NO_FILE)
    matches = Matches(files, least)
    if follow_links:
        return matches
    return matches._replace(stays=partial(_stays, tuple(paths)))


def _stays(named: Sequence[str], path: str, target: str) -> bool:
    return path in named or any(
        is_inside(target, top if os.path.isdir(top) else _start(top)) for top in named
    )


def _named(
    path: str,
    excluded: Excluded,
    endings: tuple[str, ...],
    onerror: OnError,
    links: list[str] | None,
) -> Iterator[str]:
    """The files that ``path`` names; a search skips ``excluded`` files, links to folders, and those that lead out of
    its folder, which go to ``links`` (None: they are followed)."""
    if remote.is_remote(path):
        try:  # one file, those of a pattern, or those of a folder
            yield from (
                each
                for each in remote.find(path, endings, _seconds())
                if not excluded(each)
            )
        except OSError as error:
            onerror(error)
        return
    is_pattern = remote.PATTERN.search(path) is not None and not os.path.exists(path)
    for match in sorted(set(_matching(path, onerror))) if is_pattern else [path]:
        if is_pattern and links is not None and _leads_out(match, path):
            links.append(match)
        elif match != "-" and os.path.isdir(match):
            walked = _walk(match, excluded, endings, onerror, links)
            yield from _readable(walked) if ".onnx" in endings else walked
        elif match.endswith(".bin"):
            yield from _of_weights(match)
        else:
            yield match


def _leads_out(match: str, pattern: str) -> bool:
    """Whether ``match``, or a folder that ``pattern`` found on the way to it, is a link out of where that begins."""
    start = _start(pattern)
    folder = os.path.dirname(match)
    while len(folder) > len(start):
        if leads_out(folder, start):
            return True
        folder = os.path.dirname(folder)
    return leads_out(match, os.path.dirname(match))


def _start(pattern: str) -> str:
    """The folder in which a pattern begins to search, or in which a file is."""
    wildcard = remote.PATTERN.search(pattern)
    return os.path.dirname(pattern[: wildcard.start()] if wildcard else pattern)


def _seconds() -> float:
    """What ``--timeout`` says, in a verb that has it."""
    seconds = click.get_current_context().params.get("timeout")
    if seconds is None:
        return SECONDS
    return float(seconds)


def _of_weights(path: str) -> Iterator[str]:
    """The model that has the weights ``path``."""
    model = f"{path.removesuffix('.bin')}.xml"
    if os.path.exists(model):
        yield model
    else:
        say(f"{path} is left out: there is no {os.path.basename(model)} beside it")


def _readable(files: Iterable[str]) -> Iterator[str]:
    """``files``, less those of ONNX where the extra is not there; says so."""
    from ovgather.onnx_file.source import is_onnx
    from ovgather.processes import installing, is_installed

    if is_installed("onnx"):
        yield from files
        return
    passed = 0
    for path in files:
        if is_onnx(path):
            passed += 1
        else:
            yield path
    if passed:
        subject = f"{count(passed, '.onnx file')} {'is' if passed == 1 else 'are'}"
        say(f"{subject} passed over: onnx is not installed ({installing('onnx')})")


def _matching(pattern: str, onerror: OnError) -> Iterator[str]:
    """The files that match ``pattern``. Those of ``glob`` follow links through ``**``, for ever where one leads up."""
    import re
    from glob import escape, glob

    slash = r"[\\/]" if os.sep == "\\" else "/"
    first, *rest = re.split(
        rf"(?:(?<={slash})|^)\*\*(?:{slash}+|$)", pattern, maxsplit=1
    )
    if not rest:
        yield from glob(pattern)
        folder, name = os.path.split(pattern)
        for top in filter(
            os.path.isdir, glob(folder) if remote.PATTERN.search(name) else ()
        ):
            try:  # glob skips folders that cannot be read without a message
                os.scandir(top).close()
            except OSError as error:
                onerror(error)
        return
    for top in glob(first) if first else [""]:
        for folder, folders, names in os.walk(top or os.curdir, onerror=onerror):
            folders[:] = [name for name in folders if not name.startswith(".")]
            prefix = folder
            if not top:
                prefix = os.path.relpath(folder)
            prefix = "" if prefix == os.curdir else prefix
            if rest[0]:
                matches = _matching(os.path.join(escape(prefix), rest[0]), onerror)
                yield from (path for path in matches if not os.path.isdir(path))
            else:
                yield from (
                    os.path.join(prefix, name)
                    for name in names
                    if not name.startswith(".")
                )


def _walk(
    top: str,
    excluded: Excluded,
    endings: tuple[str, ...],
    onerror: OnError,
    links: list[str] | None,
) -> Iterator[str]:
    # of folders that a run left which was killed while it wrote
    from ovgather.files.whole import PREFIX

    for folder, folders, names in os.walk(top, onerror=onerror):
        folders[:] = [
            name
            for name in sorted(folders)
            if not (name.startswith(PREFIX) or excluded(os.path.join(folder, name)))
        ]
        for name in sorted(names):
            path = os.path.join(folder, name)
            # Of what is no file, a pipe would never end; a link to nothing is passed on, to be told of.
            if (
                not name.lower().endswith(endings)
                or excluded(path)
                or (os.path.exists(path) and not os.path.isfile(path))
            ):
                continue
            if links is not None and leads_out(path, top):
                links.append(path)
            else:
                yield path


def read_bytes(path: str) -> bytes:
    """All of the file ``path``, or of standard input (``-``)."""
    if path == "-":
        with limited_memory(0):  # it may have no end
            return sys.stdin.buffer.read()
    with open_input(path) as file:
        return file.read()
