from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorecard.cli import messages
from scorecard.cli.options import GivenPolicy, GroupedCommand, model_argument, policy_options
from scorecard.cli.output import claim, output_option, typed, wrote
from scorecard.errors import few
from scorecard.words.language import languages

if TYPE_CHECKING:
    from scorecard.core.model import ScoringList
    from scorecard.words.language import Language

# What is said in some language; sources, dates and names of places may be the same in all.
READ_ALOUD = (
    *("title", "outcome", "outcome_sentence", "population", "horizon", "validation", "note"),
    *("when_to_use", "not_for", "pitfalls", "rule_out", "rule_in", "undecided"),
    *("next_steps_rule_out", "next_steps_rule_in", "next_steps_undecided"),
)


@click.command(cls=GroupedCommand)
@model_argument
@click.argument("labels", required=False, type=click.Path())
@click.option(
    "--words",
    "language",
    metavar="|".join(languages()),
    help="Of a card.toml, take the words of this language, too.",
)
@output_option("The same list with these words and limits", "labelled.json")
@policy_options
def label(
    model: str,
    labels: str | None,
    language: str | None,
    output: str | None,
    force: bool,
    policy: GivenPolicy,
) -> None:
    """Write words and limits into a list, without learning it again.

    LABELS is a TOML file with title, words of the decisions and next steps, and for inputs label,
    unit and note; of a card.toml its [words] are taken. Words of the list stay where it says
    nothing, and so do risks, questions and points. Limits that are given are those that all
    commands use from then on.

    \b
    Examples:
      scorecard label model.json labels.toml -o model.json
      scorecard label model.json --rule-out 2% --rule-in 90% -o ward-3.json
    """
    from scorecard.core.build_staircase import build_staircase
    from scorecard.documents.json_document import check_name, write_list

    if labels is None and not policy.changes:
        raise click.UsageError("Say what to write in: a LABELS file, or limits like --rule-out 2%.")
    target = output or "labelled.json"
    check_name(target)
    # Writing a list over itself is what this is for; what a person wrote is asked for --force.
    sources = [labels] if Path(target) == Path(model) else [model, labels]
    claim([target], sources=sources, force=force)
    scoring_list = read_labelled(model, labels, language)
    if policy.changes:
        scoring_list = replace(scoring_list, policy=policy.of(replace(scoring_list, policy=None)))
        build_staircase(scoring_list)  # limits that leave nothing to ask are refused here
    write_list(scoring_list, target)
    wrote(target, f"; see it with: {typed('scorecard', 'show', target)}")


def read_labelled(model: str, labels: str | None, language: str | None = None) -> ScoringList:
    """The list in a file, with the words of a label file in place of its own."""
    from scorecard.documents.json_document import read_list

    scoring_list = read_list(model)
    if labels is None:
        return scoring_list
    from scorecard.tables.labels import read_labels  # it loads what tables need

    words = read_labels(labels, language=language)
    for doubt in words.doubts_about(scoring_list):
        messages.warn(f"Warning: {Path(labels).name}: {doubt}")
    return words.put_on(scoring_list)


def say_own_words(scoring_list: ScoringList, labels: str | None, language: Language) -> None:
    """One line where a page in another language has words that the list brings along.

    Which language these are in nobody has said; who gave labels has thought of it.
    """
    asked = dict.fromkeys(
        repr(one.input) for one in scoring_list.questions if one.label != one.input or one.note
    )
    own = [*(key for key in READ_ALOUD if getattr(scoring_list.about, key)), *asked]
    if language.code != "en" and labels is None and own:
        messages.say(
            f"  In {language.name}, with the list's own words for"
            f" {few(own, 15)}; others come with --labels FILE."
        )


def say_for_whom(scoring_list: ScoringList, audience: str) -> None:
    """One line where a page says "For: not stated": nobody should use a card like that."""
    if not (audience or scoring_list.about.population):
        messages.say("  It does not say whom it is for; --audience TEXT does.")
