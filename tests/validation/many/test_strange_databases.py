"""Databases that another program made in the folder of the cache."""

from __future__ import annotations

import sqlite3
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
    ("schema", "code"),
    [
        (
            f"create view entries as {ENDLESS} select x key, x seal, x body from c where x < 0",
            2,
        ),
        (
            f"{TABLE} create trigger t after insert on entries begin"
            f" insert into entries select x, x, x from ({ENDLESS} select x from c where x < 0); end",
            0,
        ),
    ],
)
def test_a_statement_without_an_end_is_given_up(
    schema: str, code: int, tmp_path: Path
) -> None:
    file = tmp_path / f"ovgather-{ovgather.__version__}.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(schema)
    assert run(["validate", "--isolated", "--cache", str(tmp_path), GOOD]) == code
