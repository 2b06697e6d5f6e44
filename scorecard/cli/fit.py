from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from scorecard.cli import voice
from scorecard.cli.options import SHARE, Command, GivenPolicy, policy_options, reading_options
from scorecard.cli.output import claim, output_option, wrote
from scorecard.cli.types import Cutoffs, Points, QuestionCount, Rounding, Sign

CALIBRATIONS = ("sigmoid", "isotonic", "isotonic-prior", "beta", "beta-l2")


def choice(name: str, *values: str, about: str) -> Callable[[Command], Command]:
    """An option with a few values, the first of them by default."""
    return click.option(
        name, type=click.Choice(values), default=values[0], show_default=True, help=about
    )


def whole(name: str, default: int, about: str, least: int = 1) -> Callable[[Command], Command]:
    """An option that is a whole number."""
    kind = click.IntRange(min=least)
    return click.option(name, type=kind, default=default, show_default=True, help=about)


def columns(name: str, about: str) -> Callable[[Command], Command]:
    """An option that names columns, several times or with commas."""
    return click.option(name, multiple=True, metavar="COLUMN", help=about)


outcome_option = click.option("--outcome", metavar="COLUMN", help="The column to predict.")


def check_table(tables: Sequence[str], options: Mapping[str, Any]) -> None:
    """Refuse what is no table; without an outcome, name the columns there are."""
    from scorecard.tables.read_table import open_table

    names = open_table(tables, options["encoding"], sheet=options["sheet"]).names
    if options["outcome"]:
        return
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    raise click.UsageError(f"--outcome COLUMN is needed: the column to predict, one of {shown}.")


@click.command()
@click.argument("tables", metavar="TABLE...", nargs=-1, required=True, type=click.Path())
@outcome_option
@click.option(
    "--positive",
    metavar="VALUE",
    help="Its value whose risk is learned, against all others; needed unless it has yes/no,"
    " true/false or 1/0.",
)
@output_option("The model file", "model.json")
@columns("--drop", about="Leave columns out: --drop a,b (repeatable).")
@columns("--only", about="Use only these (repeatable).")
@columns("--category", about="Its numbers are codes, not a scale (repeatable).")
@columns("--number", about="Its few numbers are a scale, not codes (repeatable).")
@columns("--yes-no", about="It says yes or no, for instance as 1 and 0 (repeatable).")
@click.option(
    "--group",
    metavar="COLUMN",
    help="Rows with the same value belong together, for instance to one patient: they are never"
    " torn apart, and count as what they add. No question asks for the column.",
)
@click.option(
    "--points",
    type=Points(),
    default="-3..3",
    show_default=True,
    help="Points a question may have; 0 is left out of a span.",
)
@click.option(
    "--positive-points/--no-positive-points",
    default=True,
    show_default=True,
    help="Ask questions with negative points the other way round, or keep them.",
)
@click.option(
    "--max-questions",
    type=QuestionCount(),
    default="auto",
    show_default=True,
    help="The most questions to ask; auto takes the fewest, at most six, that cross-checking finds"
    " as good as the best within one standard error.",
)
@whole("--repeat-inputs", 3, about="How often an input may be asked, each time another cut-off.")
@click.option(
    "--min-answers",
    type=click.FloatRange(min=0),
    help="So many cases at least have to answer a question either way.  [default: 10, or a"
    " twentieth of fewer than 200 cases]",
)
@click.option(
    "--min-gain",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    help="A question must lower the loss by more than this.",
)
@click.option(
    "--cutoffs",
    type=Cutoffs(),
    default="auto",
    show_default=True,
    help="Try all cut-offs, the paper's halving, or at most so many quantiles; auto tries 8"
    " quantiles below 1,200 cases and all cut-offs from there on.",
)
@choice("--binarize", "in-search", "beforehand", about="When cut-offs are chosen.")
@choice("--calibration", *CALIBRATIONS, about="How risks are estimated from counts.")
@click.option(
    "--calibration-strength",
    type=click.FloatRange(min=0),
    help="L2 penalty, or for isotonic-prior the cases of the base rate added at each total.",
)
@choice("--loss", "entropy", "ranking", about="What a question has to lower.")
@choice("--search", "greedy", "optimal", about="Question by question, or the best of all lists.")
@whole("--lookahead", 1, about="Judge a question by so many stages.")
@whole("--beam", 1, about="Lists kept while searching.")
@choice(
    "--evidence",
    "cross-checked",
    "held-out",
    "training",
    about="What the risks come from: all cases, corrected and judged by lists that did not see"
    " them; the cases that --held-out keeps out; or the cases that chose the questions.",
)
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    help="Lists learned for cross-checking.  [default: 10, and 3 from 50,000 cases on]",
)
@click.option(
    "--held-out",
    type=SHARE,
    default="0",
    show_default=True,
    help="Share of the cases kept out of everything, to validate the finished list (1/3).",
)
@choice("--band", "paper", "sidak", "pooled", about="Kind of ranges.")
@click.option(
    "--level", type=SHARE, default="0.95", show_default=True, help="Confidence of the ranges."
)
@click.option(
    "--sign",
    type=Sign(),
    multiple=True,
    help="Allow an input only positive or negative points: --sign age=+ (repeatable).",
)
@click.option(
    "--ask-first", multiple=True, metavar="COLUMN", help="Ask this first (repeatable, in order)."
)
@click.option(
    "--round",
    type=Rounding(),
    multiple=True,
    help="Cut-offs on a coarser grid, all or one column's (repeatable); the price is reported.",
)
@choice("--missing", "unknown", "mode", "question", "refuse", about="What an empty cell means.")
@click.option(
    "--no-evidence", is_flag=True, help="Leave the counts per answer pattern out of the file."
)
@click.option(
    "--validate",
    type=click.Path(),
    metavar="TABLE",
    help="Test the finished list on the cases of this other table, and keep the result.",
)
@click.option(
    "--labels", type=click.Path(), metavar="FILE", help="TOML file with title, labels and units."
)
@whole("--seed", 0, least=0, about="Divides the cases for cross-checking.")
@whole("--jobs", 1, about="Threads that search side by side.")
@reading_options
@policy_options
def fit(
    tables: tuple[str, ...], output: str | None, force: bool, policy: GivenPolicy, **options: Any
) -> None:
    """Learn a scoring list from a table of cases.

    A TABLE is CSV, TSV, Excel or Parquet; several files with the same columns are one table. Every
    column but the outcome may become a question. Numbers get a cut-off, categories become "is X",
    yes/no words stay yes/no. Empty cells, NaN and words like "NA" are unknown: such a case is
    left out of the counts from the first question it cannot answer (see --missing). Limits are kept
    in the file, and every other command uses them.

    \b
    Examples:
      scorecard fit patients.csv --outcome disease
      scorecard fit patients.csv --outcome disease --rule-out 2% --rule-in 90%
    """
    from scorecard.cli.fitting import Fit
    from scorecard.documents.json_document import check_name, write_list

    target = output or "model.json"
    check_table(tables, options)
    check_name(target)
    claim([target], sources=[*tables, options["labels"], options["validate"]], force=force)
    fitted = Fit.of(tables, options, policy)
    write_list(fitted.scoring_list, target)
    for doubt in fitted.later:
        voice.warn(f"Warning: {doubt.message}")
    voice.say(fitted.summary())
    wrote(target, f"; {fitted.next_command(target)}")
