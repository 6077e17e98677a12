"""The runtimes that trials can be run in, one file each: ``<name>.py`` serves ``--against <name>``.

Each has a class ``Runtime``, a ``base.TrialRuntime`` that a worker process creates.
"""

from pkgutil import iter_modules


def names() -> list[str]:
    """The runtimes, found by listing this package."""
    return sorted(name.replace("_", "-") for _, name, _ in iter_modules(__path__) if not name.startswith("_"))


def module(name: str) -> str:
    """The name of the module of a runtime."""
    return f"{__name__}.{name.replace('-', '_')}"
