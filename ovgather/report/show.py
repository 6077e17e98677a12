"""A gather drawn for the terminal; ``show`` in Python: source -> model -> drawn layer."""

from collections.abc import Iterable, Iterator, Mapping

from ovgather.ir.read import WeightsOrData
from ovgather.layers.formats import AnySource, read
from ovgather.layers.reference import called
from ovgather.report.drawing.cells import attributes_text
from ovgather.report.drawing.text import WIDTH, draw
from ovgather.tensor.arrays import Array
from ovgather.tensor.guard import guarded
from ovgather.text import paint, printable, shape_text, unpainted
from ovgather.validation.check import usable
from ovgather.verbs.run import Prepared
from ovgather.verbs.show import show as given


class Drawing(str):
    """A drawing as text; a notebook shows it."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self)}</pre>"


@guarded
def show(
    source: AnySource,
    layer: str | None = None,
    inputs: Mapping[str, Array] | None = None,
    *,
    weights: WeightsOrData | None = None,
    axis: int | None = None,
    seed: int = 0,
    follow_links: bool = False,
) -> Drawing:
    """One Gather layer, drawn as ``ovgather show`` draws it: small ones cell by cell, large ones as a histogram.

    Args:
        source, weights, follow_links: as for ``ovgather.read``.
        layer: its name or id; may be left out when the model has only one Gather layer.
        inputs: the arrays ``data`` and ``indices``; for a missing one the constant of the model, else an example.
        axis: for a layer whose axis the model does not state.
        seed: of the examples.

    Raises:
        UnreadableError: the model cannot be read.
        InvalidModelError: there is no such layer, or an array does not fit.

    >>> print(show("samples_xml/demo/good.xml", "word_embedding").splitlines()[0])
    Gather-8 "word_embedding" (layer 3), axis 0
    """
    model = usable(read(source, weights, follow_links=follow_links))
    results = [given(model, layer, inputs, axis=axis, seed=seed)]
    return Drawing("".join(f"{unpainted(line)}\n" for line in lines(results)))


def lines(results: Iterable[Prepared], columns: int = WIDTH) -> Iterator[str]:
    """What the layer is given and where that comes from, then the drawing."""
    for layer, evidence, arguments in results:
        words = ", ".join(
            filter(
                None,
                (called(layer, evidence.operation.name), attributes_text(evidence)),
            )
        )
        yield paint(words, "bold")
        for (name, array, origin, _), kind in zip(
            arguments, evidence.type_names, strict=True
        ):
            yield f"  {name:<8} {kind} {shape_text(array.shape)}  ({printable(origin)})"
        yield f"  {'output':<8} {evidence.type_names[0]} {shape_text(evidence.output_shape)}"
        yield ""
        yield draw(evidence, columns).removesuffix("\n")
