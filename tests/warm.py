"""`scorecard` and Python scripts from a process that has everything loaded already.

A command spends most of its time on loading numpy, scikit-learn and WeasyPrint. Pages run
dozens of them, so one process loads all that once, and each command is a fork of it: its own
process with its own folder, environment and streams. That a fresh interpreter starts is tested
elsewhere (test_startup.py, cli/test_main.py, test_packaging.py).

Where processes cannot be forked safely, commands are started as usual.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tests.processes import LIMIT

SERVER = """
import importlib, json, os, runpy, signal, socket, sys, traceback

def run(arguments):
    try:
        if arguments[0] == "-m":
            sys.argv = arguments[1:]
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = arguments
            sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
            runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as stop:
        if isinstance(stop.code, str):
            print(stop.code, file=sys.stderr)
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

def serve(client):
    signal.alarm(LIMIT)
    message, streams, _, _ = socket.recv_fds(client, 1 << 20, 3)
    asked = json.loads(message)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    code = run(asked["arguments"])
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    client.send(bytes([code]))

for name in HEAVY:
    importlib.import_module(name)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
door = socket.socket(socket.AF_UNIX)
door.bind(sys.argv[1])
door.listen()
print("ready", flush=True)
while True:
    client, _ = door.accept()
    if os.fork() == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        serve(client)
        break  # ends as any Python does, and so do the processes that it has started
    client.close()
"""
CLIENT = """#!{python} -IS
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({door!r})
asked = dict(arguments={first!r} + sys.argv[1:])
asked |= dict(folder=os.getcwd(), environment=dict(os.environ))
socket.send_fds(server, [json.dumps(asked).encode()], [0, 1, 2])
sys.exit(ord(server.recv(1) or b"\\1"))
"""
HEAVY = (
    "scorecard.forms.check", "scorecard.cli.evaluate", "scorecard.project.learn",
    "scorecard.learning.classifier", "scorecard.learning.search", "polars", "weasyprint",
)  # fmt: skip
CAN_FORK = sys.platform == "linux"
SCRIPT = "python-script" if CAN_FORK else sys.executable


def warmed(environment: dict[str, str]) -> dict[str, str]:
    """The environment with the quick `scorecard` and `python-script` first on its path."""
    if not CAN_FORK:
        return environment
    return {**environment, "PATH": os.pathsep.join([str(_commands()), environment["PATH"]])}


@cache
def _commands() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="warm")
    door = str(Path(folder.name, "door"))
    head = f"LIMIT, HEAVY = {LIMIT}, {HEAVY!r}"
    server = subprocess.Popen(
        [sys.executable, "-c", head + SERVER, door], stdout=subprocess.PIPE, text=True
    )
    atexit.register(folder.cleanup)
    atexit.register(server.kill)
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n", "the process that has everything loaded ended"
    for name, first in {"scorecard": ["-m", "scorecard"], SCRIPT: []}.items():
        command = Path(folder.name, name)
        command.write_text(CLIENT.format(python=sys.executable, door=door, first=first))
        command.chmod(0o755)
    return Path(folder.name)
