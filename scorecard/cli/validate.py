from __future__ import annotations

import click

from scorecard.cli import messages
from scorecard.cli.options import model_argument


@click.command()
@model_argument
def validate(model: str) -> int:
    """Check a model file: ok with its hash, or every fault in it.

    Faults come one per line, each with its place in the file, and the exit code is 1. A file that
    is neither JSON nor TOML is refused.

    \b
    Example:
      scorecard validate model.json
    """
    from scorecard.documents.json_document import content_hash, faults, read_list
    from scorecard.words.wording import printable

    found = faults(model)
    for fault in found:
        click.echo(fault)
    if found:
        return 1
    scoring_list = read_list(model)
    title = printable(scoring_list.about.title) or "untitled"
    count = len(scoring_list.questions)
    plural = "question" if count == 1 else "questions"
    messages.say(f"ok: {title}, {count} {plural}, sha256 {content_hash(scoring_list)}")
    return 0
