"""A crash or a full disk never leaves half a file, and an existing file survives."""

import errno
import os
import sys
from pathlib import Path

import pytest

from scorecard.errors import ScorecardError
from scorecard.files import (
    is_kept,
    read_bytes,
    refuse_overwriting,
    refuse_unwritable,
    replacing,
    templates_folder,
    write_bytes,
    write_text,
)
from tests import processes

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and links as POSIX has them")


def test_writes_a_new_file_and_nothing_else(tmp_path: Path) -> None:
    write_text(tmp_path / "new.txt", "≥ 65\r\n")
    assert (tmp_path / "new.txt").read_bytes() == "≥ 65\r\n".encode()
    assert [file.name for file in tmp_path.iterdir()] == ["new.txt"]


def test_an_exception_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_bytes(b"old")

    def interrupted() -> None:
        with replacing(file) as stream:
            stream.write(b"half of the new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = tmp_path / "list.json"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ScorecardError, match=r"list\.json' cannot be written: No space left"):
        write_bytes(file, b"new")
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_killed_process_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_bytes(b"old")
    code = (
        "import os, sys; from scorecard.files import replacing\n"
        "with replacing(sys.argv[1]) as stream:\n"
        "    stream.write(b'x' * 1_000_000); stream.flush(); os._exit(9)"
    )
    done = processes.run([sys.executable, "-c", code, str(file)])
    assert done.returncode == 9
    assert file.read_bytes() == b"old"


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_bytes(b"old")
    with replacing(file) as stream:
        stream.write(b"new")
        stream.flush()
        assert file.read_bytes() == b"old"
    assert file.read_bytes() == b"new"


@posix
def test_permissions_of_the_old_file_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_bytes(b"old")
    file.chmod(0o640)
    write_bytes(file, b"new")
    assert file.stat().st_mode & 0o777 == 0o640


@posix
def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    write_bytes(tmp_path / "ours", b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


@posix
def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    file, link = tmp_path / "list.json", tmp_path / "latest.json"
    file.write_bytes(b"old")
    link.symlink_to(file)
    write_bytes(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"


@posix
def test_a_device_is_written_straight() -> None:
    write_bytes("/dev/null", b"gone")
    assert not Path("/dev/null").is_file()


@posix
def test_a_write_protected_file_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "list.json"
    file.write_bytes(b"old")
    file.chmod(0o444)
    # Root may write everything, so the answer of a usual account is given here.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ScorecardError, match="write-protected"):
        write_bytes(file, b"new")
    assert file.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere/list.json", "the folder '.*nowhere' does not exist; create it first"),
        ("folder", "cannot be written"),
        ("x" * 300, "cannot be written"),
        ("nul\0", "cannot be written"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(ScorecardError, match=reason) as refusal:
        write_bytes(f"{tmp_path}/{name}", b"")
    assert "\n" not in str(refusal.value)


def test_reads_up_to_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_bytes(b"1234")
    assert read_bytes(file, 4) == b"1234"
    with pytest.raises(ScorecardError, match="larger than"):
        read_bytes(file, 3)


@pytest.mark.parametrize("name", ["missing.json", ".", "nul\0"])
def test_what_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ScorecardError, match="cannot be read"):
        read_bytes(f"{tmp_path}/{name}", 10)


def test_a_file_that_is_read_is_not_written_over(tmp_path: Path) -> None:
    source, other = tmp_path / "a.json", tmp_path / "b.json"
    source.write_text("{}")
    refuse_overwriting(other, source)
    with pytest.raises(ScorecardError, match="is read as well; write to another file"):
        refuse_overwriting(tmp_path / "." / "a.json", other, source)


def test_a_dash_is_the_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_bytes("-", b"\xff\0")
    assert capsysbinary.readouterr().out == b"\xff\0"
    assert list(tmp_path.iterdir()) == []
    write_bytes("./-", b"a file")
    assert (tmp_path / "-").read_bytes() == b"a file"


def test_files_are_kept_and_streams_are_not(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"")
    assert is_kept(tmp_path / "old")
    assert is_kept(tmp_path / "new")
    assert is_kept(tmp_path)
    assert not is_kept("-")


@posix
def test_a_device_is_not_kept() -> None:
    assert not is_kept("/dev/null")


@posix
def test_a_reader_that_has_left_is_no_fault_of_the_file(tmp_path: Path) -> None:
    def left() -> None:
        with replacing(tmp_path / "list.json"):
            raise OSError("Broken pipe (os error 32)")

    with pytest.raises(BrokenPipeError):
        left()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere/list.json", "the folder '.*nowhere' does not exist; create it first"),
        ("folder", "it is a folder; add the name of a file"),
        ("x" * 300, "cannot be written"),
        ("nul\0", "cannot be written"),
    ],
)
def test_what_cannot_be_written_is_refused_in_time(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(ScorecardError, match=reason):
        refuse_unwritable(f"{tmp_path}/{name}")
    refuse_unwritable(tmp_path / "list.json")
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


# Where the built-in templates are -----------------------------------------------------------------


def with_readme(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("what a template may use", encoding="utf-8")
    return folder


def test_here_it_is_the_folder_at_the_top(root: Path) -> None:
    assert templates_folder() == root / "templates"


def test_inside_the_package_comes_first(tmp_path: Path) -> None:
    inside = with_readme(tmp_path / "scorecard" / "templates")
    with_readme(tmp_path / "templates")
    assert templates_folder(tmp_path / "scorecard") == inside


def test_beside_the_package_comes_second(tmp_path: Path) -> None:
    beside = with_readme(tmp_path / "templates")
    assert templates_folder(tmp_path / "scorecard") == beside


def test_a_strangers_folder_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    with pytest.raises(ScorecardError, match="in neither: install psl-scorecard again") as caught:
        templates_folder(tmp_path / "scorecard")
    assert "\n" not in str(caught.value)
