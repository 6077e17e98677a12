"""A dict that makes its values, and a cached property without the lock that ``functools`` takes before Python 3.12."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

if TYPE_CHECKING:
    from functools import cached_property as cached
else:

    class cached:  # noqa: N801 - used as a decorator
        """Computes an attribute when it is first asked for, and keeps it in the instance."""

        def __init__(self, function):
            self.function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.function(instance)
            return value


class Table(dict[Key, Value]):
    __slots__ = ("_make",)

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self._make = make

    def __missing__(self, key: Key) -> Value:
        value = self[key] = self._make(key)
        return value


__all__ = ["Table", "cached"]
