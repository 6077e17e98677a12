"""For the tests of others: an assertion on models, runtimes and functions, and hypothesis strategies.

- May know: all below.
- A new file: an assertion, or a strategy.
- Enters: a layer, a model, a function. Leaves: an AssertionError, or random layers and models.

The strategies need the extra ``testing``: ``pip install ".[testing]"``.

>>> import numpy
>>> from hypothesis import given, settings
>>> def mine(data, indices, axis):
...     return numpy.take_along_axis(data, indices, axis)
>>> @settings(max_examples=5, database=None)
... @given(layers(["GatherElements"], max_rank=3, index_types=("i64",)))
... def test_mine(layer):
...     assert_matches(layer, against=mine)
>>> test_mine()
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any

from ovgather.errors import InvalidModelError, UnavailableError
from ovgather.ops.sampling.random_layer import (
    LayerChoice,
    RandomLayer,
    choose_operations,
    random_layer,
)
from ovgather.processes import installing
from ovgather.tensor.element_type import named
from ovgather.tensor.guard import guarded
from ovgather.testing.assertions import assert_matches
from ovgather.testing.random_model import RandomModel, random_model

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["RandomLayer", "RandomModel", "assert_matches", "layers", "models"]


@guarded
def layers(
    operations: Iterable[str] = (), **options: Any
) -> SearchStrategy[RandomLayer]:
    """A strategy of layers, with data and indices to run them on; all are valid unless the options say otherwise.

    Args:
        operations: types or versions, such as ``Gather`` or ``GatherND-8``; left out: the whole family.
        options: ``element_types``, ``index_types``, ``negative``, ``outside``, ``empty``, ``wide``, ``plain``,
            ``max_rank`` and ``max_length``: see ``ovgather.ops.sampling.random_layer.LayerChoice``.

    Raises:
        UnavailableError: hypothesis is not installed.
        InvalidModelError: there is no such operation or option, or no operation takes what is left.
    """
    choice = _choice(operations, options)
    return _randoms().map(lambda random: random_layer(random, choice))


@guarded
def models(
    operations: Iterable[str] = (),
    *,
    length: int = 3,
    constant: bool | None = None,
    dynamic: bool = True,
    **options: Any,
) -> SearchStrategy[RandomModel]:
    """A strategy of IR files: the text and the weights, what to run them on, and what that gives.

    Args:
        operations, options: those of ``layers``.
        length: the most layers in a chain, where each gathers from the output of the one before.
        constant: whether data and indices are Const (True) or Parameters (False); None: now this, now that.
        dynamic: let Parameters have dims that are dynamic or intervals.

    Raises:
        UnavailableError, InvalidModelError: as ``layers``.
    """
    choice = _choice(operations, options)
    return _randoms().map(
        lambda random: random_model(
            random, choice, length=length, constant=constant, dynamic=dynamic
        )
    )


def _choice(names: Iterable[str], options: dict[str, Any]) -> LayerChoice:
    unknown = options.keys() - set(LayerChoice._fields)
    if unknown:
        raise InvalidModelError(
            f"no option is called {min(unknown)!r}: there are {', '.join(LayerChoice._fields[1:])}"
        )
    choice = LayerChoice(choose_operations(names), **options)
    choice.callable()
    for name in (*choice.element_types, *choice.index_types):
        named(name)
    return choice


@lru_cache(maxsize=1)
def _warm_up() -> None:
    """Let hypothesis read the constants of all modules, which it does within one of its first draws, and times."""
    from hypothesis import Phase, currently_in_test_context, find, settings, strategies

    if (
        currently_in_test_context()
    ):  # where it times what is drawn already, and refuses another test
        return
    # 1 in 20 asks for them.
    numbers = strategies.lists(
        strategies.integers(0, 1 << 60), min_size=200, max_size=200
    )
    find(
        numbers,
        any,
        settings=settings(max_examples=10, database=None, phases=[Phase.generate]),
    )


def _randoms() -> SearchStrategy[Random]:
    try:
        strategies = import_module("hypothesis.strategies")
    except ImportError as error:
        raise UnavailableError(
            f"hypothesis is not installed: {installing('testing')}"
        ) from error
    for name in (
        "ml_dtypes",
        "numpy.random",
        "ovgather.ops.evaluation",
        "ovgather.ops.sampling.values",
    ):
        import_module(name)  # here, not in the first draw, which hypothesis times
    _warm_up()
    randoms: SearchStrategy[Random] = strategies.randoms(use_true_random=False)
    return randoms
