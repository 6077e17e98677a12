"""The exceptions of ovgather. ``OvgatherError`` is the base of all of them."""

from collections.abc import Mapping

_LONGEST = 120
_MOST = 2000


class OvgatherError(Exception):
    """The base of all errors of ovgather; the middle of a very long message is left out.

    Errors are equal if class, message and attributes are.
    """

    def __str__(self) -> str:
        text = super().__str__()
        if len(text) <= _MOST:
            return text
        return f"{text[: _MOST - 400]} … {text[-397:]}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({short_repr(str(self))})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and (self.args, vars(self)) == (
            other.args,
            vars(other),
        )

    def __hash__(self) -> int:
        return hash((type(self), self.args))

    def __reduce__(
        self,
    ) -> tuple[object, ...]:  # that of Python calls the class with the message alone
        return _restored, (type(self), self.args), vars(self)


def _restored(kind: type[OvgatherError], args: tuple[object, ...]) -> OvgatherError:
    error = kind.__new__(kind, *args)
    error.args = args
    return error


class InvalidModelError(OvgatherError, ValueError):
    """An unusable file, layer or request: the message says which and why."""


class UnreadableError(InvalidModelError):
    """A file that cannot be read at all: it is missing, no XML, no IR, or no ONNX model."""


class ArgumentError(InvalidModelError, TypeError):
    """An unusable argument of a function, also a TypeError: the message has its name, its value and the expectation."""


def short_repr(value: object) -> str:
    """``value`` in a message: on one line, without the middle of a long text.

    >>> short_repr([2, "?"]), short_repr(10**5000), len(short_repr("9" * 10**6))
    ("[2, '?']", 'an int of 16610 bits', 120)
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:  # its digits are too many for Python, or its own repr fails
        if isinstance(value, int):
            size = f" of {value.bit_length()} bits"
        else:
            size = ""
        article = "an" if type(value).__name__[:1] in "aeiou" else "a"
        return f"{article} {type(value).__name__}{size}"
    if len(text) <= _LONGEST:
        return text
    return f"{text[:80]} … {text[-37:]}"


class ShapeInferenceError(OvgatherError, ValueError):
    """The inputs of a layer are inconsistent, or an attribute is out of range.

    Attributes:
        kind: one of ``KINDS``.
        argument: the wrong argument: ``data``, ``indices``, ``axis``, ``batch_dims`` or ``inputs``.
        dim: the index of the wrong dimension, if there is one.
        layer: the name of the layer, behind the path of the bodies that it is in, where a model is asked about.
        problem: the message without the ``bindings`` that it ends with.
    """

    KINDS = (
        *(
            "input_count",
            "element_type",
            "axis_shape",
            "axis_range",
            "batch_dims_range",
            "batch_dims_axis",
        ),
        *("data_rank", "indices_rank", "rank_mismatch", "dims_mismatch"),
    )

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        argument: str,
        dim: int | None = None,
        layer: str | None = None,
        bindings: object = "",
    ) -> None:
        super().__init__(f"{message}: {bindings}" if bindings else message)
        self.problem = message
        self.kind = kind
        self.layer = layer
        self.argument = argument
        self.dim = dim


class IndexOutOfRangeError(OvgatherError, IndexError):
    """An index points outside the axis it indexes.

    Attributes:
        position: the position of the first such index in ``indices``.
        value: this index.
        low, high: the legal range, both ends included.
        count: the number of indices out of range.
    """

    def __init__(
        self,
        message: str,
        *,
        position: tuple[int, ...],
        value: int,
        low: int,
        high: int,
        count: int = 1,
    ) -> None:
        super().__init__(message)
        self.position, self.value, self.low, self.high, self.count = (
            position,
            value,
            low,
            high,
            count,
        )


class UnavailableError(OvgatherError, RuntimeError):
    """A requested extra, runtime or device is not installed."""


class ConfigurationError(OvgatherError, ValueError):
    """An unusable option, configuration file or baseline: the message says which and why."""


class WorkerError(OvgatherError, RuntimeError):
    """A process that does part of the work died."""


class ExecutorError(WorkerError, UnavailableError):
    """The executor that does the work gave it up, such as a cluster whose scheduler ended."""


class Bug(str):
    """The cause why a file is lost: an error of ovgather itself; ``trace`` tells where."""

    trace = ""

    @classmethod
    def of(cls, error: Exception) -> "Bug":
        from traceback import format_exception

        bug = cls(f"a bug in ovgather ({type(error).__name__}: {error})")
        bug.trace = "".join(format_exception(error))
        return bug


class LostFilesError(WorkerError):
    """``files``, given with the cause, met a bug, or the process that checked them died; all others have a result."""

    def __init__(self, files: Mapping[str, str]) -> None:
        bugs = {path: cause for path, cause in files.items() if isinstance(cause, Bug)}
        texts = [f"{path} met {cause}" for path, cause in bugs.items()]
        if died := [
            f"the process that checked {path} died: {files[path]}"
            for path in files
            if path not in bugs
        ]:
            texts += [*died, "--jobs 1 checks in one process"]
        super().__init__("; ".join(texts))
        self.files = files
        self.trace = "\n".join(bug.trace for bug in bugs.values())
