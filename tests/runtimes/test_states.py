"""A second inference, on the states that the first one leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
from crosscheck_models import requires_openvino

from ovgather.runtimes.states import continued
from ovgather.runtimes.ways import Compiled

pytestmark = requires_openvino


def masked() -> Any:
    """A state that grows by a token, and a mask as long as it is then."""
    import openvino
    from openvino import opset13 as ops

    token = ops.parameter([2, -1, 4], openvino.Type.f32, name="token")
    mask = ops.parameter([2, -1], openvino.Type.f32, name="mask")
    kind = openvino.Type.f32, openvino.PartialShape([2, -1, 4])
    past = ops.read_value(ops.constant(np.zeros((2, 0, 4), "f4")), "past", *kind)
    now = ops.concat([past, token], 1)
    shown = ops.multiply(now, ops.unsqueeze(mask, ops.constant(2)))
    keep = ops.assign(now, "past")
    return openvino.Model([ops.result(shown)], [keep], [token, mask], "masked")


def test_an_input_that_must_be_as_long_as_a_state_is_longer() -> None:
    import openvino

    core = openvino.Core()
    model = masked()
    executed = core.compile_model(model, "CPU")
    request = executed.create_infer_request()
    how = core, model, "CPU", dict[str, str](), executed, request, list[Any]()
    first, then = (
        [
            openvino.Tensor(np.full((2, 3, 4), value, "f4")),
            openvino.Tensor(np.ones((2, 3), "f4")),
        ]
        for value in (1, 2)
    )
    step = continued(Compiled(*how), first, then, [0, 1])
    assert step is not None
    assert not step.shared
    assert step.outputs[0].data[0, :, 0].tolist() == [1, 1, 1, 2, 2, 2]
    mask = openvino.Tensor(np.ones((2, 5), "f4"))
    assert continued(Compiled(*how), first, [then[0], mask], [0]) is None


def test_a_model_runs_on_what_its_state_holds() -> None:
    import openvino
    import state_openvino

    core = openvino.Core()
    model = state_openvino.summed()
    executed = core.compile_model(model, "CPU")
    request = executed.create_infer_request()
    how = core, model, "CPU", dict[str, str](), executed, request, list[Any]()
    ids = [openvino.Tensor(np.array([[1, 2, 3]], np.int64))]
    step = continued(Compiled(*how), ids, ids)
    assert step is not None
    total = np.frombuffer(step.states["past"], "f4")
    rows = np.arange(240).reshape(40, 6)[[1, 2, 3]].sum(0) / 7
    assert np.allclose(total, 2 * rows)
