from __future__ import annotations

from pathlib import Path

import click

from scorecard.cli.options import model_argument
from scorecard.cli.output import claim, output_option, typed, wrote
from scorecard.errors import ScorecardError


@click.command()
@model_argument
@output_option("The list to edit: .toml", "list.toml")
def edit(model: str, output: str | None, force: bool) -> None:
    """Write a learned list so that a person can change its questions.

    The file has the questions with comments that explain them: change a cut-off, points or the
    order, remove a question, add one. “scorecard fit TABLE --start” then counts the risks of what
    stands there, learns what is left out, and tells what the edit has cost.

    \b
    Example:
      scorecard edit model.json -o list.toml
    """
    from scorecard.documents.json_document import read_list
    from scorecard.documents.start_list import start_text
    from scorecard.files import is_kept, write_text

    target = output or "list.toml"
    if is_kept(target) and Path(target).suffix.lower() != ".toml":
        raise ScorecardError(f"{target!r}: lists are edited as TOML; end the name in .toml.")
    claim([target], sources=[model], force=force)
    scoring_list = read_list(model)
    write_text(target, start_text(scoring_list, Path(model).name, Path(target).name))
    known = dict(scoring_list.provenance)
    table, outcome = known.get("table", "TABLE"), known.get("option outcome", "COLUMN")
    counted = typed("scorecard", "fit", table, "--outcome", outcome, "--start", target)
    wrote(target, f"; change it, then count its risks with: {counted} --max-questions 0")
