"""What a configuration file says: ``ovgather.toml``, or ``[tool.ovgather]`` in ``pyproject.toml``.

It is looked for in the current folder and those above it; the nearest one counts, alone. The command line wins over
it. Paths and patterns in it are seen from its own folder.
"""

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ovgather.errors import ConfigurationError

OWN, PROJECT = "ovgather.toml", "pyproject.toml"
_NEARLY = re.compile(r"\[tool\.\W?o?v")  # a table that may be meant for this program, but for its name
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
        return os.path.dirname(self.path) if self.path is not None else ""


def find(folder: str = ".") -> Configuration:
    """The configuration that holds in ``folder``; an empty one when there is none."""
    folders = [os.path.abspath(folder)]
    while (above := os.path.dirname(folders[-1])) != folders[-1]:
        folders.append(above)
    for path in (os.path.join(each, name) for each in folders for name in (OWN, PROJECT)):
        if os.path.isfile(path):
            shown = os.path.relpath(path)
            table = _table(shown, _read(shown))
            if table is not None:
                return _configuration(shown, table)
    return Configuration()


def load(path: str) -> Configuration:
    """The configuration in the file ``path``."""
    table = _table(path, _read(path))
    if table is None:
        raise ConfigurationError(f"{path}: there is no [tool.ovgather] in it")
    return _configuration(path, table)


def check_format(configuration: Configuration, formats: Sequence[str]) -> None:
    """See that the format of a configuration is one of the ``formats``, where it names one."""
    if configuration.format is not None and configuration.format not in formats:
        from ovgather.text import did_you_mean

        error = _wrong(f"{configuration.path}: format", f"one of {', '.join(formats)}", configuration.format)
        raise ConfigurationError(f"{error}{did_you_mean(configuration.format, formats)}")


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        byte = f"byte {error.start} is {error.object[error.start]:#04x}"
        raise ConfigurationError(f"{path}: not UTF-8: {byte}") from error


def _table(path: str, text: str) -> dict[str, Any] | None:
    """The part of the file that is ours; None when there is none."""
    is_ours = os.path.basename(path) != PROJECT
    if not is_ours and "ovgather" not in text and _NEARLY.search(text) is None:
        return None  # the parser costs more than the rest of the start
    from importlib import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        document: dict[str, Any] = toml.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: not TOML: {error}") from error
    tool = {"ovgather": document} if is_ours else document.get("tool")
    if not isinstance(tool, dict):
        return None
    table = tool.get("ovgather")
    if table is None:
        from difflib import get_close_matches

        for close in get_close_matches("ovgather", tool, n=1, cutoff=0.86):
            raise ConfigurationError(f"{path}: unknown table [tool.{close}]; did you mean [tool.ovgather]?")
    elif not isinstance(table, dict):
        raise _wrong(f"{path}: tool.ovgather", "a table", table)
    return table


def _configuration(path: str, table: dict[str, Any]) -> Configuration:
    for key in table:
        if key not in _KEYS:
            from ovgather.text import did_you_mean

            raise ConfigurationError(f"{path}: unknown key `{key}`{did_you_mean(key, _KEYS)}")
    values: dict[str, Any] = {
        key.replace("-", "_"): _KEYS[key](f"{path}: {key}", value) for key, value in table.items()
    }
    if "baseline" in values:
        values["baseline"] = os.path.join(os.path.dirname(path), values["baseline"])
    return Configuration(path, **values)


# -- one function a type of value: the value at ``where`` (file and key), or an error -----------------------------


def _texts(where: str, value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(value)
    raise _wrong(where, "a list of strings", value)


def _selected(where: str, value: object) -> tuple[str, ...]:
    from ovgather.validation.selection.codes import parse_codes

    return parse_codes(_texts(where, value), where)


def _codes(where: str, value: object) -> tuple[str, ...]:
    return _selected(where, value) if value != [] else ()  # to select nothing is a mistake, to ignore nothing is not


def _plain(type: type, expected: str) -> Callable[[str, object], object]:
    def read(where: str, value: object) -> object:
        if isinstance(value, type):
            return value
        raise _wrong(where, expected, value)

    return read


_text = _plain(str, "a string")


def _target(where: str, value: object) -> str:
    from ovgather.targets.release import parse

    return str(parse(str(_text(where, value)), where))


def _device(where: str, value: object) -> str:
    from ovgather.targets.purpose import find_device

    return find_device(str(_text(where, value)), where).name


def _count(where: str, value: object, least: int = 0, expected: str = "a whole number from 0 on") -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    raise _wrong(where, expected, value)


def _jobs(where: str, value: object) -> int:
    return AUTO if value == "auto" else _count(where, value, 1, 'a whole number from 1 on, or "auto"')


def _per_file(where: str, value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if isinstance(value, dict):
        return tuple((pattern, _codes(f'{where}."{pattern}"', codes)) for pattern, codes in value.items())
    raise _wrong(where, "a table of patterns, each with a list of codes", value)


def parse_jobs(text: str) -> int:
    """The number of processes that ``--jobs`` gives."""
    return _jobs("--jobs", _integer(text))


def parse_number(text: str, where: str) -> int:
    """The whole number that the option ``where`` gives."""
    return _count(where, _integer(text))


def _integer(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else text


def _severity(where: str, value: object) -> Mapping[str, str]:
    from ovgather.validation.selection.severities import parse_severities

    if isinstance(value, dict):
        for code, level in value.items():
            if not isinstance(level, str):
                raise _wrong(f"{where}.{code}", "a string", level)
        return parse_severities(value.items(), where)
    raise _wrong(where, "a table of codes, each with a severity", value)


def _wrong(where: str, expected: str, value: object) -> ConfigurationError:
    import json

    return ConfigurationError(f"{where}: expected {expected}, got {json.dumps(value, default=str, ensure_ascii=False)}")


_KEYS: dict[str, Callable[[str, object], object]] = {
    "select": _selected,
    "ignore": _codes,
    "strict": _plain(bool, "true or false"),
    "format": _text,
    "baseline": _text,
    "jobs": _jobs,
    "max-findings": _count,
    "target": _target,
    "device": _device,
    "per-file-ignores": _per_file,
    "severity": _severity,
    "exclude": _texts,
}
