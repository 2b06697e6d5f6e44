from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorecard.cli.options import model_argument
from scorecard.cli.output import claim, output_option, typed, wrote
from scorecard.errors import ScorecardError
from scorecard.project.build import HIDDEN

if TYPE_CHECKING:
    from scorecard.core.model import ScoringList


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
    from scorecard.documents.edit_text import start_text
    from scorecard.documents.json_document import read_list
    from scorecard.files import is_kept, write_text

    target = output or "list.toml"
    if is_kept(target) and Path(target).suffix.lower() != ".toml":
        raise ScorecardError(f"{target!r}: lists are edited as TOML; end the name in .toml.")
    claim([target], sources=[model], force=force)
    scoring_list = read_list(model)
    write_text(target, start_text(scoring_list, Path(model).name, Path(target).name))
    wrote(target, f"; change it, then count its risks with: {_next(scoring_list, model, target)}")


def _next(scoring_list: ScoringList, model: str, target: str) -> str:
    """What counts the risks anew: for a list that was built, its card.toml does."""
    from scorecard.documents.edit_text import counting_again, toml

    if (Path(model).parent / HIDDEN).is_dir():
        return (
            f"scorecard build, with start = {toml(target)} and max_questions = 0 below [learning]"
            " in your card.toml"
        )
    return typed(*counting_again(scoring_list, target))
