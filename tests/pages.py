"""The blocks of a page are run, in order, in a folder that holds a copy of the examples.

- `sh`, `bash`, `shell`: the block is one script and has to succeed.
- `console`: what follows `$ ` is a command (`> ` continues it). The lines below have to be its
  output, in this order; a line `…` or `...` stands for any lines left out, and a `…` at the end of
  a line for the rest of it. Where a line with `Error:` is shown, the command has to be refused.
- `python` is run as a script; with `>>>` prompts its output is compared too.
- `toml`, `json`, `jinja` with a comment in the first line that names a file, such as
  `# labels.toml`: the reader saves it under this name, and so do the tests.

Not run, because they install, fetch, wait for a person or run these very tests: see NOT_RUN.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests import processes, warm

SHELL = {"sh", "bash", "shell"}
RUN = SHELL | {"console", "python", "pycon"}
SAVED = {"toml", "json", "jinja"}

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
    """A fenced block: its language, its text and where the text starts."""

    language: str
    text: str
    line: int
    page: str = "page.md"

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def read_blocks(path: Path) -> list[Block]:
    return blocks_of(path.read_text(encoding="utf-8"), path.name)


def blocks_of(markdown: str, page: str = "page.md") -> list[Block]:
    fence = re.compile(r"^([ ]{0,3})(`{3,}|~{3,})[ ]*(\w*)[^\n`]*\n(.*?)^\1\2[ ]*$", re.M | re.S)
    return [
        Block(match[3], match[4], markdown.count("\n", 0, match.start(4)) + 1, page)
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
        elif block.language in SAVED:
            save(block, folder)


def run_session(block: Block, folder: Path) -> None:
    for command, shown in session_of(block.text):
        is_refused = any(line.startswith("Error:") for line in shown)
        happened = shell(command, block, folder, is_refused)
        if "(not run by the tests:" not in happened:
            missing = first_missing(shown, happened.splitlines())
            assert missing is None, (
                f"{block.place}: `{command}` does not print {missing!r} there but:\n{happened}"
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
        fits = [_fits(line, other) for other in (rest if anywhere else rest[:1])]
        if True not in fits:
            return line
        place += fits.index(True) + 1
        anywhere = False
    return None


def _fits(shown: str, printed: str) -> bool:
    return printed.startswith(shown[:-1]) if shown.endswith("…") else printed == shown


def shell(script: str, block: Block, folder: Path, is_refused: bool = False) -> str:
    return run(["bash", "-euo", "pipefail", "-c", NOT_RUN + script], block, folder, is_refused)


def run_python(block: Block, folder: Path) -> None:
    is_session = block.text.lstrip().startswith(">>>")
    file = folder / f"line_{block.line}.{'txt' if is_session else 'py'}"
    file.write_text(block.text, encoding="utf-8")
    run([warm.SCRIPT, *(["-m", "doctest"] if is_session else []), file.name], block, folder)
    file.unlink()


def save(block: Block, folder: Path) -> None:
    """The file whose name the first line gives, as a reader would save it."""
    named = re.match(r"(?:#|\{#) *([\w./-]+\.\w+)(?: *#\})?\n", block.text)
    if named:
        path = folder / named[1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")


def run(command: list[str], block: Block, folder: Path, is_refused: bool = False) -> str:
    """What a command prints; its exit code has to be 0, or 1 where it is to be refused."""
    tools = str(Path(sys.executable).parent)
    path = os.pathsep.join([tools, os.environ["PATH"]])
    done = processes.run(
        command,
        cwd=folder,
        env=warm.warmed({**os.environ, "PATH": path, "COLUMNS": "100", "PYTHONUTF8": "1"}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert done.returncode == int(is_refused), (
        f"{block.place}: exit code {done.returncode} from\n{block.text}\n{done.stdout}"
    )
    return done.stdout
