"""What is true of a file: its layers, signatures, constants, edges, and what OpenVINO builds of them."""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from itertools import chain

from ovgather.files.companions import companions
from ovgather.forward.run import Forward, forward_of
from ovgather.forward.wiring import built_layers, is_built
from ovgather.ir.constants import Constant
from ovgather.ir.graph import Edge, Graph, Layer, LayerSignature, Port, Problem
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.tensor.lazy import Table
from ovgather.validation.facts.attributes import Data, written_attributes
from ovgather.validation.facts.deviations import Deviations
from ovgather.validation.facts.edges import Links
from ovgather.validation.facts.index_bounds import OutOfRange, out_of_range
from ovgather.validation.facts.plain_gathers import agree, is_plain


class FileFacts:
    """The facts that several rules need; each is worked out when it is asked for, once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._built = built_layers()
        self.problems: dict[str, list[Problem]] = {}
        for problem in model.problems:
            self.problems.setdefault(problem.kind, []).append(problem)

    @cached_property
    def _concerned(self) -> list[GatherLayer]:
        """The family layers that are not plain."""
        is_snippet = self.model.snippet  # comments in it are values

        inputs = self.forward.inputs
        outputs = self.forward.outputs
        agreeing = Table(agree)  # most tensors and ports come many times

        def is_concerned(signature: LayerSignature, offset: int) -> bool:
            return is_snippet or not is_plain(
                signature, inputs.get(offset, ()), outputs[offset], agreeing
            )

        return list(gather_layers(self.model, self.declared, is_concerned))

    @cached_property
    def gather_layers(self) -> list[GatherLayer]:
        """The family layers whose operation is known."""
        concerned = {gather.layer.offset: gather for gather in self._concerned}
        return [
            concerned.get(each.layer.offset, each)
            for each in gather_layers(self.model, self.declared)
        ]

    @cached_property
    def gathers(self) -> dict[int, GatherLayer]:
        """The same by the byte where the layer starts."""
        return {gather.layer.offset: gather for gather in self.gather_layers}

    @cached_property
    def companions(self) -> list[str]:
        """Where the files of an exported model would be."""
        return companions(self.model.path)

    @cached_property
    def graphs(self) -> list[Graph]:
        """The graph of the model and all bodies."""
        return list(self.model.graph.graphs())

    @cached_property
    def layers(self) -> list[Layer]:
        """Every layer, bodies included."""
        return [layer for graph in self.graphs for layer in graph.layers]

    @cached_property
    def edges(self) -> dict[int, tuple[Graph, Edge]]:
        """Every edge with its graph, by the byte where it starts."""
        return {
            edge.offset: (graph, edge) for graph in self.graphs for edge in graph.edges
        }

    @cached_property
    def signatures(self) -> list[LayerSignature]:
        """What the layers say: each form once."""
        return list(
            dict.fromkeys(
                chain.from_iterable(graph.signatures for graph in self.graphs)
            )
        )

    @cached_property
    def types(self) -> dict[str, list[LayerSignature]]:
        """The forms by their type."""
        types: dict[str, list[LayerSignature]] = {}
        for signature in self.signatures:
            types.setdefault(signature.type, []).append(signature)
        return types

    def forms_of(self, types: Iterable[str]) -> list[LayerSignature]:
        return [signature for type in types for signature in self.types.get(type, ())]

    def layers_of(self, types: Iterable[str]) -> list[Layer]:
        return self._layers(set(self.forms_of(types)))

    def layers_where(
        self, fits: Callable[[LayerSignature], bool], types: Iterable[str] | None = None
    ) -> list[Layer]:
        """The layers, those of ``types`` if these are given, whose form ``fits``: which is asked once of each form."""
        if types is None:
            signatures = self.signatures
        else:
            signatures = self.forms_of(types)
        return self._layers({signature for signature in signatures if fits(signature)})

    @cached_property
    def _attributes(self) -> list[tuple[Data, list[LayerSignature]]]:
        """The attributes that layers state, each with the forms that state them."""
        return written_attributes(
            self.forms_of([type for type in self.types if type != "Const"])
        )

    def layers_with(
        self, question: Callable[[Data], object]
    ) -> list[tuple[Layer, Data]]:
        """The layers of known operations of whose attributes ``question`` holds; it is asked once of equal ones."""
        data_of = {
            form: data
            for data, forms in self._attributes
            if question(data)
            for form in forms
        }
        return [(layer, data_of[layer.signature]) for layer in self._layers(data_of)]

    def _layers(self, signatures: Collection[LayerSignature]) -> list[Layer]:
        graphs = self.graphs if signatures else ()
        return [
            graph.layer(row)
            for graph in graphs
            for row, each in enumerate(graph.signatures)
            if each in signatures
        ]

    @cached_property
    def declared(self) -> dict[LayerSignature, Constant]:
        """The forms of the Consts whose declaration can be read, with what they hold."""
        return self.forward.constants

    @cached_property
    def weights_needed(self) -> int:
        """How many bytes the ``.bin`` has to have."""
        return max(
            [constant.offset + constant.size for constant in self.declared.values()],
            default=0,
        )

    @cached_property
    def fitting_constants(self) -> list[Constant]:
        """Those of the size that their shape and element type need."""
        return [const for const in self.declared.values() if const.fits]

    @property
    def all_constants_fit(self) -> bool:
        return len(self.fitting_constants) == len(self.declared)

    def constants_where(
        self, fits: Callable[[Constant], bool]
    ) -> list[tuple[Layer, Constant]]:
        """The Consts whose declaration can be read and ``fits``, with what they hold."""
        signatures = {
            signature for signature, const in self.declared.items() if fits(const)
        }
        return [
            (layer, self.declared[layer.signature])
            for layer in self._layers(signatures)
        ]

    @cached_property
    def alike(self) -> list[list[GatherLayer]]:
        """The family layers that are not plain, those that are wired alike (so all facts are the same) together."""
        return _grouped(self._concerned)

    def gather_layers_where(
        self, fits: Callable[[GatherLayer], bool]
    ) -> list[GatherLayer]:
        """The family layers that ``fits``, which is asked once of those that are wired alike."""
        return _of(_grouped(self.gather_layers), fits)

    def unusual_gathers_where(
        self, fits: Callable[[GatherLayer], bool]
    ) -> list[GatherLayer]:
        """The same for a question that no plain layer fits: these are not asked, which takes 2 of 3 s of 10,000."""
        return _of(self.alike, fits)

    @cached_property
    def unfit(self) -> list[GatherLayer]:
        """The family layers in which shape inference finds anything wrong."""
        return self.unusual_gathers_where(lambda gather: bool(gather.errors))

    @cached_property
    def out_of_range(self) -> list[OutOfRange]:
        """The family layers whose constant indices point outside data."""
        return out_of_range(self.alike)

    @cached_property
    def forward(self) -> Forward:
        """The tensors of every layer, and the layers that OpenVINO refuses."""
        return forward_of(self.model)

    @cached_property
    def refused(self) -> set[int]:
        """The layers that OpenVINO refuses for certain, by the byte where they start."""
        return {
            refusal.layer.offset
            for refusal in self.forward.refusals
            if not refusal.basis
        }

    @cached_property
    def deviations(self) -> Deviations:
        """The layers that compute what their ports contradict."""
        return Deviations(self.forward, self.graphs)

    @cached_property
    def links(self) -> Links:
        """Every edge of every graph, with its ends."""
        agreeing = self.forward.agreeing
        return Links(
            self.graphs,
            lambda graph: (
                agreeing.get(graph) == len(graph.edges) and not self.ids_repeat
            ),
        )

    @cached_property
    def sides(self) -> tuple[set[tuple[Port, ...]], set[tuple[Port, ...]]]:
        """The inputs and the outputs of the layers: what equal layers share, once."""
        forms = self.signatures
        return {form.inputs for form in forms}, {form.outputs for form in forms}

    @cached_property
    def port_orders(self) -> set[tuple[int, ...]]:
        """The ids of the inputs, or of the outputs, of a layer in the order of the text: each such order once."""
        inputs, outputs = self.sides
        return {tuple([port.id for port in ports]) for ports in inputs | outputs}

    @cached_property
    def port_ids_repeat(self) -> bool:
        """Whether two inputs or two outputs of a layer have one id."""
        return any(len({*order}) < len(order) for order in self.port_orders)

    @cached_property
    def ids_repeat(self) -> bool:
        """Whether two layers of a graph, or two inputs or two outputs of a layer, have one id."""
        return self.port_ids_repeat or any(
            len(graph.rows) < len(graph.ids) for graph in self.graphs
        )

    def is_built(self, layer: Layer) -> bool:
        """Whether OpenVINO makes anything of ``layer``: it is a Parameter, or leads to a Result or an Assign."""
        return self.model.snippet or is_built(layer, self._built)


def _grouped(gathers: list[GatherLayer]) -> list[list[GatherLayer]]:
    groups: dict[int, list[GatherLayer]] = {}
    for gather in gathers:
        groups.setdefault(id(gather.representative or gather), []).append(gather)
    return list(groups.values())


def _of(
    alike: list[list[GatherLayer]], fits: Callable[[GatherLayer], bool]
) -> list[GatherLayer]:
    """The layers of the groups that ``fits``, in the order of the text."""
    groups = [gathers for gathers in alike if fits(gathers[0])]
    layers = [gather for gathers in groups for gather in gathers]
    if len(groups) > 1:
        return sorted(layers, key=lambda gather: gather.layer.offset)
    return layers
