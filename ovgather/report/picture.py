"""``show`` in Python: source -> model -> drawn layer."""

from collections.abc import Mapping

from ovgather.errors import InvalidModelError, shown
from ovgather.ir.read import WeightsOrData
from ovgather.layers.formats import AnySource, read
from ovgather.tensor.arrays import Array
from ovgather.tensor.guard import guarded

FORMATS = ("text", "svg")


@guarded
def show(
    source: AnySource,
    layer: str | None = None,
    inputs: Mapping[str, Array] | None = None,
    *,
    weights: WeightsOrData | None = None,
    format: str = "text",
    axis: int | None = None,
    seed: int = 0,
    follow_links: bool = False,
) -> str:
    """One Gather layer, drawn as ``ovgather show`` draws it: small ones cell by cell, large ones as a histogram.

    Args:
        source, weights, follow_links: as for ``ovgather.read``.
        layer: its name or id; may be left out when the model has only one Gather layer.
        inputs: the arrays ``data`` and ``indices``; for a missing one the constant of the model, else an example.
        format: ``text`` or ``svg``.
        axis: for a layer whose axis the model does not state.
        seed: of the examples.

    Raises:
        UnreadableError: the model cannot be read.
        InvalidModelError: there is no such layer, or an array does not fit.

    >>> print(show("samples_xml/demo/good.xml", "word_embedding").splitlines()[0])
    Gather-8 "word_embedding" (layer 3), axis 0
    """
    from ovgather.report import render
    from ovgather.validation.check import usable
    from ovgather.verbs.show import show as draw

    if format not in FORMATS:
        raise InvalidModelError(f"format {shown(format)} is none of {', '.join(FORMATS)}")
    model = usable(read(source, weights, follow_links=follow_links))
    return render("show", format, [draw(model, layer, inputs, axis=axis, seed=seed)])
