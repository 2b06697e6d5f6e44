from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scorecard.cli.options import GivenPolicy, language_option, model_argument, policy_options
from scorecard.cli.output import claim, output_option, wrote
from scorecard.exporting import EXPORTERS, usual_name

if TYPE_CHECKING:
    from scorecard.core.staircase import Staircase
    from scorecard.exporting.decision_table import Words


@click.command()
@model_argument
@click.option(
    "--to",
    "form",
    type=click.Choice(list(EXPORTERS)),
    required=True,
    help="A Python file, a decision table in JSON, an ES module, one SELECT for PostgreSQL,"
    " SQLite and DuckDB, or a workbook.",
)
@output_option("The program, query, table or workbook", "evaluator.py, card.json …")
@policy_options
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
    from scorecard.core.climbing import build_staircase
    from scorecard.documents.json_document import content_hash, read_list
    from scorecard.exporting import exporter
    from scorecard.files import write_bytes

    target = output or usual_name(form)
    claim([target], sources=[model], force=force)
    scoring_list = read_list(model)
    staircase = build_staircase(scoring_list, policy.of(scoring_list))
    words = card_words(staircase, content_hash(scoring_list), language)
    write_bytes(target, exporter(form)(staircase, words))
    wrote(target)


def card_words(staircase: Staircase, identity: str, language: str = "en") -> Words:
    """The words of the card, for exports; `identity` is the hash of the list in its file."""
    from scorecard.exporting.decision_table import Words
    from scorecard.words.wording import Wording

    wording = Wording.of(staircase, language)
    sentences = [
        wording.limits_sentence(staircase),
        wording.estimate_sentence(staircase),
        wording.figures_sentence(staircase.scoring_list),
        wording.undecided_sentence(staircase),
        *wording.cross_check_sentences(staircase),
        *wording.validation_sentences(staircase),
        wording.validation_sentence(staircase.scoring_list),
    ]
    return Words(
        tuple(
            wording.question(question)
            for question in (*staircase.questions, *staircase.sharpening_questions)
        ),
        tuple(filter(None, sentences)),
        tuple(wording.notes(staircase)),
        identity,
    )
