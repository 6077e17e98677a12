"""PyTorch on the CPU: ``torch.gather`` for GatherElements, indexing for Gather and GatherND."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy

from ovgather.runtimes.adapters import _onnx
from ovgather.runtimes.base import TrialRuntime, UnsupportedError
from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array


class TorchRuntime(TrialRuntime):
    """Eager, so that there is nothing to compile."""

    title = "torch"

    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.torch: Any = import_module("torch")
        self.torch.set_num_threads(1)
        self.version = str(self.torch.__version__)

    def run(self, trial: Trial, device: str) -> Array:
        kind = trial.element_types[0]
        dtype = None  # NumPy has the same names
        if kind.bits >= 8:
            dtype = getattr(self.torch, kind.dtype.name, None)
        if dtype is None:
            raise UnsupportedError(f"it has no type {kind.name}")
        _onnx.check_range(trial, "torch")
        data = self._tensor(trial.data, dtype)
        indices = self.torch.from_numpy(trial.indices.astype("i8").copy())
        self.enter("infer")
        try:
            output = getattr(self, f"_{trial.operation.type.lower()}")(
                trial, data, indices
            )
        except NotImplementedError as error:
            raise UnsupportedError(str(error).splitlines()[0]) from error
        return _onnx.joined(trial, self._array(output, trial))

    def _gatherelements(self, trial: Trial, data: Any, indices: Any) -> Any:
        # torch.gather takes no negative index
        positions = self.torch.where(
            indices < 0, indices + data.shape[trial.axis], indices
        )
        return self.torch.gather(data, trial.axis, positions)

    def _gather(self, trial: Trial, data: Any, indices: Any) -> Any:
        axis = (trial.axis or 0) % data.ndim
        if trial.batch_dims < 0:
            batch = trial.batch_dims + indices.ndim
        else:
            batch = trial.batch_dims
        if not batch:
            return data[tuple([slice(None)] * axis + [indices])]
        between = axis - batch
        own = indices.ndim - batch
        places = [*self._batches(trial, batch, own), *[slice(None)] * between, indices]
        # Where the dims between batch and axis are behind those of the indices.
        elements = data[tuple(places)]
        return elements.permute(
            *range(batch),
            *range(batch + own, batch + own + between),
            *range(batch, batch + own),
            *range(batch + own + between, elements.ndim),
        )

    def _gathernd(self, trial: Trial, data: Any, indices: Any) -> Any:
        batch = trial.batch_dims
        places = [
            *self._batches(trial, batch, indices.ndim - 1 - batch),
            *indices.unbind(-1),
        ]
        return data[tuple(places)]

    def _batches(self, trial: Trial, batch: int, behind: int) -> list[Any]:
        """The place of each element in the batch dims, to index along with ``behind`` more dims."""
        ranges = [self.torch.arange(size) for size in trial.data.shape[:batch]]
        return [
            each.reshape(*[1] * at, -1, *[1] * (batch - at - 1 + behind))
            for at, each in enumerate(ranges)
        ]

    def _tensor(self, array: Array, dtype: Any) -> Any:
        if not array.size:
            return self.torch.empty(array.shape, dtype=dtype)
        raw = self.torch.frombuffer(bytearray(array.tobytes()), dtype=dtype)
        return raw.reshape(array.shape)

    def _array(self, tensor: Any, trial: Trial) -> Array:
        data = b""
        if tensor.numel():
            data = (
                tensor.contiguous().reshape(-1).view(self.torch.uint8).numpy().tobytes()
            )
        return numpy.frombuffer(data, trial.data.dtype).reshape(tuple(tensor.shape))


RUNTIME = TorchRuntime
