"""What the server makes of a text, without an editor."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from paths import ROOT

pytest.importorskip("pygls")

from ovgather.cli.server import service

BROKEN = ROOT / "samples_xml" / "demo" / "broken.xml"


def test_a_text_that_takes_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Slow(service.Document):
        def _check(self) -> list[service.Diagnostic]:
            end = time.monotonic() + 30
            while not self.model.fatal and time.monotonic() < end:
                pass
            return super()._check()

    text = SimpleNamespace(source=BROKEN.read_text(), version=1)
    monkeypatch.setattr(service, "text_of", lambda uri: text)
    monkeypatch.setattr(service, "Places", lambda document: document)
    monkeypatch.setattr(service, "Document", Slow)
    monkeypatch.setattr(service, "_SECONDS", 0.2)
    for uri in (BROKEN.as_uri(), "file:///other.xml"):
        document = service._one_at_a_time.submit(service._checked, uri).result(20)
        [finding] = document.findings
        assert finding.code == "OVG001"
        assert finding.message == "cannot be checked: it takes too much time"
