"""What is made of a list: cards, handouts, and what needs nothing else to run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from scorecard import api
from scorecard.cli import messages
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
from scorecard.core.model import ScoringList
from scorecard.documents.json_document import read_list
from scorecard.errors import few
from scorecard.files import is_kept, write_bytes
from scorecard.forms import export_named, exports, suffixes_of
from scorecard.project.build import printed_card

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
    click.option("--orientation", metavar="landscape|portrait", help="Lying (usual) or upright."),
    click.option("--greyscale", is_flag=True, help="As a photocopier sees it."),
]


OFTEN = {"language", "output", "title", "rule_out", "rule_in", "template_dir"}


@click.command(cls=GroupedCommand, often=OFTEN | {"size", "layout", "sheet", "qr"})
@model_argument
@output_option("The card: .pdf, .html or .png", "card-SIZE.pdf")
@all_of(_PAPER)
@template_option
@look_options
@click.option("--qr", metavar="URL", help="A QR code with this address.")
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
    size = (look["size"] or "a6").removesuffix("-card")
    stem = f"sheet-{look['sheet']}" if look["sheet"] else f"card-{size}"
    target, kind = named(output, stem, ("pdf", "html", "png"))
    claim([target], sources=[model, look["logo"]], force=force)
    scoring_list = read_list(model)
    printed, notes = printed_card(scoring_list, kind, policy=policy.of(scoring_list), **look)
    write_bytes(target, printed.content)
    sides = "" if printed.page.sides == 1 else f", {printed.page.sides} sides"
    wrote(target, f": {printed.page.name}{sides}.")
    for note in notes:
        messages.warn(f"  {note}")
    _say_what_is_missing(scoring_list, look)


@click.command(cls=GroupedCommand, often=OFTEN | {"paper", "audience", "logo"})
@model_argument
@output_option("The page: .html or .pdf", "handout.html")
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help="Paper of the PDF, and of the page when it is printed.",
)
@look_options
@template_option
@limit_options
@language_option
def handout(model: str, output: str | None, force: bool, policy: GivenPolicy, **look: Any) -> None:
    """Explain a list on one page with a calculator inside.

    The HTML file works on a phone without a network, stores nothing and sends nothing; the PDF is
    the same page to print.

    \b
    Examples:
      scorecard handout model.json
      scorecard handout model.json -o handout.pdf --language de
    """
    target, kind = named(output, "handout", ("html", "pdf"))
    claim([target], sources=[model, look["logo"]], force=force)
    scoring_list = read_list(model)
    limits = policy.of(scoring_list)
    write_bytes(target, api.make_handout(scoring_list, kind, policy=limits, **look))
    wrote(target)
    _say_what_is_missing(scoring_list, look)


def _say_what_is_missing(scoring_list: ScoringList, look: Mapping[str, Any]) -> None:
    """What a page in another language has of the list's own words; that it does not say for whom.

    Which language the words are in nobody has said; nobody should use a card "For: not stated".
    """
    from scorecard.project import READ_ALOUD
    from scorecard.words.language import language_named

    asked = dict.fromkeys(
        repr(one.input) for one in scoring_list.questions if one.label != one.input or one.note
    )
    own = [*(key for key in READ_ALOUD if getattr(scoring_list.about, key)), *asked]
    if look["language"] != "en" and own:
        folder = look["template_dir"]
        name = language_named(look["language"], folder and Path(folder)).name
        messages.say(
            f"  In {name}, with the list's own words for {few(own, 15)}; “scorecard label” puts"
            " others into the list."
        )
    if not (look["audience"] or scoring_list.about.population):
        messages.say("  It does not say whom it is for; --audience TEXT does.")


ABOUT = ", ".join(form.about for form in exports()[:-1]) + f", or {exports()[-1].about}."


@click.command(cls=GroupedCommand)
@model_argument
@click.option(
    "--to",
    "form",
    type=click.Choice([form.name for form in exports()]),
    required=True,
    help=ABOUT[:1].upper() + ABOUT[1:],
)
@output_option("The program, query, table or workbook", "evaluator.py, card.json …")
@limit_options
@language_option
def export(
    model: str,
    form: str,
    output: str | None,
    force: bool,
    policy: GivenPolicy,
    language: str,
) -> None:
    """Write a list as a program, a query, a table or a workbook that needs nothing else.

    Every form decides exactly as the list does under these limits; `scorecard check` shows it.

    \b
    Examples:
      scorecard export model.json --to python
      scorecard export model.json --to sql -o ward.sql
    """
    target = output or export_named(form).usual
    _check_ending(target, form)
    claim([target], sources=[model], force=force)
    scoring_list = read_list(model)
    limits = policy.of(scoring_list)
    write_bytes(target, api.export(scoring_list, form, policy=limits, language=language))
    wrote(target)


def _check_ending(target: str, form: str) -> None:
    """Refuse a name that promises another kind of file: no program would open it as what it is."""
    usual, *others = suffixes_of(form)
    ending = Path(target).suffix.lower()
    if is_kept(target) and ending and ending not in (usual, *others):
        raise click.BadParameter(
            f"{target!r} does not end in {usual}, as a file for {form} does.", param_hint="-o"
        )
