"""Files at addresses: ranges and messages on a file system in memory, the command against a server of S3."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
import time
import tracemalloc
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from nets import Net
from paths import ROOT

import ovgather
from ovgather.cli.main import run
from ovgather.errors import UnavailableError, UnreadableError
from ovgather.files.remote import RemoteFile, find, is_remote
from ovgather.report import render
from ovgather.validation.many.run import kept_checks, kept_files
from ovgather.validation.plan import Plan, check_files
from ovgather.verbs.survey import survey_file

DEMO = ROOT / "samples_xml" / "demo"
SAMPLES = sorted((ROOT / "samples_xml").rglob("*.xml"))


def test_what_an_address_is() -> None:
    given = ("s3://b/m.xml", "file:///m.xml", "C:/m.xml", "-", "a/b://c", Path("x"))
    assert [is_remote(each) for each in given] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


def test_nothing_is_loaded_without_an_address() -> None:
    code = f"import sys, ovgather; ovgather.validate({str(SAMPLES[0])!r}); print('fsspec' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"


def test_the_extra_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(
        UnavailableError, match=r"s3://b/m.xml: .* \(pip install .\.\[remote\]"
    ):
        ovgather.validate("s3://b/m.xml")
    assert run(["validate", "s3://b/*.xml"]) == 5
    assert (
        'pip install ".[remote]" in the checkout of ovgather' in capsys.readouterr().err
    )


class TestInMemory:
    @pytest.fixture
    def system(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
        """A file system in memory, whose ``asked`` has the ranges that are read."""
        fsspec = pytest.importorskip("fsspec")
        system = fsspec.filesystem("memory", use_listings_cache=False)
        asked: list[tuple[int, int]] = []
        read = type(system).cat_ranges

        def noted(self: Any, paths: Any, starts: Any, ends: Any, **how: Any) -> Any:
            asked.extend(zip(starts, ends, strict=True))
            return read(self, paths, starts, ends, **how)

        monkeypatch.setattr(type(system), "cat_ranges", noted)
        system.asked = asked
        yield system
        system.rm("/", recursive=True)

    @pytest.mark.slow
    def test_findings_are_those_of_the_files(self, system: Any) -> None:
        for sample in SAMPLES:
            if sample.parent.name == "exchanged_weights":
                continue  # no folder is listed at an address for the file beside it
            for path in sample.parent.glob(f"{sample.stem}.*"):
                system.pipe(f"/{sample.parent.name}/{path.name}", path.read_bytes())
            address = f"memory://{sample.parent.name}/{sample.name}"
            there, here = (ovgather.validate(path) for path in (address, sample))
            assert [str(each).replace(address, str(sample)) for each in there] == list(
                map(str, here)
            )

    def test_of_the_weights_only_what_is_needed(self, system: Any) -> None:
        net = Net()
        indices = net.const("i64", [2], [0, 9])
        net.weights += bytes(1 << 22)
        table = net.parameter("i64", "4,2")
        axis = net.const("i64", [], [0])
        net.add(
            "Result",
            "",
            net.add("Gather", "", table, indices, axis, version="opset8", shape="2,2"),
        )
        system.pipe({"/zoo/m.xml": net.text, "/zoo/m.bin": net.weights})
        found = ovgather.validate("memory://zoo/m.xml")
        assert [
            each.code for each in found if each.layer and each.layer.type == "Gather"
        ] == ["OVG501"]
        assert ovgather.infer("memory://zoo/m.xml").layers[0].axis == 0
        ranges = set(system.asked)
        assert len(ranges) == 2
        assert sum(end - start for start, end in ranges) <= 520
        assert survey_file("memory://zoo/m.xml").layers[0].indices == "out of range"

    def test_near_ranges_are_read_at_once(self, system: Any) -> None:
        system.pipe("/zoo/m.bin", bytes(range(256)) * 4096)
        file = RemoteFile("memory://zoo/m.bin")
        file.fetch([(500_000, 8), (0, 4), (100, 4), (1 << 20, 4)])
        assert system.asked == [(0, 104), (500_000, 500_008)]
        assert bytes(file.part(102, 2)) == bytes([102, 103])
        assert len(system.asked) == 2
        assert bytes(file.part(600_000, 2)) == bytes([600_000 % 256, 600_001 % 256])

    def test_weights_that_vanish_or_shrink(self, system: Any) -> None:
        system.pipe("/zoo/m.bin", bytes(1000))
        file = RemoteFile("memory://zoo/m.bin")
        system.pipe("/zoo/m.bin", bytes(11))
        with pytest.raises(
            UnreadableError,
            match=r"^memory://zoo/m.bin: 1 of 2 bytes came: it has changed meanwhile$",
        ):
            file.part(10, 2)
        system.rm("/zoo/m.bin")
        with pytest.raises(
            UnreadableError, match=r"^memory://zoo/m.bin: No such file or directory$"
        ):
            file.part(10, 2)

    def test_the_cache(self, system: Any, tmp_path: Path) -> None:
        for ending in (".xml", ".bin"):
            system.pipe(f"/zoo/m{ending}", (DEMO / f"broken{ending}").read_bytes())
        first, second = (
            render(
                "validate",
                "text",
                kept_files(
                    ["memory://zoo/m.xml"],
                    kept_checks(Plan(fixes=True)),
                    1,
                    None,
                    str(tmp_path),
                ),
            )
            for _ in range(2)
        )
        assert first == second
        asked = len(system.asked)
        system.pipe("/zoo/m.bin", (DEMO / "good.bin").read_bytes())
        list(
            kept_files(
                ["memory://zoo/m.xml"],
                kept_checks(Plan(fixes=True)),
                1,
                None,
                str(tmp_path),
            )
        )
        assert (asked, len(system.asked)) == (1, 2)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server of S3 on this machine, with a bucket called zoo."""
    moto = pytest.importorskip("moto.server")
    s3fs = pytest.importorskip("s3fs")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "of-nobody")
        patch.setenv("AWS_ENDPOINT_URL", address)
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_MAX_ATTEMPTS", "1")
        patch.setattr(s3fs.S3FileSystem, "retries", 1)
        system = s3fs.S3FileSystem()
        # The store is kept when a worker comes back to this module.
        system.makedirs("zoo", exist_ok=True)
        for name in ("good", "broken"):
            for ending in (".xml", ".bin"):
                system.put(str(DEMO / f"{name}{ending}"), f"zoo/a/{name}{ending}")
        yield address
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


