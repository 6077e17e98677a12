"""What a configuration file says: ``ovgather.toml``, or ``[tool.ovgather]`` in ``pyproject.toml``. The nearest one in
the current folder and those above it counts, alone; the command line wins over it. Its paths are seen from its own
folder.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ovgather.errors import ConfigurationError
from ovgather.files.side import open_input
from ovgather.processes import OverTime, budget
from ovgather.text import closest, did_you_mean, pattern
from ovgather.validation.selection.codes import parse_codes, parse_severities

OWN = "ovgather.toml"
PROJECT = "pyproject.toml"
# A table that may be meant for this program, but for its name.
_OURS = pattern(r"\btool\b\W*(?:o?v|\])")
_ANYWHERE = pattern(
    r"\*\*/(?:\*\*/|\./)*"
)  # any number of folders, however often it is said
AUTO = 0  # as many processes as pay off


class Configuration(NamedTuple):
    """The content of a configuration file; None where it has no such key."""

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
    severity: Mapping[str, str] | None = None

    @property
    def folder(self) -> str:
        """Where its paths and patterns are seen from."""
        if self.path is not None:
            return os.path.dirname(self.path)
        return ""


def find(folder: str = ".") -> Configuration:
    """The configuration that holds in ``folder``; an empty one when there is none."""
    try:
        folder = os.path.abspath(folder)
    except FileNotFoundError:  # the current folder is gone
        return Configuration()
    while True:
        for path in (os.path.join(folder, OWN), os.path.join(folder, PROJECT)):
            if not os.path.exists(path):
                continue
            relative = os.path.relpath(path)
            if not os.path.isfile(path):
                raise ConfigurationError(f"{relative}: cannot be read: it is no file")
            if (table := _table(relative)) is not None:
                return of_table(relative, table)
        if (above := os.path.dirname(folder)) == folder:
            return Configuration()
        folder = above


def load(path: str) -> Configuration:
    """The configuration in the file ``path``."""
    if (table := _table(path)) is None:
        raise ConfigurationError(f"{path}: there is no [tool.ovgather] in it")
    return of_table(path, table)


def check_format(configuration: Configuration, formats: Sequence[str]) -> None:
    """See that the format of a configuration is one of the ``formats``, where it names one."""
    if configuration.format is not None and configuration.format not in formats:
        error = _wrong(
            f"{configuration.path}: format",
            f"one of {', '.join(formats)}",
            configuration.format,
        )
        raise ConfigurationError(
            f"{error}{did_you_mean(configuration.format, formats)}"
        )


def _table(path: str) -> dict[str, Any] | None:
    """The part of the file that is ours; None when there is none."""
    try:
        with open_input(path) as file:
            text = file.read().decode("utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        byte = f"byte {error.start} is {error.object[error.start]:#04x}"
        raise ConfigurationError(f"{path}: not UTF-8: {byte}") from error
    is_ours = os.path.basename(path) != PROJECT
    if not is_ours and _OURS.search(text) is None:
        return None  # the parser costs more than the rest of the start
    from importlib import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        with budget(
            path
        ):  # a dotted key takes memory that grows with the square of its length
            document: dict[str, Any] = toml.loads(text)
    except (ValueError, RecursionError, MemoryError, OverTime) as error:
        raise ConfigurationError(f"{path}: not TOML: {error}") from error
    tool = {"ovgather": document} if is_ours else document.get("tool")
    if not isinstance(tool, dict):
        return None
    if (table := tool.get("ovgather")) is None:
        if close := closest("ovgather", tool, cutoff=0.86):
            raise ConfigurationError(
                f"{path}: unknown table [tool.{close}]; did you mean [tool.ovgather]?"
            )
        return None
    return dict(read_value(TABLE, table, f"{path}: tool.ovgather"))


def of_table(path: str, table: dict[str, Any]) -> Configuration:
    """The configuration that a ``table`` says; messages call it ``path``."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _KEYS:
            raise ConfigurationError(
                f"{path}: unknown key `{key}`{did_you_mean(str(key), _KEYS)}"
            )
        values[key.replace("-", "_")] = read_value(_KEYS[key], value, f"{path}: {key}")
    if "baseline" in values:
        values["baseline"] = os.path.join(os.path.dirname(path), values["baseline"])
    return Configuration(path, **values)


