from __future__ import annotations

from typing import Any

import click

from scorecard.cli import messages
from scorecard.cli.label import say_for_whom, say_own_words
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    all_of,
    language_option,
    limit_options,
    look_options,
    model_argument,
    template_option,
)
from scorecard.cli.output import claim, named, output_option, wrote

FORMATS = ("pdf", "html", "png")

_PAPER = [
    click.option(
        "--size",
        help="One of credit-card, badge, a7, index, a6, a5, a4, letter; a row per case: tally,"
        " tally-letter.  [default: a6]",
    ),
    click.option(
        "--layout",
        metavar="path",
        help="Arrows to follow in place of points to add (a6, a5, a4, letter).",
    ),
    click.option("--sheet", metavar="a4|letter", help="A sheet of credit cards to cut."),
    click.option(
        "--orientation",
        metavar="landscape|portrait",
        help="Lying (usual) or upright; a path as it fits.",
    ),
    click.option("--greyscale", is_flag=True, help="As a photocopier sees it."),
]


OFTEN = {"size", "layout", "sheet", "language", "output"}
OFTEN |= {"title", "rule_out", "rule_in", "template_dir", "qr"}


@click.command(cls=GroupedCommand, often=OFTEN)
@model_argument
@output_option("The card: .pdf, .html or .png", "card-SIZE.pdf")
@all_of(_PAPER)
@template_option
@look_options
@click.option("--qr", metavar="URL", help="A QR code with this address, of a handout for instance.")
@click.option("--ticks", is_flag=True, help="Boxes to tick, and one for the running total.")
@limit_options
@language_option
def card(model: str, output: str | None, force: bool, policy: GivenPolicy, **look: Any) -> None:
    """Print a list as a pocket card: PDF, HTML or PNG.

    Sizes: credit-card, badge, a7, index, a6, a5, a4, letter; tally and tally-letter for a sheet
    with a row per case. What does not fit is refused, with the size that would do.

    \b
    Examples:
      scorecard card model.json
      scorecard card model.json --layout path -o path.pdf
      scorecard card model.json -o sheet.pdf --size credit-card --sheet a4
    """
    from scorecard.documents.json_document import read_list
    from scorecard.files import write_bytes
    from scorecard.project.build import printed_card

    size = (look["size"] or "a6").removesuffix("-card")
    stem = f"sheet-{look['sheet']}" if look["sheet"] else f"card-{size}"
    target, kind = named(output, stem, FORMATS)
    claim([target], sources=[model, look["logo"]], force=force)
    scoring_list = read_list(model)
    printed, notes = printed_card(scoring_list, kind, policy=policy.of(scoring_list), **look)
    write_bytes(target, printed.content)
    sides = "" if printed.page.sides == 1 else f", {printed.page.sides} sides"
    wrote(target, f": {printed.page.name}{sides}.")
    for note in notes:
        messages.warn(f"  {note}")
    say_own_words(scoring_list, look["language"], look["template_dir"])
    say_for_whom(scoring_list, look["audience"])
