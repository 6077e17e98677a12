"""Why a file could not be read at all, for those that can do nothing without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.errors import UnreadableError

if TYPE_CHECKING:
    from ovgather.ir.model import Model
    from ovgather.validation.diagnostic import Diagnostic


def reason(model: Model) -> Diagnostic:
    """The finding that says why a ``fatal`` model could not be read."""
    from ovgather.validation.check import check

    findings = check(model)
    # What was fixed on the way to it is not why.
    return next((finding for finding in findings if finding.openvino == "rejects"), findings[0])


def unreadable(model: Model) -> UnreadableError:
    """The error to raise where a ``fatal`` model is all there is."""
    return UnreadableError(str(reason(model)))
