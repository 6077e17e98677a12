"""Databases that another program made in the folder of the cache."""

from __future__ import annotations

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest
from paths import ROOT

import ovgather
from ovgather.cli.main import run

GOOD = str(ROOT / "samples_xml" / "demo" / "good.xml")
ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c)"
TABLE = "create table entries (key BLOB PRIMARY KEY, seal BLOB, body BLOB);"


@pytest.mark.parametrize(
    "schema",
    [
        f"create view entries as {ENDLESS} select x key, x seal, x body from c where x < 0",
        f"{TABLE} create trigger t after insert on entries begin"
        f" insert into entries select x, x, x from ({ENDLESS} select x from c where x < 0); end",
        "create view entries as select zeroblob(900000000) key, 1 seal, 2 body",
        "create view other as select 1",
        "create table entries (key)",
    ],
)
def test_the_database_of_another_program_is_replaced(
    schema: str, tmp_path: Path
) -> None:
    file = tmp_path / f"ovgather-{ovgather.__version__}.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(schema)
    assert run(["validate", "--isolated", "--cache", str(tmp_path), GOOD]) == 0
    with closing(sqlite3.connect(file)) as database:
        [row] = database.execute(
            "select type, name from sqlite_master where sql not null"
        )
    assert row == ("table", "entries")


def _journal_that_names(other: Path) -> bytes:
    """A journal of several databases, which names ``other`` as the file that lists them."""
    name = bytes(other)
    magic = bytes.fromhex("d9d505f920a163d7")
    head = struct.pack(">8s5I", magic, 0, 1, 3, 512, 4096).ljust(512, b"\0")
    page = (1 << 30) // 4096 + 1
    return (
        head
        + struct.pack(">I", page)
        + name
        + struct.pack(">2I", len(name), sum(name))
        + magic
    )


@pytest.mark.parametrize("ending", ["", "-journal", "-wal", "-shm"])
def test_no_file_beside_the_database_leads_to_another_one(
    ending: str, tmp_path: Path
) -> None:
    folder = tmp_path / "cache"
    file = folder / f"ovgather-{ovgather.__version__}.sqlite"
    precious = tmp_path / "precious"
    with closing(sqlite3.connect(precious)) as database:
        database.execute("create table other (a)")
    content = precious.read_bytes()
    beside = Path(f"{file}{ending}")

    def check() -> None:
        assert run(["validate", "--isolated", "--cache", str(folder), GOOD]) == 0
        assert precious.read_bytes() == content

    check()
    beside.write_bytes(_journal_that_names(precious))
    check()
    for link in (beside.symlink_to, beside.hardlink_to):
        beside.unlink(missing_ok=True)
        link(precious)
        check()
