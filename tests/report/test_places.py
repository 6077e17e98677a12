"""Paths of POSIX and of Windows as reports give them, tried on either system."""

from __future__ import annotations

import ntpath
import posixpath
from types import ModuleType

import pytest

from ovgather.report.places import relative, uri

HOME = {posixpath: "/home/me", ntpath: "C:\\home\\me"}


@pytest.mark.parametrize(
    ("paths", "path", "seen", "named"),
    [
        (posixpath, "m.xml", "m.xml", "m.xml"),
        (posixpath, "a\\b.xml", "a\\b.xml", "a%5Cb.xml"),
        (posixpath, "/home/me/a/m.xml", "a/m.xml", "a/m.xml"),
        (posixpath, "../m.xml", "/home/m.xml", "file:///home/m.xml"),
        (posixpath, "..m.xml", "..m.xml", "..m.xml"),
        (posixpath, "/home/mean/m.xml", "/home/mean/m.xml", "file:///home/mean/m.xml"),
        (posixpath, "\udcff.xml", "\udcff.xml", "%FF.xml"),
        (posixpath, "\ud800.xml", "\ud800.xml", "%EF%BF%BD.xml"),
        (ntpath, "a\\m.xml", "a/m.xml", "a/m.xml"),
        (ntpath, "a/m.xml", "a/m.xml", "a/m.xml"),
        (ntpath, "c:\\HOME\\me\\m.xml", "m.xml", "m.xml"),
        (ntpath, "..\\m.xml", "C:/home/m.xml", "file:///C:/home/m.xml"),
        (ntpath, "D:\\a b\\m.xml", "D:/a b/m.xml", "file:///D:/a%20b/m.xml"),
        (
            ntpath,
            "\\\\server\\share\\m.xml",
            "//server/share/m.xml",
            "file://server/share/m.xml",
        ),
    ],
)
def test_places(paths: ModuleType, path: str, seen: str, named: str) -> None:
    assert relative(path, HOME[paths], paths) == seen
    assert uri(path, HOME[paths], paths) == named


def test_an_address_stays_as_it_is() -> None:
    address = "s3://zoo/a b/m.xml"
    assert (relative(address), uri(address)) == (address, "s3://zoo/a%20b/m.xml")
