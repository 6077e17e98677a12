"""Which layers of two networks are the same, by what computes them, what they feed, and only then by their names.

Each pass is linear. A layer has a key of all that leads to it (``upward``) and a key of all that it leads to
(``downward``), numbers that both networks share: so a change in the middle leaves the layers before it equal by one and
those behind it equal by the other, whatever they are called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

from ovgather.tensor.lazy import cached
from ovgather.tensor.walk import reached
from ovgather.verbs.network.records import ModelNetwork, NetworkNode

COMMUTATIVE = frozenset(
    {
        "Add",
        "BitwiseAnd",
        "BitwiseOr",
        "BitwiseXor",
        "Equal",
        "LogicalAnd",
        "LogicalOr",
        "LogicalXor",
        "Maximum",
    }
    | {"And", "Minimum", "Mul", "Multiply", "NotEqual", "Or", "Xor"}
)
"""Operations that give the same when their two inputs are exchanged."""
SINKS = frozenset({"Assign", "Result"})
Keys = Sequence[Hashable]
Pair = tuple[Keys, Keys]
"""A key of each node of the left side, and of the right one."""


class Side:
    """A network; ``inner`` are the layers of decompressions, which ``weights.fold`` made part of constants."""

    def __init__(self, network: ModelNetwork, inner: frozenset[int]) -> None:
        self.network = network
        self.nodes = network.nodes
        self.layers = [
            number
            for number in network.order
            if number not in inner and network.nodes[number].constant is None
        ]
        self.partner: dict[int, int] = {}
        self.up: list[int] = []

    @cached
    def computed(self) -> set[int]:
        """What the layers compute, as keys that both sides share."""
        return set(self.up)

    @cached
    def alive(self) -> set[int]:
        """The nodes that an output or a state depends on."""
        sinks = [at for at, node in enumerate(self.nodes) if node.type in SINKS]
        return set(
            reached(
                sinks,
                lambda at: [
                    source[0] for source in self.nodes[at].inputs if source is not None
                ],
            )
        )

    def parameters(self) -> list[int]:
        """The inputs of the model, in the order of the file."""
        return sorted(
            at
            for at in self.layers
            if self.nodes[at].type == "Parameter" and not self.nodes[at].layer.body
        )


class Matching:
    """The pairs of two sides: ``partner`` of a layer of each is that of the other."""

    def __init__(self, left: Side, right: Side) -> None:
        self.left = left
        self.right = right
        self._numbers: dict[Hashable, int] = {}
        self._texts: dict[int, tuple[object, int]] = {}
        self._new: list[tuple[int, int]] = []
        down = self._downward(left)
        plain_down = self._downward(left, plain=True)
        downs = down, self._downward(right)
        plain_downs = plain_down, self._downward(right, plain=True)
        self._pair_parameters(downs, plain_downs)
        left.up = self._upward(left)
        right.up = self._upward(right)
        names = self._of_nodes(_own_name)
        self._by((left.up, right.up), [downs, names], in_order=True)
        self._by(downs, [names])
        self._by(
            (self._upward(left, plain=True), self._upward(right, plain=True)), [names]
        )
        self._by(plain_downs, [names])
        self._by(names)
        self._by(self._of_nodes(_tensor_names))
        self._by(self._of_nodes(_form))
        self._by(self._of_nodes(_outputs), in_order=True)

    def _of_nodes(self, key: Callable[[NetworkNode], Hashable]) -> Pair:
        return [key(node) for node in self.left.nodes], [
            key(node) for node in self.right.nodes
        ]

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _attributes(self, node: NetworkNode) -> int:
        """A number for the attributes of a node; equal layers share one dict."""
        known = self._texts.get(id(node.attributes))
        if known is None:
            number = self._number(
                repr(sorted(node.attributes.items(), key=lambda item: item[0]))
            )
            known = self._texts[id(node.attributes)] = node.attributes, number
        return known[1]

    def _pair_parameters(self, *keys: Pair) -> None:
        """Pair the inputs of the models: by any of their names, then by the ``keys``, by what they take, in order."""
        sides = self.left, self.right
        names: list[list[list[Hashable]]]
        names = [
            [[node.layer.name, *node.names] for node in side.nodes] for side in sides
        ]
        single = [*keys, self._of_nodes(_outputs), self._of_nodes(lambda node: 0)]
        listed = [
            names,
            *([[[key] for key in keys] for keys in pair] for pair in single),
        ]
        for left, right in listed:
            open_at = [
                [at for at in side.parameters() if at not in side.partner]
                for side in sides
            ]
            at_values: dict[Hashable, list[int]] = defaultdict(list)
            for at in open_at[1]:
                for value in right[at]:
                    at_values[value].append(at)
            for at in open_at[0]:
                others = (one for value in left[at] for one in at_values.get(value, ()))
                other = next(
                    (one for one in others if one not in self.right.partner), None
                )
                if other is not None:
                    self._pair(at, other)

    def _upward(self, side: Side, plain: bool = False) -> list[int]:
        """A key of each node by all that leads to it; ``plain``: but for attributes, values and shapes."""
        up = [-1] * len(side.nodes)
        ordinals: dict[tuple[str, ...], int] = defaultdict(int)
        for at in side.network.order:
            node = side.nodes[at]
            key: tuple[Hashable, ...]
            if node.constant is not None:
                value = node.constant.digest or (at if side is self.left else -1 - at)
                key = (
                    "constant",
                    *(
                        ()
                        if plain
                        else (node.constant.shape, node.constant.form, value)
                    ),
                )
            elif node.type == "Parameter" and not node.inputs:
                ordinals[node.layer.body] += 1
                number = ordinals[node.layer.body]
                if not node.layer.body:
                    if side is self.left:
                        number = at
                    else:
                        number = side.partner.get(at, -1 - at)
                key = ("parameter", node.layer.body[1::2], number)
            else:
                sources = [
                    source and (up[source[0]], source[1]) for source in node.inputs
                ]
                if node.type in COMMUTATIVE:
                    sources.sort(key=lambda source: source or (-1, -1))
                key = (
                    node.type,
                    *(() if plain else (self._attributes(node),)),
                    *sources,
                )
            up[at] = self._number(key)
        return up

    def _downward(self, side: Side, plain: bool = False) -> list[int]:
        """A key of each node by all that it leads to."""
        down = [-1] * len(side.nodes)
        for at in reversed(side.network.order):
            node = side.nodes[at]
            readers = [
                (down[reader], 0 if side.nodes[reader].type in COMMUTATIVE else place)
                for reader, place in side.network.readers[at]
            ]
            own = (node.type,) if plain else (node.type, self._attributes(node))
            down[at] = self._number(("down", *own, *sorted(readers)))
        return down

    def _by(
        self, keys: Pair, closer: Sequence[Pair] = (), in_order: bool = False
    ) -> None:
        """Pair what has the same key, and of several what has the same ``closer`` keys as well, and no other has.

        ``in_order``: those that are left in their order, where both sides have equally many.
        """
        self._by_keys(keys)
        for pair in closer:
            both = [
                [*zip(own, other, strict=True)]
                for own, other in zip(keys, pair, strict=True)
            ]
            self._by_keys((both[0], both[1]))
        if in_order:
            self._by_keys(keys, in_order=True)
        self._spread()

    def _by_keys(self, keys: Pair, in_order: bool = False) -> None:
        by_key: list[dict[Hashable, list[int]]] = []
        for side, own in zip((self.left, self.right), keys, strict=True):
            places: dict[Hashable, list[int]] = defaultdict(list)
            for at in side.layers:
                if at not in side.partner and own[at] is not None:
                    places[side.nodes[at].type, own[at]].append(at)
            by_key.append(places)
        for key, some in by_key[0].items():
            others = by_key[1].get(key, ())
            if len(some) == len(others) and (in_order or len(some) == 1):
                for left, right in zip(some, others, strict=True):
                    self._pair(left, right)

    def _pair(self, left: int, right: int) -> None:
        self.left.partner[left] = right
        self.right.partner[right] = left
        self._new.append((left, right))

    def _spread(self) -> None:
        """From pairs to what feeds them, and to what alone reads them in one way."""
        while self._new:
            pair = self._new.pop()
            sides = tuple(zip((self.left, self.right), pair, strict=True))
            feeds = [side.nodes[at].inputs for side, at in sides]
            for one, other in zip(*feeds, strict=False):
                if one is not None and other is not None and one[1] == other[1]:
                    self._pair_if_open(one[0], other[0])
            reading = []
            for side, at in sides:
                ways: dict[tuple[str, int], list[int]] = defaultdict(list)
                for reader, place in side.network.readers[at]:
                    if reader not in side.partner:
                        ways[side.nodes[reader].type, place].append(reader)
                reading.append(ways)
            for way, some in reading[0].items():
                others = reading[1].get(way, ())
                if len(some) == len(others) == 1:
                    self._pair_if_open(some[0], others[0])

    def _pair_if_open(self, left: int, right: int) -> None:
        one = self.left.nodes[left]
        other = self.right.nodes[right]
        is_layer = (
            one.constant is None and other.constant is None and one.type == other.type
        )
        if (
            is_layer
            and left not in self.left.partner
            and right not in self.right.partner
        ):
            self._pair(left, right)


def _own_name(node: NetworkNode) -> Hashable:
    return node.layer.name or None


def _tensor_names(node: NetworkNode) -> Hashable:
    return node.names or None


def _form(node: NetworkNode) -> Hashable:
    return (
        tuple(node.outputs),
        repr(sorted(node.attributes.items(), key=lambda item: item[0])),
    )


def _outputs(node: NetworkNode) -> Hashable:
    return tuple(node.outputs)