# -- the values of keys, each at ``where``: a file and a key, or an option ------------------------------------------


class _Kind(NamedTuple):
    """A kind of value: how messages call it, whether a value is one, and what is made of it."""

    name: str
    fits: Callable[[Any], bool]
    convert: Callable[[Any, str], Any] = lambda value, where: value


def read_value(kind: _Kind, value: Any, where: str) -> Any:
    """``value``, which has to be of ``kind``, as the program takes it."""
    if not kind.fits(value):
        raise _wrong(where, kind.name, value)
    return kind.convert(value, where)


def _wrong(where: str, expected: str, value: object) -> ConfigurationError:
    import json

    return ConfigurationError(
        f"{where}: expected {expected}, got {json.dumps(value, default=str, ensure_ascii=False)}"
    )


def _is_count(value: Any, least: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _target(text: str, where: str) -> str:
    from ovgather.targets.release import parse

    return str(parse(text, where))


def _device(text: str, where: str) -> str:
    from ovgather.targets.device import find_device

    return find_device(text, where).name


def _per_file(table: dict[str, Any], where: str) -> tuple[tuple[str, Any], ...]:
    codes = _KEYS["ignore"]
    return tuple(
        (pattern, read_value(codes, value, f'{where}."{pattern}"'))
        for pattern, value in table.items()
    )


def _severities(table: dict[str, Any], where: str) -> dict[str, str]:
    levels = [
        (code, read_value(TEXT, level, f"{where}.{code}"))
        for code, level in table.items()
    ]
    return parse_severities(levels, where)


TEXT = _Kind("a string", lambda value: isinstance(value, str))
_TEXTS = _Kind(
    "a list of strings",
    lambda value: isinstance(value, list) and all(map(TEXT.fits, value)),
    lambda value, where: tuple(value),
)
TABLE = _Kind("a table", lambda value: isinstance(value, dict))
POSITIVE = _Kind("a whole number from 1 on", lambda value: _is_count(value, 1))
_KEYS = {
    "select": _TEXTS._replace(
        convert=parse_codes
    ),  # to select nothing is a mistake, to ignore nothing is not
    "ignore": _TEXTS._replace(
        convert=lambda value, where: parse_codes(value, where) if value else ()
    ),
    "strict": _Kind("true or false", lambda value: isinstance(value, bool)),
    "format": TEXT,
    "baseline": TEXT,
    "jobs": _Kind(
        'a whole number from 1 on, or "auto"',
        lambda value: value == "auto" or _is_count(value, 1),
        lambda value, where: AUTO if value == "auto" else value,
    ),
    "max-findings": _Kind("a whole number from 0 on", _is_count),
    "target": TEXT._replace(convert=_target),
    "device": TEXT._replace(convert=_device),
    "per-file-ignores": TABLE._replace(
        name="a table of patterns, each with a list of codes", convert=_per_file
    ),
    "severity": TABLE._replace(
        name="a table of codes, each with a severity", convert=_severities
    ),
    "exclude": _TEXTS,
}


def parse_number(text: str, key: str) -> int:
    """The number that the option of a ``key`` gives."""
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else text
    return int(read_value(_KEYS[key], value, f"--{key}"))


# -- patterns of paths ----------------------------------------------------------------------------------------------


def relative(path: str, folder: str) -> str:
    """``path`` as seen from ``folder``, with ``/`` between its parts; standard input stays ``-``."""
    if path == "-":
        return path
    try:
        seen = os.path.relpath(path, folder or ".")
    except ValueError:  # another drive
        seen = os.path.abspath(path)
    return seen.replace(os.sep, "/")


def matches(pattern: str, path: str) -> bool:
    """Whether ``pattern`` is ``path``, a folder around it, or, without ``/``, a name in it; ``*`` matches ``/``."""
    from fnmatch import fnmatchcase

    pattern = pattern.removeprefix("./").rstrip("/")
    anywhere = _ANYWHERE.match(pattern)
    if anywhere is not None:
        rest = pattern[anywhere.end() :]
        if matches(rest, path):
            return True
        pattern = f"*/{rest}"
    if fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}/*"):
        return True
    return "/" not in pattern and any(
        fnmatchcase(part, pattern) for part in path.split("/")
    )
