"""The options that say how a card or a page looks, in the same words for both."""

from __future__ import annotations

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
    help="Folder with templates of your own, tried first.",
)
