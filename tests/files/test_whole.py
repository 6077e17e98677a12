"""Files are there whole or not at all, and keep what they are known by: mode, owner, access list, attributes."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ovgather.errors import InvalidModelError
from ovgather.files.whole import PREFIX, require_creatable, write_whole
from ovgather.ir.edit.edits import replace


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, text: str, mode: int = 0o644) -> Path:
    path = Path(name)
    path.write_text(text)
    path.chmod(mode)
    return path


def mode_of(path: str | Path) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


class TestWhatStays:
    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755, 0o200])
    def test_the_mode(self, mode: int) -> None:
        path = put("f", "old", mode)
        write_whole([("f", [b"new"])])
        assert (path.read_text(), mode_of(path), os.listdir()) == ("new", mode, ["f"])
        replace("f", b"newer", b"new")
        assert (path.read_text(), mode_of(path), os.listdir()) == ("newer", mode, ["f"])

    @pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
    def test_a_new_file_goes_by_the_mask(self, mask: int) -> None:
        before = os.umask(mask)
        try:
            write_whole([("f", [b"new"])])
        finally:
            os.umask(before)
        assert mode_of("f") == 0o666 & ~mask

    def test_it_is_never_more_open_than_before(self) -> None:
        put("f", "old", 0o600)
        seen = []

        def pieces() -> Iterator[bytes]:
            seen.extend(
                mode_of(name) for name in os.listdir() if name.startswith(PREFIX)
            )
            yield b"new"

        write_whole([("f", pieces())])
        assert seen == [0o600]

    def test_the_owner(self) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root gives files away")
        path = put("f", "old", 0o4755)
        os.chown(path, 1234, 4321)
        path.chmod(0o4755)
        write_whole([("f", [b"new"])])
        assert (path.stat().st_uid, path.stat().st_gid, mode_of(path)) == (
            1234,
            4321,
            0o4755,
        )

    def test_the_owner_may_not_be_set(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = []

        def refuse(path: str, owner: int, group: int) -> None:
            asked.append((owner, group))
            raise PermissionError(errno.EPERM, "no")

        monkeypatch.setattr(os, "chown", refuse)
        path = put("f", "old", 0o640)
        write_whole([("f", [b"new"])])
        assert (path.read_text(), mode_of(path)) == ("new", 0o640)
        assert asked == [
            (path.stat().st_uid, path.stat().st_gid),
            (-1, path.stat().st_gid),
        ]

    @pytest.mark.skipif(
        not hasattr(os, "setxattr"), reason="no extended attributes here"
    )
    def test_extended_attributes(self) -> None:
        path = put("f", "old")
        try:
            os.setxattr(path, "user.comment", b"mine")  # type: ignore[attr-defined]
        except OSError:
            pytest.skip("no extended attributes on this file system")
        write_whole([("f", [b"new"])])
        replace("f", b"newer", b"new")
        assert os.getxattr(path, "user.comment") == b"mine"  # type: ignore[attr-defined]

    @pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no access lists here")
    def test_the_access_list(self, folder: Path) -> None:
        import struct

        def entries(*rows: tuple[int, int, int]) -> bytes:
            return struct.pack("<I", 2) + b"".join(
                struct.pack("<HHI", *row) for row in rows
            )

        nobody = 0xFFFFFFFF
        named = entries(
            (1, 6, nobody),
            (2, 6, 1234),
            (4, 4, nobody),
            (16, 6, nobody),
            (32, 0, nobody),
        )
        path, plain = put("f", "old"), put("plain", "old", 0o640)
        try:
            os.setxattr(path, "system.posix_acl_access", named)  # type: ignore[attr-defined]
            os.setxattr(folder, "system.posix_acl_default", named)  # type: ignore[attr-defined]
        except OSError:
            pytest.skip("no access lists on this file system")
        write_whole([("f", [b"new"])])
        assert os.getxattr(path, "system.posix_acl_access") == named  # type: ignore[attr-defined]
        # That of its folder is not put upon a file that had none.
        write_whole([("plain", [b"new"])])
        assert os.listxattr(plain) == []  # type: ignore[attr-defined]
        write_whole([("fresh", [b"new"])])
        assert os.listxattr("fresh") == ["system.posix_acl_access"]  # type: ignore[attr-defined]

    def test_a_link_stays_a_link(self, folder: Path) -> None:
        put("f", "old", 0o600)
        Path("link").symlink_to("f")
        write_whole([("link", [b"new"])])
        assert Path("link").is_symlink()
        assert (Path("f").read_text(), mode_of("f")) == ("new", 0o600)

    def test_other_names_keep_what_they_had(self) -> None:
        put("f", "old")
        os.link("f", "other")
        write_whole([("f", [b"new"])])
        assert (Path("f").read_text(), Path("other").read_text()) == ("new", "old")


class TestWhatIsRefused:
    def refused(self, kind: type[Exception], words: str, *files: str) -> None:
        before = {
            path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()
        }
        with pytest.raises(kind, match=words) as caught:
            write_whole([(name, [b"new"]) for name in files])
        if isinstance(caught.value, OSError):
            assert caught.value.filename == files[-1]
        assert {
            path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()
        } == before

    def test_read_only_files(self) -> None:
        put("f", "old", 0o444)
        self.refused(PermissionError, "read-only", "f")
        self.refused(PermissionError, "read-only", "g", "f")  # then neither is written
        with pytest.raises(PermissionError, match="read-only"):
            replace("f", b"new", b"old")

    def test_files_of_others(self, monkeypatch: pytest.MonkeyPatch) -> None:
        put("f", "old", 0o646)
        monkeypatch.setattr(os, "access", lambda path, mode: os.path.isdir(path))
        self.refused(PermissionError, "read-only", "f")

    def test_read_only_folders(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "access", lambda path, mode: not os.path.isdir(path))
        self.refused(PermissionError, "its folder is read-only", "f")
        with pytest.raises(PermissionError, match="this folder is read-only"):
            require_creatable("a/b/c")

    def test_folders_and_missing_ones(self) -> None:
        Path("d").mkdir()
        self.refused(IsADirectoryError, "it is a folder", "g", "d")
        self.refused(FileNotFoundError, "No such file", "g", "none/f")
        put("f", "old")
        self.refused(OSError, "Not a directory", "f/g")
        with pytest.raises(NotADirectoryError, match="it is no folder"):
            require_creatable("f/g/h")

    def test_links_in_a_circle(self) -> None:
        Path("a").symlink_to("b")
        Path("b").symlink_to("a")
        self.refused(OSError, "symbolic links", "a")
        assert Path("a").is_symlink()

    def test_inputs_and_the_same_file_twice(self) -> None:
        put("f", "old")
        os.link("f", "g")
        Path("link").symlink_to("f")
        self.refused(
            InvalidModelError,
            "g is the same file as another output|g is the same file as f",
            "f",
            "g",
        )
        self.refused(
            InvalidModelError,
            "new is another output|each needs a file of its own",
            "new",
            "./new",
        )
        for name in ("f", "g", "link"):
            with pytest.raises(
                InvalidModelError, match="is read: it is not overwritten"
            ):
                write_whole([(name, [b"new"])], inputs=["none", "f"])

    def test_what_fails_halfway(self) -> None:
        put("f", "old")

        def pieces() -> Iterator[bytes]:
            yield b"half"
            raise OSError(errno.ENOSPC, "No space left on device", ".ovgather-0")

        for files in ([("f", pieces())], [("new", [b"new"]), ("f", pieces())]):
            with pytest.raises(OSError, match="No space left") as caught:
                write_whole(files)
            assert caught.value.filename == "f"
            assert (os.listdir(), Path("f").read_text()) == (["f"], "old")

    def test_what_is_no_file_is_not_fixed(self) -> None:
        os.mkfifo("pipe")
        with pytest.raises(InvalidModelError, match="no regular file"):
            replace("pipe", b"new", b"old")


class TestWhatIsNoFile:
    def test_a_pipe(self) -> None:
        os.mkfifo("pipe")
        got: list[bytes] = []
        reader = threading.Thread(target=lambda: got.append(Path("pipe").read_bytes()))
        reader.start()
        write_whole([("pipe", [b"a", b"b"])])
        reader.join()
        assert got == [b"ab"]
        assert os.listdir() == ["pipe"]

    def test_nothing_and_a_full_one(self) -> None:
        write_whole([("/dev/null", [b"new"])])
        if os.path.exists("/dev/full"):
            with pytest.raises(OSError, match="No space left") as caught:
                write_whole([("/dev/full", [b"new"])])
            assert caught.value.filename == "/dev/full"

    @pytest.mark.parametrize(
        "name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"]
    )
    def test_standard_output_goes_on_where_it_is(self, name: str) -> None:
        Path("link").symlink_to("/dev/stdout")
        if not os.path.exists(name):
            pytest.skip("there is no such name here")
        write = (
            f"print('before'); write_whole([({name!r}, [b'new\\n'])]); print('after')"
        )
        code = f"from ovgather.files.whole import write_whole; {write}"
        with open("out", "wb") as file:
            file.write(b"first\n")
            file.flush()
            subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
        assert Path("out").read_text() == "first\nbefore\nnew\nafter\n"


def test_killed_at_any_moment(folder: Path) -> None:
    put("f", "old" * 1000)
    code = (
        "import sys\nfrom ovgather.files.whole import write_whole\n"
        "def pieces():\n"
        "    yield b'new' * 500\n"
        "    print(flush=True); sys.stdin.read(1)\n"
        "    yield b'new' * 500\n"
        "write_whole([('f', pieces())])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.send_signal(signal.SIGKILL)
    assert Path("f").read_text() == "old" * 1000
    (left,) = (name for name in os.listdir() if name != "f")
    assert left.startswith(".ovgather-")


@pytest.mark.parametrize("name", ["+.xml", "-.xml", "a.xml"])
def test_an_input_is_not_overwritten_whatever_its_name(name: str) -> None:
    path = put(name, "old")
    with pytest.raises(InvalidModelError, match="is read: it is not overwritten"):
        write_whole([(str(path), [b"new"])], inputs=[name])
    assert path.read_text() == "old"


def test_standard_input_is_not_overwritten() -> None:
    path = put("f", "old")
    script = "from ovgather.files.whole import write_whole; write_whole([('f', [b'new'])], inputs=['-'])"
    with path.open() as stream:
        run = subprocess.run(
            [sys.executable, "-c", script],
            stdin=stream,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (
        "f is the same file as standard input, which is read: it is not overwritten"
        in run.stderr
    )
    assert path.read_text() == "old"