class TestS3:
    @pytest.fixture
    def system(self, server: str) -> Any:
        import s3fs

        return s3fs.S3FileSystem(use_listings_cache=False)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "address", ["s3://zoo", "s3://zoo/**/*.xml", "s3://zoo/a/"]
    )
    def test_folders_and_patterns(
        self, server: str, address: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["validate", "--isolated", "--format", "json", address]) == 1
        report = json.loads(capsys.readouterr().out)
        assert [file["path"] for file in report["files"]] == [
            "s3://zoo/a/broken.xml",
            "s3://zoo/a/good.xml",
        ]
        assert report["summary"]["errors"] == 5

    @pytest.mark.parametrize("verb", ["infer", "survey", "show"])
    def test_other_verbs(
        self, server: str, verb: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run([verb, "s3://zoo/a/good.xml"]) == 0
        assert "Gather-8" in capsys.readouterr().out

    def test_nothing_there(
        self, server: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["validate", "s3://zoo/b/*.xml"]) == 3
        assert (
            capsys.readouterr().err
            == "ovgather: no .xml or .onnx file in s3://zoo/b/*.xml\n"
        )
        assert run(["validate", "s3://zoo/b.xml"]) == 4
        assert "cannot be read: No such file or directory" in capsys.readouterr().out

    def test_what_needs_files_of_this_machine(
        self, server: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["validate", "--fix", "s3://zoo/a"]) == 2
        assert "go with files of this machine" in capsys.readouterr().err

    def test_a_file_that_vanishes(self, system: Any) -> None:
        for name in ("x", "y"):
            system.put(str(DEMO / "good.xml"), f"zoo/gone/{name}.xml")
        paths = list(find("s3://zoo/gone", (".xml",)))
        system.rm("zoo/gone/x.xml")
        gone, there = check_files(paths, Plan().check, 1)
        assert (gone.fatal, there.fatal) == (True, False)
        assert (
            gone.diagnostics[0].message == "cannot be read: No such file or directory"
        )

    def test_credentials_that_are_refused(
        self, server: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def count(text: bytes) -> None:
            plain = {"Content-Type": "text/plain"}
            urllib.request.urlopen(
                urllib.request.Request(f"{server}/moto-api/reset-auth", text, plain)
            ).read()

        count(b"0")  # of requests that need no credentials
        try:
            assert run(["validate", "--format", "concise", "s3://zoo/a/good.xml"]) == 4
            assert run(["validate", "s3://zoo/a"]) == 4
        finally:
            count(b"inf")
        output, errors = capsys.readouterr()
        assert (
            output
            == "s3://zoo/a/good.xml:1:1 OVG001 error: cannot be read: access is refused: Forbidden\n"
        )
        assert errors.startswith(
            "ovgather: s3://zoo/a: the folder cannot be read: access is refused: The AWS Access"
        )

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "cut", [b"GET /zoo/a/good.xml", b"GET /zoo/a/good.bin", b"HEAD /zoo/a/good.bin"]
    )
    def test_a_connection_that_is_cut(
        self,
        server: str,
        cut: bytes,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        import s3fs

        with cutting(server, cut) as address:
            monkeypatch.setenv("AWS_ENDPOINT_URL", address)
            s3fs.S3FileSystem.clear_instance_cache()
            code = run(["validate", "--format", "concise", "s3://zoo/a/good.xml"])
        s3fs.S3FileSystem.clear_instance_cache()
        output = capsys.readouterr().out
        assert (code, output.count("\n")) == (4 if b"xml" in cut else 1, 1)
        assert (
            "cannot be read: "
            if b"xml" in cut
            else "cannot read the weights s3://zoo/a/good.bin: "
        ) in output


class cutting:  # noqa: N801 - a context
    """A proxy of ``server`` that ends the connection in the middle of the answer to a request that is ``cut``."""

    def __init__(self, server: str, cut: bytes) -> None:
        self.target = server.removeprefix("http://").split(":")
        self.cut = cut

    def __enter__(self) -> str:
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def __exit__(self, *_: object) -> None:
        self.listener.close()

    def _serve(self) -> None:
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        with client:
            while request := client.recv(1 << 16):
                with socket.create_connection(
                    (self.target[0], int(self.target[1]))
                ) as server:
                    server.sendall(
                        request.replace(
                            b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1
                        )
                    )
                    answer = b"".join(iter(lambda: server.recv(1 << 16), b""))
                if request.startswith(self.cut):
                    client.sendall(answer[: -len(answer) // 3])
                    return
                client.sendall(answer)


class Server(BaseHTTPRequestHandler):
    """A server that lies."""

    protocol_version = "HTTP/1.1"
    tries: ClassVar[dict[str, int]] = {}

    def log_message(self, *arguments: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        kind, _, name = self.path.strip("/").partition("/")
        self.tries[kind] = self.tries.get(kind, 0) + 1
        text, weights = (
            (DEMO / "good.xml").read_bytes(),
            (DEMO / "good.bin").read_bytes(),
        )
        body = text if name.endswith(".xml") else weights
        if kind == "flaky" and self.tries[kind] == 1:
            self.answer(503)
        elif kind == "loop":
            self.answer(302, b"", ("Location", self.path))
        elif kind == "away":
            self.answer(302, b"", ("Location", "file:///etc/hostname"))
        elif kind == "404get" and self.command == "GET":
            self.answer(404)
        elif kind == "cut" or (kind == "cut1" and name.endswith(".bin")):
            self.close_connection = True
        elif kind == "noise":
            self.wfile.write(b"good morning\r\n\r\n")
            self.close_connection = True
        elif kind in ("short", "untold"):
            self.send_response(200)
            if kind == "short":
                self.send_header("Content-Length", str(len(body) + 1))
            self.end_headers()
            self.wfile.write(body if self.command == "GET" else b"")
            self.close_connection = True
        elif kind == "silent":
            time.sleep(3)
        elif kind == "endless":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            with suppress(OSError):
                for _ in range(400 * (self.command == "GET")):
                    self.wfile.write(b"100000\r\n" + bytes(1 << 20) + b"\r\n")
        elif kind == "trickle":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            with suppress(OSError):
                for _ in range(600 * (self.command == "GET")):
                    self.wfile.write(b"<p>more</p>")
                    time.sleep(0.1)
        elif kind.isdigit() and (not kind.endswith("1") or name.endswith(".bin")):
            self.answer(int(kind[:3]))
        elif kind == "large" and name.endswith(".xml"):
            self.answer(200, body + b"<!--" + b"x" * (3 << 20) + b"-->")
        else:
            self.answer(200, body)

    def answer(self, status: int, body: bytes = b"", *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for header in (*headers, ("Content-Length", str(len(body)))):
            self.send_header(*header)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)


@pytest.fixture(scope="module")
def liar() -> Iterator[str]:
    pytest.importorskip("aiohttp")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "code", "message"),
    [
        ("good", 0, None),
        ("flaky", 0, None),
        ("large", 0, None),  # of several pieces, which it does not give one by one
        ("404", 4, "cannot be read: No such file or directory"),
        ("403", 4, "cannot be read: its server answers with the status 403"),
        ("500", 4, "cannot be read: its server answers with the status 500"),
        ("404get", 4, "cannot be read: No such file or directory"),
        ("loop", 4, "cannot be read: its server redirects without an end"),
        ("away", 4, "cannot be read: its server redirects to what is no address of"),
        ("cut", 4, "cannot be read: its server ends the connection without an"),
        ("cut1", 1, "cannot read the weights .*: its server ends the connection"),
        ("noise", 4, "cannot be read: its server sends what is damaged, or breaks"),
        ("short", 4, "cannot be read: its server sends what is damaged, or breaks"),
        ("untold", 0, None),
        ("endless", 4, "cannot be read: more than 16777216 bytes of unknown size"),
        ("silent", 4, "cannot be read: its server is silent for 1 s"),
        ("4041", 0, "no .bin beside the file"),
        (
            "5001",
            1,
            "cannot read the weights .*: its server answers with the status 500",
        ),
        (
            "4031",
            1,
            "cannot read the weights .*: its server answers with the status 403",
        ),
    ],
)
def test_what_a_server_answers_is_told(
    kind: str,
    code: int,
    message: str | None,
    liar: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: Any,
) -> None:
    monkeypatch.setattr("ovgather.files.remote._SILENCE", 1)
    monkeypatch.setattr("ovgather.files.remote._MOST_UNTOLD", 1 << 24)
    assert (
        run(["validate", "--isolated", f"{liar}/{kind}/m.xml", "--format", "concise"])
        == code
    )
    out = capfd.readouterr().out
    assert re.search(message, out) if message else not out


@pytest.mark.parametrize("address", ["http:///m.xml", "http://[::1/m.xml"])
def test_an_address_that_names_no_server(address: str) -> None:
    with pytest.raises(OSError, match="the address names no server"):
        RemoteFile(address)


@pytest.mark.slow
def test_what_does_not_come_over_the_network_has_no_verdict(
    liar: str, capfd: Any
) -> None:
    command = ["validate", "--isolated", f"{liar}/404/m.xml", "--format", "json"]
    assert run(command) == 4
    [file] = json.loads(capfd.readouterr().out)["files"]
    assert file["openvino"] == "unknown"


@pytest.mark.slow
def test_a_listing_without_an_end_takes_as_long_as_the_timeout(
    liar: str, capfd: Any
) -> None:
    start = time.monotonic()
    command = ["validate", "--isolated", "--timeout", "1", f"{liar}/trickle/"]
    assert run(command) == 4
    assert time.monotonic() - start < 20
    assert "its listing does not end" in capfd.readouterr().err


@pytest.mark.slow
def test_infer_says_why_weights_are_not_used(liar: str, capfd: Any) -> None:
    reason = "its server answers with the status 500"
    assert run(["infer", f"{liar}/5001/m.xml"]) == 0
    assert re.search(
        f"warning: cannot read the weights .*: {reason}", capfd.readouterr().out
    )
    run(["infer", f"{liar}/5001/m.xml", "--format", "json"])
    (file,) = json.loads(capfd.readouterr().out)["files"]
    assert file["unused_weights"].endswith(reason)


@pytest.mark.slow
def test_a_body_without_an_end_is_held_once(liar: str) -> None:
    """The limit of a body of unknown size is 64 MiB, of which there are no parts beside the whole."""
    file = RemoteFile(f"{liar}/endless/m.xml")
    tracemalloc.start()
    with pytest.raises(OSError, match="more than 67108864 bytes of unknown size"):
        file.whole()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 120 << 20
