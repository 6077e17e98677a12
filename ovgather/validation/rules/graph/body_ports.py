"""What: an If, Loop or TensorIterator lacks a body. Or an entry of its ``<port_map>`` or ``<back_edges>`` names a port
that the layer does not have, or a layer of the body that is not a Parameter (input) or a Result (output). Or no entry
names a port, the condition of a Loop or a Parameter that the body uses. Or two entries name the same port or the same
Parameter. Or the ends of a back edge are of different types or shapes. Or the slice attributes of an entry are not
numbers, name no axis, describe slices that cannot be cut or, in a TensorIterator, more or fewer than another entry.
Why: a tensor that should flow in or out is lost.
OpenVINO: rejects most of these with ``unordered_map::at`` or ``vector::_M_range_check``. ``external_port_id`` of an
input is the position of the port, counted from 0, whatever its id. For outputs only the order counts (those of an If
may also be counted from 0). If two entries name one port, the first counts. OpenVINO ignores a back edge to a layer
that is not a Parameter; it converts values to the Parameter's type, and a second round fails with another shape. A
Parameter without an entry has any value. Slices of size 0 of a TensorIterator's input, and a stride of 0 of a Loop,
kill the process. Other empty or unequal slices, and a Loop without an end, are read but do not compile for the CPU. But
of a TensorIterator around one LSTMCell, GRUCell or RNNCell OpenVINO makes a sequence, whatever its slices are.
Bad::
    <input external_port_id="9" internal_layer_id="0"/>
Good::
    <input external_port_id="0" internal_layer_id="0"/>
"""

from collections.abc import Iterator
from functools import cached_property

from ovgather.forward.bodies.port_map import (
    Slices,
    layer_fault,
    number_fault,
    slice_count,
)
from ovgather.ir.elements import BODIES, INNER_TYPES, PORT_MAPS, WHOLE_SLICES
from ovgather.ir.numbers import read_id, whole_integer
from ovgather.layers.tensors import input_tensor, output_tensor
from ovgather.tensor.element_type import contradiction
from ovgather.text import count
from ovgather.validation.context import (
    Diagnostic,
    Effect,
    File,
    Findings,
    Graph,
    Layer,
    Mapping,
    Rule,
)

RULE = Rule(
    "OVG306",
    "body with missing or invalid connections",
    "error",
    "rejects rejects_on_compile rejects_on_run accepts crashes undefined",
    of_snippets=False,
    needs="If Loop TensorIterator",
)
_EXTERNAL = "external_port_id"
_INTERNAL = "internal_layer_id"
_PURPOSES = {"input": "current_iteration", "output": "execution_condition"}
_ENDS = {"from-layer": "Result", "to-layer": "Parameter"}
_FREE = {"If": 1, "Loop": 2, "TensorIterator": 0}
"""Inputs that belong to the layer itself: a condition, the number of rounds."""
_SLICES = ("axis", *WHOLE_SLICES)
_REFUSED = (
    "rejects_on_compile",
    "reads it, and the CPU refuses it when it compiles or runs it",
)
_SEQUENCE = (
    "accepts",
    "makes a sequence of it, which takes all of the input whatever start, end and part_size say",
)
_RESIZED = (
    "undefined",
    "makes a sequence of it, whose outputs are of other shapes than the layers after it are read with",
)
_OPEN = ("accepts", "reads and compiles it; the CPU refuses it when it runs")
_FEWER = ("accepts", "makes as many rounds, and ignores the dims of output ports")
_CONVERTS = ("accepts", "converts the values")
_FAILS = ("rejects_on_run", "reads and compiles it, and fails in the second round")
_UNDEFINED = ("undefined", "reads and compiles it; what is cut then is not defined")
_NO_END = ("crashes", Effect("reads it, and dies when it compiles it", "stride"))
_DIVIDES = (
    "crashes",
    Effect("divides by it, and dies of SIGFPE while it reads the file", "part-size"),
)


