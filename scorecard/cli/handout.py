from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorecard.cli.options import language_option, model_argument, policy_options, turning_option
from scorecard.policy import StoppingPolicy

if TYPE_CHECKING:
    from scorecard.rendering.card import CardOptions
    from scorecard.rendering.handout_page import Sources
    from scorecard.staircase import Staircase


@click.command()
@model_argument
@click.option(
    "-o", "--output", required=True, type=click.Path(), help="File to write: .html or .pdf."
)
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help="Paper of the PDF, and of the page when it is printed.",
)
@click.option("--title", default="", help="Instead of the list's own title.")
@click.option("--subtitle", default="", help="A line below the title.")
@click.option("--audience", default="", help="Whom the list is for, instead of its own words.")
@click.option("--not-for", default="", help="Whom the list is not for.")
@click.option("--warning", multiple=True, help="A warning on top; may be given several times.")
@click.option("--logo", type=click.Path(), help="A local PNG or SVG file.")
@click.option(
    "--template-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder with templates of your own, looked at first.",
)
@policy_options
@turning_option
@language_option
def handout(
    model: str,
    output: str,
    paper: Any,
    template_dir: Path | None,
    policy: StoppingPolicy,
    positive_points: bool,
    not_for: str,
    **given: Any,
) -> None:
    """Explain a list on one page with a calculator inside.

    The HTML file works on a phone without a network, stores nothing and sends nothing; the PDF is
    the same page to print.

    \b
    Example:
      scorecard handout model.json -o handout.html
      scorecard handout model.json -o handout.pdf --language de
    """
    from scorecard import __version__
    from scorecard.exporting.json_document import content_hash, read_list, short_hash
    from scorecard.files import write_bytes
    from scorecard.rendering.card import card_staircase
    from scorecard.rendering.handout import HandoutOptions, handout_view
    from scorecard.rendering.handout_page import handout_html, handout_pdf

    suffix = _suffix(output)
    learned = read_list(model)
    card = _card_options(short_hash(learned), not positive_points, given)
    staircase = card_staircase(learned, policy, card)
    options = HandoutOptions(card, not_for, content_hash(learned), f"scorecard {__version__}")
    view = handout_view(staircase, options)
    if suffix == ".pdf":
        content = handout_pdf(view, paper=paper, template_dir=template_dir)
    else:
        page = handout_html(view, sources_of(staircase), paper=paper, template_dir=template_dir)
        content = page.encode()
    write_bytes(output, content)
    click.echo(f"Wrote {output}.")


def sources_of(staircase: Staircase) -> Sources:
    """What the page computes with: the same table and test cases as the exports."""
    from scorecard.exporting.decision_table import decision_table
    from scorecard.exporting.vectors import patterns, probes, words
    from scorecard.rendering.calculator import self_checks
    from scorecard.rendering.handout_page import Sources

    table: dict[str, Any] = dict(decision_table(staircase))
    needed = ("questions", "steps", "names", "answers", "not_asked")
    readings = [
        (place, said)
        for place, question in enumerate(staircase.questions)
        for said in [*probes(question), *words(question)]
    ]
    checks = self_checks(staircase, patterns(staircase), readings)
    return Sources({name: table[name] for name in needed}, checks)


def _suffix(output: str) -> str:
    suffix = Path(output).suffix.lower()
    if suffix not in (".html", ".pdf"):
        raise click.BadParameter(
            f"{output!r} is neither .html nor .pdf; the name tells the format.",
            param_hint="--output",
        )
    return suffix


def _card_options(identity: str, as_learned: bool, given: dict[str, Any]) -> CardOptions:
    from scorecard.rendering.card import CardOptions
    from scorecard.rendering.pictures import logo_from

    return CardOptions(
        title=given["title"],
        subtitle=given["subtitle"],
        audience=given["audience"],
        warnings=given["warning"],
        identity=identity,
        language=given["language"],
        logo=None if given["logo"] is None else logo_from(given["logo"]),
        as_learned=as_learned,
    )
