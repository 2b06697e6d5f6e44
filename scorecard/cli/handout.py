from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scorecard.cli.looks import folder_given, look_options, template_option
from scorecard.cli.options import GivenPolicy, language_option, model_argument, policy_options
from scorecard.cli.output import claim, format_option, named, output_option, wrote

if TYPE_CHECKING:
    from scorecard.cards.contents import CardOptions
    from scorecard.core.staircase import Staircase
    from scorecard.handouts.page import Sources

KINDS = ("html", "pdf")


@click.command()
@model_argument
@output_option("The page: .html or .pdf", "handout.html")
@format_option(*KINDS)
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help="Paper of the PDF, and of the page when it is printed.",
)
@look_options
@click.option("--not-for", default="", help="Whom the list is not for.")
@template_option
@policy_options
@language_option
def handout(
    model: str,
    output: str | None,
    kind: str,
    force: bool,
    paper: Any,
    template_dir: str | None,
    policy: GivenPolicy,
    not_for: str,
    **given: Any,
) -> None:
    """Explain a list on one page with a calculator inside.

    The HTML file works on a phone without a network, stores nothing and sends nothing; the PDF is
    the same page to print.

    \b
    Examples:
      scorecard handout model.json
      scorecard handout model.json -o handout.pdf --language de
    """
    from scorecard import __version__
    from scorecard.cards.contents import card_staircase
    from scorecard.documents.json_document import content_hash, read_list, short_hash
    from scorecard.files import write_bytes
    from scorecard.handouts.page import handout_html, handout_pdf
    from scorecard.handouts.view import HandoutOptions, handout_view
    from scorecard.words.language import language_named

    target, kind = named(output, "handout", kind, KINDS)
    claim([target], sources=[model, given["logo"]], force=force)
    folder = folder_given(template_dir)
    scoring_list = read_list(model)
    given["language"] = language_named(given["language"], folder)
    card = _card_options(short_hash(scoring_list), given)
    staircase = card_staircase(scoring_list, policy.of(scoring_list))
    options = HandoutOptions(card, not_for, content_hash(scoring_list), f"scorecard {__version__}")
    view = handout_view(staircase, options)
    if kind == "pdf":
        content = handout_pdf(view, paper=paper, template_dir=folder)
    else:
        page = handout_html(view, sources_of(staircase), paper=paper, template_dir=folder)
        content = page.encode()
    write_bytes(target, content)
    wrote(target)


def sources_of(staircase: Staircase) -> Sources:
    """What the page computes with: the same table and test cases as the exports."""
    from scorecard.exporting.decision_table import decision_table
    from scorecard.exporting.test_cases import patterns, probes, sharpened, words
    from scorecard.handouts.calculator import self_checks
    from scorecard.handouts.page import Sources

    table: dict[str, Any] = dict(decision_table(staircase))
    needed = ("questions", "steps", "sharpening", "names", "answers", "not_asked")
    readings = [
        (place, said)
        for place, question in enumerate((*staircase.questions, *staircase.sharpening_questions))
        for said in [*probes(question), *words(question)]
    ]
    checks = self_checks(staircase, patterns(staircase), readings, sharpened(staircase))
    return Sources({name: table[name] for name in needed}, checks)


def _card_options(identity: str, given: dict[str, Any]) -> CardOptions:
    from scorecard.cards.contents import CardOptions
    from scorecard.printing.logos import logo_from

    return CardOptions(
        title=given["title"],
        subtitle=given["subtitle"],
        audience=given["audience"],
        warnings=given["warnings"],
        identity=identity,
        language=given["language"],
        logo=None if given["logo"] is None else logo_from(given["logo"]),
    )
