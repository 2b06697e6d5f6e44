from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

import click
from click.core import ParameterSource

from scorecard.cli import voice
from scorecard.cli.options import (
    RENAMED,
    SHARE,
    Command,
    GivenPolicy,
    GroupedCommand,
    policy_options,
    reading_options,
    under,
)
from scorecard.cli.output import claim, output_option, wrote
from scorecard.cli.types import Cutoffs, Points, QuestionCount, Rounding, Sign
from scorecard.learning.classifier import ScoringListClassifier
from scorecard.learning.options import CHOICES, PUBLISHED

DEFAULTS = {name: one.default for name, one in signature(ScoringListClassifier).parameters.items()}
"""What the learner does where it is not told: its own signature is the only source."""


def learner(name: str, about: str, kind: Any = None, **more: Any) -> Callable[[Command], Command]:
    """An option of the learner, with its default and, where it has some, its choices."""
    option = name.removeprefix("--").partition("/")[0].replace("-", "_")
    parameter = RENAMED.get(option, option)
    default = DEFAULTS[parameter]
    shown = default is not None and not isinstance(default, tuple)
    if isinstance(default, tuple):
        about += f"  [default: {default[0]}..{default[-1]}]"
    kind = kind or (click.Choice(CHOICES[parameter]) if parameter in CHOICES else None)
    return click.option(name, type=kind, default=default, show_default=shown, help=about, **more)


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


FROM_ONE, FROM_TWO, NOT_NEGATIVE = click.IntRange(min=1), click.IntRange(min=2), click.FloatRange(0)

ABOUT_THE_TABLE = [
    outcome_option,
    click.option(
        "--positive",
        metavar="VALUE",
        help="Its value whose risk is learned, against all others; needed unless it has yes/no,"
        " true/false or 1/0.",
    ),
    columns("--drop", about="Leave columns out: --drop a,b (repeatable)."),
    columns("--only", about="Use only these (repeatable)."),
    columns("--category", about="Its numbers are codes, not a scale (repeatable)."),
    columns("--number", about="Its few numbers are a scale, not codes (repeatable)."),
    columns("--yes-no", about="It says yes or no, for instance as 1 and 0 (repeatable)."),
    click.option(
        "--group",
        metavar="COLUMN",
        help="Rows with the same value belong together, for instance to one patient: they are"
        " never torn apart, and count as what they add. No question asks for the column.",
    ),
    learner("--missing", about="What an empty cell means."),
    reading_options,
]
ABOUT_QUESTIONS = [
    learner(
        "--max-questions",
        kind=QuestionCount(),
        about="The most questions to ask; auto takes the fewest, at most six, that cross-checking"
        " finds as good as the best within one standard error.",
    ),
    learner("--points", kind=Points(), about="Points a question may have; a span is without 0."),
    learner(
        "--positive-points/--no-positive-points",
        about="Ask questions with negative points the other way round, or keep them.",
    ),
    click.option(
        "--ask-first",
        multiple=True,
        metavar="COLUMN",
        help="Ask this first (repeatable, in order).",
    ),
    click.option(
        "--sign",
        type=Sign(),
        multiple=True,
        help="Allow an input only positive or negative points: --sign age=+ (repeatable).",
    ),
    click.option(
        "--round",
        type=Rounding(),
        multiple=True,
        help="Cut-offs on a coarser grid, all or one column's (repeatable); the price is reported.",
    ),
    learner(
        "--repeat-inputs",
        kind=FROM_ONE,
        about="How often an input may be asked, each time another cut-off.",
    ),
    learner(
        "--min-answers",
        kind=NOT_NEGATIVE,
        about="So many cases at least have to answer a question either way.  [default: 10, or a"
        " twentieth of fewer than 200 cases]",
    ),
    learner(
        "--min-gain", kind=NOT_NEGATIVE, about="A question must lower the loss by more than this."
    ),
    learner(
        "--cutoffs",
        kind=Cutoffs(),
        about="Try all cut-offs, the paper's halving, or at most so many quantiles; auto tries 8"
        " quantiles below 1,200 cases, all cut-offs below 50,000, and 200 quantiles from there on.",
    ),
    learner("--binarize", about="When cut-offs are chosen."),
    learner("--loss", about="What a question has to lower."),
    learner("--search", about="Question by question, or the best of all lists."),
    learner("--lookahead", kind=FROM_ONE, about="Judge a question by so many stages."),
    learner("--beam", kind=FROM_ONE, about="Lists kept while searching."),
    learner("--jobs", kind=FROM_ONE, about="Threads that search side by side.  [default: 1]"),
]
ABOUT_RISKS = [
    learner(
        "--evidence",
        about="What the risks come from: all cases, corrected and judged by lists that did not see"
        " them; the cases that --held-out keeps out; or the cases that chose the questions.",
    ),
    learner(
        "--held-out",
        kind=SHARE,
        about="Share of the cases kept out of everything, to validate the finished list (1/3).",
    ),
    click.option(
        "--validate",
        type=click.Path(),
        metavar="FILE",
        help="Test the finished list on the cases of this other table, and keep the result.",
    ),
    learner(
        "--folds",
        kind=FROM_TWO,
        about="Lists learned for cross-checking.  [default: 10, and 3 from 50,000 cases on]",
    ),
    learner("--calibration", about="How risks are estimated from counts."),
    learner(
        "--calibration-strength",
        kind=NOT_NEGATIVE,
        about="L2 penalty, or for isotonic-prior the cases of the base rate added at each total.",
    ),
    learner("--band", about="Kind of ranges."),
    learner("--level", kind=SHARE, about="Confidence of the ranges."),
    learner("--seed", kind=click.IntRange(min=0), about="Divides the cases for cross-checking."),
]
ABOUT_THE_FILE = [
    output_option("The model file", "model.json"),
    click.option(
        "--labels",
        type=click.Path(),
        metavar="FILE",
        help="TOML file with title, labels and units.",
    ),
    click.option(
        "--no-evidence", is_flag=True, help="Leave the counts per answer pattern out of the file."
    ),
]


def _as_published(options: dict[str, Any]) -> dict[str, Any]:
    """The options with those of the paper, if it is wanted, where nobody gave another."""
    if not options["as_published"]:
        return options
    source = click.get_current_context().get_parameter_source
    untold = [name for name in PUBLISHED if source(name) == ParameterSource.DEFAULT]
    return options | {name: PUBLISHED[name] for name in untold}


@click.command(cls=GroupedCommand)
@click.argument("tables", metavar="TABLE...", nargs=-1, required=True, type=click.Path())
@under("Table", ABOUT_THE_TABLE)
@under("Questions", ABOUT_QUESTIONS)
@under("Risks", ABOUT_RISKS)
@click.option(
    "--as-published",
    is_flag=True,
    help="Learn as in the paper: all inputs, halving, isotonic risks of the cases that chose the"
    " questions. Options beside it win.",
)
@policy_options
@under("Output", ABOUT_THE_FILE)
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
    options = _as_published(options)
    check_table(tables, options)
    check_name(target)
    claim([target], sources=[*tables, options["labels"], options["validate"]], force=force)
    fitted = Fit.of(tables, options, policy)
    write_list(fitted.scoring_list, target)
    for doubt in fitted.later:
        voice.warn(f"Warning: {doubt.message}")
    voice.say(fitted.summary())
    wrote(target, f"; {fitted.next_command(target)}")
