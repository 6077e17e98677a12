"""What a configuration file says: ``ovgather.toml``, or ``[tool.ovgather]`` in ``pyproject.toml``.

It is looked for in the current folder and those above it; the nearest one counts, alone. The command line wins over
it. Paths and patterns in it are seen from its own folder.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ovgather.errors import ConfigurationError

OWN, PROJECT = "ovgather.toml", "pyproject.toml"
_NEARLY = re.compile(r"\[tool\.\W?o?v")
"""A table that may be meant for this program, but for its name."""
AUTO = 0
"""As many processes as pay off."""


class Configuration(NamedTuple):
    """What a file says; None where it says nothing.

    Attributes:
        path: the file, None when there is none.
        select, ignore: codes and prefixes, as in ``ovgather.selection``.
        strict: warnings fail too.
        format: how to print.
        baseline: the baseline's path.
        jobs: how many processes, ``AUTO`` for ``"auto"``.
        per_file_ignores: for files that match the pattern, codes that are not reported.
        target, device: the release and the device that are to run the files.
        exclude: patterns of files and folders that a walk through a folder passes over.
    """

    path: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    strict: bool | None = None
    format: str | None = None
    baseline: str | None = None
    jobs: int | None = None
    max_findings: int | None = None
    target: str | None = None
    device: str | None = None
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """Where its paths and patterns are seen from."""
        return os.path.dirname(self.path) if self.path is not None else ""


def find(folder: str = ".") -> Configuration:
    """The configuration that holds in ``folder``; an empty one when there is none.

    Raises:
        ConfigurationError: the nearest file cannot be read, or says what it may not say.
    """
    here = os.path.abspath(folder)
    while True:
        for name in (OWN, PROJECT):
            path = os.path.join(here, name)
            if os.path.isfile(path):
                shown = os.path.relpath(path)
                table = _table(shown, _read(shown))
                if table is not None:
                    return _configuration(shown, table)
        above = os.path.dirname(here)
        if above == here:
            return Configuration()
        here = above


def load(path: str) -> Configuration:
    """The configuration in the file ``path``.

    Raises:
        ConfigurationError: it cannot be read, has no ``[tool.ovgather]`` though it is a ``pyproject.toml``, or says
            what it may not say.
    """
    table = _table(path, _read(path))
    if table is None:
        raise ConfigurationError(f"{path}: there is no [tool.ovgather] in it")
    return _configuration(path, table)


def check_format(configuration: Configuration, known: Sequence[str]) -> None:
    """See that the format of a configuration is one of the ``known``, where it names one.

    Raises:
        ConfigurationError: it is not.
    """
    if configuration.format is not None and configuration.format not in known:
        from ovgather.text import did_you_mean

        problem = f"expected one of {', '.join(known)}, got {_written(configuration.format)}"
        raise ConfigurationError(f"{configuration.path}: format: {problem}{did_you_mean(configuration.format, known)}")


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{path}: not UTF-8: byte {error.start} is {error.object[error.start]:#04x}"
        ) from error


def _table(path: str, text: str) -> dict[str, Any] | None:
    """The part of the file that is ours; None when there is none."""
    whole = os.path.basename(path) != PROJECT
    if not whole and "ovgather" not in text and _NEARLY.search(text) is None:
        return None  # spares the parser, which costs more than the rest of the start
    from importlib import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        document: dict[str, Any] = toml.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: not TOML: {error}") from error
    if whole:
        return document
    tool = document.get("tool")
    table = tool.get("ovgather") if isinstance(tool, dict) else None
    if table is None and isinstance(tool, dict):
        _see_that_none_is_misspelt(path, tool)
    if table is None or isinstance(table, dict):
        return table
    raise _wrong(f"{path}: tool.ovgather", "a table", table)


def _see_that_none_is_misspelt(path: str, tool: dict[str, Any]) -> None:
    from difflib import get_close_matches

    close = get_close_matches("ovgather", tool, n=1, cutoff=0.86)
    if close:
        raise ConfigurationError(f"{path}: unknown table [tool.{close[0]}]; did you mean [tool.ovgather]?")


def _configuration(path: str, table: dict[str, Any]) -> Configuration:
    values: dict[str, Any] = {}
    for key, value in table.items():
        reader = _KEYS.get(key)
        if reader is None:
            from ovgather.text import did_you_mean

            raise ConfigurationError(f"{path}: unknown key `{key}`{did_you_mean(key, _KEYS)}")
        values[key.replace("-", "_")] = reader(f"{path}: {key}", value)
    found = Configuration(path=path, **values)
    if found.baseline is not None:
        found = found._replace(baseline=os.path.join(found.folder, found.baseline))
    return found


# -- one function a kind of value: what is at ``where`` (file and key), read or refused ---------------------------


def _codes(where: str, value: object) -> tuple[str, ...]:
    from ovgather.validation.selection.codes import parse_codes

    texts = _texts(where, value)
    return parse_codes(texts, where) if texts else ()


def _selected(where: str, value: object) -> tuple[str, ...]:
    from ovgather.validation.selection.codes import parse_codes

    return parse_codes(_texts(where, value), where)  # nothing selected is a mistake, nothing ignored is not


def _texts(where: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise _wrong(where, "a list of strings", value)
    return tuple(value)


def _text(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong(where, "a string", value)
    return value


def _target(where: str, value: object) -> str:
    from ovgather.targets.release import parse

    return str(parse(_text(where, value), where))


def _device(where: str, value: object) -> str:
    from ovgather.targets.devices import device

    return device(_text(where, value), where).name


def _flag(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _wrong(where, "true or false", value)
    return value


def _jobs(where: str, value: object) -> int:
    if value == "auto":
        return AUTO
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _wrong(where, 'a whole number from 1 on, or "auto"', value)
    return value


def parse_jobs(text: str) -> int:
    """How many processes ``--jobs`` asks for.

    Raises:
        ConfigurationError: neither a number nor ``auto``.

    >>> parse_jobs("4"), parse_jobs("auto") == AUTO
    (4, True)
    """
    return _jobs("--jobs", int(text) if text.isascii() and text.isdigit() else text)


def _number(where: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _wrong(where, "a whole number from 0 on", value)
    return value


def parse_number(text: str, where: str) -> int:
    """The whole number that the option ``where`` gives.

    Raises:
        ConfigurationError: it is none.

    >>> parse_number("100", "--max-findings")
    100
    """
    digits = text.isascii() and text.isdigit() and len(text) < 20
    return _number(where, int(text) if digits else text)


def _per_file(where: str, value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise _wrong(where, "a table of patterns, each with a list of codes", value)
    return tuple((pattern, _codes(f'{where}."{pattern}"', codes)) for pattern, codes in value.items())


def _wrong(where: str, expected: str, value: object) -> ConfigurationError:
    return ConfigurationError(f"{where}: expected {expected}, got {_written(value)}")


def _written(value: object) -> str:
    import json

    return json.dumps(value, default=str, ensure_ascii=False)


_KEYS: dict[str, Callable[[str, object], object]] = {
    "select": _selected,
    "ignore": _codes,
    "strict": _flag,
    "format": _text,
    "baseline": _text,
    "jobs": _jobs,
    "max-findings": _number,
    "target": _target,
    "device": _device,
    "per-file-ignores": _per_file,
    "exclude": _texts,
}
