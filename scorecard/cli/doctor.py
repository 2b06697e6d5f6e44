from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from typing import Literal

import click

from scorecard import __version__
from scorecard.cli import messages
from scorecard.errors import INSTALL_FORMS, INSTALL_LEARNING, INSTALL_STUDIO, INSTALL_WAREHOUSE
from scorecard.printing.refusals import pango_command

DISTRIBUTION = "psl-scorecard"


@dataclass(frozen=True)
class Finding:
    """One line of the table: what was looked for, and where it is or what to do."""

    name: str
    state: Literal["ok", "missing"]
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
    needed, learning, optional = list(_needed()), list(_learning()), list(_optional())
    width = max(len(one.name) for one in needed + learning + optional)
    groups = {"Needed": needed, "Needed for tables and learning": learning, "Optional": optional}
    for heading, findings in groups.items():
        messages.say(f"{heading}:")
        for one in findings:
            tell = messages.say if one.state == "ok" else click.echo
            tell(f"  {one.name:<{width}}  {one.state:<7}  {one.detail}".rstrip())
    lacking = [one.name for one in needed if one.state != "ok"]
    messages.say("")
    if lacking:
        click.echo(f"To be mended: {', '.join(lacking)}; the lines above say how.")
        return 1
    if any(one.state != "ok" for one in learning):
        messages.say(
            f"Cards and evaluators can be made; tables and learning need: {INSTALL_LEARNING}"
        )
        return 0
    messages.say("Everything needed is here.")
    return 0


def _needed() -> Iterator[Finding]:
    yield Finding("Python", "ok", ".".join(map(str, sys.version_info[:3])))
    yield Finding("scorecard", "ok", __version__)
    try:
        yield from _packages(lambda condition: not condition)
    except metadata.PackageNotFoundError:
        yield Finding(DISTRIBUTION, "missing", "python -m pip install . (in scorecard's folder)")
    yield _pango()
    yield _fonts()


def _learning() -> Iterator[Finding]:
    with suppress(metadata.PackageNotFoundError):  # which the needed ones have said
        yield from _packages(lambda condition: re.search(r"extra\s*==\s*.learn.", condition))


def _packages(applies: Callable[[str], object]) -> Iterator[Finding]:
    """What the installed package itself says it needs: no second list to keep."""
    for requirement in sorted(metadata.requires(DISTRIBUTION) or []):
        wanted, _, condition = (part.strip() for part in requirement.partition(";"))
        if applies(condition):
            name = re.split(r"[^\w.-]", wanted, maxsplit=1)[0]
            yield _package(name, f'python -m pip install "{wanted}"')


def _optional() -> Iterator[Finding]:
    node = shutil.which("node")
    yield _tool("node", node, "check --run-changed of JavaScript", "install it from nodejs.org")
    office = shutil.which("soffice") or shutil.which("libreoffice")
    yield _tool("LibreOffice", office, "opens the workbook", "install it from libreoffice.org")
    yield _package("python-docx", f"export to Word: {INSTALL_FORMS}")
    yield _package("duckdb", f"cases in a database: {INSTALL_WAREHOUSE}")
    yield _package("starlette", f"the page to make a card on: {INSTALL_STUDIO}")


def _package(name: str, remedy: str) -> Finding:
    try:
        return Finding(name, "ok", metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding(name, "missing", remedy)


def _tool(name: str, found: str | None, purpose: str, remedy: str) -> Finding:
    if found:
        return Finding(name, "ok", f"{found} ({purpose})")
    return Finding(name, "missing", f"{purpose}: {remedy}")


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
        from scorecard.printing.jinja import FONT_FOLDER, WEIGHTS
    except ImportError:
        return Finding("fonts", "missing", again)
    lost = [name for name in WEIGHTS.values() if not (FONT_FOLDER / f"{name}.ttf").is_file()]
    if lost:
        return Finding("fonts", "missing", f"{', '.join(lost)}: {again}")
    return Finding("fonts", "ok", "Source Sans Pro")
