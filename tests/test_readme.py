"""The README's blocks are run, in order, in a folder that holds a copy of the examples.

- `sh`, `bash`, `shell`: the block is one script and has to succeed.
- `console`: what follows `$ ` is a command (`> ` continues it). The lines below have to be its
  output, in this order; a line `…` or `...` stands for any lines left out.
- `python` is run as a script; with `>>>` prompts its output is compared too.

Not run, because they install, fetch, wait for a person or run these very tests: see NOT_RUN. Of
`make …` it is checked that there is such a target.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

SHELL = {"sh", "bash", "shell"}

# Shell functions that stand in front of the real commands.
NOT_RUN = """
not_run() { echo "(not run by the tests: $*)"; }
make() { not_run make "$@"; }
git() { not_run git "$@"; }
cd() { not_run cd "$@"; }
source() { not_run source "$@"; }
pip() { not_run pip "$@"; }
pipx() { not_run pipx "$@"; }
uv() { not_run uv "$@"; }
uvx() { not_run uvx "$@"; }
sudo() { not_run sudo "$@"; }
brew() { not_run brew "$@"; }
python() {
  case "$*" in "-m pip "*|"-m venv "*) not_run python "$@";; *) command python "$@";; esac
}
python3() { python "$@"; }
scorecard() { case "${1-}" in ask) not_run scorecard "$@";; *) command scorecard "$@";; esac; }
"""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text and the line of the README where the text starts."""

    language: str
    text: str
    line: int


def blocks_of(markdown: str) -> list[Block]:
    fence = re.compile(r"^([ ]{0,3})(`{3,}|~{3,})[ ]*(\w*)[^\n`]*\n(.*?)^\1\2[ ]*$", re.M | re.S)
    return [
        Block(match[3], match[4], markdown.count("\n", 0, match.start(4)) + 1)
        for match in fence.finditer(markdown)
    ]


def run_all(blocks: list[Block], folder: Path) -> None:
    for block in blocks:
        if block.language in SHELL:
            shell(block.text, block, folder)
        elif block.language == "console":
            run_session(block, folder)
        elif block.language in {"python", "pycon"}:
            run_python(block, folder)


def run_session(block: Block, folder: Path) -> None:
    for command, shown in session_of(block.text):
        happened = shell(command, block, folder)
        if "(not run by the tests:" not in happened:
            missing = first_missing(shown, happened.splitlines())
            assert missing is None, (
                f"README.md:{block.line}: `{command}` does not print {missing!r} there but:\n"
                f"{happened}"
            )


def session_of(text: str) -> list[tuple[str, list[str]]]:
    """Each command of a console block with the output shown below it."""
    steps: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif line.startswith("> ") and steps and not steps[-1][1]:
            steps[-1] = (f"{steps[-1][0]}\n{line[2:]}", [])
        else:
            assert steps, f"a console block has to begin with a command: {line!r}"
            steps[-1][1].append(line)
    return steps


def first_missing(shown: list[str], happened: list[str]) -> str | None:
    """The first line shown that was not printed in its place, or None."""
    place, anywhere = 0, False
    for line in (line.rstrip() for line in shown):
        if line.strip() in {"…", "..."}:
            anywhere = True
            continue
        rest = [other.rstrip() for other in happened[place:]]
        if line not in (rest if anywhere else rest[:1]):
            return line
        place += rest.index(line) + 1
        anywhere = False
    return None


def shell(script: str, block: Block, folder: Path) -> str:
    return succeed(["bash", "-euo", "pipefail", "-c", NOT_RUN + script], block, folder)


def run_python(block: Block, folder: Path) -> None:
    is_session = block.text.lstrip().startswith(">>>")
    file = folder / f"readme_line_{block.line}.{'txt' if is_session else 'py'}"
    file.write_text(block.text, encoding="utf-8")
    succeed([sys.executable, *(["-m", "doctest"] if is_session else []), file.name], block, folder)
    file.unlink()


