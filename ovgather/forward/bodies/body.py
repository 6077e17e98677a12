"""A body of an If, a Loop or a TensorIterator, as it has last been computed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from ovgather.forward.bodies.port_map import PortMap
from ovgather.tensor.tensor import Tensor

MOST_RUNS = 100


class Unfollowed(Exception):
    """A body has been computed too many times already."""


class Learned:
    """How often a pass has found what may change the next one."""

    times = 0


class Body(ABC):
    """A body, as it has last been computed; its Parameters and Results have ids.

    Attributes:
        name: the name of the body, such as ``then_body``.
    """

    def __init__(self, name: str, learned: Learned) -> None:
        self.name = name
        self.learned = learned
        self._given: Mapping[Any, Tensor] | None = None
        self._runs = 0
        self._may_change = False

    def run(self, forward: Any, given: Mapping[int, Tensor]) -> None:
        """Compute what is in it; ``given`` are the tensors of Parameters, by their ids.

        With the same tensors there is a second run where nested layers have learned something in the first one.
        """
        entering = {**self.captured(forward), **given}
        is_same = entering == self._given
        if is_same and not self._may_change:
            return
        if self._runs == MOST_RUNS:
            raise Unfollowed
        self._runs += 1
        self._given = entering
        learned = self.learned.times
        self.compute(forward, given)
        self._may_change = not is_same and self.learned.times != learned

    def becomes_sequence(self, ports: PortMap) -> bool:
        """Whether OpenVINO makes a sequence of a TensorIterator with this body."""
        return False

    def captured(self, forward: Any) -> Mapping[Any, Tensor]:
        """The tensors from outside that it reads without a Parameter."""
        return {}

    @abstractmethod
    def compute(self, forward: Any, given: Mapping[int, Tensor]) -> None:
        """Compute what is in it."""

    @abstractmethod
    def parameter(self, id: int) -> Tensor:
        """The tensor of a Parameter."""

    @abstractmethod
    def result(self, id: int) -> Tensor:
        """The tensor that flows into a Result."""

    @abstractmethod
    def passed(self, id: int) -> int | None:
        """The Parameter that a Result gives as it is, if any."""

    @abstractmethod
    def takes_exact(self, forward: Any, id: int) -> bool:
        """Whether what flows into a Result is computed from numbers alone."""

    @abstractmethod
    def used(self) -> set[int]:
        """The Parameters that lead to a Result, among others."""

    def parameters(self) -> list[int]:
        """All Parameters, in the order in which OpenVINO has them."""
        return sorted(self.used())

    @abstractmethod
    def nested_iterator(self) -> str | None:
        """The name of a TensorIterator in it that leads to a Result, if any."""
