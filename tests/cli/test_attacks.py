"""What goes wrong around a command: it leaves whole files or none, and says one clear line.

Each kind is one test here, tried on the commands that write; the numbers of moments are few in
every run and complete under `make exhaustive`. Kinds that have their own place: labels with code in
every form (`tests/forms/test_hostile.py`, `tests/forms/card/test_safety.py`), damaged documents
(`tests/documents/`), damaged workbooks (`tests/forms/`), templates that leave their folder
(`tests/printing/`), a Ctrl-C (`test_interrupting.py`).
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest

from scorecard.documents.json_document import write_list
from scorecard.files import TEMPORARY_PREFIX
from tests import processes
from tests.cli.conftest import Run
from tests.exhaustive import many
from tests.lists import TABLE_1

CARD = """\
table = "cases.csv"
outcome = "strep"
[learning]
max_questions = 2
folds = 3
[make]
forms = ["card-a6.html", "handout.html", "evaluator.py", "card.json", "evaluator.xlsx"]
"""
TABLE_1_INPUTS = [question.input for question in TABLE_1.questions]
COMMANDS: dict[str, tuple[str, ...]] = {
    "fit": ("fit", "cases.csv", "--outcome", "strep", "--max-questions", "2"),
    "card": ("card", "list.json"),
    "handout": ("handout", "list.json"),
    "export": ("export", "list.json", "--to", "excel"),
    "apply": ("apply", "list.json", "answers.csv"),
    "build": ("build", "card.toml"),
}
# Stops itself by the hardest signal when the n-th file takes its place, or just before it does.
KILLED = """
import os, signal, sys
from pathlib import Path
from scorecard.__main__ import main

moment, *arguments = sys.argv[1:]
number, late = divmod(int(moment), 2)
replace = Path.replace

def killing(self, target):
    global number
    number -= 1
    if number < 0 and not late:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(self, target)
    if number < 0:
        os.kill(os.getpid(), signal.SIGKILL)

