from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorecard.cli import messages
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    limit_options,
    model_argument,
    template_option,
)

if TYPE_CHECKING:
    from scorecard.forms.check import Verdict


@click.command(cls=GroupedCommand)
@model_argument
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--table",
    type=click.Path(),
    metavar="FILE",
    help="Try its rows, too, with programs that are run.",
)
@click.option(
    "--run-changed",
    is_flag=True,
    help="Run programs that were changed or written by others. They can do whatever you can.",
)
@click.option(
    "--decisions-only",
    is_flag=True,
    help="Compare what files decide, and not their other words.",
)
@click.option("--json", "as_json", is_flag=True, help="The result as JSON, for other programs.")
@limit_options
@template_option
def check(
    model: str,
    files: tuple[Path, ...],
    table: str | None,
    run_changed: bool,
    decisions_only: bool,
    as_json: bool,
    policy: GivenPolicy,
    template_dir: str | None,
) -> int:
    """Show that files made from a list say what the list says.

    Each file is made again from the list and from what it says of its making, and compared to the
    last byte. One that differs is refused and read to say where; a program that differs is not run
    without --run-changed, then also on every row of --table. The limits are those of the list
    unless you say which the files were made with.

    What another version made, or a template of your own without --template-dir, is compared in what
    it decides, and said to be compared in part: make it again, or be content with --decisions-only.
    Of a folder every file is compared, with the list it names if that is in the folder too; files
    that are no form of a list are only named. Exit code 1 if something differs, is compared in part
    or, given by its name, cannot be compared.

    \b
    Examples:
      scorecard check model.json evaluator.py card.pdf --table cases.csv
      scorecard check model.json output/ --json
    """
    from scorecard import api
    from scorecard.documents.json_document import read_list

    scoring_list = read_list(model)
    limits = policy.of(scoring_list)
    verdicts = api.check(
        scoring_list,
        files or [model],
        policy=limits,
        table=table,
        run_changed=run_changed,
        decisions_only=decisions_only,
        template_dir=template_dir,
    )
    if as_json:
        click.echo(json.dumps(_as_json(verdicts), indent=2, ensure_ascii=False))
    else:
        tell(verdicts)
    return int(any(verdict.fails for verdict in verdicts))


TOLD = (
    "same_list", "agrees", "tried", "disagreements", "first", "not_read", "in_part",
    "whole", "again", "other_list",
)  # fmt: skip


def _as_json(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    return {
        "agrees": not any(one.fails for one in verdicts),
        "files": [
            {"file": str(one.path), "form": one.form, "list": one.belongs_to}
            | {name: getattr(one, name) for name in TOLD}
            for one in verdicts
        ],
    }


def tell(verdicts: Sequence[Verdict]) -> None:
    rows = [("file", "form", "tried", "disagree", "list", "same list"), *map(_row, verdicts)]
    for line in messages.aligned(rows):
        messages.say(line)
    for one in verdicts:
        if one.not_read and one.in_folder:
            messages.say(f"{one.path.name}: not read, {one.not_read}.")
        elif one.fails:
            click.echo(f"{one.path.name}{_complaint(one)}")
        elif one.in_part:
            messages.say(f"{one.path.name}, {one.form}: {one.in_part}; that agrees.")
        elif one.other_list:
            messages.warn(
                f"{one.path.name}, {one.form}: it agrees with another list in the folder,"
                f" {one.belongs_to}, which asks something else than the list that is checked."
            )


def _row(one: Verdict) -> tuple[str, ...]:
    if one.not_read:
        return one.path.name, one.form, "not read", "", "", ""
    same = "yes" if one.same_list else "NO"
    # Of a drawing all texts are compared; it decides nothing that could be tried.
    tried = str(one.tried) if one.tried or one.disagreements else "text"
    tried = "all of it" if one.whole else tried
    wrong = "in part" if one.in_part and not one.disagreements else str(one.disagreements)
    return one.path.name, one.form, tried, wrong, one.belongs_to or "-", same


def _complaint(one: Verdict) -> str:
    from scorecard.forms import forms_of

    if one.not_read:
        return f": not read, {one.not_read}."
    if one.in_part and not one.disagrees:
        hint = "see --template-dir" if "templates" in one.in_part else f"make it again: {one.again}"
        return f", {one.form}: {one.in_part}; {hint}." if one.again else f": {one.in_part}."
    if not one.first:
        return f", {one.form}: it does not name this list by its hash."
    hint = ""
    if not one.tried and any(form.program for form in forms_of(one.path.suffix)):
        hint = "; it was not run, see --run-changed"
    elif one.same_list and "limits" in one.first:
        hint = "; it names this list: see --rule-out and --rule-in"
    other = "" if one.same_list else one.belongs_to
    whose = f"it was made from another list, {other}; " if other else ""
    return f", {one.form}: {whose}{one.first.removesuffix('.')}{hint}."
