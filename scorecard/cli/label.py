from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorecard.cli import messages
from scorecard.cli.options import GivenPolicy, GroupedCommand, model_argument, policy_options
from scorecard.cli.output import claim, output_option, typed, wrote
from scorecard.errors import few

if TYPE_CHECKING:
    from scorecard.core.model import ScoringList


@click.command(cls=GroupedCommand)
@model_argument
@click.argument("labels", required=False, type=click.Path())
@output_option("The same list with these words and limits", "labelled.json")
@policy_options
def label(
    model: str,
    labels: str | None,
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
    from scorecard.documents.json_document import check_name, read_list, write_list
    from scorecard.project.build import with_limits

    if labels is None and not policy.changes:
        raise click.UsageError("Say what to write in: a LABELS file, or limits like --rule-out 2%.")
    target = output or "labelled.json"
    check_name(target)
    # Writing a list over itself is what this is for; what a person wrote is asked for --force.
    sources = [labels] if Path(target) == Path(model) else [model, labels]
    claim([target], sources=sources, force=force)
    scoring_list = read_list(model)
    if labels is not None:
        from scorecard.tables.labels import read_labels  # it loads what tables need

        words = read_labels(labels)
        for doubt in words.doubts_about(scoring_list):
            messages.warn(f"Warning: {Path(labels).name}: {doubt}")
        scoring_list = words.put_on(scoring_list)
    write_list(with_limits(scoring_list, policy.changes), target)
    wrote(target, f"; see it with: {typed('scorecard', 'show', target)}")


def say_own_words(scoring_list: ScoringList, language: str, template_dir: str | None) -> None:
    """One line where a page in another language has words that the list brings along.

    Which language these are in nobody has said.
    """
    from scorecard.project import READ_ALOUD
    from scorecard.words.language import language_named

    asked = dict.fromkeys(
        repr(one.input) for one in scoring_list.questions if one.label != one.input or one.note
    )
    own = [*(key for key in READ_ALOUD if getattr(scoring_list.about, key)), *asked]
    if language != "en" and own:
        name = language_named(language, template_dir and Path(template_dir)).name
        messages.say(
            f"  In {name}, with the list's own words for {few(own, 15)}; “scorecard label” puts"
            " others into the list."
        )


def say_for_whom(scoring_list: ScoringList, audience: str) -> None:
    """One line where a page says "For: not stated": nobody should use a card like that."""
    if not (audience or scoring_list.about.population):
        messages.say("  It does not say whom it is for; --audience TEXT does.")
