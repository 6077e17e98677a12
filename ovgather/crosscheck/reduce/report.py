"""The failing layers that a report of ``crosscheck --format json`` names."""

import json
import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import FAILING
from ovgather.errors import InvalidModelError

_LIMIT = 1 << 28  # bytes


class Target(NamedTuple):
    """A layer of a file, by name or id with the bodies before it, to reduce, and the name of its reproducer."""

    path: str
    layer: str | None
    options: CrosscheckOptions
    variant: str | None = None
    folder: str = ""


def is_report(path: str) -> bool:
    """Whether the file is JSON, by its first character."""
    try:
        with open(path, "rb") as file:
            return file.read(64).lstrip()[:1] == b"{"
    except OSError:
        return False


def targets(path: str, options: CrosscheckOptions, own_device: bool) -> Iterator[Target]:
    """The layers that fail by the report, each once for each verdict and cause; ``own_device``: run on the report's."""
    document = _load(path)
    seen: set[tuple[object, ...]] = set()
    try:
        for file in document["files"]:
            for entry in file["layers"]:
                is_target = entry["verdict"] in FAILING or (options.strict and entry["verdict"] == "known")
                key = (file["path"], *entry["body"], entry["id"], entry["verdict"], entry.get("cause", ""))
                if not is_target or entry["against"] != "openvino" or key in seen:
                    continue
                seen.add(key)
                yield _target(path, file["path"], entry, options, own_device, len(seen))
    except KeyError as error:
        raise InvalidModelError(f"{path} is no report of crosscheck: it has no {error}") from error
    except (TypeError, AttributeError) as error:
        raise InvalidModelError(f"{path} is no report of crosscheck: {error}") from error


def _target(
    path: str, name: str, entry: dict[str, Any], options: CrosscheckOptions, own_device: bool, number: int
) -> Target:
    model = name if os.path.exists(name) else os.path.join(os.path.dirname(path), name)
    layer = "/".join([*entry["body"], f"#{entry['id']}"])
    if own_device:
        options = options._replace(device=entry["device"])
    words = f"{number}-{entry['name'] or entry['id']}-{entry['variant']}"
    return Target(model, layer, options, entry["variant"], re.sub(r"[^A-Za-z0-9_.-]+", "-", words)[:80])


def _load(path: str) -> Any:
    if os.path.getsize(path) > _LIMIT:
        raise InvalidModelError(f"{path} is no report of crosscheck: it has more than {_LIMIT} bytes")
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (ValueError, RecursionError) as error:
        raise InvalidModelError(f"{path} is no report of crosscheck: {error}") from error
