"""Arrays in files: what their headers say is looked at before room is made for it."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy
import pytest
from paths import SAMPLES

import ovgather
from ovgather.cli.main import run
from ovgather.errors import InvalidModelError
from ovgather.files.arrays import array_file, array_files

DEMO = str(SAMPLES / "demo" / "good.xml")
IR = """<net name="m" version="11"><layers>
<layer id="0" name="data" type="Parameter" version="opset1"><data shape="{shape}" element_type="f32"/>
<output><port id="0" precision="FP32">{dims}</port></output></layer>
<layer id="1" name="indices" type="Parameter" version="opset1"><data shape="2,3" element_type="i64"/>
<output><port id="0" precision="I64"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="2" name="pick" type="GatherElements" version="opset6"><data axis="0"/>
<input><port id="0" precision="FP32">{dims}</port><port id="1" precision="I64"><dim>2</dim><dim>3</dim></port></input>
<output><port id="2" precision="FP32"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="3" name="end" type="Result" version="opset1"><input><port id="0" precision="FP32"/></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>"""
VALUES = numpy.arange(12, dtype="f4").reshape(4, 3)
requires_limits = pytest.mark.skipif(
    sys.platform != "linux", reason="no limit of memory"
)


def header(shape: tuple[int, ...], descr: str = "<f4", fortran: bool = False) -> bytes:
    file = io.BytesIO()
    numpy.lib.format.write_array_header_1_0(
        file, {"shape": shape, "fortran_order": fortran, "descr": descr}
    )
    return file.getvalue()


def written(text: str) -> bytes:
    """A header of any text."""
    line = text.encode() + b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(line)) + line


def pickled() -> bytes:
    file = io.BytesIO()
    numpy.save(file, numpy.array([{}], object), allow_pickle=True)
    return file.getvalue()


SOUND = {
    "C order": (header((4, 3)) + VALUES.tobytes(), VALUES),
    "Fortran order": (header((4, 3), fortran=True) + VALUES.tobytes("F"), VALUES),
    "more behind": (header((4, 3)) + VALUES.tobytes() + b"more", VALUES),
    "scalar": (header(()) + VALUES[:1, 1].tobytes(), VALUES[0, 1]),
    "no elements": (header((0, 3)), VALUES[:0]),
    "no elements of a large dim": (
        header((0, 1 << 40)),
        numpy.empty((0, 1 << 40), "f4"),
    ),
    "odd type": (header((4, 3), "|V4") + VALUES.tobytes(), VALUES.view("V4")),
}
WRONG = {
    "empty": (b"", ": no .npy file"),
    "text": (b"hello", ": no .npy file"),
    "pickle": (b"\x80\x04N.", ": no .npy file"),
    "npz": (b"PK\x03\x04", ": no .npy file"),
    "objects": (
        pickled(),
        ": pickled objects, which are not loaded: they could run any code",
    ),
    "truncated": (
        header((4, 3)) + bytes(44),
        ": 44 bytes of elements, but its header says shape [4, 3] and dtype float32, which take 48",
    ),
    "8 TiB": (
        header((1 << 41,)),
        ": 0 bytes of elements, but its header says shape [2199023255552] and dtype float32, which take 8796093022208",
    ),
    "2^124 bytes": (
        header((1 << 61, 1 << 61)),
        ": its header says shape [2305843009213693952, 2305843009213693952]",
    ),
    "negative": (
        written("{'descr': '<f4', 'fortran_order': False, 'shape': (-4, 3), }"),
        ": its header says shape [-4, 3], which no array has",
    ),
    "rank 65": (
        header((1,) * 65) + bytes(4),
        ": its header says shape of rank 65, which no array has",
    ),
    "code": (
        written("__import__('os').abort()"),
        ": its header is none that NumPy writes",
    ),
    "deep": (
        written(f"{'(' * 4000}{')' * 4000}"),
        ": its header is none that NumPy writes",
    ),
    "cut": (written("{'descr': '<f4'"), ": its header is none that NumPy writes"),
    "long": (
        written("{'descr': '<f4', 'shape': ()}" + " " * 20_000),
        ": its header is none that NumPy writes",
    ),
    "longer than a head": (
        b"\x93NUMPY\x02\x00\x00\x00\x00\x80" + b" " * 70_000,
        ": its header is none that NumPy writes",
    ),
    "format 3": (
        b"\x93NUMPY\x03\x00\x0a\x00\x00\x00{}        ",
        ": no layer takes an array of the .npy format 3.0",
    ),
}


def zipped(
    path: Path, members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED
) -> str:
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return str(path)


@pytest.mark.parametrize("name", SOUND)
def test_sound_files(tmp_path: Path, name: str) -> None:
    data, want = SOUND[name]
    (tmp_path / "x.npy").write_bytes(data)
    alone = array_file(str(tmp_path / "x.npy"))
    packed = array_files(zipped(tmp_path / "x.npz", {"x.npy": data}))["x"]
    for file in (alone, packed):
        assert (file.shape, file.dtype) == (want.shape, want.dtype)
        got = numpy.asarray(file)
        assert got.tobytes() == want.tobytes()
        assert got.shape == want.shape


@pytest.mark.parametrize("name", WRONG)
def test_files_that_hold_no_array(tmp_path: Path, name: str, capfd: Any) -> None:
    data, message = WRONG[name]
    path = tmp_path / "x.npy"
    path.write_bytes(data)
    with pytest.raises(InvalidModelError) as caught:
        array_file(str(path))
    assert str(caught.value).startswith(f"{path}{message}")
    with pytest.raises(InvalidModelError) as caught:
        array_files(
            zipped(tmp_path / "x.npz", {"good.npy": SOUND["C order"][0], "x.npy": data})
        )
    assert str(caught.value).startswith(f"{tmp_path / 'x.npz'}: x.npy{message}")
    assert run(["run", DEMO, "--layer", "word_embedding", f"data={path}"]) == 2
    assert f"cannot read {path}{message}" in capfd.readouterr().err


def test_archives_that_are_none(tmp_path: Path) -> None:
    whole = Path(
        zipped(tmp_path / "whole.npz", {"x.npy": SOUND["C order"][0]})
    ).read_bytes()
    files = {
        "empty": b"",
        "text": b"hello",
        "cut": whole[:-30],
        "npy": SOUND["C order"][0],
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(
            InvalidModelError, match=r"is no \.npz of plain arrays, or a damaged one"
        ):
            array_files(str(tmp_path / name))
    # The elements are damaged, and not the header.
    (tmp_path / "damaged").write_bytes(whole.replace(zlib_tail(whole), bytes(8), 1))
    with pytest.raises(InvalidModelError):
        numpy.asarray(array_files(str(tmp_path / "damaged"))["x"])
    with pytest.raises(InvalidModelError, match=r"notes\.txt: no \.npy file$"):
        array_files(zipped(tmp_path / "notes.npz", {"notes.txt": b"hello"}))


def zlib_tail(whole: bytes) -> bytes:
    end = whole.index(b"PK\x01\x02")
    return whole[end - 8 : end]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_pipes_folders_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in (
        (tmp_path / "pipe", "a pipe"),
        (tmp_path, "a folder"),
        ("/dev/zero", "a device"),
    ):
        for read in (array_file, array_files):
            with pytest.raises(InvalidModelError) as caught:
                read(str(path))
            assert str(caught.value) == f"{path}: {what}, not a file"
    with pytest.raises(InvalidModelError, match=r"absent: no such file$"):
        array_file(str(tmp_path / "absent"))


def limited(
    arguments: list[str], folder: Path, limit: int = 3 << 30
) -> tuple[int, str]:
    """A verb in a process with room for ``limit`` bytes: its exit code, and what it says."""
    start = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2);"
        "from ovgather.cli.main import run; sys.exit(run(sys.argv[2:]))"
    )
    command = [sys.executable, "-c", start, str(limit), *arguments]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=100, cwd=folder, env=one_thread
    )
    return done.returncode, done.stderr + done.stdout


def bomb(path: Path, shape: tuple[int, ...], size: int) -> None:
    """A ``.npz`` of a few megabytes that unpacks to ``size`` bytes of zeros."""
    piece = bytes(1 << 24)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("data.npy", "w", force_zip64=True) as member,
    ):
        member.write(header(shape))
        for _ in range(size // len(piece)):
            member.write(piece)


@pytest.mark.slow
@requires_limits
def test_what_does_not_fit_is_not_made_room_for(tmp_path: Path) -> None:
    (tmp_path / "fixed.xml").write_text(
        IR.format(shape="4,3", dims="<dim>4</dim><dim>3</dim>")
    )
    (tmp_path / "open.xml").write_text(
        IR.format(shape="?,3", dims="<dim>-1</dim><dim>3</dim>")
    )
    with open(tmp_path / "large.npy", "wb") as file:
        file.write(header((1 << 37, 3)))
        file.truncate(file.tell() + (3 << 39))  # a hole of 1.5 TiB
    bomb(tmp_path / "bomb.npz", (1 << 24, 3), 3 << 26)
    taken = "data has shape [{}, 3], but layer 'pick' takes f32 [4,3]"
    given = ["run", "fixed.xml", "--layer", "pick"]
    assert limited([*given, "data=large.npy"], tmp_path) == (
        2,
        f"ovgather: {taken.format(1 << 37)}\n",
    )
    # With so little room nothing could be unpacked.
    words = "bomb.npz: data.npy: 878618 bytes that unpack to 201326720: save it without compression"
    for model in ("fixed.xml", "open.xml"):
        code, said = limited(
            ["run", model, "--layer", "pick", "--inputs", "bomb.npz"],
            tmp_path,
            250 << 20,
        )
        assert (code, said) == (2, f"ovgather: {words}\n")
    code, said = limited(["run", "open.xml", "data=large.npy"], tmp_path)
    assert (
        code,
        said.startswith("ovgather: there is too little memory for the data: "),
    ) == (
        2,
        True,
    )


def test_a_file_larger_than_memory_is_read_where_indices_point(tmp_path: Path) -> None:
    (tmp_path / "open.xml").write_text(
        IR.format(shape="?,3", dims="<dim>-1</dim><dim>3</dim>")
    )
    try:
        with open(tmp_path / "large.npy", "wb") as file:
            file.write(header((1 << 37, 3)))
            start = file.tell()
            file.seek(start + 12 * (1 << 36))
            file.write(VALUES[1].tobytes())
            file.truncate(start + (3 << 39))
    except OSError:
        pytest.skip("no sparse files")
    numpy.save(
        tmp_path / "i.npy", numpy.array([[0, 1 << 36, 1 << 36], [1 << 36, 0, 0]])
    )
    arguments = [
        f"data={tmp_path / 'large.npy'}",
        f"indices={tmp_path / 'i.npy'}",
        "-o",
        str(tmp_path / "o.npy"),
    ]
    assert run(["run", str(tmp_path / "open.xml"), *arguments]) == 0
    assert numpy.load(tmp_path / "o.npy").tolist() == [[0, 4, 5], [3, 0, 0]]


def test_inputs_of_a_whole_model_are_compared_first(tmp_path: Path) -> None:
    from ovgather.comparison.in_model.inputs import given_inputs, wanted_inputs

    model = ovgather.read(
        IR.format(shape="4,3", dims="<dim>4</dim><dim>3</dim>").encode()
    )
    wanted = wanted_inputs(model)
    members = {"data.npy": header((1 << 41,)), "in1.npy": SOUND["C order"][0]}
    path = tmp_path / "large.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(
        InvalidModelError,
        match=r"large\.npz: data\.npy: 0 bytes of elements, but its header says shape",
    ):
        array_files(str(path))
    given = array_files(
        zipped(
            path,
            {"data.npy": header((3, 4)) + bytes(48), "in1.npy": SOUND["C order"][0]},
        )
    )
    message = (
        r"'data' has shape \[3, 4\], not \[4,3\]; 'in1' has dtype float32, not int64"
    )
    with pytest.raises(InvalidModelError, match=message):
        given_inputs(model, wanted, given)
    indices = header((2, 3), "<i8") + bytes(48)
    given = array_files(
        zipped(
            path,
            {
                "data.npy": SOUND["Fortran order"][0],
                "in1.npy": indices,
                "not.npy": indices,
            },
        )
    )
    arrays = given_inputs(model, wanted, given)
    assert [type(array) for array in arrays] == [numpy.ndarray] * 2
    assert (arrays[0] == VALUES).all()


@pytest.mark.parametrize("verb", [["run"], ["show", "--layer", "pick"]])
def test_shapes_that_no_array_has(verb: list[str], tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.xml"
    dims = "<dim>0</dim><dim>4611686018427387904</dim><dim>1</dim>"
    text = IR.replace(
        'GatherElements" version="opset6"><data axis="0"',
        'GatherND" version="opset8"><data batch_dims="0"',
    )
    path.write_text(text.format(shape="0,4611686018427387904,1", dims=dims))
    assert run([verb[0], str(path), *verb[1:]]) == 2
    said = capfd.readouterr().err
    assert (
        said
        == "ovgather: data has shape [0, 4611686018427387904, 1], which no array has\n"
    )
    line = b"\x93NUMPY"  # a file with another shape than the layer's is refused by its header
    path.with_suffix(".npy").write_bytes(header((1 << 40, 3)) + line)
    code = run([verb[0], str(path), *verb[1:], f"data={path.with_suffix('.npy')}"])
    assert (
        code,
        "6 bytes of elements, but its header says" in capfd.readouterr().err,
    ) == (2, True)


def test_an_output_that_no_array_is() -> None:
    data = numpy.broadcast_to(numpy.float32(1), (1, 1 << 40))
    message = r"^the output has shape \[1099511627776, 1099511627776\], and no array of float32 has: data \[1,"
    with pytest.raises(InvalidModelError, match=message):
        ovgather.gather(data, numpy.broadcast_to(numpy.int64(0), (1 << 40,)), 0)
    with pytest.raises(
        InvalidModelError,
        match=r"^the output has shape \[1, 1, .* and no array of float64 has: ",
    ):
        ovgather.gather(numpy.zeros((1,) * 40), numpy.zeros((1,) * 40, int), 3)


def test_a_constant_whose_bytes_do_not_make_its_shape(
    capfd: Any, tmp_path: Path
) -> None:
    layer = '<layer id="0" name="data" type="Parameter" version="opset1"><data shape="{shape}" element_type="f32"/>'
    constant = '<layer id="0" name="data" type="Const" version="opset1"><data shape="{shape}" element_type="f32" '
    text = IR.replace(layer, constant + 'offset="0" size="48"/>')
    path = tmp_path / "m.xml"
    path.write_text(
        text.format(
            shape="1099511627776,3", dims="<dim>1099511627776</dim><dim>3</dim>"
        )
    )
    path.with_suffix(".bin").write_bytes(bytes(48))
    assert run(["run", str(path)]) == 2
    assert capfd.readouterr().err == (
        "ovgather: data of layer 'pick' is a constant of 48 bytes, but of shape [1099511627776, 3] and type f32, which"
        " take 13194139533312\n"
    )


def test_a_dim_that_is_true_is_one(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    head = b"{'descr': '<i8', 'fortran_order': False, 'shape': (True, 6), }\n"
    size = len(head).to_bytes(2, "little")
    path.write_bytes(b"\x93NUMPY\x01\x00" + size + head + bytes(48))
    assert repr(array_file(str(path)).shape) == "(1, 6)"


def test_a_file_that_is_cut_while_it_is_read(tmp_path: Path) -> None:
    """What is mapped would end the process."""
    path = tmp_path / "x.npy"
    numpy.save(path, numpy.zeros(1 << 17))
    late = array_file(str(path))
    values = numpy.asarray(late)
    os.truncate(path, 200)
    assert values.sum() == 0
    with pytest.raises(InvalidModelError, match="was cut meanwhile"):
        numpy.asarray(late)
