from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorecard.cli import messages
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    Value,
    as_published_option,
    decimal_option,
    drop_option,
    group_option,
    keep_option,
    labels_option,
    max_questions_option,
    outcome_option,
    policy_options,
    positive_option,
    recipe_of,
    settings_option,
    sheet_option,
    under,
)
from scorecard.cli.output import claim, output_option, typed, wrote
from scorecard.project.written import costs, points

if TYPE_CHECKING:
    from scorecard.project.learn import Fitted
    from scorecard.project.recipe import Opened

ABOUT_THE_TABLE = [
    outcome_option,
    positive_option,
    drop_option,
    keep_option,
    group_option,
    decimal_option,
    sheet_option,
    click.option(
        "--sql",
        metavar="QUERY",
        help="Select the cases: from a DuckDB database, “FROM visits”, or from files under the name"
        " cases. “FROM cases” counts files in DuckDB, never held whole, as if they were larger than"
        " the memory.",
    ),
]
ABOUT_QUESTIONS = [
    max_questions_option,
    click.option(
        "--points",
        type=Value("points", points),
        help="Points a question may have; a span is without 0.  [default: -3..3]",
    ),
    click.option(
        "--start",
        type=click.Path(),
        metavar="FILE",
        help="Begin with the questions of this list: TOML as “scorecard edit” writes it, or a model"
        " file. What a question there leaves out is learned.",
    ),
    click.option(
        "--ask",
        multiple=True,
        metavar="QUESTION",
        help='Ask this first, whole or in part: --ask "age >= 65: 2", --ask "sex is female",'
        " --ask age (repeatable, in order).",
    ),
    click.option(
        "--cost",
        type=Value("column=number", costs),
        multiple=True,
        callback=lambda _context, _option, given: sum(given, ()),
        help="What it takes to have an input, in money, minutes or any one unit:"
        " --cost crp=12,ct=90 (repeatable). Those without a cost are free. The labels file may also"
        " say it, and what is bought together.",
    ),
    click.option(
        "--evidence",
        type=click.Choice(["cross-validated", "held-out", "training"]),
        help="What the risks come from: all cases, corrected and judged by lists that did not see"
        " them (the usual); a third of the cases, which is kept out of everything else; or the"
        " cases that chose the questions.",
    ),
    as_published_option,
    settings_option,
]
ABOUT_THE_FILE = [
    output_option("The model file", "model.json"),
    labels_option,
    click.option(
        "--alternatives",
        type=click.IntRange(2, 50),
        help="Keep up to so many lists that ask other questions and are nearly as good, beside the"
        " model file; “scorecard alternatives” compares them.",
    ),
]
OFTEN = {"outcome", "positive", "drop", "keep", "group", "max_questions", "points", "ask"}
OFTEN |= {"rule_out", "rule_in", "output", "labels"}


@click.command(cls=GroupedCommand, often=OFTEN)
@click.argument("tables", metavar="TABLE...", nargs=-1, required=True, type=click.Path())
@under("Table", ABOUT_THE_TABLE)
@under("Questions", ABOUT_QUESTIONS)
@policy_options
@under("Output", ABOUT_THE_FILE)
def fit(
    tables: tuple[str, ...],
    output: str | None,
    force: bool,
    policy: GivenPolicy,
    alternatives: int | None,
    **options: Any,
) -> None:
    """Learn a scoring list from a table of cases.

    A TABLE is CSV, TSV, Excel or Parquet, or a card.toml that names one; several files with the
    same columns are one table. The cases may also stay in a DuckDB database, a folder or pattern of
    Parquet files, or files larger than the memory, and are counted there.
    Every column but the outcome may become a question. Columns that look like ids, or are known
    only once the outcome is, are left out; each is named with the reason, and --keep uses it.
    Numbers get a cut-off, categories become "is X", yes/no words stay yes/no. Empty cells, NaN and
    words like "NA" are unknown: such a case is left out of the counts from the first question it
    cannot answer (see --set missing). Limits are kept in the file, and every other command uses
    them.

    \b
    Examples:
      scorecard fit patients.csv --outcome disease
      scorecard fit patients.csv --outcome disease --rule-out 2% --rule-in 90%
      scorecard fit patients.csv --outcome disease --ask "age >= 65: 2" --never crp
      scorecard fit warehouse.duckdb --sql "FROM visits" --outcome disease
    """
    from scorecard.documents.json_document import check_name, write_list
    from scorecard.project.learn import learn
    from scorecard.project.recipe import opened

    target = output or "model.json"
    recipe = opened(recipe_of(tables, policy, options)[0])
    check_name(target)
    said = recipe.recipe
    read = [*tables, *said.tables, said.labels, said.validate, said.start]
    beside = [_file_of_alternatives(target)] if alternatives else []
    claim([target, *beside], sources=read, force=force)
    if recipe.start.had_risks:
        messages.warn(f"The risks in {said.start} are not used; they are counted from the table.")
    with messages.progress_bar("Searching") as progress:
        fitted = learn(
            recipe,
            progress=progress,
            doubt=lambda doubt: messages.warn(f"Warning: {doubt.message}"),
        )
    write_list(fitted.scoring_list, target)
    for doubt in fitted.later:
        messages.warn(f"Warning: {doubt.message}")
    for remark in fitted.remarks:
        messages.say(str(remark))
    wrote(target, f"; see it with: {typed('scorecard', 'show', target)}")
    if alternatives:
        _keep_alternatives(fitted, recipe, alternatives, target)


def _keep_alternatives(fitted: Fitted, recipe: Opened, most: int, target: str) -> None:
    from scorecard.alternatives import write_alternatives
    from scorecard.project.learn import other_lists

    lists = other_lists(fitted, recipe, most)
    file = write_alternatives(lists, target)
    messages.say(
        f"Other lists that are nearly as good: {len(lists) - 1}, in {file}; compare them with:"
        f" {typed('scorecard', 'alternatives', target)}"
    )


def _file_of_alternatives(target: str) -> Path:
    from scorecard.alternatives import file_beside
    from scorecard.files import is_kept

    if not is_kept(target):
        raise click.UsageError("--alternatives are kept beside the model file; name one with -o.")
    return file_beside(target)
