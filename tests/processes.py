"""Other programs in tests: each has a limit of its own, and none outlives its test.

A test that waits for a program without a limit can hang the whole run: what ends the test then
waits for the program once more. So no test starts one in any other way (tests/test_quality.py).
The limit is far beyond what any of them takes on a busy machine; no test is judged by it.
"""

from __future__ import annotations

import atexit
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

LIMIT = 600  # seconds

needs_interrupts = pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN or not hasattr(signal, "SIGALRM"),
    reason="interrupts are ignored here: Windows, or started in the background of a shell",
)


def run(command: Sequence[str | Path], **options: Any) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run` that fails with what the program has said if it does not end."""
    try:
        return subprocess.run(command, timeout=LIMIT, **options)
    except subprocess.TimeoutExpired as late:
        raise AssertionError(_too_late(command, late.output, late.stderr)) from None


@contextmanager
def started(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A program to talk to; at the end it is killed if it still runs."""
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        process.kill()
        process.wait(LIMIT)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None and not stream.closed:
                stream.close()


Serving = subprocess.Popen[str]


def serving(command: Sequence[str | Path]) -> Serving:
    """A program that answers line by line until the tests end."""
    pipe = subprocess.PIPE
    server = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")
    atexit.register(server.kill)
    return server


def rest_of(process: subprocess.Popen[Any]) -> tuple[Any, Any]:
    """What a program still says until it ends: standard output and standard error."""
    try:
        return process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired as late:
        process.kill()
        raise AssertionError(_too_late(process.args, late.output, late.stderr)) from None


def wait_until(holds: Callable[[], bool], process: subprocess.Popen[Any]) -> None:
    """Wait for something that a program does; that it ended instead is told by the test."""
    until = time.monotonic() + LIMIT
    while not holds() and process.poll() is None:
        assert time.monotonic() < until, f"{process.args}: nothing happened in {LIMIT} s"
        time.sleep(0.01)


def _too_late(command: object, *said: object) -> str:
    return f"{command} did not end within {LIMIT} s; it has said {said}"