def check(file: File) -> Findings:
    if "bodies-depth" in file.problems or "ir-version" in file.problems:
        return  # bodies of IR versions before 10 are of another kind
    for layer in file.layers_of(BODIES):
        for kind in BODIES[layer.type]:
            body = next((body for body in layer.bodies if body.kind == kind), None)
            if body is not None:
                yield from BodyPorts(file, layer, body, PORT_MAPS[kind]).findings()
            else:
                yield file.report(RULE, f"{layer.type} without <{kind}>", "type", layer)


class BodyPorts:
    """The entries of the element ``around`` that connect the ports of ``layer`` to ``body``."""

    def __init__(self, file: File, layer: Layer, body: Graph, around: str) -> None:
        self.file = file
        self.layer = layer
        self.body = body
        self.around = around
        self.all_entries = file.model.mappings.get(layer.offset, [])
        self.entries = [entry for entry in self.all_entries if entry.around == around]
        # entries with the length of the dim that they slice
        self.sliced: list[tuple[Mapping, int]] = []
        # that give a Parameter its value for the first round
        self.first_ports: dict[int | None, list[int | None]] = {}
        self.misnumbered: Diagnostic | None = None  # the first output that is no port
        for entry in self.all_entries:
            if entry.name == "input":
                self.first_ports.setdefault(_internal(entry), []).append(
                    _external(entry)
                )

    def findings(self) -> Findings:
        repeated = dict(self._repeated())
        findings = [*repeated.values()]
        for entry in self.entries:
            findings += self._entry(entry) if id(entry) not in repeated else ()
        unconnected = [*self._unconnected(is_plain=not findings)]
        if not self.entries:
            for other in unconnected[1:]:
                unconnected[0].attach(other)  # without any entry it is one mistake
        findings += unconnected if self.entries else unconnected[:1]
        findings += (
            self._unequal_slices()
            if not findings and self.layer.type == "TensorIterator"
            else ()
        )
        yield from findings
        if self.body.kind == "body":
            for entry in self.all_entries:
                if entry.around == "back_edges":
                    yield from self._back_edge(entry, is_connected=not findings)

    def _repeated(self) -> Iterator[tuple[int, Diagnostic]]:
        """Second entries of a port, and second inputs of a Parameter, by the ``id`` of the entry."""
        ports: set[tuple[str, int]] = set()
        first: dict[int, int] = {}
        for entry in self.entries:
            port = _external(entry)
            inner = _internal(entry)
            if port is None or port < 0:
                continue
            if (entry.name, port) in ports:
                message = f"a second entry of {entry.name} port {port}"
                yield (
                    id(entry),
                    self._finding(
                        entry, _EXTERNAL, message, "accepts", "uses the first"
                    ),
                )
            elif entry.name == "input" and inner is not None and inner in first:
                message = f"internal_layer_id {inner}: that Parameter takes input port {first[inner]} already"
                yield (
                    id(entry),
                    self._finding(entry, _INTERNAL, message, "undefined", "reads it"),
                )
            elif entry.name == "input" and inner is not None:
                first[inner] = port
            ports.add((entry.name, port))

    def _entry(self, entry: Mapping) -> Findings:
        for name, value in (
            (_EXTERNAL, _external(entry)),
            (_INTERNAL, _internal(entry)),
        ):
            if value is None:
                yield self._finding(entry, name, number_fault(entry, name))
            elif name == _EXTERNAL:
                yield from self._port(entry, value)
            else:
                yield from self._inner_layer(
                    entry, name, value, INNER_TYPES[entry.name]
                )
        yield from self._slices(entry)

    def _port(self, entry: Mapping, number: int) -> Findings:
        layer = self.layer
        if self._is_port(entry, number):
            yield from self._axis(entry, number)
        elif number < 0:
            purpose = entry.attributes.get("purpose")
            message = f"{_EXTERNAL} {number} is not an {entry.name} port"
            if layer.type == "Loop":
                message += f': it needs purpose="{_PURPOSES[entry.name]}"'
                message += f", not {purpose!r}" if purpose else ""
            yield self._finding(
                entry, _EXTERNAL, message, self._verdict_on_no_port(entry.name, number)
            )
        elif entry.name == "input":
            message = f"{_EXTERNAL} {number}: the layer has {len(layer.inputs)} input ports, counted from 0"
            yield self._finding(entry, _EXTERNAL, message)
        else:
            ids = ", ".join(str(port.id) for port in layer.outputs)
            message = f"{_EXTERNAL} {number} is not an output port of the layer: these are {ids or 'none'}"
            finding = self._finding(
                entry, _EXTERNAL, message, "accepts", "uses the order of these numbers"
            )
            if self.misnumbered is None:
                self.misnumbered = finding
                yield finding
            else:
                self.misnumbered.attach(finding)  # they are counted from another number

    def _verdict_on_no_port(self, side: str, number: int) -> str:
        """What OpenVINO does with an entry of ``side`` whose ``number`` is no port."""
        layer = self.layer
        if layer.type != "Loop":
            if layer.type == "If" and side == "input":
                return "accepts"
            return "rejects"
        numbers = {_external(entry) for entry in self.all_entries if entry.name == side}
        ports = layer.inputs[_FREE["Loop"] :] if side == "input" else layer.outputs
        if len(
            {number for number in numbers if number is not None and number >= 0}
        ) < len(ports):
            if (side, number) == ("output", -1):
                return "rejects_on_compile"
            return "rejects"
        # Without the one output that says of going on, the outputs have no rank.
        return "accepts" if side == "input" else "rejects_on_compile"

    def _is_port(self, entry: Mapping, number: int) -> bool:
        layer = self.layer
        if number < 0:
            return (
                layer.type == "Loop"
                and entry.attributes.get("purpose") == _PURPOSES[entry.name]
            )
        if entry.name == "input":
            return number < len(layer.inputs)
        # Converters counted the outputs of an If from 0, as its page does.
        return any(port.id == number for port in layer.outputs) or (
            layer.type == "If" and number < len(layer.outputs)
        )

    def _axis(self, entry: Mapping, number: int) -> Findings:
        layer = self.layer
        axis = read_id(entry.attributes.get("axis", ""))
        if layer.type == "If" or axis is None or number < 0:
            return
        port = next((port for port in layer.outputs if port.id == number), None)
        if entry.name == "input":
            port = layer.inputs[number]
        if port is None or not port.dims:
            return
        rank = len(port.dims)
        if axis < rank and port.dims[axis] >= 0:
            self.sliced.append((entry, port.dims[axis]))
        elif axis >= rank and entry.name == "input":
            message = f"axis {axis} is out of range [0, {rank - 1}] for input port {port.id} of rank {rank}"
            yield self._finding(entry, "axis", message)

    def _slices(self, entry: Mapping) -> Findings:
        """The slice attributes that are not numbers, and the numbers that give no slices."""
        numbers: dict[str, int] = {}
        for name, text in [
            (name, entry.attributes[name])
            for name in _SLICES
            if name in entry.attributes
        ]:
            if name == "axis" and entry.name == "input":
                value = read_id(text)
            else:
                value = whole_integer(text)
            if value is None:
                yield self._finding(entry, name, number_fault(entry, name))
            else:
                numbers[name] = value
        if self.layer.type == "If" or "axis" not in numbers:
            return
        if numbers.get("stride") == 0:
            outcome = _NO_END if self.layer.type == "Loop" else self._of_iterator
            yield self._finding(
                entry,
                "stride",
                "with stride 0 the slices never reach the end",
                *outcome,
            )
        if (size := numbers.get("part_size", 1)) < 1:
            outcome = _UNDEFINED
            if self.layer.type == "TensorIterator":
                if size == 0 and entry.name == "input":
                    outcome = _DIVIDES
                else:
                    outcome = self._of_iterator
            yield self._finding(
                entry, "part_size", f"part_size {size}: slices of nothing", *outcome
            )

    @cached_property
    def _of_iterator(self) -> tuple[str, str]:
        """What OpenVINO does with slices that a TensorIterator cannot cut."""
        for refusal in self.file.forward.refusals:
            if refusal.layer.offset == self.layer.offset:
                return _REFUSED
        subgraph = self.file.forward.subgraphs.get(self.layer.offset)
        if subgraph is None or not subgraph.is_sequence:
            return _OPEN
        if subgraph.is_resized and any(
            target.type != "Result"
            for index in range(len(self.layer.outputs))
            for target, _ in self.layer.consumers(index)
        ):
            return _RESIZED
        return _SEQUENCE

    def _unequal_slices(self) -> Findings:
        """Entries whose slices cannot be cut, or are not as many as those of an entry that slices all of its port."""
        cuts = [(entry, length, *_cut(entry, length)) for entry, length in self.sliced]
        for whole, number in [(each[0], each[2]) for each in cuts if each[3]][:1]:
            for entry, length, slices, is_whole, is_counted in cuts:
                if not is_whole and slices != number:
                    message = f"{count(slices, 'equal slice')} of {length} elements, but all of {whole.name} port "
                    if is_counted and (entry.name, whole.name) == ("input", "output"):
                        outcome = _FEWER
                    else:
                        outcome = self._of_iterator
                    yield self._finding(
                        entry, "", f"{message}{_external(whole)} is {number}", *outcome
                    )

    def _inner_layer(
        self,
        entry: Mapping,
        name: str,
        number: int,
        type: str,
        is_ignored: bool = False,
    ) -> Findings:
        """The layer of the body that an entry names, which has to be of ``type``."""
        fault = layer_fault(self.body, number, type)
        if fault is None:
            return
        verdict = "rejects"
        effect = ""
        if is_ignored:
            verdict = "accepts"
            effect = "ignores the edge: the value of the last round is not carried on"
        finding = self._finding(
            entry, name, f"{name} {number} {fault}", verdict, effect
        )
        inner = self.body.with_id(number)
        if inner is not None:  # whose id may be wrong: see OVG109
            finding.subjects += (inner.offset,)
        yield finding

    def _back_edge(self, entry: Mapping, is_connected: bool) -> Findings:
        to = whole_integer(entry.attributes.get("to-layer", ""))
        target = self.body.with_id(to)
        is_parameter = target is not None and target.type.lower() == "parameter"
        if is_parameter:
            ports = self.first_ports.get(to, [])
        else:
            ports = []
        for name, type in _ENDS.items():
            number = whole_integer(entry.attributes.get(name, ""))
            if number is None:
                yield self._finding(entry, name, number_fault(entry, name))
            else:
                yield from self._inner_layer(
                    entry, name, number, type, is_ignored=not ports
                )
        if is_connected and is_parameter and not ports:
            message = f"to-layer {to}: no entry of <port_map> gives that Parameter its first value"
            yield self._finding(
                entry, "to-layer", message, "accepts", "ignores the edge"
            )
        elif (
            is_connected
            and ports
            and all(port is not None and port < 0 for port in ports)
        ):
            yield self._finding(
                entry, "to-layer", f"to-layer {to}: that Parameter counts the rounds"
            )
        elif is_connected and target is not None and ports:
            yield from self._different_ends(entry, target, max(ports[0] or 0, 0))

    def _different_ends(self, entry: Mapping, target: Layer, port: int) -> Findings:
        """The finding that the Result of a back edge fits neither its Parameter nor the first value of that."""
        source = self.body.with_id(
            whole_integer(entry.attributes.get("from-layer", ""))
        )
        if (
            source is None
            or source.type != "Result"
            or not source.inputs
            or not target.outputs
        ):
            return
        model = self.file.model
        given = input_tensor(model, source, 0)
        parameter = output_tensor(target, 0)
        first = input_tensor(model, self.layer, port)
        shapes = [each.shape for each in (given, parameter, first) if each.certain]
        differ = len(shapes) == 3 and not any(map(shapes[0].compatible, shapes[1:]))
        if differ or all(
            contradiction(given.element_type, each.element_type)
            for each in (parameter, first)
        ):
            message = f'Result "{source.name}" is {given.element_type} {given.shape}, but Parameter "{target.name}" is '
            message += f"{parameter.element_type} {parameter.shape}"
            yield self._finding(
                entry, "from-layer", message, *(_FAILS if differ else _CONVERTS), "run"
            )

    def _unconnected(self, is_plain: bool) -> Findings:
        """Ports, the condition of a Loop and, if all else ``is_plain``, Parameters that no entry names."""
        file = self.file
        layer = self.layer
        connected = {"input": set[int](), "output": set[int]()}
        for entry in self.entries:
            number = _external(entry)
            if number is None or not (
                self._is_port(entry, number) or (entry.name == "output" and number >= 0)
            ):
                return  # that entry is reported, and its port is unknown
            connected[entry.name].add(number)
        inputs = (
            range(_FREE[layer.type], len(layer.inputs)) if layer.type != "If" else ()
        )
        missing = [
            ("input", index) for index in inputs if index not in connected["input"]
        ]
        if sum(number >= 0 for number in connected["output"]) < len(layer.outputs):
            ids = [port.id for port in layer.outputs]
            missing.append(
                (
                    "output",
                    next(
                        (ids.index(id) for id in ids if id not in connected["output"]),
                        0,
                    ),
                )
            )
        for side, index in missing:
            port = (layer.inputs if side == "input" else layer.outputs)[index]
            message = f"{side} port {port.id} is in no entry of <{self.around}>"
            place = f"{side}/{index}"
            if self._is_left_out():
                effect = "takes the other branch, as the condition is constant"
                yield file.report(RULE, message, place, layer, "accepts", effect)
            else:
                yield file.report(RULE, message, place, layer)
        given = {_internal(entry) for entry in self.entries if entry.name == "input"}
        for row, form in enumerate(
            self.body.signatures if is_plain and not missing else ()
        ):
            if (
                form.type.lower() == "parameter"
                and self.body.ids[row] in self.body.readers.keys() - given
            ):
                message = f"no entry of <{self.around}> gives this Parameter a value"
                yield file.report(
                    RULE,
                    message,
                    "name",
                    self.body.layer(row),
                    "accepts",
                    "reads and compiles it, and gives it no defined value",
                )
        purposes = {
            entry.attributes.get("purpose")
            for entry in self.entries
            if entry.name == "output"
        }
        if layer.type == "Loop" and "execution_condition" not in purposes:
            message = "no entry has the purpose execution_condition: nothing says when the Loop ends"
            effect = "reads it with an output of dynamic rank, which the CPU rejects"
            yield file.report(
                RULE, message, "type", layer, "rejects_on_compile", effect
            )

    def _is_left_out(self) -> bool:
        """Whether an If takes its other branch, whatever flows in."""
        inputs = self.file.forward.inputs.get(self.layer.offset)
        if self.layer.type != "If" or not inputs or not inputs[0].is_known:
            return False
        return inputs[0].value == (int(self.around == "else_port_map"),)

    def _finding(
        self,
        entry: Mapping,
        name: str,
        message: str,
        verdict: str = "",
        effect: str = "",
        stage: str = "load",
    ) -> Diagnostic:
        place = self.file.span_at(entry.offset, name)
        return self.file.report(
            RULE, message, place, self.layer, verdict, effect, stage=stage
        )


def _cut(entry: Mapping, length: int) -> tuple[int, bool, bool]:
    """The number of slices that the CPU cuts of ``length`` (0: it refuses), whether these are all of it one by one, and
    whether OpenVINO counts as many when it reads the file: there an ``end`` from 0 on is within the last slice."""
    start, end, stride, size = (
        whole_integer(entry.attributes.get(*usual)) or 0
        for usual in WHOLE_SLICES.items()
    )
    slices = slice_count(length, Slices(0, start, end, stride, size))
    is_plain = stride in (size, -size)
    is_whole = (start, end) == ((0, -1) if stride > 0 else (-1, 0))
    is_counted = slices > 0 and is_plain and (start < 0) != (end < 0)
    return slices, is_plain and is_whole, is_counted


def _external(entry: Mapping) -> int | None:
    return whole_integer(entry.attributes.get(_EXTERNAL, ""))


def _internal(entry: Mapping) -> int | None:
    return read_id(entry.attributes.get(_INTERNAL, ""))
