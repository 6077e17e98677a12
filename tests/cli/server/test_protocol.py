"""The messages of an editor, as bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

pytest.importorskip("pygls")

COMMAND = [sys.executable, "-c", "from ovgather.cli.main import main; main()", "server"]
GOOD = ROOT / "samples_xml" / "demo" / "good.xml"
# Its check takes seconds: each Relu contradicts its neighbours.
SLOW = (
    '<net name="m" version="11"><layers>'
    + "".join(
        f'<layer id="{number}" name="r{number}" type="Relu" version="opset1"><input><port id="0">'
        f'<dim>{2 + number % 3}</dim></port></input><output><port id="1" precision="FP32">'
        f"<dim>{2 + number % 5}</dim></port></output></layer>"
        for number in range(6000)
    )
    + "</layers><edges>"
    + "".join(
        f'<edge from-layer="{number}" from-port="1" to-layer="{number + 1}" to-port="0"/>'
        for number in range(5999)
    )
    + "</edges></net>"
)


class Editor:
    def __init__(self) -> None:
        self.server = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=-3
        )
        self.ask(1, "initialize", {"capabilities": {}})
        self.answer(1)
        self.send({"method": "initialized", "params": {}})

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def ask(self, id: int, method: str, params: Any) -> None:
        self.send({"id": id, "method": method, "params": params})

    def messages(self) -> Iterator[dict[str, Any]]:
        stdout = self.server.stdout
        assert stdout is not None
        while header := stdout.readline():
            while stdout.readline() != b"\r\n":
                pass
            yield json.loads(stdout.read(int(header.split()[1])))

    def answer(self, id: int) -> Any:
        """The number of the error, or the result."""
        answer = next(each for each in self.messages() if each.get("id") == id)
        if "error" in answer:
            return answer["error"]["code"]
        return answer["result"]


@pytest.fixture
def editor() -> Iterator[Editor]:
    editor = Editor()
    with editor.server:
        yield editor
        editor.server.kill()


POSITION = {"textDocument": {"uri": GOOD.as_uri()}, "position": {}}


def test_a_request_that_cannot_be_read_is_answered(editor: Editor) -> None:
    for id, params in enumerate((POSITION, [1], None, {"position": 5}), 2):
        editor.ask(id, "textDocument/hover", params)
        assert editor.answer(id) == -32602, params  # invalid params


def test_what_is_asked_while_and_after_it_shuts_down_is_answered(
    editor: Editor,
) -> None:
    opened = {"uri": "file:///m.xml", "languageId": "xml", "version": 1, "text": SLOW}
    editor.send({"method": "textDocument/didOpen", "params": {"textDocument": opened}})
    where = {"uri": "file:///m.xml"}
    editor.ask(2, "textDocument/documentSymbol", {"textDocument": where})
    editor.ask(3, "shutdown", None)
    assert editor.answer(3) is None
    assert editor.answer(2) == -32800  # cancelled
    editor.ask(4, "textDocument/documentSymbol", {"textDocument": where})
    assert editor.answer(4) == -32600  # invalid request
    start = time.monotonic()
    editor.send({"method": "exit", "params": None})
    assert editor.server.wait(20) == 0
    assert time.monotonic() - start < 1


def test_it_ends_with_1_without_a_shutdown(editor: Editor) -> None:
    editor.send({"method": "exit", "params": None})
    assert editor.server.wait(20) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel ends the child")
@pytest.mark.parametrize("is_told", [True, False])
def test_a_command_ends_with_it(editor: Editor, is_told: bool) -> None:
    arguments = [GOOD.as_uri(), "word_embedding"]
    params = {"command": "ovgather.crosscheck", "arguments": arguments}
    editor.ask(2, "workspace/executeCommand", params)
    children = Path(f"/proc/{editor.server.pid}/task/{editor.server.pid}/children")
    end = time.monotonic() + 20
    line = ""
    while "end_with" not in line and time.monotonic() < end:
        for child in children.read_text().split():
            line = Path(f"/proc/{child}/cmdline").read_text()
    assert "end_with" in line
    if is_told:
        editor.send({"method": "exit", "params": None})
    else:
        assert editor.server.stdin is not None
        editor.server.stdin.close()
    editor.server.wait(20)
    end = time.monotonic() + 20  # it may be about to start
    while os.path.exists(f"/proc/{child}") and time.monotonic() < end:
        time.sleep(0.01)
    assert not os.path.exists(f"/proc/{child}")


def test_an_editor_that_goes_while_a_check_waits_leaves_no_traceback() -> None:
    document = {
        "uri": GOOD.as_uri(),
        "languageId": "xml",
        "version": 1,
        "text": GOOD.read_text(),
    }
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **each}).encode() for each in messages]
    text = b"".join(
        b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies
    )
    ended = subprocess.run(COMMAND, input=text, capture_output=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, b"")
