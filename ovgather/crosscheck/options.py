"""The options of a cross-check, in one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.crosscheck.report import ALONE, FAILING, IN_PLACE
from ovgather.runtimes import pool

if TYPE_CHECKING:
    from ovgather.crosscheck.tolerance import Tolerance
    from ovgather.runtimes.outcome import Outcome

OPENVINO = "openvino"
MODES = (ALONE, IN_PLACE, "both")
TIMEOUT = 120.0
REPEAT = 4


class CrosscheckOptions(NamedTuple):
    """What to run, in which runtimes and for how long; see ``entry.crosscheck``.

    ``confirmations``: how often a difference is looked at again in another process; one that changes is unsteady.
    """

    inputs: Mapping[str, Any] | None = None
    layer: str | None = None
    seed: int = 0
    device: str = "CPU"
    static: bool = False
    timeout: float = TIMEOUT
    mode: str = "both"
    variants: Sequence[str] = ("default",)
    against: Sequence[str] = (OPENVINO,)
    strict: bool = False
    start: Sequence[str] | None = None
    progress: Callable[[int, int], None] | None = None
    confirmations: int = 3
    repeat: int = REPEAT
    tolerance: Tolerance | None = None
    config: Mapping[str, str] = {}
    plugins: Mapping[str, str] = {}

    @property
    def layer_inputs(self) -> Mapping[str, Any] | None:
        """The arrays for ``layer`` alone; in the other modes ``inputs`` are those of the whole model."""
        return self.inputs if self.mode == ALONE else None

    def command(self, runtime: str) -> Sequence[str]:
        """The command line of a worker with that runtime."""
        own = runtime == OPENVINO and (self.config or self.plugins)
        return self.start or (pool.command(runtime, self.config, self.plugins) if own else pool.command(runtime))

    def device_of(self, runtime: str) -> str:
        """What a runtime runs on."""
        return self.device if runtime == OPENVINO else "CPU"

    def fails(self, outcome: Outcome) -> bool:
        """Whether an outcome is a failure; with ``strict`` a known deviation is one, too."""
        return outcome.verdict in FAILING or (self.strict and outcome.verdict == "known")
