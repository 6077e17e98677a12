"""Models whose files lie where links lead, for the tests of files beside a model."""

from __future__ import annotations

import struct
from pathlib import Path

SECRET = b"root:x:0:0:root:/root:/bin/bash\n" * 2
IR = b"""<net name="m" version="11"><layers>
<layer id="0" name="table" type="Const" version="opset1"><data element_type="f32" shape="4,3" offset="0" size="48"/>
<output><port id="0" precision="FP32"><dim>4</dim><dim>3</dim></port></output></layer>
<layer id="1" name="ids" type="Parameter" version="opset1"><data shape="2" element_type="i64"/>
<output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
<layer id="2" name="axis" type="Const" version="opset1"><data element_type="i64" shape="" offset="48" size="8"/>
<output><port id="0" precision="I64"/></output></layer>
<layer id="3" name="pick" type="Gather" version="opset8"><data batch_dims="0"/>
<input><port id="0" precision="FP32"><dim>4</dim><dim>3</dim></port><port id="1" precision="I64"><dim>2</dim></port>
<port id="2" precision="I64"/></input>
<output><port id="3" precision="FP32"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="4" name="end" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>
<edge from-layer="2" from-port="0" to-layer="3" to-port="2"/>
<edge from-layer="3" from-port="3" to-layer="4" to-port="0"/></edges></net>"""
BIN = struct.pack("<12f", *range(12)) + bytes(8)


def put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def link(path: Path, target: str | Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return path


def in_a_folder(top: Path) -> Path:
    """A model, and its ``.bin`` below the folder of the model."""
    link(top / "m" / "m.bin", "weights/large.bin")
    put(top / "m" / "weights" / "large.bin", BIN)
    return put(top / "m" / "m.xml", IR)


def in_a_hub(top: Path) -> Path:
    """The cache of a model hub: both files are links."""
    put(top / "models--a--b" / "blobs" / "0a", IR)
    put(top / "models--a--b" / "blobs" / "0b", BIN)
    link(top / "models--a--b" / "snapshots" / "1" / "m.bin", "../../blobs/0b")
    return link(top / "models--a--b" / "snapshots" / "1" / "m.xml", "../../blobs/0a")


def in_a_folder_of_a_hub(top: Path) -> Path:
    """The same, one folder deeper, with an ``.xml`` that was edited."""
    put(top / "models--a--b" / "blobs" / "0b", BIN)
    link(
        top / "models--a--b" / "snapshots" / "1" / "openvino" / "m.bin",
        "../../../blobs/0b",
    )
    return put(top / "models--a--b" / "snapshots" / "1" / "openvino" / "m.xml", IR)


def in_a_hub_elsewhere(top: Path) -> Path:
    """A cache that is itself a link."""
    model = in_a_hub(top / "disk")
    return link(top / "cache", "disk") / model.relative_to(top / "disk")


def both_linked(top: Path) -> Path:
    """Two links to the files of another folder."""
    put(top / "store" / "m.xml", IR)
    put(top / "store" / "m.bin", BIN)
    link(top / "work" / "m.bin", top / "store" / "m.bin")
    return link(top / "work" / "m.xml", top / "store" / "m.xml")


def in_git_annex(top: Path) -> Path:
    put(top / ".git" / "annex" / "objects" / "a" / "b" / "key" / "key", BIN)
    link(top / "models" / "m.bin", "../.git/annex/objects/a/b/key/key")
    return put(top / "models" / "m.xml", IR)


def in_dvc(top: Path) -> Path:
    put(top / ".dvc" / "cache" / "files" / "md5" / "ab" / "cd", BIN)
    link(
        top / "models" / "m.bin", top / ".dvc" / "cache" / "files" / "md5" / "ab" / "cd"
    )
    return put(top / "models" / "m.xml", IR)


def to_a_linked_folder(top: Path) -> Path:
    """No link itself, in a folder that is one."""
    put(top / "real" / "m.bin", BIN)
    model = put(top / "real" / "m.xml", IR)
    return link(top / "linked", "real") / model.name


def anywhere(top: Path) -> Path:
    put(top / "secret", SECRET)
    link(top / "m" / "m.bin", top / "secret")
    return put(top / "m" / "m.xml", IR)


def beside(top: Path) -> Path:
    """A folder whose name begins as that of the model does."""
    put(top / "model-2" / "w", SECRET)
    link(top / "model" / "m.bin", "../model-2/w")
    return put(top / "model" / "m.xml", IR)


def by_way_of_links(top: Path) -> Path:
    """A link in the folder, that leads to a link which leads out of it."""
    put(top / "secret", SECRET)
    link(top / "m" / "m.bin", "w.bin")
    link(top / "m" / "w.bin", "../secret")
    return put(top / "m" / "m.xml", IR)


def hub_with_a_secret(top: Path) -> Path:
    """What looks like a hub, with a blob that is a link out of it."""
    put(top / "secret", SECRET)
    link(top / "models--a--b" / "blobs" / "0b", top / "secret")
    link(top / "models--a--b" / "snapshots" / "1" / "m.bin", "../../blobs/0b")
    return put(top / "models--a--b" / "snapshots" / "1" / "m.xml", IR)


def hub_of_a_secret(top: Path) -> Path:
    """What looks like a hub, whose blobs are another folder."""
    put(top / "secrets" / "0b", SECRET)
    link(top / "models--a--b" / "blobs", top / "secrets")
    link(top / "models--a--b" / "snapshots" / "1" / "m.bin", "../../blobs/0b")
    return put(top / "models--a--b" / "snapshots" / "1" / "m.xml", IR)


FOLLOWED = [
    in_a_folder, in_a_hub, in_a_folder_of_a_hub, in_a_hub_elsewhere, both_linked, in_git_annex, in_dvc,
    to_a_linked_folder,
]  # fmt: skip
REFUSED = [anywhere, beside, by_way_of_links, hub_with_a_secret, hub_of_a_secret]