def succeed(command: list[str], block: Block, folder: Path) -> str:
    tools = str(Path(sys.executable).parent)
    done = subprocess.run(
        command,
        cwd=folder,
        env={
            **os.environ,
            "PATH": os.pathsep.join([tools, os.environ["PATH"]]),
            "COLUMNS": "100",
            "PYTHONUTF8": "1",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert done.returncode == 0, (
        f"README.md:{block.line}: exit code {done.returncode} from\n{block.text}\n{done.stdout}"
    )
    return done.stdout


@pytest.fixture(scope="module")
def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


def test_the_readme_does_what_it_says(readme: str, root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / "examples", tmp_path / "examples")
    blocks = blocks_of(readme)
    runnable = {block.language for block in blocks} & (SHELL | {"console"})
    assert runnable, "README.md has no sh or console block: nothing was tried"
    run_all(blocks, tmp_path)


def test_every_make_target_in_the_readme_exists(readme: str, root: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text(encoding="utf-8"), re.M))
    named = set(re.findall(r"(?:`|^(?:\$ )?)make ([a-z]+)", readme, re.M))
    assert named <= targets


def test_every_scorecard_command_stands_in_a_block_that_is_run(readme: str) -> None:
    """So that a block does not escape by its language."""
    tried = SHELL | {"console", "python", "pycon"}
    for block in blocks_of(readme):
        if block.language not in tried:
            assert not re.search(r"^(\$ )?scorecard ", block.text, re.M), f"line {block.line}"


# The machinery itself -----------------------------------------------------------------------------


def test_blocks_are_found_with_language_and_line() -> None:
    text = "# Title\n\n```sh\nmake demo\n```\ntext\n~~~python\nx = 1\n~~~\n"
    assert blocks_of(text) == [Block("sh", "make demo\n", 4), Block("python", "x = 1\n", 8)]


def test_a_session_is_split_into_commands_and_output() -> None:
    text = "$ echo a \\\n> b\na b\n$ true\n"
    assert session_of(text) == [("echo a \\\nb", ["a b"]), ("true", [])]


@pytest.mark.parametrize(
    ("shown", "happened"),
    [
        ([], ["a"]),
        (["a"], ["a", "b"]),
        (["…", "c"], ["a", "b", "c"]),
        (["a", "...", "c", "d"], ["a", "b", "c", "d"]),
        (["a", "…"], ["a"]),
    ],
)
def test_output_shown_may_be_shortened(shown: list[str], happened: list[str]) -> None:
    assert first_missing(shown, happened) is None


@pytest.mark.parametrize(
    ("shown", "happened", "missing"),
    [
        (["b"], ["a", "b"], "b"),
        (["a", "c"], ["a", "b", "c"], "c"),
        (["…", "b", "a"], ["a", "b"], "a"),
        (["a"], [], "a"),
    ],
)
def test_output_shown_may_not_be_wrong(shown: list[str], happened: list[str], missing: str) -> None:
    assert first_missing(shown, happened) == missing


@pytest.mark.parametrize(
    "text",
    [
        "```sh\nfalse\ntrue\n```\n",
        "```sh\nscorecard no-such-command\n```\n",
        "```console\n$ echo yes\nno\n```\n",
        "```python\nraise ValueError\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
    ],
)
def test_a_false_block_fails(tmp_path: Path, text: str) -> None:
    with pytest.raises(AssertionError, match=r"README\.md:2"):
        run_all(blocks_of(text), tmp_path)


def test_true_blocks_pass_and_share_the_folder(tmp_path: Path) -> None:
    text = (
        "```sh\nmake test\npip install nothing-of-the-kind\necho hello > file.txt\n```\n"
        "```console\n$ make demo\nmuch that is not compared\n$ cat file.txt\nhello\n```\n"
        "```python\nopen('file.txt').close()\n```\n"
        "```python\n>>> 1 + 1\n2\n```\n"
    )
    run_all(blocks_of(text), tmp_path)
