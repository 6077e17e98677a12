"""Files in, text out: what the verbs share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator

import click


def find_files(paths: Iterable[str], excluded: Callable[[str], bool] | None = None) -> list[str]:
    """The files that ``paths`` name: folders are searched for ``*.xml``, patterns matched, ``-`` is standard input.

    ``excluded`` says which files and folders a search passes over.
    """
    found: list[str] = []
    for path in paths:
        if path != "-" and os.path.isdir(path):
            found += _walk(path, excluded or (lambda path: False))
        elif any(mark in path for mark in "*?[") and not os.path.exists(path):
            from glob import glob

            found += sorted(glob(path, recursive=True))
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def _walk(top: str, excluded: Callable[[str], bool]) -> Iterator[str]:
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in sorted(folders) if not excluded(os.path.join(folder, name))]
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(".xml") and not excluded(path):
                yield path


def read_bytes(path: str) -> bytes:
    """All of the file ``path``, or of standard input (``-``)."""
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def none_found(paths: Iterable[str], excluding: str | None = None) -> None:
    """Say that nothing matched; ``excluding``: the configuration file that excludes some."""
    but = f" that {excluding} does not exclude" if excluding else ""
    click.echo(f"ovgather: no .xml file in {', '.join(paths)}{but}", err=True)


def wants_color(choice: str, output: str | None) -> bool:
    """Whether to paint: ``always``, ``never``, or ``auto``: on a terminal, unless NO_COLOR is set."""
    if choice != "auto":
        return choice == "always"
    return output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def write_text(text: str, output: str | None) -> None:
    """Print ``text``, or put it into the file ``output``."""
    write_raw(text.encode("utf-8", "replace"), output)


def write_raw(data: bytes, output: str | None) -> None:
    """Print ``data`` as it is, or put it into the file ``output``."""
    if output is None:
        try:
            sys.stdout.flush()
            click.echo(data, nl=False)
        except BrokenPipeError:
            # Whoever was to read it has gone (`| head`): the exit code still tells what was found.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    else:
        write_bytes(data, output)


def write_bytes(data: bytes, output: str) -> None:
    """Put ``data`` into the file ``output``, by way of a temporary name, so that nothing is ever half written."""
    from ovgather.whole_file import write_whole

    try:
        write_whole(output, (data,))
    except OSError as error:
        raise click.ClickException(f"cannot write {output}: {error.strerror}") from error
