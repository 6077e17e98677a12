"""A layer with bodies, as OpenVINO has it in memory.

OpenVINO computes a body first with the shapes that its own Parameters declare, then with those of the inputs of
the layer, twice, and again whenever the layer around is computed anew; the number of rounds that it finds in one
pass it keeps in the next one. A ``Subgraph`` goes the same way. So that nested bodies do not multiply, a pass that
cannot differ from the last one is left out, and a body is computed at most ``MOST_RUNS`` times.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

from ovgather.forward.bodies.body import Body, Learned, Unfollowed
from ovgather.forward.bodies.engine import Engine
from ovgather.forward.bodies.port_map import PortMap
from ovgather.ops.declaration import Refused
from ovgather.tensor.tensor import Tensor

Rule: TypeAlias = "Callable[[Engine, Subgraph, tuple[Tensor, ...]], list[Tensor]]"


class Subgraph(ABC):
    """A layer with bodies, as OpenVINO has it in memory.

    Attributes:
        type: the type of the layer in small letters.
        number: tells its symbols from those of other layers.
        rule: one pass over it.
        bodies, maps: its bodies and what connects them to it.
        count: the number of rounds, as far as a pass has found one; OpenVINO keeps it in a Loop.
        fault: what is wrong with its bodies and their port maps.
        compile_error: why OpenVINO does not compile it for the CPU.
        is_sequence: OpenVINO makes a sequence of it, which takes all of the input that is cut.
        is_resized: that sequence gives other shapes than the layer.
        is_settled: another pass with the same inputs would find the same.
        is_left: a body has been computed too many times.
    """

    def __init__(
        self, type: str, number: int, rule: Rule, around: Subgraph | None
    ) -> None:
        self.type = type
        self.number = number
        self.rule = rule
        self.learned: Learned = Learned() if around is None else around.learned
        self.bodies: list[Body] = []
        self.maps: list[PortMap] = []
        self.count: int | None = None
        self.fault: Refused | None = None
        self.compile_error: Refused | None = None
        self.is_sequence = False
        self.is_resized = False
        self.is_settled = False
        self.is_left = False
        self._inputs: tuple[Tensor, ...] | None = None
        self._passes = 0
        self._outputs: list[Tensor] | Refused = []

    def infer(self, forward: Engine, inputs: tuple[Tensor, ...]) -> list[Tensor]:
        """The outputs, from what is known after earlier passes.

        Raises:
            Refused: OpenVINO refuses the layer.
            Unfollowed: a body has been computed too many times.
        """
        if self.is_left:
            raise Unfollowed
        passes = 1
        if not self.bodies and self.fault is None:
            self.construct(forward)
            passes = 2
        if self.fault is not None:
            raise self.fault
        if inputs != self._inputs:
            self.forget()
            self._inputs = inputs
        for _ in range(passes):
            if self._passes < 2 and not self.is_settled:
                self._passes += 1
                self._outputs = self._pass(forward, inputs)
        if not self.is_settled:
            self.learned.times += 1
        return self.outputs

    def forget(self) -> None:
        """Compute the layer anew, as with other inputs."""
        self._inputs = None
        self._passes = 0
        self.is_settled = False

    @property
    def outputs(self) -> list[Tensor]:
        """The outputs as they have last been computed. Raises Refused."""
        if isinstance(self._outputs, Refused):
            raise self._outputs
        return self._outputs

    def learn(self, count: int | None) -> None:
        """Keep a number of rounds."""
        if count != self.count:
            self.count = count
            self.learned.times += 1

    @abstractmethod
    def takes_exact(self, forward: Any, index: int) -> bool:
        """Whether an input is computed from numbers alone."""

    @abstractmethod
    def construct(self, forward: Any) -> None:
        """Compute the bodies with what their own Parameters declare, and set ``maps`` or ``fault``."""

    @abstractmethod
    def require_outputs(self, forward: Any, count: int) -> None:
        """Raise Refused where OpenVINO refuses the layer for having other than ``count`` outputs."""

    def _pass(
        self, forward: Engine, inputs: tuple[Tensor, ...]
    ) -> list[Tensor] | Refused:
        self.is_settled, learned = True, self.learned.times
        try:
            outputs = self.rule(forward, self, inputs)
            self.require_outputs(forward, len(outputs))
        except Refused as refusal:
            return refusal
        finally:
            self.is_settled = self.is_settled and self.learned.times == learned
        return outputs
