from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Literal

import click

from scorecard import __version__
from scorecard.cli import messages
from scorecard.printing.refusals import pango_command

DISTRIBUTION = "psl-scorecard"
OLDEST_PYTHON = (3, 11)


State = Literal["ok", "missing", "too old"]


@dataclass(frozen=True)
class Finding:
    """One line of the table: what was looked for, and a version or what to do."""

    name: str
    state: State
    detail: str


@click.command()
def doctor() -> int:
    """Tell what is installed, what is missing, and how to get it.

    The exit code is 1 if something is missing that scorecard needs. What is optional serves checks
    and tests; without it they are left out, and say so.

    \b
    Example:
      scorecard doctor && scorecard demo
    """
    needed, optional = list(_needed()), list(_optional())
    width = max(len(one.name) for one in needed + optional)
    for heading, findings in (("Needed", needed), ("Optional", optional)):
        messages.say(f"{heading}:")
        for one in findings:
            tell = messages.say if one.state == "ok" else click.echo
            tell(f"  {one.name:<{width}}  {one.state:<7}  {one.detail}".rstrip())
    lacking = [one.name for one in needed if one.state != "ok"]
    messages.say("")
    if lacking:
        click.echo(f"To be mended: {', '.join(lacking)}; the lines above say how.")
        return 1
    messages.say("Everything needed is here.")
    return 0


def _needed() -> Iterator[Finding]:
    yield _python()
    yield Finding("scorecard", "ok", __version__)
    yield from _dependencies()
    yield _pango()
    yield _fonts()


def _optional() -> Iterator[Finding]:
    node = shutil.which("node")
    yield _tool("node", node, "check --run-changed of JavaScript", "install it from nodejs.org")
    office = shutil.which("soffice") or shutil.which("libreoffice")
    yield _tool("LibreOffice", office, "opens the workbook", "install it from libreoffice.org")
    yield _package("duckdb", "cases in a database")


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return Finding("Python", "ok", version)
    oldest = ".".join(map(str, OLDEST_PYTHON))
    return Finding("Python", "too old", f"{version}; install Python {oldest} or newer")


# Packages -----------------------------------------------------------------------------------------


def _dependencies() -> Iterator[Finding]:
    """What the installed package itself says it needs: no second list to keep."""
    try:
        requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        yield Finding(DISTRIBUTION, "missing", "python -m pip install . (in scorecard's folder)")
        return
    for requirement in sorted(requirements):
        wanted, _, marker = requirement.partition(";")
        if _applies(marker.strip()):
            yield _dependency(wanted.strip())


def _applies(marker: str) -> bool:
    """Only two kinds of condition occur: an older Python, or an extra nobody asked for."""
    until = re.fullmatch(r"python_version\s*<\s*['\"]([0-9]+)\.([0-9]+)['\"]", marker)
    if until:
        return sys.version_info[:2] < (int(until[1]), int(until[2]))
    return "extra" not in marker


def _dependency(wanted: str) -> Finding:
    name = re.split(r"[^\w.-]", wanted, maxsplit=1)[0]
    remedy = f'python -m pip install "{wanted}"'
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Finding(name, "missing", remedy)
    oldest = re.search(r">=\s*([0-9.]+)", wanted)
    if oldest and _release(version) < _release(oldest[1]):
        return Finding(name, "too old", f"{version}; {remedy}")
    return Finding(name, "ok", version)


def _release(version: str) -> tuple[int, ...]:
    """The numbers a version begins with; 5 and 5.0 are the same."""
    numbers = re.match(r"[0-9]+(?:\.[0-9]+)*", version)
    parts = [int(part) for part in numbers[0].split(".")] if numbers else []
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def _package(name: str, purpose: str) -> Finding:
    try:
        return Finding(name, "ok", f"{metadata.version(name)} ({purpose})")
    except metadata.PackageNotFoundError:
        return Finding(name, "missing", f"{purpose}: python -m pip install {name}")


# What is no Python package ------------------------------------------------------------------------


def _pango() -> Finding:
    from scorecard.printing.html_to_pdf import weasyprint_version
    from scorecard.printing.refusals import CardError

    try:
        version = weasyprint_version()
    except CardError:
        return Finding("Pango", "missing", f"draws the PDFs: {pango_command()}")
    except ImportError as error:
        return Finding("Pango", "missing", f"cannot be tried: {error}; install weasyprint first")
    return Finding("Pango", "ok", f"opened by WeasyPrint {version}")


def _fonts() -> Finding:
    again = "python -m pip install --force-reinstall font-source-sans-pro"
    try:
        from scorecard.printing.fonts import FONT_FOLDER, WEIGHTS
    except ImportError:
        return Finding("fonts", "missing", again)
    lost = [name for name in WEIGHTS.values() if not (FONT_FOLDER / f"{name}.ttf").is_file()]
    if lost:
        return Finding("fonts", "missing", f"{', '.join(lost)}: {again}")
    return Finding("fonts", "ok", "Source Sans Pro")


def _tool(name: str, found: str | None, purpose: str, remedy: str | None) -> Finding:
    if found:
        return Finding(name, "ok", f"{found} ({purpose})")
    return Finding(name, "missing", f"{purpose}: {remedy or 'use your package manager'}")
