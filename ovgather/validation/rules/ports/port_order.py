"""What: the ids of a layer's input ports do not increase.
Why: the author probably meant port 0 as the first argument.
OpenVINO: uses the position: the first port is the first argument whatever its id. Ids only connect edges to ports. For
a Gather this swaps data, indices and axis.
Bad::
    <input><port id="1"/><port id="0"/></input>
Good::
    <input><port id="0"/><port id="1"/></input>
"""

from itertools import pairwise

from ovgather.layers.gather_layer import find_operation
from ovgather.validation.context import File, Findings, Port, Rule

RULE = Rule("OVG214", "input ports out of the order of their ids", "warning", "accepts")


def check(file: File) -> Findings:
    falling = {order for order in file.port_orders if _first_fall(order) is not None}
    if falling:
        for layer in file.layers_where(
            lambda signature: _ids(signature.inputs) in falling
        ):
            message = f"input ports stand in the order {', '.join(str(port.id) for port in layer.inputs)}"
            message += ": OpenVINO uses their position"
            operation = find_operation(layer)
            if operation is not None:
                roles = zip(layer.inputs, operation.inputs, strict=False)
                message += ", so " + ", ".join(
                    f"port {port.id} is {role.name}" for port, role in roles
                )
            place = f"input/{_first_fall(_ids(layer.inputs))}/id"
            effect = "ids only tie edges to ports"
            help = "put the ports into the order of their ids"
            yield file.report(RULE, message, place, layer, effect=effect, help=help)


def _ids(ports: tuple[Port, ...]) -> tuple[int, ...]:
    return tuple([port.id for port in ports])


def _first_fall(numbers: tuple[int, ...]) -> int | None:
    return next(
        (
            index
            for index, (before, number) in enumerate(pairwise(numbers), 1)
            if 0 <= number < before
        ),
        None,
    )
