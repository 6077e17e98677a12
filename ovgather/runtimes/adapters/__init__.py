"""The runtimes that trials can be run in, one file each: ``<name>.py`` serves ``--against <name>``.

In each ``RUNTIME`` is a class, a ``base.TrialRuntime`` that a worker process creates. Other packages add runtimes as
entry points of the group ``ovgather.runtimes``, and ``package:Class`` names a class that is none.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from typing import Any

GROUP = "ovgather.runtimes"


def names() -> list[str]:
    """The runtimes, found by listing this package and the entry points of others."""
    own = {
        name.replace("_", "-")
        for _, name, _ in iter_modules(__path__)
        if not name.startswith("_")
    }
    return sorted(own | _added().keys())


@cache
def _added() -> dict[str, EntryPoint]:
    """The runtimes of other packages; to look through all that is installed takes milliseconds."""
    return {point.name: point for point in entry_points(group=GROUP)}


def runtime_class(name: str) -> Any:
    """The class of a runtime: of this package, of an entry point, or ``package:Class``. Raises ImportError."""
    if name in _added():
        return _added()[name].load()
    module, _, attribute = name.partition(":")
    if not attribute:
        module = f"{__name__}.{name.replace('-', '_')}"
        attribute = "RUNTIME"
    runtime = getattr(import_module(module), attribute, None)
    if runtime is None:
        raise ImportError(f"{module} has no {attribute}", name=name)
    return runtime
