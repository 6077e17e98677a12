"""What the server makes of a text, without an editor."""

from __future__ import annotations

import logging
import re
import time
from types import SimpleNamespace
from typing import Any

import pytest
from paths import ROOT

pytest.importorskip("pygls")

from ovgather.cli.server import _Lines, service

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


@pytest.mark.parametrize(
    "uri", ["http://h/m.xml", "s3://b/m.xml", "untitled:Untitled-1"]
)
def test_nothing_is_fetched_for_an_address_of_the_editor(
    uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SimpleNamespace(source=BROKEN.read_text(), version=1)
    monkeypatch.setattr(service, "text_of", lambda uri: text)
    monkeypatch.setattr(service, "Places", lambda document: document)
    document = service._checked(uri)
    assert document is not None
    [missing] = [each for each in document.findings if each.code == "OVG008"]
    assert missing.message.startswith("no .bin beside the file")


def test_what_the_protocol_logs_is_a_line(capfd: Any) -> None:
    logger = logging.Logger("pygls.protocol")
    logger.addHandler(_Lines(logging.WARNING))
    logger.info("not this")
    try:
        raise KeyError("a\x1bb")
    except KeyError:
        logger.exception("Unable to handle message\nTraceback and more")
    out, err = capfd.readouterr()
    assert out == ""
    assert re.fullmatch(
        r"ovgather: Unable to handle message: KeyError: 'a\\x1bb' \(.*test_service.py:\d+\)\n",
        err,
    )
