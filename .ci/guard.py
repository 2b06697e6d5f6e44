"""Run a command with an overall limit: `python .ci/guard.py MINUTES COMMAND …`.

After the limit it says which tests were running and where each process stood, ends all of them and
gives exit code 1; a build server would end the run without a word. What the command leaves behind
(a browser, a server) is ended as well: it would keep the output open, and whoever reads it waiting.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STACKS = getattr(signal, "SIGUSR1", None)  # tests/conftest.py answers with the stacks


def main(minutes: str, *command: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SCORECARD_RUNNING": folder}
        process = subprocess.Popen(command, env=environment, start_new_session=os.name != "nt")
        try:
            return process.wait(float(minutes) * 60)
        except subprocess.TimeoutExpired:
            tell(minutes, Path(folder))
            return 1
        except KeyboardInterrupt:
            return 130
        finally:
            end(process)


def tell(minutes: str, folder: Path) -> None:
    print(f"\nNot finished after {minutes} minutes. Tests that were started last:")
    for file in sorted(file for file in folder.iterdir() if not file.suffix):
        try:
            os.kill(int(file.name), STACKS or 0)
        except OSError:
            continue  # it has ended since
        print(f"  process {file.name}: {file.read_text(encoding='utf-8')}")
    time.sleep(2)  # time to write the stacks
    for file in sorted(folder.glob("*.stacks")):
        print(f"\nProcess {file.stem}:\n{file.read_text(encoding='utf-8')}", flush=True)


def end(process: "subprocess.Popen[bytes]") -> None:
    """End the command and what it started."""
    if os.name == "nt":
        process.kill()
        return
    for kind in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, kind)
        except OSError:  # nobody is left
            return
        time.sleep(1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
