"""Examples of pages may draw slowly: on a busy machine hypothesis would call that an error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def patient_hypothesis() -> Iterator[None]:
    """No health check for slow draws while a page is tested."""
    try:
        from hypothesis import HealthCheck, settings
    except ImportError:
        yield
        return
    settings.register_profile("patient", suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
    yield
    settings.load_profile("default")
