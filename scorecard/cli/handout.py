from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    labels_option,
    language_option,
    look_options,
    model_argument,
    policy_options,
    template_option,
)
from scorecard.cli.output import claim, format_option, named, output_option, wrote

KINDS = ("html", "pdf")


OFTEN = {"language", "output", "kind", "paper", "title", "audience"}
OFTEN |= {"not_for", "labels", "rule_out", "rule_in", "logo", "template_dir"}


@click.command(cls=GroupedCommand, often=OFTEN)
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
@labels_option
@language_option
def handout(
    model: str,
    output: str | None,
    kind: str,
    force: bool,
    policy: GivenPolicy,
    labels: str | None,
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
    from scorecard import api
    from scorecard.cli.label import read_labelled, say_for_whom, say_own_words
    from scorecard.files import write_bytes
    from scorecard.words.language import language_named

    target, kind = named(output, "handout", kind, KINDS)
    claim([target], sources=[model, labels, given["logo"]], force=force)
    scoring_list = read_labelled(model, labels)
    limits = policy.of(scoring_list)
    write_bytes(target, api.make_handout(scoring_list, kind, policy=limits, **given))
    wrote(target)
    folder = given["template_dir"] and Path(given["template_dir"])
    say_own_words(scoring_list, labels, language_named(given["language"], folder))
    say_for_whom(scoring_list, given["audience"])
