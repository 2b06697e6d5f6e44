from __future__ import annotations

import click

from scorecard.cli import messages
from scorecard.errors import INSTALL_STUDIO, ScorecardError


@click.command()
@click.argument("file", required=False, type=click.Path(), metavar="[TABLE|MODEL|CARD.TOML]")
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
def studio(file: str | None, no_browser: bool) -> None:
    """Make a card in the browser.

    From a table to a list, its edits, and checked files: a page of this machine opens, which nobody
    else can reach. Drop a table there, or name a TABLE, a card.toml or a MODEL beside its table
    here. What one sees is counted as “fit” and “build” count it. Patient data never leave the
    machine; nothing is stored but what you save. Ctrl-C ends it.

    \b
    Examples:
      scorecard studio patients.csv
      scorecard studio
    """
    try:
        from scorecard.studio.serve import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise ScorecardError(
            f"the studio needs {error.name}, which is not installed: {INSTALL_STUDIO}"
        ) from None
    from scorecard.studio.session import Session

    with Session() as session:
        if file is not None:
            session.open(file)
        serve(session, lambda address: click.echo(address), browser=not no_browser)
    messages.say("The studio has ended; nothing of it is kept.")
