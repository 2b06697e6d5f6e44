"""PostgreSQL and MariaDB of the tests' own: in a folder that goes with them, on a socket in it.

Neither runs as root, so as root they are started as `nobody`.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from scorecard.forms.found import Found, NotRunError, Work
from scorecard.forms.sql.dialects import DIALECTS
from scorecard.forms.sql.read import run_query
from tests import processes

POSTGRESQL = "apt-get install -y postgresql, and pip install 'psycopg[binary]'"
MARIADB = "apt-get install -y mariadb-server, and pip install pymysql"


def postgresql_form(content: bytes, work: Work) -> Found:
    """The query in PostgreSQL."""
    connection, error = _postgresql()
    try:
        return run_query(connection, error, DIALECTS["postgresql"], content, work, "%s")
    finally:
        connection.rollback()


def mariadb_form(content: bytes, work: Work) -> Found:
    """The query in MariaDB."""
    connection, error = _mariadb()
    try:
        return run_query(connection, error, DIALECTS["mariadb"], content, work, "%s")
    finally:
        connection.cursor().execute("DROP TABLE IF EXISTS cases")


@cache
def _postgresql() -> tuple[Any, type[Exception]]:
    try:
        import psycopg
    except ImportError:
        raise NotRunError(f"PostgreSQL is not installed ({POSTGRESQL})") from None
    tools = _program("initdb", POSTGRESQL).parent
    folder = _folder()
    data = folder / "data"
    _done([tools / "initdb", "-D", data, "-A", "trust", "-U", "tests", "-E", "UTF8", "--no-sync"])
    settings = [f"unix_socket_directories={folder}", "listen_addresses=", "fsync=off"]
    options = [part for one in settings for part in ("-c", one)]
    _serve([tools / "postgres", "-D", data, *options], folder, folder / ".s.PGSQL.5432")
    where = f"host={folder} user=tests dbname=postgres"
    return _connected(lambda: psycopg.connect(where), psycopg.Error), psycopg.Error


@cache
def _mariadb() -> tuple[Any, type[Exception]]:
    try:
        import pymysql
    except ImportError:
        raise NotRunError(f"MariaDB is not installed ({MARIADB})") from None
    server, install = _program("mariadbd", MARIADB), _program("mariadb-install-db", MARIADB)
    folder = _folder()
    where = ["--no-defaults", f"--datadir={folder / 'data'}"]
    _done([install, *where, "--auth-root-authentication-method=normal", "--skip-test-db"])
    socket = folder / "socket"
    _serve([server, *where, f"--socket={socket}", "--skip-networking"], folder, socket)

    def connect() -> Any:
        return pymysql.connect(unix_socket=str(socket), user="root", charset="utf8mb4")

    connection = _connected(connect, pymysql.Error)
    cursor = connection.cursor()
    cursor.execute("CREATE DATABASE tests CHARACTER SET utf8mb4")
    cursor.execute("USE tests")
    return connection, pymysql.Error


def _program(name: str, install: str) -> Path:
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), "/usr/sbin", "/usr/local/sbin"]
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, places)])
    found = shutil.which(name, path=path)
    if found is None:
        raise NotRunError(f"{name} is not installed ({install})")
    return Path(found).resolve()


def _folder() -> Path:
    """A folder for a server, which goes when the tests end."""
    folder = Path(tempfile.mkdtemp(prefix="sql-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    return folder


def _as_nobody(command: Sequence[str | Path]) -> list[str]:
    nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    return [*(nobody if os.geteuid() == 0 else []), *map(str, command)]


def _done(command: Sequence[str | Path]) -> None:
    done = processes.run(_as_nobody(command), capture_output=True, text=True, cwd="/")
    if done.returncode:
        raise NotRunError(f"{Path(command[0]).name}: {done.stderr.strip()[-300:]}")


def _serve(command: Sequence[str | Path], folder: Path, socket: Path) -> None:
    log = ["sh", "-c", 'log="$1"; shift; exec "$@" >"$log" 2>&1', "sh", str(folder / "log")]
    processes.wait_until(socket.exists, processes.serving(_as_nobody([*log, *command])))


def _connected(connect: Any, error: type[Exception]) -> Any:
    until = time.monotonic() + processes.LIMIT
    while time.monotonic() < until:
        with contextlib.suppress(error):
            return connect()
        time.sleep(0.1)
    raise NotRunError("the server did not start")
