from __future__ import annotations

from pathlib import Path

import click

from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    language_option,
    limit_options,
    model_argument,
)
from scorecard.cli.output import claim, output_option, wrote
from scorecard.forms import export_named, exports, suffixes_of

ABOUT = ", ".join(form.about for form in exports()[:-1]) + f", or {exports()[-1].about}."


@click.command(cls=GroupedCommand)
@model_argument
@click.option(
    "--to",
    "form",
    type=click.Choice([form.name for form in exports()]),
    required=True,
    help=ABOUT[:1].upper() + ABOUT[1:],
)
@click.option(
    "--dialect",
    metavar="NAME",
    help="Of a query: duckdb (the default), sqlite, postgresql or mariadb.",
)
@output_option("The program, query, table or workbook", "evaluator.py, card.json …")
@limit_options
@language_option
def export(
    model: str,
    form: str,
    dialect: str | None,
    output: str | None,
    force: bool,
    policy: GivenPolicy,
    language: str,
) -> None:
    """Write a list as a program, a query, a form or a document that needs nothing else.

    Every form decides exactly as the list does under these limits; `scorecard check` shows it.

    \b
    Examples:
      scorecard export model.json --to python
      scorecard export model.json --to sql --dialect postgresql -o ward.sql
    """
    from scorecard import api
    from scorecard.documents.json_document import read_list
    from scorecard.files import write_bytes

    target = output or export_named(form).usual
    _check_ending(target, form)
    claim([target], sources=[model], force=force)
    scoring_list = read_list(model)
    limits = policy.of(scoring_list)
    made = api.export(scoring_list, form, policy=limits, language=language, dialect=dialect)
    write_bytes(target, made)
    wrote(target)


def _check_ending(target: str, form: str) -> None:
    """Refuse a name that promises another kind of file: no program would open it as what it is."""
    from scorecard.files import is_kept

    usual, *others = suffixes_of(form)
    ending = Path(target).suffix.lower()
    if is_kept(target) and ending and ending not in (usual, *others):
        raise click.BadParameter(
            f"{target!r} does not end in {usual}, as a file for {form} does.", param_hint="-o"
        )
