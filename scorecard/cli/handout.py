from __future__ import annotations

from typing import Any

import click

from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    language_option,
    limit_options,
    look_options,
    model_argument,
    template_option,
)
from scorecard.cli.output import claim, named, output_option, wrote

KINDS = ("html", "pdf")


OFTEN = {"language", "output", "paper", "reader", "title", "audience"}
OFTEN |= {"rule_out", "rule_in", "logo", "template_dir"}


@click.command(cls=GroupedCommand, often=OFTEN)
@model_argument
@output_option("The page: .html or .pdf", "handout.html")
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help="Paper of the PDF, and of the page when it is printed.",
)
@click.option(
    "--for",
    "reader",
    type=click.Choice(["clinician", "patient"]),
    default="clinician",
    show_default=True,
    help="Who reads it: for a patient plain words and the risk as people, no points.",
)
@look_options
@template_option
@limit_options
@language_option
def handout(
    model: str,
    output: str | None,
    force: bool,
    policy: GivenPolicy,
    **given: Any,
) -> None:
    """Explain a list on one page with a calculator inside.

    The HTML file works on a phone without a network, stores nothing and sends nothing; the PDF is
    the same page to print. With --for patient it is a page without points, in plain words.

    \b
    Examples:
      scorecard handout model.json
      scorecard handout model.json -o handout.pdf --language de
      scorecard handout model.json -o patient.pdf --for patient
    """
    from scorecard import api
    from scorecard.cli.label import say_for_whom, say_own_words
    from scorecard.documents.json_document import read_list
    from scorecard.files import write_bytes

    target, kind = named(output, "handout", KINDS)
    claim([target], sources=[model, given["logo"]], force=force)
    scoring_list = read_list(model)
    limits = policy.of(scoring_list)
    write_bytes(target, api.make_handout(scoring_list, kind, policy=limits, **given))
    wrote(target)
    say_own_words(scoring_list, given["language"], given["template_dir"])
    say_for_whom(scoring_list, given["audience"])
