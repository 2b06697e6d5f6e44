"""The options that say how a card or a page looks, in the same words for both."""

from __future__ import annotations

from pathlib import Path

import click

from scorecard.cli.options import all_of

look_options = all_of(
    [
        click.option("--title", default="", help="In place of the list's own title."),
        click.option("--subtitle", default="", help="A line below the title."),
        click.option("--audience", default="", help="Whom it is for, in place of the list's own."),
        click.option("--warning", "warnings", multiple=True, help="A framed line (repeatable)."),
        click.option(
            "--logo", type=click.Path(), metavar="FILE", help="A PNG or SVG file of plain shapes."
        ),
    ]
)

template_option = click.option(
    "--template-dir",
    type=click.Path(),
    metavar="FOLDER",
    help="Folder with templates and words of your own, tried first.",
)


def folder_given(template_dir: str | None) -> Path | None:
    """The folder of a user's own templates, if there is one."""
    return None if template_dir is None else Path(template_dir)