Path.replace = killing
main(arguments)
"""
# Every file it writes ends after so many bytes, as on a disk that is full.
FULL = """
import resource, signal, sys
from scorecard.__main__ import main

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
main(sys.argv[1:])
"""
posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")


@pytest.fixture
def folder(root: Path, tmp_path: Path) -> Path:
    shutil.copy(root / "examples" / "tutorial" / "cases.csv", tmp_path)
    write_list(TABLE_1, tmp_path / "list.json")
    (tmp_path / "answers.csv").write_text(
        ",".join(TABLE_1_INPUTS) + "\n" + "\n".join([",".join("1" * len(TABLE_1_INPUTS))] * 99)
    )
    (tmp_path / "card.toml").write_text(CARD)
    return tmp_path


def told(
    folder: Path, code: str, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """A program with these lines, in a process of its own in this folder."""
    return processes.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1763337600", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )


PLAIN = "import sys; from scorecard.__main__ import main; main(sys.argv[1:])"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(folder)): one.read_bytes()
        for one in folder.rglob("*")
        if one.is_file() and not one.name.startswith(TEMPORARY_PREFIX) and ".build" not in one.parts
    }


@posix
@pytest.mark.parametrize("command", ["fit", "card", "build"])
def test_a_killed_command_leaves_whole_files_and_can_be_run_again(
    command: str, folder: Path
) -> None:
    sources = contents(folder)
    assert told(folder, PLAIN, *COMMANDS[command]).returncode == 0
    whole = contents(folder)
    for moment in range(many(20, few=2) if command == "build" else 2):
        _only(sources, folder)
        killed = told(folder, KILLED, str(moment), *COMMANDS[command])
        left = contents(folder)
        if killed.returncode == 0:  # it writes fewer files than that
            break
        assert killed.returncode == -signal.SIGKILL
        assert left.items() <= whole.items(), f"{moment}: half a file"
        assert len(left) < len(whole) or moment % 2, f"{moment}: nothing was interrupted"
        assert told(folder, PLAIN, *COMMANDS[command]).returncode == 0
        assert contents(folder) == whole


def _only(sources: dict[str, bytes], folder: Path) -> None:
    for one in folder.iterdir():
        if one.is_dir():
            shutil.rmtree(one)
        elif one.name not in sources:
            one.unlink()


@posix
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_one_line_and_leaves_nothing(command: str, folder: Path) -> None:
    sources = contents(folder)
    done = told(folder, FULL, *COMMANDS[command])
    assert done.returncode == 1
    complaint = done.stderr.strip().splitlines()[-1]
    assert re.search("(cannot|could not) be written", complaint), complaint
    assert "Traceback" not in done.stderr
    left = contents(folder)
    assert {name for name in left.keys() - sources.keys() if len(left[name]) >= 1_000} == set()
    assert [*folder.rglob(f"{TEMPORARY_PREFIX}*")] == []


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="the administrator may write everywhere"
)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_one_may_not_write_to(command: str, folder: Path) -> None:
    folder.chmod(0o555)
    try:
        done = told(folder, PLAIN, *COMMANDS[command])
    finally:
        folder.chmod(0o755)
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (1, 1)
    assert "Permission denied; choose a folder you may write to" in done.stderr


@posix
@pytest.mark.parametrize("command", ["fit", "card"])
def test_without_a_home_and_in_plain_ascii_the_same_files_are_made(
    command: str, folder: Path
) -> None:
    sources = contents(folder)
    assert told(folder, PLAIN, *COMMANDS[command]).returncode == 0
    whole = contents(folder)
    _only(sources, folder)
    bare = {"HOME": "/nonexistent", "LANG": "C", "LC_ALL": "C", "XDG_CACHE_HOME": "/nonexistent"}
    done = told(folder, PLAIN, *COMMANDS[command], **bare)
    assert done.returncode == 0, done.stderr
    assert contents(folder) == whole


def test_two_builds_at_once_make_what_one_makes(folder: Path) -> None:
    sources = contents(folder)
    assert told(folder, PLAIN, *COMMANDS["build"]).returncode == 0
    whole = contents(folder)
    _only(sources, folder)
    command = [sys.executable, "-c", PLAIN, *COMMANDS["build"]]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1763337600"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "env": environment}
    with (
        processes.started(command, cwd=folder, **quiet) as one,
        processes.started(command, cwd=folder, **quiet) as other,
    ):
        complaints = [processes.rest_of(each)[1] for each in (one, other)]
    assert (one.returncode, other.returncode) == (0, 0), complaints
    assert contents(folder) == whole


@posix
def test_a_link_stays_a_link_and_a_dangling_one_is_filled(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "elsewhere").mkdir()
    (folder / "evaluator.py").symlink_to(folder / "elsewhere" / "real.py")
    assert run("export", "list.json", "--to", "python").code == 0
    assert (folder / "evaluator.py").is_symlink()
    assert (folder / "elsewhere" / "real.py").read_bytes().startswith(b"#")
    (folder / "evaluator.sql").symlink_to("evaluator.sql")
    looped = run("export", "list.json", "--to", "sql")
    assert looped.code == 1
    assert "symbolic links" in looped.err
    assert len(looped.err.strip().splitlines()) == 1


DEEP = 50_000


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * DEEP + " = 1",
        "[" + "a." * DEEP + "a]",
        "x = " + "[" * DEEP,
        "x = " + "{a = " * DEEP,
        "x = {" + "a." * DEEP + "a = 1}",
    ],
    ids=["key", "table", "arrays", "inline tables", "key inside"],
)
@pytest.mark.parametrize("name", ["card.toml", "labels.toml", "list.toml"])
def test_deep_toml_is_refused_at_once(name: str, text: str, run: Run, folder: Path) -> None:
    (folder / name).write_text(text)
    command = {
        "card.toml": ("build", folder / name),
        "labels.toml": ("label", folder / "list.json", folder / name),
        "list.toml": ("show", folder / name),
    }[name]
    done = run(*command)
    assert (done.code, done.out) == (1, "")
    (line,) = done.err.strip().splitlines()
    assert line.startswith("Error: "), line[:200]
    assert name in line, line[:200]
    assert len(line) < 600  # with the folder


def _document(folder: Path) -> dict[str, list[dict[str, object]]]:
    content: dict[str, list[dict[str, object]]] = json.loads((folder / "list.json").read_text())
    return content


@pytest.mark.parametrize("digits", [30, 400, 4_000, 5_000])
def test_numbers_of_any_length_are_refused_in_a_short_line(
    digits: int, run: Run, folder: Path
) -> None:
    text = json.dumps(_document(folder))
    changed = text.replace('"points": ', f'"points": {"9" * digits}', 1)
    assert changed != text
    (folder / "list.json").write_text(changed)
    done = run("show", folder / "list.json")
    (line,) = done.err.strip().splitlines()
    assert done.code == 1
    assert len(line) < 600  # with the folder
    assert "points" in line or "number" in line or "digits" in line


def test_a_million_stages_are_refused(run: Run, folder: Path) -> None:
    document = _document(folder)
    for key in ("questions", "stages"):
        one = json.dumps(document[key][0])
        text = json.dumps({**document, key: []})
        many_of_them = ", ".join([one] * (1_000_000 if key == "questions" else 100_000))
        (folder / "list.json").write_text(
            text.replace(f'"{key}": []', f'"{key}": [{many_of_them}]')
        )
        done = run("show", folder / "list.json")
        assert (done.code, done.out) == (1, "")
        assert len(done.err.strip().splitlines()) == 1


def test_a_workbook_that_would_fill_the_memory_is_refused(run: Run, folder: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["age", "ill"])
    book.active.append([1, "yes"])
    plain = BytesIO()
    book.save(plain)
    with (
        zipfile.ZipFile(plain) as parts,
        zipfile.ZipFile(folder / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as bomb,
    ):
        for name in parts.namelist():
            head, end, tail = parts.read(name).partition(b"</sheetData>")
            with bomb.open(name, "w", force_zip64=True) as part:
                part.write(head)
                for _ in range(250 * bool(end)):
                    part.write(b'<row r="3"><c r="A3"><v>' + b"1" * 4_000_000 + b"</v></c></row>")
                part.write(end + tail)
    assert (folder / "bomb.xlsx").stat().st_size < 5_000_000
    for command in (
        ("fit", folder / "bomb.xlsx", "--outcome", "ill"),
        ("apply", folder / "list.json", folder / "bomb.xlsx"),
    ):
        done = run(*command)
        assert (done.code, done.out) == (1, "")
        assert done.err.strip().splitlines() == [
            "Error: bomb.xlsx has 1 GB when unpacked; save the sheet as CSV or Parquet."
        ]


@pytest.mark.parametrize(
    "forms", [["../card-a6.pdf"], ["/tmp/card-a6.pdf"], ["sub/../../card.json"], [".."], [""]]
)
def test_what_a_card_toml_makes_stays_in_its_folder(
    forms: Sequence[str], run: Run, folder: Path
) -> None:
    lines = CARD.splitlines()[:-1]
    (folder / "card.toml").write_text("\n".join([*lines, f"forms = {json.dumps(forms)}"]))
    before = {*folder.rglob("*")}
    done = run("build", folder / "card.toml")
    assert done.code == 1
    assert "make.forms" in done.err
    assert {*folder.rglob("*")} == before
