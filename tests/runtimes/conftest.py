"""Workers as a user has them: each starts from nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from forked import starting_anew


@pytest.fixture(scope="module", autouse=True)
def from_nothing() -> Iterator[None]:
    """No worker is forked."""
    with starting_anew():
        yield
