"""Random models around layers of the family, small ones, from a seed."""

from random import Random

from ovgather.comparison.graphs import proposals
from ovgather.comparison.graphs.bodies import branched, iterated
from ovgather.comparison.graphs.builder import GraphBuilder

_PROPOSALS = (
    *[proposals.gather] * 6,
    *[proposals.compressed, proposals.convert, proposals.arithmetic] * 2,
    *[proposals.reshape] * 2,
    proposals.unary,
    proposals.measured,
    proposals.transpose,
    proposals.unsqueeze,
    proposals.concat,
    proposals.matrix,
    proposals.softmax,
    proposals.reduction,
    proposals.slice,
    branched,
    iterated,
)


def random_graph(seed: int, number: int) -> tuple[bytes, bytes, list[str]]:
    """The text, the weights and the types of the layers of the graph ``number`` of a seed, always the same."""
    random = Random(f"{seed}/{number}")
    while True:
        graph = GraphBuilder(random)
        for _ in range(random.choice((1, 1, 2))):
            kind = random.choice(("f32", "f32", "f32", "f16", "i32", "i64"))
            rank = random.choice((1, 2, 2, 3, 3, 4))
            graph.tensors.append(graph.parameter(kind, graph.shape(rank)))
        graph.grow(random.randint(6, 24), _PROPOSALS)
        if any(type.startswith("Gather") for type in graph.types):
            return *graph.finish(random.random() < 0.6), graph.types
