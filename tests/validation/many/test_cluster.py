"""``validate --dask`` on a cluster of processes on this machine: one killed, versions that differ, nobody there."""

from __future__ import annotations

import importlib.metadata
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from many_files import DEMO, demo_files
from paths import ROOT, WAITING

from ovgather.cli.main import run
from ovgather.errors import LostFilesError, UnavailableError, WorkerError
from ovgather.validation.checked import Checked
from ovgather.validation.many import cluster
from ovgather.validation.many.run import kept_checks, kept_files
from ovgather.validation.plan import Plan, check_files

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)
COMMAND = [
    sys.executable,
    "-c",
    "from ovgather.cli.main import main; main()",
    "validate",
    "--isolated",
]


CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    options = {"threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1", "silence_logs": 50}
    options |= {"n_workers": int(sys.argv[1]), "processes": sys.argv[2] == "processes", "protocol": "tcp://"}
    with LocalCluster(**options) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@contextmanager
def started(workers: int, kind: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process with a scheduler, whose workers are ``processes`` or ``threads``, and the address of the scheduler.

    Workers find the package where these tests find it, and are forked: to import dask takes each a second.
    """
    paths = os.pathsep.join(
        [*WAITING.split(":"), *filter(None, sys.path), str(Path(__file__).parent)]
    )
    forked = (
        {"DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD": "forkserver"}
        if sys.platform == "linux"
        else {}
    )
    process = subprocess.Popen(
        [sys.executable, "-c", CLUSTER, str(workers), kind],
        env={**os.environ, **forked, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A scheduler with two workers, each a process."""
    with started(2, "processes") as (_, address):
        yield address


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    return demo_files(tmp_path, 30)


def texts(results: Any) -> list[tuple[str, list[str]]]:
    return [
        (checked.path, [str(each) for each in checked.diagnostics])
        for checked in results
    ]


@pytest.mark.slow
def test_a_cluster_of_many_threads_has_a_task_for_each(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cluster.connected(address) as executor:
        # Two tasks for each: 64, as for executors that say nothing.
        assert getattr(executor, "_max_workers", 0) == 32
    monkeypatch.setattr(cluster, "_LEAST", 1)
    with cluster.connected(address) as executor:
        assert getattr(executor, "_max_workers", 0) == 2


@pytest.mark.slow
def test_results_are_those_of_one_process(address: str, paths: list[str]) -> None:
    with cluster.connected(address) as executor:
        assert texts(
            kept_files(paths, kept_checks(Plan()), executor=executor)
        ) == texts(check_files(paths, Plan().check, 1))


@pytest.mark.slow
def test_the_command(address: str, paths: list[str]) -> None:
    folder = os.path.dirname(paths[0])
    done = subprocess.run(
        [*COMMAND, "--format", "json", "--dask", address, folder],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert sorted(file["path"] for file in json.loads(done.stdout)["files"]) == sorted(
        paths
    )


def test_a_killed_worker_costs_no_file(address: str, paths: list[str]) -> None:
    os.mkfifo(slow := os.path.join(os.path.dirname(paths[0]), "slow.xml"))
    from distributed import Client

    with (
        cluster.connected(address) as executor,
        Client(address, set_as_default=False) as client,
    ):
        before = client.run(os.getpid)
        done: list[str] = []
        lost: list[LostFilesError] = []

        def check() -> None:
            try:
                done.extend(
                    checked.path
                    for checked in kept_files(
                        [slow, *paths], kept_checks(Plan()), executor=executor
                    )
                )
            except LostFilesError as error:
                lost.append(error)

        thread = threading.Thread(target=check)
        thread.start()
        end = reader_of(slow)
        busy = next(worker for worker, tasks in client.processing().items() if tasks)
        os.kill(before[busy], signal.SIGKILL)
        os.close(end)
        time.sleep(0.5)
        os.close(reader_of(slow))  # the next one has it in hand, and finds it empty
        thread.join(100)
        assert not thread.is_alive()
    assert lost == []
    assert done == [slow, *paths]


class Slow(Plan):
    """A plan by which the first worker to take a file is slow: before each file it waits for two of another worker."""

    def check(self, path: str, model: Any = None) -> Checked:
        mark, own = Path(path).with_name("slow"), f"{os.getpid()}\n"
        with suppress(FileExistsError), open(mark, "x") as file:
            file.write(own)

        def others() -> int:
            with open(f"{mark}.log", "a+") as log:
                log.seek(0)
                return sum(line != own for line in log)

        if mark.read_text() == own:
            number, end = others(), time.monotonic() + 3
            while others() < number + 2 and time.monotonic() < end:
                time.sleep(0.02)
        with open(f"{mark}.log", "a") as log:
            log.write(own)
        return super().check(path, model)


@pytest.mark.slow
def test_a_slow_worker_gets_less_to_do(address: str, paths: list[str]) -> None:
    with cluster.connected(address) as executor:
        done = [
            checked.path
            for checked in kept_files(paths, kept_checks(Slow()), executor=executor)
        ]
    assert done == paths
    slow = Path(paths[0]).with_name("slow")
    workers = slow.with_name("slow.log").read_text().split()
    assert workers.count(slow.read_text().strip()) < len(paths) / 2


@pytest.mark.parametrize(
    ("files", "layers", "verb"),
    [
        (3, 5, ["infer"]),
        (3, 5, ["crosscheck", "--distinct"]),
        (1, 5, ["crosscheck", "--mode", "alone"]),
    ],
)
def test_other_verbs(
    address: str, tmp_path: Path, files: int, layers: int, verb: list[str], capsys: Any
) -> None:
    more = []
    if verb[0] == "crosscheck":
        pytest.importorskip("openvino")
        more = ["--variants", "none"]
    for number in range(files):
        for ending in (".xml", ".bin"):
            (tmp_path / f"m{number}{ending}").write_bytes(
                (DEMO / f"good{ending}").read_bytes()
            )
    assert (
        run([*verb, *more, "--format", "json", "--dask", address, str(tmp_path)]) == 0
    )
    found = json.loads(capsys.readouterr().out)["files"]
    assert [Path(file["path"]).name for file in found] == [
        f"m{number}.xml" for number in range(files)
    ]
    assert [len(file["layers"]) for file in found] == [layers] * files


@pytest.mark.slow
def test_conformance(address: str, tmp_path: Path, capsys: Any) -> None:
    pytest.importorskip("openvino")
    for ending in (".xml", ".bin"):
        (tmp_path / f"m{ending}").write_bytes((DEMO / f"good{ending}").read_bytes())
    assert (
        run(
            [
                "conformance",
                "--only",
                "zoo/*",
                "--format",
                "json",
                "--dask",
                address,
                str(tmp_path),
            ]
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["summary"]["cases"] == 5


@pytest.mark.slow
def test_a_scheduler_that_is_restarted(paths: list[str]) -> None:
    os.mkfifo(slow := os.path.join(os.path.dirname(paths[0]), "slow.xml"))
    with (
        started(1, "threads") as (process, address),
        cluster.connected(address) as executor,
    ):
        results = kept_files([slow, *paths], kept_checks(Plan()), executor=executor)
        threading.Timer(0.2, lambda: (reader_of(slow), process.kill())).start()
        message = r"the executor gave up its tasks \(.* ended\?\), at .*slow.xml: CancelledError"
        with pytest.raises(WorkerError, match=message):
            list(results)


@pytest.mark.slow
def test_a_scheduler_that_stands_still(
    paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(slow := os.path.join(os.path.dirname(paths[0]), "slow.xml"))
    for name in ("_PERIOD", "_PATIENCE", "_WITHOUT_WORKERS"):
        monkeypatch.setattr(cluster, name, 1)
    with started(1, "threads") as (process, address):
        monkeypatch.setattr(cluster, "_answer", lambda ask: ask())
        with cluster.connected(address) as executor:
            results = kept_files([slow, *paths], kept_checks(Plan()), executor=executor)

            def stop() -> None:
                reader_of(slow)
                process.send_signal(signal.SIGSTOP)

            threading.Thread(target=stop).start()
            with pytest.raises(WorkerError, match="gave up its tasks"):
                list(results)
        process.kill()


@pytest.mark.slow
@pytest.mark.parametrize("sent", [b"", bytes(4096), (1 << 62).to_bytes(8, "little")])
def test_what_is_no_scheduler(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 1)
    kept = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    kept.append(connection)
                    connection.sendall(sent)

        threading.Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with (
            pytest.raises(
                UnavailableError, match=f"no dask scheduler answers at {address}"
            ),
            cluster.connected(address),
        ):
            pass
    for connection in kept:
        connection.close()


@pytest.mark.slow
def test_a_scheduler_that_ends_leaves_a_report(paths: list[str]) -> None:
    folder = os.path.dirname(paths[0])
    os.mkfifo(slow := os.path.join(folder, "slow.xml"))
    with started(1, "threads") as (process, address):
        command = subprocess.Popen(
            [*COMMAND, "--format", "json", "--dask", address, folder, slow],
            env={**os.environ, "PYTHONPATH": WAITING},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        reader_of(slow)
        time.sleep(0.5)  # the command gets what is done
        process.kill()
        output, errors = command.communicate(timeout=60)
    done = [file["path"] for file in json.loads(output)["files"]]
    assert done == sorted(paths)[: len(done)]
    assert len(done) > 0
    assert (command.returncode, errors.count("\n")) == (5, 1)
    assert errors.startswith(
        "ovgather: the executor gave up its tasks (have its scheduler or all workers ended?), at "
    )
    assert errors.endswith(
        f": {len(done)} of 31 files are done and in the report; --after {done[-1]} goes on\n"
    )


def reader_of(pipe: str) -> int:
    """The writing end of ``pipe``, as soon as a worker has it in hand."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.02)
    raise AssertionError("no worker reads it")


def test_versions_that_differ(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.metadata.version
    monkeypatch.setattr(
        importlib.metadata,
        "version",
        lambda name: "1999.1" if name == "openvino" else real(name),
    )
    with (
        pytest.raises(UnavailableError, match=r"has openvino .*, not 1999.1") as caught,
        cluster.connected(address),
    ):
        pass
    assert str(caught.value).count("tcp://") >= 1


@pytest.mark.slow
def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with (
        pytest.raises(UnavailableError, match="no dask scheduler answers at tcp://127"),
        cluster.connected(address),
    ):
        pass


def test_an_address_that_is_none() -> None:
    with (
        pytest.raises(UnavailableError, match="no dask scheduler answers at x://y"),
        cluster.connected("x://y"),
    ):
        pass


def test_an_interrupt_while_workers_are_looked_for(
    paths: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from ovgather.cli._shared.group import run

    @contextmanager
    def connected(address: str) -> Iterator[None]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(cluster, "connected", connected)
    report = tmp_path / "report.json"
    options = ["--dask", "tcp://nowhere:1", "--format", "json", "-o", str(report)]
    assert run(["validate", "--isolated", *options, *paths]) == 130
    assert json.loads(report.read_text())["files"] == []
    said = f"0 of {len(paths)} files are done and in the report; run it again"
    assert said in capsys.readouterr().err
